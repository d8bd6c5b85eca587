// The board of a bingo room, for a wall or a hand. It needs nobody: it comes back by
// itself and keeps the screen on. What it shows is the answer of the house, whole.
import { element, parts as find, words, write } from "../kit/dom.js";
import { hallStrings as strings } from "../kit/strings-bingo.js";
import { Follow } from "../room/follow.js";
import { Grid, earlierOf, nameOf, namesOf, pictureOf, showColour, showName } from "../room/pieces.js";
import { bingos, fresh, openClaims, results, standing } from "../room/standing.js";
import { Rules } from "./rules.js";

const p = find();
const hall = Number(location.pathname.split("/").pop());
const earlier = 5; // numbers before the last one that stay in view
words({ hall: strings });

class Board {
  #grid = new Grid(p.grid);
  #money = (cents) => strings.money(cents);
  #spoken = "";

  show(room) {
    const { session } = room;
    const { state, game } = standing(room);
    this.#money = (cents) => strings.money(cents, room.currency);
    document.documentElement.dataset.state = state;
    this.#head(room, state, game);
    this.#numbers(room, state, game);
    this.#outcome(state, game);
    this.#prizes(room);
    this.#jackpot(session, state);
    write(p.seal, game?.seal && state !== "entering" ? strings.sealed(game.seal) : "");
  }

  #head(room, state, game) {
    const { session } = room;
    const shown = ["between", "jackpot"].includes(state) ? room.game : game ?? room.game;
    write(p.room, strings.room(room));
    write(p.session, session ? strings.session(session) : "");
    write(p.game, shown && state !== "entering" ? strings.game(shown.game, session.games) : strings.bingo);
    showColour(p.colour, state === "entering" ? null : shown?.colour, shown?.shade);
    const count = state === "checking" ? openClaims(game).length : state === "won" ? bingos(game).length : 0;
    const minor = state === "calling" ? this.#names(game, fresh(game)) : [];
    write(p.state, minor.length ? strings.minorWon(minor) : strings.state[state](room, count));
    this.#notices(room, game);
  }

  // names returns the names of the patterns of claims, each once.
  #names(game, claims) {
    return [...new Set(claims.map((c) => game.prizes.find((prize) => prize.pattern === c.pattern)?.name ?? c.pattern))];
  }

  #notices({ session, form }, game) {
    const notices = [];
    if (session?.halted) notices.push(strings.halted);
    if (game?.wrong.length && game.phase === "calling") notices.push(strings.correction(namesOf(game.wrong, form)));
    if (session?.jackpot_wrong.length && ["entering", "playing"].includes(session.phase)) notices.push(strings.jackpotCorrection(session.jackpot_wrong));
    if (session?.closes && session.phase !== "closed") notices.push(strings.closes(session.closes));
    write(p.notice, notices.join(" "));
    p.notice.hidden = notices.length === 0;
  }

  // numbers shows those of the jackpot while they are drawn, and of the game otherwise.
  #numbers(room, state, game) {
    const drawing = state === "jackpot";
    const calls = drawing ? room.session.jackpot_numbers : game?.calls ?? [];
    this.#grid.show(room.form, calls, drawing ? [] : room.session?.jackpot_numbers ?? []);
    const last = calls.at(-1);
    showName(p.last, last, room.form);
    p.last.dataset.empty = last === undefined ? "yes" : "";
    write(p.count, calls.length ? (drawing ? strings.state.jackpot(room) : strings.call(calls.length)) : strings.noCall);
    p.before.replaceChildren(...earlierOf(calls, earlier, room.form));
    const said = last === undefined ? "" : strings.spoken(nameOf(last, room.form), calls.length);
    if (said !== this.#spoken) write(p.spoken, said);
    this.#spoken = said;
  }

  // outcome says what was won in a game that is over, or is about to be.
  #outcome(state, game) {
    const over = Boolean(game) && ["between", "ended", "closed", "won"].includes(state);
    p.outcome.hidden = !over;
    if (!over) return;
    write(p["outcome-title"], strings.result(game));
    if (state === "won") write(p["outcome-title"], "");
    const lines = results(game).filter((r) => state !== "won" || r.cards).map((r) => {
      const line = element("li", r.cards ? "" : "quiet", r.each ? strings.winners(r.name, r.winners, r.each, this.#money)
        : r.cards ? strings.found(r.name, r.cards) : strings.noWinner(r.name));
      if (r.jackpot) line.append(element("strong", "", strings.jackpotWon(r.jackpot, this.#money)));
      return line;
    });
    p.winners.replaceChildren(...(game.phase === "void" ? [] : lines));
  }

  #prizes({ session, form }) {
    p.stakes.hidden = !session;
    p.prizes.replaceChildren(...(session?.prizes ?? []).map((prize) => element("li", prize.won ? "won" : "", [
      pictureOf(form, prize), element("span", "name", prize.name), element("span", "cents", prize.won ? strings.won : this.#money(prize.cents)),
    ])));
    if (session?.phase === "entering") p.prizes.append(element("li", "fee", strings.fee(session, this.#money)));
  }

  // jackpot is in view as long as games of the session play for it, with what qualifies.
  #jackpot(session, state) {
    p.jackpot.hidden = !session?.jackpot_games.length || state === "closed";
    if (p.jackpot.hidden) return;
    p.levels.replaceChildren(...session.jackpot.map((level) => element("div", "", [
      element("dt", "", strings.level(level)), element("dd", "", this.#money(session.jackpot_to_draw ? level.pays_cents : level.cents))])));
    write(p.stars, `${session.jackpot_numbers.length ? `\u2605 ${strings.jackpotNumbers(session.jackpot_numbers)}. ` : ""}${strings.jackpotIn(session.jackpot_games)}`);
  }
}

const board = new Board();
const rules = new Rules(p);
new Follow(hall, {
  room(room) {
    rules.room = room;
    board.show(room);
  },
  connection(state) {
    document.documentElement.dataset.connection = state;
    write(p.connection, strings.connection[state]);
  },
  refused(error) {
    write(p.state, error.code === "hall_unknown" ? strings.noRoom(hall) : error.message);
  },
}).start();

// awake keeps the screen from going dark, where the browser lets a page do so.
async function awake() {
  if (document.hidden) return;
  try { await navigator.wakeLock?.request("screen"); } catch { /* The machine says when. */ }
}
document.addEventListener("visibilitychange", awake);
document.addEventListener("dblclick", (event) => {
  if (event.target.closest("dialog, button")) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
awake();
