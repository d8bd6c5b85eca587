// The signs of life of a display. Where the rules want one, nothing is sold in its area
// while it is silent, so that a sign must mean what it says: the page is in view, the
// browser draws it, and the feed lives.
import { Device, able } from "../kit/device.js";
import { Refused } from "../kit/api.js";
import { displayStrings as strings } from "../kit/strings.js";

const every = 5_000; // the house waits for three times as long, in milliseconds

export class Signs {
  live = false;
  #say;
  #device = null;

  constructor(say) {
    this.#say = say;
  }

  // start begins to give signs if this browser is a display, or becomes one by the code
  // behind the number sign of the address. Without a code of the office it only shows.
  async start() {
    if (!able()) return;
    const code = decodeURIComponent(location.hash.slice(1));
    if (code) history.replaceState(null, "", location.pathname);
    try {
      this.#device = code ? await Device.enrol("display", code) : await Device.open("display");
    } catch (error) {
      this.#say(error instanceof Refused ? error.message : strings.noHouse);
    }
    if (this.#device) this.#beat();
  }

  async #beat() {
    if (this.live && !document.hidden && await drawn()) await this.#give();
    setTimeout(() => this.#beat(), every);
  }

  async #give() {
    try {
      await this.#device.ask("POST", `/v1/terminals/${this.#device.terminal}/signs`, { screens: ["draw", "race"] });
      this.#say(strings.signing);
    } catch (error) {
      this.#say(error instanceof Refused ? error.message : "");
    }
  }
}

// drawn reports whether the browser draws the page within a second.
function drawn() {
  return Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => resolve(true))),
    new Promise((resolve) => setTimeout(() => resolve(false), 1_000)),
  ]);
}
