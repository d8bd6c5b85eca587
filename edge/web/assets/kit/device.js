// A device of the house in a browser: a terminal or a display. Its key is made here and
// cannot be read out of the browser, not even by this page (Ed25519, not extractable, in
// IndexedDB); the office lets it in by a code that is good once. It shows who it is as
// package terminal says: a signed hello, an agreed key, and an HMAC on every request.
import { ask, Refused, Unreachable } from "./api.js";

const database = "drawhouse", devices = "devices";
const header = "Drawhouse-Terminal";
const encoder = new TextEncoder();

// remembered opens the table of devices.
function remembered() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(devices);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

// inTable does one thing with the table and waits until it is kept.
async function inTable(mode, act) {
  const db = await remembered();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(devices, mode, { durability: "strict" });
      const request = act(transaction.objectStore(devices));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, "0")).join("");
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const url64 = (buffer) => base64(buffer).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

// able reports whether this browser can keep such a key. It cannot where the page came
// over a network without TLS.
export const able = () => globalThis.isSecureContext && Boolean(globalThis.crypto?.subtle) && Boolean(globalThis.indexedDB);

export class Device {
  #role;
  #kept; // { terminal, key, number, pending } as it is in the table
  #session = null;
  #skew = 0; // what the house's clock is ahead, in milliseconds
  #turn = Promise.resolve(); // requests go one after the other

  constructor(role, kept) {
    this.#role = role;
    this.#kept = kept;
  }

  // open returns the device that this browser is in a role, such as "terminal", or null.
  static async open(role) {
    const kept = await inTable("readonly", (table) => table.get(role));
    return kept ? new Device(role, kept) : null;
  }

  // enrol makes a key and has the house take it, by a code of the office.
  static async enrol(role, code) {
    const key = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    const open = base64(await crypto.subtle.exportKey("raw", key.publicKey));
    const { json } = await ask("POST", "/v1/enrolments", { body: JSON.stringify({ code: code.trim(), key: open }) });
    const device = new Device(role, { terminal: json.terminal, key: key.privateKey, number: 0, pending: null });
    await device.#keep();
    return device;
  }

