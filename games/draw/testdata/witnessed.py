#!/usr/bin/env python3
"""Writes witnessed.txt: the published vectors of witnessed draws.

This is a second program, in another language, for the same rules as package
draw: hash chains, shares of their seeds, and the expansion of a seal and links
into numbers. Run it and compare:

    python3 witnessed.py | diff - witnessed.txt
"""
import base64
import hashlib

SERIES, DAY, FIRST, GAMES, DRAWS = "vic-keno", "2026-11-15", 417, 2, 3


def b64(b):
    return base64.b64encode(b).decode()


def sha(b):
    return hashlib.sha256(b).digest()


def text(form, *lines):
    return "".join(line + "\n" for line in (form,) + lines).encode()


def name_lines(custodian):
    return (f"custodian {custodian}", f"series {SERIES}", f"day {DAY}", f"first {FIRST}", f"games {GAMES}")


def chain(custodian, seed):
    """The tip and the links: each value is the hash of the one behind it."""
    ident, value, values = sha(text("drawhouse/chain/v1", *name_lines(custodian))), seed, []
    for place in range(GAMES * DRAWS, -1, -1):
        value = sha(ident + place.to_bytes(4, "big") + value)
        values.insert(0, value)
    return values


def mul(a, b):
    """Product in GF(2^8) modulo x^8+x^4+x^3+x+1."""
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(15, 7, -1):
        if product >> bit & 1:
            product ^= 0x11B << (bit - 8)
    return product


def share(secret, slopes, holder):
    return bytes(s ^ mul(a, holder) for s, a in zip(secret, slopes))


def numbers(seedtext, of, take):
    """20 of 80 and their like: the index of a byte among those that remain."""
    stream, at = hashlib.shake_256(seedtext).digest(4096), 0
    remaining, drawn = list(range(1, of + 1)), []
    while len(drawn) < take:
        m = len(remaining)
        while stream[at] >= 256 - 256 % m:
            at += 1
        drawn.append(remaining.pop(stream[at] % m))
        at += 1
    return drawn, stream[:at]


def main():
    print("# Vectors of witnessed draws, written by witnessed.py. Hashes are in base64, other bytes in hexadecimal.")
    print(f"# Chains for games {FIRST} to {FIRST + GAMES - 1} of {SERIES} on {DAY}, {DRAWS} links for each game.")
    chains = {}
    for custodian in ("inspector", "operator"):
        seed = sha(b"seed of " + custodian.encode())
        slopes = sha(b"slopes of " + custodian.encode())
        values = chains[custodian] = chain(custodian, seed)
        print(f"\nchain {custodian}")
        print(f"seed {b64(seed)}")
        print(f"slopes {slopes.hex()}")
        print(f"tip {b64(values[0])}")
        for place, value in enumerate(values[1:], 1):
            print(f"link {FIRST + (place - 1) // DRAWS} {(place - 1) % DRAWS + 1} {b64(value)}")
        for holder in (1, 2, 3):
            value = share(seed, slopes, holder)
            body = text("drawhouse/escrow/v1", *name_lines(custodian), f"holder {holder}", f"share {b64(value)}")
            print(f"share {holder} {b64(value)} {b64(sha(body))}")
    for game, revision, of, take in ((417, 1, 80, 20), (417, 2, 80, 20), (418, 1, 80, 20), (418, 3, 90, 90)):
        seal = sha(f"seal of {game}".encode())
        place = (game - FIRST) * DRAWS + revision
        lines = [f"series {SERIES}", f"day {DAY}", f"game {game}", f"revision {revision}", f"of {of}", f"seal {b64(seal)}"]
        for custodian in sorted(chains):
            lines += [f"custodian {custodian}", f"link {b64(chains[custodian][place])}"]
        seedtext = text("drawhouse/witnessed/v1", *lines)
        drawn, used = numbers(seedtext, of, take)
        print(f"\ndraw {game} {revision} {of}")
        print(f"seal {b64(seal)}")
        print(f"text {b64(sha(seedtext))}")
        print(f"bytes {used.hex()}")
        print("numbers " + " ".join(map(str, drawn)))


main()
