// The inspector's page: sign on, read the whole journal, judge it, and show whatever is
// asked for. It changes nothing in the house; where one is on the page is behind the
// number sign of the address.
import { ask, get, Refused } from "../kit/api.js";
import { element, parts, words, write } from "../kit/dom.js";
import { inspectorStrings as strings } from "../kit/strings.js";
import { base64 } from "../proof.js";
import { kindName } from "./decode.js";
import { showExceptions, showJournal, showRecord } from "./explorer.js";
import { showCheckpoint } from "./brought.js";
import { gameList, showGame } from "./games.js";
import { heads, Journal } from "./journal.js";
import { showTicket } from "./ticket.js";

words({ inspector: strings });
const page = parts();
const root = document.documentElement;
const keys = { house: "", device: "" };
let journal = null;
let csrf = "";

// fail says what went wrong, in the house's words where it has some.
function fail(error) {
  write(page.notice, error instanceof Refused ? error.message : strings.noHouse);
}

async function attempt(step) {
  write(page.notice, "");
  try {
    await step();
  } catch (error) {
    if (error.code === "session_over" || error.code === "sign_on_first") askWho();
    else fail(error);
  }
}

function askWho() {
  root.dataset.state = "signed-off";
  page["sign-on"].hidden = false;
  page.desk.hidden = page.who.hidden = true;
  page["sign-on"].elements.person.focus();
}

async function welcome(session) {
  csrf = session.csrf;
  if (!session.grants.some((g) => g.role === "inspector")) {
    await ask("DELETE", "/v1/session", { headers: { "Drawhouse-CSRF": csrf } });
    askWho();
    write(page["sign-on-fault"], strings.notInspector);
    return;
  }
  page["sign-on"].hidden = true;
  page.desk.hidden = page.who.hidden = false;
  write(page.person, strings.signedOn(session.person));
  await inspect();
}

// inspect reads everything and judges it.
async function inspect() {
  root.dataset.state = "reading";
  verdict("", strings.reading, "");
  if (!globalThis.crypto?.subtle) {
    verdict("bad", strings.noCrypto, strings.noCryptoText);
    return;
  }
  const { house, series } = await get("/v1/board");
  strings.currency = series[0]?.currency ?? strings.currency;
  write(page.house, house.name);
  keys.house ||= house.house_key;
  keys.device ||= house.device_key;
  const fresh = new Journal((await heads()).at(-1));
  await fresh.read((done, all) => write(page["verdict-text"], strings.readSoFar(done, all)), kindName);
  journal = fresh;
  await judge();
  await show();
}

// judge holds the records against the newest checkpoint and against every seal.
async function judge() {
  const rootNow = await journal.tree.root(journal.head.size);
  let signed = null;
  try { signed = await journal.opened(journal.head.checkpoint, keys.house); } catch { /* Said below. */ }
  journal.signedRoot = signed ? base64(signed.root) : "";
  const { last, first } = await journal.sound(keys.house).catch(() => ({ last: null, first: null }));
  const size = journal.head.size;
  if (!signed) verdict("bad", strings.notSigned, strings.notSignedText);
  else if (first) verdict("bad", strings.altered, strings.alteredText(journal.volume, last, first));
  else if (signed.size !== size || journal.signedRoot !== base64(rootNow)) verdict("bad", strings.altered, strings.alteredSince(journal.volume, last, size));
  else verdict("good", strings.asSigned, strings.asSignedText(size, journal.seals.length, journal.signedRoot.slice(0, 12)));
  root.dataset.state = "shown";
}

function verdict(kind, title, text) {
  page.verdict.dataset.verdict = kind;
  write(page["verdict-title"], title);
  write(page["verdict-text"], text);
}

// show shows what the address names.
async function show() {
  if (!journal) return;
  const [what, ...rest] = location.hash.slice(1).split("/");
  const asked = rest.join("/");
  const tab = { game: "games", record: "journal" }[what] ?? (what || "games");
  for (const link of page.tabs.children) link.setAttribute("aria-current", String(link.getAttribute("href") === `#${tab}`));
  root.dataset.view = "";
  switch (what) {
    case "journal": showJournal(page.view, journal); break;
    case "record": await showRecord(page.view, journal, Number(asked.split(":").at(-1))); break;
    case "exceptions": showExceptions(page.view, journal, (await get("/v1/alarms")).alarms); break;
    case "ticket": await showTicket(page.view, journal, decodeURIComponent(asked)); break;
    case "checkpoint": showCheckpoint(page.view, journal, keys, () => attempt(judge)); break;
    default: await showGames(asked);
  }
  root.dataset.view = location.hash || "#games";
}

async function showGames(name) {
  const chosen = name || [...journal.games.keys()].at(-1) || "";
  const shown = element("div", "panel-list", "", { id: "game" });
  page.view.replaceChildren(element("div", "split", [element("section", "panel", [element("h2", "", strings.games), gameList(journal, chosen)]), shown]));
  if (chosen) await showGame(shown, journal, chosen, keys);
}

page["sign-on"].addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(page["sign-on"]);
  write(page["sign-on-fault"], "");
  let session;
  try {
    ({ json: session } = await ask("POST", "/v1/session", { body: JSON.stringify({ person: Number(data.get("person")), password: data.get("password") }) }));
  } catch (error) {
    write(page["sign-on-fault"], error instanceof Refused ? error.message : strings.noHouse);
    return;
  }
  page["sign-on"].reset();
  attempt(() => welcome(session));
});
page["sign-off"].addEventListener("click", () => attempt(async () => {
  await ask("DELETE", "/v1/session", { headers: { "Drawhouse-CSRF": csrf } });
  journal = null;
  page.view.replaceChildren();
  askWho();
}));
page.recompute.addEventListener("click", () => attempt(inspect));
addEventListener("hashchange", () => attempt(show));
attempt(async () => welcome(await get("/v1/session")));
