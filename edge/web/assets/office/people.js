// People: who they are, what they may do, whether they are on duty or locked.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

export async function showPeople(page) {
  const { desk } = page;
  const names = new Map((await desk.getOfHouse("/v1/venues")).venues.map((v) => [v.number, v.name]));
  const list = new Table({ name: strings.views.people, empty: strings.noPeople, columns: [
    { head: strings.number, cell: (p) => String(p.number), value: (p) => p.number },
    { head: strings.name, cell: (p) => element("a", "", strings.personName(p), { href: `#person/${p.number}` }), value: (p) => strings.personName(p) },
    { head: strings.contact, cell: (p) => p.contact ?? "" }, { head: strings.roles, cell: (p) => strings.grants(p.grants, names) },
    { head: strings.onShiftHead, cell: (p) => p.duty ? strings.duty(p.duty) : "" }, { head: strings.condition, cell: (p) => strings.personState(p) }] });
  const look = async () => list.show((await desk.getOfHouse("/v1/people")).people);
  await look();
  page.target.append(element("section", "panel", [element("h2", "", strings.views.people), list.element]));
  if (desk.may("add-person")) {
    const add = form("add-person", [{ name: "name", label: strings.name }, { name: "contact", label: strings.contact, optional: true }, ...await grantFields(desk, [["", strings.noRoleYet]])], strings.addPerson, page.done(async (values) => {
      const { number } = await desk.sendOfHouse("POST", "/v1/people", { name: values.name, ...(values.contact ? { contact: values.contact } : {}), grants: values.role ? [grantOf(values)] : [] });
      location.hash = `#person/${number}`;
    }));
    page.target.append(element("section", "panel", [element("h2", "", strings.addPerson), element("p", "hint", strings.addPersonHint), add]));
  }
  return look;
}

// Roles of a venue name it; those of the central site do not. Nobody gives the role of an
// inspector alone: two persons do, under Ask for something.
async function grantFields(desk, without = []) {
  const { venues } = await desk.getOfHouse("/v1/venues");
  return [{ name: "role", label: strings.role, hint: strings.inspectorHint, optional: true, options: [...without, ...Object.entries(strings.roleNames).filter(([role]) => role !== "inspector")] },
    { name: "venue", label: strings.venue, kind: "numberChoice", optional: true, hint: strings.grantVenueHint, options: [["", strings.centralSite], ...venues.map((v) => [v.number, strings.venueName(v.number, v.name)])] }];
}

const grantOf = ({ role, venue }) => ({ role, ...(venue ? { venue } : {}) });

export async function showPerson(page, number) {
  const { desk } = page;
  const p = (await desk.getOfHouse("/v1/people")).people.find((one) => one.number === Number(number));
  if (!p) {
    page.target.append(element("p", "notice", strings.noPerson(number)));
    return;
  }
  const anew = (does, said) => page.done(async (values) => { await does(values); await page.anew(); }, said);
  const own = `/v1/people/${p.number}`;
  const link = element("div", "", "", { id: "invitation" });
  page.target.append(element("section", "panel", [element("p", "", [element("a", "", strings.everybody, { href: "#people" })]), element("h2", "", strings.personTitle(p)),
    element("dl", "facts", facts([[strings.contact, p.contact ?? strings.none], [strings.password, p.has_password ? strings.hasPassword : strings.hasNone],
      [strings.onShiftHead, p.duty ? strings.duty(p.duty) : strings.none], [strings.condition, strings.personState(p) || strings.none]])),
    element("p", "acts", [
      ...(desk.may("invite-person") && !p.erased ? [page.press(p.has_password ? strings.inviteAnew : strings.invite, async () => showLink(link, await desk.sendOfHouse("POST", `${own}/invitation`)), { main: !p.has_password, name: "invite" })] : []),
      ...(desk.may("send-home") && p.duty ? [page.press(strings.sendHome, async () => { await desk.send("DELETE", `${own}/duty`); await page.anew(); }, { name: "send-home" })] : [])]), link]));
  if (p.erased) return;
  page.target.append(await rolePanel(page, p, own, anew));
  const locked = Boolean(p.locked_until);
  if (mayLock(desk, p)) {
    page.target.append(element("section", "panel", [element("h2", "", locked ? strings.unlock : strings.lock), element("p", "hint", strings.lockHint),
      form("lock", [{ name: "reason", label: strings.reasonPlain }], locked ? strings.unlock : strings.lock, anew(({ reason }) => desk.send("PUT", `${own}/lock`, { locked: !locked, reason })))]));
  }
  if (inspects(p) && desk.may("lock-inspector")) page.target.append(element("p", "notice", strings.inspectorByTwo));
  if (desk.may("erase-person")) page.target.append(await erasePanel(page, p, own, anew));
}

