// What the inspector brings: keys noted on the first day, and a checkpoint that was kept.
// The records must begin with it, whatever the house says now.
import { element } from "../kit/dom.js";
import { inspectorStrings as strings } from "../kit/strings.js";
import { base64 } from "../proof.js";
import { checkList } from "./evidence.js";

const label = (text, control) => element("label", "", [text, control]);

export function showCheckpoint(target, journal, keys, changed) {
  const house = element("input", "", "", { value: keys.house, spellcheck: "false", autocomplete: "off" });
  const device = element("input", "", "", { value: keys.device, spellcheck: "false", autocomplete: "off" });
  const note = element("textarea", "", "", { id: "brought", spellcheck: "false" });
  const file = element("input", "", "", { type: "file" });
  const result = element("div", "", "", { id: "brought-result", role: "status" });
  const form = element("form", "panel", [element("h2", "", strings.broughtTitle), element("p", "hint", strings.broughtHint),
    label(strings.broughtNote, note), label(strings.broughtFile, file), label(strings.houseKey, house), label(strings.deviceKey, device),
    element("p", "hint", strings.keyHint), element("p", "", [element("button", "main", strings.checkIt)]), result]);
  file.addEventListener("change", async () => { if (file.files[0]) note.value = await file.files[0].text(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    Object.assign(keys, { house: house.value.trim(), device: device.value.trim() });
    result.replaceChildren(...note.value.trim() === "" ? [] : [checkList([await compare(journal, note.value, keys)])]);
    changed();
  });
  const keep = element("a", "button", strings.keepCheckpoint, { href: "/v1/checkpoint", download: "checkpoint.txt" });
  target.replaceChildren(form, element("section", "panel", [element("h2", "", strings.keepTitle), element("p", "hint", strings.keepHint), element("p", "", [keep])]));
}

// compare holds the records against a checkpoint.
async function compare(journal, text, keys) {
  const note = text.replaceAll("\r\n", "\n").replace(/\n*$/, "\n");
  let at;
  try {
    at = await journal.opened(note, keys.house);
  } catch (error) {
    return { sentence: strings.checks.broughtSigned, ok: false, left: error.message, right: keys.house };
  }
  if (!at.origin.endsWith(`/v${journal.volume}`)) return { sentence: strings.checks.broughtVolume, ok: false, left: `v${journal.volume}`, right: at.origin };
  if (at.size > journal.tree.size) return { sentence: strings.checks.broughtLonger, ok: false, left: journal.tree.size, right: at.size };
  return { sentence: strings.checks.brought(at.size), ok: await journal.matches(at.size, at.root), left: base64(await journal.tree.root(at.size)), right: base64(at.root) };
}
