// The slip on the screen: the board to mark, what else can be said, and the price.
import { money, terminalStrings as strings } from "../kit/strings.js";
import { centsOf } from "../kit/amount.js";
import { element, write } from "../kit/dom.js";
import { mostGroups } from "./slip.js";

const columns = 10;

// Marking shows a slip and lets it be marked. The listener is told of every change.
export class Marking {
  #p;
  #slip;
  #catalogue;
  #changed;
  #built = "";

  constructor(parts, slip, catalogue, changed) {
    this.#p = parts;
    this.#slip = slip;
    this.#catalogue = catalogue;
    this.#changed = changed;
    const p = parts;
    p.bets.setAttribute("aria-label", strings.bets);
    p.bets.replaceChildren(...slip.bets.map((bet, i) => this.#button(bet.name, () => slip.choose(bet.id), { "data-bet": bet.id, key: i === 0 ? "F2" : "" })),
      ...this.#items());
    // What is no amount, or no number of games, stays in its field and is not sold.
    p.stake.addEventListener("change", () => {
      slip.marked.stake = centsOf(p.stake.value) || NaN;
      this.#act();
    });
    p.games.addEventListener("change", () => {
      slip.games = /^\d+$/.test(p.games.value.trim()) ? Number(p.games.value) : NaN;
      this.#act();
    });
    this.show();
  }

  // items is a list to choose a ready ticket from, where the rulebook has some.
  #items() {
    const items = (this.#catalogue.items ?? []).filter((i) => !i.channels || i.channels.includes("writer"));
    if (items.length === 0) return [];
    const list = element("select", "", [element("option", "", strings.items, { value: "" }), ...items.map((i) => element("option", "", i.name, { value: i.id }))], { "aria-label": strings.items });
    list.addEventListener("change", () => {
      const item = items.find((i) => i.id === list.value);
      if (item) this.#slip.chooseItem(item);
      else this.#slip.clear();
      this.#act();
    });
    return [list];
  }

  #act() {
    this.show();
    this.#changed();
  }

  #button(text, act, { key = "", ...attributes } = {}) {
    const made = element("button", "", [text, ...(key ? [element("kbd", "", key)] : [])], { type: "button", ...attributes });
    made.addEventListener("click", () => {
      act();
      this.#act();
    });
    return made;
  }

  // show draws the slip as it is. What is being typed stays, unless the slip is a fresh one.
  show({ fresh = false } = {}) {
    const p = this.#p, slip = this.#slip, m = slip.marked;
    for (const b of p.bets.querySelectorAll("button")) b.setAttribute("aria-pressed", String(b.dataset.bet === m.bet && !m.item));
    const list = p.bets.querySelector("select");
    if (list) list.value = m.item ?? "";
    this.#buildField();
    this.#showField();
    this.#showGroups();
    write(p.summary, strings.summary(slip));
    if (fresh || document.activeElement !== p.stake && !Number.isNaN(m.stake)) p.stake.value = (m.stake / 100).toFixed(2);
    if (fresh || document.activeElement !== p.games && !Number.isNaN(slip.games)) p.games.value = slip.games ? String(slip.games) : "";
    p.stake.disabled = Boolean(slip.replay); // A ticket that is played again has its stakes.
    this.#showOptions();
    p.done.replaceChildren(...slip.done.map((bet) => element("li", "", strings.toBuy(bet, this.#catalogue, (c) => money(c, this.#catalogue.currency)))));
  }

  // buildField lays out what is marked: numbers, calls or rows.
  #buildField() {
    const { form, bet } = this.#slip;
    const key = `${form} ${bet.rows ?? ""}`;
    if (key === this.#built) return;
    this.#built = key;
    const field = this.#p.field;
    field.dataset.form = form;
    if (form === "calls") {
      field.replaceChildren(...["heads", "tails", "evens"].map((call) =>
        this.#button(strings.calls[call], () => Object.assign(this.#slip.marked, { call, pick: null, item: null }), { "data-call": call })));
      return;
    }
    const most = form === "race" ? bet.rows : this.#catalogue.of;
    const cells = Array.from({ length: most }, (_, i) => {
      const cell = element("button", "cell", String(i + 1), { type: "button", "data-number": i + 1, tabindex: i === 0 ? 0 : -1 });
      cell.addEventListener("click", () => {
        this.#slip.mark(i + 1);
        this.#act();
      });
      return cell;
    });
    field.replaceChildren(...cells);
    field.onkeydown = (event) => this.#walk(event, cells);
  }

  // walk moves over the board with the arrow keys: one stop for the tab key, not eighty.
  #walk(event, cells) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -cells.length, End: cells.length }[event.key];
    const at = cells.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const to = event.key === "Home" ? 0 : event.key === "End" ? cells.length - 1 : at + step;
    if (!cells[to]) return;
    cells[at].tabIndex = -1;
    cells[to].tabIndex = 0;
    cells[to].focus();
  }

  #showField() {
    const { form, marked } = this.#slip;
    for (const cell of this.#p.field.children) {
      if (form === "calls") {
        cell.setAttribute("aria-pressed", String(marked.call === cell.dataset.call && marked.pick === null));
        continue;
      }
      const number = Number(cell.dataset.number);
      const group = form === "race" ? (marked.groups[marked.at].includes(number) ? marked.at : -1) : this.#slip.groupOf(number);
      cell.dataset.group = group < 0 ? "" : group + 1;
      cell.setAttribute("aria-pressed", String(group >= 0));
      cell.setAttribute("aria-label", group < 0 ? String(number) : strings.inGroup(number, group, form));
      cell.dataset.sign = group >= 0 && (marked.groups.length > 1 || form === "race") ? strings.sign(group, form) : "";
    }
  }

  // showGroups shows the groups with their colours and letters, and which joins of them
  // are played.
  #showGroups() {
    const { form, bet, marked } = this.#slip;
    const list = this.#p.groups;
    if (form === "calls" || (form === "numbers" && !bet.ways)) {
      list.replaceChildren();
      return;
    }
    const shown = marked.groups.map((group, i) => this.#button(strings.group(i, group, form), () => this.#slip.group(i),
      { "data-group": i + 1, "aria-pressed": String(i === marked.at), class: "chip" }));
    const more = form === "numbers" && marked.groups.length < mostGroups
      ? [this.#button(strings.nextGroup, () => this.#slip.nextGroup(), { key: "/", "aria-disabled": String(marked.groups[marked.at].length === 0) })] : [];
    const joins = form === "numbers" && marked.groups.filter((g) => g.length).length > 1 && bet.ways?.types
      ? [element("span", "quiet joined-label", strings.joined), ...this.#slip.sums().map((size) => this.#button(strings.spots(size), () => this.#slip.toggleJoined(size),
        { "aria-pressed": String(marked.joined.includes(size)), class: "join" }))] : [];
    const listed = this.#slip.joins(), also = marked.ways.filter((way) => !listed.some((w) => w.join() === way.join()));
    const ways = [...listed, ...also].map((way) => this.#button(strings.way(way), () => this.#slip.toggleWay(way),
      { "aria-pressed": String(marked.ways.some((w) => w.join() === way.join())), "aria-label": strings.wayLabel(way), class: "join", "data-way": way.join("-") }));
    const marks = ways.length ? [element("span", "quiet joined-label", strings.waysOneByOne), ...ways] : [];
    list.replaceChildren(...shown, ...more, ...joins, ...marks);
  }

