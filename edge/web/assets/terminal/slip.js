// What the writer has marked: a ticket in the making. It knows what the catalogue
// offers and nothing of limits and prices, which the house says.

export const mostGroups = 8; // that have a colour of their own
const first = 100; // cents, the stake until another is said
const listedGroups = 4; // up to which all their joins are listed to be marked

// Slip is one ticket with its bets; the last one is being marked.
export class Slip {
  #catalogue;
  #channel;

  constructor(catalogue, channel) {
    this.#catalogue = catalogue;
    this.#channel = channel;
    this.clear();
  }

  get bets() { return this.#catalogue.bets; }
  get bet() { return this.bets.find((b) => b.id === this.marked.bet); }
  get form() { return this.bet.form; }

  // clear begins a new ticket with the same kind of bet. Its stake is that of no ticket
  // before: nobody pays what somebody else has chosen.
  clear() {
    this.#blank(this.marked?.bet ?? this.bets[0].id);
  }

  // over is clear for another customer.
  over() {
    this.#blank(this.bets[0].id);
  }

  #blank(bet) {
    this.marked = null;
    this.done = [];
    this.games = 1;
    this.replay = "";
    this.runner = false; // A runner brought the entry.
    this.method = this.methods(bet)[0] ?? "form";
    this.#begin(bet);
  }

