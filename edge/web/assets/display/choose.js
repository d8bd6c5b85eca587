// Which venue a display is for.
import { get } from "../kit/api.js";
import { element, parts, words, write } from "../kit/dom.js";
import { displayStrings as strings } from "../kit/strings.js";

const p = parts();
const shown = 200; // venues at once; a name finds the others
let venues = [];
words({ display: strings });

function show() {
  const wanted = p.find.value.trim().toLowerCase();
  const found = venues.filter((v) => v.name.toLowerCase().includes(wanted) || String(v.number) === wanted);
  p.venues.replaceChildren(...found.slice(0, shown).map((v) => element("li", "", [
    element("a", "", [element("span", "", v.name), element("span", "quiet", strings.venue(v.number))], { href: `/display/${v.number}` })])));
  write(p.said, found.length === 0 ? strings.noneFound : found.length > shown ? strings.more(found.length - shown) : "");
}

async function load() {
  try {
    ({ venues } = await get("/v1/displays"));
    show();
  } catch {
    write(p.said, strings.noHouse);
    setTimeout(load, 3_000);
  }
}

p.find.addEventListener("input", show);
load();
