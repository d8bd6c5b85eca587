// A writer's terminal. It puts together the device, the slip, the customer's visit and
// the paper, and gives every act its key.
import { get, Refused, Unreachable } from "../kit/api.js";
import { claimHash, newClaimCode } from "../kit/device.js";
import { parts as find, words, write, element } from "../kit/dom.js";
import { Feed } from "../kit/feed.js";
import { Gate } from "../kit/gate.js";
import { choose, inSeries, moveOn, ofSeries, seriesOf } from "../kit/series.js";
import { SignOn } from "../kit/sign.js";
import { Status } from "../kit/status.js";
import { countdown, strings as all, terminalStrings as strings } from "../kit/strings.js";
import { parseEntry, perform } from "./entry.js";
import { Marking } from "./mark.js";
import { Papers } from "./paper.js";
import { CardWindow, VoucherSale } from "./desk.js";
import { Slip } from "./slip.js";
import { Visit } from "./visit.js";

const p = find();
const again = 2_000; // until a request without an answer is sent again, in milliseconds
const slow = 350; // after which the page says that the house is being asked
const papersAtEnd = 3; // that a session's end may issue, and needs claim codes for

words({ terminal: strings });

class Desk {
  #gate = new Gate(p.gate, "terminal", strings.gateTitle);
  #sign = new SignOn(p.sign, (person) => this.#signedOn(person));
  #status = new Status(p, strings);
  #device;
  #counter;
  #slip;
  #marking;
  #visit;
  #papers;
  #vouchers;
  #cards;
  #quoting = 0;
  #price = null;
  #presented = null; // { serial, ticket or paper, claim }
  #busy = false;
  #awaited = ""; // the action of the request that has no answer yet
  #unpriced = false; // what is marked gets its price when that request is answered