  // showOptions shows how the particulars were given, picks, the type of a race and what
  // hangs on the bet.
  #showOptions() {
    const slip = this.#slip, { bet, marked } = slip;
    const choice = (label, options, now, set) => {
      const list = element("select", "", options.map(([value, text]) => element("option", "", text, { value, selected: value === now })));
      list.addEventListener("change", () => {
        set(list.value);
        this.#act();
      });
      return element("label", "", [element("span", "", label), list]);
    };
    const rows = [];
    const methods = slip.methods();
    if (methods.length > 1) rows.push(choice(strings.method, methods.map((m) => [m, strings.methods[m] ?? m]), slip.method, (m) => { slip.method = m; }));
    if (slip.item?.random) rows.push(choice(strings.itemNumbers, Object.entries(strings.itemChoice), marked.random ? "random" : "fixed", (how) => { marked.random = how === "random"; }));
    if (bet.types) rows.push(choice(strings.type, bet.types.map((t) => [t.id, t.name]), marked.type, (t) => slip.setType(t)));
    if (bet.quick && bet.form === "numbers") {
      rows.push(choice(bet.quick, [["", strings.noPick], ...bet.sizes.map((n) => [String(n), strings.spots(n)])], marked.pick ? String(marked.pick) : "", (n) => this.#pick(Number(n) || null)));
    }
    const toggles = [];
    if (bet.quick && bet.form !== "numbers") toggles.push(this.#button(bet.quick, () => this.#pick("mystery"), { "aria-pressed": String(marked.pick !== null) }));
    if (bet.mystery) toggles.push(this.#button(bet.mystery, () => this.#pick("mystery"), { "aria-pressed": String(marked.pick === "mystery") }));
    if (bet.run) toggles.push(this.#button(strings.run, () => { marked.run = !marked.run; }, { "aria-pressed": String(marked.run) }));
    slip.features().forEach((f, i) => toggles.push(this.#button(f.name, () => slip.toggleFeature(f.id), { "aria-pressed": String(marked.with.includes(f.id)), key: `+${i + 1}` })));
    if (slip.runs) toggles.push(this.#button(strings.byRunner, () => { slip.runner = !slip.runner; }, { "aria-pressed": String(slip.runner) }));
    const focused = [...this.#p.options.querySelectorAll("select, button")].indexOf(document.activeElement);
    this.#p.options.replaceChildren(...rows, element("div", "toggles", toggles));
    if (focused >= 0) this.#p.options.querySelectorAll("select, button")[focused]?.focus();
  }

  #pick(size) {
    const marked = this.#slip.marked;
    Object.assign(marked, { pick: marked.pick === size ? null : size, call: null, item: null });
    if (this.#slip.form === "numbers") Object.assign(marked, { groups: [[]], at: 0 });
  }

  // stale says that the price shown is that of an earlier slip, which is not sold.
  stale() {
    this.#p.quote.dataset.state = "stale";
    this.#p.sell.disabled = true;
  }

  // quoted shows what the house says of the slip: a price, a refusal beside what it is
  // about, that it has not answered yet, or that it has not answered what was sent before.
  quoted({ price = null, refused = null, asking = false, awaited = "" } = {}) {
    const p = this.#p, currency = this.#catalogue.currency;
    p.quote.dataset.state = refused ? "refused" : awaited ? "awaited" : asking ? "asking" : price ? "priced" : "empty";
    write(p.price, price ? money(price.cost_cents, currency) : refused ? strings.notSold : awaited ? strings.notKnown : asking ? strings.asking : strings.markSlip);
    write(p.breakdown, price ? strings.breakdown(price) : awaited ? strings.awaited(strings.actions[awaited]) : "");
    write(p.fault, refused?.message ?? "");
    write(p["fault-clause"], refused?.clause ? strings.clause(refused.clause) : "");
    p.stake.setAttribute("aria-invalid", String(Boolean(refused?.field?.includes("stake"))));
    p.games.setAttribute("aria-invalid", String(Boolean(refused?.field?.endsWith("games"))));
    p.sell.disabled = !price;
  }
}
