// The board: for everybody at the first address, and on the walls of venues. It comes back
// by itself and shows a further rulebook when the house plays by one.
import { Feed } from "../kit/feed.js";
import { seriesOf } from "../kit/series.js";
import { View } from "./view.js";


// An event that is older than this is news of the past: it is shown at once.
const freshness = 4_000;

const view = new View(document);

// On a wall the page is a venue's display, which the public page knows nothing of.
const venue = /^\/display\/(\d+)$/.exec(location.pathname)?.[1];
let connected = () => {};
const feed = new Feed({
  board(board) {
    view.show(board, seriesOf(board));
  },
  event(board, name, event) {
    const series = seriesOf(board);
    if (series.series !== event.series) return;
    const fresh = feed.now() - Date.parse(event.time) < freshness;
    view.show(board, series, { name, event, fresh });
  },
  connection(state) {
    view.connection(state, feed.now());
    connected(state === "live");
  },
});

// A witness that must agree and does not is why no number falls. It is no fact of the
// journal, so the feed does not tell of it.
const witnessesEvery = 10_000;
async function witnesses() {
  try {
    const response = await fetch("/v1/witnesses", { cache: "no-store" });
    if (response.ok) view.witnesses((await response.json()).witnesses);
  } catch {
    // The connection is shown as lost by the feed.
  }
}
setInterval(witnesses, witnessesEvery);
witnesses();

// The countdown is looked at often and written when a second has passed.
setInterval(() => view.tick(feed.now()), 100);
if (venue) connected = (await import("../display/wall.js")).hang(Number(venue));
feed.start();