  async open() {
    this.#device = await this.#gate.enter();
    if (!await this.#connect()) return;
    this.#gate.leave();
    p.desk.hidden = false;
    this.#keys();
    this.#follow();
    if (this.#device.pending) await this.#resend();
    await this.#account();
    this.#changed();
    p.entry.focus();
  }

  // connect learns where the terminal stands and what it sells. It goes on trying, and returns whether there is keno.
  async #connect() {
    for (;;) {
      try {
        this.#counter = await this.#device.ask("GET", inSeries(`/v1/terminals/${this.#device.terminal}`));
        const catalogue = await get(inSeries("/v1/catalogue"));
        await this.#device.countFrom(this.#counter.last_request);
        if (!catalogue.of) {
          this.#noKeno();
          return false;
        }
        this.#begin(catalogue);
        return true;
      } catch (error) {
        this.#status.connection("offline");
        this.#device = await this.#gate.after(error, this.#device);
        await new Promise((resolve) => setTimeout(resolve, again));
      }
    }
  }

  // noKeno says that nothing is sold here, and where the terminal can be of use.
  #noKeno() {
    write(p.venue, this.#counter.venue_name);
    write(p.number, strings.terminal(this.#device.terminal));
    this.#status.connection("live");
    p.gate.replaceChildren(element("p", "", all.noKenoAtTerminal), ...Object.entries(all.roomPages).map(([href, name]) => element("p", "", [element("a", "", name, { href })])));
  }

  #begin(catalogue) {
    this.#slip = new Slip(catalogue, this.#counter.channel);
    this.#marking = new Marking(p, this.#slip, catalogue, () => this.#changed());
    this.#visit = new Visit(p, catalogue, this.#counter.accepts);
    this.#vouchers = new VoucherSale(p, catalogue, (wanted) => this.#sellPaper(wanted));
    this.#cards = new CardWindow(p, {
      ask: (card) => this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}/cards/${card}`),
      bring: (card, cents) => this.#bringToCard(card, cents),
      amount: (cents) => this.#visit.amount(cents),
    });
    p["sell-paper"].hidden = this.#vouchers.kinds.length === 0;
    p["look-card"].hidden = !this.#counter.accepts.includes("player_card");
    this.#papers = new Papers(p, this.#device, this.#counter.printer, this);
    write(p.venue, this.#counter.venue_name);
    write(p.number, strings.terminal(this.#device.terminal));
    moveOn(this.#counter.series);
    choose(p.series, this.#counter.series);
    this.#showShift();
    this.#status.connection("live");
  }

  // ------------------------------------------------------------ the game on sale

  #follow() {
    let closes = null;
    const show = (board) => {
      const series = seriesOf(board), open = series?.open ?? null;
      closes = open ? Date.parse(open.closes) : null;
      write(p["sale-game"], open ? all.game(open.game) : all.noGameOpen);
      this.#status.tell(series?.paused ? all.pausedNotice(series.paused) : series?.notice ?? "");
      if (!open) {
        write(p.countdown, "");
        write(p["closes-label"], "");
      }
    };
    const feed = new Feed({
      board: show,
      event: (board, name) => {
        show(board);
        if (["game_opened", "game_closed", "play_paused", "play_resumed", "day_opened"].includes(name)) this.#changed();
      },
      connection: (state) => this.#status.connection(state),
    });
    setInterval(() => {
      if (closes === null) return;
      const left = closes - feed.now();
      write(p.countdown, countdown(left));
      write(p["closes-label"], left > 0 ? all.closesIn : all.closing);
    }, 200);
    feed.start();
  }

  // ------------------------------------------------------------ the slip

  // changed asks for the price of what is marked. Of several answers the newest counts. While
  // a request has no answer, nothing is said of the slip: it may be what was sold.
  async #changed() {
    const asked = ++this.#quoting;
    const ticket = this.#slip.ticket();
    this.#price = null;
    this.#unpriced = this.#awaited !== "";
    this.#visit.slip(null, null);
    if (this.#awaited) {
      this.#marking.quoted({ awaited: this.#awaited });
      return;
    }
    if (!ticket) {
      this.#marking.quoted();
      return;
    }
    const unread = Number.isNaN(this.#slip.marked.stake) && !this.#slip.replay ? { message: strings.noAmount, field: "stake" } : Number.isNaN(this.#slip.games) ? { message: strings.noGames, field: "games" } : null;
    if (unread) {
      this.#marking.quoted({ refused: unread });
      return;
    }
    this.#marking.stale();
    const late = setTimeout(() => asked === this.#quoting && this.#marking.quoted({ asking: true }), slow);
    try {
      const price = await this.#device.ask("POST", "/v1/quote", { ...ofSeries, terminal: this.#device.terminal, ...this.#slip.given, ticket });
      if (asked !== this.#quoting) return;
      this.#price = price;
      this.#marking.quoted({ price });
      this.#visit.slip(ticket, price);
    } catch (error) {
      if (asked !== this.#quoting) return;
      this.#marking.quoted({ refused: error instanceof Refused ? error : { message: strings.noHouse } });
      if (error instanceof Unreachable) setTimeout(() => asked === this.#quoting && this.#changed(), again);
    } finally {
      clearTimeout(late);
    }
  }

  // enter takes what was typed or scanned. An empty line does what is next.
  async #enter() {
    const line = p.entry.value;
    p.entry.value = "";
    if (line.trim() === "") return this.#presented ? this.#pay() : this.#sell();
    const steps = parseEntry(line);
    if (steps?.[0]?.scan) return this.#scanned(steps[0].scan);
    if (!steps || !perform(this.#slip, steps, this.#slip.form === "race" ? this.#slip.bet.rows : 80)) this.say(strings.notUnderstood(line), true);
    this.#marking.show();
    this.#changed();
  }

  async #sell() {
    if (!this.#price) {
      this.say(strings.nothingToSell, true);
      return;
    }
    const { cost_cents: expect, first_game: first } = this.#price, given = this.#slip.given, ticket = this.#slip.ticket();
    const code = newClaimCode();
    await this.#order("sale", async (number) => ({ ...ofSeries, ...given, ticket, expect_cents: expect, in_session: true, claim_hash: await claimHash(code, this.#device.terminal, number) }), { codes: [code], first });
  }

  // ------------------------------------------------------------ requests

  // order sends a numbered request and does what follows from its answer. While one has
  // no answer, no other is sent.
  async #order(action, make, note) {
    if (this.#busy || this.#device.pending) {
      this.say(strings.oneAtATime, true);
      return null;
    }
    this.#busy = true;
    this.#awaited = action;
    try {
      const answered = await this.#device.order(action, make, note);
      this.#answered();
      return await this.#done(answered);
    } catch (error) {
      if (this.#device.pending) return await this.#resend();
      throw error;
    } finally {
      this.#busy = false;
      this.#answered();
    }
  }

  // resend asks again until the house has answered: the same request under the same
  // number, which it does once.
  async #resend() {
    this.#awaited = this.#device.pending.action;
    this.#status.awaits(strings.pendingNotice(strings.actions[this.#awaited]));
    this.#changed();
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, again));
      try {
        const answered = await this.#device.resend();
        this.#answered();
        return await this.#done(answered);
      } catch (error) {
        if (this.#device.pending) continue;
        this.#answered();
        if (!(error instanceof Refused)) throw error;
        this.say(error.message, true);
        await this.#account();
        return null;
      }
    }
  }

  // answered ends the wait for an answer, whatever it is. A price that was not asked for
  // meanwhile is asked for by the page that has done what follows from the answer.
  #answered() {
    if (this.#awaited) this.#status.answered();
    this.#awaited = "";
    if (!this.#busy && this.#unpriced) this.#changed();
  }

  // done does what follows from an answer.
  async #done({ action, answer, note }) {
    if (action === "session-end") {
      p.settle.close();
      const change = p.change.textContent, amount = (c) => this.#visit.amount(c), promised = strings.promised(answer, amount);
      this.#visit.over();
      this.#anew();
      this.say([strings.ended(answer, amount), change && `${change}.`, promised].filter(Boolean).join(" "));
      this.#visit.tell(change || promised);
      for (const cheque of answer.tenders.filter((t) => t.cents < 0 && ["cheque", "site_cheque"].includes(t.kind) && note.payee)) {
        await this.#hand({ paper: "cheque", answer: { payee: note.payee, cents: -cheque.cents, serial: note.list.lines.find((l) => l.act === "paid")?.serial ?? "" } });
      }
      for (const [i, paper] of (answer.papers ?? []).entries()) await this.#hand({ paper: "voucher", answer: paper, code: note.codes[i] });
      if (answer.printed && note.list) await this.#hand({ paper: "session", answer: note.list });
      this.#papers.forget();
      return answer;
    }
    await this.#account();
    if (action === "sale") {
      this.#slip.clear();
      this.#marking.show({ fresh: true });
      this.#changed();
      this.say([strings.sold(answer, this.#visit.amount(answer.cost_cents)), strings.soldLater(answer.first_game, note.first)].filter(Boolean).join(" "));
      await this.#hand({ paper: "ticket", answer, code: note.codes[0] });
    } else if (action === "payment") {
      this.#putAway();
      this.say(strings.paid(this.#visit.amount(answer.paid_cents)));
      if (answer.continuation) await this.#hand({ paper: "ticket", answer: { ...note.sale, serial: answer.continuation }, code: note.codes[0] });
    } else if (action === "paper") {
      p.voucher.close();
      this.say((note.given ? strings.paperGiven : strings.paperSold)(this.#visit.amount(answer.cents)));
      await this.#hand({ paper: "voucher", answer, code: note.codes[0] });
    } else if (action === "cancellation" || action === "void") {
      this.#putAway();
      this.say(strings.cancelled(this.#visit.amount(answer.refund_cents + answer.carried_cents)));
    } else if (action === "reprint") {
      p.paper.close();
      this.say(await this.#papers.hand({ paper: "ticket", answer: { ...note.ticket, serial: answer.serial }, code: note.codes[0], duplicate: true }));
    }
    return answer;
  }

  async #hand(sheet) {
    const words = await this.#papers.hand(sheet);
    if (words) this.say(`${p.said.textContent} ${words}`);
  }

  async #account() {
    try {
      this.#visit.account(await this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}/session`));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }

  // ------------------------------------------------------------ what is presented

  async #scanned({ serial, claim }) {
    if (claim && !this.#presented) {
      this.say(strings.serialFirst, true);
      return;
    }
    if (claim) {
      this.#presented.claim = claim;
      if (this.#presented.paper) return this.#pay();
      this.#showPresented();
      return;
    }
    try {
      const found = await this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}/presented/${encodeURIComponent(serial)}`);
      this.#presented = { serial, claim: null, ...found };
      this.#showPresented();
    } catch (error) {
      this.#say(error);
    }
  }

  #showPresented(error = null) {
    const { ticket, paper, claim } = this.#presented;
    const money = (c) => this.#visit.amount(c);
    p.presented.hidden = false;
    write(p["presented-title"], strings.presented(this.#presented));
    const [headline, detail] = paper ? [money(paper.cents), strings.goodFor(paper)] : strings.outcome(ticket, money);
    write(p["presented-headline"], headline);
    write(p["presented-detail"], detail);
    p["presented-games"].replaceChildren(...(ticket?.games ?? []).slice(-4).map((g) => element("li", "", [element("span", "", strings.gameLine(g)), element("span", "amount", g.prize_cents ? money(g.prize_cents) : "")])));
    write(p["presented-code"], claim ? "" : strings.scanCode);
    write(p["presented-fault"], error?.message ?? "");
    write(p["presented-clause"], error?.clause ? strings.clause(error.clause) : "");
    const payable = paper || ticket.unpaid_cents > 0;
    p.pay.disabled = !claim || !payable;
    p["give-back"].hidden = Boolean(paper);
    p["play-again"].hidden = Boolean(paper) || !this.#slip.replays;
    p["give-back"].disabled = !claim || ticket?.cancelled || !(ticket?.games_to_come > 0 || ticket?.games.some((g) => g.phase === "open"));
    p.pay.replaceChildren(paper ? strings.usePaper : strings.pay(ticket?.unpaid_cents ? money(ticket.unpaid_cents) : ""), element("kbd", "", "F10"));
  }

  #putAway() {
    this.#presented = null;
    p.presented.hidden = true;
    p.entry.focus();
  }

  async #pay() {
    const { serial, ticket, paper, claim } = this.#presented ?? {};
    if (!claim) {
      this.say(strings.scanCode, true);
      return;
    }
    if (paper) {
      this.say(this.#visit.bring({ serial, claim, name: strings.paperName(paper), cents: paper.cents }) ? strings.brought(this.#visit.amount(paper.cents)) : strings.broughtBefore);
      this.#putAway();
      return;
    }
    const code = newClaimCode();
    const goesOn = ticket.games_to_come > 0 || ticket.games.some((g) => !["settled", "void"].includes(g.phase));
    await this.#aboutTicket("payment", async (number) => ({
      serial, claim_code: claim, in_session: true, expect_cents: ticket.unpaid_cents, ...(goesOn ? { continuation_hash: await claimHash(code, this.#device.terminal, number) } : {}),
    }), { codes: [code], sale: ticket });
  }

  // playAgain makes the slip the presented ticket once more, from the game on sale on.
  #playAgain() {
    if (!this.#presented?.ticket || !this.#slip.replays) return;
    this.#slip.playAgain(this.#presented.serial);
    this.#putAway();
    this.#marking.show();
    this.#changed();
  }

  async #giveBack() {
    const { serial, claim } = this.#presented ?? {};
    if (!claim) return;
    await this.#aboutTicket("cancellation", () => ({ serial, claim_code: claim, in_session: true }), {});
  }

  async #aboutTicket(action, make, note) {
    try {
      await this.#order(action, make, note);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === "claim_code_other") this.#presented.claim = null;
      if (error.code === "expect_other" && this.#presented?.ticket) this.#presented.ticket.unpaid_cents = error.cents;
      if (this.#presented) this.#showPresented(error);
    }
  }

  // ------------------------------------------------------------ the end of the visit

  async #finish() {
    if (!this.#visit.isOpen) {
      this.say(strings.noCustomer, true);
      return;
    }
    let decided = await this.#visit.settle();
    while (decided) {
      const codes = Array.from({ length: papersAtEnd }, () => newClaimCode());
      const { body, payee } = decided;
      try {
        const named = payee ? { payee_hash: (await this.#device.ask("POST", `/v1/terminals/${this.#device.terminal}/payees`, payee)).hash } : {};
        const answer = await this.#order("session-end", async (number) => ({
          ...body, ...named, claims: await Promise.all(codes.map((code) => claimHash(code, this.#device.terminal, number))),
        }), { codes, list: this.#visit.session, payee: payee?.name ?? "" });
        p.settle.close();
        if (answer) p.entry.focus();
        return;
      } catch (error) {
        if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
        this.#say(error);
        if (error.code === "expect_other") { // Such as when payment on a ticket was stopped meanwhile: it is another sum.
          await this.#account();
          this.#visit.comes(error.cents);
          decided = await this.#visit.settle();
          continue;
        }
        decided = await this.#visit.again(error instanceof Refused ? error : { message: strings.noHouse });
      }
    }
    p.entry.focus();
  }

  // ------------------------------------------------------------ papers for money

  // sellPaper sells a paper that stands for money, on the customer's account. One that the
  // operator gives is on nobody's account.
  async #sellPaper(wanted) {
    const code = newClaimCode(), given = Boolean(wanted.approval);
    await this.#order("paper", async (number) => ({ ...ofSeries, ...wanted, ...(given ? {} : { in_session: true }), claim_hash: await claimHash(code, this.#device.terminal, number) }), { codes: [code], given });
    p.entry.focus();
  }

  // bringToCard takes cash for a player card: a visit of its own.
  async #bringToCard(card, cents) {
    if (this.#visit.isOpen) throw new Refused(0, { code: "", sentence: strings.finishFirst });
    await this.#order("session-end", () => ({ expect_cents: 0, card, card_cents: -cents }), { codes: [] });
  }

  // ------------------------------------------------------------ paper that went wrong

  // reissue reports a ticket as not handed over and has the house take another code for
  // it, or by an approval replaces its sheet. The new sheet says that it is a duplicate.
  async reissue(sheet, approval) {
    if (!approval) await this.undelivered(sheet, strings.printerReason);
    const code = newClaimCode();
    const body = async (number) => ({ serial: sheet.answer.serial, claim_hash: await claimHash(code, this.#device.terminal, number), ...(approval ? { approval } : {}) });
    await this.#order("reprint", body, { codes: [code], ticket: sheet.answer });
  }

  // takeBack undoes a ticket that was not handed over, as a second person has agreed.
  takeBack(sheet, approval) {
    return this.#order("void", () => ({ serial: sheet.answer.serial, approval, in_session: true }), {});
  }

  undelivered(sheet, reason) {
    return this.#device.ask("POST", `/v1/terminals/${this.#device.terminal}/undelivered`, { serial: sheet.answer.serial, reason });
  }

  // ------------------------------------------------------------ people

  #showShift() {
    const { person, needs_writer: needed } = this.#counter;
    p.shift.hidden = false;
    p.shift.replaceChildren(person ? strings.writer(person) : needed ? strings.noWriter : strings.signOn, element("kbd", "", "F12"));
    p.shift.classList.toggle("main", !person && Boolean(needed));
  }

  async #shift() {
    if (this.#counter.person) {
      try {
        await this.#device.ask("DELETE", `/v1/terminals/${this.#device.terminal}/shift`);
        this.#counter.person = 0;
        this.#anew();
        this.#papers.forget();
        this.say(strings.signedOff);
      } catch (error) {
        this.#say(error);
      }
      this.#showShift();
      return;
    }
    this.#sign.open(this.#device);
  }

  #signedOn(person) {
    this.#counter.person = person;
    this.#showShift();
    this.say(strings.signedOn(person));
    this.#changed();
  }

  // ------------------------------------------------------------ keys and words

  say(text, wrong = false) {
    p.said.classList.toggle("fault", wrong);
    write(p.said, text);
  }

  #say(error) {
    if (error instanceof Unreachable) this.say(strings.noHouse, true);
    else if (error instanceof Refused) this.say(error.clause ? `${error.message} ${strings.clause(error.clause)}` : error.message, true);
    else throw error;
  }

  // run does an act, and says what is wrong with it.
  async #run(act) {
    try {
      await act();
    } catch (error) {
      this.#say(error);
    }
  }

  // keys gives every button its key and every key its act. What a key does stands on its
  // button and in the legend.
  #keys() {
    const acts = [
      ["F1", p.help, () => p.keys.showModal(), strings.help],
      ["F2", null, () => this.#nextBet(), strings.nextBet],
      ["F3", p["play-again"], () => this.#playAgain(), strings.playAgain],
      ["F4", p["last-paper"], () => this.#papers.showLast(), strings.lastPaper],
      ["F5", p["sell-paper"], () => this.#vouchers.open(), strings.sellPaper],
      ["F6", p.another, () => this.#anotherBet(), strings.another],
      ["F7", p["give-back"], () => this.#giveBack(), strings.giveBack],
      ["F8", p.sell, () => this.#sell(), strings.sell],
      ["F9", p.finish, () => this.#finish(), strings.finish],
      ["F10", p.pay, () => this.#presented && this.#pay(), strings.payKey],
      ["F11", p["look-card"], () => this.#cards.open(), strings.lookCard],
      ["F12", p.shift, () => this.#shift(), strings.signOn],
      ["Esc", p.clear, () => this.#clear(), strings.clear],
    ];
    for (const [key, button, act, text] of acts) {
      button?.addEventListener("click", () => this.#run(act));
      if (button && button !== p.shift) button.replaceChildren(text, element("kbd", "", key));
    }
    p["put-away"].replaceChildren(strings.putAway, element("kbd", "", "Esc"));
    p["put-away"].addEventListener("click", () => this.#putAway());
    p["settle-back"].replaceChildren(strings.back, element("kbd", "", "Esc"));
    p["settle-end"].replaceChildren(strings.endVisit, element("kbd", "", "Enter"));
    p["keys-back"].addEventListener("click", () => p.keys.close());
    p.line.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#run(() => this.#enter());
    });
    p.legend.replaceChildren(...[...acts.filter(([, button]) => !button?.hidden).map(([key, , , text]) => [key, text]), ...strings.entryKeys].flatMap(([key, text]) => [element("dt", "", [element("kbd", "", key)]), element("dd", "", text)]));
    document.addEventListener("keydown", (event) => this.#pressed(event, acts));
  }

  #pressed(event, acts) {
    const open = document.querySelector("dialog[open]");
    const name = event.key === "Escape" ? "Esc" : event.key;
    const found = acts.find(([key]) => key === name);
    if (found && !(open && name === "Esc")) {
      event.preventDefault();
      if (!open && !found[1]?.disabled && !found[1]?.hidden) this.#run(found[2]);
      return;
    }
    // A scanner types wherever the focus is; what is no key of a field goes to the line.
    const field = event.target.closest?.("input, select, textarea, dialog");
    if (!field && /^[\w/ .]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !(event.key === " " && event.target.closest("button"))) p.entry.focus();
  }

  #nextBet() {
    const { bets, marked } = this.#slip;
    this.#slip.choose(bets[(bets.findIndex((b) => b.id === marked.bet) + 1) % bets.length].id);
    this.#marking.show();
    this.#changed();
  }

  // anew leaves nothing on the counter of who was served, or of who has served: no stake, no
  // marks, no ticket, nothing typed.
  #anew() {
    p.entry.value = "";
    if (this.#presented) this.#putAway();
    this.#slip.over();
    this.#marking.show({ fresh: true });
    this.#changed();
  }

  #anotherBet() {
    this.#slip.addBet();
    this.#marking.show();
    this.#changed();
  }

  #clear() {
    if (this.#presented) {
      this.#putAway();
      return;
    }
    p.entry.value = "";
    this.#slip.clear();
    this.#marking.show({ fresh: true });
    this.#changed();
    this.say("");
    p.entry.focus();
  }
}

new Desk().open();
