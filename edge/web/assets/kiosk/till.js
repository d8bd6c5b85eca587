// The money of a kiosk. It has no drawer: what a player puts in are papers that stand for
// money, and what the kiosk owes goes into a receipt. Each purchase and each payment is a
// customer session of its own, begun and ended without a question in between, and nothing
// is handed out before it has ended.
//
// What is neither the house's nor yet in the player's hand stands in `kept`, which
// outlives the page: a kiosk that was switched off goes on where it was.
import { claimHash, newClaimCode, Refused, Unreachable } from "../kit/device.js";
import { ofSeries } from "../kit/series.js";

const place = "drawhouse-kiosk";
const again = 2_000; // until a request without an answer is sent again, in milliseconds
const papersAtEnd = 3; // that a session's end may issue, and needs claim codes for

export class Till {
  #device;
  #means; // the paper by which this kiosk pays
  #waiting;
  #kept;

  // waiting is told whether a request has no answer yet.
  constructor(device, receipt, waiting) {
    this.#device = device;
    this.#means = receipt.means;
    this.#waiting = waiting;
    this.#kept = { papers: [], sheets: [], spent: 0, begun: null, ...JSON.parse(localStorage.getItem(place) ?? "{}") };
  }

  get papers() { return this.#kept.papers; }
  get sheets() { return this.#kept.sheets; }
  get spent() { return this.#kept.spent; }
  get begun() { return this.#kept.begun; }
  get credit() { return this.papers.reduce((sum, p) => sum + p.cents, 0); }

  #keep(change) {
    Object.assign(this.#kept, change);
    localStorage.setItem(place, JSON.stringify(this.#kept));
  }

  begin() {
    if (!this.begun) this.#keep({ begun: Date.now() });
  }

  // end forgets the visit. Everything must be handed out before.
  end() {
    this.#keep({ papers: [], sheets: [], spent: 0, begun: null });
  }

  // bring takes a paper that the player has put in.
  bring(paper) {
    if (this.papers.some((p) => p.serial === paper.serial)) return false;
    this.#keep({ papers: [...this.papers, paper] });
    return true;
  }

  // giveBack takes a paper out again that was not used; the player has it still.
  giveBack(serial) {
    this.#keep({ papers: this.papers.filter((p) => p.serial !== serial) });
  }

  // handed notes that a sheet is in the player's hand.
  handed(sheet) {
    this.#keep({ sheets: this.sheets.filter((s) => s !== sheet) });
  }

  // receipts turns what the kiosk holds into sheets to hand out.
  receipts() {
    const own = this.papers.filter((p) => p.answer);
    this.#keep({ papers: this.papers.filter((p) => !p.answer), sheets: [...this.sheets, ...own.map((p) => ({ paper: "voucher", answer: p.answer, code: p.claim }))] });
  }

  // ------------------------------------------------------------ a purchase, a payment

  // buy sells a ticket and settles it with as many papers as it takes.
  async buy(method, ticket, expect) {
    const code = newClaimCode(), papers = [];
    for (const p of this.papers) if (papers.reduce((sum, q) => sum + q.cents, 0) < expect) papers.push(p);
    return this.#order("sale", async (number) => ({
      ...ofSeries,
      method, ticket, expect_cents: expect, in_session: true, claim_hash: await claimHash(code, this.#device.terminal, number),
    }), { code, papers });
  }

  // collect pays what a ticket has won into a receipt. A ticket that goes on is printed
  // anew.
  async collect({ serial, claim, ticket }) {
    const code = newClaimCode();
    const goesOn = ticket.games_to_come > 0 || ticket.games.some((g) => !["settled", "void"].includes(g.phase));
    return this.#order("payment", async (number) => ({
      serial, claim_code: claim, in_session: true, expect_cents: ticket.unpaid_cents, ...(goesOn ? { continuation_hash: await claimHash(code, this.#device.terminal, number) } : {}),
    }), { code, ticket });
  }

  // recover finishes what was begun before the page was loaded. A session whose ticket's
  // code is lost cannot be paid for: its ticket is frozen, and no paper was used for it.
  async recover() {
    if (this.#device.pending) await this.#answer(() => this.#device.resend(), this.#device.pending);
    const session = await this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}/session`);
    if (!session.open) return;
    if (session.owed_cents > 0) await this.#order("session-end", () => ({ expect_cents: session.owed_cents, unpaid: true }), { lost: true });
    else await this.#settle({}, session.owed_cents);
  }

  #order(action, make, note) {
    return this.#answer(() => this.#device.order(action, make, note), { action, note });
  }

  // answer waits for the answer of a request, however long it takes, and does what
  // follows from it.
  async #answer(send, { action, note }) {
    let answered;
    for (let ask = send; !answered; ask = () => this.#device.resend()) {
      try {
        answered = await ask();
      } catch (error) {
        if (!(error instanceof Unreachable) && !this.#device.pending) {
          this.#waiting(false);
          return this.#refused(error, action, note);
        }
        this.#waiting(true);
        await new Promise((resolve) => setTimeout(resolve, again));
      }
    }
    this.#waiting(false);
    return this.#follow(answered);
  }

  // follow does what follows from an answer, up to the end of the session.
  async #follow({ action, answer, note }) {
    switch (action) {
      case "sale":
        return this.#settle({ first: answer.first_game, spent: answer.cost_cents, sheets: [{ paper: "ticket", answer, code: note.code }], papers: note.papers, sold: { serial: answer.serial, code: note.code } },
          answer.cost_cents - note.papers.reduce((sum, p) => sum + p.cents, 0), answer.cost_cents);
      case "payment":
        return this.#settle({ paid: answer.paid_cents, sheets: answer.continuation ? [{ paper: "ticket", answer: { ...note.ticket, serial: answer.continuation }, code: note.code }] : [] }, -answer.paid_cents);
      case "cancellation":
        await this.#settle({}, 0);
        throw why(note);
    }
    if (note.lost) return null;
    this.#take(answer, note);
    return { ...note, papers: answer.papers ?? [] };
  }

  // settle ends the session: papers in, and what is left over into a receipt.
  #settle(note, left, owed = left) {
    const codes = Array.from({ length: papersAtEnd }, () => newClaimCode());
    return this.#order("session-end", async (number) => ({
      expect_cents: owed,
      ...(note.papers?.length ? { papers: note.papers.map(({ serial, claim }) => ({ serial, claim_code: claim })) } : {}),
      ...(left < 0 ? { pay: [{ means: this.#means }] } : {}),
      claims: await Promise.all(codes.map((code) => claimHash(code, this.#device.terminal, number))),
    }), { ...note, codes });
  }

  // take notes what a session's end has brought: sheets for the player, and receipts,
  // which the kiosk holds as credit until the player is done.
  #take(answer, { sheets = [], papers = [], spent = 0, codes }) {
    const used = papers.map((p) => p.serial);
    const issued = (answer.papers ?? []).map((p, i) => ({ serial: p.serial, claim: codes[i], cents: p.cents, kind: p.kind, answer: p }));
    this.#keep({ papers: [...this.papers.filter((p) => !used.includes(p.serial)), ...issued], sheets: [...this.sheets, ...sheets], spent: this.spent + spent });
  }

  // refused undoes a sale whose papers the house does not take. A ticket that cannot be
  // cancelled any more is not paid, and so is frozen; it was handed to nobody.
  async #refused(error, action, note) {
    if (error.code === "expect_other" && note.ticket) note.ticket.unpaid_cents = error.cents; // The page shows the true amount.
    // A stake that a player card has paid goes back to the card, and the rest is what the receipt is for.
    if (error.code === "expect_other" && action === "session-end" && note.paid) return this.#settle(note, error.cents);
    if (!(error instanceof Refused) || !note.sold) throw error;
    if (action === "session-end") {
      const because = { code: error.code, message: error.message, clause: error.clause };
      return this.#order("cancellation", () => ({ serial: note.sold.serial, claim_code: note.sold.code, in_session: true }), { because, sold: note.sold, spent: note.spent });
    }
    await this.#order("session-end", () => ({ expect_cents: note.spent, unpaid: true }), { lost: true });
    throw why(note);
  }
}

// why is the refusal for which a sale was undone.
const why = ({ because }) => new Refused(0, { ...because, sentence: because.message });
