// Claims: the forms, newest first, and one with its papers, its signatures and what is to be done.
import { element } from "../kit/dom.js";
import { money } from "../kit/strings.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

const cents = (amount) => money(amount, strings.currency);
const choices = (words) => Object.entries(words);

export async function showClaims(page) {
  const { desk } = page;
  const list = new Table({ name: strings.views.claims, empty: strings.noClaims, columns: [
    { head: strings.number, cell: (c) => element("a", "", String(c.number), { href: `#claim/${c.number}` }), value: (c) => c.number },
    { head: strings.claimStatus, cell: (c) => strings.claimStates[c.status] ?? c.status }, { head: strings.claimReason, cell: (c) => strings.claimReasons[c.reason] ?? c.reason },
    { head: strings.received, cell: (c) => c.received }, { head: strings.amountHead, number: true, cell: (c) => cents(c.cents), value: (c) => c.cents },
    { head: strings.mustSign, cell: (c) => c.missing.map(strings.party).join(", ") }] });
  let pages = 1; // As many as the person has asked for stay in view when the list is looked at again.
  const older = element("p", "", [page.press(strings.olderClaims, () => { pages++; }, { name: "older-claims" })]);
  const look = async () => {
    const claims = [];
    let more = true;
    for (let n = 0; n < pages && more; n++) {
      const after = claims.length > 0 ? `?after=${claims.at(-1).number}` : "";
      const got = await desk.getOfHouse(`/v1/claims${after}`);
      claims.push(...got.claims);
      more = got.more === true;
    }
    list.show(claims);
    older.hidden = !more;
  };
  await look();
  page.target.append(element("section", "panel", [element("h2", "", strings.views.claims), list.element, older]));
  if (desk.may("lodge-claim")) page.target.append(element("section", "panel", [element("h2", "", strings.lodge), element("p", "hint", strings.lodgeHint), lodge(page)]));
  return look;
}

// Who claims is kept outside the journal; what is left empty is not said.
function lodge(page) {
  const person = ["name", "address", "phone", "email", "born", "account", "letter"];
  return form("lodge", [{ name: "reason", label: strings.claimReason, options: choices(strings.claimReasons) }, { name: "serials", label: strings.serials, kind: "list", hint: strings.serialsHint, sentAs: "serial" },
    { name: "original", label: strings.original, kind: "check" },
    ...person.map((name) => ({ name, label: strings.claimant[name], optional: name !== "name", kind: name === "born" ? "date" : "text" }))], strings.lodge, page.done(async (values) => {
    const claimant = Object.fromEntries(person.filter((name) => values[name]).map((name) => [name, values[name]]));
    const { number } = await page.desk.send("POST", "/v1/claims", { reason: values.reason, serials: values.serials, original: values.original, claimant });
    location.hash = `#claim/${number}`;
  }));
}

export async function showClaim(page, number) {
  const { desk } = page;
  const c = await desk.getOfHouse(`/v1/claims/${encodeURIComponent(number)}`);
  const act = (path, said) => page.done(async (values) => { await desk.send("POST", `/v1/claims/${c.number}/${path}`, values); await page.anew(); }, said);
  const parts = new Table({ name: strings.claimParts, empty: strings.noParts, findable: false, columns: [{ head: strings.serial, cell: (p) => p.serial }, { head: strings.gameHead, cell: (p) => p.game ? `${p.game.day}, ${p.game.game}` : p.system ?? strings.paper },
    { head: strings.moneyAt, cell: (p) => strings.heldAt[p.at ?? ""] ?? p.at }, { head: strings.amountHead, number: true, cell: (p) => cents(p.cents) }] });
  parts.show(c.parts);
  page.target.append(
    element("section", "panel", [element("p", "", [element("a", "", strings.allClaims, { href: "#claims" })]), element("h2", "", strings.claimTitle(c, cents)),
      element("dl", "facts", facts([[strings.claimStatus, strings.claimStates[c.status] ?? c.status], [strings.claimReason, strings.claimReasons[c.reason] ?? c.reason], [strings.received, c.received],
        [strings.original, c.original ? strings.yes : strings.no], [strings.takenBy, strings.personNumber(c.by)], ...claimantFacts(c)])), parts.element], { id: "claim" }),
    element("section", "panel", [element("h2", "", strings.signatures), signatures(c), ...(desk.may("sign-claim") && open(c) ? [sign(act)] : [])]),
    element("section", "panel", [element("h2", "", strings.papers), papers(c), ...(desk.may("note-claim") ? [note(act)] : []),
      ...(desk.may("copy-claim") ? [element("p", "", [page.press(strings.copies, async () => { await desk.send("POST", `/v1/claims/${c.number}/copies`); await page.anew(); }, { name: "copies" })])] : [])]),
    ...conclusion(page, c, act));
}

