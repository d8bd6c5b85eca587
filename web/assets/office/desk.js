// What the office asks of the house, as the person who has signed on.
import { ask } from "../kit/api.js";

// central are the roles that run the games; the house has the same list, and refuses.
const central = ["administrator", "supervisor", "operative"];

export class Desk {
  #session;

  constructor(session) { this.#session = session; }

  // resume returns the desk of whoever has signed on in this browser.
  static async resume() { return new Desk((await ask("GET", "/v1/session")).json); }

  static async signOn(person, password) {
    return new Desk((await ask("POST", "/v1/session", { body: JSON.stringify({ person, password }) })).json);
  }

  get person() { return this.#session.person; }
  get grants() { return this.#session.grants; }
  get runsGames() { return this.has(central); }

  has(roles) { return this.grants.some((g) => roles.includes(g.role)); }

  async get(uri) { return (await ask("GET", uri)).json; }

  async send(method, uri, body) {
    const headers = { "Drawhouse-CSRF": this.#session.csrf };
    return (await ask(method, uri, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json;
  }

  // mayDecide reports whether this person may consent: another one than who asked, in a
  // role that the request names.
  mayDecide(approval) { return !approval.decided && approval.by !== this.person && this.has(approval.roles); }

  // mayUse reports whether this person may have done what was consented to.
  mayUse(approval) { return approval.granted && !approval.used && approval.by === this.person && this.runsGames && Boolean(approval.act); }
}
