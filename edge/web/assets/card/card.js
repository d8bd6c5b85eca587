// An electronic card: the strips of its holder, marked by itself or by finger. It
// shows how near they are and never calls: it has nothing to call with. Everything on it
// is the house's answer, so that another device in its place shows the same at once.
import { Refused, Unreachable } from "../kit/api.js";
import { element, parts as find, words, write } from "../kit/dom.js";
import { Gate } from "../kit/gate.js";
import { cardStrings as strings } from "../kit/strings-bingo.js";
import { Follow, Looks } from "../room/follow.js";
import { boxOf, earlierOf, nameOf, namesOf, showColour, showName } from "../room/pieces.js";
import { standing } from "../room/standing.js";
import { Marks, manual } from "./marks.js";

const again = 2_000; // until a card that is issued to nobody asks again, in milliseconds
const earlier = 4; // numbers before the last one that stay in view
const p = find();
words({ card: strings });

class Card {
  #gate = new Gate(p.gate, "card", strings.gateTitle);
  #device;
  #follow = null;
  #hall = 0;
  #room = null;
  #held = null;
  #marks = new Marks();
  #sorted = false;
  #looks = new Looks(() => this.#take());

  async open() {
    this.#device = await this.#gate.enter();
    this.#gate.leave();
    p.work.hidden = false;
    write(p.who, strings.device(this.#device.terminal));
    p.auto.addEventListener("click", () => this.#way(false));
    p.manual.addEventListener("click", () => this.#way(true));
    p.nearest.addEventListener("click", () => {
      this.#sorted = !this.#sorted;
      p.nearest.setAttribute("aria-pressed", this.#sorted);
      this.#show();
    });
    this.#way(manual.get());
  }

  // way says who marks.
  #way(byHand) {
    manual.set(byHand);
    p.manual.setAttribute("aria-pressed", byHand);
    p.auto.setAttribute("aria-pressed", !byHand);
    this.#ask();
  }

  // ask takes what is on the card.
  #ask() { return this.#looks.now(); }

  async #take() {
    try {
      this.#held = await this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}/scorecard?${this.#query()}`);
      document.documentElement.dataset.state = this.#held.halted ? "failed" : "held";
      write(p.said, this.#held.halted ? strings.failed : "");
      this.#watch(this.#held.hall);
      this.#show();
    } catch (error) {
      this.#lost(error);
      setTimeout(() => this.#ask(), again);
    }
  }

  // query says who marks, and what. The marks of a game begin with what was called.
  #query() {
    if (!manual.get()) return "auto=true";
    const game = this.#room?.game;
    if (!this.#held || !game) return "marked=";
    const marks = this.#marks.of(`${this.#held.session}/${game.game}`, game.calls);
    return `marked=${[...marks].filter((n) => game.calls.includes(n)).join(",")}`;
  }

  #lost(error) {
    if (error instanceof Unreachable) {
      this.#connection("offline");
      return;
    }
    if (!(error instanceof Refused)) throw error;
    this.#held = null;
    document.documentElement.dataset.state = "idle";
    write(p.said, error.code === "device_unknown" ? strings.idle : error.message);
    for (const part of [p.boxes, p.near, p.before]) part.replaceChildren();
    for (const part of [p.game, p.last, p.count, p.missed]) write(part, "");
    p.colour.hidden = true;
  }

  #connection(state) {
    document.documentElement.dataset.connection = state;
    write(p.connection, strings.connection[state]);
  }

  // watch follows the room that the card is in.
  #watch(hall) {
    if (this.#hall === hall) return;
    this.#hall = hall;
    this.#follow = new Follow(hall, {
      room: (room) => {
        this.#room = room;
        this.#ask();
      },
      connection: (state) => this.#connection(state),
    });
    this.#follow.start();
  }

  #show() {
    if (!this.#held || !this.#room?.session) return;
    const { game } = standing(this.#room);
    const current = this.#room.game;
    const calls = current?.game === this.#held.game ? current.calls : game?.game === this.#held.game ? game.calls : [];
    const { session } = this.#room;
    write(p.game, strings.game(this.#held.game, session.games));
    showColour(p.colour, session.colour, session.shade);
    p.boxes.style.setProperty("--paper", session.shade || "#fff");
    showName(p.last, calls.at(-1), this.#room.form);
    write(p.count, calls.length ? strings.call(calls.length) : strings.waiting);
    p.before.replaceChildren(...earlierOf(calls, earlier, this.#room.form));
    write(p.who, `${strings.device(this.#device.terminal)}, ${strings.player(this.#held.player)}`);
    this.#showNear(session);
    this.#showBoxes(calls, session);
  }

  // open reports whether the card can still win a prize: nobody has it, and no box of the
  // card was complete before the last number.
  #open(near, session) { return !near.missed && !session.prizes.find((prize) => prize.pattern === near.pattern)?.won; }

  // showNear says for each prize that is still to be won how near the card is.
  #showNear(session) {
    const open = this.#held.patterns.filter((near) => this.#open(near, session));
    const name = (id) => session.prizes.find((prize) => prize.pattern === id)?.name ?? id;
    p.near.replaceChildren(...open.map((near) => {
      if (near.to_go === 0) return element("li", "full", [element("strong", "", strings.callOut(name(near.pattern))), element("span", "", strings.callHint)]);
      const waits = near.to_go === 1 && near.waits.length ? ` ${strings.waits(namesOf(near.waits, this.#room.form))}` : "";
      return element("li", near.to_go === 1 ? "one" : "", strings.near(name(near.pattern), near.to_go) + waits);
    }), ...this.#held.patterns.filter((near) => near.missed).map((near) => element("li", "quiet", strings.passed(name(near.pattern)))));
  }

  #showBoxes(calls, session) {
    const marks = new Set(this.#held.marked), last = calls.at(-1), byHand = manual.get();
    const on = new Set(this.#held.cards.flatMap((card) => card.boxes.flat(2)));
    write(p.missed, byHand ? strings.missed(calls.filter((n) => on.has(n) && !marks.has(n)).length) : "");
    const wanted = this.#held.patterns.map((near) => this.#open(near, session));
    const boxes = this.#held.cards.flatMap((card) => card.boxes.map((lines, i) => ({
      lines, label: `${card.serial} \u00b7 ${strings.box(i + 1)}`, toGo: Math.min(...card.to_go[i].filter((_, k) => wanted[k])),
    })));
    if (this.#sorted) boxes.sort((a, b) => a.toGo - b.toGo);
    const press = byHand ? (n) => this.#press(n, calls) : null;
    p.boxes.replaceChildren(...boxes.map((box) => element("section", "one-box", [
      element("p", "tag", [element("span", "", box.label), element("strong", "", Number.isFinite(box.toGo) ? strings.toGo(box.toGo) : "")]),
      boxOf(this.#room.form, box.lines, marks, { press, last }),
    ], { "data-to-go": box.toGo <= 1 ? box.toGo : null })));
  }

  // press marks what was called; the house takes no other.
  #press(n, calls) {
    write(p.said, "");
    if (!calls.includes(n)) {
      write(p.said, strings.notCalled(nameOf(n, this.#room.form)));
      return;
    }
    this.#marks.press(n);
    this.#ask();
  }
}

new Card().open();
