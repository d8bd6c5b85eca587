// The end of a visit: by what the customer pays, or how the customer is paid. What is
// allowed is for the house to say; this asks the writer for what only the writer knows.
import { terminalStrings as strings } from "../kit/strings.js";
import { element, write } from "../kit/dom.js";
import { centsOf } from "../kit/amount.js";

const details = ["name", "address", "phone", "account"]; // of a payee

export class Settlement {
  #p;
  #means;
  #accepts;
  #runs; // runners may bring entries
  #amount;
  #owed = 0;
  #named = false; // the house has asked who the payee is

  constructor(parts, catalogue, accepts, amount) {
    this.#p = parts;
    this.#means = catalogue.means ?? [];
    this.#accepts = accepts;
    this.#runs = catalogue.entries.some((e) => e.runner);
    this.#amount = amount;
    this.#buildMeans();
    for (const field of [parts.given, parts.chips, parts.card, parts["card-part"], parts.unpaid]) field.addEventListener("input", () => this.#show());
  }

  // buildMeans lists how a customer may be paid: one of them takes the rest, and each may
  // take a part before it.
  #buildMeans() {
    const row = (id, text, checked) => element("div", "mean", [
      element("label", "", [element("input", "", "", { type: "radio", name: "means", value: id, checked }), text]),
      ...(id ? [element("input", "part", "", { "data-means": id, inputmode: "decimal", autocomplete: "off", placeholder: strings.part, "aria-label": strings.partBy(strings.mean(id)) })] : [])]);
    this.#p.means.append(row("", strings.byRules, true), ...this.#means.map((m) => row(m.id, strings.mean(m.id), false)));
    this.#p.means.addEventListener("input", () => this.#show());
  }

  // open asks. It returns what was decided, or null if the writer goes back.
  open(owed, rows) {
    const p = this.#p;
    this.#owed = owed;
    this.#named = false;
    write(p["settle-title"], strings.settleTitle);
    p["settle-sums"].replaceChildren(...[...rows, [owed < 0 ? strings.toCustomer : strings.toPay, Math.abs(owed)]]
      .map(([text, cents]) => element("div", "", [element("dt", "", text), element("dd", "amount", this.#amount(cents))])));
    p.settle.querySelector("form").reset();
    this.refused(null);
    if (!p.settle.open) p.settle.showModal();
    (owed > 0 ? p.given : p["settle-end"]).focus();
    return this.#decided();
  }

  #decided() {
    const p = this.#p;
    return new Promise((resolve) => {
      p.settle.onclose = () => resolve(null);
      p["settle-back"].onclick = () => p.settle.close();
      p.settle.firstElementChild.onsubmit = (event) => {
        event.preventDefault();
        const fault = this.#fault();
        write(p["settle-fault"], fault);
        if (fault) return;
        p.settle.onclose = null;
        resolve(this.#order());
      };
    });
  }

  // again asks once more, with what is typed still there and what the house said about it.
  again(error) {
    this.#named ||= error.code === "payee_missing";
    this.refused(error);
    if (this.#named && !this.#p["payee-name"].value) this.#p["payee-name"].focus();
    return this.#decided();
  }

  refused(error) {
    write(this.#p["settle-fault"], error?.message ?? "");
    write(this.#p["settle-clause"], error?.clause ? strings.clause(error.clause) : "");
    this.#show();
  }

  // parts are what was typed beside the means of paying.
  get #parts() { return [...this.#p.means.querySelectorAll(".part")].map((field) => ({ means: field.dataset.means, cents: centsOf(field.value) })).filter((part) => part.cents !== null); }
  get #rest() { return this.#p.means.querySelector(":checked")?.value ?? ""; }
  get #chips() { return centsOf(this.#p.chips.value) ?? 0; }

  // card is what a player card pays: all that is left, unless a part is said.
  get #card() {
    const number = Number(this.#p.card.value);
    if (!number || this.#owed <= 0) return { number: 0, cents: 0 };
    return { number, cents: centsOf(this.#p["card-part"].value) ?? Math.max(0, this.#owed - this.#chips) };
  }

  get #cash() { return this.#owed - this.#chips - this.#card.cents; } // left to pay in cash
  get #needsPayee() { return this.#named || this.#means.some((m) => m.payee && (m.id === this.#rest || this.#parts.some((part) => part.means === m.id))); }

  // show shows what has to do with the visit, and what is left to pay in cash.
  #show() {
    const p = this.#p, owes = this.#owed > 0, due = this.#owed < 0;
    p["given-label"].hidden = !owes;
    p["chips-label"].hidden = !owes || !this.#accepts.includes("chips");
    p["card-fields"].hidden = !owes || !this.#accepts.includes("player_card");
    p["unpaid-label"].hidden = !owes;
    p.means.hidden = p["anonymous-label"].hidden = !due;
    p.payee.hidden = !due || !this.#needsPayee;
    p["runner-label"].hidden = !this.#runs;
    const given = centsOf(p.given.value), cash = this.#cash, other = owes && cash !== this.#owed ? `${strings.inCash(this.#amount(Math.max(0, cash)))} ` : "";
    write(p.change, !owes ? "" : other + (given === null ? "" : p.unpaid.checked ? strings.loss(this.#amount(Math.max(0, cash - given))) : given < cash ? strings.short(this.#amount(cash - given)) : strings.change(this.#amount(given - cash))));
  }

  // fault says what cannot be sent, before the house is asked.
  #fault() {
    const p = this.#p, given = centsOf(p.given.value);
    const amounts = [given, centsOf(p.chips.value), centsOf(p["card-part"].value), ...this.#parts.map((part) => part.cents)];
    if (amounts.some((cents) => Number.isNaN(cents))) return strings.noAmount;
    if (p.card.value && !/^\d{1,9}$/.test(p.card.value.trim())) return strings.noCard;
    if (p.runner.value && !/^\d{1,9}$/.test(p.runner.value.trim())) return strings.noRunner;
    if (this.#owed > 0 && given !== null && !p.unpaid.checked && given < this.#cash) return strings.tooLittle;
    return "";
  }

  // order is what was decided, as far as a request says it, and who the payee is.
  #order() {
    const p = this.#p, card = this.#card, order = {};
    if (this.#chips) order.chips_cents = this.#chips;
    if (card.number && card.cents) Object.assign(order, { card: card.number, card_cents: card.cents });
    if (this.#owed > 0 && p.unpaid.checked) Object.assign(order, { unpaid: true, cash_cents: centsOf(p.given.value) ?? 0 });
    if (p.list.checked) order.print = true;
    if (p.runner.value.trim()) order.runner = Number(p.runner.value);
    if (this.#owed >= 0) return { order, payee: null };
    const pay = this.#parts.filter((part) => part.means !== this.#rest);
    if (this.#rest) pay.push({ means: this.#rest });
    if (pay.length) order.pay = pay;
    if (p.anonymous.checked) order.anonymous = true;
    if (p.looked.checked) order.checked = true;
    const payee = Object.fromEntries(details.map((key) => [key, p[`payee-${key}`].value.trim()]).filter(([, text]) => text));
    return { order, payee: !p.payee.hidden && payee.name ? payee : null };
  }
}
