// The volumes of a journal. Each is a log of its own with keys of its own; the first
// record of a volume names them, and how the volume before it ended. So the newest volume
// commits to all of those before it.
import { base64, parseCheckpoint } from "../proof.js";
import { inspectorStrings as strings } from "../kit/strings.js";
import { field, kindName } from "./decode.js";
import { heads, Journal } from "./journal.js";

export class Volumes {
  #heads = [];
  #read = new Map(); // volume to its journal, as far as it was read

  // look asks how far the journal goes. What was read before is read again.
  async look() {
    this.#heads = await heads();
    this.#read.clear();
  }

  get newest() { return this.#heads.at(-1).volume; }
  get all() { return this.#heads; }
  has(volume) { return this.#heads.some((h) => h.volume === volume); }

  // journal reads a volume, once.
  async journal(volume, progress = () => {}) {
    if (!this.#read.has(volume)) {
      const fresh = new Journal(this.#heads.find((h) => h.volume === volume));
      await fresh.read(progress, kindName);
      fresh.keys = await keysOf(fresh);
      this.#read.set(volume, fresh);
    }
    return this.#read.get(volume);
  }

  // successor holds the end of a volume against what the next one says of it.
  async successor(journal) {
    const at = this.#heads.findIndex((h) => h.volume === journal.volume);
    const next = this.#heads[at + 1];
    if (!next) return null;
    const begun = await new Journal(next).first();
    const previous = text(field(begun, "previous"));
    const named = parseCheckpoint(previous.slice(0, previous.indexOf("\n\n") + 1));
    const root = await journal.tree.root(Math.min(named.size, journal.tree.size));
    return { sentence: strings.checks.successor(next.volume, named.size), ok: named.size <= journal.tree.size && base64(root) === base64(named.root), left: base64(root), right: base64(named.root) };
  }
}

const text = (bytes) => new TextDecoder().decode(bytes);

// keysOf returns the keys that the first record of a volume names.
async function keysOf(journal) {
  if (journal.tree.size === 0) return { house: "", device: "" };
  const begun = await journal.first();
  return { house: field(begun, "house key") ?? "", device: field(begun, "device key") ?? "" };
}
