// The account of a venue with the operator.
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { registerStrings } from "../kit/strings-register.js";
import { money, shortDate } from "../kit/strings.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

// account shows the agreement of a venue, its last statement, what it owes and what was paid, with what may be asked for.
export function account(desk, { agreement, statement, owes_cents: owes, unpaid, at_bank: atBank, payments }) {
  const words = registerStrings.venueAccount;
  if (!agreement) return element("section", "panel", [element("h2", "", words.title), element("p", "quiet", words.none), asking(desk, ["agree_venue"])]);
  const of = (cents) => money(cents, strings.currency);
  const list = new Table({ name: words.unpaid, empty: words.paid, columns: [
    { head: words.statement, cell: (u) => String(u.statement), value: (u) => u.statement }, { head: words.due, cell: (u) => shortDate(u.due) },
    { head: words.left, cell: (u) => of(u.left_cents), value: (u) => u.left_cents },
    { head: words.state, cell: (u) => u.file ? element("a", "", words.file(u.file), { href: `/v1/operator/debits/${u.file}`, download: `debits-${u.file}.xml` }) : u.missed ? words.missed : "" }] });
  list.show(unpaid);
  const over = atBank.filter((d) => d.over_cents > 0).map((d) => element("p", "notice", words.over(d, of)));
  const paid = new Table({ name: words.payments, empty: words.noPayments, columns: [
    { head: words.reference, cell: (p) => p.reference }, { head: words.way, cell: (p) => words.ways[p.way] }, { head: words.amount, cell: (p) => of(p.cents), value: (p) => p.cents },
    { head: words.record, cell: (p) => p.record }, { head: words.state, cell: (p) => p.reversed ? words.reversed : "" }] });
  paid.show(payments);
  return element("section", "panel", [element("h2", "", words.title), element("dl", "facts", facts([
    [words.owes, of(owes)], [words.agreement, words.terms(agreement, strings.weekdays[agreement.week_ends], of(agreement.least_cents))],
    ...statement ? [[words.last, words.period(statement)], [words.takings, of(statement.takings_cents)], [words.commission, of(statement.commission_cents)], ...statement.tax_cents ? [[words.tax, of(statement.tax_cents)]] : [], ...statement.floor_cents ? [[words.madeUp, of(statement.floor_cents)]] : [],
      [words.opening, of(statement.opening_cents)], [words.received, of(statement.received_cents)], [words.closing, of(statement.closing_cents)]] : []])), list.element, ...over, element("h3", "", words.payments), paid.element,
    asking(desk, ["receive_remittance", "carry_cash", "order_debits", "take_in_answer", "withdraw_debits", "pay_venue", "reverse_venue_payment", "agree_venue"])]);
}

// asking are links to what two persons do about an account, as far as the person may ask for it.
function asking(desk, actions) {
  const may = actions.filter((action) => desk.may(action.replaceAll("_", "-")));
  return element("p", "", may.flatMap((action) => [element("a", "button", strings.acts[action], { href: `#ask/${action}` }), " "]));
}
