// What the customer sees at the counter: the sum that the writer sees, and what came
// last. The terminal tells it, in another window of the same browser.
import { parts, words, write } from "../kit/dom.js";
import { terminalStrings as strings } from "../kit/strings.js";

const p = parts();
words({ terminal: strings });
new BroadcastChannel("drawhouse-customer").addEventListener("message", ({ data }) => {
  write(p.label, data.open ? data.label : strings.customerWelcome);
  write(p.sum, data.open ? data.sum : "");
  write(p.last, data.last || (data.open ? strings.customerCount(data.count) : strings.customerIdle));
});
