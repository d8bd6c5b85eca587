// The plan of a session: day and time, fee, cards, and for each game its prizes.
import { centsOf } from "../kit/amount.js";
import { element, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";
import { instantIn, todayIn } from "../kit/zone.js";

const dollars = (cents) => (cents / 100).toFixed(cents % 100 ? 2 : 0);

// Plan sets a session, and changes or cancels one that nobody has entered.
export class Plan {
  #p;
  #run;
  #changes = ""; // the plan that the form was filled with, as text
  #desk = null;
  #games = 1;

  constructor(parts, run, ask) {
    this.#p = parts;
    this.#run = run;
    parts["cancel-session"].addEventListener("click", () => this.#cancel(ask));
    parts["plan-series"].addEventListener("change", () => this.#rows());
    parts["add-game"].addEventListener("click", () => this.#count(1));
    parts["drop-game"].addEventListener("click", () => this.#count(-1));
    parts.plan.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#set();
    });
    parts.begins.value = "20:00";
  }

  show(desk) {
    const p = this.#p;
    this.#desk = desk;
    p["plan-panel"].hidden = desk.session !== 0 && desk.phase !== "closed" && !desk.plan;
    p["cancel-session"].hidden = !desk.plan;
    write(p["plan-set"], desk.plan ? strings.change : strings.set);
    p.day.value ||= todayIn(desk.zone);
    if (p["plan-panel"].hidden || p.plan.contains(document.activeElement)) return;
    const left = desk.stock.filter((s) => s.next <= s.last);
    p.plan.hidden = !left.length;
    write(p["plan-title"], desk.plan ? strings.planChange(desk.session) : left.length ? strings.plan : strings.noCards);
    const before = p["plan-series"].value;
    p["plan-series"].replaceChildren(...left.map((s) => element("option", "", s.series, { value: s.series })));
    if (left.some((s) => s.series === before)) p["plan-series"].value = before;
    if (!p.games.children.length) {
      this.#games = this.#stock?.games.length ?? 1;
      this.#rows();
    }
    const plan = desk.plan ? JSON.stringify([desk.session, desk.plan]) : "";
    if (plan !== this.#changes && desk.plan) this.#fill(desk.plan);
    this.#changes = plan;
  }

  // fill puts a plan into the form.
  #fill(plan) {
    const p = this.#p;
    Object.assign(p.day, { value: plan.day });
    p.begins.value = plan.begins.slice(11, 16);
    p["fee-dollars"].value = dollars(plan.fee_cents);
    p["books-max"].value = String(plan.books_max);
    p["plan-series"].value = plan.series[0];
    this.#games = plan.games.length;
    this.#rows();
    plan.games.forEach((game, i) => {
      const set = (name, value) => { p.games.children[i].querySelector(`[name=${name}]`).value = value; };
      const [bingo, minor] = game.prizes;
      set("bingo", dollars(bingo.cents));
      set("minor", minor?.pattern ?? "");
      if (minor) set("prize", dollars(minor.cents));
      set("jackpot", String(game.jackpot_numbers ?? 0));
    });
  }

  #cancel(ask) {
    const { session } = this.#desk;
    ask(strings.cancelTitle(session), [["reason", strings.reason]], async (station, values, who) => {
      await station.confirm(`/sessions/${session}/cancellation`, { reason: values.reason }, who);
      return strings.cancelled(session);
    });
  }

  get #stock() { return this.#desk.stock.find((s) => s.series === this.#p["plan-series"].value); }

  #count(by) {
    this.#games = Math.min(Math.max(1, this.#games + by), this.#stock?.games.length ?? 1);
    this.#rows();
  }

  // rows makes a row for each game and keeps what is filled in.
  #rows() {
    const p = this.#p, colours = this.#stock?.games ?? [];
    this.#games = Math.min(this.#games, colours.length);
    while (p.games.children.length > this.#games) p.games.lastElementChild.remove();
    while (p.games.children.length < this.#games) p.games.append(this.#row(p.games.lastElementChild));
    [...p.games.children].forEach((row, i) => write(row.querySelector("legend"), strings.gameRow(i + 1, colours[i].split(" ")[0])));
  }

  #row(before) {
    const value = (name, other) => before?.querySelector(`[name=${name}]`).value ?? other;
    const input = (name, text, other) => element("label", "", [element("span", "", text), element("input", "", "", { name, inputmode: "decimal", autocomplete: "off", value: value(name, other) })]);
    const minor = element("select", "", [element("option", "", strings.noMinor, { value: "" }), ...this.#desk.patterns.map((d) => element("option", "", d.name, { value: d.pattern }))], { name: "minor" });
    minor.value = value("minor", "");
    return element("fieldset", "game", [element("legend"), element("div", "four", [
      input("bingo", strings.bingoPrize, "100"), element("label", "", [element("span", "", strings.minor), minor]),
      input("prize", strings.minorPrize, "20"), input("jackpot", strings.jackpotNumbers, "0")])]);
  }

  // amounts reports whether every amount that counts is one, and points at the first that
  // is not.
  #amounts() {
    const p = this.#p;
    const fields = [p["fee-dollars"], ...[...p.games.children].flatMap((row) => [row.querySelector("[name=bingo]"),
      ...(row.querySelector("[name=minor]").value ? [row.querySelector("[name=prize]")] : [])])];
    const bad = fields.find((field) => !(centsOf(field.value) > 0));
    if (!bad) return true;
    bad.setCustomValidity(strings.noAmount);
    bad.addEventListener("input", () => bad.setCustomValidity(""), { once: true });
    bad.reportValidity();
    return false;
  }

  #set() {
    const p = this.#p;
    if (!this.#amounts()) return undefined;
    const { session, plan: before } = this.#desk;
    const games = [...p.games.children].map((row, i) => {
      const value = (name) => row.querySelector(`[name=${name}]`).value;
      const prizes = [{ pattern: "bingo", cents: centsOf(value("bingo")) }];
      if (value("minor")) prizes.push({ pattern: value("minor"), cents: centsOf(value("prize")) });
      // What the form does not show of a plan stays as it was.
      prizes.push(...(before?.games[i]?.prizes.slice(2) ?? []));
      const share = before?.games[i]?.jackpot_share;
      return { prizes, ...(share ? { jackpot_share: share } : {}), ...(Number(value("jackpot")) ? { jackpot_numbers: Number(value("jackpot")) } : {}) };
    });
    const body = {
      day: p.day.value, begins: instantIn(this.#desk.zone, `${p.day.value}T${p.begins.value}`), fee_cents: centsOf(p["fee-dollars"].value),
      books_max: Number(p["books-max"].value), series: [p["plan-series"].value, ...(before?.series.slice(1) ?? [])], games,
    };
    return this.#run(async (station) => {
      const { record } = await station.send(before ? `/sessions/${session}/plan` : "/sessions", body);
      document.activeElement?.blur();
      return before ? strings.changed(session) : strings.setDone(record.session);
    });
  }
}
