#!/usr/bin/env python3
"""Checks a ticket's proof, a draw or a checkpoint without any code of drawhouse.

    inspector.py proof  PROOF.json  HOUSE_KEY  [CLAIM_CODE]  [--log-key KEY]  [--log-proof FILE]  [WITNESSES]
    inspector.py log    FOLDER  LOG_KEY  [WITNESSES]
    inspector.py entry  FILE.tlog-proof  LOG_KEY  [WITNESSES]
    inspector.py draw   EXPORT  DAY/GAME  HOUSE_KEY  DEVICE_KEY
    inspector.py witnessed  DRAW.json  HOUSE_KEY  DEVICE_KEY  [CUSTODIAN_KEY ...]
    inspector.py prefix EXPORT  CHECKPOINT  HOUSE_KEY
    inspector.py list   EXPORT

WITNESSES are --witness KEY for each witness whose cosignature you look for, and --quorum N for how many of them must
have cosigned: more than half of them, unless you say. It needs Python 3.9 and nothing else. INSPECTOR.md, beside it, has the layouts.
"""

import base64
import datetime
import hashlib
import json
import os
import sys


class Wrong(Exception):
    """Something does not hold."""


def must(holds, what):
    if not holds:
        raise Wrong(what)


# Ed25519 (RFC 8032, section 5.1.7).

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    i, j = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    m, n = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = j - i, n - m, n + m, j + i
    return e * f % P, g * h % P, f * g % P, e * h % P


def times_both(j, p, k, q):
    """Returns j times p and k times q together, with one doubling for both at each bit."""
    choice = {(1, 0): p, (0, 1): q, (1, 1): add(p, q)}
    product = (0, 1, 1, 0)
    for bit in range(max(j.bit_length(), k.bit_length()) - 1, -1, -1):
        product = add(product, product)
        if term := choice.get((j >> bit & 1, k >> bit & 1)):
            product = add(product, term)
    return product


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if x * x % P != xx:
        x = x * pow(2, (P - 1) // 4, P) % P
    must(y < P and x * x % P == xx, "a key or a signature is not a point of the curve")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def ed25519(public, text, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + public + text).digest(), "little") % L
    x, y, _, xy = point(public)
    x1, y1, z1, _ = times_both(s, BASE, k, (P - x, y, 1, P - xy))
    x2, y2, _, _ = point(r)
    return s < L and (x1 - x2 * z1) % P == 0 and (y1 - y2 * z1) % P == 0


NOTES, COSIGNATURES = 1, 4  # the byte before a key says what it signs


def signature_of(signed, vkey, kind):
    """Returns name and key of a verifier key, the text of a note, and what stands behind the key's id in its line."""
    name, key_id, key = vkey.split("+", 2)
    key = base64.b64decode(key, validate=True)
    must(hashlib.sha256(name.encode() + b"\n" + key).hexdigest()[:8] == key_id and len(key) == 33 and key[0] == kind, "the key is mistyped")
    text, lines = signed.rsplit("\n\n", 1)
    for line in lines.splitlines():
        dash, who, signature = line.split(" ")
        signature = base64.b64decode(signature, validate=True)
        if dash == "—" and who == name and signature[:4].hex() == key_id:
            return name, key[1:], text + "\n", signature[4:]
    return name, key[1:], text + "\n", None


def note(signed, vkey):
    """Returns the text of a signed note (C2SP signed-note) that the key signed."""
    name, key, text, signature = signature_of(signed, vkey, NOTES)
    must(signature is not None, "%s did not sign" % vkey)
    must(ed25519(key, text.encode(), signature), "the signature of %s is wrong" % name)
    return text


