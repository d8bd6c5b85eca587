// What is typed into the entry line. A scanner types there too, so that the line takes
// whatever comes and finds out what it is.
import { centsOf } from "../kit/amount.js";
import { otherCode, parseScan } from "../kit/scan.js";

// parseEntry returns a list of steps, or null if the line is not understood:
//
//   3 17 42        mark numbers; a race: rows
//   1 2 / 11 12    the stroke goes on with the next group, or place
//   p8  p          pick 8 numbers; pick their number too
//   s2.50          stake in dollars
//   g10            games
//   h t e          heads, tails, evens
//   +1             the first feature, on or off
//   wab            the way that joins groups A and B, on or off
//
// and what a scanner reads off a paper.
export function parseEntry(line) {
  const text = line.trim();
  if (text === "") return [];
  const scanned = parseScan(text);
  if (scanned && !/^\d{1,2}( |$)/.test(text)) return [{ scan: scanned }];
  const steps = [];
  for (const word of wordsOf(text.toLowerCase())) {
    const step = stepOf(word);
    if (step === null) return otherCode(text) ? [{ scan: { serial: otherCode(text) } }] : null;
    steps.push(step);
  }
  return steps;
}

// wordsOf parts a line at spaces, and at commas but for those of an amount.
function wordsOf(text) {
  return text.replaceAll("/", " / ").split(/\s+/).flatMap((word) => (/^s\$?\d/.test(word) ? [word] : word.split(","))).filter(Boolean);
}

const calls = { h: "heads", t: "tails", e: "evens" };

function stepOf(word) {
  if (word === "/") return { group: true };
  if (/^\d{1,2}$/.test(word)) return { mark: Number(word) };
  if (calls[word]) return { call: calls[word] };
  if (/^w[a-h]{1,8}$/.test(word)) return { way: [...word.slice(1)].map((c) => c.charCodeAt(0) - 96) };
  if (word[0] === "s") return centsOf(word.slice(1)) ? { stake: centsOf(word.slice(1)) } : null;
  const [, letter, rest] = /^([pg+])(\d*)$/.exec(word) ?? [];
  switch (letter) {
    case "p": return /^\d*$/.test(rest) ? { pick: rest === "" ? "mystery" : Number(rest) } : null;
    case "g": return /^\d+$/.test(rest) ? { games: Number(rest) } : null;
    case "+": return /^\d+$/.test(rest) ? { feature: Number(rest) } : null;
  }
  return null;
}

// perform does the steps of an entry to a slip.
export function perform(slip, steps, of) {
  for (const step of steps) {
    if (step.group) slip.nextGroup();
    else if (step.mark >= 1 && step.mark <= (slip.form === "race" ? slip.bet.rows : of) && slip.form !== "calls") slip.mark(step.mark);
    else if (step.pick) Object.assign(slip.marked, { pick: step.pick, groups: slip.form === "race" ? slip.marked.groups : [[]], at: 0, call: null });
    else if (step.call && slip.form === "calls") Object.assign(slip.marked, { call: step.call, pick: null });
    else if (step.way && slip.bet.ways?.marks && !slip.replay) {
      if (!slip.toggleWay(step.way)) return false;
    } else if (step.stake) slip.marked.stake = step.stake;
    else if (step.games) slip.games = step.games;
    else if (step.feature && slip.features()[step.feature - 1]) slip.toggleFeature(slip.features()[step.feature - 1].id);
    else return false;
  }
  return true;
}
