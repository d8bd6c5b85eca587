// The display of a venue: the board for a wall. It needs nobody: it comes back by
// itself, shows a further rulebook when the house plays by one, and keeps the screen on.
// Where it is let in as a device of the venue it says every few seconds that it works.
import { get } from "../kit/api.js";
import { Feed } from "../kit/feed.js";
import { displayStrings as strings } from "../kit/strings.js";
import { write } from "../kit/dom.js";
import { View } from "../board/view.js";
import { Signs } from "./signs.js";

const number = Number(location.pathname.split("/").pop());
const again = 10_000; // until the venue's name is asked for anew, in milliseconds

// An event that is older than this is news of the past: it is shown at once.
const freshness = 4_000;

const view = new View(document);
const signs = new Signs((text) => write(document.getElementById("signs"), text));
const pick = (board) => board.series[0];

const feed = new Feed({
  board(board) {
    view.show(board, pick(board));
  },
  event(board, name, event) {
    const series = pick(board);
    if (series.series !== event.series) return;
    view.show(board, series, { name, event, fresh: feed.now() - Date.parse(event.time) < freshness });
  },
  connection(state) {
    view.connection(state, feed.now());
    signs.live = state === "live";
  },
});

// name writes which venue this is.
async function name() {
  try {
    const { venues } = await get("/v1/displays");
    const venue = venues.find((v) => v.number === number);
    write(document.getElementById("venue"), venue ? venue.name : strings.noVenue(number));
  } catch {
    setTimeout(name, again);
  }
}

// awake keeps the screen from going dark, where the browser lets a page do so.
async function awake() {
  if (document.hidden) return;
  try { await navigator.wakeLock?.request("screen"); } catch { /* The machine says when. */ }
}

document.addEventListener("visibilitychange", awake);
document.addEventListener("dblclick", () => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
setInterval(() => view.tick(feed.now()), 100);
feed.start();
signs.start();
name();
awake();
