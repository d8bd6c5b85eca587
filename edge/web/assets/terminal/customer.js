// What the customer sees at the counter: what the writer has marked, the sum that the
// writer sees, and what came last. The terminal tells it, in another window of the same browser. Between customers
// it is the notice of what may be staked.
import { get } from "../kit/api.js";
import { element, parts, words, write } from "../kit/dom.js";
import { terminalStrings as strings } from "../kit/strings.js";

const p = parts();
const again = 10_000; // until a house that has not answered is asked anew, in milliseconds
const fresh = 60_000; // until the limits are asked anew, which a change of the rules may have changed
words({ terminal: strings });

new BroadcastChannel("drawhouse-customer").addEventListener("message", ({ data }) => {
  write(p.label, data.open ? data.label : strings.customerWelcome);
  write(p.sum, data.open ? data.sum : "");
  write(p.last, data.last || (data.open ? strings.customerCount(data.count) : strings.customerIdle));
  p.slip.replaceChildren(...data.slip.bets.map((text) => element("li", "", text)));
  write(p["slip-price"], data.slip.price);
  p.buying.hidden = data.slip.bets.length === 0;
  p.notice.hidden = data.open || data.slip.bets.length > 0 || p.limits.children.length === 0;
});

// limits lists minimum, maximum and step, as a notice at the counter must.
async function limits() {
  try {
    const offer = await get("/v1/catalogue");
    const lines = (offer.notice ?? []).filter((line) => line.channel === "writer");
    p.limits.replaceChildren(...lines.map((line) => element("li", "", [line.text, element("span", "clause", strings.clause(line.clause))])));
    write(p.age, [strings.age(offer.minimum_age, offer.age_clause), offer.care ?? ""].join(" "));
    p.notice.hidden = lines.length === 0 || p.sum.textContent !== "" || !p.buying.hidden;
    setTimeout(limits, fresh);
  } catch {
    setTimeout(limits, again);
  }
}

limits();
