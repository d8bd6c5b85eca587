// The page of a ticket: what it has won, and the proof that it was sealed before the
// draw. The address has the serial. Behind the number sign the paper's QR code has
// the hash of the ticket's record, which is not sent anywhere: the house is asked for
// its proof without being told what the paper says.
import { check } from "../proof.js";
import { cosigners, entryOf } from "../kit/logged.js";
import { ticketStrings as strings } from "../kit/strings.js";
import { View } from "./view.js";

const again = 20_000; // until the house is asked anew while games are to come, in milliseconds
const patience = 15_000; // with one answer

const serial = decodeURIComponent(location.pathname.split("/").pop());
const paper = parsePaper(location.hash);
const view = new View(document);

// parsePaper reads RECORD.SIZE.ROOT, hashes cut to 24 characters of base64 for addresses.
function parsePaper(fragment) {
  const match = /^#([\w-]{24})\.(\d+)\.([\w-]{24})$/.exec(fragment);
  return match ? { record: match[1], size: Number(match[2]), root: match[3] } : null;
}

class Refused extends Error {}

// ask asks the house. A refusal has the house's sentence.
async function ask(path) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patience) });
  const text = await answer.text();
  if (answer.ok) return { text, json: JSON.parse(text) };
  let sentence = "";
  try { sentence = JSON.parse(text).error.sentence; } catch { /* Not from the house. */ }
  if (sentence && answer.status < 500) throw new Refused(sentence);
  throw new Error(sentence || String(answer.status));
}

const sealed = (game) => ["sealed", "drawing", "drawn", "settled"].includes(game.phase);
const waiting = (ticket) => ticket.games_to_come > 0 || ticket.games.some((g) => g.phase !== "settled" && g.phase !== "void");

// same reports whether a hash of the house is the one on the paper.
const same = (hash, printed) => hash.replaceAll("+", "-").replaceAll("/", "_").startsWith(printed);

// prove asks for the proof of a game and checks it here, by the keys with which that game
// was signed: the house may have exchanged them since.
async function prove(ticket, game, noted) {
  const name = `${game.day}/${game.game}`;
  const [proof, whole, known] = await Promise.all([
    ask(`/v1/tickets/${ticket.serial}/proof?game=${encodeURIComponent(name)}`), ask(`/v1/games/${name}?series=${ticket.series}`), ask("/v1/witnesses")]);
  const logproof = proof.json.log_proof ?? "", by = logproof ? await cosigners(logproof, known.json) : { witnesses: [], quorum: "", names: [], of: 0 };
  const have = {
    proof: proof.text, house: whole.json.house_key ?? "", receipt: "", seal: "", fingerprint: noted, checkpoint: "",
    log: logproof ? known.json.log_key ?? "" : "", logproof: "", witnesses: by.witnesses, quorum: by.quorum,
    draw: whole.json.draw_note ?? "", device: whole.json.device_key ?? "",
  };
  const report = await check(have);
  if (!report.failure) report.chain = chainOf(proof.json, game, by);
  report.fingerprint = whole.json.seal?.fingerprint ?? "";
  report.drawn = have.draw !== "";
  judgePaper(report, proof.json.leaf_hash);
  return report;
}

// chainOf says step by step what leads from the ticket to the public log, or why it ends before.
function chainOf(proof, game, by) {
  const steps = [strings.chainTicket(proof.seq), strings.chainSeal(game)];
  if (!proof.log_proof) return { steps, ends: proof.unlogged || strings.noLog };
  steps.push(strings.chainEntry(entryOf(proof.log_proof)));
  if (by.of === 0) return { steps, ends: strings.noWitnesses };
  if (by.names.length === 0) return { steps, ends: strings.noneCosigned };
  steps.push(strings.chainCosigned(by.names));
  return { steps, ends: 2 * by.names.length > by.of ? "" : strings.fewCosigned(by.names.length, by.of) };
}

// judgePaper holds the paper against the record.
function judgePaper(report, leaf) {
  if (!paper || report.failure) return;
  if (!same(leaf, paper.record)) {
    Object.assign(report, { failure: strings.paperDiffers, detail: leaf, proved: [], not_proved: [] });
    return;
  }
  report.paper = true;
  report.proved.push(strings.paperAgrees);
  report.not_proved = report.not_proved.filter((sentence) => !sentence.startsWith(strings.inYourHand));
}

let noted = "";
let timer = 0;

// load asks for the ticket and shows it, and goes on asking while games are to come.
async function load() {
  clearTimeout(timer);
  try {
    const [{ json: ticket }, { json: board }] = await Promise.all([ask(`/v1/tickets/${encodeURIComponent(serial)}`), ask("/v1/board")]);
    view.ticket(ticket, board);
    view.connected();
    await showProof(ticket);
    if (waiting(ticket)) timer = setTimeout(load, again);
  } catch (error) {
    if (error instanceof Refused) {
      view.refused(error.message);
      return;
    }
    view.offline(load);
    timer = setTimeout(load, again);
  }
}

// showProof proves the newest game that is sealed.
async function showProof(ticket) {
  const game = ticket.games.findLast(sealed);
  if (!game) {
    view.unsealed(ticket);
    return;
  }
  try {
    view.proof(await prove(ticket, game, noted), ticket, game);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    view.unproved(error.message, game);
  }
}

view.noted((text) => {
  noted = text;
  load();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && timer) load(); });
addEventListener("hashchange", () => location.reload());
ask("/v1/catalogue").then(({ json }) => view.care(json.care ?? ""), () => {}); // Without it the page says less, and nothing wrong.
view.loading(serial);
load();
