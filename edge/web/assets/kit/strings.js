// All words of the screens but the office's, which are in strings-office.js. A person who
// translates them changes these files, and the titles and the sentences for browsers
// without JavaScript in the pages themselves.

let locale = "en-AU"; // of dates and counts, which stand among English words
let amounts; // of money, where the rulebook of the house says so
let digits = 0; // least width of game numbers

// useLocale writes money as the house's rulebook says, and dates too where they stay English.
export function useLocale(name) {
  if (!name) return;
  amounts = name;
  if (name.startsWith("en-")) locale = name;
}

// useDigits writes game numbers in the width of the series.
export function useDigits(width) { digits = width ?? 0; }

// gameNumber writes a game number as papers do.
export const gameNumber = (n) => String(n).padStart(digits, "0");

export const strings = {
  onSaleHere: "Games on sale here",
  game: (number) => `Game ${gameNumber(number)}`,
  nextGame: "Next",
  noGameOpen: "No game open",
  noKeno: "No keno is played here",
  roomsAt: "The bingo rooms are at /hall",
  noKenoAtTerminal: "No keno is played here. This terminal works in a bingo room:",
  roomPages: { "/desk": "Desk of a bingo room", "/caller": "Caller of a bingo room" },
  dayClosed: "The Keno Day is closed",
  seriesOver: (day) => `These games ended on ${longDate(day)}. Prizes are paid on`,
  lastDay: (day) => `These games end on ${longDate(day)}`,
  waitForGame: "The next game will be shown here",
  closesIn: "closes in",
  closing: "closing",
  keno: (day) => `Keno Day ${longDate(day)}`,
  schedule: (id) => `Prizes by ${/schedule/.test(id) ? "" : "schedule "}${id.replaceAll(/[-_]/g, " ")}`,

  waiting: "Waiting for the board",
  loading: "Connecting",
  live: "Live",
  offline: (time) => time ? `No connection. What you see is of ${time}` : "No connection. Trying again",

  phase: { none: "No draw yet", closed: "Closed", sealed: "Closed, sealed", drawing: "Drawing", drawn: "Drawn", settled: "Result", void: "Void" },
  voidNotice: (game, reason) => `Game ${gameNumber(game)} is void: ${reason}. Keep your ticket`,
  pausedNotice: (reason) => `Sale and draws are stopped: ${reason}`,
  closureNotice: (time) => `Keno closes early today, at ${time}`,
  redrawNotice: (game) => `A draw of game ${gameNumber(game)} did not count. It is drawn again`,
  jackpotWonNotice: (game, jackpots) => `Jackpot won in game ${gameNumber(game)}: ${jackpots}`,
  spots: (n) => number(n, "spot"),
  jackpot: (n) => `Jackpot ${number(n, "spot")}`,
  lastNumber: "Last number",
  evens: "Evens",
  place: ["", "1st", "2nd", "3rd"],
  drawnOf: (count, draw) => `${count} of ${draw}`,
  drawnLabel: "drawn",
  noNumber: "",
  heads: "Heads",
  tails: "Tails",
  row: (number) => `Row ${number}`,
  sum: "Sum",
  multiplied: (sum, factor) => `${sum} ×${factor}`,
  winners: "Winners",
  prizes: "Prizes",
  sealedAt: (time) => `Sealed ${time}`,
  witnessedAt: (time) => `Sealed and witnessed ${time}`,
  notSealed: "Seal",
  witnessAway: (name) => `Waiting for the witness ${name}`,
  witnessDisagrees: (name, record) => `The witness ${name} disagrees at record ${record}: nothing is drawn or paid until that is settled`,
  noFingerprint: "Sealed when the game closes",
  sealCode: "Code with the address of this seal in the public log",
  order: "Numbers in the order drawn",
  results: "Earlier results",
  noResults: "Earlier results will be shown here",
  spokenNumber: (game, k, number) => `Game ${game}, number ${k}: ${number}`,
  spokenResult: (game, winners) => `Game ${game} is settled. Winning tickets: ${winners}`,
};

// longDate writes a date such as 2026-11-15 as Sunday 15 November.
export function longDate(day) {
  return new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
    .format(new Date(`${day}T00:00:00Z`));
}

// count writes a whole number with its thousands marked.
export function count(n) {
  return new Intl.NumberFormat(locale).format(n);
}

// amountsIn returns the locale by which amounts are written.
export const amountsIn = () => amounts ?? locale;

// money writes an amount of cents in a currency.
export function money(cents, currency) {
  return new Intl.NumberFormat(amountsIn(), { style: "currency", currency }).format(cents / 100);
}

// clock cuts the time of day out of a time such as 2026-11-15T14:02:59.12+11:00,
// which the house writes in its own zone.
export function clock(time) {
  return time.slice(11, 19);
}

// dueBy writes the end of a time in which something must be there. Midnight is the end of
// the day before.
export function dueBy(time) {
  const day = time.slice(0, 10), at = time.slice(11, 16);
  if (at !== "00:00") return `${at}, ${longDate(day)}`;
  return `the end of ${longDate(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10))}`;
}

// countdown writes the whole seconds that are left as minutes and seconds.
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const pad = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const clock = `${hours ? pad(minutes) : minutes}:${pad(seconds % 60)}`;
  return hours ? `${hours}:${clock}` : clock;
}

