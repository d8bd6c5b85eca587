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

  // may reports whether the person's roles allow an operation. The house has the table
  // and refuses; here nothing is offered that it would refuse.
  may(operation) { return this.#may.has(operation); }

  mayAny(operations) { return [operations].flat().some((one) => this.may(one)); }

  has(roles) { return this.grants.some((g) => roles.includes(g.role)); }

  // get asks about the series of games that the office is about, as send does.
  async get(uri) { return (await ask("GET", inSeries(uri))).json; }

  // getOfHouse asks about all series, or about the one that the question names.
  async getOfHouse(uri) { return (await ask("GET", uri)).json; }

  // approvals returns the requests for consent, newest first: page by page, as long as a page has one that may still be used.
  async approvals() {
    const all = [];
    for (let page = { more: true }, after = ""; page.more; after = `?after=${all.at(-1).number}`) {
      page = await this.getOfHouse(`/v1/approvals${after}`);
      all.push(...page.approvals);
      if (page.approvals.every(over)) break;
    }
    return all;
  }

  async send(method, uri, body) { return this.sendOfHouse(method, inSeries(uri), body); }

  // sendOfHouse sends what is about no series.
  async sendOfHouse(method, uri, body) {
    const headers = { "Drawhouse-CSRF": this.#session.csrf };
    return (await ask(method, uri, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json;
  }

  // upload sends a file as it is.
  async upload(uri, file) {
    const headers = { "Drawhouse-CSRF": this.#session.csrf, "Content-Type": "application/octet-stream" };
    return (await ask("POST", uri, { headers, body: file, wait: uploading })).json;
  }

  // mayDecide reports whether this person may consent: another one than who asked, in a
  // role that the request names.
  mayDecide(approval) { return this.may("decide-approval") && !approval.decided && !over(approval) && approval.by !== this.person && this.has(approval.roles); }

  // mayWithdraw reports whether this person asked for it and can still take it back.
  mayWithdraw(approval) { return this.may("decide-approval") && approval.by === this.person && !approval.used && (!approval.decided || approval.granted) && !over(approval); }

  // mayUse reports whether this person may have done what was consented to.
  mayUse(approval) { return this.may("use-approval") && approval.granted && !approval.used && !over(approval) && approval.by === this.person && Boolean(approval.act); }
}

// over reports whether the time of a request has run out.
export const over = (approval) => Date.parse(approval.expires) < Date.now();
