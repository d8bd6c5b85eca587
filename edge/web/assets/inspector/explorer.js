// The journal explorer: records by kind and place, each decoded here, with its proof.
import { element } from "../kit/dom.js";
import { inspectorStrings as strings } from "../kit/strings.js";
import { base64 } from "../proof.js";
import { describe, kindName } from "./decode.js";
import { checkList, fieldTable, link, timeLine } from "./evidence.js";

const shown = 100; // records on one page

// exceptional are the kinds that an inspector looks at first: what was undone, stopped,
// disputed, erased or lost. That a claimant was erased is a note of the claim (journal.js).
export const exceptional = new Set(["request burned", "ticket cancelled", "draw voided", "game voided", "terms changed", "terminal revoked", "lock set",
  "play paused", "closure announced", "call corrected", "bingo voided", "device failed", "player barred", "dispute raised", "incident noted",
  "offer stopped", "paper undelivered", "payment frozen", "ticket disqualified", "ticket invalidated", "prize forfeited",
  "person erased", "holder erased", "payee erased"]);

// showJournal lists the records from a place back, of one kind or of all.
export function showJournal(target, journal, { kind = "", before = journal.entries.length } = {}) {
  const counts = Map.groupBy(journal.entries, (e) => e.kind);
  const choice = element("select", "", [element("option", "", strings.everyKind(journal.entries.length), { value: "" }),
    ...[...counts].sort((a, b) => a[0] - b[0]).map(([number, list]) => element("option", "", strings.kindCount(kindName(number), list.length), { value: number, selected: String(number) === kind }))]);
  const place = element("input", "", "", { inputmode: "numeric", placeholder: "0", pattern: "[0-9]*" });
  const form = element("form", "tools", [element("label", "", [strings.kindLabel, choice]), element("label", "", [strings.placeLabel, place]), element("button", "", strings.show)]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (place.value !== "") location.hash = `#record/${journal.volume}:${Number(place.value)}`;
  });
  choice.addEventListener("change", () => showJournal(target, journal, { kind: choice.value }));
  const rows = [];
  for (let seq = before - 1; seq >= 0 && rows.length < shown; seq--) {
    if (kind === "" || String(journal.entries[seq].kind) === kind) rows.push({ seq, ...journal.entries[seq] });
  }
  const parts = [element("h2", "", strings.journal), form, timeLine(journal.volume, rows)];
  if (rows.length === shown && rows.at(-1).seq > 0) {
    const more = element("button", "", strings.earlier, { type: "button" });
    more.addEventListener("click", () => showJournal(target, journal, { kind, before: rows.at(-1).seq }));
    parts.push(more);
  }
  target.replaceChildren(element("section", "panel", parts));
}

// showExceptions lists what is out of the ordinary, from a place back, and which
// witnesses do not agree.
export function showExceptions(target, journal, alarms, before = journal.entries.length) {
  const rows = [];
  let seq = before - 1;
  for (; seq >= 0 && rows.length < shown; seq--) {
    const entry = journal.entries[seq];
    if (entry.unreadable || entry.erased || exceptional.has(kindName(entry.kind))) rows.push({ seq, ...entry, detail: entry.reason ? [element("span", "quiet", entry.reason)] : null });
  }
  const more = element("button", "", strings.earlier, { type: "button", hidden: seq < 0 });
  more.addEventListener("click", () => showExceptions(target, journal, alarms, seq + 1));
  target.replaceChildren(
    element("section", "panel", [element("h2", "", strings.alarms), alarms.length === 0 ? element("p", "quiet", strings.noAlarms)
      : element("ul", "checks", alarms.map((a) => element("li", "bad", [element("b", "", a.witness), ` ${a.reason}`])))]),
    element("section", "panel", [element("h2", "", strings.exceptions), rows.length === 0 ? element("p", "quiet", strings.noExceptions)
      : timeLine(journal.volume, rows), more]));
}

// showRecord shows one record, what it says and why it is the signed one.
export async function showRecord(target, journal, seq) {
  if (!(seq >= 0 && seq < journal.entries.length)) {
    target.replaceChildren(element("p", "notice", strings.noSuchRecord(journal.volume, journal.entries.length)));
    return;
  }
  const found = await journal.record(seq);
  const root = await journal.tree.root(journal.head.size);
  const checks = [
    { sentence: strings.checks.leaf, ok: found.same, left: base64(found.leaf), right: base64(journal.tree.leaf(seq)) },
    { sentence: strings.checks.root(journal.head.size), ok: base64(root) === journal.signedRoot, left: base64(root), right: journal.signedRoot },
  ];
  const step = (to, text) => to >= 0 && to < journal.entries.length ? [link(text, `#record/${journal.volume}:${to}`)] : [];
  target.replaceChildren(element("section", "panel", [
    element("h2", "", strings.record(found.place, kindName(found.record.kind))), element("p", "quiet", strings.moment(found.record.time)),
    element("p", "tools", [...step(seq - 1, strings.before), ...step(seq + 1, strings.after)]), ...fieldTable(describe(found.record)),
    element("h3", "", strings.proof), checkList(checks),
  ]));
}
