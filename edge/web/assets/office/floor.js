// Floor: the forms for what people note at the counters of a venue, loaded when somebody looks at the venue.
import { element } from "../kit/dom.js";
import { officeStrings as office } from "../kit/strings-office.js";
import { registerStrings as strings } from "../kit/strings-register.js";
import { form } from "./form.js";

// floor has what people note at the counters: refused sales, and disputes between runners and players.
export async function floor(page, venue) {
  const { desk } = page;
  const panel = (operation, title, hint, id, fields, button, path, said, anew = false) => {
    if (!desk.may(operation)) return [];
    const made = form(id, fields, button, async (values) => {
      await page.done(async (given) => {
        await desk.send("POST", ...path(given));
        if (anew) await page.anew(); // Another dispute waits, or one fewer.
      }, said)(values);
      made.reset();
    }, { main: false });
    return [element("section", "panel", [element("h2", "", title), element("p", "hint", hint), made])];
  };
  const text = { name: "text", label: strings.disputeText, hint: strings.disputeTextHint };
  const open = desk.may("list-runner-disputes") ? (await desk.getOfHouse("/v1/runner-disputes")).disputes.filter((d) => d.venue === venue.number) : [];
  const disputes = `/v1/venues/${venue.number}/runner-disputes`;
  return [
    ...panel("refuse-sale", strings.refuseSale, strings.refuseSaleHint, "refuse-sale", [{ name: "terminal", label: office.fields.terminal, kind: "number" },
      { name: "cause", label: strings.cause, kind: "choice", options: Object.entries(strings.causes) }], strings.noteRefusal,
    ({ terminal, cause }) => [`/v1/terminals/${terminal}/refused-sales`, { cause }], strings.refusalNoted),
    ...panel("dispute-runner", strings.disputeRunner, strings.disputeRunnerHint, "dispute-runner", [{ name: "runner", label: strings.runner, kind: "number" }, text], strings.noteDispute,
      (given) => [disputes, given], strings.disputeNoted, true),
    ...panel("decide-runner", strings.decideRunner, strings.decideRunnerHint, "decide-runner", [{ name: "dispute", label: strings.dispute, none: strings.noDispute,
      options: open.map((d) => [d.dispute, office.dispute(d)]) }, text], strings.noteDecision,
    ({ dispute, ...given }) => [`${disputes}/${dispute}/decision`, given], strings.decisionNoted, true),
  ];
}