// The words of the page of a ticket.
export const ticketStrings = {
  title: "Ticket",
  loading: "Asking the house",
  offline: "The house cannot be reached.",
  offlineOld: "The house cannot be reached. What is shown may be old.",
  tryAgain: "Try again",
  checkSerial: "Compare the serial with your paper.",

  outcome: (ticket, money) => {
    const open = ticket.games_to_come + ticket.games.filter((g) => g.phase !== "settled" && g.phase !== "void").length;
    const rest = open > 0 ? ` ${number(open, "game")} still to come.` : "";
    const kept = ticket.withheld_cents ? ` ${money(ticket.withheld_cents)} was withheld, because payment was stopped; it is owed.` : "";
    if (ticket.cancelled && ticket.won_cents === 0) return ["Cancelled", `This ticket was given back.${kept}${rest}`];
    if (ticket.won_cents === 0) return open > 0
      ? [ticket.games.some((g) => g.phase === "settled") ? "Nothing won so far" : "Waiting for the draw", rest.trim()]
      : ["Nothing won", "All its games are drawn."];
    const left = (ticket.held_cents ?? 0) + (ticket.late_cents ?? 0);
    const rests = (ticket.held_cents ? `${money(ticket.held_cents)} is held and not paid now. ` : "")
      + (ticket.late_cents ? `The time to fetch ${money(ticket.late_cents)} at a counter is over: ask the operator. ` : "");
    const paid = ticket.unpaid_cents === 0 ? (left > 0 ? rests.trim() : "It was paid.") : ticket.paid_cents > 0
      ? `${money(ticket.paid_cents)} was paid. ${money(ticket.unpaid_cents)} waits for you at the counter: bring the paper.`
      : "Bring the paper to the counter to be paid.";
    return [`${money(ticket.won_cents)} won`, paid + kept + rest];
  },
  sold: (ticket, money) => `Sold ${longDate(ticket.time.slice(0, 10))}, ${clock(ticket.time)}, for ${money(ticket.cost_cents)}.`,
  bet: (id) => sentenceCase(id),
  stake: (bet, money) => `${money(bet.stake_cents)} ${bet.groups || bet.places ? "a way and game" : "a game"}`,
  feature: (id, side) => sentenceCase(id) + (side.games ? `, first ${number(side.games, "game")}` : ""),
  call: (call) => sentenceCase(call),
  groupSign: (i) => (i >= 26 ? String.fromCharCode(64 + Math.floor(i / 26)) : "") + String.fromCharCode(65 + (i % 26)),

  game: (game) => `Game ${gameNumber(game.game)}, ${shortDate(game.day)}`,
  phase: { open: "On sale", closed: "Closed", sealed: "Sealed", drawing: "Being drawn", drawn: "Drawn", settled: "Result", void: "Void" },
  prize: (game, money) => game.phase === "void"
    ? (game.refund_cents ? `Void, ${money(game.refund_cents)} goes back` : "Void")
    : game.carried_cents ? `${money(game.carried_cents)} runs on` : game.prize_cents > 0 ? money(game.prize_cents) : "No prize",
  yours: (n) => `${n}, yours`,
  clause: (clauses) => clauses ? `Rule ${clauses.split(" ").join(", ")}` : "",
  howItCame: "How the prize came about",
  more: (count) => `Show ${number(count, "earlier game")}`,

  notSealed: "Not sealed yet",
  willBeSealed: (ticket) => ticket.games.length > 0 || ticket.games_to_come > 0
    ? "When a game closes, the house seals the list of its tickets before the first number is drawn. The proof will be here then."
    : "This ticket plays in no game.",
  noProof: (game) => `No proof for game ${gameNumber(game.game)}`,
  holds: "Sealed before the draw",
  summary: (game, report) => `Your ticket was in the list of game ${gameNumber(game.game)} when the house sealed it`
    + (report.drawn ? ", and the numbers were drawn under that seal." : ". The numbers are drawn under that seal.")
    + (report.paper ? " The paper in your hand is of that very record." : "")
    + " Your browser has just checked this.",
  doesNotHold: "The proof does not hold",
  tellInspector: "Keep the paper and tell the inspector.",
  paperAgrees: "The hash on your paper is that of this record.",
  paperDiffers: "The hash on your paper is not that of the record that the house shows.",
  inYourHand: "That this is the ticket in your hand",
  chain: "From your ticket to the public log",
  chainTicket: (seq) => `Your ticket is record ${seq} of the journal.`,
  chainSeal: (game) => `That record is under the seal of game ${gameNumber(game.game)}, signed before the draw.`,
  chainEntry: (entry) => `The seal is entry ${entry.index} of the public log ${entry.origin}, which had ${entry.size} entries then.`,
  chainCosigned: (names) => `${names.join(", ")} ${names.length === 1 ? "has" : "have"} cosigned the log with these entries.`,
  chainEnds: (why) => `The chain ends here: ${why}`,
  noLog: "The house has shown no public log.",
  noWitnesses: "This house has no witnesses, so nobody outside says that everybody finds the same log.",
  noneCosigned: "No witness has cosigned these entries yet.",
  fewCosigned: (have, of) => `Only ${have} of the ${of} witnesses whom the house names have cosigned these entries.`,
  seal: "Fingerprint of the seal",
  notedLabel: "Did you see the fingerprint on the wall before the draw? Compare it:",
  notedButton: "Compare",
  proved: "What is proved",
  notProved: "What is not proved",
  keepProof: "Keep the proof",
  checkElsewhere: "Check it without this page",
  advice: (care) => `Never type your claim code into a page: anybody who knows it can be paid. ${care}`,

  grouped: (serial) => serial.replaceAll(/\s/g, "").replaceAll(/(.{4})(?=.)/g, "$1 "),
};

