// What a caller mends: a number that was announced wrongly (8.3), and a game that cannot
// be finished (8.4, 9.4).
import { element } from "../kit/dom.js";
import { callerStrings as strings } from "../kit/strings-bingo.js";

export class Mend {
  #p;
  #station;
  #look;
  #room = null;

  constructor(parts, station, look) {
    this.#p = parts;
    this.#station = station;
    this.#look = look;
    parts.cause.replaceChildren(...Object.entries(strings.causes).map(([value, text]) => element("option", "", text, { value })));
    parts["correct-form"].addEventListener("submit", (event) => this.#submitted(event, "correct", () => this.#correct()));
    parts["void-form"].addEventListener("submit", (event) => this.#submitted(event, "void", () => this.#void()));
    for (const name of ["correct", "void"]) parts[`${name}-back`].addEventListener("click", () => parts[name].close());
  }

  show(room) { this.#room = room; }

  get #at() { return `/sessions/${this.#room.session.session}/games/${this.#room.game.game}`; }

  // open opens one of the dialogs, with the last number filled in.
  open(name) {
    const p = this.#p;
    this.#station.within(name, () => {});
    p[`${name}-form`].reset();
    if (name === "correct") p["right-number"].value = this.#room.game.calls.at(-1) ?? "";
    p[name].showModal();
    p[name === "correct" ? "wrong-number" : "void-reason"].focus();
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
    const counts = this.#room.game.calls.includes(wrong);
    await this.#station.send(`${this.#at}/corrections`, { number, wrong });
    return strings.corrected(number, wrong, counts);
  }

  async #void() {
    const p = this.#p, game = this.#room.game.game;
    const body = { cause: p.cause.value, reason: p["void-reason"].value.trim(), none_follows: p["none-follows"].checked, refund: p["void-refund"].checked };
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
