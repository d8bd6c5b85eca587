// A dealer's station: the terminal that this browser is, the person who has signed on at
// it, and the room of its venue. The caller's page and the issue desk stand on it.
import { ask, get, Refused, Unreachable } from "../kit/api.js";
import { element, write } from "../kit/dom.js";
import { Gate } from "../kit/gate.js";
import { SignOn } from "../kit/sign.js";
import { stationStrings as strings } from "../kit/strings-bingo.js";

const again = 2_000; // until the house is asked again, in milliseconds

export class Station {
  #p;
  #gate;
  #sign;
  #device;
  #counter;
  #hall = 0;
  #supervisor = null; // { person, token } of the supervisor who confirms claims
  onSignedOn = () => {};

  constructor(parts) {
    this.#p = parts;
    this.#gate = new Gate(parts.gate, "terminal", strings.gateTitle, { shared: true });
    parts.shift.addEventListener("click", () => this.shift());
    this.#sign = new SignOn(parts.sign, (person) => this.#signedOn(person));
  }

  get hall() { return this.#hall; }
  get person() { return this.#counter.person ?? 0; }

  // open waits until this browser is a terminal at whose venue there is a room.
  async open() {
    this.#device = await this.#gate.enter();
    for (;;) {
      try {
        this.#counter = await this.#device.ask("GET", `/v1/terminals/${this.#device.terminal}`);
        const { halls } = await get("/v1/hall");
        this.#hall = halls.find((h) => h.venue === this.#counter.venue)?.hall ?? 0;
        if (this.#hall) break;
        this.#gate.say(strings.noRoom);
      } catch (error) {
        this.#device = await this.#gate.after(error, this.#device);
      }
      await new Promise((resolve) => setTimeout(resolve, again));
    }
    this.#gate.leave();
    this.#p.work.hidden = false;
    write(this.#p.venue, this.#counter.venue_name);
    write(this.#p.number, strings.terminal(this.#device.terminal));
    this.#showShift();
    if (!this.person) this.shift();
  }

  // look asks a question about the room.
  look(path) { return this.#device.ask("GET", `/v1/hall/${this.#hall}${path}`); }

  // send does something in the room, as the person who is on shift.
  send(path, body = {}) { return this.#device.ask("POST", `/v1/hall/${this.#hall}${path}`, body); }

  // confirm does something as a supervisor, who signs on for it with a password. It is
  // the person who is on shift, as long as no supervisor was named.
  async confirm(path, body, { person, password } = {}) {
    if (person) await this.#lend(person, password);
    if (!this.#supervisor) return this.send(path, body);
    const headers = { Authorization: `Bearer ${this.#supervisor.token}` };
    return (await ask("POST", `/v1/hall/${this.#hall}${path}`, { body: JSON.stringify(body), headers, credentials: "omit" })).json;
  }

  get lent() { return this.#supervisor?.person ?? 0; }

  async #lend(person, password) {
    await this.release();
    const { json } = await ask("POST", "/v1/session", { body: JSON.stringify({ person, password, bearer: true }), credentials: "omit" });
    this.#supervisor = { person, token: json.token };
  }

  // release signs the supervisor off.
  async release() {
    if (!this.#supervisor) return;
    const headers = { Authorization: `Bearer ${this.#supervisor.token}` };
    this.#supervisor = null;
    await ask("DELETE", "/v1/session", { headers, credentials: "omit" }).catch(() => {}); // It ends by itself.
  }

  #showShift() {
    this.#p.shift.hidden = false;
    this.#p.shift.replaceChildren(this.person ? strings.on(this.person) : strings.signOn, element("kbd", "", "F12"));
    this.#p.shift.classList.toggle("main", !this.person);
    document.documentElement.dataset.shift = this.person ? "on" : "off";
  }

  // shift signs on, or off.
  async shift() {
    if (this.person) {
      await this.say(async () => {
        await this.#device.ask("DELETE", `/v1/terminals/${this.#device.terminal}/shift`);
        this.#counter.person = 0;
      });
      this.#showShift();
      return;
    }
    this.#sign.open(this.#device);
  }

  #signedOn(person) {
    this.#counter.person = person;
    this.#showShift();
    this.tell("");
    this.onSignedOn();
  }

  // say does an act and says what is wrong with it, in the house's own words. It returns
  // whether it was done.
  async say(act, done = "") {
    try {
      const text = await act();
      this.tell(typeof text === "string" ? text : done);
      return true;
    } catch (error) {
      this.fault(error);
      return false;
    }
  }

  // within does what a dialog asks for, and says in the dialog what is wrong with it. It
  // returns whether it was done.
  async within(name, act) {
    const say = (error) => {
      write(this.#p[`${name}-fault`], !error ? "" : error instanceof Refused ? error.message : strings.noHouse);
      write(this.#p[`${name}-clause`], strings.clause(error?.clause));
    };
    say(null);
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
      say(error);
      return false;
    }
  }

  tell(text) {
    this.#p.said.classList.remove("fault");
    write(this.#p.said, text);
    write(this.#p["said-clause"], "");
  }

  fault(error) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    this.#p.said.classList.add("fault");
    write(this.#p.said, error instanceof Refused ? error.message : strings.noHouse);
    write(this.#p["said-clause"], strings.clause(error.clause));
    if (error.code === "no_writer") {
      this.#counter.person = 0;
      this.#showShift();
    }
  }
}