// The words of the gate, where a browser becomes a device: a terminal, a kiosk or a card.
export const gateStrings = {
  code: "Code from the office",
  codeHint: (device) => `The office makes it. It is good once. The key of this ${device} is made here and never leaves this browser.`,
  enrol: (device) => `Make this browser the ${device}`,
  notEnrolled: (device) => `This browser is not a ${device} yet.`,
  notAble: "This browser cannot keep a key safely. Open the page over https, or on the machine of the house itself.",
  askOffice: "Ask the office for a code.",
  otherTab: (device) => `The ${device} is open in another tab. Close that one first.`,
  noHouse: "No connection to the central system. Retrying.",
};

// The words with which somebody signs on at a terminal.
export const signStrings = {
  title: "Sign on",
  person: "Your number",
  password: "Password",
  back: "Back",
  noHouse: gateStrings.noHouse,
};

// The words of a writer's terminal and of the customer's display beside it.
export const terminalStrings = {
  title: "Writer's terminal",
  gateTitle: "Terminal",
  noHouse: gateStrings.noHouse,
  state: { loading: "Connecting", live: "Live", offline: "No connection", pending: "Waiting for the house" },
  offlineNotice: "The house cannot be reached. Nothing is sold or paid until it answers; the terminal goes on by itself.",
  terminal: (n) => `Terminal ${n}`,
  writer: (n) => `Writer ${n}`,
  noWriter: "No writer: sign on",
  signOn: signStrings.title,
  signedOn: (n) => `Writer ${n} has signed on.`,
  signedOff: "Signed off.",

  slip: "Bet slip",
  terms: "Stake and price",
  bets: "Bets",
  items: "Ready tickets",
  itemNumbers: "Numbers",
  itemChoice: { fixed: "Fixed", random: "Random" },
  stake: "Stake a way, $",
  games: "Games",
  method: "Given",
  methods: { form: "On a form", verbal: "In words", screen: "On a screen" },
  type: "Type of bet",
  noPick: "As marked",
  run: "Let it run",
  calls: { heads: "Heads", tails: "Tails", evens: "Evens" },
  spots: (n) => number(n, "spot"),
  sign: (i, form) => (form === "race" ? ordinal(i + 1) : String.fromCharCode(65 + i)),
  inGroup: (n, i, form) => (form === "race" ? `Row ${n}, ${ordinal(i + 1)}` : `${n}, group ${String.fromCharCode(65 + i)}`),
  group: (i, group, form) => `${form === "race" ? ordinal(i + 1) : String.fromCharCode(65 + i)}: ${form === "race" ? group.join(" or ") || "–" : group.length}`,
  nextGroup: "Next group",
  joined: "Play ways of",
  waysOneByOne: "Or one by one",
  way: (way) => way.map((g) => String.fromCharCode(64 + g)).join(""),
  wayLabel: (way) => `Way ${way.map((g) => String.fromCharCode(64 + g)).join(" and ")}`,
  summary: (slip) => {
    const m = slip.marked, groups = m.groups.filter((g) => g.length);
    if (slip.replay) return `Ticket ${ticketStrings.grouped(slip.replay)} once more`;
    if (m.item) return `${slip.item.name}: ${terminalStrings.itemNumbersOf(slip.item, m.random)}${slip.item.types ? `, ${terminalStrings.played({ spots: slip.item.types })}` : ""}`;
    if (m.pick === "mystery") return "Picked by the terminal";
    if (m.pick) return `${number(m.pick, "spot")}, picked by the terminal`;
    if (slip.form === "calls") return m.call ? terminalStrings.calls[m.call] : "No call yet";
    if (slip.form === "race") return groups.length ? `${slip.bet.types.find((t) => t.id === m.type).name}: ${m.groups.map((g) => g.join(" or ") || "–").join(" / ")}` : "No row yet";
    return groups.length > 1 ? `${number(groups.length, "group")}: ${groups.map((g) => g.join(" ")).join(" / ")}` : groups.length ? `${number(groups[0].length, "spot")}: ${groups[0].join(" ")}` : "No number yet";
  },
  // toBuy says of a bet, as it is asked for, all that its ticket will say: offer is the catalogue.
  toBuy: (bet, offer, money) => {
    const item = (offer.items ?? []).find((i) => i.id === bet.item), kind = offer.bets.find((b) => b.id === (item?.bet ?? bet.bet));
    const name = item ? `${item.name}${"random" in bet ? ` (${terminalStrings.itemChoice[bet.random ? "random" : "fixed"].toLowerCase()})` : ""}` : kind.name;
    const type = kind.types?.find((t) => t.id === bet.type)?.name, stake = bet.stake_cents ?? item?.stake_cents;
    const features = Object.keys(bet.with ?? {}).map((id) => offer.features.find((f) => f.id === id).name);
    return [`${[name, type].filter(Boolean).join(", ")} ${item ? terminalStrings.itemNumbersOf(item, bet.random) : terminalStrings.marks(bet)}`, item?.types ? terminalStrings.played({ spots: item.types }) : bet.play && terminalStrings.played(bet.play),
      bet.run && terminalStrings.run.toLowerCase(), features.length && `with ${features.join(", ")}`, stake && money(stake)].filter(Boolean).join(", ");
  },
  marks: (bet) => {
    const rows = bet.groups?.map((group, i) => `${terminalStrings.sign(i)} ${group.join(" ")}`) ?? [bet.spots, bet.calls, ...(Array.isArray(bet.places) ? bet.places : [bet.places])].filter(Boolean);
    return rows.map((x) => (typeof x === "string" ? x : !Array.isArray(x) ? terminalStrings.picked(bet) : bet.calls ? x.map((call) => terminalStrings.calls[call]).join(" ") : x.join(" "))).join(" / ");
  },
  picked: (bet) => typeof bet.spots?.pick === "number" ? `${bet.spots.pick} picked` : "picked",
  itemNumbersOf: (item, random) => item.groups && !random ? item.groups.map((group) => group.join(" ")).join(" / ") : `${(item.groups?.map((group) => group.length) ?? item.sizes).join(" + ")} picked`,
  played: (play) => play === "all" ? "all ways" : play.spots ? `ways of ${terminalStrings.listed(play.spots)} numbers` : play.groups ? `ways of ${terminalStrings.listed(play.groups)} groups` : `ways ${play.ways.map(terminalStrings.way).join(", ")}`,
  listed: (all) => [all.slice(0, -1).join(", "), all.at(-1)].filter(Boolean).join(" and "),
  asking: "Asking",
  markSlip: "Mark a bet",
  notSold: "Not sold",
  notKnown: "No answer yet",
  awaited: (what) => `Nobody knows yet whether the house has done ${what}.`,
  breakdown: (price) => `${number(price.ways, "way")}, ${number(price.games, "game")} from game ${gameNumber(price.first_game.game)}`,
  clause: (clauses) => `Rule ${clauses.split(" ").join(", ")}`,
  clear: "Clear",
  another: "Another bet",
  sell: "Sell",
  nothingToSell: "There is nothing to sell yet.",
  notUnderstood: (line) => `"${line.trim()}" is not understood. F1 lists what can be typed.`,
  oneAtATime: "A request waits for its answer. One moment.",
  pendingNotice: (what) => `The house has not answered ${what}. It is asked again by itself, and does it once. Hand out nothing until it answers.`,
  actions: { sale: "the sale", payment: "the payment", cancellation: "the cancellation", void: "the taking back", "session-end": "the end of the session", reprint: "the reprint", paper: "the paper" },
  sold: (sale, cost) => `Sold for ${cost}: ${terminalStrings.grouped(sale.serial)}.`,
  soldLater: (first, quoted) => !quoted || (first.game === quoted.game && first.day === quoted.day) ? "" : `Tell the customer: it begins with game ${gameNumber(first.game)}. Game ${gameNumber(quoted.game)}, which was on the screen, had closed.`,
  paid: (amount) => `${amount} is on the customer's account.`,
  cancelled: (amount) => `Cancelled. ${amount} is on the customer's account.`,
  ended: (end, money) => {
    const kept = end.tenders.filter((t) => t.kind === "withheld").map((t) => ` Payment on ticket ${terminalStrings.grouped(t.serial)} is stopped: ${money(-t.cents)} is withheld. Give the ticket back; it is paid when payment goes on.`);
    const tenders = end.tenders.filter((t) => t.kind !== "withheld").map((t) => `${terminalStrings.mean(t.kind)} ${money(Math.abs(t.cents))} ${t.cents < 0 ? "out" : "in"}`);
    const papers = (end.papers ?? []).map((p) => `${terminalStrings.mean(p.kind)} ${money(p.cents)} out`);
    return `Customer finished: ${[...tenders, ...papers].join(", ") || "even"}.${kept.join("")}`;
  },
  promised: (end, money) => (end.promised ?? []).map((p) => `The cheque of ${money(p.cents)} will be here by ${dueBy(p.due)}.`).join(" "),

  customer: (open, session) => open ? (session ? `Customer ${session}` : "Customer") : "Next customer",
  acts: { sold: "Ticket", paid: "Prize", cancelled: "Cancelled", issued: "Paper issued", withheld: "Withheld, payment stopped", returned: "Goes back as it was paid" },
  noLines: "Nothing yet. Sell a ticket or scan one.",
  toPay: "To pay",
  toCustomer: "To the customer",
  toYou: "To you",
  finish: "Finish customer",
  noCustomer: "There is no customer to finish with.",
  settleTitle: "Finish customer",
  account: "Tickets and prizes",
  chips: "Chips, $",
  cardNumber: "Player card, its number",
  fromCard: "From the card, $ (empty: all)",
  inCash: (amount) => `${amount} in cash.`,
  unpaid: "The customer has left without paying all",
  loss: (amount) => `${amount} is the venue's loss`,
  anonymous: "The winner is not to be named",
  printList: "Print the list of the visit",
  byRunner: "Brought by a runner",
  runner: "Number of the runner, if a runner came",
  noRunner: "The number of a runner has digits only.",
  byRules: "As the rules have it",
  part: "a part, $",
  partBy: (means) => `Part by ${means.toLowerCase()}, dollars`,
  payee: "Payee",
  payeeName: "Name",
  payeeAddress: "Address",
  payeePhone: "Telephone",
  payeeAccount: "Account, for a transfer",
  looked: "The list of excluded people was looked into",
  noAmount: "An amount is dollars and cents, such as 12.50 or 1,000.",
  noCard: "A card has a number.",
  noDays: "Days are a whole number.",
  noGames: "Games are a whole number.",
  given: "Cash on the counter, $ (may stay empty)",
  means: "Pay out by",
  mean: (id) => ({ cash: "Cash", paper: "Paper" })[id] ?? sentenceCase(id),
  change: (amount) => `Change ${amount}`,
  short: (amount) => `${amount} is missing`,
  tooLittle: "The cash does not cover what is to pay.",
  endVisit: "Finish",
  back: "Back",

  entry: "Type or scan",
  presented: ({ ticket, paper, serial }) => `${paper ? paper.name : ticket.cancelled ? "Cancelled ticket" : "Ticket"} ${terminalStrings.grouped(serial)}`,
  outcome: (ticket, money) => ticketStrings.outcome(ticket, money).map((text) => text.replace(" Bring the paper to the counter to be paid.", "").replace("Bring the paper to the counter to be paid.", "")),
  gameLine: (g) => `Game ${gameNumber(g.game)}, ${shortDate(g.day)}: ${ticketStrings.phase[g.phase]}`,
  // goodFor says until when a paper is good, and for which game if it is for one alone.
  goodFor: ({ last_day: day, game_name: game }) => [day ? `Good until ${shortDate(day)} ${day.slice(0, 4)}` : "", game ? `${day ? "for" : "Good for"} ${game}` : ""].filter(Boolean).join(", "),
  paperName: ({ name, game_name: game }) => game ? `${name}, ${game}` : name,
  scanCode: "Scan or type the claim code of the paper.",
  serialFirst: "Scan the serial first, then the claim code.",
  usePaper: "Use it",
  playAgain: "Play again",
  sellPaper: "Voucher",
  paperKind: "What",
  paperAmount: "Amount, $",
  paperDays: "Good for so many days (empty: as the rules have it)",
  paperSold: (amount) => `Sold for ${amount}.`,
  paperGiven: (amount) => `Issued over ${amount} at the operator's expense. The customer pays nothing for it.`,
  paperApproval: "Approval number, if the operator gives it",
  onlyGiven: (name) => `${name}, by approval`,
  noApproval: "An approval has a number.",
  needsApproval: (name) => `A ${name} is not sold. It is issued with the number of an approval.`,
  atExpense: "At the operator's expense: the customer pays nothing for it.",
  issue: "Issue",
  lookCard: "Card",
  paperGame: "Good for",
  voucherTitle: "Sell a voucher",
  voucherGivenTitle: "Issue a voucher",
  cardTitle: "Player card",
  show: "Show",
  bringToCard: "Cash for the card, $ (may stay empty)",
  takeCash: "Take the cash",
  finishFirst: "Finish the customer first.",
  cardFunds: (card, funds) => [funds, card.holder?.name, card.status === "active" ? "" : card.status].filter(Boolean).join(", "),
  cardMove: (m, time) => `${shortDate(m.time.slice(0, 10))} ${time.slice(0, 5)} ${m.cents < 0 ? "paid for tickets" : "to the card"}`,
  noMoves: "Nothing has happened on this card.",
  pay: (amount) => amount ? `Pay ${amount}` : "Pay",
  payKey: "Pay what is presented",
  brought: (amount) => `${amount} is taken off what is to pay when the customer is finished.`,
  broughtBefore: "The customer has brought this paper already.",
  giveBack: "Cancel games",
  putAway: "Put away",

  papers: { ticket: "Ticket", payment: "Payment", cancellation: "Cancellation", voucher: "Paper", session: "Summary", cheque: "Cheque" },
  printed: "Printed.",
  lowPaper: "Printed. The roll is near its end.",
  noPrinter: "No printer is set up for this terminal. Print from here, or keep the PDF.",
  notPrinted: (why) => `Sold, and not in the customer's hand. ${why}`,
  notDelivered: "It is not printed.",
  savePDF: "PDF",
  printHere: "Print",
  tryPrinter: "Print again",
  reprint: "Reprint with new claim code",
  voidIt: "Report for cancelling",
  voidAsked: "Reported as not handed over. Ask for an approval: another person must agree before the stakes go back.",
  approval: "Number of the approval",
  takeBack: "Take the ticket back",
  replaceSheet: "Replace the sheet",
  later: "Later",
  printerReason: "the printer failed",
  lastPaper: "Last paper",
  close: "Close",

  help: "Keys",
  keysTitle: "Keys",
  nextBet: "Next kind of bet",
  entryKeys: [["3 17 42", "Mark numbers, or take marks away"], ["1 2 / 11 12", "The stroke goes on with the next group or place"], ["p8", "Pick 8 numbers; p alone picks how many, too"], ["h t e", "Heads, tails, evens"],
    ["wab", "The way of groups A and B on or off"], ["s2.50", "Stake $2.50 a way"], ["g10", "Ten games"], ["+1", "First feature on or off"], ["Enter", "Does what is next: sell, or pay"]],
  grouped: (serial) => ticketStrings.grouped(serial),

  limits: "What may be staked",
  age: (years, clause) => years ? `Only for persons of ${years} and over${clause ? ` (${terminalStrings.clause(clause).toLowerCase()})` : ""}.` : "Not for children.",
  customerWelcome: "Welcome",
  customerIdle: "Your tickets and prizes will be listed here.",
  buying: "Your next ticket",
  playedAgain: "The old ticket once more",
  customerCount: (n) => number(n, "item"),
};

