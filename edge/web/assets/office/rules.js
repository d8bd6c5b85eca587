// Rulebooks: which one is in force, which are announced or at hand, and in which values
// two of them differ.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";

export async function showRules(page) {
  const { desk } = page;
  const { in_force, adopted, ahead, carried } = await desk.get("/v1/operator/rulebooks");
  const known = [...adopted, ...carried.filter((c) => !adopted.some((a) => a.hash === c.hash))];
  const place = (b) => b.hash === in_force ? strings.inForce : adopted.some((a) => a.hash === b.hash) ? strings.adopted : strings.atHand;
  const standing = (b) => b.operators ? strings.ownBook(place(b), b) : place(b);
  const list = new Table({ name: strings.rulebooks, empty: strings.noRulebooks, findable: false, columns: [
    { head: strings.rulebook, cell: (b) => b.title }, { head: strings.id, cell: (b) => b.id }, { head: strings.edition, number: true, cell: (b) => String(b.edition), value: (b) => b.edition },
    { head: strings.from, cell: (b) => b.from }, { head: strings.standing, cell: standing }, { head: strings.hash, cell: (b) => element("code", "", b.hash.slice(0, 16)) }] });
  list.show(known);
  const upcoming = ahead.map((c) => element("li", "", strings.changeAhead(c, known.find((b) => b.hash === c.rulebook))));
  const options = known.map((b) => [b.hash, strings.bookName(b)]);
  const found = element("div", "", "", { id: "differences" });
  const next = ahead.at(-1)?.rulebook ?? known.find((b) => b.hash !== in_force)?.hash;
  const compare = form("compare", [{ name: "from", label: strings.compareFrom, options, value: in_force }, { name: "to", label: strings.compareTo, options, value: next }], strings.compare,
    async ({ from, to }) => found.replaceChildren(differences(await desk.get(`/v1/operator/rulebooks/differences?from=${from}&to=${to}`))));
  compare.classList.add("row");
  page.target.append(
    element("section", "panel", [element("h2", "", strings.rulebooks), list.element, element("h3", "", strings.upcoming),
      upcoming.length > 0 ? element("ul", "lines", upcoming, { id: "upcoming" }) : element("p", "quiet", strings.noUpcoming),
      ...(desk.may("adopt-rulebook") ? [element("p", "", [element("a", "button", strings.askRules, { href: "#ask/adopt_rulebook" }), " ", element("a", "button", strings.askFile, { href: "#ask/adopt_rulebook_file" }), " ", element("a", "button", strings.askTerms, { href: "#ask/change_terms" })])] : [])]),
    element("section", "panel", [element("h2", "", strings.compareTitle), compare, found]));
}

// citation is a value that says where another one comes from. Between two rulebooks all of
// them differ, and what a reader looks for is what they say.
const citation = /\.(clause|reading|example)$/;

function differences({ from, to, changes, effects }) {
  if (changes.length === 0) return element("p", "notice", strings.noDifferences);
  const list = new Table({ name: strings.differences(from, to), empty: strings.noDifferences, columns: [
    { head: strings.value, cell: (c) => element("code", "", c.path, { title: c.says }), value: (c) => c.path },
    { head: strings.before, cell: (c) => c.old ?? strings.nothing }, { head: strings.after, cell: (c) => c.new ?? strings.nothing }, { head: strings.clauseHead, cell: (c) => c.clause ?? "" }] });
  const all = element("input", "", "", { type: "checkbox", id: "citations" });
  const show = () => list.show(changes.filter((c) => all.checked || !citation.test(c.path)));
  all.addEventListener("change", show);
  show();
  return element("div", "listing", [element("h3", "", strings.differences(from, to)), element("label", "check", [element("span", "", strings.citations), all], { for: "citations" }), list.element,
    element("h3", "", strings.effects), effects.length > 0 ? element("ul", "lines", effects.map((line) => element("li", "", line)), { id: "effects" }) : element("p", "notice", strings.noEffects)]);
}
