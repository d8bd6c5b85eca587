// What two persons must want: where each act is asked for, with which particulars, and
// what the office knows that helps to fill them in. TestOfficeAsksForEverything holds the
// list against the acts of the house.
import { officeStrings as strings } from "../kit/strings-office.js";

const word = (name, more = {}) => ({ name, label: strings.fields[name], ...more });
const number = (name, more = {}) => word(name, { kind: "number", ...more });
const cents = (name, more = {}) => word(name, { kind: "cents", ...more });

const ordinal = (known, name = "ordinal") => number(name, { hint: strings.newestGame(known.course.newest), suggestions: known.games.map((g) => [g.ordinal, strings.gameChoice(g)]) });
const ahead = (known, name = "from") => number(name, { hint: strings.newestGame(known.course.newest), value: known.course.newest + 1 });
const spots = (known) => known.course.pools.length > 0 ? word("spots", { kind: "numberChoice", options: known.course.pools.map((p) => [p.spots, strings.spots(p.spots)]) }) : number("spots");
const clause = (known) => word("clause", { options: [["", strings.chooseClause], ...known.clauses.map((c) => [c.id, strings.clauseChoice(c)])] });
// among lets a game be chosen of those that have come so far; what cannot be done to a game
// is not offered for it.
const among = (known, phases) => word("ordinal", { kind: "numberChoice", none: strings.noSuchGame, options: known.games.filter((g) => phases.includes(g.phase)).map((g) => [g.ordinal, strings.gameChoice(g)]) });
const reason = () => word("reason");
const reference = () => word("reference", { hint: strings.referenceHint });
const terminal = (known) => word("terminal", { kind: "numberChoice", hint: strings.issuesHint, options: known.counters.map((t) => [t.number, strings.terminalAt(t, known.venues)]) });
const shutOut = (known) => number("terminal", { suggestions: known.terminals.map((t) => [t.number, strings.terminalAt(t, known.venues)]) });
const inspector = (known) => number("person", { suggestions: known.people.map((p) => [p.number, strings.personName(p)]) });
const promotion = (known) => known.course.promotions.length > 0 ? word("number", { kind: "numberChoice", options: known.course.promotions.map((p) => [p.number, p.name]) }) : number("number");

// voidable are how far a game has come that can end without a result: it is closed, and it
// is not over.
export const voidable = ["closed", "sealed", "drawing", "drawn"];

