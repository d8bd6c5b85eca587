// How evidence is shown: values of records, checks with their work, lines of time.
import { element } from "../kit/dom.js";
import { inspectorStrings as strings, money } from "../kit/strings.js";
import { kindName } from "./decode.js";

export const link = (text, href) => element("a", "", text, { href });

// cells writes a value of a record.
function cells(value) {
  switch (value.as) {
    case "cents": return money(value.cents, strings.currency);
    case "time": return strings.moment(value.time);
    case "game": return link(value.text, `#game/${value.text}`);
    case "place": return link(value.text, `#record/${value.text}`);
    case "hash": return element("code", "hash", value.text);
    case "note": return element("pre", "note", value.text);
    case "list": return value.items.length === 0 ? strings.none : element("ol", "", value.items.map((item) => element("li", "", [cells(item)])));
    case "fields": return element("span", "", value.fields.flatMap(([name, held], i) => [`${i > 0 ? "; " : ""}${name} `, cells(held)]));
  }
  return value.text || strings.none;
}

// fieldTable is what a record says.
export function fieldTable({ fields, postings }) {
  const rows = fields.map(([name, value]) => element("tr", "", [element("th", "", name, { scope: "row" }), element("td", "", [cells(value)])]));
  const made = [element("table", "", [element("tbody", "", rows)])];
  if (postings.length > 0) {
    made.push(element("h3", "", strings.postings), element("table", "", [element("tbody", "", postings.map((p) => element("tr", "", [
      element("th", "", p.unit ? `${p.account} ${p.unit}` : p.account, { scope: "row" }), element("td", "amount", money(p.cents, strings.currency))])))]));
  }
  return made;
}

// checkList shows checks, those that fail first, each with what was compared behind it.
export function checkList(results) {
  return element("ul", "checks", results.toSorted((a, b) => a.ok - b.ok).map((r) => element("li", r.ok ? "" : "bad", [
    element("details", "", [element("summary", "", [element("b", "", r.sentence), ` ${r.ok ? strings.holds : strings.doesNotHold}`]),
      element("p", "work", [element("span", "", [`${strings.computed} `, element("code", "", r.left)]), element("span", "", [`${strings.stated} `, element("code", "", r.right)])])], { open: !r.ok }),
  ])));
}

// timeLine shows records in their order.
export function timeLine(volume, rows) {
  return element("ol", "line", rows.map(({ seq, kind, time, unreadable, detail, bad }) => element("li", bad || unreadable ? "bad" : "", [
    element("span", "quiet", time ? strings.timeOfDay(time) : ""), link(`${volume}:${seq}`, `#record/${volume}:${seq}`),
    element("span", "", [unreadable ? strings.unreadable : strings.kind(kindName(kind)), ...(detail ? [" ", ...detail] : [])]),
  ])));
}
