// All words of the page. Whoever translates it changes this file only, and the
// sentence for browsers without JavaScript in index.html.

const locale = "en-AU";

export const strings = {
  game: (number) => `Game ${number}`,
  nextGame: "Next",
  noGameOpen: "No game open",
  dayClosed: "The Keno Day is closed",
  waitForGame: "The next game will be shown here",
  closesIn: "closes in",
  closing: "closing",
  keno: (day) => `Keno Day ${longDate(day)}`,

  waiting: "Waiting for the board",
  loading: "Connecting",
  live: "Live",
  offline: (time) => time ? `No connection. What you see is of ${time}` : "No connection. Trying again",

  phase: { none: "No draw yet", closed: "Closed", sealed: "Sealed", drawing: "Drawing", drawn: "Drawn", settled: "Result", void: "Void" },
  voidNotice: (game, reason) => `Game ${game} is void: ${reason}. Keep your ticket`,
  pausedNotice: (reason) => `Sale and draws are stopped: ${reason}`,
  closureNotice: (time) => `Keno closes early today, at ${time}`,
  redrawNotice: (game) => `A draw of game ${game} did not count. It is drawn again`,
  jackpotWonNotice: (game, jackpots) => `Jackpot won in game ${game}: ${jackpots}`,
  spots: (n) => `${n} spots`,
  jackpot: (n) => `Jackpot ${n} spots`,
  lastNumber: "Last number",
  evens: "Evens",
  place: ["", "1st", "2nd", "3rd"],
  drawnOf: (count, draw) => `${count} of ${draw}`,
  drawnLabel: "drawn",
  noNumber: "",
  heads: "Heads",
  tails: "Tails",
  row: (number) => `Row ${number}`,
  sum: "Sum",
  multiplied: (sum, factor) => `${sum} ×${factor}`,
  winners: "Winners",
  prizes: "Prizes",
  sealedAt: (time) => `Sealed ${time}`,
  witnessedAt: (time) => `Sealed and witnessed ${time}`,
  notSealed: "Seal",
  noFingerprint: "Sealed when the game closes",
  order: "Numbers in the order drawn",
  results: "Earlier results",
  noResults: "Earlier results will be shown here",
  spokenNumber: (game, k, number) => `Game ${game}, number ${k}: ${number}`,
  spokenResult: (game, winners) => `Game ${game} is settled. Winning tickets: ${winners}`,
};

// longDate writes a date such as 2026-11-15 as Sunday 15 November.
function longDate(day) {
  return new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
    .format(new Date(`${day}T00:00:00Z`));
}

// count writes a whole number with its thousands marked.
export function count(n) {
  return new Intl.NumberFormat(locale).format(n);
}

// money writes an amount of cents in a currency.
export function money(cents, currency) {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100);
}

// clock cuts the time of day out of a time such as 2026-11-15T14:02:59.12+11:00,
// which the house writes in its own zone.
export function clock(time) {
  return time.slice(11, 19);
}

// countdown writes the whole seconds that are left as minutes and seconds.
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const pad = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const clock = `${hours ? pad(minutes) : minutes}:${pad(seconds % 60)}`;
  return hours ? `${hours}:${clock}` : clock;
}
