// Notices: what players are told on every screen, where an early end of trading is asked for, and displays
// that do not work.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

export async function showNotices(page) {
  const { desk } = page;
  const told = element("dl", "facts", "", { id: "told" });
  const dark = new Table({ name: strings.darkDisplays, empty: strings.allWork, columns: [
    { head: strings.venue, cell: (d) => element("a", "", strings.venueName(d.venue.number, d.venue.name), { href: `#venue/${d.venue.number}` }) },
    { head: strings.area, cell: (d) => d.area.name }, { head: strings.display, cell: (d) => strings.screens[d.screen] }] });
  const look = async () => {
    const { series } = await desk.getOfHouse("/v1/board");
    told.replaceChildren(...facts(series.flatMap((s) => strings.told(s))));
    const { venues } = await desk.getOfHouse("/v1/venues");
    dark.show(venues.flatMap((venue) => (venue.areas ?? []).flatMap((area) => ["draw", "race"].filter((screen) => !area[screen]).map((screen) => ({ venue, area, screen })))));
  };
  await look();
  page.target.append(element("section", "panel", [element("h2", "", strings.toldNow), told]));
  if (desk.may("show-notice")) page.target.append(noticePanel(page));
  if (desk.may("announce-closure")) {
    page.target.append(element("section", "panel", [element("h2", "", strings.closure), element("p", "hint", strings.closureHint),
      element("p", "", [element("a", "", strings.acts.announce_closure, { href: "#ask/announce_closure" })])]));
  }
  page.target.append(element("section", "panel", [element("h2", "", strings.darkDisplays), element("p", "hint", strings.darkHint), dark.element]));
  return look;
}

// noticePanel has what players read on every screen until something else takes its place.
function noticePanel(page) {
  const { desk } = page;
  const show = (text, said) => page.done(() => desk.send("PUT", "/v1/operator/notice", { text }), said);
  const notice = form("notice", [{ name: "text", label: strings.noticeText, hint: strings.noticeHint }], strings.showNotice, async ({ text }) => {
    await show(text, strings.announced)();
    notice.reset();
  });
  const down = page.press(strings.takeDown, () => desk.send("PUT", "/v1/operator/notice", { text: "" }), { name: "take-down", said: strings.takenDown });
  return element("section", "panel", [element("h2", "", strings.notice), notice, element("p", "", [down])]);
}
