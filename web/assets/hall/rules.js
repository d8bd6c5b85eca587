// The rules of the room for whoever asks for them (9.12): every clause in plain words.
import { get } from "../kit/api.js";
import { element, write } from "../kit/dom.js";
import { hallStrings as strings } from "../kit/bingostrings.js";

export class Rules {
  #p;
  #hall;
  #clauses = [];

  constructor(parts, hall) {
    this.#p = parts;
    this.#hall = hall;
    parts.ask.addEventListener("click", () => this.#open());
    parts["rules-close"].addEventListener("click", () => parts.rules.close());
    parts.find.addEventListener("input", () => this.#show());
  }

  async #open() {
    this.#p.rules.showModal();
    if (this.#clauses.length) return;
    try {
      const rules = await get(`/v1/hall/${this.#hall}/rules`);
      this.#clauses = rules.clauses;
      write(this.#p["rules-title"], strings.rulesTitle(rules.title));
    } catch {
      write(this.#p["rules-title"], strings.noHouse);
    }
    this.#show();
  }

  #show() {
    const wanted = this.#p.find.value.trim().toLowerCase();
    const found = this.#clauses.filter((c) => c.clause === wanted || c.says.toLowerCase().includes(wanted));
    this.#p.clauses.replaceChildren(...found.map((c) => element("div", "", [element("dt", "", c.clause), element("dd", "", c.says)])));
    if (!found.length) this.#p.clauses.append(element("div", "", [element("dt"), element("dd", "", strings.noClause)]));
  }
}
