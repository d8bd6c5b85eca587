// A kiosk: a player buys, checks and collects alone. This puts together the device, the
// slip, the till and the screens.
import { get, Refused, Unreachable } from "../kit/api.js";
import { element, parts as find, words, write } from "../kit/dom.js";
import { Feed } from "../kit/feed.js";
import { Status } from "../kit/status.js";
import { Gate } from "../kit/gate.js";
import { otherCode, parseScan } from "../kit/scan.js";
import { choose, inSeries, moveOn, ofSeries, seriesOf } from "../kit/series.js";
import { countdown, money, kioskStrings as strings, strings as all, terminalStrings, useDigits, useLocale } from "../kit/strings.js";
import { Slip } from "../terminal/slip.js";
import { Idle } from "./idle.js";
import { Papers } from "./paper.js";
import { screens } from "./screens.js";
import { Till } from "./till.js";

const p = find();
const again = 2_000; // until a house that does not answer is asked again, in milliseconds
const attention = { quiet: 60_000, patience: 30_000 };
const before = { bets: "attract", mark: "bets", terms: "mark", pay: "terms", presented: "serial", claim: "presented" };

words({ kiosk: strings });

class Kiosk {
  #gate = new Gate(p.gate, "kiosk", strings.gateTitle);
  #status = new Status(p, strings);
  #device;
  #counter;
  #catalogue;
  #papers;
  #idle;
  #screen = "attract";
  #from = "attract"; // the screen that asked for a paper
  #quoting = 0;
  #busy = false;
  #scanned = "";
  slip;
  till;
  price = null;
  refused = null;
  presented = null; // { serial, ticket or paper }
  typed = "";
  paid = 0;
  later = ""; // what to say where a ticket begins with another game than was shown
  jackpots = [];
  schedule = "";
  readsLimits = false;

