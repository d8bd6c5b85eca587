// What the page shows. Everything is drawn from the board; an event only decides
// whether a number travels to its place.
import { inSeries, isOver } from "../kit/series.js";
import { clock, count, countdown, money, strings, useDigits, useLocale } from "../kit/strings.js";
import { phaseOf, places, shownGame, tally } from "../kit/fold.js";

const columns = 10;

// nothing is what a house shows that has no series yet.
const nothing = { of: 80, draw: 20, day_open: false, utc_offset_seconds: 0, open: null, drawing: [], results: [] };

// flight is how long a number travels to its place, in milliseconds.
const flight = 520;

export class View {
  #document;
  #parts = {};
  #cells = new Map();
  #rows = [];
  #halves = {};
  #totals = {};
  #closes = null; // when the game on sale closes
  #heard = null; // server's time of the last sign of life
  #built = 0;

  constructor(document) {
    this.#document = document;
    for (const part of document.querySelectorAll("[id]")) this.#parts[part.id] = part;
    const p = this.#parts;
    p["results-title"].textContent = strings.results;
    p["count-label"].textContent = strings.drawnLabel;
    p.order.setAttribute("aria-label", strings.order);
    for (const half of ["heads", "tails"]) this.#halves[half] = this.#bar(p.halves, strings[half]);
    for (const total of ["sum", "winners", "prizes"]) this.#totals[total] = this.#entry(p.totals, strings[total]);
    this.#build(nothing.of);
    this.#renderGame(null, nothing);
    write(p.phase, "");
    write(p["sale-label"], strings.nextGame);
    write(p["sale-game"], strings.waiting);
    p["sale-game"].parentElement.classList.add("closed");
  }

  // show draws a series, and with news lets what happened be seen happening.
  show(board, series = nothing, news = undefined) {
    if (series.of === 0) return this.#noKeno(board);
    this.#build(series.of);
    this.#renderSale(board, series);
    const game = shownGame(series);
    const travels = news?.name === "number_drawn" && news.fresh && game?.ordinal === news.event.ordinal;
    this.#renderGame(game, series);
    this.#renderJackpots(series);
    this.#renderNotice(game, series);
    this.#renderResults(series);
    if (travels) this.#fly(news.event.number);
    if (news?.fresh) this.#speak(news);
  }

