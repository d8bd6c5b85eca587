// The gate of a device's page: what is seen of it until this browser is a terminal, a
// kiosk or a card. It becomes one by a code of the office, once.
import { Refused, Unreachable } from "./api.js";
import { able, Device } from "./device.js";
import { element, write } from "./dom.js";
import { gateStrings as strings } from "./strings.js";

// shutOut is what a house says that does not take the key of a device any more.
const shutOut = ["key_revoked", "hello_wrong", "terminal_unknown"];

export class Gate {
  #place;
  #role;
  #shared;
  #said = element("p", "", "", { id: "gate-said", role: "status" });
  #code = element("input", "", "", { id: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true, "aria-describedby": "code-hint" });
  #form;

  // A gate is built at its place in the page. The role says what the browser becomes, and
  // under which name it keeps its key. A page that numbers no requests may share the
  // device with other tabs.
  constructor(place, role, title, { shared = false } = {}) {
    this.#place = place;
    this.#role = role;
    this.#shared = shared;
    this.#form = element("form", "", [
      element("label", "", strings.code, { for: "code" }),
      this.#code,
      element("p", "hint", strings.codeHint(role), { id: "code-hint" }),
      element("button", "main", strings.enrol(role)),
    ], { id: "enrol", hidden: true });
    place.replaceChildren(element("h1", "", title), this.#said, this.#form);
  }

  // enter returns the device that this browser is, and lets it become one where it is
  // none. The code may stand behind the number sign of the address, which is not sent to
  // anybody; why says why a browser is asked to become a device.
  async enter(why = strings.notEnrolled(this.#role)) {
    if (!able()) {
      this.say(strings.notAble);
      return new Promise(() => {});
    }
    if (!this.#shared && !(await alone(this.#role))) {
      this.say(strings.otherTab(this.#role));
      return new Promise(() => {});
    }
    const code = taken();
    const known = await Device.open(this.#role);
    return known ?? this.#enrol(why, code);
  }

  // say tells anybody who waits before the gate what it waits for.
  say(text) { write(this.#said, text); }

  // fault says what is wrong, in the house's own words if it was the house that said so.
  fault(error) { this.say(error instanceof Unreachable ? strings.noHouse : error.message); }

  // after says what is wrong, and returns the device to go on with: another one where the
  // house does not take the key of this one any more, which is forgotten.
  async after(error, device) {
    this.fault(error);
    if (!(error instanceof Refused) || !shutOut.includes(error.code)) return device;
    await device.forget();
    return this.enter(`${error.message} ${strings.askOffice}`);
  }

  // leave puts the gate away.
  leave() { this.#place.hidden = true; }

  #enrol(why, code) {
    this.say(why);
    this.#form.hidden = false;
    this.#code.value = code;
    this.#code.focus();
    return new Promise((resolve) => {
      // The gate may be entered again; only who waits now is answered.
      this.#form.onsubmit = async (event) => {
        event.preventDefault();
        try {
          resolve(await Device.enrol(this.#role, this.#code.value));
        } catch (error) {
          this.fault(error);
          this.#code.setAttribute("aria-invalid", "true");
        }
      };
      window.onhashchange = () => {
        this.#code.value = taken();
        this.#form.requestSubmit();
      };
      if (code) this.#form.requestSubmit();
    });
  }
}

// taken takes the code out of the address.
function taken() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

const held = new Set(); // roles whose lock this page has

// alone reports whether no other tab is this device: two would number their requests
// alike. The lock is held as long as the page lives.
function alone(role) {
  if (held.has(role)) return true;
  return new Promise((resolve) => {
    navigator.locks.request(`drawhouse-${role}`, { ifAvailable: true }, (lock) => {
      if (lock) held.add(role);
      resolve(lock !== null);
      return lock ? new Promise(() => {}) : undefined;
    });
  });
}
