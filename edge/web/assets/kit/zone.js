// Times of the house. A screen may stand in another time zone than the house, or have its
// clock set to one: what is typed is the time of the house, and never that of the browser.

// instantIn returns the moment at which clocks of a zone show a time such as
// 2026-11-16T20:00, in ISO 8601.
export function instantIn(zone, text) {
  const shown = Date.parse(`${text}Z`);
  let at = shown;
  for (let i = 0; i < 2; i++) at = shown - ahead(zone, at); // Twice, for the hours around a change of clocks.
  return new Date(at).toISOString();
}

// ahead is how far clocks of a zone are ahead of UTC at a moment, in milliseconds.
function ahead(zone, at) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) - at;
}

// todayIn returns the date in a zone, such as 2026-11-16.
export function todayIn(zone, now = Date.now()) {
  return new Date(now + ahead(zone, now)).toISOString().slice(0, 10);
}
