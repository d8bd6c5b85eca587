// The office: how the games stand, what one person may do at once, and what two must want.
import { Refused, Unreachable } from "../kit/api.js";
import { element, parts as find, words, write } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings.js";
import { Desk } from "./desk.js";

const p = find();
const every = 5_000; // between looks at the house, in milliseconds

// asked are the acts that can be asked for here: where, and with which particulars.
const asked = {
  void_game: { uri: "/v1/operator/games/void", fields: { ordinal: Number, reason: String, clause: String } },
  adopt_rulebook: { uri: "/v1/operator/rulebooks", fields: { id: String } },
  close_day: { uri: "/v1/operator/days/close", fields: { day: String } },
};

words({ office: strings });

class Office {
  #desk = null;

  async open() {
    p.sign.addEventListener("submit", (event) => this.#submitted(event, () => this.#signOn()));
    p.leave.addEventListener("click", () => this.#run(() => this.#leave()));
    p.pause.addEventListener("submit", (event) => this.#submitted(event, async () => {
      await this.#desk.send("POST", "/v1/operator/pause", { reason: p["pause-reason"].value });
      p["pause-reason"].value = "";
    }));
    p.resume.addEventListener("click", () => this.#run(() => this.#desk.send("POST", "/v1/operator/resume")));
    p.act.replaceChildren(...Object.keys(asked).map((id) => element("option", "", strings.acts[id], { value: id })));
    p.act.addEventListener("change", () => this.#showFields());
    p.ask.addEventListener("submit", (event) => this.#submitted(event, () => this.#ask()));
    this.#showFields();
    try {
      this.#desk = await Desk.resume();
    } catch (error) {
      if (!(error instanceof Refused)) this.#fault(error);
    }
    await this.#run(() => {});
    setInterval(() => this.#desk && !document.hidden && this.#look().catch((error) => this.#failed(error)), every);
  }

  #submitted(event, act) {
    event.preventDefault();
    this.#run(act);
  }

  // run does an act, says what is wrong with it, and looks at the house again.
  async #run(act) {
    write(p.fault, "");
    write(p["fault-clause"], "");
    try {
      await act();
    } catch (error) {
      this.#failed(error);
    }
    p.gate.hidden = this.#desk !== null;
    p.desk.hidden = p.leave.hidden = this.#desk === null;
    write(p.who, this.#desk ? strings.who(this.#desk) : "");
    try {
      if (this.#desk) await this.#look();
    } catch (error) {
      this.#failed(error);
    }
    document.documentElement.dataset.state = "ready";
  }

  #failed(error) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    if (["session_over", "sign_on_first"].includes(error.code)) {
      this.#desk = null;
      p.gate.hidden = false;
      p.desk.hidden = p.leave.hidden = true;
      write(p.who, "");
    }
    this.#fault(error);
  }

  #fault(error) {
    write(p.fault, error instanceof Refused ? error.message : strings.noHouse);
    write(p["fault-clause"], error.clause ? strings.clause(error.clause) : "");
  }

  async #signOn() {
    const password = p.password.value;
    p.password.value = "";
    this.#desk = await Desk.signOn(Number(p.person.value), password);
  }

  async #leave() {
    await this.#desk.send("DELETE", "/v1/session");
    this.#desk = null;
  }

  async #look() {
    const desk = this.#desk;
    const [course, { approvals }] = [await desk.get("/v1/operator"), await desk.get("/v1/approvals")];
    if (desk !== this.#desk) return;
    p.course.replaceChildren(...strings.course(course).map(([name, value]) => element("div", "", [element("dt", "", name), element("dd", "", value)])));
    p.pause.hidden = !desk.runsGames || course.paused;
    p.resume.hidden = !desk.runsGames || !course.paused;
    p.asking.hidden = !desk.runsGames;
    this.#showApprovals(approvals);
  }

  // showApprovals lists what waits first, and draws it only if it is another, so that no
  // button moves under a finger.
  #showApprovals(approvals) {
    const key = JSON.stringify([this.#desk.person, approvals]);
    if (p.approvals.dataset.key === key) return;
    p.approvals.dataset.key = key;
    const sorted = approvals.toSorted((a, b) => Number(a.decided) - Number(b.decided) || b.number - a.number).slice(0, 50);
    p.approvals.replaceChildren(...(sorted.length ? sorted.map((a) => this.#approval(a)) : [element("li", "quiet", strings.noApprovals)]));
  }

  #approval(a) {
    const decide = (granted) => () => this.#desk.send("POST", `/v1/approvals/${a.number}/decision`, { content: a.content, granted });
    const button = (text, name, act, className = "") => {
      const made = element("button", className, text, { type: "button", "data-do": name });
      made.addEventListener("click", () => this.#run(act));
      return made;
    };
    const acts = [
      ...(this.#desk.mayDecide(a) ? [button(strings.refuse, "refuse", decide(false)), button(strings.consent, "consent", decide(true), "main")] : []),
      ...(this.#desk.mayUse(a) ? [button(strings.use, "use", () => this.#desk.send("POST", `/v1/approvals/${a.number}/use`), "main")] : []),
    ];
    return element("li", "", [
      element("div", "", [element("strong", "", strings.approval(a)), element("p", "what", strings.what(a)), element("p", "quiet", strings.state(a))]),
      element("div", "acts", acts),
    ], { "data-approval": a.number });
  }

  #showFields() {
    p.fields.replaceChildren(...Object.entries(asked[p.act.value].fields).map(([name, kind]) =>
      element("label", "", [element("span", "", strings.fields[name]), element("input", "", "", { name, required: true, autocomplete: "off", inputmode: kind === Number ? "numeric" : null })])));
  }

  async #ask() {
    const { uri, fields } = asked[p.act.value];
    const body = Object.fromEntries([...p.fields.querySelectorAll("input")].map((input) => [input.name, fields[input.name](input.value.trim())]));
    await this.#desk.send("POST", uri, body);
    this.#showFields();
  }
}

new Office().open();
