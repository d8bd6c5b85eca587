"""A terminal of a drawhouse house: its key, its sessions, its numbered requests.

Written from docs/DEVELOPING.md, which says why each step is as it is. It takes Python 3.11 and python3-cryptography,
and no other package. Everything that must not be got wrong is here once: signing, numbering, repeating.

    terminal = Terminal("http://127.0.0.1:8080", 1, key, "terminal-1.json")
    code = terminal.claim_code()
    sold = terminal.order("sale", lambda number: {..., "claim_hash": terminal.claim_hash(code, number)})
"""

import base64
import datetime
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import secrets
import time
import urllib.error
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Refused(Exception):
    """The house said no: status, and code, sentence, field and clause as in docs/REFUSALS.md."""

    def __init__(self, status, fault, headers):
        super().__init__(f"{fault.get('sentence')} ({fault.get('code')})")
        self.status, self.code, self.fault, self.headers = status, fault.get("code"), fault, headers


class Unanswered(Exception):
    """There is no answer, and nobody knows whether anything happened."""


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_url64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def raw(public):
    return public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def demo_key(terminal):
    """The key of a terminal of a demonstration, which everybody can work out."""
    seed = hashlib.sha256(f"drawhouse demonstration terminal {terminal}, known to everybody".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def send(house, method, uri, body=b"", headers=None, timeout=30):
    """Sends one request. Returns the answer, or raises Refused or Unanswered."""
    request = urllib.request.Request(house.rstrip("/") + uri, data=body or None, method=method,
                                     headers={"Content-Type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        try:
            fault = json.loads(error.read())["error"]
        except (ValueError, KeyError, OSError, http.client.HTTPException):
            raise Unanswered(f"{method} {uri}: {error.code}") from error  # A proxy on the way, or half an answer.
        raise Refused(error.code, fault, error.headers) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Unanswered(f"{method} {uri}: {error}") from error


def waits(refused):
    """Reports whether the same request is to be sent again: the house is busy or away, or does not know what happened."""
    return refused.status in (401, 429, 500, 503)


def patiently(ask, patience=600):
    """Asks until there is an answer that stays, or patience, in seconds, is over. For what may be asked again."""
    wait, end = 0.05, time.monotonic() + patience
    while True:
        try:
            return ask()
        except Refused as refused:
            if not waits(refused) or time.monotonic() > end:
                raise
            wait = max(wait, float(refused.headers.get("Retry-After") or 0))
        except Unanswered:
            if time.monotonic() > end:
                raise
        time.sleep(wait)
        wait = min(2 * wait, 60)


def enrol(house, code):
    """Makes a key and has the house take it. Returns the number of the terminal and the key."""
    key = Ed25519PrivateKey.generate()
    body = json.dumps({"code": code, "key": base64.b64encode(raw(key.public_key())).decode()}).encode()
    return send(house, "POST", "/v1/enrolments", body)["terminal"], key


class Terminal:
    """One terminal, which sends one request at a time. Its file keeps the number and the request without an answer."""

    def __init__(self, house, number, key, file):
        self.house, self.number, self.key, self.file = house, number, key, file
        self.session, self.mac_key, self.counter, self.skew = None, None, 0, 0.0
        self.kept = {"number": 0, "pending": None}
        if os.path.exists(file):
            with open(file, encoding="utf-8") as text:
                self.kept = json.load(text)

    # Sessions

    def hello(self):
        """Begins a session. A clock that is off is put right by the Date of the house, once."""
        try:
            self._greet()
        except Refused as refused:
            if refused.code != "hello_stale" or "Date" not in refused.headers:
                raise
            house = email.utils.parsedate_to_datetime(refused.headers["Date"]).timestamp()
            self.skew = house + 1 - time.time()
            self._greet()

    def _greet(self):
        mine = X25519PrivateKey.generate()
        now = datetime.datetime.fromtimestamp(time.time() + self.skew, datetime.timezone.utc)
        stamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        share = url64(raw(mine.public_key()))
        message = f"drawhouse/terminal-hello/v2\n{self.number}\n{stamp}\n{share}\n"
        body = json.dumps({"time": stamp, "share": share, "signature": url64(self.key.sign(message.encode()))}).encode()
        welcome = send(self.house, "POST", f"/v1/terminals/{self.number}/hello", body)
        salt = hashlib.sha256(f"{message}{welcome['session']}\n{welcome['share']}\n".encode()).digest()
        agreed = mine.exchange(X25519PublicKey.from_public_bytes(from_url64(welcome["share"])))
        self.mac_key = HKDF(hashes.SHA256(), 32, salt, b"drawhouse/terminal-session/v1").derive(agreed)
        self.session, self.counter = welcome["session"], 0

    def request(self, method, uri, body=None):
        """Sends a signed request, and says hello first or anew where the house asks for it."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        for attempt in range(2):
            if self.session is None:
                self.hello()
            self.counter += 1
            text = f"{method}\n{uri}\n{self.counter}\n".encode() + data
            mac = hmac.new(self.mac_key, text, hashlib.sha256).hexdigest()
            try:
                return send(self.house, method, uri, data, {"Drawhouse-Terminal": f"{self.session} {self.counter} {mac}"})
            except Refused as refused:
                if attempt or refused.code not in ("session_over", "request_replayed", "request_forged"):
                    raise
                self.session = None

    # Numbered requests

    def order(self, action, make):
        """Does something once, such as a sale, and returns the answer. Make returns the body for a number."""
        if self.kept["pending"]:
            raise RuntimeError("an earlier request has no answer yet: settle it first")
        number = self.kept["number"] + 1
        pending = {"number": number, "action": action, "body": json.dumps(make(number))}
        self._keep(number, pending)  # before it is sent, so that neither a crash nor a lost answer makes a second one
        return self.settle()

    def settle(self):
        """Sends the request that has no answer until it has one. Returns the answer; None if there is none to settle."""
        pending = self.kept["pending"]
        if not pending:
            return None
        uri = f"/v1/terminals/{self.number}/requests/{pending['number']}/{pending['action']}"
        try:
            answer = patiently(lambda: self.request("PUT", uri, pending["body"].encode()))
        except Refused as refused:
            if not waits(refused):
                self._keep(pending["number"], None)
            raise
        self._keep(pending["number"], None)
        return answer

    def ask(self, method, uri, body=None):
        """Asks something that changes nothing, until there is an answer."""
        return patiently(lambda: self.request(method, uri, body))

    def abandon(self):
        """Says what became of the request that has no answer, and burns it if nothing did."""
        number = self.kept["pending"]["number"]
        outcome = self.ask("POST", f"/v1/terminals/{self.number}/requests/{number}/abandon")
        self._keep(number, None)
        return outcome

    def resume(self):
        """Goes on behind the last number that the house has seen, for a terminal that lost its file."""
        last = self.ask("GET", f"/v1/terminals/{self.number}")["last_request"]
        if last > self.kept["number"]:
            self._keep(last, self.kept["pending"])

    def _keep(self, number, pending):
        kept, beside = {"number": number, "pending": pending}, self.file + ".new"
        with open(beside, "w", encoding="utf-8") as text:
            json.dump(kept, text)
            text.flush()
            os.fsync(text.fileno())
        os.replace(beside, self.file)
        self.kept = kept

    # Claim codes

    @staticmethod
    def claim_code():
        """Makes the secret that is printed on a ticket."""
        bits = secrets.randbits(80)
        code = "".join(SYMBOLS[bits >> shift & 31] for shift in range(75, -5, -5))
        return "-".join(code[at:at + 4] for at in range(0, 16, 4))

    def claim_hash(self, code, number):
        """Returns what the house is sent of a claim code: it is bound to the request."""
        bits = 0
        for symbol in code.replace("-", ""):
            bits = bits << 5 | SYMBOLS.index(symbol)
        text = (b"drawhouse/claim-code/v2\n" + self.number.to_bytes(4, "big") + number.to_bytes(8, "big")
                + bits.to_bytes(10, "big"))
        return hashlib.sha256(hashlib.sha256(text).digest()).hexdigest()
