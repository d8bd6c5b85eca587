// The page of a seal: that it is in the public log, of which there is one for everybody, and which witnesses have seen
// that log. The code on the wall leads here. Behind the number sign it has the beginning of the seal's hash, which is
// not sent anywhere: the house is asked for its seal without being told what the wall shows.
import { NOTE, base64, checkLog, openBy, parseKey, parseSeal } from "../proof.js";
import { cosigners } from "../kit/logged.js";
import { inSeries } from "../kit/series.js";
import { gameNumber } from "../kit/strings.js";
import { sealStrings as strings } from "./strings.js";

const again = 5_000; // until the house is asked anew while the seal is not in the log, in milliseconds
const patience = 15_000; // with one answer

const [day, number] = location.pathname.split("/").slice(-2).map(decodeURIComponent);
const wall = /^#([\w-]{24})$/.exec(location.hash)?.[1] ?? "";
const byId = (id) => document.getElementById(id);

class Refused extends Error {}

// ask asks the house and returns the text of its answer. A refusal has the house's sentence.
async function ask(path) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patience) });
  const text = await answer.text();
  if (answer.ok) return text;
  let sentence = "";
  try { sentence = JSON.parse(text).error.sentence; } catch { /* Not from the house. */ }
  if (sentence && answer.status < 500) throw new Refused(sentence);
  throw new Error(sentence || String(answer.status));
}

function show(verdict, texts, proved, open, again) {
  document.documentElement.dataset.state = "shown";
  byId("proof").hidden = false;
  byId("proof").dataset.verdict = verdict;
  for (const [id, text] of Object.entries(texts)) byId(id).textContent = text;
  for (const [id, sentences] of [["proved", proved], ["open", open]]) {
    byId(id).replaceChildren(...sentences.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  }
  byId("open").closest("details").hidden = open.length === 0;
  if (again) setTimeout(load, again);
}

const path = `/v1/games/${encodeURIComponent(day)}/${encodeURIComponent(number)}`;
const file = inSeries(`${path}/seal.tlog-proof`);

// judge holds the seal against its signature, what the wall showed, and the public log.
async function judge(game, known, logproof) {
  const proved = [], house = parseKey(game.house_key, NOTE);
  const seal = parseSeal(await openBy(game.seal.note, house));
  if (seal.game.split(" ").slice(1).join("/") !== `${game.day}/${game.game}`) throw new Error(strings.otherGame);
  if (wall) {
    if (!base64(seal.hash).replaceAll("+", "-").replaceAll("/", "_").startsWith(wall)) throw new Error(strings.wallDiffers);
    proved.push(strings.wallAgrees);
  }
  const by = logproof ? await cosigners(logproof, known) : { witnesses: [], quorum: "", names: [], of: known.witnesses.length };
  if (logproof) await checkLog({ log: known.log_key, logproof, ...by }, house, {}, seal, proved);
  return { proved, fingerprint: seal.fingerprint, few: logproof && 2 * by.names.length <= by.of ? strings.few(by.names.length, by.of) : "" };
}

// load asks for the game and shows it, and goes on asking while its seal is not in the log.
async function load() {
  const title = strings.title(number, day);
  document.title = title;
  byId("title").textContent = title;
  byId("seal-label").textContent = strings.seal;
  byId("open-title").textContent = strings.notProved;
  try {
    const [game, known] = (await Promise.all([ask(inSeries(path)), ask("/v1/witnesses")])).map((text) => JSON.parse(text));
    byId("notice").textContent = "";
    byId("house").textContent = game.house_key?.split("+")[0] ?? "";
    if (!game.seal) {
      show("none", { "proof-title": strings.notSealed, "proof-summary": strings.willBeSealed, fingerprint: "" }, [], [], again);
      return;
    }
    let logproof = "", missing = "";
    try { logproof = await ask(file); } catch (error) {
      if (!(error instanceof Refused)) throw error;
      missing = error.message;
    }
    await showSeal(game, known, logproof, missing);
  } catch (error) {
    byId("notice").textContent = error instanceof Refused ? error.message : strings.offline;
    if (!(error instanceof Refused)) setTimeout(load, again);
  }
}

async function showSeal(game, known, logproof, missing) {
  try {
    const { proved, fingerprint, few } = await judge(game, known, logproof);
    const texts = { "proof-title": logproof ? strings.inLog : strings.notInLog, "proof-summary": logproof ? strings.summary(gameNumber(game.game)) : missing, fingerprint };
    show(logproof ? "good" : "none", texts, proved, [known.witnesses.length === 0 ? strings.noWitness : few, strings.keys, strings.rest].filter(Boolean), logproof ? 0 : again);
    const link = (text, href, save) => Object.assign(document.createElement("a"), { textContent: text, href }, save ? { download: save } : {});
    byId("keep").replaceChildren(...(logproof ? [link(strings.keep, file, `${day}-${number}.tlog-proof`)] : []), link(strings.elsewhere, "/web/proof.html"));
  } catch (error) {
    show("bad", { "proof-title": strings.doesNotHold, "proof-summary": `${error.message} ${strings.tellInspector}`, fingerprint: game.seal.fingerprint }, [], []);
    byId("notice").textContent = `${strings.doesNotHold}. ${error.message}`;
  }
}

byId("notice").textContent = strings.loading;
addEventListener("hashchange", () => location.reload());
load();
