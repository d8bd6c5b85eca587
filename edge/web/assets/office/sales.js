// Live sales: the last hour minute by minute, and the day by venue.
import { element, write } from "../kit/dom.js";
import { money } from "../kit/strings.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { bars, figure } from "./chart.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

const cents = (amount) => money(amount, strings.currency);

export async function showSales(page) {
  const { desk } = page;
  const names = new Map((await desk.getOfHouse("/v1/venues")).venues.map((v) => [v.number, v.name]));
  const named = (venue) => strings.venueName(venue, names.get(venue));
  const venue = element("select", "", [element("option", "", strings.allVenues, { value: "" }), ...[...names].map(([id]) => element("option", "", named(id), { value: id }))], { id: "sales-venue" });
  const totals = element("dl", "facts wide", "", { id: "sales-totals" });
  const title = element("h2");
  const chart = element("div", "", "", { id: "sales-chart" });
  const columns = (head, cell) => [{ head, cell, value: cell },
    { head: strings.tickets, number: true, cell: (r) => strings.count(r.sales), value: (r) => r.sales }, { head: strings.sold, number: true, cell: (r) => cents(r.sold_cents), value: (r) => r.sold_cents },
    { head: strings.paidOut, number: true, cell: (r) => cents(r.paid_cents), value: (r) => r.paid_cents }, { head: strings.givenBack, number: true, cell: (r) => cents(r.given_back_cents), value: (r) => r.given_back_cents }];
  const byVenue = new Table({ name: strings.byVenue, empty: strings.nothingSold, columns: columns(strings.venue, (r) => named(r.venue)) });
  const byTerminal = new Table({ name: strings.byTerminal, empty: strings.nothingSold, columns: [...columns(strings.terminal, (r) => strings.terminalNumber(r.terminal)), { head: strings.venue, cell: (r) => named(r.venue) }] });
  page.target.append(
    element("section", "panel", [title, totals]),
    element("section", "panel", [element("h2", "", strings.lastHour), element("div", "tools", [element("label", "", [element("span", "", strings.venue), venue])]), chart]),
    element("section", "panel", [element("h2", "", strings.byVenue), byVenue.element]),
    element("section", "panel", [element("h2", "", strings.byTerminal), byTerminal.element]));
  const look = async () => {
    const now = await desk.get(`/v1/operator/sales${venue.value ? `?venue=${venue.value}` : ""}`);
    write(title, strings.salesOf(now));
    totals.replaceChildren(...facts([[strings.tickets, strings.count(now.total.sales)], [strings.sold, cents(now.total.sold_cents)],
      [strings.paidOut, cents(now.total.paid_cents)], [strings.givenBack, cents(now.total.given_back_cents)]]));
    byVenue.show(now.venues);
    byTerminal.show(now.terminals);
    const opened = chart.querySelector("details")?.open ?? false;
    const points = now.minutes.map((m) => ({ name: m.start.slice(11, 16), value: m.sold_cents, title: strings.minute(m, cents) }));
    const sum = now.minutes.reduce((all, m) => ({ sales: all.sales + m.sales, sold_cents: all.sold_cents + m.sold_cents }), { sales: 0, sold_cents: 0 });
    if (sum.sales === 0) {
      chart.replaceChildren(element("p", "quiet", strings.quietHour));
      return;
    }
    const drawn = figure(bars(strings.lastHour, points, (c) => strings.round(c)), strings.lastHourText(sum, cents),
      now.minutes.filter((m) => m.sales > 0).map((m) => [m.start.slice(11, 16), strings.count(m.sales), cents(m.sold_cents)]), [strings.minuteHead, strings.tickets, strings.sold]);
    drawn.querySelector("details").open = opened;
    chart.replaceChildren(drawn);
  };
  venue.addEventListener("change", () => look().catch(() => {})); // The next look says what is wrong.
  await look();
  return look;
}
