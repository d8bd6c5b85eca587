// Today: what waits for somebody first, then how the games stand, and one's own shift.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { actsOf } from "./acts.js";
import { over } from "./desk.js";
import { form } from "./form.js";

const shown = 50; // requests on the page, those that wait first

export async function showToday(page) {
  const { desk } = page;
  const kinds = await actsOf(desk);
  const approvals = element("ul", "", "", { id: "approvals" });
  const course = element("dl", "facts", "", { id: "course" });
  const pause = form("pause", [{ name: "reason", label: strings.reason }], strings.pause, page.done(async (values) => {
    await desk.send("POST", "/v1/operator/pause", values);
    pause.reset();
  }), { main: false });
  const resume = page.press(strings.resume, () => desk.send("POST", "/v1/operator/resume"), { main: true });
  resume.id = "resume";
  const shift = element("div", "", "", { id: "shift" });
  const alarms = element("ul", "", "", { id: "alarms" });
  const alarmed = element("section", "panel waiting", [element("h2", "", strings.alarms), alarms]);
  alarmed.hidden = true;
  const disputes = element("ul", "lines", "", { id: "disputes" });
  const disputed = element("section", "panel waiting", [element("h2", "", strings.disputes), disputes]);
  disputed.hidden = true;
  page.target.append(
    alarmed, disputed,
    element("section", "panel waiting", [element("h2", "", strings.approvals), approvals]),
    ...(desk.may("get-course") ? [element("section", "panel", [element("h2", "", strings.games), course, pause, resume])] : []),
    ...(desk.may("get-duty") ? [element("section", "panel", [element("h2", "", strings.yourShift), shift])] : []),
  );
  const look = async () => {
    if (desk.may("list-alarms")) {
      const { parts } = await desk.getOfHouse("/v1/alarms");
      alarmed.hidden = parts.length === 0;
      showAlarms(alarms, parts);
    }
    if (desk.may("list-runner-disputes")) {
      const open = (await desk.getOfHouse("/v1/runner-disputes")).disputes;
      disputed.hidden = open.length === 0;
      disputes.replaceChildren(...open.map((d) => element("li", "", [`${strings.dispute(d)} `, element("a", "", strings.venueName(d.venue, d.venue_name), { href: `#venue/${d.venue}` })])));
    }
    showApprovals(page, kinds, approvals, await desk.approvals());
    if (desk.may("get-course")) {
      const now = await desk.get("/v1/operator");
      course.replaceChildren(...facts(strings.course(now)));
      pause.hidden = !desk.may("pause") || now.paused;
      resume.hidden = !desk.may("resume") || !now.paused;
    }
    if (desk.may("get-duty")) showShift(page, shift, (await desk.getOfHouse("/v1/duty")).duty.find((d) => d.person === desk.person));
  };
  await look();
  return look;
}

// facts returns pairs of a name and a value.
export const facts = (pairs) => pairs.map(([name, value]) => element("div", "", [element("dt", "", name), element("dd", "", [value].flat())]));

// showAlarms lists the parts of the house that need a person, and draws only others.
function showAlarms(list, parts) {
  const key = JSON.stringify(parts);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...parts.map((a) => element("li", "", [element("div", "", [
    element("strong", "", strings.alarm(a)), element("p", "what", a.sentence), element("p", "", a.remedy)])], { "data-alarm": a.part })));
}

// showApprovals lists what waits first, and draws it only if it is another, so that no
// button moves under a finger.
function showApprovals(page, kinds, list, approvals) {
  const key = JSON.stringify([page.desk.person, approvals]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const sorted = approvals.toSorted((a, b) => Number(a.decided) - Number(b.decided) || b.number - a.number);
  list.replaceChildren(...(sorted.length ? sorted.slice(0, shown).map((a) => approval(page, kinds, a)) : [element("li", "quiet", strings.noApprovals)]),
    ...(sorted.length > shown ? [element("li", "quiet", strings.moreApprovals(sorted.length - shown))] : []));
}

function approval(page, kinds, a) {
  const { desk, press } = page;
  const there = kinds.get(a.action)?.elsewhere; // It is had done by the terminal, and here is said how.
  const decide = (granted) => () => desk.sendOfHouse("POST", `/v1/approvals/${a.number}/decision`, { content: a.content, granted });
  const acts = [
    ...(desk.mayDecide(a) ? [press(strings.refuse, decide(false), { name: "refuse" }), press(strings.consent, decide(true), { name: "consent", main: true })] : []),
    ...(desk.mayWithdraw(a) ? [press(strings.withdraw, decide(false), { name: "withdraw" })] : []),
    ...(desk.mayUse(a) && !there ? [press(strings.use, () => desk.sendOfHouse("POST", `/v1/approvals/${a.number}/use`), { name: "use", main: true })] : []),
  ];
  return element("li", "", [
    element("div", "", [element("strong", "", strings.approval(a)), element("p", "what", a.does || strings.what(a)), ...strings.isAbout(a).map((line) => element("p", "about", line)),
      ...(a.effects?.length ? [element("ul", "effects", a.effects.map((effect) => element("li", "", effect)))] : []),
      ...(a.act?.text_sha256 ? [fileOf(desk, a)] : []),
      ...(a.refused ? [element("p", "quiet", strings.refusedNow(a))] : []), element("p", "quiet", strings.state(a)),
      ...(there && a.granted && !a.used && !over(a) ? [element("p", "", strings.issueThere(a))] : [])]),
    element("div", "acts", acts),
  ], { "data-approval": a.number });
}

// fileOf shows the text of the file that a request is about, when somebody asks for it.
function fileOf(desk, a) {
  const text = element("pre"), file = element("details", "file", [element("summary", "", strings.readFile), text]);
  file.addEventListener("toggle", async () => {
    if (file.open && !text.textContent) text.textContent = (await desk.getOfHouse(`/v1/approvals/${a.number}/file`)).text;
  });
  return file;
}

// showShift lets a person go on duty away from a terminal, in a role that the person has.
function showShift(page, target, duty) {
  const { desk } = page;
  const key = JSON.stringify(duty ?? null);
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  if (duty) {
    target.replaceChildren(element("p", "", strings.onShift(duty)), element("p", "acts", [
      ...(duty.leaves ? [] : [page.press(strings.leaveShift, () => desk.send("POST", "/v1/duty/leave"))]),
      page.press(strings.endShift, () => desk.send("DELETE", "/v1/duty"), { main: true })]));
    return;
  }
  const roles = desk.grants.map((grant, i) => [i, strings.grant(grant)]);
  target.replaceChildren(form("duty", [{ name: "role", label: strings.shiftAs, options: roles, kind: "numberChoice" }], strings.beginShift,
    page.done(({ role }) => desk.send("POST", "/v1/duty", desk.grants[role])), { main: false }));
}
