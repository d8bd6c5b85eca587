// The games: every one that the journal has, from open to paid, with its seal, its draw
// and the checks of both.
import { element } from "../kit/dom.js";
import { inspectorStrings as strings, money } from "../kit/strings.js";
import { parseSeal } from "../proof.js";
import { checkGame, fetchGame } from "./checks.js";
import { field, kindName } from "./decode.js";
import { checkList, timeLine } from "./evidence.js";

// gameList lists the games, the newest first.
export function gameList(journal, chosen) {
  const names = [...journal.games.keys()].toReversed();
  if (names.length === 0) return element("p", "quiet", strings.noGames);
  return element("div", "list", names.map((name) => {
    const seqs = journal.games.get(name);
    return element("a", "", [element("strong", "", strings.game(name)), element("span", "quiet", stageOf(journal, seqs))],
      { href: `#game/${name}`, "aria-current": name === chosen ? "true" : null });
  }));
}

// stageOf says how far a game has come, by its last record that says so.
function stageOf(journal, seqs) {
  const last = seqs.map((seq) => kindName(journal.entries[seq].kind)).findLast((kind) => strings.stages[kind]);
  return strings.stages[last] ?? "";
}

// showGame shows one game and runs its checks.
export async function showGame(target, journal, name, keys) {
  const all = await fetchGame(journal, name);
  if (all.length === 0) {
    target.replaceChildren(element("p", "notice", strings.noSuchGame(name)));
    return;
  }
  const results = await checkGame(journal, name, all, keys);
  const failed = results.filter((r) => !r.ok).length;
  const verdict = element("section", "panel verdict", [
    element("h2", "", failed > 0 ? strings.gameDiffers(name) : strings.gameHolds(name)),
    element("p", "", failed > 0 ? strings.gameDiffersText(failed, results.length) : strings.gameHoldsText(results.length)),
    checkList(results),
  ], { id: "game-verdict", "data-verdict": failed > 0 ? "bad" : "good" });
  target.replaceChildren(verdict, ...sealPanel(all), ...drawPanel(all), linePanel(journal, name, all));
}

function sealPanel(all) {
  const sealed = all.find((r) => kindName(r.record.kind) === "game sealed");
  if (!sealed) return [element("p", "panel quiet", strings.notSealed)];
  const note = new TextDecoder().decode(field(sealed.record, "seal"));
  let fingerprint = "";
  try { fingerprint = parseSeal(note.slice(0, note.indexOf("\n\n") + 1)).fingerprint; } catch { /* The checks say so. */ }
  return [element("section", "panel", [element("h2", "", strings.seal), element("p", "fingerprint", fingerprint),
    element("p", "quiet", strings.sealedAt(sealed.record.time)),
    element("details", "", [element("summary", "", strings.wholeSeal), element("pre", "note", note)])])];
}

function drawPanel(all) {
  const drawn = all.findLast((r) => kindName(r.record.kind) === "game drawn");
  const numbers = all.filter((r) => kindName(r.record.kind) === "number drawn" && (!drawn || field(r.record, "draw") === field(drawn.record, "draw")));
  if (numbers.length === 0) return [];
  const parts = [element("h2", "", strings.draw), element("ol", "numbers", numbers.map((r) => element("li", "", String(field(r.record, "number")))))];
  if (drawn) parts.push(element("details", "", [element("summary", "", strings.transcript), element("pre", "note", new TextDecoder().decode(field(drawn.record, "note")))]));
  return [element("section", "panel", parts)];
}

function linePanel(journal, name, all) {
  const rows = all.map((r) => ({
    seq: r.seq, kind: r.record.kind, time: r.record.time, bad: !r.same,
    detail: kindName(r.record.kind) === "number drawn" ? [element("strong", "", String(field(r.record, "number")))] : null,
  }));
  for (const { seq, cents } of journal.paidFor(name)) rows.push({ seq, ...journal.entries[seq], detail: [strings.paid(money(cents, strings.currency))] });
  return element("section", "panel", [element("h2", "", strings.timeLine), timeLine(journal.volume, rows)]);
}
