// What the ticket page shows. It writes texts and never markup.
import { money, ticketStrings as strings, useDigits, useLocale } from "../kit/strings.js";

const shownGames = 4; // until the reader asks for the rest

const shownLines = 3; // of an account of a prize

// element makes an element of a class with a text or with children.
function element(name, className, ...children) {
  const e = document.createElement(name);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

// mine returns every number that a ticket plays.
const mine = (ticket) => new Set(ticket.bets.flatMap((b) => b.spots ?? b.groups?.flat() ?? []));

export class View {
  #byId;
  #root;
  #all = false;

  constructor(document) {
    this.#root = document.documentElement;
    this.#byId = (id) => document.getElementById(id);
    this.#write({
      title: strings.title, "seal-label": strings.seal, "noted-label": strings.notedLabel, "noted-button": strings.notedButton,
      "proved-title": strings.proved, "open-title": strings.notProved, "chain-title": strings.chain, advice: strings.advice(""),
    });
  }

  #write(texts) {
    for (const [id, text] of Object.entries(texts)) {
      const e = this.#byId(id);
      if (e.textContent !== text) e.textContent = text;
    }
  }

  care(help) {
    this.#write({ advice: strings.advice(help) });
  }

  #state(state) { this.#root.dataset.state = state; }

  loading(serial) {
    this.#write({ serial: strings.grouped(serial), notice: strings.loading });
    document.title = `${strings.title} ${strings.grouped(serial)}`;
  }

  connected() {
    this.#state("shown");
    this.#byId("notice").replaceChildren();
  }

  refused(sentence) {
    this.#state("refused");
    this.#write({ notice: `${sentence} ${strings.checkSerial}` });
  }

  // offline keeps what was shown and says that it may be old.
  offline(retry) {
    const button = element("button", "", strings.tryAgain);
    button.type = "button";
    button.addEventListener("click", retry);
    this.#byId("notice").replaceChildren(this.#root.dataset.state === "shown" ? strings.offlineOld : strings.offline, button);
    this.#state("offline");
  }

  ticket(ticket, board) {
    const series = board.series.find((s) => s.series === ticket.series) ?? board.series[0];
    useLocale(series?.locale);
    useDigits(series?.game_digits);
    const cents = (amount) => money(amount, series?.currency ?? "AUD");
    this.#write({ house: board.house.name, serial: strings.grouped(ticket.serial) });
    this.#result(ticket, cents);
    this.#games(ticket, cents);
  }

  #result(ticket, cents) {
    const [headline, detail] = strings.outcome(ticket, cents);
    this.#byId("result").replaceChildren(
      element("p", "headline", headline), element("p", "detail", detail),
      ...ticket.ticket.bets.map((bet) => this.#bet(bet, cents)),
      element("p", "quiet", strings.sold(ticket, cents)));
  }

  #bet(bet, cents) {
    const box = element("div", "bet", element("p", "bet-name", strings.bet(bet.bet), element("span", "quiet", strings.stake(bet, cents))));
    const chips = (sign, items) => element("p", "chips", ...(sign ? [element("span", "sign", sign)] : []), ...items.map((n) => element("span", "chip", String(n))));
    if (bet.spots) box.append(chips("", bet.spots));
    if (bet.groups) box.append(element("div", "groups", ...bet.groups.map((group, i) => chips(strings.groupSign(i), group))));
    if (bet.calls) box.append(chips("", bet.calls.map(strings.call)));
    bet.places?.forEach((rows, i) => box.append(chips(String(i + 1), rows)));
    for (const [feature, side] of Object.entries(bet.with ?? {})) box.append(element("p", "quiet", strings.feature(feature, side)));
    return box;
  }

  #games(ticket, cents) {
    const section = this.#byId("games"), yours = mine(ticket.ticket);
    const newest = ticket.games.toReversed();
    const cards = (this.#all ? newest : newest.slice(0, shownGames)).map((g) => this.#game(g, yours, cents));
    if (cards.length < newest.length) cards.push(this.#more(ticket, cents, newest.length - cards.length));
    section.replaceChildren(...cards);
    section.hidden = cards.length === 0;
  }

  #more(ticket, cents, count) {
    const button = element("button", "plain", strings.more(count));
    button.type = "button";
    button.addEventListener("click", () => {
      this.#all = true;
      this.#games(ticket, cents);
    });
    return button;
  }

  #game(game, yours, cents) {
    const won = game.prize_cents + (game.refund_cents ?? 0);
    const settled = game.phase === "settled" || game.phase === "void";
    const card = element("article", "game", element("div", "game-head",
      element("h3", "", strings.game(game)),
      element("p", won > 0 ? "prize" : "prize none", settled ? strings.prize(game, cents) : strings.phase[game.phase])));
    if (game.numbers.length > 0) {
      card.append(element("ol", "numbers", ...game.numbers.toSorted((a, b) => a - b).map((n) => {
        const cell = element("li", yours.has(n) ? "yours" : "", String(n));
        if (yours.has(n)) cell.setAttribute("aria-label", strings.yours(n));
        return cell;
      })));
    }
    if (game.lines?.length) card.append(this.#lines(game.lines));
    return card;
  }

  // #lines tells how a prize came about; where that takes long, if the reader asks.
  #lines(lines) {
    const list = element("ul", "lines", ...lines.map((line) => element("li", "", `${line.text} `, element("span", "clause", strings.clause(line.clause)))));
    return lines.length <= shownLines ? list : element("details", "", element("summary", "", strings.howItCame), list);
  }

  #proofBox(verdict, title, summary, fingerprint) {
    const box = this.#byId("proof");
    box.hidden = false;
    box.dataset.verdict = verdict;
    this.#write({ "proof-title": title, "proof-summary": summary, fingerprint });
    for (const id of ["noted", "chain-title", "proved-title", "open-title", "seal-label"]) this.#byId(id).closest("form, details, .seal").hidden = fingerprint === "";
  }

  // #chain shows what leads from the ticket to the public log, and why it ends before.
  #chain(chain) {
    const box = this.#byId("chain").closest("details");
    box.hidden = !chain;
    this.#byId("chain").replaceChildren(...(chain?.steps ?? []).map((step) => element("li", "", step)));
    this.#write({ "chain-ends": chain?.ends ? strings.chainEnds(chain.ends) : "" });
    if (chain) box.open = true;
  }

  unsealed(ticket) {
    this.#proofBox("none", strings.notSealed, strings.willBeSealed(ticket), "");
    this.#byId("keep").replaceChildren();
  }

  unproved(sentence, game) {
    this.#proofBox("none", strings.noProof(game), sentence, "");
    this.#byId("keep").replaceChildren();
  }

  proof(report, ticket, game) {
    const bad = report.failure !== "";
    this.#proofBox(bad ? "bad" : "good", bad ? strings.doesNotHold : strings.holds,
      bad ? `${report.failure} ${strings.tellInspector}` : strings.summary(game, report), report.fingerprint);
    if (bad) this.#write({ notice: `${strings.doesNotHold}. ${report.failure}` });
    this.#chain(report.chain);
    const list = (id, sentences) => this.#byId(id).replaceChildren(...sentences.map((s) => element("li", "", s)));
    list("proved", report.proved);
    list("open", report.not_proved);
    this.#byId("proved").closest("details").hidden = report.proved.length === 0;
    const name = `${game.day}/${game.game}`;
    const link = (text, href, file) => {
      const a = element("a", "", text);
      a.href = href;
      if (file) a.download = file;
      return a;
    };
    this.#byId("keep").replaceChildren(
      link(strings.keepProof, `/v1/tickets/${ticket.serial}/proof?game=${encodeURIComponent(name)}`, `proof-${ticket.serial}-${game.day}-${game.game}.json`),
      link(strings.checkElsewhere, "/web/proof.html"));
  }

  // noted calls back with the fingerprint that the reader noted.
  noted(callback) {
    this.#byId("noted").addEventListener("submit", (event) => {
      event.preventDefault();
      callback(this.#byId("noted-fingerprint").value.trim());
    });
  }
}
