// What a record says, read from its bytes here and not by the house. The tables of
// kinds.js say what stands where.
import { date, decodeCBOR, hex } from "../proof.js";
import { accounts, kinds, parts } from "./kinds.js";

// fieldsOf cuts "game: game; seal: bytes" into names and types.
const fieldsOf = (text) => text.split("; ").map((field) => field.split(": "));

const tables = new Map(Object.entries(kinds).map(([number, [name, fields]]) => [Number(number), { name, fields: fieldsOf(fields) }]));
const partTables = new Map(Object.entries(parts).map(([name, fields]) => [name, fieldsOf(fields)]));

export const kindName = (kind) => tables.get(kind)?.name ?? `kind ${kind}`;

// envelope reads a record: [kind, version, time, postings, body].
export function envelope(data) {
  const [kind, version, time, postings, body] = decodeCBOR(data);
  return { kind, version, time, postings: postings ?? [], body };
}

// field returns a value of a body by its name.
export function field(record, name) {
  return record.body[tables.get(record.kind)?.fields.findIndex(([n]) => n === name) ?? -1];
}

// gameName writes a game as the house does, day and number, with its series before
// where there are several.
const gameName = ([series, day, number]) => `${series === 1 ? "" : `${series} `}${date(day)}/${number}`;

export const placeName = ([volume, seq]) => `${volume}:${seq}`;

// text returns bytes as text if that is what they are.
function text(bytes) {
  try {
    const found = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /^[\P{C}\n]*$/u.test(found) ? found : null;
  } catch {
    return null;
  }
}

// valueOf returns what people read of a value of a type: { as, text } or { as: "list",
// items } or { as: "fields", fields }.
function valueOf(value, type) {
  if (value === null || value === undefined) return { as: "none", text: "" };
  if (type.endsWith(" or nothing")) return valueOf(value, type.slice(0, -" or nothing".length));
  if (type.startsWith("list of ") && Array.isArray(value)) return { as: "list", items: value.map((v) => valueOf(v, type.slice(8))) };
  switch (type) {
    case "cents": return { as: "cents", cents: value };
    case "milliseconds": return { as: "time", time: value };
    case "day": return { as: "text", text: value > 0 ? date(value) : "" };
    case "game": return { as: "game", text: gameName(value) };
    case "place": return value[0] === 0 ? { as: "none", text: "" } : { as: "place", text: placeName(value) };
    case "bytes": return bytesOf(value);
  }
  const fields = partTables.get(type);
  if (fields && Array.isArray(value)) return { as: "fields", fields: fields.map(([name, t], i) => [name, valueOf(value[i], t)]) };
  return plain(value);
}

function bytesOf(bytes) {
  if (!(bytes instanceof Uint8Array)) return plain(bytes);
  const note = bytes.length > 8 ? text(bytes) : null;
  return note === null ? { as: "hash", text: hex(bytes) } : { as: "note", text: note };
}

// plain writes a value whose form the tables leave open, such as a ticket.
function plain(value) {
  if (value instanceof Uint8Array) return { as: "hash", text: hex(value) };
  return { as: "text", text: typeof value === "object" ? JSON.stringify(value, simple) : String(value) };
}

const simple = (_, value) => value instanceof Map ? Object.fromEntries(value) : value instanceof Uint8Array ? [...value] : value;

// describe returns the fields of a record and its postings.
export function describe(record) {
  const table = tables.get(record.kind);
  const fields = table ? table.fields.map(([name, type], i) => [name, valueOf(record.body[i], type)]) : [["", plain(record.body)]];
  const postings = record.postings.map(([account, unit, cents]) => ({ account: accounts[account] ?? String(account), unit, cents }));
  return { fields, postings };
}

// subject returns what a record is about: the game and the ticket that it names.
export function subject(record) {
  const found = {};
  for (const [i, [name, type]] of (tables.get(record.kind)?.fields ?? []).entries()) {
    if (type === "game") found.game ??= gameName(record.body[i]);
    if (type === "place" && name === "ticket") found.ticket ??= placeName(record.body[i]);
  }
  return found;
}
