// The customer at the counter: what was bought, paid and given back, what it comes to,
// and how it is settled. The house keeps the account; this shows it.
import { money, terminalStrings as strings } from "../kit/strings.js";
import { element, write } from "../kit/dom.js";

export class Visit {
  #p;
  #currency;
  #means;
  #session = { open: false, owed_cents: 0, lines: [] };
  #papers = []; // that the customer has brought, each { serial, claim, name, cents }
  #line; // tells the customer's display

  constructor(parts, catalogue) {
    this.#p = parts;
    this.#currency = catalogue.currency;
    this.#means = (catalogue.means ?? []).filter((m) => !m.payee);
    this.#line = new BroadcastChannel("drawhouse-customer");
    this.#p.given.addEventListener("input", () => this.#showChange());
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

  // tell shows the customer what the writer sees: the sum, and what came last.
  tell(words = "") {
    const last = this.#session.lines.at(-1);
    this.#line.postMessage({
      open: this.isOpen, label: this.owed < 0 ? strings.toYou : strings.toPay, sum: this.amount(Math.abs(this.owed)),
      last: words || (last ? `${strings.acts[last.act] ?? last.act} ${this.amount(Math.abs(last.cents))}` : ""), count: this.#session.lines.length,
    });
  }

  // settle opens the end of the visit. It returns once the writer has decided: the body
  // of the request but for the claim codes, or null to go on.
  settle() {
    const p = this.#p;
    write(p["settle-title"], strings.settleTitle);
    const rows = [[strings.account, this.#session.owed_cents], ...this.#papers.map((x) => [x.name, -x.cents])];
    p["settle-sums"].replaceChildren(...[...rows, [this.owed < 0 ? strings.toCustomer : strings.toPay, Math.abs(this.owed)]]
      .map(([text, cents]) => element("div", "", [element("dt", "", text), element("dd", "amount", this.amount(cents))])));
    p["given-label"].hidden = this.owed <= 0;
    p.means.hidden = this.owed >= 0;
    p.means.replaceChildren(p.means.firstElementChild, ...this.#means.map((m, i) =>
      element("label", "", [element("input", "", "", { type: "radio", name: "means", value: m.id, checked: i === 0 }), strings.mean(m.id)])));
    p.given.value = "";
    write(p["settle-fault"], "");
    write(p["settle-clause"], "");
    this.#showChange();
    p.settle.showModal();
    (this.owed > 0 ? p.given : p["settle-end"]).focus();
    return new Promise((resolve) => {
      p.settle.onclose = () => resolve(null);
      p["settle-back"].onclick = () => p.settle.close();
      p.settle.firstElementChild.onsubmit = (event) => {
        event.preventDefault();
        if (this.#given() !== null && this.#given() < this.owed) {
          write(p["settle-fault"], strings.tooLittle);
          return;
        }
        p.settle.onclose = null;
        resolve(this.#order());
      };
    });
  }

  #order() {
    const body = { expect_cents: this.#session.owed_cents };
    if (this.#papers.length) body.papers = this.#papers.map(({ serial, claim }) => ({ serial, claim_code: claim }));
    const means = this.#p.means.querySelector(":checked")?.value;
    if (this.owed < 0 && means) body.pay = [{ means }];
    return body;
  }

  // given is the cash on the counter in cents, or null if nobody said.
  #given() {
    const text = this.#p.given.value.replaceAll(/[$,\s]/g, "");
    return text === "" || !Number.isFinite(Number(text)) ? null : Math.round(Number(text) * 100);
  }

  #showChange() {
    const given = this.#given();
    const short = given !== null && given < this.owed;
    write(this.#p.change, this.owed > 0 && given !== null ? (short ? strings.short(this.amount(this.owed - given)) : strings.change(this.amount(given - this.owed))) : "");
  }

  refused(error) {
    write(this.#p["settle-fault"], error.message);
    write(this.#p["settle-clause"], error.clause ? strings.clause(error.clause) : "");
  }
}