  async open() {
    this.#device = await this.#gate.enter();
    await this.#connect();
    this.#idle = new Idle(attention, {
      asks: (seconds) => {
        write(p["there-said"], strings.endsIn(seconds));
        if (!p.there.open) p.there.showModal();
      },
      stays: () => p.there.close(),
      leaves: () => {
        p.there.close();
        this.#run(() => this.finish());
      },
    });
    this.#gate.leave();
    p.screen.hidden = p.visit.hidden = false;
    p.back.addEventListener("click", () => this.#back());
    p.finish.addEventListener("click", () => this.#run(() => this.finish()));
    addEventListener("keydown", (event) => this.#key(event));
    this.#follow();
    await this.#run(() => this.till.recover());
    await this.#run(() => this.finish());
  }

  // connect learns where the kiosk stands and what it sells. It goes on trying.
  async #connect() {
    for (;;) {
      try {
        this.#counter = await this.#device.ask("GET", inSeries(`/v1/terminals/${this.#device.terminal}`));
        this.#catalogue = await get(inSeries("/v1/catalogue"));
        if (this.#counter.channel === "sst" && this.#counter.receipt) break;
        const why = this.#catalogue.of ? strings.noKiosk(this.#device.terminal) : all.noKeno;
        await this.#device.forget();
        this.#device = await this.#gate.enter(why);
      } catch (error) {
        this.#status.connection("offline");
        this.#device = await this.#gate.after(error, this.#device);
        await new Promise((resolve) => setTimeout(resolve, again));
      }
    }
    await this.#device.countFrom(this.#counter.last_request);
    useLocale(this.#catalogue.locale);
    useDigits(this.#catalogue.game_digits);
    this.slip = new Slip(this.#catalogue, this.#counter.channel);
    this.till = new Till(this.#device, this.#counter.receipt, (waiting) => this.#waiting(waiting));
    this.#papers = new Papers(p, this.#device, this.#counter.printer);
    write(p.venue, this.#counter.venue_name);
    moveOn(this.#counter.series);
    choose(p.series, this.#counter.series);
    write(p.care, strings.care(this.#catalogue.care ?? ""));
    this.#status.connection("live");
  }

  // ------------------------------------------------------------ what the screens read

  get items() { return (this.#catalogue.items ?? []).filter((i) => !i.venue && (!i.channels || i.channels.includes(this.#counter.channel))); }
  get age() { return strings.age(this.#catalogue.minimum_age, this.#catalogue.age_clause); }
  get limits() { return (this.#catalogue.notice ?? []).filter((line) => line.channel === this.#counter.channel); }
  get soldReceipts() { return (this.#catalogue.instruments ?? []).some((i) => i.sold && this.takes(i.id)); }
  takes(kind) { return this.#counter.accepts.includes(kind); }
  get of() { return this.#catalogue.of; }
  get currency() { return this.#catalogue.currency; }
  get maxGames() { return this.#catalogue.max_games; }
  get most() { return this.#counter.receipt.most_cents ?? Infinity; }
  get missing() { return (this.price?.cost_cents ?? 0) - this.till.credit; }
  amount = (cents) => money(cents, this.currency);

  // ------------------------------------------------------------ the way through

  go(screen) {
    if (this.#screen === "attract" && screen !== "attract") this.till.begin();
    this.#screen = screen;
    this.#fault(null);
    this.show();
    p.answers.scrollTop = 0;
    this.#idle.watch(screen !== "attract");
  }

  #back() {
    this.go(this.#screen === "serial" ? this.#from : this.#screen === "mark" && this.slip.marked.item ? "bets" : this.#screen === "terms" && this.slip.marked.item ? "bets" : before[this.#screen] ?? "attract");
  }

  // show draws the screen as it is.
  show() {
    const { question, answers, acts } = screens[this.#screen](this);
    document.documentElement.dataset.screen = this.#screen;
    const at = p.answers.contains(document.activeElement) ? [...p.answers.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    write(p.question, question);
    p.answers.replaceChildren(...answers);
    if (at >= 0) p.answers.querySelectorAll("button")[at]?.focus();
    p.acts.replaceChildren(...acts.map((act) => {
      const made = element("button", act.main ? "main" : "", act.text, { type: "button", id: act.id, disabled: act.off });
      made.addEventListener("click", () => this.#run(act.run));
      return made;
    }));
    p.back.hidden = !(this.#screen in before) && this.#screen !== "serial";
    p.finish.hidden = this.#screen === "attract";
    write(p.spent, this.amount(this.till.spent));
    write(p.credit, this.amount(this.till.credit));
    this.#clock();
  }

  #clock() {
    write(p.time, strings.minutes(this.till.begun ? Math.floor((Date.now() - this.till.begun) / 60_000) : 0));
  }

  #fault(error) {
    write(p.fault, error?.message ?? "");
    write(p["fault-clause"], error?.clause ? strings.clause(error.clause) : "");
  }

  // run does an act, one at a time, and says what is wrong with it.
  async #run(act) {
    if (this.#busy) return;
    this.#setBusy(true);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
      this.show();
      this.#fault(error instanceof Refused ? error : { message: strings.noHouse });
    } finally {
      this.#setBusy(false);
    }
  }

  // setBusy lets nothing be touched while an act is under way, and nobody be taken for
  // gone who waits for it.
  #setBusy(busy) {
    this.#busy = busy;
    for (const part of document.querySelectorAll("header, main, footer")) part.inert = busy;
    if (busy) document.documentElement.dataset.busy = "true";
    else delete document.documentElement.dataset.busy;
    this.#idle.watch(!busy && this.#screen !== "attract");
  }

  #waiting(waiting) {
    if (waiting) this.#status.awaits(strings.pendingNotice);
    else this.#status.answered();
  }

  // ------------------------------------------------------------ the slip

  choose(bet) {
    this.slip.choose(bet);
    this.go("mark");
  }

  chooseItem(item) {
    this.slip.chooseItem(item);
    this.go("terms");
    this.#changed();
  }

  clear() { this.#change(() => this.slip.clear()); }
  mark(number) { this.#change(() => this.slip.mark(number)); }
  call(call) { this.#change(() => Object.assign(this.slip.marked, { call, pick: null })); }
  setType(type) { this.#change(() => this.slip.setType(type)); }
  place(at) { this.#change(() => this.slip.group(at)); }
  stake(cents) { this.#change(() => { this.slip.marked.stake = cents; }); }
  games(n) { this.#change(() => { this.slip.games = n; }); }
  feature(id) { this.#change(() => this.slip.toggleFeature(id)); }
  run() { this.#change(() => { this.slip.marked.run = !this.slip.marked.run; }); }

  pick(size) {
    this.#change(() => {
      const { marked, form } = this.slip;
      Object.assign(marked, { pick: marked.pick === size ? null : size, call: null });
      if (form === "numbers") Object.assign(marked, { groups: [[]], at: 0 });
    });
  }

  #change(act) {
    act();
    this.#changed();
  }

  // changed asks for the price of what is marked. Of several answers the newest counts.
  async #changed() {
    const asked = ++this.#quoting, ticket = this.slip.ticket();
    this.price = this.refused = null;
    this.#fault(null);
    this.show();
    if (!ticket) return;
    try {
      const price = await this.#device.ask("POST", "/v1/quote", { ...ofSeries, terminal: this.#device.terminal, method: this.slip.entered, ticket });
      if (asked !== this.#quoting) return;
      this.price = price;
      this.show();
    } catch (error) {
      if (asked !== this.#quoting) return;
      this.refused = error instanceof Refused ? error : { message: strings.noHouse };
      this.show();
      // While numbers are being marked a slip is not wrong yet.
      if (this.#screen !== "mark") this.#fault(this.refused);
      if (error instanceof Unreachable) setTimeout(() => asked === this.#quoting && this.#changed(), again);
    }
  }

  async buy() {
    const { cost_cents: expect, first_game: quoted } = this.price;
    const { first } = await this.till.buy(this.slip.entered, this.slip.ticket(), expect);
    this.later = first.game === quoted.game && first.day === quoted.day ? "" : strings.boughtLater(first, quoted);
    this.slip.clear();
    this.price = null;
    await this.#handOut();
    this.go("bought");
  }

  giveBack(serial) {
    this.till.giveBack(serial);
    this.show();
  }

  // handOut brings everything to the player that is ready.
  async #handOut() {
    this.#idle.watch(false);
    for (const sheet of [...this.till.sheets]) {
      await this.#papers.hand(sheet);
      this.till.handed(sheet);
    }
  }

  // finish hands out what is left and begins anew for the next player.
  async finish() {
    this.till.receipts();
    await this.#handOut();
    this.till.end();
    this.slip = new Slip(this.#catalogue, this.#counter.channel);
    this.price = this.presented = null;
    this.readsLimits = false;
    this.#from = "attract";
    this.go("attract");
  }

  // ------------------------------------------------------------ papers that are put in

  // type asks for a serial or a claim code.
  type(what) {
    if (what === "serial" && !["serial", "presented", "claim"].includes(this.#screen)) this.#from = this.#screen;
    this.typed = "";
    this.go(what);
  }

  get serialForm() { return this.#catalogue.serial_form; }

  key(symbol) {
    if (this.typed.length < 30) this.typed += symbol;
    this.show();
  }

  rubOut() {
    this.typed = this.typed.slice(0, -1);
    this.show();
  }

  send() {
    this.#run(() => this.#take(this.typed));
  }

  // key takes what a scanner types, on whatever screen it is.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && this.#scanned) {
      event.preventDefault();
      const text = this.#scanned;
      this.#scanned = "";
      this.#run(() => this.#take(text));
    } else if (event.key.length === 1 && event.key !== " ") this.#scanned += event.key;
  }

  // take finds out what was scanned or typed.
  async #take(text) {
    const found = parseScan(text);
    this.typed = "";
    if (found?.serial) return this.#look(found.serial);
    if (found?.claim && this.#screen !== "serial" && this.presented) return this.#open(found.claim);
    if (otherCode(text) && this.#screen !== "claim") return this.#look(otherCode(text));
    this.show();
    this.#fault({ message: this.#screen === "claim" ? strings.notClaim : strings.notSerial(this.serialForm) });
  }

  async #look(serial) {
    if (!["serial", "presented", "claim"].includes(this.#screen)) this.#from = this.#screen;
    const found = await this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}/presented/${encodeURIComponent(serial)}`);
    this.presented = { serial, ...found };
    this.go("presented");
  }

  // open does with what is presented what its holder may do: use a paper, be paid.
  async #open(claim) {
    const { serial, paper, ticket } = this.presented;
    if (paper) {
      if (!this.till.bring({ serial, claim, cents: paper.cents, name: terminalStrings.paperName(paper) })) throw new Refused(0, { code: "", sentence: strings.broughtBefore });
      this.presented = null;
      this.go(this.#from === "pay" ? "pay" : "bets");
      return;
    }
    if (ticket.unpaid_cents > this.most || ticket.unpaid_cents <= 0) return this.go("presented");
    const ended = await this.till.collect({ serial, claim, ticket });
    this.paid = ended.paid;
    this.presented = null;
    await this.#handOut();
    this.go("collected");
  }

  // ------------------------------------------------------------ the game on sale

  #follow() {
    let closes = null;
    const show = (board) => {
      const series = seriesOf(board), open = series?.open ?? null;
      closes = open ? Date.parse(open.closes) : null;
      write(p["sale-game"], open ? all.game(open.game) : all.noGameOpen);
      this.#status.tell(series?.paused ? all.pausedNotice(series.paused) : series?.notice ?? "");
      if (!open) for (const part of [p.countdown, p["closes-label"]]) write(part, "");
      const fills = new Map((series?.fills ?? []).map((f) => [f.spots, f.cents]));
      this.jackpots = (series?.jackpots ?? []).map((j) => [all.jackpot(j.spots), j.cents + (fills.get(j.spots) ?? 0)]).filter(([, cents]) => cents > 0).reverse();
      this.schedule = series?.schedule ?? "";
      if (this.#screen === "attract") this.show();
    };
    const feed = new Feed({
      board: show,
      event: (board, name) => {
        show(board);
        if (["game_opened", "game_closed", "play_paused", "play_resumed", "day_opened"].includes(name) && ["terms", "pay"].includes(this.#screen) && !this.#busy) this.#changed();
      },
      connection: (state) => this.#status.connection(state),
    });
    setInterval(() => {
      this.#clock();
      if (closes === null) return;
      const left = closes - feed.now();
      write(p.countdown, countdown(left));
      write(p["closes-label"], left > 0 ? all.closesIn : all.closing);
    }, 500);
    feed.start();
  }
}

new Kiosk().open();