const open = (c) => c.status === "lodged"; // One that was referred is the Treasurer's.

function claimantFacts(c) {
  if (c.erased) return [[strings.claimant.name, strings.claimantErased]];
  return Object.entries(c.claimant ?? {}).map(([name, value]) => [strings.claimant[name] ?? name, value]);
}

function signatures(c) {
  const lines = [...c.signatures.map((s) => strings.signature(s)), ...c.missing.map((party) => strings.missing(party))];
  return lines.length > 0 ? element("ul", "lines", lines.map((text) => element("li", "", text)), { id: "signatures" }) : element("p", "quiet", strings.noSignatures);
}

const papers = (c) => c.papers.length > 0 ? element("ul", "lines", c.papers.map((p) => element("li", "", strings.paperLine(p))), { id: "papers" }) : element("p", "quiet", strings.noPapers);

// A person signs for the party that the person's role speaks for.
function sign(act) {
  return form("sign-claim", [{ name: "satisfied", label: strings.opinion, options: choices(strings.opinions) }, { name: "reason", label: strings.reasonPlain, optional: true, hint: strings.opinionHint }], strings.sign,
    ({ satisfied, ...rest }) => act("signatures", strings.signed)({ satisfied: satisfied === "yes", ...rest }));
}

const note = (act) => form("note-claim", [{ name: "note", label: strings.paperKind, options: choices(strings.paperKinds) }, { name: "text", label: strings.paperText, hint: strings.paperHint }], strings.addPaper, act("papers", strings.paperAdded), { main: false });

// conclusion is the decision and the payment, or the forms for them.
function conclusion(page, c, act) {
  const { desk } = page;
  const made = [];
  if (c.decision) made.push(element("section", "panel", [element("h2", "", strings.decision), element("p", "", strings.decided(c.decision)), element("p", "clause", strings.clause(c.decision.clause))], { id: "decision" }));
  if (desk.may("decide-claim") && open(c)) {
    made.push(element("section", "panel", [element("h2", "", strings.decide), form("decide-claim", [{ name: "outcome", label: strings.outcome, options: choices(strings.outcomes) }, { name: "reason", label: strings.reasonPlain }], strings.decide, act("decision", strings.decidedNow))]));
  }
  if (c.payment) made.push(element("section", "panel", [element("h2", "", strings.payment), element("p", "", strings.paidBy(c.payment, cents))], { id: "payment" }));
  if (desk.may("pay-claim") && c.status === "allowed") {
    made.push(element("section", "panel", [element("h2", "", strings.payment), form("pay-claim", [{ name: "means", label: strings.means, options: choices(strings.meansNames) }, { name: "reference", label: strings.payReference },
      { name: "venue", label: strings.payVenue, kind: "number", optional: true }], strings.pay, act("payment", strings.paidNow))]));
  }
  if (desk.may("erase-claimant") && !c.erased && ["paid", "refused", "referred"].includes(c.status)) {
    made.push(element("section", "panel", [element("h2", "", strings.eraseClaimant), element("p", "hint", strings.eraseClaimantHint), element("p", "", [page.press(strings.eraseClaimant, async () => {
      await desk.send("POST", `/v1/claims/${c.number}/erasure`);
      await page.anew();
    }, { name: "erase-claimant" })])]));
  }
  return made;
}
