// Which room a board is for.
import { get } from "../kit/api.js";
import { element, parts, words, write } from "../kit/dom.js";
import { hallStrings as strings } from "../kit/strings-bingo.js";

const p = parts();
words({ hall: strings });

async function load() {
  try {
    const { halls } = await get("/v1/hall");
    p.rooms.replaceChildren(...halls.map((h) => element("li", "", [
      element("a", "", [element("span", "", h.venue_name), element("span", "quiet", h.name)], { href: `/hall/${h.hall}` })])));
    write(p.said, halls.length ? "" : strings.none);
  } catch {
    write(p.said, strings.noHouse);
    setTimeout(load, 3_000);
  }
}

load();
