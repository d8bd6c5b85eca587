// What two persons must want. The house says which acts there are and what each takes; here is
// what helps a person to fill a form in, and the words for it. An act or a field for which there
// are no words yet is shown in those of the house.
import { officeStrings as strings } from "../kit/strings-office.js";

// voidable are how far a game has come that can end without a result: it is closed, and it
// is not over.
export const voidable = ["closed", "sealed", "drawing", "drawn"];

// actsOf returns the acts of the house, by action.
export async function actsOf(desk) {
  const { acts } = await desk.getOfHouse("/v1/acts");
  return new Map(acts.map((act) => [act.action, act]));
}

export const titleOf = (act) => strings.acts[act.action] ?? act.says;
export const hintOf = (act) => strings.actHints[act.action] ?? act.says;

// said finds the words for a field: those of the act first, then those of every act.
const said = (words, act, field) => words[`${act.action}.${field.name}`] ?? words[field.name];

const kinds = { texts: "list", list: "records" };

const gameChoices = (games) => games.map((g) => [g.ordinal, strings.gameChoice(g)]);
const peopleChoices = (people) => people.map((p) => [p.number, strings.personName(p)]);
const terminalChoices = (known, terminals) => terminals.map((t) => [t.number, strings.terminalAt(t, known.venues)]);
const newest = (known) => strings.newestGame(known.course.newest);
// oneOf lets a number be chosen by name. Where there is nothing to choose from, the number is typed.
const oneOf = (options) => options.length > 0 ? { kind: "numberChoice", options } : {};

// choosers turn what a value is one of into what a form offers.
const choosers = {
  game: (known, { among }) => among
    ? { kind: "numberChoice", none: strings.noSuchGame, options: gameChoices(known.games.filter((g) => among.includes(g.phase))) }
    : { hint: newest(known), suggestions: gameChoices(known.games) },
  "next-game": (known) => ({ hint: newest(known), value: known.course.newest + 1 }),
  clause: (known) => ({ options: [["", strings.chooseClause], ...known.clauses.map((c) => [c.id, strings.clauseChoice(c)])] }),
  day: () => ({ kind: "date" }),
  today: (known) => ({ kind: "date", value: known.course.day }),
  "carried-rulebook": (known) => ({ options: known.rules.carried.map((b) => [b.id, strings.bookName(b)]) }),
  "rulebook-file": () => ({ kind: "file" }),
  "tickets-file": () => ({ kind: "file" }),
  "bank-file": () => ({ kind: "file" }),
  "adopted-rulebook": (known) => ({ options: known.rules.adopted.map((b) => [b.hash, strings.bookName(b)]), value: known.rules.in_force }),
  series: (known) => oneOf(known.series),
  pool: (known) => oneOf(known.course.pools.map((p) => [p.spots, strings.spots(p.spots)])),
  venue: (known) => ({ kind: "numberChoice", options: [...known.venues].map(([number, name]) => [number, strings.venueName(number, name)]) }),
  device: (known) => ({ kind: "numberChoice", options: (known.course.devices ?? []).filter((d) => !d.failed).map((d) => [d.number, strings.deviceName(d)]) }),
  promotion: (known) => oneOf(known.course.promotions.map((p) => [p.number, p.name])),
  counter: (known) => ({ kind: "numberChoice", hint: strings.issuesHint, options: terminalChoices(known, known.counters) }),
  terminal: (known) => ({ suggestions: terminalChoices(known, known.terminals) }),
  "revoked-terminal": (known) => ({ suggestions: terminalChoices(known, known.terminals.filter((t) => t.revoked)) }),
  paper: (known) => ({ options: known.papers.map((i) => [i.id, i.name]) }),
  "play-type": (known) => ({ options: [["", strings.usualGame], ...known.playTypes] }),
  person: (known) => ({ suggestions: peopleChoices(known.people.filter((p) => !p.erased)) }),
  "role-less": (known) => ({ suggestions: peopleChoices(known.people.filter((p) => !p.erased && p.grants.length === 0)) }),
  inspector: (known) => ({ suggestions: peopleChoices(known.people.filter((p) => p.grants.some((g) => g.role === "inspector"))) }),
};

