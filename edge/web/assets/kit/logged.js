// logged.js: which of the house's witnesses have cosigned the checkpoint of a proof in the public log.
import { COSIGNATURE, openNote, parseKey } from "../proof.js";

// cosigners returns those witnesses as evidence for the check of the proof: their keys, how many they are and their names,
// and of how many the house says that it asks. A proof that cannot be read has all of them, so that the check finds it.
export async function cosigners(logproof, known) {
  const asked = known.witnesses.map((w) => w.key), of = asked.length;
  const at = logproof.indexOf("\n\n");
  try {
    const keys = asked.map((key) => parseKey(key, COSIGNATURE));
    const { found } = await openNote(logproof.slice(at + 2), keys);
    const witnesses = asked.filter((_, i) => found.some(({ key }) => key === keys[i]));
    return { witnesses, quorum: witnesses.length > 0 ? String(witnesses.length) : "", names: found.map(({ key }) => key.name), of };
  } catch {
    return { witnesses: asked, quorum: "", names: [], of };
  }
}

// entryOf says where the entry of a proof is in the log.
export function entryOf(logproof) {
  const [head, origin, size] = [/\nindex (\d+)\n/.exec(logproof)?.[1] ?? "", ...logproof.slice(logproof.indexOf("\n\n") + 2).split("\n", 2)];
  return { index: head, origin, size };
}
