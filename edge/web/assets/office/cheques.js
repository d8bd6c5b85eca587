// Cheques that customers wait for, the one that is due first on top, and the public holidays
// by which their time is reckoned.
import { element } from "../kit/dom.js";
import { dueBy, longDate, money } from "../kit/strings.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";

export async function showCheques(page) {
  const { desk } = page;
  const hand = (c) => page.press(strings.handOver, () => desk.send("POST", `/v1/cheques/${encodeURIComponent(c.cheque)}/handover`), { name: "hand-cheque", said: strings.handedOver });
  const list = new Table({ name: strings.views.cheques, empty: strings.noCheques, columns: [
    { head: strings.dueHead, cell: (c) => [dueBy(c.due), ...(c.overdue ? [" ", element("span", "fault", strings.overdue)] : [])], value: (c) => c.due },
    { head: strings.amountHead, number: true, cell: (c) => money(c.cents, strings.currency), value: (c) => c.cents },
    { head: strings.payeeHead, cell: (c) => c.payee ?? "" },
    { head: strings.venue, cell: (c) => strings.venueName(c.venue, c.venue_name) }, { head: strings.ticketsHead, cell: (c) => c.serials.join(", ") },
    ...(desk.may("hand-cheque") ? [{ head: "", cell: (c) => hand(c) }] : [])] });
  const days = element("ul", "lines", "", { id: "holidays" });
  let holidays = [];
  const name = (list) => desk.send("PUT", "/v1/holidays", { days: list });
  const drop = (day) => {
    const press = page.press(strings.remove, () => name(holidays.filter((d) => d !== day)), { name: `remove-${day}` });
    press.setAttribute("aria-label", strings.removeHoliday(longDate(day)));
    return press;
  };
  const line = (day) => element("li", "", [`${longDate(day)} ${day.slice(0, 4)}`, ...(desk.may("name-holidays") ? [" ", drop(day)] : [])]);
  const look = async () => {
    list.show((await desk.getOfHouse("/v1/cheques")).cheques);
    holidays = (await desk.getOfHouse("/v1/holidays")).days;
    days.replaceChildren(...(holidays.length > 0 ? holidays.map(line) : [element("li", "quiet", strings.noHolidays)]));
  };
  await look();
  const add = form("holiday", [{ name: "day", label: strings.dayHead, kind: "date", sentAs: "days" }], strings.addHoliday, async (values) => {
    await page.done(({ day }) => name([...holidays, day]), strings.holidayAdded)(values);
    add.reset();
  }, { main: false });
  page.target.append(element("section", "panel", [element("h2", "", strings.views.cheques), element("p", "hint", strings.chequesHint), list.element], { id: "cheques" }),
    element("section", "panel", [element("h2", "", strings.holidays), element("p", "hint", strings.holidaysHint), days, ...(desk.may("name-holidays") ? [add] : [])]));
  return look;
}
