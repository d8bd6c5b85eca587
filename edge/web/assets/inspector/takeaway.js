// What the inspector takes away: one archive with all that verification elsewhere needs.
import { element } from "../kit/dom.js";
import { inspectorStrings as strings } from "../kit/strings.js";

export function showTakeaway(target, volumes, keys) {
  const records = volumes.all.reduce((sum, head) => sum + head.size, 0);
  const command = `drawhouse verify inspection --house-key '${keys.house}' --device-key '${keys.device}'`;
  target.replaceChildren(
    element("section", "panel", [element("h2", "", strings.takeTitle), element("p", "", strings.takeText(records, volumes.all.length)),
      element("table", "files", [element("tbody", "", strings.takeContents.map(([file, what]) => element("tr", "", [element("th", "", [element("code", "", file)], { scope: "row" }), element("td", "", what)])))]),
      element("p", "", [element("a", "button main-link", strings.take, { href: "/v1/journal/archive", download: "", id: "archive" })])]),
    element("section", "panel", [element("h2", "", strings.takeVerify), element("p", "hint", strings.takeHint), element("pre", "note", command, { id: "verify-command" })]));
}
