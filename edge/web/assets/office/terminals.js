// Terminals: register one, let it bring its key, take the key away.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";

const pages = { writer: "/terminal", sst: "/kiosk", display: "/display" };

export async function showTerminals(page) {
  const { desk } = page;
  const { venues } = await desk.getOfHouse("/v1/venues");
  const names = new Map(venues.map((v) => [v.number, v]));
  const area = (t) => names.get(t.venue)?.areas?.find((a) => a.number === t.area)?.name ?? "";
  const code = element("div", "", "", { id: "code" });
  const working = element("section", "panel", "", { id: "terminal-act", hidden: true });
  const list = new Table({ name: strings.views.terminals, empty: strings.noTerminals, columns: [
    { head: strings.number, cell: (t) => String(t.number), value: (t) => t.number },
    { head: strings.venue, cell: (t) => element("a", "", strings.venueName(t.venue, names.get(t.venue)?.name), { href: `#venue/${t.venue}` }) },
    { head: strings.channel, cell: (t) => strings.channels[t.channel] ?? t.channel }, { head: strings.area, cell: area },
    { head: strings.key, cell: (t) => t.revoked ? strings.revoked : t.key ? element("code", "", t.key.slice(0, 12)) : strings.noKey, value: (t) => t.revoked ? strings.revoked : t.key ?? strings.noKey },
    { head: strings.onShiftHead, cell: (t) => t.person ? strings.personNumber(t.person) : "" },
    ...(desk.may("allow-enrolment") ? [{ head: "", cell: (t) => acts(t) }] : [])] });
  const look = async () => list.show((await desk.getOfHouse("/v1/terminals")).terminals);
  const enrol = async (t) => showCode(code, t, await desk.sendOfHouse("POST", `/v1/terminals/${t.number}/enrolment`));
  const acts = (t) => [element("div", "acts", [
    page.press(strings.letIn, () => enrol(t), { name: `enrol-${t.number}` }),
    ...(desk.may("revoke-terminal") && t.key && !t.revoked ? [opens(strings.revoke, `revoke-${t.number}`, () => showRevoke(page, working, t))] : [])])];
  await look();
  page.target.append(code, working, element("section", "panel", [element("h2", "", strings.views.terminals), list.element]));
  if (desk.may("add-terminal")) {
    const where = venues.map((v) => [v.number, strings.venueName(v.number, v.name)]);
    const add = form("add-terminal", [{ name: "venue", label: strings.venue, options: where, kind: "numberChoice" }, { name: "channel", label: strings.channel, options: Object.entries(strings.channels) },
      { name: "area", label: strings.area, kind: "number", optional: true, hint: strings.areaHint }, { name: "key", label: strings.publicKey, optional: true, hint: strings.publicKeyHint }],
    strings.addTerminal, page.done(async (values) => {
      const { number } = await desk.send("POST", "/v1/terminals", values);
      if (!values.key) await enrol({ number, channel: values.channel });
    }));
    page.target.append(element("section", "panel", [element("h2", "", strings.addTerminal), add]));
  }
  return look;
}

// opens makes a button that shows a form.
function opens(text, name, show) {
  const made = element("button", "", text, { type: "button", "data-do": name });
  made.addEventListener("click", show);
  return made;
}

// showCode shows the code with which a device brings its key. It is shown once; anybody who
// stands in front of the device is told it.
function showCode(target, t, { code, expires }) {
  const address = new URL(pages[t.channel] ?? pages.writer, location.href);
  address.hash = code;
  target.replaceChildren(element("section", "panel code", [element("h2", "", strings.codeFor(t.number)), element("p", "big", code), element("p", "", strings.codeUntil(expires)),
    element("p", "hint", strings.codeHint), element("p", "", [element("a", "", address.href, { href: address.href, id: "code-link" })])]));
  target.scrollIntoView({ block: "nearest" });
}

function showRevoke(page, target, t) {
  const revoke = form("revoke", [{ name: "reason", label: strings.reasonPlain }], strings.revokeNow(t.number), page.done(async (values) => {
    await page.desk.send("POST", `/v1/terminals/${t.number}/revocation`, values);
    target.hidden = true;
  }, strings.revokedNow(t.number)));
  target.replaceChildren(element("h2", "", strings.revokeNow(t.number)), element("p", "hint", strings.revokeHint), revoke);
  target.hidden = false;
  revoke.elements.reason.focus();
}
