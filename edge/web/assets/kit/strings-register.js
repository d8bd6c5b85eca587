// The words of the office for what people note at counters, of drawing devices and of accounts of venues, which only their
// pages load.
import { officeStrings } from "./strings-office.js";
import { shortDate } from "./strings.js";

export const registerStrings = {
  // What people note at the counters of a venue.
  refuseSale: "Note a refused sale", refuseSaleHint: "Nothing is noted of the customer.", cause: "Why it was refused", noteRefusal: "Note refusal", refusalNoted: "The refusal is noted.",
  causes: { under_age: "Under age, or no proof of age", intoxicated: "Appears intoxicated", excluded: "Excluded from gambling", not_present: "Not on the premises", other: "Another reason of the rules" },
  disputeRunner: "Note a dispute between a runner and a player", disputeRunnerHint: "The senior person of the venue decides it.", runner: "Runner, number of the person",
  disputeText: "What it is about", disputeTextHint: "The journal keeps this sentence. Name no player.", noteDispute: "Note dispute", disputeNoted: "The dispute is noted.",
  decideRunner: "Decide a dispute with a runner", decideRunnerHint: "Only who is senior at the venue decides, and not the runner.", dispute: "Dispute", noDispute: "No dispute waits at this venue.",
  noteDecision: "Note decision", decisionNoted: "The decision is noted.",

  // Drawing devices.
  noDevices: "No drawing device is registered.",
  devicesHint: "The drawing devices of this system with their approvals. Games open only while the device that was chosen here is in service.",
  deviceHead: "Device", siteHead: "Site", approvalHead: "Approval", deviceStatus: "Status", inspectedHead: "Last inspection",
  deviceState: (d) => d.failed ? "Out of service" : d.draws ? "Draws" : "In service",
  lastInspection: (d) => `${officeStrings.atTime(d.inspected)}: ${d.finding}`,
  inspectDevice: "Note an inspection of a device",
  inspectDeviceHint: "A device that is not sound is out of service. Two persons register it again before it draws.",
  deviceNumber: "Device, number in the register", part: "What was inspected", parts: { device: "The device", balls: "The balls of a ball machine" },
  found: "Result", sound: "Sound", unsound: "Not sound", finding: "What was found", findingHint: "The journal keeps this sentence. Name no person.",
  authority: "For which authority", authorityHint: "Such as a testing facility. Empty for the operator.", reportReference: "Reference of the report", directed: "An inspector directed it",
  noteInspection: "Note inspection", inspectionNoted: "The inspection is noted.",
  inspectDraw: "Note a check of a draw", inspectDrawHint: "An inspector has held the central record of a settled game against the draw.",
  agrees: "The central record is what was drawn", disagrees: "The central record is not what was drawn", witnessedDraw: "The inspector was present at the draw",

  // The account of a venue with the operator.
  venueAccount: {
    title: "Account with the operator", none: "No agreement. Send one for approval under Ask for.", unpaid: "Unpaid statements", paid: "No statement is unpaid.",
    statement: "Statement", due: "Due", left: "Left to pay", state: "Status", missed: "Missed", file: (n) => `Direct debit file ${n}, not answered`,
    over: (d, of) => `File ${d.file} collects ${of(d.cents)} for statement ${d.statement}, and ${of(d.over_cents)} of it are not owed any more. Have the bank cancel the direct debit, and withdraw the file.`,
    payments: "Recorded payments", noPayments: "No payment is recorded.", reference: "Reference", way: "Way", ways: { cash: "Cash of the safe", received: "From the venue", paid: "To the venue" }, amount: "Amount", reversed: "Taken back", record: "Record",
    owes: "Owes", agreement: "Agreement", last: "Last statement", takings: "Takings", commission: "Commission", tax: "Tax on the commission", madeUp: "Made up to the least payment", opening: "Carried forward", received: "Paid since", closing: "Closing balance",
    terms: (a, weekday, least) => `${a.sales_rate / 100} % of sales, ${a.prizes_rate / 100} % of prizes paid${a.fees_rate ? `, ${a.fees_rate / 100} % of fees of bingo` : ""}, at least ${least}${a.tax_rate ? `, with ${a.tax_rate / 100} % tax` : ""}; weeks end on ${weekday}, ${a.days_to_pay} days to pay${a.stops ? "; a missed payment stops sale" : ""}`,
    period: (s) => `${s.number}: ${shortDate(s.from)} to ${shortDate(s.to)}, due ${shortDate(s.due)}`,
  },
};
