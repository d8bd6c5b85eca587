// Two small windows of the counter: papers that stand for money, and what a player card
// has.
import { Refused, Unreachable } from "../kit/api.js";
import { clock, terminalStrings as strings } from "../kit/strings.js";
import { element, write } from "../kit/dom.js";
import { centsOf } from "../kit/amount.js";

const shownMovements = 12; // of a card, the newest

// why says why something was not done.
const why = (error) => {
  if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
  return error instanceof Refused ? `${error.message}${error.clause ? ` ${strings.clause(error.clause)}` : ""}` : strings.noHouse;
};

// fields are those of a paper, by what the house calls them in a refusal.
const fields = { kind: "kind", paper: "kind", game_type: "game", cents: "amount", days: "days", approval: "approval" };

// VoucherSale asks for a paper to be sold, or with an approval to be issued at the
// operator's expense. What it hands to sell is
// { kind, game_type, cents, days, approval }.
export class VoucherSale {
  #p;
  #sell;
  #bets;

  constructor(parts, catalogue, sell) {
    this.#p = parts;
    this.#sell = sell;
    this.#bets = new Map(catalogue.bets.map((b) => [b.id, b.name]));
    this.kinds = (catalogue.instruments ?? []).filter((i) => i.issued).toSorted((a, b) => Number(Boolean(b.sold)) - Number(Boolean(a.sold)));
    parts["voucher-kind"].replaceChildren(...this.kinds.map((i) => element("option", "", i.sold ? i.name : strings.onlyGiven(i.name), { value: i.id })));
    parts["voucher-kind"].addEventListener("input", () => this.#games());
    parts["voucher-approval"].addEventListener("input", () => this.#label());
    parts["voucher-back"].addEventListener("click", () => parts.voucher.close());
    parts.voucher.firstElementChild.addEventListener("submit", (event) => this.#submit(event));
  }

  open() {
    const p = this.#p;
    p.voucher.firstElementChild.reset();
    this.#wrong("", "");
    this.#games();
    this.#label();
    p.voucher.showModal();
    p["voucher-amount"].focus();
  }

  // games offers the games for one of which such a voucher is made out, the usual one first.
  #games() {
    const p = this.#p, types = this.kinds.find((i) => i.id === p["voucher-kind"].value)?.game_types ?? [];
    p["voucher-game-row"].hidden = types.length === 0;
    p["voucher-game"].replaceChildren(...types.map((id) => element("option", "", this.#bets.get(id), { value: id })));
  }

  // label says who pays: the customer, or with an approval the operator.
  #label() {
    const p = this.#p, given = p["voucher-approval"].value.trim() !== "";
    write(p["voucher-title"], given ? strings.voucherGivenTitle : strings.voucherTitle);
    write(p["voucher-expense"], given ? strings.atExpense : "");
    write(p["voucher-sell"], given ? strings.issue : strings.sell);
  }

  // wrong says what is wrong beside the field that it is about, or else at the foot, and
  // nothing any more beside the others.
  #wrong(field, text) {
    const p = this.#p;
    for (const one of new Set(Object.values(fields))) {
      write(p[`voucher-${one}-fault`], one === field ? text : "");
      p[`voucher-${one}`].setAttribute("aria-invalid", String(one === field));
    }
    write(p["voucher-fault"], field ? "" : text);
    if (field) p[`voucher-${field}`].focus();
  }

  async #submit(event) {
    event.preventDefault();
    const p = this.#p, kind = this.kinds.find((i) => i.id === p["voucher-kind"].value);
    const cents = centsOf(p["voucher-amount"].value), days = p["voucher-days"].value.trim(), approval = p["voucher-approval"].value.trim();
    const [field, text] = !cents ? ["amount", strings.noAmount] : days && !/^\d{1,4}$/.test(days) ? ["days", strings.noDays]
      : approval && !/^\d{1,9}$/.test(approval) ? ["approval", strings.noApproval] : !approval && !kind.sold ? ["approval", strings.needsApproval(kind.name)] : ["", ""];
    this.#wrong(field, text);
    if (text) return;
    try {
      await this.#sell({ kind: kind.id, ...(kind.game_types ? { game_type: p["voucher-game"].value } : {}), cents, ...(days ? { days: Number(days) } : {}), ...(approval ? { approval: Number(approval) } : {}) });
    } catch (error) {
      this.#wrong(fields[error.field] ?? "", why(error));
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
      write(p["cards-fault"], why(error));
    }
  }
}
