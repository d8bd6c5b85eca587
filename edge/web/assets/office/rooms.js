// Bingo rooms: those of the house, a new one with the levels of its jackpot, and the cards
// that are played there.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { centsOf, form } from "./form.js";
import { Table } from "./table.js";

export async function showRooms(page) {
  const { desk } = page;
  const list = new Table({ name: strings.views.rooms, empty: strings.noRooms, findable: false, columns: [
    { head: strings.number, cell: (h) => element("a", "", String(h.hall), { href: `/hall/${h.hall}` }), value: (h) => h.hall }, { head: strings.name, cell: (h) => h.name },
    { head: strings.venue, cell: (h) => strings.venueName(h.venue, h.venue_name) }, { head: strings.rulebook, cell: (h) => h.title },
    { head: strings.notFetched, number: true, cell: (h) => h.owed ? strings.roomOwed(h.owed) : "", value: (h) => h.owed?.cents ?? 0 }] });
  const [{ halls }, { venues }, { carried }] = [await desk.getOfHouse("/v1/hall"), await desk.getOfHouse("/v1/venues"), await desk.get("/v1/operator/rulebooks")];
  if (desk.may("get-bingo-owed")) for (const h of halls) h.owed = await desk.getOfHouse(`/v1/hall/${h.hall}/owed`);
  list.show(halls);
  page.target.append(element("section", "panel", [element("h2", "", strings.views.rooms), list.element], { id: "rooms" }));
  if (halls.length > 0 && desk.may("add-table")) page.target.append(element("section", "panel", [element("h2", "", strings.bringCards), element("p", "hint", strings.bringCardsHint), cards(page, halls)]));
  page.target.append(element("section", "panel", [element("h2", "", strings.openRoom), element("p", "hint", strings.openRoomHint), opening(page, halls, venues, carried.filter((b) => b.bingo))]));
}

// opening is the form of a new room. Its rulebook is adopted with it.
function opening(page, halls, venues, books) {
  const next = Math.max(0, ...halls.map((h) => h.hall)) + 1;
  const fields = [{ name: "hall", label: strings.number, kind: "number", value: next }, { name: "name", label: strings.name, hint: strings.roomNameHint, value: next === 1 ? "bingo" : `bingo-${next}` },
    { name: "venue", label: strings.venue, kind: "numberChoice", options: venues.map((v) => [v.number, strings.venueName(v.number, v.name)]) },
    { name: "rulebook", label: strings.rulebook, options: books.map((b) => [b.id, b.title]) },
    { name: "levels", label: strings.levels, hint: strings.levelsHint, value: strings.oneLevel }];
  return form("open-room", fields, strings.openRoom, page.done(async ({ hall, levels, ...rest }) => {
    await page.desk.sendOfHouse("POST", `/v1/hall/${hall}`, { ...rest, levels: levels.split(";").filter((part) => part.trim() !== "").map(levelOf) });
    await page.anew();
  }, strings.roomOpened));
}

// levelOf reads a level of a jackpot, such as major 45 70 2500: its name, within how many
// numbers it is won, its part of what fees bring in percent, and what it begins with. What is
// no number is sent as it was typed, and refused.
function levelOf(text) {
  const [name, within = "", percent = "", seed = "0"] = text.trim().split(/\s+/);
  const whole = (word, value) => Number.isFinite(value) ? Math.round(value) : word;
  return { name, within: within === strings.anyNumbers ? 0 : whole(within, Number(within)), share: whole(percent, Number(percent) * 100), seed_cents: centsOf(seed) ?? seed };
}

// cards is the form with which the master table of a series of cards comes into a room.
function cards(page, halls) {
  let added = null;
  const made = form("cards", [{ name: "hall", label: strings.room, kind: "numberChoice", options: halls.map((h) => [h.hall, strings.roomName(h)]) }, { name: "table", label: strings.tableFile, kind: "file" }],
    strings.bringCards, page.done(async ({ hall, table }) => {
      added = (await page.desk.upload(`/v1/hall/${hall}/tables`, table)).record;
      made.reset();
    }, () => strings.cardsBrought(added)));
  return made;
}
