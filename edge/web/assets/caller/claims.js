// Taking a call down and having it checked: the card is scanned or its serial keyed, the
// house shows its boxes with what was called, and a supervisor confirms with the card in
// hand.
import { element, write } from "../kit/dom.js";
import { callerStrings as strings } from "../kit/strings-bingo.js";
import { boxOf, nameOf } from "../room/pieces.js";

export class Claims {
  #p;
  #station;
  #look; // asks the room anew
  #room = null;
  #card = null;
  #box = 0;
  #checking = null; // the claim
  #cards = new Map(); // by claim of the game: its card and player, which only the venue's people are told
  #of = ""; // the game whose cards these are
  #needs = false; // a supervisor must sign on: who is on shift is none

  constructor(parts, station, look) {
    this.#p = parts;
    this.#station = station;
    this.#look = look;
    parts["find-card"].addEventListener("submit", (event) => this.#submitted(event, "claim", () => this.#find()));
    parts["take-down"].addEventListener("submit", (event) => this.#submitted(event, "claim", () => this.#take()));
    parts["check-form"].addEventListener("submit", (event) => this.#submitted(event, "check", () => this.#confirm()));
    parts.pattern.addEventListener("change", () => this.#judge());
    parts["claim-back"].addEventListener("click", () => parts.claim.close());
    parts["check-back"].addEventListener("click", () => parts.check.close());
    parts.claim.addEventListener("keydown", (event) => this.#boxKey(event));
  }

  show(room) {
    this.#room = room;
    const { game, session } = room;
    for (const part of [this.#p.boxes, this.#p["check-box"]]) part.style.setProperty("--paper", session?.shade || "#fff");
    if (game && this.#of !== this.#at) {
      this.#of = this.#at;
      this.#cards.clear();
    }
    const list = game?.phase === "calling" ? game.claims : [];
    this.#list(list);
    if (this.#station.person && list.some((c) => !this.#cards.has(c.claim))) this.#learn().catch((error) => this.#station.fault(error));
    if (!list.some((c) => !c.decided)) this.#station.release();
  }

  #list(claims) {
    this.#p.claims.replaceChildren(...(claims.length ? claims.toReversed().map((c) => this.#line(this.#whole(c))) : [element("li", "quiet", strings.noClaims)]));
  }

  // learn asks for the cards of the claims. An answer about a game that is over is dropped.
  async #learn() {
    const of = this.#at;
    const { claims } = await this.#station.look(`${of}/claims`);
    if (of !== this.#of) return;
    for (const { claim, serial, box, player } of claims) this.#cards.set(claim, { serial, box, player });
    if (this.#room.game?.phase === "calling") this.#list(this.#room.game.claims);
  }

  #whole(claim) { return { ...claim, ...this.#cards.get(claim.claim) }; }

  #name(pattern) { return this.#room.game.prizes.find((p) => p.pattern === pattern)?.name ?? pattern; }
  get #at() { return `/sessions/${this.#room.session.session}/games/${this.#room.game.game}`; }

  #line(claim) {
    const verdict = !claim.decided ? strings.open : claim.accepted ? strings.good(claim, (n) => nameOf(n, this.#room.form)) : strings.bad(claim);
    const line = element("li", "", [
      element("span", "sign", claim.decided ? (claim.accepted ? "\u2713" : "\u2715") : "?"),
      element("span", "", strings.claimLine(claim, this.#name(claim.pattern))), element("span", "verdict", verdict),
    ], { "data-claim": claim.claim, "data-verdict": !claim.decided ? "open" : claim.accepted ? "good" : "bad" });
    return line;
  }

  #submitted(event, dialog, act) {
    event.preventDefault();
    return this.#station.within(dialog, act);
  }

  // whole adds to a claim what only the venue's people are told of it.
  whole(claim) { return this.#whole(claim); }

  // open asks for the card, or looks one up that was scanned.
  open(serial = "") {
    const p = this.#p;
    this.#card = null;
    p["take-down"].hidden = p["claim-take"].hidden = true;
    p["look-up"].hidden = false;
    this.#station.within("claim", () => {});
    p.serial.value = serial;
    p.behalf.checked = false;
    if (!p.claim.open) p.claim.showModal();
    p.serial.focus();
    if (serial) this.#station.within("claim", () => this.#find());
  }

  async #find() {
    const p = this.#p;
    const card = await this.#station.look(`${this.#at}/cards/${encodeURIComponent(p.serial.value.trim())}`);
    this.#card = card;
    const { game } = this.#room;
    write(p.holder, strings.holder(card));
    write(p["card-fault"], !card.in_play ? strings.notInPlay : card.barred ? strings.barred : card.card !== game.game ? strings.otherGame(card.card) : "");
    const open = game.prizes.filter((prize) => !prize.won);
    p.pattern.replaceChildren(...open.map((prize) => element("option", "", prize.name, { value: prize.pattern })));
    const best = this.#best(open.map((prize) => prize.pattern));
    if (open.length) p.pattern.value = best.pattern;
    this.#select(best.box);
    p["take-down"].hidden = p["claim-take"].hidden = false;
    p["look-up"].hidden = true;
    p["claim-take"].focus();
  }

  // best returns the box and the prize that the last number completed, or else what is
  // nearest: it is most likely what was called. The person who took the call decides.
  #best(patterns) {
    let best = { box: 1, pattern: patterns[0], rank: Infinity };
    this.#card.boxes.forEach((box, i) => box.standing.forEach((s) => {
      if (!patterns.includes(s.pattern)) return;
      const rank = s.complete ? (s.place === this.#room.game.calls.length ? -1 : 0) : s.to_go;
      if (rank < best.rank) best = { box: i + 1, pattern: s.pattern, rank };
    }));
    return best;
  }

  // boxKey lets a digit choose the box.
  #boxKey(event) {
    if (!this.#card || event.target.matches("input:not([type=checkbox]), select") || !/^[1-9]$/.test(event.key)) return;
    if (Number(event.key) <= this.#card.boxes.length) this.#select(Number(event.key));
  }

  #select(box) {
    this.#box = box;
    const called = new Set(this.#card.called), last = this.#room.game.calls.at(-1);
    this.#p.boxes.replaceChildren(...this.#card.boxes.map((b, i) => {
      const choice = element("button", "choice", [element("span", "", strings.box(i + 1)), boxOf(this.#room.form, b.lines, called, { last })], { type: "button", "aria-pressed": String(i + 1 === box) });
      choice.addEventListener("click", () => this.#select(i + 1));
      return choice;
    }));
    this.#judge();
  }

  #judge() {
    const standing = this.#card.boxes[this.#box - 1].standing.find((s) => s.pattern === this.#p.pattern.value);
    this.#verdict(this.#p.verdict, standing);
  }

  #verdict(part, standing) {
    const calls = this.#room.game.calls.length;
    write(part, standing ? strings.standing(standing, calls, this.#name(standing.pattern), (n) => nameOf(n, this.#room.form)) : "");
    part.dataset.good = standing?.complete && standing.place === calls ? "yes" : "no";
  }

  async #take() {
    const body = { pattern: this.#p.pattern.value, serial: this.#card.serial, box: this.#box, behalf: this.#p.behalf.checked };
    const { record } = await this.#station.send(`${this.#at}/claims`, body);
    this.#p.claim.close();
    await this.#look();
    const claim = this.#room.game.claims.find((c) => c.claim === record.claim);
    if (claim && !claim.decided) await this.check(claim.claim);
  }

  // check opens a claim for the supervisor, with the box as the house has it.
  async check(number) {
    if (!this.#cards.has(number)) await this.#learn().catch((error) => this.#station.fault(error));
    const p = this.#p, found = this.#room.game?.claims.find((c) => c.claim === number);
    if (!found) return;
    const claim = this.#checking = this.#whole(found);
    write(p["check-title"], strings.checkTitle(claim));
    write(p["check-what"], strings.claimLine(claim, this.#name(claim.pattern)));
    p["in-hand"].checked = p["is-marked"].checked = false;
    p.supervisor.hidden = !this.#needs || this.#station.lent !== 0;
    p["check-box"].replaceChildren();
    write(p["check-verdict"], "");
    if (!p.check.open) p.check.showModal();
    p["in-hand"].focus();
    await this.#station.within("check", () => this.#showBox(claim)); // A card of no table is checked all the same, and found bad.
  }

  // showBox shows the box of a claim with what was called.
  async #showBox(claim) {
    const p = this.#p;
    const card = await this.#station.look(`${this.#at}/cards/${encodeURIComponent(claim.serial)}`);
    const box = card.boxes[claim.box - 1];
    if (!box) return;
    p["check-box"].replaceChildren(boxOf(this.#room.form, box.lines, new Set(card.called), { last: this.#room.game.calls.at(-1) }));
    this.#verdict(p["check-verdict"], box.standing.find((s) => s.pattern === claim.pattern));
  }

  async #confirm() {
    const p = this.#p, claim = this.#checking;
    // An Enter that comes by itself, such as a scanner's, must not find a call bad: without
    // the ticks it takes the button.
    if (!(p["in-hand"].checked && p["is-marked"].checked) && document.activeElement?.type === "checkbox") {
      write(p["check-fault"], strings.tickFirst);
      return;
    }
    const who = p.supervisor.hidden ? {} : { person: Number(p["supervisor-number"].value), password: p["supervisor-password"].value };
    p["supervisor-password"].value = "";
    try {
      await this.#station.confirm(`${this.#at}/claims/${claim.claim}/check`, { card_in_hand: p["in-hand"].checked, marked: p["is-marked"].checked }, who);
    } catch (error) {
      if (error.code === "rank_too_low") this.#needs = true;
      p.supervisor.hidden = !this.#needs || this.#station.lent !== 0 && error.code !== "rank_too_low";
      if (error.code === "rank_too_low") {
        await this.#station.release();
        p["supervisor-number"].focus();
        if (!who.person) return;
      }
      throw error;
    }
    p.check.close();
    await this.#look();
    const checked = this.#room.game?.claims.find((c) => c.claim === claim.claim);
    if (checked?.decided) this.#station.tell(strings.said(checked, this.#name(checked.pattern), (n) => nameOf(n, this.#room.form)));
  }
}