// The words of a kiosk, beside those of the terminal.
// serialForms say how serials look, by the form of the series.
const serialForms = { digits16: "16 digits", to27: "27 characters that begin with TO" };

export const kioskStrings = {
  gateTitle: "Kiosk",
  noKiosk: (n) => `Terminal ${n} is not one that players work alone. Ask the office for the code of a self-service terminal.`,
  noHouse: terminalStrings.noHouse,
  state: { loading: "Connecting", live: "", offline: "No connection", pending: "Waiting for the house" },
  pendingNotice: "The house has not answered. It is asked again by itself and does what you wanted once. Nothing is lost: please wait here, or call the staff.",
  offlineNotice: "There is no connection just now. Nothing is lost: please wait, or ask at the counter.",
  back: "Back",
  next: "Go on",
  finish: "Finish",
  clear: "Clear",

  time: "Time here",
  minutes: (n) => `${n} min`,
  spent: "Spent",
  credit: "Your credit",
  care: (help) => `Set yourself a limit and keep to it. ${help}`,
  age: (years, clause) => `${terminalStrings.age(years, clause)} Nobody may play for somebody who may not.`,
  stillThere: "Are you still there?",
  stillHere: "I am here",
  endsIn: (seconds) => `In ${number(seconds, "second")} your credit is printed as a receipt and this visit ends.`,

  welcome: "Keno",
  play: "Play",
  playHint: "Choose a game and your numbers",
  check: "Check a ticket",
  checkHint: "See what it has won, or put in a receipt",
  which: "Which game?",
  form: { numbers: "Choose numbers from 1 to 80", calls: "Where do most numbers fall?", race: "Which row comes first?" },
  ready: "A ready ticket",
  mark: { numbers: "Which numbers?", calls: "Which do you call?", race: "Which rows?" },
  row: (n) => `Row ${n}`,
  type: "Kind of bet",
  place: "Place",
  quick: (name) => `Or have them picked (${name}). How many?`,
  pickOne: "Pick for me",
  terms: "How much, and for how many games?",
  stake: "Stake for each game",
  stakeOfWay: "Stake for each way and game",
  howMany: "Games",
  extras: "With it, if you like",
  asking: "Asking",
  notSold: "Not sold",
  clause: (clauses) => terminalStrings.clause(clauses),

  pay: "Your ticket",
  price: "Price",
  games: (price) => `${number(price.ways, "way")}, ${number(price.games, "game")} from game ${gameNumber(price.first_game.game)}`,
  paper: (paper) => paper.name ?? sentenceCase(paper.kind),
  giveBack: "Give back",
  missing: "Still to put in",
  left: "Left after it",
  putIn: (sold) => sold ? "Scan a receipt or a voucher. The counter sells receipts for cash." : "Scan a receipt, or a ticket that has won: what it is paid here pays for the next.",
  schedule: (id) => strings.schedule(id),
  limits: "What may be staked here",
  putInButton: "Put in a receipt",
  leftHint: "What is left stays your credit and is printed as a receipt when you finish.",
  buy: "Buy the ticket",
  bought: "Here is your ticket",
  boughtLater: (first, quoted) => `It begins with game ${gameNumber(first.game)}. Game ${gameNumber(quoted.game)} had closed.`,
  boughtHint: (credit, some) => some ? `Keep this slip. Anyone who holds it can be paid. You have ${credit} left.` : "Keep this slip. Anyone who holds it can be paid.",
  again: "Play again",

  scanSerial: "Scan your ticket or receipt",
  scanSerialHint: (form) => `Hold its first bar code under the scanner, or type the ${serialForms[form] ?? serialForms.digits16}.`,
  scanClaim: "Now its claim code",
  scanClaimHint: "It is the second bar code. A person who has the code can be paid: let nobody see it.",
  serial: "Serial",
  claim: "Claim code",
  rubOut: "Rub out",
  enter: "Done",
  notSerial: (form) => `That is not the serial of a ticket or receipt. It has ${serialForms[form] ?? serialForms.digits16}.`,
  notClaim: "That is not a claim code. It has 16 characters.",
  ticket: (serial) => `Ticket ${ticketStrings.grouped(serial)}`,
  otherTicket: "Another paper",
  usePaper: "Use it here",
  broughtBefore: "This paper is put in already.",
  collect: (amount) => `Collect ${amount}`,
  toCounter: (most) => `This kiosk pays up to ${most}. Please take the ticket to the counter.`,
  collected: (amount) => `${amount} is yours`,
  collectedHint: "Take it as a receipt, which the counter pays in cash, or play with it.",
  notHere: "This kiosk does not take such a paper. The counter does.",
  receipt: "Print my receipt",

  papers: { ticket: "Ticket", voucher: "Receipt" },
  keepIt: "Keep this slip. Anyone who holds it can be paid.",
  haveIt: "I have it",
  printHere: "Print",
  printAgain: "Print again",
  notPrinted: "The printer did not print. Please call the staff. Your paper is safe here and is printed as soon as the printer works.",
  grouped: (text) => ticketStrings.grouped(text.replaceAll("-", "")),
};