  get terminal() { return this.#kept.terminal; }

  // pending is the numbered request that has no answer yet, or null.
  get pending() { return this.#kept.pending; }

  async forget() {
    await inTable("readwrite", (table) => table.delete(this.#role));
  }

  #keep() {
    return inTable("readwrite", (table) => table.put(this.#kept, this.#role));
  }

  // ask sends a signed request that changes nothing, or nothing twice.
  ask(method, uri, body, options) {
    return this.#next(() => this.#signed(method, uri, body === undefined ? undefined : JSON.stringify(body), options));
  }

  #next(act) {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  // order sends a numbered request: the house does it at most once, however often it is
  // sent. What make returns for the number is kept before it is sent, beside a note of
  // the caller's, so that neither a crash nor a lost answer can make a second one.
  order(action, make, note = {}) {
    return this.#next(async () => {
      if (this.#kept.pending) throw new Error("an earlier request has no answer yet");
      const number = this.#kept.number + 1;
      const body = JSON.stringify(await make(number));
      this.#kept = { ...this.#kept, number, pending: { number, action, body, note } };
      await this.#keep();
      return this.#resend();
    });
  }

  // resend sends the request again that has no answer yet.
  resend() {
    return this.#next(() => this.#resend());
  }

  async #resend() {
    const { number, action, body, note } = this.#kept.pending;
    try {
      const answer = await this.#signed("PUT", `/v1/terminals/${this.terminal}/requests/${number}/${action}`, body);
      await this.#answered();
      return { answer, action, number, note };
    } catch (error) {
      if (error instanceof Refused && error.code !== "outcome_unknown") await this.#answered();
      throw error;
    }
  }

  #answered() {
    this.#kept = { ...this.#kept, pending: null };
    return this.#keep();
  }

  // countFrom goes on behind the last number that the house has seen of this terminal.
  async countFrom(last) {
    if (last <= this.#kept.number) return;
    this.#kept = { ...this.#kept, number: last };
    await this.#keep();
  }

  async #signed(method, uri, body, options) {
    for (let attempt = 0; ; attempt++) {
      this.#session ??= await this.#hello();
      try {
        const headers = { [header]: await this.#session(method, uri, body ?? "") };
        return (await ask(method, uri, { ...options, body, headers, credentials: "omit" })).json;
      } catch (error) {
        // A house that was started again has forgotten the session.
        const forgotten = error instanceof Refused && ["session_over", "request_replayed", "request_forged"].includes(error.code);
        if (!forgotten || attempt > 0) throw error;
        this.#session = null;
      }
    }
  }

  async #hello() {
    try {
      return await this.#greet();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "hello_stale" || !error.date) throw error;
      this.#skew = error.date + 1_000 - Date.now(); // The house's clock counts, to the second.
      return this.#greet();
    }
  }

  // greet begins a session and returns what signs its requests.
  async #greet() {
    const mine = await crypto.subtle.generateKey("X25519", false, ["deriveBits"]);
    const time = new Date(Date.now() + this.#skew).toISOString(); // in UTC with milliseconds, as it is signed
    const share = url64(await crypto.subtle.exportKey("raw", mine.publicKey));
    const message = `drawhouse/terminal-hello/v2\n${this.terminal}\n${time}\n${share}\n`;
    const signature = url64(await crypto.subtle.sign("Ed25519", this.#kept.key, encoder.encode(message)));
    const { json: welcome } = await ask("POST", `/v1/terminals/${this.terminal}/hello`, { body: JSON.stringify({ time, share, signature }) });
    const theirs = await crypto.subtle.importKey("raw", bytes(welcome.share), "X25519", false, []);
    const agreed = await crypto.subtle.deriveBits({ name: "X25519", public: theirs }, mine.privateKey, 256);
    const salt = await crypto.subtle.digest("SHA-256", encoder.encode(`${message}${welcome.session}\n${welcome.share}\n`));
    const source = await crypto.subtle.importKey("raw", agreed, "HKDF", false, ["deriveKey"]);
    const key = await crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt, info: encoder.encode("drawhouse/terminal-session/v1") },
      source, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
    let counter = 0;
    return async (method, uri, body) => {
      const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${method}\n${uri}\n${++counter}\n${body}`));
      return `${welcome.session} ${counter} ${hex(mac)}`;
    };
  }
}

// The claim code of a ticket is made here and printed; the house is sent its hash, bound
// to the request (package serial).
const symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's base 32

// newClaimCode returns 80 random bits as 16 characters in groups of four.
export function newClaimCode(random = crypto.getRandomValues(new Uint8Array(10))) {
  let rest = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let code = "";
  for (let i = 0; i < 16; i++, rest >>= 5n) code = symbols[Number(rest & 31n)] + code;
  return code.match(/.{4}/g).join("-");
}

// claimHash returns what the house is sent of a code.
export async function claimHash(code, terminal, request) {
  let bits = [...code.replaceAll("-", "")].reduce((sum, c) => (sum << 5n) | BigInt(symbols.indexOf(c)), 0n);
  const secret = new Uint8Array(10);
  for (let i = 9; i >= 0; i--, bits >>= 8n) secret[i] = Number(bits & 255n);
  const domain = encoder.encode("drawhouse/claim-code/v2\n");
  const text = new Uint8Array(domain.length + 12 + secret.length);
  text.set(domain);
  const view = new DataView(text.buffer, domain.length);
  view.setUint32(0, terminal);
  view.setBigUint64(4, BigInt(request));
  text.set(secret, domain.length + 12);
  return hex(await crypto.subtle.digest("SHA-256", await crypto.subtle.digest("SHA-256", text)));
}

export { Refused, Unreachable };
