// The customer at the counter: what was bought, paid and given back, what it comes to,
// and how it is settled. The house keeps the account; this shows it.
import { money, terminalStrings as strings, useDigits, useLocale } from "../kit/strings.js";
import { element, write } from "../kit/dom.js";
import { Settlement } from "./settle.js";

export class Visit {
  #p;
  #offer; // the catalogue
  #currency;
  #settlement;
  #session = { open: false, owed_cents: 0, lines: [] };
  #papers = []; // that the customer has brought, each { serial, claim, name, cents }
  #line; // tells the customer's display
  #slip = { bets: [], price: "" }; // what the writer has marked, in words

  constructor(parts, catalogue, accepts) {
    this.#p = parts;
    this.#offer = catalogue;
    this.#currency = catalogue.currency;
    useLocale(catalogue.locale);
    useDigits(catalogue.game_digits);
    this.#settlement = new Settlement(parts, catalogue, accepts, (cents) => this.amount(cents));
    this.#line = new BroadcastChannel("drawhouse-customer");
    this.show();
  }

  get papers() { return this.#papers; }
  get session() { return this.#session; }

  // owed is what the customer owes beyond the papers, or is owed when negative.
  get owed() { return this.#session.owed_cents - this.#papers.reduce((sum, p) => sum + p.cents, 0); }
  get isOpen() { return this.#session.open || this.#papers.length > 0; }

  amount(cents) { return money(cents, this.#currency); }

  // account takes what the house says of the session.
  account(session) {
    this.#session = { lines: [], ...session };
    this.show();
  }

  // comes takes what the house says that the session comes to with these papers: they may pay for a
  // ticket in place of a voucher, which then goes back.
  comes(cents) {
    this.#session.owed_cents = cents;
    this.show();
  }

  bring(paper) {
    if (this.#papers.some((p) => p.serial === paper.serial)) return false;
    this.#papers.push(paper);
    this.show();
    return true;
  }

  over() {
    this.#papers = [];
    this.account({ open: false, owed_cents: 0 });
  }

  show() {
    const p = this.#p;
    write(p["visit-title"], strings.customer(this.isOpen, this.#session.session));
    const line = (text, serial, cents) => element("li", "", [element("span", "", text), element("span", "quiet serial", strings.grouped(serial)), element("span", "amount", this.amount(cents))]);
    const lines = [...this.#session.lines.map((l) => line(strings.acts[l.act] ?? l.act, l.serial, l.cents)), ...this.#papers.map((x) => line(x.name, x.serial, -x.cents))];
    p.lines.replaceChildren(...(lines.length ? lines : [element("li", "quiet none", strings.noLines)]));
    p.lines.scrollTop = p.lines.scrollHeight;
    write(p["owed-label"], this.owed < 0 ? strings.toCustomer : strings.toPay);
    write(p.owed, this.amount(Math.abs(this.owed)));
    p.finish.disabled = !this.isOpen;
    this.tell();
  }

  // slip shows the customer what is marked and has a price, before it is sold.
  slip(ticket, price) {
    const bets = !price ? [] : ticket.replay ? [strings.playedAgain] : ticket.bets.map((bet) => strings.toBuy(bet, this.#offer, (cents) => this.amount(cents)));
    this.#slip = { bets, price: price ? `${this.amount(price.cost_cents)}: ${strings.breakdown(price)}` : "" };
    this.tell();
  }

  // tell shows the customer what the writer sees: the slip, the sum, and what came last.
  tell(words = "") {
    const last = this.#session.lines.at(-1);
    this.#line.postMessage({
      open: this.isOpen, label: this.owed < 0 ? strings.toYou : strings.toPay, sum: this.amount(Math.abs(this.owed)),
      last: words || (last ? `${strings.acts[last.act] ?? last.act} ${this.amount(Math.abs(last.cents))}` : ""), count: this.#session.lines.length,
      slip: this.#slip,
    });
  }

  // settle asks how the visit ends. It returns the body of the request but for the claim
  // codes, and who the payee is, or null to go on.
  async settle() {
    return this.#with(await this.#settlement.open(this.owed, [[strings.account, this.#session.owed_cents], ...this.#papers.map((x) => [x.name, -x.cents])]));
  }

  // again asks once more, after the house has said why it does not end so.
  async again(error) {
    return this.#with(await this.#settlement.again(error));
  }

  #with(decided) {
    if (!decided) return null;
    const papers = this.#papers.length ? { papers: this.#papers.map(({ serial, claim }) => ({ serial, claim_code: claim })) } : {};
    return { payee: decided.payee, body: { expect_cents: this.#session.owed_cents, ...papers, ...decided.order } };
  }
}
