// Keys on the screen, for those who type what a scanner would read: digits for a serial,
// and the symbols of a claim code, or of a serial that has letters.
import { kioskStrings as strings } from "../kit/strings.js";
import { element } from "../kit/dom.js";

const digits = "1234567890";
const symbols = "1234567890ABCDEFGHJKMNPQRSTVWXYZ";

// pad returns keys that change a text and send it.
export function pad(kind, { typed, back, send }) {
  const key = (text, act, className = "") => {
    const made = element("button", className, text, { type: "button" });
    made.addEventListener("click", act);
    return made;
  };
  const keys = [...(kind === "claim" ? symbols : digits)].map((symbol) => key(symbol, () => typed(symbol)));
  return element("div", `pad ${kind}`, [...keys, key(strings.rubOut, back, "wide"), key(strings.enter, send, "wide main")]);
}
