// The players of the session: their books, their electronic cards, and what is done for
// them.
import { element, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";

export class Players {
  #p;
  #run;
  #ask; // opens the dialog of an act
  #desk = null;
  #money = String;

  constructor(parts, run, ask) {
    this.#p = parts;
    this.#run = run;
    this.#ask = ask;
    parts.columns.replaceChildren(...Object.values(strings.columns).map((text) => element("th", "", text, { scope: "col" })));
  }

  show(desk, money) {
    this.#desk = desk;
    this.#money = money;
    this.#p["players-panel"].hidden = !desk.session;
    write(this.#p["players-title"], strings.players(desk.players.length));
    const rows = desk.players.toReversed().map((player) => this.#row(player));
    this.#p.players.replaceChildren(...(rows.length ? rows : [element("tr", "", [element("td", "quiet", strings.none, { colspan: 5 })])]));
  }

  #row(player) {
    const state = player.undone ? ` (${strings.wasUndone})` : player.barred ? ` (${strings.out})` : "";
    return element("tr", "", [
      element("td", "", String(player.player)),
      element("td", "", player.member + state),
      element("td", "", player.books.map(strings.bookRange).join(", ")),
      element("td", "", this.#device(player)),
      element("td", "", [element("div", "acts", this.#acts(player))]),
    ], { "data-player": player.player });
  }

  #button(text, name, act) {
    const made = element("button", "", text, { type: "button", "data-do": name });
    made.addEventListener("click", act);
    return made;
  }

  get #session() { return `/sessions/${this.#desk.session}`; }

  #device(player) {
    if (!player.device) return [];
    const number = player.device, path = `${this.#session}/devices/${number}`;
    const halted = this.#desk.devices.find((d) => d.device === number && d.halted);
    const acts = halted
      ? [this.#button(strings.replace, "replace", () => this.#replace(number))]
      : [this.#button(strings.fails, "fail", () => this.#run(async (s) => { await s.send(`${path}/failure`); return strings.cardFailed(number); })),
        this.#button(strings.comesBack, "back", () => this.#run(async (s) => { await s.send(`${path}/return`); return strings.cardBack(number); })),
        this.#button(strings.missing, "missing", () => this.#missing(number))];
    return [element("div", "acts", [element("strong", "", String(number)), ...acts])];
  }

  #replace(number) {
    this.#ask(strings.replaceTitle(number), [["with", strings.with, "numeric"]], async (station, values) => {
      await station.send(`${this.#session}/devices/${number}/replacement`, { with: Number(values.with) });
      return strings.cardReplaced(number, values.with);
    }, false);
  }

  #missing(number) {
    this.#ask(strings.missing, [], async (station, _, who) => {
      await station.confirm(`${this.#session}/devices/${number}/return`, { missing: true }, who);
      return strings.cardMissing(number);
    });
  }

  #acts(player) {
    const acts = [];
    if (!player.barred && this.#desk.phase === "entering") acts.push(this.#button(strings.undo, "undo", () => this.#undo(player)));
    if (!player.device && !player.undone) acts.push(this.#button(strings.print, "print", () => this.#print(player)));
    if (!player.barred && this.#desk.phase !== "closed") acts.push(this.#button(strings.shutOut, "bar", () => this.#bar(player)));
    if (player.due_cents) {
      acts.unshift(this.#button(`${strings.refund} ${this.#money(player.due_cents)}`, "refund", () => this.#run(async (station) => {
        await station.send(`${this.#session}/players/${player.player}/refund`);
        return strings.refunded(player.due_cents, this.#money);
      })));
    }
    return acts;
  }

  #undo(player) {
    this.#ask(strings.undoTitle(player.player), [["reason", strings.reason]], async (station, values, who) => {
      await station.confirm(`${this.#session}/players/${player.player}/undo`, { reason: values.reason }, who);
      return strings.undone(player.player);
    });
  }

  #bar(player) {
    this.#ask(strings.shutOutTitle(player.player), [["reason", strings.reason], ["fee_void", strings.feeVoid, "tick"]], async (station, values, who) => {
      await station.confirm(`${this.#session}/players/${player.player}/bar`, { reason: values.reason, fee_void: values.fee_void }, who);
      return strings.shutOutDone(player.player);
    });
  }

  // print saves the sheets of a player's cards as a file, which any printer takes.
  #print(player) {
    return this.#run(async (station) => {
      const { pdf, sheets } = await station.look(`${this.#session}/players/${player.player}/cards`);
      const bytes = Uint8Array.from(atob(pdf), (c) => c.charCodeAt(0));
      const link = element("a", "", "", { href: URL.createObjectURL(new Blob([bytes], { type: "application/pdf" })), download: `cards-${this.#desk.session}-${player.player}.pdf` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      return strings.printed(sheets);
    });
  }
}
