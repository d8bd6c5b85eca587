// What a venue's display has beside the board: it needs nobody. It says which venue it
// is, keeps the screen on, fills it on a double press, and where it is let in as a device
// of the venue it says every few seconds that it works.
import { get } from "../kit/api.js";
import { displayStrings as strings } from "../kit/strings.js";
import { write } from "../kit/dom.js";
import { Signs } from "./signs.js";

const again = 10_000; // until the venue's name is asked for anew, in milliseconds

// hang makes the page the display of a venue. It returns what is to be told whether the
// page is connected.
export function hang(venue) {
  const signs = new Signs((text) => write(document.getElementById("signs"), text));
  document.documentElement.classList.add("wall");
  document.addEventListener("visibilitychange", awake);
  document.addEventListener("dblclick", () => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  signs.start();
  name(venue);
  awake();
  return (live) => { signs.live = live; };
}

// name writes which venue this is.
async function name(number) {
  try {
    const { venues } = await get("/v1/displays");
    const venue = venues.find((v) => v.number === number);
    write(document.getElementById("venue"), venue ? venue.name : strings.noVenue(number));
  } catch {
    setTimeout(() => name(number), again);
  }
}

// awake keeps the screen from going dark, where the browser lets a page do so.
async function awake() {
  if (document.hidden) return;
  try { await navigator.wakeLock?.request("screen"); } catch { /* The machine says when. */ }
}
