// Venues: all of them, and one with its areas, its hours and its limit.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

export async function showVenues(page) {
  const { desk } = page;
  const list = new Table({ name: strings.views.venues, empty: strings.noVenues, columns: [
    { head: strings.number, cell: (v) => String(v.number), value: (v) => v.number },
    { head: strings.name, cell: (v) => element("a", "", v.name, { href: `#venue/${v.number}` }), value: (v) => v.name },
    { head: strings.kind, cell: (v) => strings.venueKind(v.kind) }, { head: strings.areas, cell: (v) => (v.areas ?? []).map((a) => a.name).join(", ") },
    { head: strings.hours, cell: (v) => strings.hoursShort(v.hours) }] });
  const look = async () => list.show((await desk.getOfHouse("/v1/venues")).venues);
  await look();
  page.target.append(element("section", "panel", [element("h2", "", strings.views.venues), list.element]));
  if (desk.may("add-venue")) {
    const add = form("add-venue", [{ name: "name", label: strings.name }, { name: "kind", label: strings.kind, options: Object.entries(strings.venueKinds) }, { name: "operator", label: strings.operator, kind: "number", optional: true }],
      strings.addVenue, page.done(async (values) => {
        const { number } = await desk.send("POST", "/v1/venues", values);
        location.hash = `#venue/${number}`;
      }));
    page.target.append(element("section", "panel", [element("h2", "", strings.addVenue), add]));
  }
  return look;
}

export async function showVenue(page, number) {
  const { desk } = page;
  const venue = (await desk.getOfHouse("/v1/venues")).venues.find((v) => v.number === Number(number));
  if (!venue) {
    page.target.append(element("p", "notice", strings.noVenue(number)));
    return;
  }
  const changed = (does, said) => page.done(async (values) => { await does(values); await page.anew(); }, said);
  page.target.append(element("section", "panel", [element("p", "", [element("a", "", strings.allVenuesBack, { href: "#venues" })]), element("h2", "", strings.venueName(venue.number, venue.name)),
    element("dl", "facts", facts([[strings.kind, strings.venueKind(venue.kind)], [strings.operator, venue.operator ? String(venue.operator) : strings.none]])),
    ...(desk.may("rename-venue") ? [form("rename-venue", [{ name: "name", label: strings.name, value: venue.name }], strings.renameVenue, changed((values) => desk.send("PUT", `/v1/venues/${venue.number}/name`, values), strings.venueRenamed))] : [])]),
  element("section", "panel", [element("h2", "", strings.hours), hours(page, venue, changed)]),
  element("section", "panel", [element("h2", "", strings.areas), ...areas(page, venue, changed)]));
  if (desk.may("get-venue-account")) page.target.append((await import("./account.js")).account(desk, await desk.getOfHouse(`/v1/venues/${venue.number}/account`)));
  if (desk.may("set-limit")) {
    page.target.append(element("section", "panel", [element("h2", "", strings.limit), element("p", "hint", strings.limitHint),
      form("limit", [{ name: "cents", label: strings.amount, kind: "cents" }], strings.setLimit, page.done((values) => desk.send("PUT", `/v1/venues/${venue.number}/limit`, values), strings.limitSet))]));
  }
  if (desk.mayAny(["refuse-sale", "dispute-runner", "decide-runner"])) page.target.append(...await (await import("./floor.js")).floor(page, venue));
}

const clockOf = (minutes) => `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const minutesOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

// hours shows when a venue trades, and lets it be changed line by line. A time that ends
// before it begins ends on the next day.
function hours(page, venue, changed) {
  const { desk } = page;
  const may = desk.may("set-hours");
  const lines = element("tbody");
  const add = ({ weekday, from, to }) => {
    const day = element("select", "", strings.weekdays.map((name, i) => element("option", "", name, { value: i, selected: i === weekday })), { "aria-label": strings.weekday, disabled: !may });
    const clock = (label, minutes) => element("input", "", "", { type: "time", required: true, value: clockOf(minutes), "aria-label": label, disabled: !may });
    const row = element("tr", "", [element("td", "", [day]), element("td", "", [clock(strings.opens, from)]), element("td", "", [clock(strings.shuts, to)])]);
    if (may) {
      const remove = element("button", "", strings.remove, { type: "button", "aria-label": strings.removeHours });
      remove.addEventListener("click", () => row.remove());
      row.append(element("td", "", [remove]));
    }
    lines.append(row);
  };
  for (const h of venue.hours ?? []) add(h);
  const heads = [strings.weekday, strings.opens, strings.shuts].map((text) => element("th", "", text, { scope: "col" }));
  const shown = element("div", "roll", [element("table", "", [element("thead", "", [element("tr", "", heads)]), lines])]);
  if (!may) return element("div", "", [venue.hours ? shown : element("p", "quiet", strings.always)]);
  const another = element("button", "", strings.addHours, { type: "button" });
  another.addEventListener("click", () => add({ weekday: (lines.children.length + 1) % 7, from: 600, to: 1380 }));
  const made = form("hours", [], strings.setHours, changed(() => desk.send("PUT", `/v1/venues/${venue.number}/hours`, { hours: [...lines.children].map((row) => {
    const [day, from, to] = row.querySelectorAll("select, input");
    const [begins, ends] = [minutesOf(from.value), minutesOf(to.value)];
    return { weekday: Number(day.value), from: begins, to: ends > begins ? ends : ends + 1440 };
  }) }), strings.hoursSet));
  made.prepend(element("p", "hint", venue.hours ? strings.hoursHint : strings.always), shown, element("p", "", [another]));
  return made;
}

// areas lists the parts of a venue and its displays, which somebody may report.
function areas(page, venue, changed) {
  const { desk } = page;
  const screen = (area, name, works) => [strings.works(works), ...(desk.may("report-display") ? [" ", page.press(works ? strings.reportBroken : strings.reportWorks, async () => {
    await desk.send("PUT", `/v1/venues/${venue.number}/areas/${area.number}/display`, { screen: name, working: !works, reason: works ? strings.seenBroken : strings.seenWorking });
    await page.anew();
  })] : [])];
  const list = new Table({ name: strings.areas, empty: strings.noAreas, findable: false, columns: [{ head: strings.number, cell: (a) => String(a.number), value: (a) => a.number }, { head: strings.name, cell: (a) => a.name },
    { head: strings.drawDisplay, cell: (a) => screen(a, "draw", a.draw) }, { head: strings.raceDisplay, cell: (a) => screen(a, "race", a.race) }] });
  list.show(venue.areas ?? []);
  if (!desk.may("add-area")) return [list.element];
  const next = Math.max(0, ...(venue.areas ?? []).map((a) => a.number)) + 1;
  return [list.element, element("h3", "", strings.addArea), form("add-area", [{ name: "number", label: strings.number, kind: "number", value: next }, { name: "name", label: strings.name }], strings.addArea,
    changed((values) => desk.send("POST", `/v1/venues/${venue.number}/areas`, values), strings.areaAdded))];
}
