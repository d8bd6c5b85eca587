// Jackpots: what each stands at, how it came there, and when it was won.
import { element } from "../kit/dom.js";
import { money } from "../kit/strings.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { figure, line } from "./chart.js";
import { Table } from "./table.js";

const cents = (amount) => money(amount, strings.currency);
const spans = [1, 7, 31, 366]; // days

export async function showJackpots(page, days = "1") {
  const { desk } = page;
  const [{ pools, bonus_pool_cents, promotions }, { step, points }] = [await desk.get("/v1/operator"), await desk.get(`/v1/operator/jackpots?days=${days}`)];
  const now = new Table({ name: strings.jackpotsNow, empty: strings.noJackpots, findable: false, columns: [
    { head: strings.jackpot, cell: (r) => strings.spots(r.spots), value: (r) => r.spots },
    { head: strings.primary, number: true, cell: (r) => cents(r.primary_cents), value: (r) => r.primary_cents },
    { head: strings.secondary, number: true, cell: (r) => cents(r.secondary_cents), value: (r) => r.secondary_cents },
    { head: strings.owed, number: true, cell: (r) => cents(r.owed_cents), value: (r) => r.owed_cents },
    { head: strings.aside, number: true, cell: (r) => cents(r.aside_cents), value: (r) => r.aside_cents }] });
  now.show(pools);
  const tabs = element("nav", "tabs", spans.map((n) => element("a", "button", strings.span(n), { href: `#jackpots/${n}`, "aria-current": String(n) === days ? "page" : null })), { "aria-label": strings.historySpan });
  const charts = pools.map(({ spots }) => history(spots, step, points));
  page.target.append(element("section", "panel", [element("h2", "", strings.jackpotsNow), now.element,
    ...(bonus_pool_cents > 0 ? [element("p", "", strings.bonusPool(cents(bonus_pool_cents)))] : []), ...promotions.map((p) => element("p", "", strings.promotion(p, cents)))]),
  element("section", "panel", [element("h2", "", strings.history), tabs, ...(pools.length === 0 ? [element("p", "quiet", strings.noJackpots)] : charts)]));
}

// history draws one jackpot. A point that is marked was won.
function history(spots, step, points) {
  const own = points.flatMap((point) => point.pools.filter((pool) => pool.spots === spots).map((pool) => ({ ...point, ...pool })));
  const heading = element("h3", "", strings.spots(spots));
  if (own.length === 0) return element("div", "history", [heading, element("p", "quiet", strings.noHistory)]);
  const drawn = own.map((p) => ({ name: step === "day" ? strings.shortDay(p.day) : strings.gameShort(p), value: p.primary_cents, marked: p.won_cents > 0, title: strings.pool(p, step, cents) }));
  const won = own.filter((p) => p.won_cents > 0);
  return element("div", "history", [heading, figure(line(strings.spots(spots), drawn, strings.round), strings.historyText(own, won.length, step, cents),
    own.toReversed().slice(0, 200).map((p) => [step === "day" ? p.day : strings.gameLong(p), cents(p.primary_cents), p.won_cents > 0 ? cents(p.won_cents) : ""]), [step === "day" ? strings.dayHead : strings.gameHead, strings.primary, strings.won])]);
}
