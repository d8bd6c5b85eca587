// The screens of a kiosk: each is a question, what may be answered, and what may be done
// next. They read the kiosk and change it by its methods only.
import { element } from "../kit/dom.js";
import { money, kioskStrings as strings, terminalStrings } from "../kit/strings.js";
import { pad } from "./pad.js";

const stakes = [100, 200, 500, 1_000, 2_000, 5_000];
const games = [1, 2, 3, 5, 10, 20, 50, 100];

const button = (text, act, attributes = {}) => {
  const made = element("button", attributes.class ?? "", text, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
};
const row = (label, buttons) => element("div", "row", [element("span", "", label), ...buttons]);
const keys = (kind, k) => pad(kind, { typed: (symbol) => k.key(symbol), back: () => k.rubOut(), send: () => k.send() });
const choice = (name, hint, act, attributes) => button([name, ...(hint ? [element("span", "hint", hint)] : [])], act, attributes);

// screens returns, by name, what a screen shows.
export const screens = {
  attract: (k) => ({
    question: strings.welcome,
    answers: [
      ...(k.jackpots.length ? [element("ul", "jackpots", k.jackpots.map(([name, cents]) => element("li", "", [name, element("strong", "", k.amount(cents))])))] : []),
      element("div", "choices", [choice(strings.play, strings.playHint, () => k.go("bets"), { id: "play", class: "main" }), choice(strings.check, strings.checkHint, () => k.type("serial"), { id: "check" })]),
      element("p", "quiet", [k.age, ...(k.schedule ? [` ${strings.schedule(k.schedule)}.`] : [])].join("")),
    ],
    acts: [],
  }),

  bets: (k) => ({
    question: strings.which,
    answers: [element("div", "choices", [
      ...k.slip.bets.filter((bet) => k.slip.methods(bet.id).length).map((bet) => choice(bet.name, strings.form[bet.form], () => k.choose(bet.id), { "data-bet": bet.id })),
      ...k.items.map((item) => choice(item.name, item.stake_cents ? k.amount(item.stake_cents) : strings.ready, () => k.chooseItem(item), { "data-item": item.id })),
    ])],
    acts: [],
  }),

  mark: (k) => ({
    question: strings.mark[k.slip.form],
    answers: [...race(k), field(k), ...quick(k), element("p", "summary", terminalStrings.summary(k.slip))],
    acts: [{ id: "clear", text: strings.clear, run: () => k.clear(), off: k.slip.isEmpty() }, { id: "next", text: strings.next, run: () => k.go("terms"), main: true, off: k.slip.isEmpty() }],
  }),

  terms: (k) => ({
    question: strings.terms,
    answers: [element("div", "side", [...amounts(k), ...features(k)]), element("div", "side", [element("p", "summary", terminalStrings.summary(k.slip)), price(k), limits(k)])],
    acts: [{ id: "next", text: strings.next, run: () => k.go("pay"), main: true, off: !k.price }],
  }),

  pay: (k) => ({
    question: strings.pay,
    answers: [
      element("dl", "sums", [
        sum(strings.price, k.price ? k.amount(k.price.cost_cents) : strings.asking, k.price ? strings.games(k.price) : ""),
        ...k.till.papers.map((paper) => sum(strings.paper(paper), k.amount(paper.cents), "", paper.answer ? null : button(strings.giveBack, () => k.giveBack(paper.serial)))),
        k.missing > 0 ? sum(strings.missing, k.amount(k.missing)) : sum(strings.left, k.amount(-k.missing)),
      ]),
      element("p", "quiet", k.missing > 0 ? strings.putIn(k.soldReceipts) : strings.leftHint),
    ],
    acts: [{ id: "put-in", text: strings.putInButton, run: () => k.type("serial"), main: k.missing > 0 },
      { id: "buy", text: strings.buy, run: () => k.buy(), main: k.missing <= 0, off: !k.price || k.missing > 0 }],
  }),

  bought: (k) => ({
    question: strings.bought,
    answers: [...(k.later ? [element("p", "notice", k.later)] : []), element("p", "", strings.boughtHint(k.amount(k.till.credit), k.till.credit > 0))],
    acts: [{ id: "again", text: strings.again, run: () => k.go("bets") }, { id: "done", text: strings.finish, run: () => k.finish(), main: true }],
  }),

  serial: (k) => ({
    question: strings.scanSerial,
    answers: [element("p", "quiet", strings.scanSerialHint(k.serialForm)), element("output", "typed", strings.grouped(k.typed) || "\u00a0", { "aria-label": strings.serial }), keys(k.serialForm === "to27" ? "claim" : "serial", k)],
    acts: [],
  }),

  claim: (k) => ({
    question: strings.scanClaim,
    answers: [element("p", "quiet", strings.scanClaimHint), element("output", "typed", strings.grouped(k.typed) || "\u00a0", { "aria-label": strings.claim }), keys("claim", k)],
    acts: [],
  }),

  presented: (k) => {
    const { ticket, paper } = k.presented;
    const [headline, detail] = paper ? [k.amount(paper.cents), terminalStrings.goodFor(paper)] : terminalStrings.outcome(ticket, k.amount);
    const due = ticket?.unpaid_cents ?? 0;
    const acts = paper && !k.takes(paper.kind) ? [] : paper ? [{ id: "use", text: strings.usePaper, run: () => k.type("claim"), main: true }]
      : due > k.most ? [] : due > 0 ? [{ id: "collect", text: strings.collect(k.amount(due)), run: () => k.type("claim"), main: true }] : [];
    return {
      question: paper ? paper.name : strings.ticket(k.presented.serial),
      answers: [
        element("p", "big", headline), element("p", "", detail),
        element("dl", "sums", (ticket?.games ?? []).slice(-5).map((g) => sum(terminalStrings.gameLine(g), g.prize_cents ? k.amount(g.prize_cents) : ""))),
        ...(paper && !k.takes(paper.kind) ? [element("p", "notice", strings.notHere)] : []),
        ...(due > k.most ? [element("p", "notice", strings.toCounter(k.amount(k.most)))] : []),
      ],
      acts: [{ id: "other", text: strings.otherTicket, run: () => k.type("serial") }, ...acts],
    };
  },

  collected: (k) => ({
    question: strings.collected(k.amount(k.paid)),
    answers: [element("p", "big", k.amount(k.till.credit)), element("p", "", strings.collectedHint)],
    acts: [{ id: "again", text: strings.play, run: () => k.go("bets") }, { id: "done", text: strings.receipt, run: () => k.finish(), main: true }],
  }),
};

const sum = (text, amount, hint = "", more = null) =>
  element("div", "", [element("dt", "", [text, ...(hint ? [element("span", "hint", ` ${hint}`)] : [])]), element("dd", "", [amount, ...(more ? [more] : [])])]);

// field is what is marked: numbers, calls or rows.
function field(k) {
  const { form, bet, marked } = k.slip;
  const cells = form === "calls"
    ? ["heads", "tails", "evens"].map((call) => button(terminalStrings.calls[call], () => k.call(call), { class: "cell", "data-call": call, "aria-pressed": String(marked.call === call) }))
    : Array.from({ length: form === "race" ? bet.rows : k.of }, (_, i) => button(form === "race" ? strings.row(i + 1) : String(i + 1), () => k.mark(i + 1),
      { class: "cell", "data-number": i + 1, "aria-pressed": String((form === "race" ? marked.groups[marked.at] : marked.groups[0]).includes(i + 1)) }));
  return element("div", "field", cells, { "data-form": form });
}

// race has the type of a bet on a race, and the places that it names.
function race(k) {
  const { form, bet, marked } = k.slip;
  if (form !== "race") return [];
  const pressed = (is) => ({ "aria-pressed": String(is) });
  return [row(strings.type, bet.types.map((t) => button(t.name, () => k.setType(t.id), pressed(t.id === marked.type)))),
    ...(marked.groups.length > 1 ? [row(strings.place, marked.groups.map((group, i) => button(terminalStrings.group(i, group, form), () => k.place(i), pressed(i === marked.at))))] : [])];
}

// quick lets the kiosk pick.
function quick(k) {
  const { bet, marked, form } = k.slip;
  if (!bet.quick) return [];
  const pick = (n, text) => button(text, () => k.pick(n), { "data-pick": n, "aria-pressed": String(marked.pick === n) });
  return [row(strings.quick(bet.quick), form === "numbers" ? bet.sizes.map((n) => pick(n, String(n))) : [pick("mystery", strings.pickOne)])];
}

function amounts(k) {
  const { slip } = k, item = k.items.find((i) => i.id === slip.marked.item);
  const dollars = (cents) => money(cents, k.currency).replace(/\.00$/, "");
  const set = (text) => [element("strong", "", text)]; // A ready ticket may leave nothing to choose.
  return [
    row(k.price?.ways > 1 ? strings.stakeOfWay : strings.stake, item?.stake_cents ? set(k.amount(item.stake_cents)) : stakes.map((cents) => button(dollars(cents), () => k.stake(cents), { "data-stake": cents, "aria-pressed": String(slip.marked.stake === cents) }))),
    row(strings.howMany, item?.games ? set(String(item.games)) : games.filter((n) => n <= k.maxGames).map((n) => button(String(n), () => k.games(n), { "data-games": n, "aria-pressed": String(slip.games === n) }))),
  ];
}

// limits folds the notice of minimum, maximum and step away until it is asked for.
function limits(k) {
  const lines = k.limits.map((line) => element("li", "", `${line.text}. ${strings.clause(line.clause)}`));
  const notice = element("details", "limits", [element("summary", "", strings.limits), element("ul", "", lines)], { open: k.readsLimits });
  notice.addEventListener("toggle", () => { k.readsLimits = notice.open; });
  return notice;
}

function features(k) {
  const list = k.slip.features();
  if (list.length === 0 && !k.slip.bet.run) return [];
  const run = k.slip.bet.run ? [button(terminalStrings.run, () => k.run(), { "aria-pressed": String(k.slip.marked.run) })] : [];
  return [row(strings.extras, [...run, ...list.map((f) => button(f.name, () => k.feature(f.id), { "data-feature": f.id, "aria-pressed": String(k.slip.marked.with.includes(f.id)) }))])];
}

const price = (k) => element("p", "big", k.price ? k.amount(k.price.cost_cents) : k.refused ? strings.notSold : strings.asking, { id: "price" });
