// Asking for what two persons must want. The house tries it out when it is asked for, so
// that what cannot be done is refused here, beside its field, and not after the consent.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { acts } from "./acts.js";
import { form } from "./form.js";

export async function showAsk(page, chosen = "", ordinal = "") {
  const { desk } = page;
  const allowed = Object.keys(acts).filter((id) => desk.may(acts[id].operation));
  const id = allowed.includes(chosen) ? chosen : allowed[0];
  const act = acts[id];
  const known = { ...await whatIsKnown(desk), ...await act.needs?.(desk) };
  const choice = element("ul", "list", allowed.map((one) => element("li", "", [element("a", "", strings.acts[one], { href: `#ask/${one}`, "aria-current": one === id ? "page" : null })])));
  const asked = element("p", "notice", "", { id: "asked", role: "status" });
  const ask = form("ask", act.fields(known), strings.askButton, page.done(async (values) => {
    asked.textContent = "";
    const request = await desk.send("POST", act.uri, act.send ? act.send(values) : values);
    ask.reset();
    asked.textContent = act.atTerminal ? strings.askedAtTerminal(request) : strings.asked(request);
  }));
  if (ordinal && ask.elements.ordinal) ask.elements.ordinal.value = ordinal;
  page.target.append(element("div", "split", [
    element("nav", "panel", [element("h2", "", strings.ask), element("p", "hint", strings.askHint), choice], { "aria-label": strings.ask }),
    element("section", "panel", [element("h2", "", strings.acts[id]), element("p", "hint", strings.actHints[id]), ask, asked])]));
}

// whatIsKnown asks for what helps to fill a form in. Suggestions are a help: a form whose
// suggestions cannot be had is shown without.
async function whatIsKnown(desk) {
  const [course, rules, { games }] = [await desk.get("/v1/operator"), await desk.get("/v1/operator/rulebooks"), await desk.get("/v1/games?limit=50")];
  const inForce = rules.adopted.find((b) => b.hash === rules.in_force);
  const { clauses } = inForce ? await desk.get(`/v1/rulebooks/${encodeURIComponent(inForce.id)}/clauses`) : { clauses: [] };
  return { course, rules, games, clauses };
}
