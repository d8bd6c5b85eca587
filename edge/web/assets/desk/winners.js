// Winners of promotional prizes who are to be told of them, the first one first: they need
// not be present at the draw, and the rules give the house some days.
import { element, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";

export class Winners {
  #p;
  #run;
  #method = {}; // by prize, so that a list that is drawn anew keeps it

  constructor(parts, run) {
    this.#p = parts;
    this.#run = run;
  }

  show({ promotions = [] }) {
    const untold = promotions.flatMap((o) => o.prizes.filter((prize) => prize.tell_until).map((prize) => ({ ...prize, promotion: o.promotion, of: o.name })))
      .toSorted((a, b) => a.tell_until.localeCompare(b.tell_until));
    this.#p["winners-panel"].hidden = untold.length === 0;
    write(this.#p["winners-title"], strings.winners(untold.length));
    const key = JSON.stringify(untold);
    if (this.#p.winners.dataset.key === key) return; // No button moves under a finger.
    this.#p.winners.dataset.key = key;
    this.#p.winners.replaceChildren(...untold.map((prize) => this.#line(prize)));
  }

  #line(prize) {
    const key = `${prize.promotion}/${prize.prize}`;
    const select = element("select", "", Object.entries(strings.tellMethods).map(([id, text]) => element("option", "", text, { value: id })));
    select.value = this.#method[key] ??= select.value;
    select.addEventListener("change", () => { this.#method[key] = select.value; });
    return element("li", "", [
      element("div", "", [element("strong", "", strings.winner(prize)), element("p", prize.overdue ? "fault" : "quiet", strings.tellUntil(prize)), ...(prize.told.length ? [element("p", "quiet", strings.toldBefore(prize.told))] : [])]),
      element("div", "acts", [element("label", "", [element("span", "", strings.tellBy), select]), this.#button(strings.notReached, "not-reached", prize, false), this.#button(strings.reached, "reached", prize, true)]),
    ], { "data-winner": key });
  }

  #button(text, name, prize, reached) {
    const made = element("button", reached ? "main" : "", text, { type: "button", "data-do": name });
    made.addEventListener("click", () => this.#run(async (station) => {
      await station.send(`/promotions/${prize.promotion}/prizes/${prize.prize}/notices`, { method: this.#method[`${prize.promotion}/${prize.prize}`], reached });
      return reached ? strings.reachedNow(prize.winner) : strings.notReachedNow(prize.winner);
    }));
    return made;
  }
}