// The words of the page that makes the first administrator.
export const setupStrings = {
  title: "Make the administrator",
  once: "This is done once. The administrator brings in everybody else.",
  name: "Name",
  contact: "Contact",
  password: "Password",
  hint: "At least 12 characters.",
  made: (n) => `You are person ${n}. Sign on with that number and your password.`,
  office: "To the office",
  noHouse: "The house does not answer. Try again.",
};

// The words of the page on which somebody who was invited sets a password.
export const invitationStrings = {
  title: "Set your password",
  once: "Your invitation is good once. You sign on with your number and this password.",
  password: "Password",
  hint: "At least 12 characters.",
  set: "Your password is set. You can sign on now, at the office or at a counter.",
  noHouse: "The house does not answer. Try again.",
};

// The words of the displays of venues, beside those of the board.
export const displayStrings = {
  chooseTitle: "Which venue is this display for?",
  chooseHint: "A display shows the board of all games. Press twice on it for the whole screen.",
  find: "Name or number of the venue",
  asking: "Asking the house",
  noHouse: "No connection to the central system. Retrying.",
  noneFound: "There is no such venue.",
  more: (n) => `${count(n)} more. Type a part of the name.`,
  venue: (n) => `Venue ${n}`,
  noVenue: (n) => `There is no venue ${n}`,
  signing: "In service",
};

