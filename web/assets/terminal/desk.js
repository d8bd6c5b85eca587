// Two small windows of the counter: the sale of papers that stand for money, and what a
// player card has.
import { Refused, Unreachable } from "../kit/api.js";
import { clock, terminalStrings as strings } from "../kit/strings.js";
import { element, write } from "../kit/dom.js";
import { centsOf } from "./settle.js";

const shownMovements = 12; // of a card, the newest

// say writes why something was not done.
const say = (target, error) => {
  if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
  write(target, error instanceof Refused ? `${error.message}${error.clause ? ` ${strings.clause(error.clause)}` : ""}` : strings.noHouse);
};

// VoucherSale asks for a paper to be sold. What it hands to sell is { kind, cents, days }.
export class VoucherSale {
  #p;
  #sell;

  constructor(parts, catalogue, sell) {
    this.#p = parts;
    this.#sell = sell;
    this.kinds = (catalogue.instruments ?? []).filter((i) => i.sold);
    parts["voucher-kind"].replaceChildren(...this.kinds.map((i) => element("option", "", i.name, { value: i.id })));
    parts["voucher-back"].addEventListener("click", () => parts.voucher.close());
    parts.voucher.firstElementChild.addEventListener("submit", (event) => this.#submit(event));
  }

  open() {
    const p = this.#p;
    p.voucher.firstElementChild.reset();
    write(p["voucher-fault"], "");
    p.voucher.showModal();
    p["voucher-amount"].focus();
  }

  async #submit(event) {
    event.preventDefault();
    const p = this.#p, cents = centsOf(p["voucher-amount"].value), days = p["voucher-days"].value.trim();
    const wrong = !cents ? strings.noAmount : days && !/^\d{1,4}$/.test(days) ? strings.noDays : "";
    write(p["voucher-fault"], wrong);
    if (wrong) return;
    try {
      await this.#sell({ kind: p["voucher-kind"].value, cents, ...(days ? { days: Number(days) } : {}) });
    } catch (error) {
      say(p["voucher-fault"], error);
    }
  }
}

// CardWindow shows what a player card has and what happened on it, and takes cash for it.
export class CardWindow {
  #p;
  #ask;
  #bring;
  #amount;

  constructor(parts, { ask, bring, amount }) {
    this.#p = parts;
    this.#ask = ask;
    this.#bring = bring;
    this.#amount = amount;
    parts["cards-bring"].addEventListener("input", () => this.#label());
    parts["cards-back"].addEventListener("click", () => parts.cards.close());
    parts.cards.firstElementChild.addEventListener("submit", (event) => this.#submit(event));
  }

  open() {
    const p = this.#p;
    p.cards.firstElementChild.reset();
    for (const part of ["cards-fault", "cards-funds"]) write(p[part], "");
    p["cards-moves"].replaceChildren();
    this.#label();
    p.cards.showModal();
    p["cards-number"].focus();
  }

  #label() {
    write(this.#p["cards-go"], this.#p["cards-bring"].value.trim() ? strings.takeCash : strings.show);
  }

  async #submit(event) {
    event.preventDefault();
    const p = this.#p, number = p["cards-number"].value.trim(), cents = centsOf(p["cards-bring"].value);
    const wrong = !/^\d{1,9}$/.test(number) ? strings.noCard : cents === 0 || Number.isNaN(cents) ? strings.noAmount : "";
    write(p["cards-fault"], wrong);
    if (wrong) return;
    try {
      if (cents) await this.#bring(Number(number), cents);
      p["cards-bring"].value = "";
      this.#label();
      const card = await this.#ask(Number(number));
      write(p["cards-fault"], "");
      write(p["cards-funds"], strings.cardFunds(card, this.#amount(card.funds_cents)));
      const moves = card.movements.slice(-shownMovements).reverse();
      p["cards-moves"].replaceChildren(...(moves.length ? moves.map((m) => element("li", "", [
        element("span", "", strings.cardMove(m, clock(m.time))), element("span", "amount", this.#amount(m.cents))])) : [element("li", "quiet none", strings.noMoves)]));
    } catch (error) {
      write(p["cards-funds"], "");
      p["cards-moves"].replaceChildren();
      say(p["cards-fault"], error);
    }
  }
}
