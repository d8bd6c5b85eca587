// What the office asks of the house, as the person who has signed on.
import { ask } from "../kit/api.js";
import { inSeries } from "../kit/series.js";

const uploading = 120_000; // that a file may take, in milliseconds

export class Desk {
  #session;
  #may;

  constructor(session) {
    this.#session = session;
    this.#may = new Set(session.may);
  }

  // resume returns the desk of the person who has signed on in this browser.
  static async resume() { return new Desk((await ask("GET", "/v1/session")).json); }

  static async signOn(person, password) {
    return new Desk((await ask("POST", "/v1/session", { body: JSON.stringify({ person, password }) })).json);
  }

  get person() { return this.#session.person; }
  get grants() { return this.#session.grants; }

  // may reports whether the person's roles allow an operation, by the table of the house.
  may(operation) { return this.#may.has(operation); }

  mayAny(operations) { return [operations].flat().some((one) => this.may(one)); }

  has(roles) { return this.grants.some((g) => roles.includes(g.role)); }

  // get asks about the series of games that the office is about, as send does.
  async get(uri) { return (await ask("GET", inSeries(uri))).json; }

  // getOfHouse names no series.
  async getOfHouse(uri) { return (await ask("GET", uri)).json; }

  // approvals returns requests for consent, as far back as one may be used.
  async approvals(after = "") {
    const { approvals, more } = await this.getOfHouse(`/v1/approvals${after}`);
    return more && !approvals.every(over) ? [...approvals, ...await this.approvals(`?after=${approvals.at(-1).number}`)] : approvals;
  }

  async send(method, uri, body) { return this.sendOfHouse(method, inSeries(uri), body); }

  async sendOfHouse(method, uri, body) {
    const headers = { "Drawhouse-CSRF": this.#session.csrf };
    return (await ask(method, uri, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json;
  }

  // upload sends a file as it is.
  async upload(uri, file) {
    const headers = { "Drawhouse-CSRF": this.#session.csrf, "Content-Type": "application/octet-stream" };
    return (await ask("POST", uri, { headers, body: file, wait: uploading })).json;
  }

  // mayDecide: another person than who asked consents, in a role that the request names.
  mayDecide(approval) { return this.may("decide-approval") && !approval.decided && !over(approval) && approval.by !== this.person && this.has(approval.roles); }

  // mayWithdraw: who asked takes it back.
  mayWithdraw(approval) { return this.may("decide-approval") && approval.by === this.person && !approval.used && (!approval.decided || approval.granted) && !over(approval); }

  // mayUse: who asked has it done.
  mayUse(approval) { return this.may("use-approval") && approval.granted && !approval.used && !over(approval) && approval.by === this.person && Boolean(approval.act); }
}

// over reports whether the time of a request has run out.
export const over = (approval) => Date.parse(approval.expires) < Date.now();
