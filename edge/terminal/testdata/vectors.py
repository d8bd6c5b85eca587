"""Writes vectors.json: what a terminal sends, step by step, from fixed keys.

Written from docs/DEVELOPING.md with Python's standard library and Debian's python3-cryptography. It shares nothing with
the program. Run it in this folder: python3 vectors.py > vectors.json
"""
import base64, hashlib, hmac, json, sys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


terminal, time = 7, "2026-11-15T01:02:03.004Z"
seed = hashlib.sha256(b"vector: key of the terminal").digest()
key = Ed25519PrivateKey.from_private_bytes(seed)
public = raw(key)
mine_seed = hashlib.sha256(b"vector: half of the terminal").digest()
house_seed = hashlib.sha256(b"vector: half of the house").digest()
mine, theirs = X25519PrivateKey.from_private_bytes(mine_seed), X25519PrivateKey.from_private_bytes(house_seed)

share = url64(raw(mine))
message = f"drawhouse/terminal-hello/v2\n{terminal}\n{time}\n{share}\n"
signature = url64(key.sign(message.encode()))
session, house_share = "VECTORSESSION", url64(raw(theirs))
agreed = mine.exchange(theirs.public_key())
salt = hashlib.sha256(f"{message}{session}\n{house_share}\n".encode()).digest()
mac_key = HKDF(hashes.SHA256(), 32, salt, b"drawhouse/terminal-session/v1").derive(agreed)

requests = []
for method, uri, body in [
    ("GET", "/v1/terminals/7", ""),
    ("PUT", "/v1/terminals/7/requests/41/sale", '{"method":"form"}'),
    ("GET", "/v1/catalogue?series=2", ""),
]:
    counter = len(requests) + 1
    text = f"{method}\n{uri}\n{counter}\n{body}"
    mac = hmac.new(mac_key, text.encode(), hashlib.sha256).hexdigest()
    requests.append({"method": method, "uri": uri, "body": body, "counter": counter, "mac_input": text,
                     "header": f"{session} {counter} {mac}"})

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
codes = []
for code, terminal_of_sale, request in [("7ZQ0-M4KC-1XWD-E8TB", 7, 41), ("0000-0000-0000-0000", 1, 1)]:
    bits = 0
    for symbol in code.replace("-", ""):
        bits = bits << 5 | SYMBOLS.index(symbol)
    secret = bits.to_bytes(10, "big")
    text = b"drawhouse/claim-code/v2\n" + terminal_of_sale.to_bytes(4, "big") + request.to_bytes(8, "big") + secret
    codes.append({"code": code, "bytes": secret.hex(), "terminal": terminal_of_sale, "request": request,
                  "opening": hashlib.sha256(text).hexdigest(),
                  "claim_hash": hashlib.sha256(hashlib.sha256(text).digest()).hexdigest()})

json.dump({
    "terminal": terminal, "key_seed": seed.hex(), "enrolment_key": base64.b64encode(public).decode(),
    "hello": {"time": time, "share_seed": mine_seed.hex(), "share": share, "message": message, "signature": signature},
    "welcome": {"session": session, "share_seed": house_seed.hex(), "share": house_share},
    "agreed": agreed.hex(), "salt": salt.hex(), "session_key": mac_key.hex(), "requests": requests, "claim_codes": codes,
}, sys.stdout, indent=2)
print()