  #begin(bet) {
    this.marked = { bet, groups: [[]], at: 0, joined: [], pick: null, call: null, run: false, ways: [], type: this.bets.find((b) => b.id === bet).types?.[0]?.id ?? null, stake: this.marked?.stake ?? first, with: [], item: null, random: false };
    if (this.form === "race") this.#fitPlaces();
  }

  // choose marks another kind of bet.
  choose(bet) {
    if (this.marked.bet === bet && !this.marked.item && !this.replay) return;
    this.replay = "";
    this.#begin(bet);
  }

  // replays reports whether an old ticket may be played again here.
  get replays() { return this.#catalogue.entries.some((e) => e.channel === this.#channel && e.method === "replay"); }

  // playAgain makes the slip an old ticket once more; how many games it plays is what it
  // played, unless another number is marked.
  playAgain(serial) {
    this.clear();
    Object.assign(this, { replay: serial, games: null });
  }

  // chooseItem takes a ready ticket.
  chooseItem(item) {
    this.replay = "";
    this.games ??= 1;
    this.#begin(item.bet);
    this.marked.item = item.id;
    if (item.stake_cents) this.marked.stake = item.stake_cents;
    if (item.games) this.games = item.games;
  }

  // item is the ready ticket that is marked, if there is one.
  get item() { return (this.#catalogue.items ?? []).find((i) => i.id === this.marked.item); }

  // methods are how a writer may have been given such a bet; ready tickets, picks and
  // replays are what they are.
  methods(bet = this.marked.bet) {
    const told = this.#catalogue.entries.filter((e) => e.channel === this.#channel && (!e.bets || e.bets.includes(bet)));
    return [...new Set(told.map((e) => e.method))].filter((m) => m !== "replay" && m !== "item");
  }

  // entered is the method that is sent.
  get entered() {
    if (this.replay) return "replay";
    const items = this.#catalogue.entries.some((e) => e.channel === this.#channel && e.method === "item");
    return (this.marked.item || this.marked.pick) && items ? "item" : this.method;
  }

  // runs reports whether a runner may bring such an entry.
  get runs() { return this.#catalogue.entries.some((e) => e.channel === this.#channel && e.runner && e.method === this.entered && (!e.bets || e.bets.includes(this.marked.bet))); }

  // given is how the entry came, as requests say it.
  get given() { return { method: this.entered, ...(this.runner && this.runs ? { runner: true } : {}) }; }

  features() {
    const ways = this.marked.groups.filter((g) => g.length).length > 1;
    return (this.#catalogue.features ?? []).filter((f) => f.bets.includes(this.marked.bet) && (!ways || f.ways) && (!f.run_only?.includes(this.marked.bet) || this.marked.run));
  }

  toggleFeature(id) {
    const on = this.marked.with;
    this.marked.with = on.includes(id) ? on.filter((f) => f !== id) : [...on, id];
  }

  // mark marks a number, or takes its mark away.
  mark(number) {
    const m = this.marked;
    if (m.item) this.#begin(m.bet);
    if (this.replay) this.clear();
    this.marked.pick = null;
    const groups = this.marked.groups;
    const was = groups.findIndex((g) => g.includes(number));
    if (this.form === "race") return this.#markRow(number);
    if (was >= 0) groups[was] = groups[was].filter((n) => n !== number);
    if (was !== this.marked.at) groups[this.marked.at] = [...groups[this.marked.at], number].sort((a, b) => a - b);
  }

  #markRow(row) {
    const groups = this.marked.groups, at = this.marked.at;
    groups[at] = groups[at].includes(row) ? groups[at].filter((n) => n !== row) : [...groups[at], row].sort((a, b) => a - b);
  }

  // group goes on with another group, or place of a race, counted from 0.
  group(at) {
    const most = this.form === "race" ? this.marked.groups.length : mostGroups;
    if (this.form === "calls" || at < 0 || at >= most) return;
    while (this.marked.groups.length <= at) this.marked.groups.push([]);
    this.marked.at = at;
  }

  nextGroup() {
    if (this.marked.groups[this.marked.at].length || this.form === "race") this.group(this.marked.at + 1);
  }

  // groupOf says in which group a number is, or -1.
  groupOf(number) {
    return this.marked.groups.findIndex((g) => g.includes(number));
  }

  setType(type) {
    this.marked.type = type;
    this.#fitPlaces();
  }

  #fitPlaces() {
    const { places } = this.bet.types.find((t) => t.id === this.marked.type);
    this.marked.groups = Array.from({ length: places }, (_, i) => this.marked.groups[i] ?? []);
    this.marked.at = 0;
  }

  // sums are the sizes that joined groups can have, as far as they are sold.
  sums() {
    const sizes = this.marked.groups.map((g) => g.length).filter(Boolean);
    const reached = new Set([0]);
    for (const size of sizes) for (const sum of [...reached]) reached.add(sum + size);
    return (this.bet.sizes ?? []).filter((size) => reached.has(size));
  }

  toggleJoined(size) {
    const on = this.marked.joined;
    this.marked.joined = on.includes(size) ? on.filter((n) => n !== size) : [...on, size].sort((a, b) => a - b);
  }

  // toggleWay marks a join of groups, counted from 1, or takes its mark away.
  toggleWay(groups) {
    const way = [...new Set(groups)].sort((a, b) => a - b), on = this.marked.ways, key = way.join();
    if (way.some((g) => !this.marked.groups[g - 1]?.length)) return false;
    this.marked.ways = on.some((w) => w.join() === key) ? on.filter((w) => w.join() !== key) : [...on, way];
    return true;
  }

  // joins are all joins of the groups, as far as there are few enough to list.
  joins() {
    const groups = this.marked.groups.filter((g) => g.length).length;
    if (!this.bet.ways?.marks || groups < 2 || groups > listedGroups) return [];
    return Array.from({ length: 2 ** groups - 1 }, (_, i) => Array.from({ length: groups }, (_, g) => g + 1).filter((g) => (i + 1) & (1 << (g - 1))))
      .sort((a, b) => a.length - b.length || a.join().localeCompare(b.join()));
  }

  // addBet begins another bet of the same ticket.
  addBet() {
    if (this.isEmpty() || this.replay) return;
    this.done.push(this.#bet());
    this.#begin(this.marked.bet);
  }

  // isEmpty reports whether nothing is marked.
  isEmpty() {
    if (this.replay) return false;
    const m = this.marked;
    return !m.item && m.pick === null && m.call === null && m.groups.every((g) => g.length === 0);
  }

  #bet() {
    const m = this.marked, bet = { bet: m.bet, stake_cents: m.stake };
    if (m.item) Object.assign(bet, { item: m.item });
    if (m.item) delete bet.bet;
    if (this.item?.stake_cents) delete bet.stake_cents;
    if (this.item?.random) bet.random = m.random; // The player says which, where there is a choice.
    if (!m.item) Object.assign(bet, this.#shape());
    if (m.with.length) bet.with = Object.fromEntries(m.with.map((id) => [id, {}]));
    return bet;
  }

  #shape() {
    const m = this.marked;
    if (this.form === "calls") return { calls: m.pick !== null ? { pick: 1 } : [m.call], ...(m.run ? { run: true } : {}) };
    if (this.form === "race") return { type: m.type, places: m.pick !== null ? { pick: "mystery" } : m.groups };
    if (m.pick !== null) return { spots: { pick: m.pick } };
    const groups = m.groups.filter((g) => g.length);
    if (groups.length < 2) return { spots: groups[0] ?? [] };
    const marked = m.ways.filter((way) => way.every((g) => g <= groups.length));
    if (marked.length) return { groups, play: { ways: marked } };
    const joined = m.joined.filter((size) => this.sums().includes(size));
    return { groups, play: joined.length ? { spots: joined } : this.bet.ways?.all ? "all" : { groups: [groups.length] } };
  }

  // ticket is the request as the house reads it, or null while nothing is marked.
  ticket() {
    if (this.replay) return { v: 1, rulebook: this.#catalogue.rulebook, first: "open", ...(this.games ? { games: this.games } : {}), replay: this.replay };
    const bets = this.isEmpty() ? this.done : [...this.done, this.#bet()];
    if (bets.length === 0) return null;
    return { v: 1, rulebook: this.#catalogue.rulebook, first: "open", games: this.games, bets };
  }
}