// The words of the inspector's page.
export const inspectorStrings = {
  title: "Inspector",
  currency: "AUD", // until the house says which
  signOn: "Sign on",
  signOnHint: "Everything here is read-only. What is read is checked in this browser.",
  signOff: "Sign off",
  person: "Person number",
  password: "Password",
  signedOn: (n) => `Person ${n}`,
  notInspector: "You are not an inspector of this house.",
  noHouse: "The house does not answer. Try again.",

  reading: "Reading the journal",
  readSoFar: (done, all) => `${count(done)} of ${number(all, "record")} read and hashed.`,
  recompute: "Read and recompute everything",
  noCrypto: "This browser gives no cryptography to this page",
  noCryptoText: "Open the page over TLS, or on the machine itself.",
  asSigned: "The records are those that the house signed",
  asSignedText: (size, seals, root) => `${number(size, "record")} read and hashed here. Their root ${root}… is that of the newest checkpoint, and ${number(seals, "seal")} in the journal ${seals === 1 ? "fits" : "fit"} the records before ${seals === 1 ? "it" : "them"}.`,
  altered: "The records are not those that the house signed",
  alteredText: (volume, last, first) => `The first seal that does not fit is that of game ${first.game}, record ${volume}:${first.seq}. ${between(volume, last, first.size)}`,
  alteredSince: (volume, last, size) => `Every seal fits, and the newest checkpoint does not. ${between(volume, last, size)}`,
  notSigned: "The newest checkpoint is not signed by the house's key",
  notSignedText: "Compare the key under Checkpoint with the one that you noted on the first day.",

  games: "Games",
  journal: "Journal",
  exceptions: "Exceptions",
  ticket: "Ticket",
  checkpoint: "Checkpoint",
  takeaway: "Take away",
  volume: "Volume",
  volumeChoice: (head, newest) => `Volume ${head.volume}, ${number(head.size, "record")}${head.volume === newest ? ", newest" : ", ended"}`,
  none: "–",
  game: (name) => `Game ${name}`,
  noGames: "No game has opened yet.",
  noSuchGame: (name) => `The journal has no game ${name}.`,
  stages: { "game opened": "On sale", "game closed": "Closed", "game sealed": "Sealed", "number drawn": "Being drawn", "game drawn": "Drawn", "game settled": "Settled", "game voided": "Void" },
  gameHolds: (name) => `Game ${name} holds`,
  gameHoldsText: (n) => `${number(n, "check")} made here, and all of them hold. Open one to see what was compared.`,
  gameDiffers: (name) => `Game ${name} does not hold`,
  gameDiffersText: (failed, n) => `${failed} of ${number(n, "check")} ${failed === 1 ? "does" : "do"} not hold.`,
  seal: "Seal",
  notSealed: "This game is not sealed yet.",
  sealedAt: (time) => `Sealed ${moment(time)}`,
  wholeSeal: "The whole seal",
  draw: "Draw",
  transcript: "What the device signed",
  timeLine: "From open to paid",
  paid: (money) => `${money} of this game`,

  holds: "Holds.",
  doesNotHold: "Does not hold.",
  computed: "Found here:",
  stated: "Held against:",
  checks: {
    sameRecords: "Every record of the game is the one that was hashed.",
    recordCount: (n) => number(n, "record"),
    sealSigned: "The house signed the seal.",
    sealGame: "The seal is of this game.",
    sealRoot: (size) => `The first ${number(size, "record")} have the root that the seal states.`,
    sealCounts: "The seal counts the plays and stakes of the close.",
    playsAndStakes: (plays, stakes) => `${number(plays, "play")}, ${money(stakes, inspectorStrings.currency)}`,
    sealFirst: "The seal stands before the first number.",
    drawSigned: "The device signed the numbers.",
    drawSeal: "The numbers were drawn under this seal.",
    drawNumbers: "The signed numbers are those of the journal, in their order.",
    paidWithin: "No more was paid than was won.",
    settledAfter: "The settlement is of this draw, and after it.",
    leaf: "The record has the hash that it had when everything was read.",
    root: (size) => `With it, ${number(size, "record")} have the root that the house signed.`,
    brought: (size, volume) => `Volume ${volume} begins with the ${number(size, "record")} of your checkpoint.`,
    successor: (volume, size) => `The first record of volume ${volume} names this end: ${number(size, "record")} and their root.`,
    broughtSigned: "The checkpoint is signed by the house's key.",
    broughtVolume: "The checkpoint is of a volume of this journal.",
    broughtLonger: "The journal is as long as your checkpoint.",
  },

  kind: (name) => sentenceCase(name),
  unreadable: "A record that cannot be read",
  everyKind: (n) => `Every kind (${count(n)})`,
  kindCount: (name, n) => `${sentenceCase(name)} (${count(n)})`,
  kindLabel: "Kind",
  placeLabel: "Go to record",
  show: "Show",
  earlier: "Earlier records",
  record: (place, kind) => `${place} ${sentenceCase(kind)}`,
  noSuchRecord: (volume, size) => `Volume ${volume} has the records 0 to ${count(size - 1)}.`,
  before: "Record before",
  after: "Record after",
  proof: "Proof",
  postings: "Postings",
  alarms: "Witnesses",
  noAlarms: "No witness disagrees or is missing.",
  noExceptions: "Nothing out of the ordinary is in this volume.",
  moment: (time) => moment(time),
  timeOfDay: (time) => moment(time).slice(11, 19),

  whyPaid: "Why was this paid?",
  serial: "Serial of the ticket",
  ticketTitle: (serial) => `Ticket ${ticketStrings.grouped(serial)}`,
  ticketSums: (ticket, money) => `Cost ${money(ticket.cost_cents)}, won ${money(ticket.won_cents)}, paid ${money(ticket.paid_cents)}, unpaid ${money(ticket.unpaid_cents)}${ticket.held_cents ? `, held ${money(ticket.held_cents)}` : ""}${ticket.late_cents ? `, too late at venues ${money(ticket.late_cents)}` : ""}.`,
  bet: (bet, money) => `${sentenceCase(bet.bet)}, ${ticketStrings.stake(bet, money)}: ${[...(bet.spots ? [bet.spots.join(" ")] : []), ...(bet.groups ?? []).map((g) => g.join(" ")),
    ...(bet.calls ?? []).map(sentenceCase), ...(bet.places ?? []).map((rows) => rows.join(" "))].join(" / ")}`,
  gameSums: (game, money) => `Prize ${money(game.prize_cents)}, paid ${money(game.paid_cents)}${game.refund_cents ? `, goes back ${money(game.refund_cents)}` : ""}.`,
  way: (way, text) => `Way ${way}: ${text}`,
  clause: (clause) => ticketStrings.clause(clause),
  wonNothing: "Nothing was won in this game.",
  anonymous: "The winner is not to be named in public.",
  keepStory: "Keep the whole story",
  storyHint: "One signed file. drawhouse verify story checks it without the house.",
  recordsOf: "Records about this ticket",
  otherVolume: (volume) => `The ticket is of volume ${volume}, which is not the one shown here. Its story has the records.`,

  broughtTitle: "A checkpoint that you kept",
  broughtHint: "A house that writes its history anew cannot make it begin with a checkpoint that you kept.",
  broughtNote: "Checkpoint",
  broughtFile: "Or its file",
  houseKey: "House's public key",
  deviceKey: "Device's public key",
  keyHint: "The keys shown first are the house's word. Put those here that you noted on the first day; everything is judged by them.",
  checkIt: "Check",
  keepTitle: "For next time",
  keepHint: "Keep the newest checkpoint where the house cannot reach it.",
  keepCheckpoint: "Keep the newest checkpoint",

  takeTitle: "Everything that you need to verify elsewhere",
  takeText: (records, volumes) => `One archive with ${number(records, "record")} of ${number(volumes, "volume")}. It holds no secret key and nothing about persons.`,
  takeContents: [
    ["inspection/", "The journal with the objects that it pins, as verify reads it"],
    ["KEYS.txt", "The public keys of house, device and witnesses, as the house states them"],
    ["witnessed.checkpoint", "The newest checkpoint that witnesses cosigned, if there are any"],
    ["VERIFY.txt", "What to do with it, and the command to type"],
  ],
  take: "Take the archive",
  takeVerify: "What to type there",
  takeHint: "Unpack it on a machine of your own, with a drawhouse that you built from source which you trust. Put the keys in that you noted on the first day.",
};

// between says where an inspector must look: behind the last seal that fits.
function between(volume, last, end) {
  return last
    ? `All is well up to record ${volume}:${last.size - 1}, by the seal of game ${last.game}. What was altered is among the records ${volume}:${last.size} to ${volume}:${end - 1}.`
    : `What was altered is among the records ${volume}:0 to ${volume}:${end - 1}.`;
}

// moment writes milliseconds of the journal as date and time, UTC.
function moment(milliseconds) {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

// ordinal writes a place of a race.
function ordinal(n) {
  return `${n}${["th", "st", "nd", "rd"][n] ?? "th"}`;
}

// number writes a count with its noun.
export function number(n, noun) {
  return `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
}

// sentenceCase turns an id such as heads_or_tails into words.
export function sentenceCase(id) {
  const words = id.replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
}

// shortDate writes a date such as 2026-11-15 as 15 Nov.
export function shortDate(day) {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" })
    .format(new Date(`${day}T00:00:00Z`));
}