  // noKeno says that the house plays bingo alone, and where.
  #noKeno(board) {
    const p = this.#parts;
    this.#document.documentElement.dataset.keno = "none";
    this.#document.title = board.house.name;
    write(p["sale-label"], "");
    write(p["sale-game"], strings.noKeno);
    write(p["closes-label"], strings.roomsAt);
    write(p.house, board.house.name);
  }

  // witnesses shows the first witness without whom nothing is drawn, if one does not sign.
  witnesses(list) {
    const waits = list.find((w) => w.required && w.state === "disagrees") ?? list.find((w) => w.required && w.state === "away");
    const line = this.#parts.witnesses;
    line.hidden = !waits;
    if (waits) write(line, waits.state === "disagrees" ? strings.witnessDisagrees(waits.name, waits.record) : strings.witnessAway(waits.name));
  }

  // tick writes the countdown.
  tick(now) {
    if (this.#closes === null) return;
    const left = this.#closes - now;
    write(this.#parts.countdown, left > 0 ? countdown(left) : countdown(0));
    write(this.#parts["closes-label"], left > 0 ? strings.closesIn : strings.closing);
  }

  connection(state, now) {
    const page = this.#document.documentElement;
    if (state === "live") this.#heard = now;
    page.dataset.connection = state;
    write(this.#parts.connection, state === "offline" ? strings.offline(this.#localTime(this.#heard)) : strings[state]);
  }

  #offset = 0;

  #localTime(at) {
    if (at === null) return "";
    return clock(new Date(at + this.#offset * 1000).toISOString());
  }

  #renderSale(board, series) {
    const p = this.#parts;
    useDigits(series.game_digits);
    this.#offset = series.utc_offset_seconds;
    this.#closes = series.open ? Date.parse(series.open.closes) : null;
    p["sale-game"].parentElement.classList.toggle("closed", !series.open);
    write(p["sale-game"], series.open ? strings.game(series.open.game) : strings.noGameOpen);
    if (!series.open) {
      write(p["closes-label"], series.day_open ? strings.waitForGame : isOver(series) ? strings.seriesOver(series.last_day) : strings.dayClosed);
      write(p.countdown, "");
    }
    const name = board.house.name;
    write(p.schedule, series.schedule ? `· ${strings.schedule(series.schedule)}` : "");
    write(p.house, series.day ? `${name} · ${strings.keno(series.day)}` : name);
    this.#document.title = series.open ? `${strings.game(series.open.game)} · ${name}` : name;
  }

  #renderGame(game, series) {
    const p = this.#parts;
    const numbers = game?.numbers ?? [];
    const phase = phaseOf(game);
    this.#document.documentElement.dataset.phase = phase;
    write(p["shown-game"], game ? strings.game(game.game) : "");
    write(p.phase, strings.phase[phase]);
    write(p.last, numbers.length ? String(numbers.at(-1)) : strings.noNumber);
    p.last.classList.toggle("empty", numbers.length === 0);
    write(p.count, strings.drawnOf(numbers.length, series.draw));
    this.#renderNumbers(numbers, series);
    this.#renderTotals(game, tally(numbers, series.of), series);
    const sealed = game?.seal?.witnessed_by ? strings.witnessedAt : strings.sealedAt;
    write(p["seal-label"], game?.seal ? sealed(clock(game.seal.time)) : strings.notSealed);
    write(p.fingerprint, game?.seal ? game.seal.fingerprint : strings.noFingerprint);
    p.seal.classList.toggle("empty", !game?.seal);
    this.#linkSeal(game?.seal ? game : null);
  }

  // linkSeal leads from the fingerprint to the seal's entry in the public log, for a hand and, as a code, for a phone.
  #linkSeal(game) {
    const { fingerprint, "seal-code": code } = this.#parts;
    const page = game ? inSeries(`/g/${game.day}/${game.game}`) : "";
    if (fingerprint.dataset.page === page) return;
    fingerprint.dataset.page = page;
    fingerprint.toggleAttribute("href", page !== "");
    code.hidden = true;
    if (page === "") return;
    fingerprint.setAttribute("href", page);
    code.alt = strings.sealCode;
    code.src = inSeries(`/v1/games/${game.day}/${game.game}/code.svg`);
    code.onload = () => { code.hidden = false; };
  }

  #renderNumbers(numbers, series) {
    for (const [number, cell] of this.#cells) {
      const k = numbers.indexOf(number) + 1;
      cell.classList.toggle("latest", k > 0 && k === numbers.length && k < series.draw);
      if (k > 0) cell.dataset.drawn = k;
      else delete cell.dataset.drawn;
    }
    const order = this.#parts.order;
    while (order.children.length < series.draw) order.append(this.#element("li"));
    while (order.children.length > series.draw) order.lastChild.remove();
    [...order.children].forEach((item, i) => {
      write(item, i < numbers.length ? String(numbers[i]) : "");
      item.classList.toggle("latest", i === numbers.length - 1);
    });
  }

  #renderTotals(game, { rows, heads, tails, sum }, series) {
    useLocale(series.locale);
    const finished = (game?.numbers.length ?? 0) === series.draw;
    const shows = (what) => series.shows?.includes(what) ?? false;
    const ranks = finished && shows("racing") ? places(game.numbers, series.of) : null;
    rows.forEach((drawn, i) => {
      writeCount(this.#rows[i].figure, drawn);
      this.#rows[i].bar.style.setProperty("--filled", drawn);
      const place = ranks && ranks[i] <= 3 ? strings.place[ranks[i]] : "";
      write(this.#rows[i].place, place);
      this.#rows[i].place.dataset.place = place ? ranks[i] : "";
    });
    const call = !finished || !shows("heads_or_tails") ? "" : heads > tails ? "heads" : tails > heads ? "tails" : "evens";
    this.#parts.halves.dataset.call = call;
    write(this.#parts.last.nextElementSibling.lastElementChild, finished && shows("lucky_last") ? strings.lastNumber : strings.drawnLabel);
    for (const [half, drawn] of [["heads", heads], ["tails", tails]]) {
      writeCount(this.#halves[half].figure, drawn);
      this.#halves[half].bar.style.setProperty("--filled", drawn);
      this.#halves[half].bar.style.setProperty("--of", series.draw);
    }
    const factor = shows("multiplier") ? game?.result?.multiplier : 0;
    write(this.#totals.sum, factor ? strings.multiplied(sum, factor) : sum ? String(sum) : "–");
    write(this.#totals.winners, game?.result ? count(game.result.winners) : "–");
    write(this.#totals.prizes, game?.result ? money(game.result.prizes_cents, series.currency) : "–");
  }

  // A jackpot is shown as what all who win it share beside the schedule's prize.
  #renderJackpots(series) {
    const list = this.#parts.jackpots;
    const fills = new Map((series.fills ?? []).map((f) => [f.spots, f.cents]));
    const jackpots = (series.jackpots ?? []).map((j) => ({ spots: j.spots, cents: j.cents + (fills.get(j.spots) ?? 0) })).reverse();
    const key = JSON.stringify(jackpots);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    list.replaceChildren(...jackpots.map((j) => {
      const group = this.#element("div");
      group.append(this.#element("dt", "label", strings.jackpot(j.spots)), this.#element("dd", "", money(j.cents, series.currency)));
      return group;
    }));
  }

  // One notice at a time, the most urgent.
  #renderNotice(game, series) {
    const notice = this.#parts.notice;
    let text = "";
    if (series.paused) text = strings.pausedNotice(series.paused);
    else if (game?.void) text = strings.voidNotice(game.game, game.void);
    else if (game?.void_draws && !game.result) text = strings.redrawNotice(game.game);
    else if (game?.result?.jackpots) {
      text = strings.jackpotWonNotice(game.game, game.result.jackpots.map((j) => `${strings.spots(j.spots)} ${money(j.cents, series.currency)}`).join(", "));
    } else if (series.closes_at) text = strings.closureNotice(clock(series.closes_at));
    else if (series.notice) text = series.notice;
    else if (series.last_day && !isOver(series)) text = strings.lastDay(series.last_day);
    write(notice, text);
    notice.hidden = text === "";
  }

  // The newest result is on the board unless a further game is being drawn.
  #renderResults(series) {
    const results = series.drawing.length ? series.results : series.results.slice(1);
    const key = results.map((g) => g.ordinal).join(" ");
    const list = this.#parts.results;
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    list.replaceChildren(...results.map((game) => this.#result(game)));
    if (results.length === 0) list.append(this.#element("li", "none", strings.noResults));
  }

  #result(game) {
    const item = this.#element("li", "result");
    const head = this.#element("p", "result-head");
    head.append(this.#element("span", "result-game", strings.game(game.game)),
      this.#element("span", "fingerprint", game.seal?.fingerprint ?? ""));
    const numbers = this.#element("ol", "result-numbers");
    for (const n of [...game.numbers].sort((a, b) => a - b)) numbers.append(this.#element("li", "", String(n)));
    item.append(head, numbers);
    return item;
  }

  // fly lets a number travel from where it fell to its place on the board.
  #fly(number) {
    const cell = this.#cells.get(number);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || this.#document.hidden;
    if (!cell || still) return;
    const from = this.#parts.last.getBoundingClientRect();
    const disc = cell.firstElementChild.getBoundingClientRect();
    const ball = this.#element("div", "flyer", String(number));
    ball.setAttribute("aria-hidden", "true");
    const place = { left: `${disc.left}px`, top: `${disc.top}px`, width: `${disc.width}px`, height: `${disc.height}px` };
    Object.assign(ball.style, place);
    this.#document.body.append(ball);
    cell.classList.add("arriving");
    const dx = from.left + from.width / 2 - disc.left - disc.width / 2;
    const dy = from.top + from.height / 2 - disc.top - disc.height / 2;
    const scale = from.width / disc.width;
    const travel = ball.animate(
      [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }],
      { duration: flight, easing: "cubic-bezier(.3, .1, .2, 1)" },
    );
    const land = () => {
      ball.remove();
      cell.classList.remove("arriving");
    };
    travel.finished.then(land, land);
  }

  #speak({ name, event }) {
    if (name === "number_drawn") write(this.#parts.spoken, strings.spokenNumber(event.game, event.k, event.number));
    if (name === "game_settled") write(this.#parts.spoken, strings.spokenResult(event.game, count(event.winners)));
  }

  // build lays out the board of so many numbers.
  #build(of) {
    if (this.#built === of) return;
    this.#built = of;
    this.#cells.clear();
    this.#rows = [];
    const halves = [this.#half(1, of / 2, strings.heads), this.#half(of / 2 + 1, of, strings.tails)];
    this.#parts.board.replaceChildren(...halves);
  }

  #half(first, last, name) {
    const half = this.#element("div", "half");
    half.setAttribute("role", "rowgroup");
    half.setAttribute("aria-label", name);
    const label = this.#element("p", "half-name", name);
    label.setAttribute("aria-hidden", "true");
    half.append(label);
    for (let n = first; n <= last; n += columns) half.append(this.#row(n));
    return half;
  }

  #row(first) {
    const row = this.#element("div", "row");
    row.setAttribute("role", "row");
    for (let n = first; n < first + columns; n++) {
      const cell = this.#element("div", "cell");
      cell.setAttribute("role", "cell");
      cell.dataset.number = n;
      cell.append(this.#element("span", "disc", String(n)));
      this.#cells.set(n, cell);
      row.append(cell);
    }
    const lane = this.#element("div", "lane");
    lane.setAttribute("role", "cell");
    const bar = this.#element("span", "bar");
    const figure = this.#element("span", "figure");
    const place = this.#element("span", "place");
    lane.append(this.#element("span", "unseen", strings.row(this.#rows.length + 1)), bar, place, figure);
    this.#rows.push({ bar, figure, place });
    row.append(lane);
    return row;
  }

  // bar adds a term with a bar and a figure to a list.
  #bar(list, term) {
    const value = this.#element("dd");
    const bar = this.#element("span", "bar");
    const figure = this.#element("span", "figure");
    value.append(bar, figure);
    list.append(this.#element("dt", "", term), value);
    return { bar, figure };
  }

  #entry(list, term) {
    const group = this.#element("div");
    const value = this.#element("dd");
    group.append(this.#element("dt", "label", term), value);
    list.append(group);
    return value;
  }

  #element(name, className = "", text = "") {
    const element = this.#document.createElement(name);
    if (className) element.className = className;
    if (text) element.textContent = text;
    return element;
  }
}

// write changes a text only if it is another, so that nothing is redrawn or
// spoken that did not change.
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// writeCount writes a count and marks it if there is nothing to count.
function writeCount(element, n) {
  write(element, String(n));
  element.classList.toggle("zero", n === 0);
}
