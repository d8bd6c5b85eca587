"""A terminal of a hundred lines: sells tickets, follows their games and pays them. For a demonstration house.

    python3 terminal.py http://127.0.0.1:8080 --terminal 1 --tickets 3

Each ticket that is done is one line of JSON. With --code it enrols instead, with a code of the office.
"""

import argparse
import json
import sys
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import drawhouse


def ticket(spots, cents):
    """Ten numbers for a dollar each, so that most tickets win something."""
    groups = [[n] for n in spots]
    return {"v": 1, "rulebook": "vic-keno-2015", "first": "open", "games": 1,
            "bets": [{"bet": "classic", "groups": groups, "play": {"spots": [1]}, "stake_cents": cents}]}


def sell(terminal, spots, cents):
    """Sells a ticket, and returns it with its claim code: both are printed on the sheet."""
    code = terminal.claim_code()
    asked = ticket(spots, cents)
    price = terminal.ask("POST", "/v1/quote", {"terminal": terminal.number, "method": "form", "ticket": asked})
    sold = terminal.order("sale", lambda number: {
        "method": "form", "ticket": asked, "expect_cents": price["cost_cents"],
        "claim_hash": terminal.claim_hash(code, number)})
    return sold, code


def settled(terminal, serial):
    """Waits until the games of a ticket are settled, and returns the ticket."""
    while True:
        held = drawhouse.patiently(lambda: drawhouse.send(terminal.house, "GET", f"/v1/tickets/{serial}"))
        games = held["games"]
        if games and held["games_to_come"] == 0 and all(game.get("phase") == "settled" for game in games):
            return held
        time.sleep(0.2)


def pay(terminal, serial, code):
    """Pays what a ticket has won. Hand out what the answer says, and nothing before it."""
    return terminal.order("payment", lambda number: {"serial": serial, "claim_code": code})


def read_key(file):
    with open(file, "rb") as text:
        return serialization.load_pem_private_key(text.read(), None)


def write_key(file, key):
    assert isinstance(key, Ed25519PrivateKey)
    with open(file, "xb") as text:
        text.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                     serialization.NoEncryption()))


def main():
    options = argparse.ArgumentParser(description="Sells, follows and pays tickets of a demonstration house.")
    options.add_argument("house")
    options.add_argument("--terminal", type=int, default=1)
    options.add_argument("--tickets", type=int, default=1)
    options.add_argument("--folder", default=".", help="where the terminal keeps its number and its key")
    options.add_argument("--code", help="enrol with this code, and keep the key")
    said = options.parse_args()
    if said.code:
        number, key = drawhouse.enrol(said.house, said.code)
        write_key(f"{said.folder}/terminal-{number}.pem", key)
        print(json.dumps({"terminal": number}))
        return
    try:
        key = read_key(f"{said.folder}/terminal-{said.terminal}.pem")
    except FileNotFoundError:
        key = drawhouse.demo_key(said.terminal)
    terminal = drawhouse.Terminal(said.house, said.terminal, key, f"{said.folder}/terminal-{said.terminal}.json")
    terminal.settle()  # what was sent before a crash comes first
    terminal.resume()
    held = [sell(terminal, range(1 + n, 11 + n), 100) for n in range(said.tickets)]
    for sold, code in held:
        serial = sold["serial"]
        won = settled(terminal, serial)["won_cents"]
        paid = pay(terminal, serial, code)["paid_cents"] if won else 0
        print(json.dumps({"serial": serial, "cost_cents": sold["cost_cents"], "won_cents": won, "paid_cents": paid}))
    return


if __name__ == "__main__":
    try:
        main()
    except (drawhouse.Refused, drawhouse.Unanswered) as problem:
        sys.exit(str(problem))
