// The checks of a game: each is one sentence, whether it holds, and the two values that
// were compared, so that anybody can compare them again.
import { NOTE, base64, openBy, parseBody, parseKey, parseSeal } from "../proof.js";
import { inspectorStrings, money } from "../kit/strings.js";
import { field, kindName } from "./decode.js";

const drawForm = ["device", "series", "day", "game", "revision", "seal", "of", "numbers"];

// fetchGame reads the records of a game, each with its hash compared.
export async function fetchGame(journal, name) {
  const all = [];
  for (const seq of journal.games.get(name) ?? []) all.push({ seq, ...await journal.record(seq) });
  return all;
}

const strings = inspectorStrings.checks;

// checkGame holds the records of a game against what was signed.
export async function checkGame(journal, name, all, keys) {
  const results = [];
  const add = (sentence, ok, left, right) => results.push({ sentence, ok, left: String(left), right: String(right) });
  const of = (kind) => all.filter((r) => kindName(r.record.kind) === kind);
  const text = (r, name) => new TextDecoder().decode(field(r.record, name));
  const changed = all.filter((r) => !r.same);
  add(strings.sameRecords, changed.length === 0, strings.recordCount(all.length), changed.length === 0 ? strings.recordCount(all.length) : changed.map((r) => r.place).join(", "));
  const [sealed] = of("game sealed");
  if (!sealed) return results;
  let seal;
  try {
    seal = parseSeal(await openBy(text(sealed, "seal"), parseKey(keys.house, NOTE)));
    add(strings.sealSigned, true, seal.fingerprint, keys.house.split("+")[0]);
  } catch (error) {
    add(strings.sealSigned, false, error.message, keys.house.split("+")[0]);
    return results;
  }
  add(strings.sealGame, seal.game.endsWith(name.replace("/", " ")), seal.game, name);
  const root = await journal.tree.root(Math.min(seal.checkpoint.size, journal.tree.size));
  add(strings.sealRoot(seal.checkpoint.size), await journal.matches(seal.checkpoint.size, seal.checkpoint.root), base64(root), base64(seal.checkpoint.root));
  const [closed] = of("game closed");
  if (closed) {
    const counted = [field(closed.record, "plays") + (field(closed.record, "deferred plays") ?? 0), field(closed.record, "stakes cents") + (field(closed.record, "deferred stakes cents") ?? 0)];
    add(strings.sealCounts, counted[0] === seal.plays && counted[1] === seal.stakes, strings.playsAndStakes(...counted), strings.playsAndStakes(seal.plays, seal.stakes));
  }
  const settled = of("game settled").at(-1);
  if (settled) {
    const paid = journal.paidFor(name).reduce((sum, p) => sum + p.cents, 0), won = field(settled.record, "prizes cents");
    add(strings.paidWithin, paid <= won, money(paid, inspectorStrings.currency), money(won, inspectorStrings.currency));
  }
  await checkDraw(of, text, seal, sealed, keys, add);
  return results;
}

async function checkDraw(of, text, seal, sealed, keys, add) {
  const drawn = of("game drawn").at(-1);
  const round = drawn ? field(drawn.record, "draw") : Math.max(0, ...of("number drawn").map((r) => field(r.record, "draw")));
  const numbers = of("number drawn").filter((r) => field(r.record, "draw") === round);
  if (numbers.length > 0) add(strings.sealFirst, sealed.seq < numbers[0].seq, sealed.place, numbers[0].place);
  if (!drawn) return;
  let signed;
  try {
    signed = parseBody(await openBy(text(drawn, "note"), parseKey(keys.device, NOTE)), "drawhouse/draw/v1", drawForm).values;
    add(strings.drawSigned, true, signed[0], keys.device.split("+")[0]);
  } catch (error) {
    add(strings.drawSigned, false, error.message, keys.device.split("+")[0]);
    return;
  }
  add(strings.drawSeal, signed[5] === base64(seal.hash), signed[5], base64(seal.hash));
  const fell = numbers.map((r) => field(r.record, "number")).join(" ");
  add(strings.drawNumbers, fell === signed[7], fell, signed[7]);
  const settled = of("game settled").at(-1);
  if (settled) add(strings.settledAfter, settled.seq > drawn.seq && field(settled.record, "draw") === round, settled.place, drawn.place);
}
