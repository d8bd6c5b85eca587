// What the inspector brings: keys noted on the first day, and a checkpoint that was kept.
// The records must begin with it, whatever the house says now.
import { element } from "../kit/dom.js";
import { inspectorStrings as strings } from "../kit/strings.js";
import { base64 } from "../proof.js";
import { checkList } from "./evidence.js";

const label = (text, control) => element("label", "", [text, control]);

export function showCheckpoint(target, volumes, keys, changed) {
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
    result.replaceChildren(...note.value.trim() === "" ? [] : [checkList([await compare(volumes, note.value, keys)])]);
    changed();
  });
  const keep = element("a", "button", strings.keepCheckpoint, { href: "/v1/checkpoint", download: "checkpoint.txt" });
  target.replaceChildren(form, element("section", "panel", [element("h2", "", strings.keepTitle), element("p", "hint", strings.keepHint), element("p", "", [keep])]));
}

// compare holds the records of the volume that a checkpoint is of against it. An earlier
// volume may have been signed by an earlier key, which that volume names.
async function compare(volumes, text, keys) {
  const note = text.replaceAll("\r\n", "\n").replace(/\n*$/, "\n");
  const volume = Number(/\/v(\d+)\n/.exec(note)?.[1]);
  if (!volumes.has(volume)) return { sentence: strings.checks.broughtVolume, ok: false, left: volumes.all.map((head) => `v${head.volume}`).join(", "), right: note.split("\n")[0] };
  const journal = await volumes.journal(volume);
  let at;
  try {
    at = await openedBy(journal, note, volume === volumes.newest ? [keys.house] : [keys.house, journal.keys.house]);
  } catch (error) {
    return { sentence: strings.checks.broughtSigned, ok: false, left: error.message, right: keys.house };
  }
  if (!at.origin.endsWith(`/v${volume}`)) return { sentence: strings.checks.broughtVolume, ok: false, left: `v${volume}`, right: at.origin };
  if (at.size > journal.tree.size) return { sentence: strings.checks.broughtLonger, ok: false, left: journal.tree.size, right: at.size };
  return { sentence: strings.checks.brought(at.size, volume), ok: await journal.matches(at.size, at.root), left: base64(await journal.tree.root(at.size)), right: base64(at.root) };
}

// openedBy opens a checkpoint with the first key that signed it.
async function openedBy(journal, note, candidates) {
  let failure;
  for (const key of candidates) {
    try {
      return await journal.opened(note, key);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}
