// Asking for what two persons must want. The house tries it out when it is asked for, so
// that what cannot be done is refused here, beside its field, and not after the consent.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { actsOf, fieldsOf, hintOf, knownFor, sent, titleOf } from "./acts.js";
import { form } from "./form.js";

export async function showAsk(page, chosen = "", ordinal = "") {
  const { desk } = page;
  const allowed = [...(await actsOf(desk)).values()].filter((act) => desk.may(act.operation));
  const act = allowed.find((one) => one.action === chosen) ?? allowed[0];
  const known = await knownFor(desk, act);
  const choice = element("ul", "list", allowed.map((one) => element("li", "", [element("a", "", titleOf(one), { href: `#ask/${one.action}`, "aria-current": one === act ? "page" : null })])));
  const asked = element("p", "notice", "", { id: "asked", role: "status" });
  const ask = form("ask", fieldsOf(act, known), strings.askButton, page.done(async (values) => {
    asked.textContent = "";
    const request = await desk.send("POST", act.path, await sent(act, values));
    ask.reset();
    asked.textContent = act.elsewhere ? strings.askedAtTerminal(request) : strings.asked(request);
  }));
  if (ordinal && ask.elements.ordinal) ask.elements.ordinal.value = ordinal;
  page.target.append(element("div", "split", [
    element("nav", "panel", [element("h2", "", strings.ask), element("p", "hint", strings.askHint), choice], { "aria-label": strings.ask }),
    element("section", "panel", [element("h2", "", titleOf(act)), element("p", "hint", hintOf(act)), ask, asked])]));
}
