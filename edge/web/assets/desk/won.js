// What was found good in the games of the session that are over, for fraud that is found
// late (9.4.2): the casino takes from a claim what it won.
import { element, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";

export class Won {
  #p;
  #ask; // opens the dialog of an act

  constructor(parts, ask) {
    this.#p = parts;
    this.#ask = ask;
  }

  show(desk, money) {
    const p = this.#p, key = JSON.stringify(desk.won);
    p["won-panel"].hidden = desk.won.length === 0;
    if (p.won.dataset.key === key) return; // No button moves under a finger.
    p.won.dataset.key = key;
    write(p["won-title"], strings.won(desk.won.length));
    p.won.replaceChildren(...desk.won.map((prize) => this.#line(prize, money)));
  }

  #line(prize, money) {
    const made = element("button", "", strings.fraud, { type: "button", "data-do": "fraud" });
    made.addEventListener("click", () => this.#ask(strings.fraudTitle(prize), [["reason", strings.reason], ["refund", strings.fraudRefund, "tick"]], async (station, values, who) => {
      await station.confirm(`/sessions/${prize.session}/games/${prize.game}/invalidation`, { claims: [prize.claim], reason: values.reason, refund: values.refund }, who);
      return strings.fraudDone(prize);
    }));
    return element("li", "", [
      element("div", "", [element("strong", "", `${strings.prize(prize, prize.session)}, ${money(prize.cents + prize.jackpot_cents)}`), element("p", "quiet", strings.prizeOf(prize))]),
      element("div", "acts", [made]),
    ], { "data-won": `${prize.game}/${prize.claim}` });
  }
}
