// The office: who may do what is asked of the house once, at sign-on; each view is a file of its own, which the address
// names behind the number sign.
import { Refused, Unreachable } from "../kit/api.js";
import { element, parts as find, words, write } from "../kit/dom.js";
import { choose, seriesOf } from "../kit/series.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { useDigits, useLocale } from "../kit/strings.js";
import { showAsk } from "./ask.js";
import { showCheques } from "./cheques.js";
import { showClaim, showClaims } from "./claims.js";
import { Desk } from "./desk.js";
import { showGames } from "./games.js";
import { showNotices } from "./notices.js";
import { showPeople, showPerson } from "./people.js";
import { showSales } from "./sales.js";
import { showTerminals } from "./terminals.js";
import { showToday } from "./today.js";
import { showVenue, showVenues } from "./venues.js";

const p = find();
const root = document.documentElement;
const every = 5_000; // between looks at the house, in milliseconds

// views are what the office shows, and the operations of the house of which a person needs one
// to see something there. One that is under another is reached from it, and a live one looks at
// the house again every few seconds.
const views = {
  today: { show: showToday, needs: "list-approvals", live: true },
  games: { show: showGames, needs: "get-course", live: true },
  sales: { show: showSales, needs: "get-sales", live: true },
  ask: { show: showAsk, needs: ["void-game", "move-bank"] },
  claims: { show: showClaims, needs: "list-claims" },
  claim: { show: showClaim, needs: "get-claim", under: "claims" },
  cheques: { show: showCheques, needs: "list-cheques" },
  reports: { show: async (...page) => (await import("./reports.js")).showReports(...page), needs: "list-reports" },
  jackpots: { show: async (...page) => (await import("./jackpots.js")).showJackpots(...page), needs: "list-jackpots" },
  devices: { show: async (...page) => (await import("./devices.js")).showDevices(...page), needs: ["inspect-device", "inspect-draw"] },
  rules: { show: async (...page) => (await import("./rules.js")).showRules(...page), needs: "list-rules" },
  notices: { show: showNotices, needs: "report-display", live: true },
  venues: { show: showVenues, needs: "list-venues" },
  venue: { show: showVenue, needs: "list-venues", under: "venues" },
  rooms: { show: async (...page) => (await import("./rooms.js")).showRooms(...page), needs: "open-hall" },
  terminals: { show: showTerminals, needs: "list-terminals" },
  people: { show: showPeople, needs: "list-people" },
  person: { show: showPerson, needs: "list-people", under: "people" },
};

words({ office: strings });

class Office {
  #desk = null;
  #look = null; // looks at the house again for the view that is shown
  #turn = 0; // counts views, so that an answer for an earlier one is dropped
  #writes = false; // whether the house has said how it writes money

  async open() {
    p.sign.addEventListener("submit", (event) => { event.preventDefault(); this.#attempt(() => this.#signOn()); });
    p.leave.addEventListener("click", () => this.#attempt(() => this.#signOff()));
    addEventListener("hashchange", () => this.#attempt(() => this.#show()));
    await this.#attempt(async () => {
      try {
        this.#desk = await Desk.resume();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
      await this.#show();
    });
    setInterval(() => {
      const desk = this.#desk;
      if (desk && views[this.#name()].live && !document.hidden) this.#again().catch((error) => this.#failed(error, desk));
    }, every);
  }

  // attempt does something and says what is wrong with it.
  async #attempt(act) {
    this.#say("");
    const desk = this.#desk;
    try {
      await act();
    } catch (error) {
      this.#failed(error, desk);
    }
    root.dataset.state = "ready";
  }

  #say(text, clause = "", good = false) {
    write(p.fault, good ? "" : text);
    write(p["fault-clause"], clause ? strings.clause(clause) : "");
    write(p.said, good ? text : "");
  }

  // failed says what is wrong with what somebody did at a desk. That a session is over says
  // nothing of the session that began after it.
  #failed(error, desk) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    if (["session_over", "sign_on_first"].includes(error.code)) {
      if (desk && this.#desk !== desk) return;
      this.#desk = this.#look = null;
      this.#frame();
    }
    this.#say(error instanceof Refused ? error.message : strings.noHouse, error.clause);
  }

  async #signOn() {
    const password = p.password.value;
    p.password.value = "";
    this.#desk = await Desk.signOn(Number(p.person.value), password);
    await this.#show();
  }

  async #signOff() {
    await this.#desk.sendOfHouse("DELETE", "/v1/session");
    this.#desk = this.#look = null;
    this.#turn++;
    p.view.replaceChildren();
    this.#frame();
  }

  // frame shows the gate or the desk, and of the views those that the person may see.
  #frame() {
    p.gate.hidden = this.#desk !== null;
    p.desk.hidden = p.leave.hidden = this.#desk === null;
    write(p.who, this.#desk ? strings.who(this.#desk) : "");
    if (!this.#desk) return;
    const name = this.#name();
    const listed = Object.entries(views).filter(([, view]) => !view.under && this.#desk.mayAny(view.needs));
    p.views.replaceChildren(...listed.map(([id]) => element("a", "button", strings.views[id], { href: `#${id}`, "aria-current": id === (views[name].under ?? name) ? "page" : null })));
  }

  // name returns the view that the address names, or the first.
  #name() {
    const [name] = location.hash.slice(1).split("/");
    return Object.hasOwn(views, name) ? name : "today";
  }

  async #show() {
    this.#frame();
    if (!this.#desk) return;
    const turn = ++this.#turn;
    this.#look = null;
    const name = this.#name();
    root.dataset.view = "";
    if (!this.#writes) {
      const board = await this.#desk.getOfHouse("/v1/board"), series = seriesOf(board);
      choose(p.series, board.series);
      strings.currency = series?.currency ?? strings.currency;
      useLocale(series?.locale);
      useDigits(series?.game_digits);
      this.#writes = true;
      if (turn !== this.#turn) return;
    }
    if (!this.#desk.mayAny(views[name].needs)) {
      p.view.replaceChildren(element("p", "notice", strings.notYours));
      root.dataset.view = name;
      return;
    }
    const target = element("div", "view", "", { "data-view": name });
    const look = await views[name].show(this.#page(target), ...location.hash.slice(1).split("/").slice(1).map(decodeURIComponent));
    if (turn !== this.#turn) return;
    p.view.replaceChildren(target);
    this.#look = look ?? null;
    root.dataset.view = location.hash.slice(1) || name;
  }

  async #again() { await this.#look?.(); }

  // page is what a view works with.
  #page(target) {
    const act = async (does, said) => {
      this.#say("");
      await does();
      if (said) this.#say(typeof said === "function" ? said() : said, "", true);
      await this.#again();
    };
    return {
      target, desk: this.#desk,
      // done is for a form, which says itself what is wrong.
      done: (does, said) => (values) => act(() => does(values), said),
      // press makes a button of something that is done at once.
      press: (text, does, { main = false, name = "", said = "" } = {}) => {
        const made = element("button", main ? "main" : "", text, { type: "button", "data-do": name || null });
        made.addEventListener("click", () => this.#attempt(() => act(does, said)));
        return made;
      },
      // anew shows the view again from the beginning.
      anew: () => this.#show(),
    };
  }
}

new Office().open();