const inspects = (p) => p.grants.some((g) => g.role === "inspector");

// Two persons lock an inspector or let one back in, and nobody shows a button for what would
// be refused. Alone an inspector locks the own number, and the central site, which sends people
// home, locks everybody else and cuts a lock for wrong passwords short.
function mayLock(desk, p) {
  if (!inspects(p)) return desk.may("send-home");
  return p.locked_until ? desk.may("send-home") && !p.locked_until.startsWith("9999") : p.number === desk.person;
}

// The role of an inspector is given up and not taken; administrators, who give the others,
// take them.
const mayWithdraw = (desk, p, g) => g.role === "inspector" ? p.number === desk.person : desk.may("grant-role");

async function rolePanel(page, p, own, anew) {
  const { desk } = page;
  const names = new Map((await desk.getOfHouse("/v1/venues")).venues.map((v) => [v.number, v.name]));
  const list = new Table({ name: strings.roles, empty: strings.noRoles, findable: false, columns: [{ head: strings.role, cell: (g) => strings.roleNames[g.role] ?? g.role }, { head: strings.venue, cell: (g) => g.venue ? strings.venueName(g.venue, names.get(g.venue)) : strings.centralSite },
    ...(desk.may("withdraw-role") ? [{ head: "", cell: (g) => mayWithdraw(desk, p, g) ? [page.press(strings.withdraw, async () => { await desk.send("POST", `${own}/withdrawals`, g); await page.anew(); })] : [] }] : [])] });
  list.show(p.grants);
  return element("section", "panel", [element("h2", "", strings.roles), list.element, ...(desk.may("grant-role") ? [form("grant", await grantFields(desk), strings.grantRole, anew((values) => desk.send("POST", `${own}/grants`, grantOf(values))))] : [])]);
}

// showLink shows the address at which a person sets a password, once. The token is behind
// the number sign, which no server is sent.
function showLink(target, { token, expires }) {
  const address = new URL("/web/invitation.html", location.href);
  address.hash = token;
  target.replaceChildren(element("div", "code", [element("h3", "", strings.inviteLink), element("p", "", [element("a", "", address.href, { href: address.href })]), element("p", "hint", strings.inviteUntil(expires))]));
}

// erasePanel asks for a person to be forgotten, and has it done once another person has
// consented. What would be done is private, so the request does not say it: who asked
// gives person and reason again, and the house holds them against the hash.
async function erasePanel(page, p, own, anew) {
  const { desk } = page;
  const approvals = await desk.approvals();
  const granted = approvals.filter((a) => a.action === "erase_person" && a.by === desk.person && a.granted && !a.used);
  const reason = { name: "reason", label: strings.reasonPlain };
  return element("section", "panel", [element("h2", "", strings.erase), element("p", "hint", strings.eraseHint),
    form("ask-erase", [reason], strings.askErase, page.done((values) => desk.sendOfHouse("POST", "/v1/approvals", { action: "erase_person", person: p.number, ...values }), strings.askedPlain), { main: false }),
    ...(granted.length > 0 ? [form("erase", [reason, { name: "approval", label: strings.approvalNumber, kind: "numberChoice", options: granted.map((a) => [a.number, strings.approval(a)]) }], strings.erase,
      anew((values) => desk.sendOfHouse("POST", `${own}/erasure`, values)))] : [])]);
}
