// The journal as the house gives it out: every record is read once and hashed. Of each
// the kind, the time and the hash are kept; what a record says is asked for again when
// somebody looks, and must have the hash then.
import { Refused, Unreachable, get } from "../kit/api.js";
import { NOTE, openBy, parseCheckpoint, parseKey, parseSeal, same } from "../proof.js";
import { envelope, field, placeName, subject } from "./decode.js";
import { Tree, leafHash } from "./tree.js";

const GAME_OPENED = "game opened", GAME_SEALED = "game sealed", TICKET_PAID = "ticket paid";
const atOnce = 4096; // records asked for at once

// split cuts an answer into its records, each behind its length, an unsigned varint.
export function split(bytes) {
  const records = [];
  for (let at = 0; at < bytes.length;) {
    let length = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      length += (byte & 127) * factor;
      factor *= 128;
    } while (byte & 128);
    if (!(at + length <= bytes.length)) throw new Unreachable("a record is cut off");
    records.push(bytes.subarray(at, at += length));
  }
  return records;
}

async function records(volume, from, to) {
  const uri = `/v1/journal/volumes/${volume}/records?from=${from}&to=${to}`;
  let answer;
  try {
    answer = await fetch(uri, { cache: "no-store" });
    if (answer.ok) return split(new Uint8Array(await answer.arrayBuffer()));
  } catch (cause) {
    throw new Unreachable(uri, { cause });
  }
  const refusal = await answer.json().catch(() => null);
  if (refusal?.error?.sentence) throw new Refused(answer.status, refusal.error);
  throw new Unreachable(`${uri}: ${answer.status}`);
}

export const heads = async () => (await get("/v1/journal")).volumes;

export class Journal {
  volume;
  head;
  tree = new Tree();
  entries = []; // { kind, time, unreadable, reason, erased } by sequence number
  games = new Map(); // name of a game to the sequence numbers of its records
  tickets = new Map(); // place of a ticket to those of the records about it
  seals = []; // { game, seq, note }
  ordinals = new Map(); // name of a game to its ordinal
  payments = new Map(); // ordinal of a game to what was paid for it: { seq, cents }
  keys = { house: "", device: "" }; // that the volume names itself

  constructor(head) {
    this.head = head;
    this.volume = head.volume;
  }

  // read reads everything up to the head, and says how far it is.
  async read(progress, kindOf) {
    while (this.tree.size < this.head.size) {
      const from = this.tree.size;
      const batch = await records(this.volume, from, Math.min(this.head.size, from + atOnce));
      if (batch.length === 0) throw new Unreachable(`no record ${from}`);
      await this.tree.add(batch);
      for (const [i, data] of batch.entries()) this.#note(from + i, data, kindOf);
      progress(this.tree.size, this.head.size);
    }
  }

  // #note keeps what the time lines need. A record that cannot be read is an entry too:
  // its hash counts, and the checks find it.
  #note(seq, data, kindOf) {
    let record;
    try {
      record = envelope(data);
      const { game, ticket } = subject(record);
      if (game) this.#under(this.games, game, seq);
      if (ticket) this.#under(this.tickets, ticket, seq);
      this.#follow(seq, record, kindOf(record.kind), game);
      const reason = field(record, "reason");
      const erased = field(record, "note") === "erased" ? { erased: true } : {};
      this.entries.push({ kind: record.kind, time: record.time, ...(typeof reason === "string" && reason !== "" ? { reason } : {}), ...erased });
    } catch {
      this.entries.push({ kind: record?.kind ?? 0, time: 0, unreadable: true });
    }
  }

  // #follow keeps what leads from a game to its seal and to its payments.
  #follow(seq, record, kind, game) {
    if (kind === GAME_OPENED) this.ordinals.set(game, field(record, "ordinal"));
    if (kind === GAME_SEALED) this.seals.push({ game, seq, note: new TextDecoder().decode(field(record, "seal")) });
    if (kind === TICKET_PAID) {
      for (const [ordinal, cents] of field(record, "parts") ?? []) this.#under(this.payments, ordinal, { seq, cents });
    }
  }

  #under(map, key, value) {
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(value);
  }

  // paidFor returns the payments of a game.
  paidFor(name) { return this.payments.get(this.ordinals.get(name)) ?? []; }

  // record asks for one record and holds it against the hash of the reading.
  async record(seq) {
    const [data] = await records(this.volume, seq, seq + 1);
    const leaf = await leafHash(data);
    return { data, leaf, same: same(leaf, this.tree.leaf(seq)), record: envelope(data), place: placeName([this.volume, seq]) };
  }

  // first asks for the record that begins the volume.
  async first() {
    const [data] = await records(this.volume, 0, 1);
    return envelope(data);
  }

  // matches reports whether the records begin as somebody has signed.
  async matches(size, root) {
    return size <= this.tree.size && same(await this.tree.root(size), root);
  }

  // opened returns what a checkpoint of this volume says, signed by the house.
  async opened(note, houseKey) {
    return parseCheckpoint(await openBy(note, parseKey(houseKey, NOTE)));
  }

  // sound returns the last seal that the records fit, and the first that they do not:
  // between them is what was altered.
  async sound(houseKey) {
    let last = null;
    const key = parseKey(houseKey, NOTE);
    for (const sealed of this.seals) {
      let fits = false, size = sealed.seq;
      try {
        const { checkpoint } = parseSeal(await openBy(sealed.note, key));
        size = checkpoint.size;
        fits = await this.matches(size, checkpoint.root);
      } catch { /* A seal that cannot be opened is no seal. */ }
      if (!fits) return { last, first: { ...sealed, size } };
      last = { ...sealed, size };
    }
    return { last, first: null };
  }
}
