// The issue desk of a bingo room: the session of the evening, who plays, what is issued,
// what is paid, and who is to be told of a prize.
import { Refused, Unreachable } from "../kit/api.js";
import { element, parts as find, words, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";
import { Follow, Looks } from "../room/follow.js";
import { Station } from "../room/station.js";
import { Plan } from "./plan.js";
import { Players } from "./players.js";
import { Prizes } from "./prizes.js";
import { Sell } from "./sell.js";
import { Winners } from "./winners.js";
import { Won } from "./won.js";

const every = 5_000; // between looks: not everything at a desk is an event, in milliseconds
const p = find();
words({ desk: strings });

class Desk {
  #station = new Station(p);
  #follow;
  #parts = [];
  #room = null;
  #act = null; // what the dialog does
  #desk = null;
  #looks = new Looks(() => this.#takeDesk());

  async open() {
    await this.#station.open();
    const run = (act) => this.#run(act), ask = (...what) => this.#ask(...what);
    this.#parts = [new Sell(p, run), new Players(p, run, ask), new Prizes(p, run), new Winners(p, run), new Won(p, ask), new Plan(p, run, ask)];
    p["to-board"].href = `/hall/${this.#station.hall}`;
    p.issue.addEventListener("click", () => this.#issue());
    p.close.addEventListener("click", () => this.#close());
    p["act-back"].addEventListener("click", () => p.act.close());
    p["act-form"].addEventListener("submit", (event) => this.#submitted(event));
    document.addEventListener("keydown", (event) => event.key === "F12" && !document.querySelector("dialog[open]") && this.#station.shift());
    this.#station.onSignedOn = () => this.#look();
    this.#follow = new Follow(this.#station.hall, {
      room: (room) => { this.#room = room; this.#look(); },
      connection: (state) => {
        document.documentElement.dataset.connection = state;
        write(p.connection, strings.connection[state]);
      },
    });
    await this.#follow.start();
    setInterval(() => document.hidden || this.#look(), every);
  }

  // look takes the desk anew.
  #look() { return this.#looks.now(); }

  async #takeDesk() {
    try {
      const desk = await this.#station.look("/desk"), { promotions } = await this.#station.look("/promotions");
      this.#show({ ...desk, promotions });
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
      if (error instanceof Refused) this.#station.fault(error);
    }
  }

  #show(desk) {
    this.#desk = desk;
    const money = (cents) => strings.money(cents, this.#room?.currency);
    const session = this.#room?.session;
    write(p.session, session ? `${strings.session(session)}. ${strings.phase[desk.phase]}` : strings.phase["no session"]);
    for (const part of this.#parts) part.show(desk, money);
    p["issue-panel"].hidden = desk.phase !== "entering" || !desk.players.length;
    p.ranges.replaceChildren(...desk.issued.map((range) => element("li", "", strings.range(range))));
    p["close-panel"].hidden = desk.phase !== "playing";
    document.documentElement.dataset.phase = desk.phase || "none";
  }

  // run does an act, says how it went, and returns the house's no, if it was one.
  async #run(act) {
    let refused = null;
    await this.#station.say(async () => {
      try {
        return await act(this.#station);
      } catch (error) {
        if (error instanceof Refused) refused = error;
        throw error;
      }
    });
    await this.#look();
    return refused;
  }

  #issue() {
    const { session, issued, players } = this.#desk;
    return this.#run(async (station) => {
      await station.send(`/sessions/${session}/issue`, { ranges: issued.map(({ books, struck }) => ({ books, struck })) });
      return strings.issued(players.length);
    });
  }

  #close() {
    return this.#run(async (station) => {
      await station.send(`/sessions/${this.#desk.session}/close`);
      return strings.closed;
    });
  }

  // ask opens the dialog of an act that needs words, or a supervisor.
  #ask(title, fields, act, supervised = true) {
    this.#act = { act, fields };
    write(p["act-title"], title);
    this.#station.within("act", () => {});
    p["act-supervisor"].hidden = !supervised;
    p["act-fields"].replaceChildren(...fields.map(([name, text, kind]) => {
      const input = element("input", "", "", kind === "tick" ? { name, type: "checkbox" } : { name, required: true, autocomplete: "off", inputmode: kind ?? null });
      return element("label", kind === "tick" ? "tick" : "", kind === "tick" ? [input, element("span", "", text)] : [element("span", "", text), input]);
    }));
    p["act-number"].value = p["act-password"].value = "";
    p.act.showModal();
  }

  async #submitted(event) {
    event.preventDefault();
    const values = Object.fromEntries([...p["act-fields"].querySelectorAll("input")].map((i) => [i.name, i.type === "checkbox" ? i.checked : i.value.trim()]));
    const who = p["act-number"].value ? { person: Number(p["act-number"].value), password: p["act-password"].value } : {};
    p["act-password"].value = "";
    await this.#station.within("act", async () => {
      const said = await this.#act.act(this.#station, values, who);
      p.act.close();
      this.#station.tell(said);
    });
    await this.#station.release();
    await this.#look();
  }
}

new Desk().open();
