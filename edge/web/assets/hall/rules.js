// The rules of the room for anybody who asks for them (9.12): every clause in plain words.
import { get } from "../kit/api.js";
import { element, write } from "../kit/dom.js";
import { hallStrings as strings } from "../kit/strings-bingo.js";

export class Rules {
  #p;
  #clauses = [];
  room = null; // whose rules they are

  constructor(parts) {
    this.#p = parts;
    parts.ask.addEventListener("click", () => this.#open());
    parts["rules-close"].addEventListener("click", () => parts.rules.close());
    parts.find.addEventListener("input", () => this.#show());
  }

  async #open() {
    this.#p.rules.showModal();
    if (this.#clauses.length || !this.room) return;
    try {
      this.#clauses = (await get(`/v1/rulebooks/${this.room.rulebook}/clauses`)).clauses;
      write(this.#p["rules-title"], strings.rulesTitle(this.room.title));
    } catch {
      write(this.#p["rules-title"], strings.noHouse);
    }
    this.#show();
  }

  #show() {
    const wanted = this.#p.find.value.trim().toLowerCase();
    const found = this.#clauses.filter((c) => c.id === wanted || c.says.toLowerCase().includes(wanted));
    this.#p.clauses.replaceChildren(...found.map((c) => element("div", "", [element("dt", "", c.id), element("dd", "", c.says)])));
    if (!found.length) this.#p.clauses.append(element("div", "", [element("dt"), element("dd", "", strings.noClause)]));
  }
}
