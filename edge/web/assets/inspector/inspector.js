// The inspector's page: sign on, read the whole journal, judge it, and show whatever is
// asked for. It changes nothing in the house; where one is on the page is behind the
// number sign of the address.
import { ask, get, Refused } from "../kit/api.js";
import { element, parts, words, write } from "../kit/dom.js";
import { inspectorStrings as strings, useLocale } from "../kit/strings.js";
import { base64 } from "../proof.js";
import { showExceptions, showJournal, showRecord } from "./explorer.js";
import { showCheckpoint } from "./brought.js";
import { checkList } from "./evidence.js";
import { gameList, showGame } from "./games.js";
import { showTakeaway } from "./takeaway.js";
import { showTicket } from "./ticket.js";
import { Volumes } from "./volumes.js";

words({ inspector: strings });
const page = parts();
const root = document.documentElement;
const keys = { house: "", device: "" };
const volumes = new Volumes();
let journal = null; // of the volume that is shown
let csrf = "";

// judged returns the keys by which the volume that is shown is judged: those that the
// inspector has for the newest, and for an earlier one those that it names itself, whose
// end the next volume names in turn.
const judged = () => journal.volume === volumes.newest ? keys : journal.keys;

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
  useLocale(series[0]?.locale);
  write(page.house, house.name);
  keys.house ||= house.house_key;
  keys.device ||= house.device_key;
  await volumes.look();
  page.volume.replaceChildren(...volumes.all.map((head) => element("option", "", strings.volumeChoice(head, volumes.newest), { value: head.volume })).toReversed());
  page["volume-choice"].hidden = volumes.all.length === 1;
  await turnTo(journal && volumes.has(journal.volume) ? journal.volume : volumes.newest);
  await show();
}

// turnTo reads a volume and judges it.
async function turnTo(volume) {
  root.dataset.state = "reading";
  journal = await volumes.journal(volume, (done, all) => write(page["verdict-text"], strings.readSoFar(done, all)));
  page.volume.value = String(volume);
  await judge();
}

// judge holds the records against the newest checkpoint and against every seal.
async function judge() {
  const rootNow = await journal.tree.root(journal.head.size);
  let signed = null;
  try { signed = await journal.opened(journal.head.checkpoint, judged().house); } catch { /* Said below. */ }
  journal.signedRoot = signed ? base64(signed.root) : "";
  const { last, first } = await journal.sound(judged().house).catch(() => ({ last: null, first: null }));
  const size = journal.head.size;
  const next = await volumes.successor(journal);
  page["volume-checks"].replaceChildren(...next ? [checkList([next])] : []);
  if (next && !next.ok) verdict("bad", strings.altered, strings.alteredSince(journal.volume, last, size));
  else if (!signed) verdict("bad", strings.notSigned, strings.notSignedText);
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
  if (what === "record") await ofVolume(Number(asked.split(":")[0]));
  const tab = { game: "games", record: "journal" }[what] ?? (what || "games");
  for (const link of page.tabs.children) link.setAttribute("aria-current", String(link.getAttribute("href") === `#${tab}`));
  root.dataset.view = "";
  switch (what) {
    case "journal": showJournal(page.view, journal); break;
    case "record": await showRecord(page.view, journal, Number(asked.split(":").at(-1))); break;
    case "exceptions": showExceptions(page.view, journal, (await get("/v1/alarms")).alarms); break;
    case "ticket": await showTicket(page.view, volumes, decodeURIComponent(asked)); break;
    case "checkpoint": showCheckpoint(page.view, volumes, keys, () => attempt(judge)); break;
    case "takeaway": showTakeaway(page.view, volumes, keys); break;
    default: await showGames(asked);
  }
  root.dataset.view = location.hash || "#games";
}

// ofVolume turns to the volume that an address names, if there is such.
async function ofVolume(volume) {
  if (volume !== journal.volume && volumes.has(volume)) await turnTo(volume);
}

async function showGames(name) {
  const chosen = name || (journal.seals.at(-1)?.game ?? [...journal.games.keys()].at(-1) ?? "");
  const shown = element("div", "panel-list", "", { id: "game" });
  page.view.replaceChildren(element("div", "split", [element("section", "panel", [element("h2", "", strings.games), gameList(journal, chosen)]), shown]));
  if (chosen) await showGame(shown, journal, chosen, judged());
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
page.volume.addEventListener("change", () => attempt(async () => {
  await turnTo(Number(page.volume.value));
  if (["record", "game"].includes(location.hash.slice(1).split("/")[0])) location.hash = "#games";
  else await show();
}));
page.recompute.addEventListener("click", () => attempt(inspect));
addEventListener("hashchange", () => attempt(show));
attempt(async () => welcome(await get("/v1/session")));
