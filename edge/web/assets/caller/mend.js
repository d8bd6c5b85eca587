// What a caller mends: a number that was announced wrongly (8.3), and a game that cannot
// be finished (8.4, 9.4).
import { element } from "../kit/dom.js";
import { callerStrings as strings } from "../kit/strings-bingo.js";

export class Mend {
  #p;
  #station;
  #look;
  #room = null;
  #whole; // adds to a claim its card and player

  constructor(parts, station, look, whole) {
    this.#whole = whole;
    this.#p = parts;
    this.#station = station;
    this.#look = look;
    parts.cause.replaceChildren(...Object.entries(strings.causes).map(([value, text]) => element("option", "", text, { value })));
    parts["correct-form"].addEventListener("submit", (event) => this.#submitted(event, "correct", () => this.#correct()));
    parts["void-form"].addEventListener("submit", (event) => this.#submitted(event, "void", () => this.#void()));
    parts.cause.addEventListener("change", () => this.#listClaims());
    for (const name of ["correct", "void"]) parts[`${name}-back`].addEventListener("click", () => parts[name].close());
  }

  show(room) { this.#room = room; }

  get #at() { return `/sessions/${this.#room.session.session}/games/${this.#room.game.game}`; }

  // jackpot is what was drawn of the jackpot numbers of the game in play.
  get #jackpot() { return this.#room.session.jackpot_numbers; }

  // correctable says whether a number was announced that can still be put right.
  get correctable() {
    const game = this.#room?.game;
    return ["drawing jackpot numbers", "ready", "announced", "calling"].includes(game?.phase) && this.#jackpot.length + game.calls.length > 0;
  }

  // open opens one of the dialogs, with the last number filled in.
  open(name) {
    const p = this.#p;
    this.#station.within(name, () => {});
    p[`${name}-form`].reset();
    if (name === "void") this.#listClaims();
    if (name === "correct") {
      const { calls } = this.#room.game;
      p["correct-jackpot-row"].hidden = this.#jackpot.length === 0;
      p["correct-jackpot"].checked = calls.length === 0;
      p["right-number"].value = (calls.length ? calls : this.#jackpot).at(-1) ?? "";
    }
    p[name].showModal();
    p[name === "correct" ? "wrong-number" : "void-reason"].focus();
  }

  // listClaims shows what was found good in the game. It stays won, but for what is ticked,
  // which only fraud takes away.
  #listClaims() {
    const p = this.#p, good = this.#room.game.claims.filter((c) => c.accepted);
    p["void-claims-set"].hidden = good.length === 0;
    p["void-claims"].replaceChildren(...good.map((c) => element("label", "tick", [element("input", "", "", { type: "checkbox", value: c.claim, disabled: p.cause.value !== "fraud" }),
      element("span", "", strings.voidClaim(this.#whole(c), this.#room.game.prizes.find((x) => x.pattern === c.pattern)?.name ?? c.pattern))])));
  }

  #submitted(event, name, act) {
    event.preventDefault();
    return this.#station.within(name, async () => {
      const text = await act();
      this.#p[name].close();
      await this.#look();
      this.#station.tell(text);
    });
  }

  async #correct() {
    const number = Number(this.#p["right-number"].value), wrong = Number(this.#p["wrong-number"].value);
    const jackpot = this.#p["correct-jackpot"].checked;
    const counts = (jackpot ? this.#jackpot : this.#room.game.calls).includes(wrong);
    await this.#station.send(`${this.#at}/corrections`, { number, wrong, draw: jackpot ? "jackpot" : "calls" });
    return jackpot ? strings.jackpotCorrected(number, wrong, counts) : strings.corrected(number, wrong, counts);
  }

  async #void() {
    const p = this.#p, game = this.#room.game.game;
    const body = { cause: p.cause.value, reason: p["void-reason"].value.trim(), none_follows: p["none-follows"].checked, refund: p["void-refund"].checked };
    const claims = [...p["void-claims"].querySelectorAll(":checked:not(:disabled)")].map((box) => Number(box.value));
    if (claims.length) body.claims = claims;
    const who = p["void-number"].value ? { person: Number(p["void-number"].value), password: p["void-password"].value } : {};
    try {
      await this.#station.confirm(`${this.#at}/void`, body, who);
    } finally {
      p["void-password"].value = "";
      await this.#station.release();
    }
    return strings.voided(game);
  }
}
