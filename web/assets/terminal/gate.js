// How a browser becomes a terminal or a kiosk: by a code of the office, once.
import { terminalStrings as strings } from "../kit/strings.js";
import { able, Device } from "../kit/device.js";
import { write } from "../kit/dom.js";

// enter returns the device that this browser is, and lets it become one where it is
// none. The code may stand behind the number sign of the address, which is not sent to
// anybody. The role says under which name the browser keeps its key. A page that numbers
// no requests may share the device with other tabs; why says why a browser is asked to
// become a device.
export async function enter(parts, role = "terminal", { shared = false, why = strings.notEnrolled } = {}) {
  const said = (text) => write(parts["gate-said"], text);
  if (!able()) {
    said(strings.notAble);
    return new Promise(() => {});
  }
  if (!shared && !(await alone(role))) {
    said(strings.otherTab);
    return new Promise(() => {});
  }
  const code = taken();
  const known = await Device.open(role);
  if (known) return known;
  said(why);
  parts.enrol.hidden = false;
  parts.code.value = code;
  parts.code.focus();
  return new Promise((resolve) => {
    // The gate may be entered again; only who waits now is answered.
    parts.enrol.onsubmit = async (event) => {
      event.preventDefault();
      try {
        resolve(await Device.enrol(role, parts.code.value));
      } catch (error) {
        said(error.sentence ?? (error.message.startsWith("/") ? strings.noHouse : error.message));
        parts.code.setAttribute("aria-invalid", "true");
      }
    };
    window.onhashchange = () => {
      parts.code.value = taken();
      parts.enrol.requestSubmit();
    };
    if (code) parts.enrol.requestSubmit();
  });
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