def cosigned(signed, witnesses, quorum):
    """Demands that enough witnesses cosigned a checkpoint (C2SP tlog-cosignature): each signs a time, too."""
    names, seen = {vkey.split("+")[0] for vkey in witnesses}, {}
    for vkey in witnesses:
        name, key, text, signature = signature_of(signed, vkey, COSIGNATURES)
        if signature is None:
            continue
        time = int.from_bytes(signature[:8], "big")
        must(len(signature) == 72 and ed25519(key, b"cosignature/v1\ntime %d\n" % time + text.encode(), signature[8:]), "the cosignature of %s is wrong" % name)
        seen[name] = time
    for name, time in seen.items():
        print("witness    %s had seen this log, and none that contradicts it, at %s by its own clock" % (name, utc(1000 * time)))
    if not names and not quorum:
        print("witness    WHO ELSE HAS SEEN THIS LOG was not asked: no key of a witness given")
        return
    quorum = int(quorum or len(names) // 2 + 1)
    must(len(seen) >= quorum, "%d of %d witnesses have cosigned the log, and %d must" % (len(seen), len(names), quorum))


# The tree of RFC 6962, section 2.1.


def leaf(data):
    return hashlib.sha256(b"\0" + data).digest()


def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(root(leaves[:k]), root(leaves[k:]))


def climb(hash, index, size, path):
    """Returns the root to which a path leads (RFC 9162, section 2.1.3.2)."""
    last = size - 1
    for sibling in path:
        must(last > 0, "the path is too long")
        if index & 1 or index == last:
            hash = node(sibling, hash)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            hash = node(hash, sibling)
        index, last = index >> 1, last >> 1
    must(last == 0, "the path is too short")
    return hash


# Records: CBOR (RFC 8949) as far as they use it.


def cbor(data, at=0):
    major, short = data[at] >> 5, data[at] & 31
    at += 1
    value = short
    if short >= 24 and major != 7:
        width = 1 << short - 24
        value, at = int.from_bytes(data[at : at + width], "big"), at + width
    if major == 0:
        return value, at
    if major == 1:
        return -1 - value, at
    if major in (2, 3):
        text = data[at : at + value]
        return (text if major == 2 else text.decode()), at + value
    if major == 4:
        items = []
        for _ in range(value):
            item, at = cbor(data, at)
            items.append(item)
        return items, at
    if major == 5:
        pairs = {}
        for _ in range(value):
            key, at = cbor(data, at)
            pairs[key], at = cbor(data, at)
        return pairs, at
    return {20: False, 21: True, 22: None}[short], at


def record(data):
    fields, end = cbor(data)
    must(end == len(data), "something follows the record")
    return fields


KINDS = """volume begun|rulebook adopted|series begun|venue added|terminal added|day opened|day closed|game opened
ticket sold|game closed|game sealed|number drawn|game drawn|game settled|ticket paid|request burned"""
KINDS = dict(enumerate(KINDS.replace("\n", "|").split("|"), 1))
KINDS.update({120: "device chosen", 121: "chain committed", 122: "link released", 127: "links committed", 128: "link given", 170: "result corrected"})


def records(export):
    """Yields volume, number and bytes of every record: a varint of the length, then the record."""
    about = json.load(open(os.path.join(export, "house.json")))
    folders = [(v, "volumes/%d" % v) for v in about.get("earlier", [])] + [(about["volume"], "")]
    for volume, folder in folders:
        n, seq = 0, 0
        while os.path.exists(name := os.path.join(export, folder, "records-%08d.cbor" % n)):
            data, at, n = open(name, "rb").read(), 0, n + 1
            while at < len(data):
                length, shift = 0, 0
                while True:
                    byte, at = data[at], at + 1
                    length |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                yield volume, seq, data[at : at + length]
                at, seq = at + length, seq + 1


def date(days):
    return datetime.date.fromordinal(days).isoformat()


def fields_of(text):
    lines = text.splitlines()
    return lines[0], [line.split(" ") for line in lines[1:]]


# What can be checked.


def check_proof(file, house_key, code=None, log_key=None, log_proof=None, witness=(), quorum=None):
    proof = json.load(open(file))
    b64 = base64.b64decode
    data, seq = b64(proof["record"]), proof["seq"]
    volumes = [volume_begun(v) for v in proof.get("volumes", [])]
    house_key = handed_over(house_key, volumes)
    text = note(proof["seal"], house_key)
    form, lines = fields_of(text)
    must(form == "drawhouse/seal/v1", "this is no seal")
    seal = {line[0]: line[1] for line in lines if line[0] != "open"}
    print("seal       signed by %s, of game %s/%s, fingerprint %s" % (house_key.split("+")[0], seal["day"], seal["game"], fingerprint(text)))

    origin, size, top = seal["origin"], int(seal["size"]), b64(seal["root"])
    for v in reversed(volumes):
        must(climb(v["leaf"], 0, size, v["path"]) == top, "the record that begins %s is not in it" % origin)
        origin, size, top = v["previous"]
        print("volume     %s ended with %d records, says the first record of the volume after it" % (origin, size))
    must(climb(leaf(data), seq, size, [b64(h) for h in proof["inclusion"]]) == top, "the record is not in the sealed log")
    print("record     is number %d of the %d records of %s under the seal" % (seq, size, origin))

    volume = int(origin.rsplit("/v", 1)[1])
    spans = [line for line in lines if line[0] == "open" and int(line[1]) == volume]
    must(len(spans) == 1, "the seal has no tickets of the volume")
    first, length, top = int(spans[0][2]), int(spans[0][3]), b64(spans[0][4])
    bit, bits = seq - first, int(seal["chunk-bits"])
    chunk, index = b64(proof["bit"]["chunk"]), proof["bit"]["index"]
    must(0 <= bit < length and index == bit // bits and len(chunk) * 8 == bits, "the chunk is not the one of the ticket")
    must(climb(leaf(chunk), index, (length + bits - 1) // bits, [b64(h) for h in proof["bit"]["path"]]) == top, "the chunk is not under the seal")
    must(chunk[bit % bits // 8] >> bit % 8 & 1, "the ticket's bit is not set: it is not in the game")
    print("bit        %d of the tickets that play is set" % bit)

    if log_key is None:
        must(log_proof is None and not witness and not quorum, "whose log it is shows only with --log-key")
        print("log        the public log was not asked: no --log-key given")
    else:
        shown = open(log_proof, encoding="utf-8").read() if log_proof else proof.get("log_proof")
        must(shown, "nothing shows the seal in the public log: %s" % proof.get("unlogged", "the proof has no log_proof"))
        entry, house = proven_entry(shown, log_key, witness, quorum)
        must(house == seal["origin"].rsplit("/v", 1)[0], "the log is of another house")
        must(entry["kind"] == ["game-sealed"] and [entry[k][0] for k in ("series", "day", "game")] == [seal[k] for k in ("series", "day", "game")], "the entry is of something else")
        must(entry["journal"] == [seal["origin"] + " " + seal["size"] + " " + seal["root"]], "the entry names another journal")
        must(note(base64.b64decode(entry["note"][0]).decode(), house_key) == text, "the entry has another seal")
        print("log        that entry is this seal")

    kind, _, time, _, body = record(data)
    must(KINDS[kind] == "ticket sold", "the record is of a %s" % KINDS[kind])
    print("ticket     sold %s by terminal %d, request %d, for %d cents" % (utc(time), body[0][0], body[0][1], body[9]))
    _, book, (day, game), games, bets = body[7]
    print("           by %s, games from %s/%d: %d" % (book, date(day), game, games))
    for bet in bets:
        sets = [bet[3]] if 3 in bet else bet.get(4, [])
        print("           %s %s at %d cents" % (bet[1], ", ".join(" ".join(map(str, s)) for s in sets), bet[2]))
    if code is None:
        print("           whose ticket it is was not asked: no claim code given")
    else:
        must(claim_hash(code, *body[0][:2]) == body[10], "the claim code is not of this ticket")
        print("           with this claim code")


# The public log: C2SP tlog-tiles, tlog-proof. Its leaves are hashes of entries, which are short texts.


def entry_fields(data):
    """Reads an entry: the values of each key. An entry of a kind that this program does not know has only the first three."""
    must(data.endswith(b"\n") and len(data) <= 65535, "an entry ends with a line and has at most 65535 bytes")
    form, *lines = data.decode().split("\n")[:-1]
    must(form == "drawhouse/log/v1", "an entry is of another form")
    pairs = [line.split(" ", 1) for line in lines]
    must([p[0] for p in pairs[:3]] == ["kind", "time", "record"] and all(len(p) == 2 for p in pairs), "an entry has not the lines of one")
    fields = {}
    for key, value in pairs:
        fields.setdefault(key, []).append(value)
    if fields["kind"] == ["bingo-sealed"]:
        must(all(len(fields.get(key, [])) == 1 for key in ("hall", "session", "game", "draw")), "the entry of a seal has not the lines of one")
    if fields["kind"] == ["game-sealed"]:
        must(all(len(fields.get(key, [])) == 1 for key in ("series", "day", "game", "note", "journal", "from")), "the entry of a seal has not the lines of one")
    return fields


def signed_log(signed, log_key):
    """Returns origin, size and root of a checkpoint of the log, and the house whose log it is."""
    origin, size, top = note(signed, log_key).splitlines()
    house, _, number = origin.rpartition("/log")
    must(origin == log_key.split("+")[0] and house and (number == "" or number.isdigit()), "the checkpoint is of %s, which is not the log of that key" % origin)
    return origin, int(size), base64.b64decode(top), house


def proven_entry(text, log_key, witnesses, quorum):
    """Reads a C2SP tlog-proof whose extra data is the entry, and returns the entry and the house whose log it is."""
    head, empty, signed = text.partition("\n\n")
    form, *lines = head.split("\n")
    must(form == "c2sp.org/tlog-proof@v1" and empty, "this is no tlog-proof")
    must(lines and lines[0].startswith("extra "), "the proof has no entry as its extra data")
    data, index = base64.b64decode(lines[0][6:], validate=True), lines[1].partition("index ")[2]
    must(str(int(index)) == index, "the index is not a whole number")
    origin, size, top, house = signed_log(signed, log_key)
    must(0 <= int(index) < size and climb(leaf(data), int(index), size, [base64.b64decode(h, validate=True) for h in lines[2:]]) == top, "the entry is not in the log")
    print("log        %s with %d entries, signed by its key; one of them is number %s" % (origin, size, index))
    cosigned(signed, witnesses, quorum)
    return entry_fields(data), house


def check_entry(file, log_key, witness=(), quorum=None):
    entry, _ = proven_entry(open(file, encoding="utf-8").read(), log_key, witness, quorum)
    print("entry      %s, record %s, %s" % (entry["kind"][0], entry["record"][0], utc(int(entry["time"][0]))))
    if entry["kind"] == ["game-sealed"]:
        print("           of game %s/%s, fingerprint %s" % (entry["day"][0], entry["game"][0], fingerprint(base64.b64decode(entry["note"][0]).decode().rpartition("\n\n")[0] + "\n")))


def log_entries(folder, size):
    """Yields the first entries of a log: bundles of 256, each entry behind its length in two bytes."""
    for bundle in range((size + 255) // 256):
        want, name = min(256, size - 256 * bundle), "%03d" % (bundle % 1000)
        while bundle >= 1000:
            bundle //= 1000
            name = "x%03d/%s" % (bundle % 1000, name)
        path = os.path.join(folder, "tile", "entries", *name.split("/"))
        if not os.path.exists(path):  # It is not full yet: one of those that have enough.
            widths = sorted(int(w) for w in os.listdir(path + ".p") if int(w) >= want)
            must(widths, "the folder has not all of the entries")
            path = os.path.join(path + ".p", str(widths[0]))
        data, at = open(path, "rb").read(), 0
        for _ in range(want):
            length = int.from_bytes(data[at : at + 2], "big")
            must(at + 2 + length <= len(data), "%s ends within an entry" % path)
            yield data[at + 2 : at + 2 + length]
            at += 2 + length


def check_log(folder, log_key, witness=(), quorum=None):
    """Works the root of a log out from its entries, and looks for two seals of one game."""
    signed = open(os.path.join(folder, "checkpoint"), encoding="utf-8").read()
    origin, size, top, _ = signed_log(signed, log_key)
    leaves, kinds, seals = [], {}, {}
    for index, data in enumerate(log_entries(folder, size)):
        leaves.append(leaf(data))
        entry = entry_fields(data)
        kind = entry["kind"][0]
        kinds[kind] = kinds.get(kind, 0) + 1
        if kind in ("game-sealed", "bingo-sealed"):
            game = " ".join(entry[key][0] for key in (("series", "day", "game") if kind == "game-sealed" else ("hall", "session", "game", "draw")))
            must(game not in seals, "entry %d is a second seal of game %s; the first is entry %s" % (index, game, seals.get(game)))
            seals[game] = index
    must(root(leaves) == top, "the entries do not come to the root that was signed")
    print("log        %s with %d entries comes to the root that its key signed" % (origin, size))
    cosigned(signed, witness, quorum)
    for kind in sorted(kinds):
        print("entries    %6d %s" % (kinds[kind], kind))


def volume_begun(volume):
    """Reads the first record of a volume: its leaf hash and path, the end of the volume before, its note."""
    data = base64.b64decode(volume["record"])
    path = [base64.b64decode(h) for h in volume["inclusion"]]
    return {"leaf": leaf(data), "path": path, **beginning(data)}


def beginning(data):
    """Reads what the first record of a volume that follows another says of the two."""
    kind, _, _, _, body = record(data)
    must(KINDS[kind] == "volume begun", "the record is of a %s" % KINDS[kind])
    origin, size, top = body[8].decode().split("\n\n")[0].split("\n")
    return {"previous": (origin, int(size), base64.b64decode(top)), "key": body[4], "device": body[5], "note": body[12].decode()}


def vouched(known, volumes):
    """Returns the keys that a known key leads to: each volume begins with a note that two keys signed."""
    keys = [known]
    for _ in volumes:
        for v in volumes:
            form, lines = fields_of(v["note"].split("\n\n")[0])
            said = {line[0]: line[1:] for line in lines}
            must(form == "drawhouse/volume/v1" and (said["house-key"], said["device-key"]) == ([v["key"]], [v["device"]]), "the note of a volume is of another one")
            must(said["previous"] == [v["previous"][0], str(v["previous"][1]), base64.b64encode(v["previous"][2]).decode()], "the note of a volume is of another one")
            pair = [said["previous-key"][0], said["house-key"][0]]
            for key in [k for k in keys if k in pair]:
                try:
                    note(v["note"], key)
                except Wrong:
                    continue  # It was lost, and has not signed.
                keys += [k for k in pair if k not in keys]
    return keys


def handed_over(known, volumes):
    """Returns the key of the last volume, which a known key leads to."""
    keys = vouched(known, volumes)
    last = volumes[-1]["key"] if volumes else known
    must(last in keys, "the key that you gave did not sign for the one of the seal, %s" % last)
    if last != known:
        print("key        %s has handed the house over; the seal's is %s" % (known, last))
    return last


def claim_hash(code, terminal, request):
    """Hashes the claim code of a ticket: 16 characters of Crockford's base 32."""
    digits = code.upper().translate(str.maketrans("OIL", "011", "- "))
    number = 0
    for digit in digits:
        number = number * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(digit)
    must(len(digits) == 16, "a claim code has 16 characters")
    text = b"drawhouse/claim-code/v2\n" + terminal.to_bytes(4, "big") + request.to_bytes(8, "big")
    opening = hashlib.sha256(text + number.to_bytes(10, "big")).digest()
    return hashlib.sha256(opening).digest()


def utc(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc).isoformat(" ", "milliseconds")


def fingerprint(text):
    digits = hashlib.sha256(text.encode()).hexdigest()[:32]
    return "-".join(digits[i : i + 4] for i in range(0, 32, 4))


# Witnessed draws: the bytes are SHAKE256 of a text with the seal and the custodians' links.


def root_of_link(said, number, link, path):
    """Returns the root of RFC 6962 to which the path of a link leads."""
    text = "drawhouse/link/v2\ncustodian %s\nseries %s\nday %s\ngame %s\nlink %s\n"
    text %= (said["custodian"], said["series"], said["day"], number, base64.b64encode(link).decode())
    value, path = hashlib.sha256(b"\0" + text.encode()).digest(), list(path)
    index, last = int(number) - int(said["first"]), int(said["games"]) - 1
    while last > 0:
        if index % 2 == 1:
            value = hashlib.sha256(b"\1" + path.pop(0) + value).digest()
        elif index < last:
            value = hashlib.sha256(b"\1" + value + path.pop(0)).digest()
        index, last = index // 2, last // 2
    must(not path, "the path of the link is too long")
    return value


def chain_tip(commitment, game, draw, link, path):
    """Returns what a link leads to, and the root or the tip that the commitment states."""
    form, lines = fields_of(commitment)
    said = {line[0]: line[1] for line in lines}
    day, number = game.split("/")
    must(form in ("drawhouse/chain/v1", "drawhouse/links/v1") and said["day"] == day, "the commitment is for another day")
    must(0 <= int(number) - int(said["first"]) < int(said["games"]), "the commitment is for other games")
    if form == "drawhouse/links/v1":
        must(draw == 1, "a game has one link, and one draw")
        return root_of_link(said, number, link, path), base64.b64decode(said["root"])
    name = hashlib.sha256(commitment.split("tip ")[0].encode()).digest()
    place, value = (int(number) - int(said["first"])) * 3 + draw, link
    while place > 0:
        place -= 1
        value = hashlib.sha256(name + place.to_bytes(4, "big") + value).digest()
    return value, base64.b64decode(said["tip"])


def witnessed_bytes(seal, draw, links):
    """Returns the bytes of a draw from the text of the seal and the links by custodian."""
    said = {line[0]: line[1:] for line in fields_of(seal)[1]}
    b64 = lambda data: base64.b64encode(data).decode()
    text = "drawhouse/witnessed/v1\nseries %s\nday %s\ngame %s\nrevision %d\nof 80\n" % (" ".join(said["series"]), said["day"][0], said["game"][0], draw)
    text += "seal %s\n" % b64(hashlib.sha256(seal.encode()).digest())
    for name in sorted(links):
        text += "custodian %s\nlink %s\n" % (name, b64(links[name]))
    return hashlib.shake_256(text.encode()).digest(4096)


def pick(remaining, stream):
    """Takes the next number that bytes give, and returns it with the bytes that it used."""
    m, used = len(remaining), 0
    while stream[used] >= 256 - 256 % m:
        used += 1
    return remaining.pop(stream[used] % m), stream[: used + 1]


def check_witnessed(file, house_key, device_key, *custodian_keys):
    """Works the numbers of a witnessed game out from what the house publishes of it."""
    shown = json.load(open(file))
    must(shown["device"] == "witnessed", "the game was drawn by %s and not by the links of custodians: check it with draw" % shown["device"])
    game = "%s/%d" % (shown["day"], shown["game"])
    seal = note(shown["seal"], house_key)
    said = {line[0]: line[1:] for line in fields_of(seal)[1]}
    must("%s/%s" % (said["day"][0], said["game"][0]) == game, "the seal is of another game")
    print("seal       of game %s, fingerprint %s" % (game, fingerprint(seal)))
    known = {key.split("+")[0]: key for key in custodian_keys}
    links = {}
    for c in shown["custodians"]:
        key = known.get(c["name"], c["key"])
        commitment = note(c["commitment"], key)
        must(fields_of(commitment)[1][0] == ["custodian", c["name"]], "the commitment is another custodian's")
        links[c["name"]] = base64.b64decode(c["link"])
        path = [base64.b64decode(h) for h in c.get("path") or []]
        value, tip = chain_tip(commitment, game, shown["draw"], links[c["name"]], path)
        must(value == tip, "the link of %s does not lead to what it committed to" % c["name"])
        print("custodian  %s, link leads to its commitment, key %s" % (c["name"], "as you gave it" if c["name"] in known else "BY THE HOUSE'S WORD"))
    must(len(links) >= 2 and set(known) <= set(links), "a custodian is missing")
    stream, remaining, numbers = witnessed_bytes(seal, shown["draw"], links), list(range(1, 81)), []
    for _ in range(20):
        number, used = pick(remaining, stream)
        stream = stream[len(used) :]
        numbers.append(number)
    must(numbers == shown["numbers"], "seal and links give %s" % numbers)
    signed = {line[0]: line[1:] for line in fields_of(note(shown["draw_note"], device_key))[1]}
    must([int(n) for n in signed["numbers"]] == numbers, "the device signed other numbers")
    must(base64.b64decode(signed["seal"][0]) == hashlib.sha256(seal.encode()).digest(), "the device drew under another seal")
    print("numbers    %s follow from seal and links, and the device signed them" % " ".join(map(str, numbers)))


def custody(export, game):
    """Returns links by draw and custodian, and the commitments for the day before it opened."""
    day = game.split("/")[0]
    links, commitments, keys, opened = {}, {}, {}, False
    for _, _, data in records(export):
        kind, _, _, _, body = record(data)
        name = KINDS.get(kind)
        if name == "device chosen":
            keys.update({who: key for who, key in body[2] or []})
        elif name == "day opened" and date(body[1]) == day:
            opened = True
        elif name in ("chain committed", "links committed") and date(body[1]) == day and not opened:
            commitments.setdefault(body[2], body[3].decode())
        elif name == "link released" and "%s/%d" % (date(body[0][1]), body[0][2]) == game:
            links.setdefault(body[1], {})[body[2]] = (body[3], [])
        elif name == "link given" and "%s/%d" % (date(body[0][1]), body[0][2]) == game:
            links.setdefault(1, {})[body[1]] = (body[2], body[3] or [])
    return links, {who: note(signed, keys[who]) for who, signed in commitments.items()}


def check_links(game, draw, links, commitments):
    for who, (link, path) in links.items():
        must(who in commitments, "%s committed to nothing before the day" % who)
        value, tip = chain_tip(commitments[who], game, draw, link, path)
        must(value == tip, "the link of %s does not lead to what it committed to" % who)


def check_draw(export, game, house_key, device_key):
    draw, seal, result, stream = 0, None, None, None
    links, commitments = custody(export, game)
    begun = {volume: data for volume, seq, data in records(export) if seq == 0}
    notes = [beginning(data) for data in begun.values() if record(data)[4][8]]
    house_keys = vouched(house_key, notes)
    # The note of a volume names its device too, and is signed by a house key.
    devices = [device_key] + [n["device"] for n in notes if n["key"] in house_keys]
    for volume, seq, data in records(export):
        kind, _, _, _, body = record(data)
        name = KINDS.get(kind)
        if name not in ("game sealed", "number drawn", "game drawn", "result corrected") or "%s/%d" % (date(body[0][1]), body[0][2]) != game:
            continue
        if name == "game sealed":
            signer = record(begun[volume])[4][4]
            must(signer in house_keys, "the key that you gave did not sign for the one of the seal, %s" % signer)
            seal = note(body[1].decode(), signer)
            print("record %d:%d: sealed, fingerprint %s" % (volume, seq, fingerprint(seal)))
        elif name == "number drawn":
            must(seal, "record %d: a number before the seal" % seq)
            if body[1] > draw:  # The first draw, or one after a void one.
                draw, remaining, numbers, balls, result = body[1], list(range(1, 81)), [], 0, None
                stream = None
                if draw in links:
                    check_links(game, draw, links[draw], commitments)
                    stream = witnessed_bytes(seal, draw, {who: link for who, (link, _) in links[draw].items()})
                    print("draw %d: the bytes are made from the links of %s" % (draw, ", ".join(sorted(links[draw]))))
            m = len(remaining)
            if not body[3]:  # A ball of a machine: the device must sign that it was one.
                must(stream is None and body[2] in remaining, "record %d: number %d cannot be a ball that was left" % (seq, body[2]))
                remaining.remove(body[2])
                numbers.append(body[2])
                balls += 1
                print("record %d:%d: ball %d, as people keyed it" % (volume, seq, body[2]))
                continue
            if stream is not None:
                must(stream[: len(body[3])] == body[3], "record %d: these are not the bytes that seal and links give" % seq)
                stream = stream[len(body[3]) :]
            *rejected, last = body[3]
            must(all(b >= 256 - 256 % m for b in rejected) and last < 256 - 256 % m, "record %d: the bytes are not one try that holds" % seq)
            number = remaining.pop(last % m)
            must(number == body[2], "record %d says %d, its bytes say %d" % (seq, body[2], number))
            numbers.append(number)
            print("record %d:%d: bytes %s of %d numbers left: %d" % (volume, seq, body[3].hex(" "), m, number))
        elif name == "result corrected":
            must(result and balls == 20, "record %d: it corrects what people did not key" % seq)
            right = list(body[2])
            must(len(set(right)) == 20 and set(right) <= set(range(1, 81)), "record %d: %s is no draw" % (seq, right))
            entered, count = (" ".join(map(str, n)) for n in (numbers, right))
            print("record %d:%d: CORRECTED by two persons, clause %s: %s" % (volume, seq, body[4] or "not named", body[3]))
            print("           entered, and signed by the device: %s\n           these count, in settlement %d: %s" % (entered, body[1], count))
        else:
            device = record(begun[volume])[4][5]
            must(device in devices, "the key that you gave is not the device's, %s" % device)
            result = note(body[2].decode(), device)
            form, lines = fields_of(result)
            said = {line[0]: line[1:] for line in lines}
            must(form == "drawhouse/draw/v1" and "%s/%s" % (said["day"][0], said["game"][0]) == game, "the device signed another game")
            must([int(n) for n in said["numbers"]] == numbers, "the device signed other numbers")
            must(balls == (20 if said["device"] == ["cage"] else 0), "numbers without bytes are balls, and the device signed for %s" % said["device"][0])
            must(base64.b64decode(said["seal"][0]) == hashlib.sha256(seal.encode()).digest(), "the device drew under another seal")
            print("record %d:%d: the device signed these numbers under that seal" % (volume, seq))
    must(result and len(numbers) == 20, "the game is not drawn in this export")


def check_prefix(export, checkpoint, house_key):
    origin, size, top = note(open(checkpoint, encoding="utf-8").read(), house_key).splitlines()
    leaves = [leaf(data) for volume, _, data in records(export) if origin.endswith("/v%d" % volume)]
    must(int(size) <= len(leaves), "the export has %d records of %s, and the checkpoint %s" % (len(leaves), origin, size))
    must(root(leaves[: int(size)]) == base64.b64decode(top), "the first %s records are not those of the checkpoint: history was changed" % size)
    print("the first %s of %d records are those of the checkpoint of %s" % (size, len(leaves), origin))


def list_records(export):
    for volume, seq, data in records(export):
        kind, version, time, postings, body = record(data)
        print("%d:%d" % (volume, seq), utc(time), KINDS.get(kind, "kind %d" % kind), postings, body if len(data) < 2000 else "...")


def main(args):
    commands = {"proof": (check_proof, 2, 3), "draw": (check_draw, 4, 4), "witnessed": (check_witnessed, 3, 13), "prefix": (check_prefix, 3, 3), "list": (list_records, 1, 1)}
    commands.update({"log": (check_log, 2, 2), "entry": (check_entry, 2, 2)})
    run, least, most = commands.get(args[0] if args else "", (None, 0, 0))
    takes = {"log": ["--witness", "--quorum"], "entry": ["--witness", "--quorum"], "proof": ["--witness", "--quorum", "--log-key", "--log-proof"]}
    plain, named, at = [], {}, 1
    while at < len(args):
        if args[at].startswith("--"):
            if args[at] not in takes.get(args[0], []) or at + 1 == len(args):
                sys.exit(__doc__)
            name, at = args[at][2:].replace("-", "_"), at + 1
            named.setdefault(name, []).append(args[at])
        else:
            plain.append(args[at])
        at += 1
    named = {name: values if name == "witness" else values[-1] for name, values in named.items()}
    if not run or not least <= len(plain) <= most:
        sys.exit(__doc__)
    try:
        run(*plain, **named)
    except Wrong as wrong:
        sys.exit("DOES NOT HOLD: %s" % wrong)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (OSError, ValueError) as unread:
        sys.exit("CANNOT BE READ: %s" % unread)
    except KeyError as missing:
        sys.exit("CANNOT BE READ: the file has no %s" % missing)
    if args[0] != "list":
        print("It holds.")


main(sys.argv[1:])
