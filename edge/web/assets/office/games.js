// Games: the last of them, how far each has come and what it came to.
import { element } from "../kit/dom.js";
import { money } from "../kit/strings.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { voidable } from "./acts.js";
import { Table } from "./table.js";

const cents = (amount) => amount === undefined ? "" : money(amount, strings.currency);
const shown = 200;

export async function showGames(page) {
  const { desk } = page;
  const list = new Table({ name: strings.gamesTitle, empty: strings.noGames, columns: [
    { head: strings.gameNumber, cell: (g) => strings.gameCell(g), value: (g) => g.ordinal }, { head: strings.ordinal, number: true, cell: (g) => String(g.ordinal), value: (g) => g.ordinal },
    { head: strings.phase, cell: (g) => strings.phases[g.phase] ?? g.phase }, { head: strings.closes, cell: (g) => strings.atTime(g.closes) },
    { head: strings.plays, number: true, cell: (g) => g.sold ? strings.count(g.sold.plays) : "", value: (g) => g.sold?.plays ?? 0 },
    { head: strings.stakes, number: true, cell: (g) => cents(g.sold?.stakes_cents), value: (g) => g.sold?.stakes_cents ?? 0 },
    { head: strings.winners, number: true, cell: (g) => g.result ? strings.count(g.result.winners) : "", value: (g) => g.result?.winners ?? 0 },
    { head: strings.prizes, number: true, cell: (g) => cents(g.result?.prizes_cents), value: (g) => g.result?.prizes_cents ?? 0 },
    { head: strings.numbers, cell: (g) => !voidable.includes(g.phase) || !desk.may("void-game") ? element("span", "drawn", g.numbers.join(" "))
      : element("a", "button", strings.askVoid, { href: `#ask/void_game/${g.ordinal}` }) }] });
  const look = async () => list.show((await desk.get(`/v1/games?limit=${shown}`)).games);
  await look();
  page.target.append(element("section", "panel", [element("h2", "", strings.gamesTitle), list.element]));
  return look;
}
