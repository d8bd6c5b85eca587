// The dealer terminal: one step at a time, each with its key. A number is called with the
// space bar and with nothing else; whatever ends something takes Enter. A second press
// while the house is asked, or right after, does nothing, and the house gives the number
// of a place only once.
import { element, parts as find, words, write } from "../kit/dom.js";
import { callerStrings as strings } from "../kit/strings-bingo.js";
import { Follow, Looks } from "../room/follow.js";
import { Grid, earlierOf, showColour, showName } from "../room/pieces.js";
import { Station } from "../room/station.js";
import { bingos } from "../room/standing.js";
import { Claims } from "./claims.js";
import { Mend } from "./mend.js";
import { onScan } from "./scan.js";
import { stepOf } from "./step.js";

const rest = 700; // after a number, in which a further press is one too many, in milliseconds
const every = 10_000; // between looks at what is owed: a payment is no event of the room, in milliseconds
const earlier = 6; // numbers before the last one that stay in view
const p = find();
words({ caller: strings });

class Caller {
  #station = new Station(p);
  #grid = new Grid(p.grid);
  #follow;
  #claims;
  #mend;
  #room = null;
  #step = null;
  #owed = new Looks(() => this.#lookOwed());
  #busy = false;
  #paused = false;

  async open() {
    await this.#station.open();
    const look = () => this.#follow.look();
    this.#claims = new Claims(p, this.#station, look);
    this.#mend = new Mend(p, this.#station, look, (claim) => this.#claims.whole(claim));
    this.#follow = new Follow(this.#station.hall, {
      room: (room) => this.#show(room),
      connection: (state) => {
        document.documentElement.dataset.connection = state;
        write(p.connection, strings.connection[state]);
      },
    });
    p["to-board"].href = `/hall/${this.#station.hall}`;
    this.#station.onSignedOn = () => { look(); this.#owed.now(); };
    setInterval(() => document.hidden || this.#owed.now(), every);
    p.wins.addEventListener("change", () => {
      this.#showReading(this.#room.session);
      p.next.focus();
    });
    this.#keys();
    await this.#follow.start();
  }

  #show(room) {
    this.#room = room;
    this.#step = stepOf(room);
    const { session, game } = room;
    const drawing = game?.phase === "drawing jackpot numbers";
    const shown = game?.phase === "calling" || drawing ? game : room.last ?? game;
    const calls = drawing ? session.jackpot_numbers : shown?.calls ?? [];
    write(p.game, session && (game ?? shown) ? strings.game((game ?? shown).game, session.games) : strings.title);
    showColour(p.colour, (game ?? shown)?.colour, (game ?? shown)?.shade);
    write(p.count, shown && shown !== game ? `${strings.game(shown.game)}: ${strings.calls(calls.length)}` : strings.calls(calls.length));
    this.#grid.show(room.form, calls, drawing ? [] : session?.jackpot_numbers ?? []);
    p.grid.classList.toggle("over", shown !== game);
    showName(p.last, calls.at(-1), room.form);
    p.before.replaceChildren(...earlierOf(calls, earlier, room.form));
    this.#claims.show(room);
    this.#mend.show(room);
    this.#showWins(room);
    this.#showReading(session);
    this.#showStep();
    this.#owed.now();
  }

  // lookOwed says how much waits at the issue desk to be fetched, of this session or another.
  async #lookOwed() {
    if (!this.#station.person || !this.#room) return;
    try {
      const owed = await this.#station.look("/owed");
      p.owed.hidden = owed.cents === 0;
      write(p.owed, strings.owed(owed, (cents) => strings.money(cents, this.#room.currency)));
    } catch (error) {
      this.#station.fault(error);
    }
  }

  // showReading shows what is read out before a game, while it has not begun.
  #showReading(session) {
    p.reading.hidden = !["announce", "sealJackpot", "endJackpot"].includes(this.#step.kind) && !(this.#step.kind === "call" && this.#room.game.calls.length === 0);
    if (p.reading.hidden) return;
    const chosen = p["wins-row"].hidden ? null : p.wins.selectedOptions[0]?.textContent;
    const prizes = session.prizes.map((prize) => (chosen && prize.pattern === "bingo" ? { ...prize, name: chosen } : prize));
    p.announcement.replaceChildren(...strings.announcement({ ...session, prizes }, (cents) => strings.money(cents, this.#room.currency)).map((line) => element("li", "", line)));
  }

  // showWins lets the caller choose with which pattern the game is won, where the rules do so.
  #showWins({ form }) {
    p["wins-row"].hidden = this.#step.kind !== "announce" || !form.any_pattern;
    if (p.wins.options.length || !form.any_pattern) return;
    p.wins.replaceChildren(...form.patterns.map((one) => element("option", "", one.name, { value: one.id })));
  }

  #showStep() {
    const { kind, text: [title, hint], key } = this.#step;
    document.documentElement.dataset.state = kind;
    const stopped = this.#paused && kind === "call";
    p.next.disabled = this.#busy || !key || stopped;
    p.next.replaceChildren(...(key ? [title, element("kbd", "", key)] : [title]));
    write(p["step-hint"], stopped ? strings.paused : hint);
    const calling = this.#room?.game?.phase === "calling";
    p["claim-open"].disabled = !calling;
    p["correct-open"].disabled = !this.#mend.correctable;
    p["void-open"].disabled = !this.#room?.game || this.#room.session.phase !== "playing";
    p.pause.replaceChildren(this.#paused ? strings.goOn : strings.pause, element("kbd", "", "P"));
    p.pause.setAttribute("aria-pressed", this.#paused);
  }

  // next does the step that the caller sees, and no other: the place of a number is that
  // of the button that was pressed.
  async #next(key) {
    const step = this.#step;
    if (this.#busy || !step?.key || step.key !== key || (this.#paused && step.kind === "call")) return;
    if (step.kind === "check") {
      await this.#claims.check(step.claim);
      return;
    }
    if (step.kind === "finish") {
      this.#askToEnd();
      return;
    }
    await this.#do(step);
  }

  // askToEnd asks once more, with who has won: somebody else may have called on the same
  // number. Enter does not answer that nobody has.
  #askToEnd() {
    const { game } = this.#room;
    p["ending-won"].replaceChildren(...bingos(game).map((claim) => element("li", "", strings.wonBy(this.#claims.whole(claim)))));
    write(p["ending-title"], strings.endTitle(game.game));
    p.ending.showModal();
    p["ending-title"].focus(); // No key that was meant for something else answers.
  }

  async #do(step) {
    this.#busy = true;
    this.#showStep();
    const done = await this.#station.say(() => this.#station.send(step.path, step.kind === "announce" && this.#room.form.any_pattern ? { wins: p.wins.value } : step.body), step.kind === "finish" ? strings.finished(this.#room.game.game) : "");
    await this.#follow.look();
    if (step.kind === "call" && done) await new Promise((resolve) => setTimeout(resolve, rest));
    this.#busy = false;
    this.#showStep();
  }

  // scanned takes a card down that was scanned while something else was asked for. What
  // was asked for stays to be done.
  #scanned(serial) {
    if (this.#room?.game?.phase !== "calling" || p.sign.open) return;
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    this.#claims.open(serial);
  }

  #keys() {
    const acts = {
      b: [p["claim-open"], strings.claim, "B", () => this.#claims.open()],
      c: [p["correct-open"], strings.correct, "C", () => this.#mend.open("correct")],
      p: [p.pause, "", "P", () => { this.#paused = !this.#paused; this.#showStep(); }],
      v: [p["void-open"], strings.void, "V", () => this.#mend.open("void")],
      "?": [p.help, strings.help, "?", () => p.legend.showModal()],
      F12: [p.shift, "", "F12", () => this.#station.shift()],
    };
    for (const [button, text, key, act] of Object.values(acts)) {
      if (text) button.replaceChildren(text, element("kbd", "", key));
      if (button !== p.shift) button.addEventListener("click", act);
    }
    p.next.addEventListener("click", () => this.#next(this.#step?.key));
    p["ending-called"].addEventListener("click", () => { p.ending.close(); this.#claims.open(); });
    p["ending-back"].addEventListener("click", () => p.ending.close());
    p["ending-end"].addEventListener("click", () => { p.ending.close(); if (this.#step?.kind === "finish" && !this.#busy) this.#do(this.#step); });
    onScan(p.serial, (serial) => this.#scanned(serial));
    p["legend-back"].addEventListener("click", () => p.legend.close());
    p["legend-keys"].replaceChildren(...Object.entries(strings.keys).flatMap(([key, text]) => [element("dt", "", [element("kbd", "", key)]), element("dd", "", text)]));
    document.addEventListener("keydown", (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
      const name = event.key === " " ? "Space" : event.key;
      const act = acts[name.length === 1 ? name.toLowerCase() : name];
      if (act && !act[0].disabled) act[3]();
      else if (name !== "Space" && name !== "Enter") return;
      else if (name === "Enter" && event.target.closest("a, button:not(#next)")) return;
      else this.#next(name);
      event.preventDefault(); // A button in focus must not be pressed by the same key.
    });
  }
}

new Caller().open();