// acts are, by action, the operation that asks for it, its address, and its fields. Where
// they need more of the house than most, it says what; one that is done at a terminal is
// not had done in the office.
export const acts = {
  void_draw: { operation: "void-draw", uri: "/v1/operator/draws/void", fields: (k) => [among(k, ["drawing", "drawn"]), number("draw", { value: 1 }), reason(), clause(k)] },
  confirm_result: { operation: "confirm-result", uri: "/v1/operator/draws/repeats", fields: (k) => [among(k, ["drawing", "drawn"]), number("draw", { value: 1 }), reason()] },
  void_game: { operation: "void-game", uri: "/v1/operator/games/void", fields: (k) => [among(k, voidable), reason(), clause(k)] },
  correct_result: { operation: "correct-result", uri: "/v1/operator/results/corrections", fields: (k) => [among(k, ["settled"]), number("revision", { value: 2, hint: strings.revisionHint }), word("numbers", { kind: "numbers", hint: strings.numbersHint }), reason(), clause(k)] },
  designate_game: { operation: "designate-game", uri: "/v1/operator/designations", fields: (k) => [ahead(k, "ordinal")] },
  open_day: { operation: "open-day", uri: "/v1/operator/days", fields: () => [word("day", { kind: "date" })] },
  close_day: { operation: "close-day", uri: "/v1/operator/days/close", fields: (k) => [word("day", { kind: "date", value: k.course.day })] },
  announce_closure: { operation: "announce-closure", uri: "/v1/operator/closure", fields: () => [word("at", { kind: "time", hint: strings.closureZone })] },
  adopt_rulebook: { operation: "adopt-rulebook", uri: "/v1/operator/rulebooks", fields: (k) => [word("id", { options: k.rules.carried.map((b) => [b.id, strings.bookName(b)]) })] },
  change_terms: { operation: "change-terms", uri: "/v1/operator/terms", fields: (k) => [ahead(k), word("rulebook", { options: k.rules.adopted.map((b) => [b.hash, strings.bookName(b)]), value: k.rules.in_force }), word("schedule"), reference()] },
  name_participants: { operation: "name-participants", uri: "/v1/operator/participants", fields: (k) => [ahead(k), word("names", { kind: "list", hint: strings.namesHint })] },
  report_jackpot: { operation: "report-jackpot", uri: "/v1/operator/reports", fields: (k) => [ordinal(k), spots(k), word("jurisdiction"), cents("growth_cents"), cents("stakes_cents")] },
  share_jackpots: { operation: "share-jackpots", uri: "/v1/operator/shares", fields: (k) => [ordinal(k)] },
  move_pool: { operation: "move-pool", uri: "/v1/operator/pools/moves", fields: (k) => [spots(k), word("move", { options: Object.entries(strings.moves) }), cents("cents"), reference()] },
  give_aside: { operation: "give-aside", uri: "/v1/operator/pools/gifts", fields: (k) => [ordinal(k), spots(k), cents("cents"), reference()] },
  migrate_pools: { operation: "migrate-pools", uri: "/v1/operator/pools/migrations", fields: () => [number("from", { label: strings.endingSeries }), reference()] },
  migrate_bonus: { operation: "migrate-bonus", uri: "/v1/operator/promotions/migrations", fields: () => [number("from", { label: strings.endingSeries }), reference()] },
  begin_promotion: { operation: "begin-promotion", uri: "/v1/operator/promotions", fields: promotionFields },
  change_promotion: { operation: "change-promotion", uri: "/v1/operator/promotions/changes", fields: (k) => [promotion(k), word("change", { options: Object.entries(strings.promotionChanges) }), reference()],
    send: ({ change, ...rest }) => ({ ...rest, ...(change === "go_on" ? {} : { [change]: true }) }) },
  give_paper: { operation: "give-paper", uri: "/v1/operator/papers", atTerminal: true, needs: whoIssues,
    fields: (k) => [terminal(k), word("kind", { sentAs: "paper", options: k.papers.map((i) => [i.id, i.name]) }), word("game_type", { optional: true, hint: strings.gameTypeHint, options: [["", strings.usualGame], ...k.playTypes] }), cents("cents"), number("days", { optional: true, hint: strings.daysHint })] },
  pay_by_hand: { operation: "pay-by-hand", uri: "/v1/operator/hand-payments", atTerminal: true, needs: whoIssues,
    fields: (k) => [terminal(k), word("serial"), ordinal(k), cents("cents"), number("paid_by")] },
  appoint_inspector: { operation: "appoint-inspector", uri: "/v1/operator/inspectors", needs: whoHasNoRole,
    fields: (k) => [number("person", { hint: strings.appointHint, suggestions: k.people.map((p) => [p.number, strings.personName(p)]) })] },
  dismiss_inspector: { operation: "dismiss-inspector", uri: "/v1/operator/inspectors/dismissals", needs: whoInspects, fields: (k) => [inspector(k)] },
  lock_inspector: { operation: "lock-inspector", uri: "/v1/operator/inspectors/locks", needs: whoInspects,
    fields: (k) => [inspector(k), word("locked", { options: Object.entries(strings.inspectorLocks) }), reason()],
    send: ({ locked, ...rest }) => ({ ...rest, locked: locked === "lock" }) },
  disqualify: { operation: "disqualify-ticket", uri: "/v1/stops/disqualifications", fields: () => [word("serial"), reason()] },
  reinstate: { operation: "reinstate-ticket", uri: "/v1/stops/reinstatements", fields: () => [word("serial"), reason()] },
  release_payment: { operation: "release-payment", uri: "/v1/stops/release", fields: () => [{ name: "serials", label: strings.serials, kind: "list", hint: strings.serialsHint, sentAs: "serial" }, cents("cents", { optional: true, label: strings.paidLate, hint: strings.paidLateHint }), reason()] },
  unwind_session: { operation: "unwind-session", uri: "/v1/sessions/unwound", needs: whoIsShutOut, fields: (k) => [shutOut(k), cents("cents"), reason()] },
  invalidate: { operation: "invalidate-ticket", uri: "/v1/stops/invalidations", fields: () => [word("serial"), reason()] },
};

// A promotion is on draws, with the conditions of a win, or on a ready ticket, with prizes
// that fall at random. What is left empty is not said.
function promotionFields(known) {
  return [word("name"), ahead(known), number("last", { optional: true, hint: strings.lastHint }), cents("cents"), reference(),
    word("bet", { optional: true, hint: strings.onDraws }), number("spots", { optional: true }), number("matched", { optional: true }), cents("least_cents", { optional: true }),
    word("item", { optional: true, hint: strings.onItems }), number("den", { optional: true }), word("prizes", { kind: "prizes", optional: true, hint: strings.prizesHint })];
}

// whoIssues asks for the counters that have a key, and for the papers that the rulebook in
// force names.
async function whoIssues(desk) {
  const [{ terminals }, { venues }, { instruments = [], bets }] = [await desk.get("/v1/terminals"), await desk.get("/v1/venues"), await desk.get("/v1/catalogue")];
  return {
    counters: terminals.filter((t) => t.channel === "writer" && t.key && !t.revoked), venues: new Map(venues.map((v) => [v.number, v.name])),
    papers: instruments.filter((i) => i.issued),
    playTypes: bets.filter((b) => instruments.some((i) => i.game_types?.includes(b.id))).map((b) => [b.id, b.name]),
  };
}

// whoHasNoRole asks for the people who can become inspectors.
async function whoHasNoRole(desk) {
  const { people } = await desk.get("/v1/people");
  return { people: people.filter((p) => !p.erased && p.grants.length === 0) };
}

// whoIsShutOut asks for the terminals whose key was taken away.
async function whoIsShutOut(desk) {
  const [{ terminals }, { venues }] = [await desk.get("/v1/terminals"), await desk.get("/v1/venues")];
  return { terminals: terminals.filter((t) => t.revoked), venues: new Map(venues.map((v) => [v.number, v.name])) };
}

// whoInspects asks for the inspectors.
async function whoInspects(desk) {
  const { people } = await desk.get("/v1/people");
  return { people: people.filter((p) => p.grants.some((g) => g.role === "inspector")) };
}