// needs are what has to be asked for beyond what every form knows.
const terminals = async (desk) => {
  if (!desk.may("list-terminals")) return { terminals: [], counters: [], venues: new Map() };
  const [{ terminals: all }, { venues }] = [await desk.getOfHouse("/v1/terminals"), await desk.getOfHouse("/v1/venues")];
  return { terminals: all, counters: all.filter((t) => t.channel === "writer" && t.key && !t.revoked), venues: new Map(venues.map((v) => [v.number, v.name])) };
};
const papers = async (desk) => {
  const { instruments = [], bets } = await desk.get("/v1/catalogue");
  return { papers: instruments.filter((i) => i.issued), playTypes: bets.filter((b) => instruments.some((i) => i.game_types?.includes(b.id))).map((b) => [b.id, b.name]) };
};
const people = (desk) => desk.may("list-people") ? desk.getOfHouse("/v1/people") : { people: [] };
const series = async (desk) => ({ series: (await desk.getOfHouse("/v1/board")).series.map((s) => [s.series, s.name]) });
const needs = { series, venue: terminals, counter: terminals, terminal: terminals, "revoked-terminal": terminals, paper: papers, "play-type": papers, person: people, "role-less": people, inspector: people };

// knownFor asks for what helps to fill the form of an act in.
export async function knownFor(desk, act) {
  const known = await whatIsKnown(desk);
  for (const ask of new Set(act.fields.map((f) => needs[f.of]).filter(Boolean))) Object.assign(known, await ask(desk));
  return known;
}

// whatIsKnown asks for what helps with most forms.
async function whatIsKnown(desk) {
  if (!desk.may("get-course")) return { course: { pools: [], promotions: [] }, rules: { carried: [], adopted: [] }, games: [], clauses: [] };
  const [course, rules, { games }] = [await desk.get("/v1/operator"), await desk.get("/v1/operator/rulebooks"), await desk.get("/v1/games?limit=50")];
  const inForce = rules.adopted.find((b) => b.hash === rules.in_force);
  const { clauses } = inForce ? await desk.getOfHouse(`/v1/rulebooks/${encodeURIComponent(inForce.id)}/clauses`) : { clauses: [] };
  return { course, rules, games, clauses };
}

// fieldsOf returns the fields of the form of an act.
export function fieldsOf(act, known) {
  return (joined[act.action]?.fields(act.fields) ?? act.fields).map((field) => ({
    name: field.name, label: said(strings.fields, act, field) ?? field.says ?? field.name, hint: said(strings.fieldHints, act, field),
    kind: kinds[field.kind] ?? field.kind, fields: field.fields, optional: !field.needed, value: field.usual, sentAs: aliases[field.name],
    ...choices(act, field), ...choosers[field.of]?.(known, field),
  }));
}

// aliases are other names of fields, by which a refusal names what they stand for.
const aliases = { kind: "paper", serials: "serial" };

// choices are the words of which one is chosen: what a field may be, or yes and no.
function choices(act, field) {
  if (field.of) return {};
  const words = said(strings.choices, act, field) ?? {};
  if (field.kind === "check" && field.needed) return { kind: "truth", options: [["true", words.true ?? strings.yes], ["false", words.false ?? strings.no]] };
  if (!field.among) return {};
  const none = field.needed ? [] : [["", words[""] ?? strings.leftOpen]];
  return { kind: "choice", options: [...none, ...field.among.map((word) => [word, words[word] ?? word])] };
}

// ofFile are acts that send the text of a file.
const ofFile = { fields: (fields) => fields, send: async ({ text, ...rest }) => ({ ...rest, text: await text.text() }) };

// joined are acts of which several fields are one question, by action.
const joined = {
  change_promotion: {
    fields: (fields) => [...fields.filter((f) => !["paused", "ended"].includes(f.name)), { name: "change", kind: "text", needed: true, among: ["paused", "go_on", "ended"] }],
    send: ({ change, ...rest }) => ({ ...rest, ...(change === "go_on" ? {} : { [change]: true }) }),
  },
  adopt_rulebook_file: ofFile, take_in_tickets: ofFile, take_in_answer: ofFile,
};

// sent returns what is sent of what was filled in, or a promise of it where a file has to be read.
export const sent = (act, values) => joined[act.action]?.send(values) ?? values;
