// What was won and is not paid, and the session's issue and end.
import { element, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";

export class Prizes {
  #p;
  #run;
  #desk = null;
  #money = String;
  #chosen = {}; // media by claim, so that a list that is drawn anew keeps them

  constructor(parts, run) {
    this.#p = parts;
    this.#run = run;
  }

  show(desk, money) {
    this.#desk = desk;
    this.#money = money;
    // Refunds of the session that is shown stand with its players.
    const refunds = desk.refunds.filter((r) => r.session !== desk.session), owed = desk.prizes.length + refunds.length + desk.awards.length;
    this.#p["prizes-panel"].hidden = !owed && (!desk.session || desk.phase === "entering");
    write(this.#p["prizes-title"], strings.prizes(owed));
    const key = JSON.stringify([desk.prizes, refunds, desk.awards]);
    if (this.#p.prizes.dataset.key === key) return; // No button moves under a finger.
    this.#p.prizes.dataset.key = key;
    const lines = [...desk.prizes.map((prize) => this.#line(prize)), ...refunds.map((r) => this.#refund(r)), ...desk.awards.map((a) => this.#award(a))];
    this.#p.prizes.replaceChildren(...(lines.length ? lines : [element("li", "quiet", strings.noPrizes)]));
  }

  #owed(name, text, quiet, cents, media, act) {
    const pay = element("button", "main", `${strings.pay} ${this.#money(cents)}`, { type: "button", "data-do": "pay" });
    pay.addEventListener("click", act);
    return element("li", "", [element("div", "", [element("strong", "", text), ...(quiet ? [element("p", "quiet", quiet)] : [])]), element("div", "acts", [...media, pay])], { "data-prize": name });
  }

  // refund is of a session that is not shown any more.
  #refund(r) {
    return this.#owed(`refund/${r.session}/${r.player}`, strings.owedRefund(r), "", r.cents, [], () => this.#run(async (station) => {
      await station.send(`/sessions/${r.session}/players/${r.player}/refund`);
      return strings.refunded(r.cents, this.#money);
    }));
  }

  #award(a) {
    const key = `award/${a.dispute}`;
    return this.#owed(key, strings.owedAward(a), strings.awardedBy(a.by), a.cents, this.#media(key, strings.inMedium(this.#money(a.cents)), this.#desk.media.prize, a.cents), () => this.#run(async (station) => {
      await station.send(`/disputes/${a.dispute}/payment`, { parts: [{ medium: this.#chosen[key], cents: a.cents }] });
      return strings.paid(a.cents, this.#money);
    }));
  }

  #line(prize) {
    const key = prize.session === this.#desk.session ? `${prize.game}/${prize.claim}` : `${prize.session}/${prize.game}/${prize.claim}`;
    const medium = this.#media(`${key}/prize`, strings.inMedium(this.#money(prize.cents)), this.#desk.media.prize, prize.cents);
    const jackpot = this.#media(`${key}/jackpot`, strings.jackpotIn(this.#money(prize.jackpot_cents)), this.#desk.media.jackpot, prize.jackpot_cents);
    const pay = element("button", "main", `${strings.pay} ${this.#money(prize.cents + prize.jackpot_cents)}`, { type: "button", "data-do": "pay", disabled: Boolean(prize.waits) });
    pay.addEventListener("click", () => this.#pay(prize, key));
    return element("li", "", [
      element("div", "", [element("strong", "", strings.prize(prize, this.#desk.session)), element("p", "quiet", strings.prizeOf(prize)), ...(prize.waits ? [element("p", "fault", strings.waits(prize.waits))] : [])]),
      element("div", "acts", [...medium, ...jackpot, pay]),
    ], { "data-prize": key });
  }

  #media(key, label, media, cents) {
    if (!cents) return [];
    const select = element("select", "", media.map((m) => element("option", "", strings.media[m] ?? m, { value: m })));
    if (this.#chosen[key]) select.value = this.#chosen[key];
    this.#chosen[key] = select.value;
    select.addEventListener("change", () => { this.#chosen[key] = select.value; });
    return [element("label", "", [element("span", "", label), select])];
  }

  #pay(prize, key) {
    const part = (name, cents) => (cents ? [{ medium: this.#chosen[`${key}/${name}`], cents }] : []);
    return this.#run(async (station) => {
      await station.send(`/sessions/${prize.session}/games/${prize.game}/claims/${prize.claim}/payment`,
        { prize: part("prize", prize.cents), jackpot: part("jackpot", prize.jackpot_cents) });
      return strings.paid(prize.cents + prize.jackpot_cents, this.#money);
    });
  }
}
