"""Reads an export of facts by nothing but its schema, and says what it adds up to.

Every cell is read as the type that the schema gives it, every key is looked up, and
every file is held against its size and its hash.
"""

import collections
import csv
import datetime
import hashlib
import json
import os
import sys

READ = {
    "integer": int,
    "boolean": {"true": True, "false": False}.__getitem__,
    "string": str,
    "date": datetime.date.fromisoformat,
    "datetime": lambda text: datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ"),
}


def load(folder, resource):
    """Returns the rows of a table, each a dictionary of values."""
    path = os.path.join(folder, resource["path"])
    data = open(path, "rb").read()
    assert len(data) == resource["bytes"], path
    assert "sha256:" + hashlib.sha256(data).hexdigest() == resource["hash"], path
    fields = resource["schema"]["fields"]
    lines = list(csv.reader(data.decode(resource["encoding"]).splitlines(keepends=True)))
    assert lines[0] == [field["name"] for field in fields], path
    rows = []
    for line in lines[1:]:
        assert len(line) == len(fields), (path, line)
        row = {}
        for field, text in zip(fields, line):
            missing = text in resource["schema"]["missingValues"]
            row[field["name"]] = None if missing else READ[field["type"]](text)
            if field.get("format") == "json" and not missing:
                row[field["name"]] = json.loads(text)
        rows.append(row)
    assert len(rows) == resource["rows"], path
    return rows


def main(folder):
    package = json.load(open(os.path.join(folder, "datapackage.json")))
    assert package["profile"] == "tabular-data-package"
    tables = {r["name"]: load(folder, r) for r in package["resources"]}
    for r in package["resources"]:
        primary = r["schema"]["primaryKey"]
        named = [tuple(row[k] for k in primary) for row in tables[r["name"]]]
        assert len(set(named)) == len(named), r["name"]
        for field in r["schema"]["fields"]:
            assert field["description"], (r["name"], field["name"])
            words = field.get("constraints", {}).get("enum")
            for row in tables[r["name"]] if words else []:
                assert row[field["name"]] in words + [None], (r["name"], field["name"], row[field["name"]])
    for r in package["resources"]:
        for foreign in r["schema"].get("foreignKeys", []):
            to = foreign["reference"]
            there = {tuple(row[k] for k in to["fields"]) for row in tables[to["resource"]]}
            for row in tables[r["name"]]:
                key = tuple(row[k] for k in foreign["fields"])
                assert None in key or key in there, (r["name"], foreign, key)

    balance, accounts = collections.Counter(), collections.Counter()
    for row in tables["postings"]:
        balance[row["record_volume"], row["record_seq"]] += row["cents"]
        accounts[row["account"], row["unit"] or 0] += row["cents"]
    assert not any(balance.values()), "debits and credits of a record differ"
    print("tables", len(tables))
    print("records", len(tables["records"]))
    print("sold", sum(row["cost_cents"] for row in tables["ticket_sold"]))
    print("cancelled", sum(row["refund_cents"] + row["carried_cents"] for row in tables["ticket_cancelled"]))
    print("paid", sum(row["cents"] for row in tables["ticket_paid_parts"]))
    for (name, unit), cents in sorted(accounts.items()):
        if cents:
            print(name, unit, cents)


if __name__ == "__main__":
    main(sys.argv[1])
