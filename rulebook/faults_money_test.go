package rulebook

import (
	"strings"
	"testing"
)

// TestMoneyFaults is TestFaults for pro-rating, funds, payments, claims, paper,
// draw and people.
func TestMoneyFaults(t *testing.T) {
	for _, group := range []struct {
		name  string
		cases []faultCase
	}{
		{"prorating", proratingFaults},
		{"funds", fundFaults},
		{"payments", paymentFaults},
		{"claims", claimFaults},
		{"operation", operationFaults},
	} {
		t.Run(group.name, func(t *testing.T) { runFaultCases(t, "testdata/sound.yaml", group.cases) })
	}
}

// The items of the sound book that the cases edit.
const (
	prorateA   = `{clause: "14(a)", bets: [plain], major_over: 1000, cap: 50000, floor: 1000, method: formula, outside: [jackpot, bonus_jackpot, promotion]}`
	prorateB   = `{clause: "14(b)", bets: [race], major_from: 1000, floor: 1000, method: level, outside: [promotion]}`
	tenderC    = `{clause: "19(c)", channel: sst, accept: [cash, winnings]}`
	unclaimedB = `{clause: "23(b)", after: {years: 7}, then: treasurer}`
)

var proratingFaults = []faultCase{
	{"floor at the cap", []string{prorateA, with(prorateA, "floor: 1000", "floor: 50000")}, nil},
	{"floor above the cap", []string{prorateA, with(prorateA, "floor: 1000", "«floor: 50000.01")},
		[]string{`keno.prorating[0].floor: $50,000.01 is above the cap, $50,000.00`}},
	{"no major prize", []string{prorateB, "«" + with(prorateB, "major_from: 1000, ", "")},
		[]string{`keno.prorating[1]: has neither major_over nor major_from: no prize is a major prize`}},
	{"two beginnings of major", []string{prorateB,
		with(prorateB, "major_from: 1000", "major_over: 1000, «major_from: 1000")},
		[]string{`keno.prorating[1].major_from: a major prize begins either over an amount or from it on`}},
	{"unknown bet", []string{prorateB, with(prorateB, "[race]", "[«regatta]")},
		[]string{`keno.prorating[1].bets[0]: there is no bet "regatta"; there are plain, halves, race`}},
	{"bet reduced twice", []string{prorateB, with(prorateB, "bets: [race]", "«bets: [race, halves]"),
		prorateA, with(prorateA, "bets: [plain]", "bets: [plain, halves]")},
		[]string{`keno.prorating[1].bets: the prizes of the bet "halves" are reduced by keno.prorating[0] too`}},
	{"unknown method", []string{prorateB, with(prorateB, "method: level", "«method: even")},
		[]string{`keno.prorating[1].method: "even" is not known here; the known words are formula, level`}},
	{"a jackpot that is reduced", []string{prorateA, with(prorateA, "outside: [jackpot, bonus_jackpot, promotion]", "«outside: [promotion]")},
		[]string{`keno.prorating[0].outside: the house never reduces these prizes: write outside: [jackpot, bonus_jackpot, promotion]`}},
	{"a promotion that is reduced", []string{prorateB, "«" + with(prorateB, ", outside: [promotion]", "")},
		[]string{`keno.prorating[1].outside: the house never reduces these prizes: write outside: [promotion]`}},
	{"unknown part outside", []string{prorateA, with(prorateA, "[jackpot, bonus_jackpot, promotion]", "[jackpot, bonus_jackpot, promotion, «bonus]")},
		[]string{`keno.prorating[0].outside[3]: "bonus" is not known here; the known words are jackpot, bonus_jackpot, promotion`}},
}

var fundFaults = []faultCase{
	{"rounding of nothing", []string{"step: 0.10, mode", "«step: 0.00, mode"},
		[]string{`keno.rounding.step: is nothing; the least step is one cent`}},
	{"unknown rounding", []string{"mode: floor", "«mode: down"},
		[]string{`keno.rounding.mode: "down" is not known here; the known words are floor`}},
	{"fund of nothing", []string{"least: 75, schedule: 74.20, bonus: 0.80", "«least: 0"},
		[]string{`keno.prize_fund.least: is nothing; players would win nothing`}},
	{"parts of the fund", []string{"schedule: 74.20", "«schedule: 74.21"},
		[]string{`keno.prize_fund.schedule: schedule and bonus add up to 75.01%, and the fund is 75.00%`}},
	{"unknown pool exclusion", []string{"[halves, race, multiplier]", "[halves, race, «doubler]"},
		[]string{`keno.promotions.pool_excludes[2]: there is no bet or feature "doubler"; there are plain, halves, race, multiplier, lucky_last`}},
	{"paused without a pool", []string{"    bonus_pool: true\n    pool_excludes: [halves, race, multiplier]\n",
		"    paused: true\n", "pool: true, min", "«pool: true, min", "  promotions:", "  «promotions:"},
		[]string{`keno.limits[8].pool: there is no bonus prize pool`,
			`keno.promotions.bonus_pool: is not set, and there is a rule for the bonus prize pool`}},
	{"unknown base of a tax", []string{"base: net_revenue", "«base: gross_profit"},
		[]string{`keno.tax.base: "gross_profit" is not known here; the known words are net_revenue, turnover`}},
	{"unknown rounding of a tax", []string{"rounding: half-even", "«rounding: down"},
		[]string{`keno.tax.rounding: "down" is not known here; the known words are floor, ceil, half-up, half-even`}},
	{"tax of nothing", []string{"rate: 24.24", "«rate: 0"},
		[]string{`keno.tax.rate: is nothing; without a tax, leave the section out`}},
	{"tax that is due before the month begins", []string{"due_day: 7", "«due_day: 0"},
		[]string{`keno.tax.due_day: 0 is not a day from 1 to 28, which every month has`}},
	{"tax that is due on a day that February has not", []string{"due_day: 7", "«due_day: 29"},
		[]string{`keno.tax.due_day: 29 is not a day from 1 to 28, which every month has`}},
	{"tax for nobody", []string{"payee: State Revenue", `«payee: ""`},
		[]string{`keno.tax.payee: is empty`}},
	{"tax for an office of two lines", []string{"payee: State Revenue", `«payee: "State\nRevenue"`},
		[]string{`keno.tax.payee: "State\nRevenue" has a character that cannot be printed`}},
	{"tax for an office with a long name", []string{"payee: State Revenue", "«payee: " + strings.Repeat("x", 101)},
		[]string{`keno.tax.payee: has 101 characters; it has at most 100`}},
	{"migration of nothing", []string{"lot: 250}", "«lot: 0}"}, []string{`keno.migration.lot: is nothing`}},
	{"a party to nothing", []string{"acts: [move_pool]", "«acts: []"}, []string{`keno.parties[0].acts: names no act`}},
	{"a party to an act twice", []string{"[begin_promotion, change_promotion]", "[begin_promotion, «move_pool]"},
		[]string{`keno.parties[1].acts[1]: "move_pool" is written twice`}},
	{"a party to no act of two persons", []string{"[begin_promotion, change_promotion]", "[«begin, change_promotion]"},
		[]string{`keno.parties[1].acts[0]: "begin" is not known here; the known words are adopt_rulebook, begin_series, change_terms, move_pool, give_aside, migrate_pools, migrate_bonus, begin_promotion, change_promotion, reinstate`}},
	{"migration into no jackpot", []string{"into_spots: 3", "«into_spots: 4"},
		[]string{`keno.migration.into_spots: there is no jackpot for 4 spots`}},
}

var paymentFaults = []faultCase{
	{"terminal that hands out receipts", []string{"\n  payout:\n",
		"\n  hands_out:\n    - {clause: \"19(c)\", channel: sst, gives: [change_receipt]}\n  payout:\n"}, nil},
	{"terminal that hands out gold", []string{"\n  payout:\n",
		"\n  hands_out:\n    - {clause: \"19(c)\", channel: sst, gives: [«gold]}\n  payout:\n"},
		[]string{`keno.hands_out[0].gives[0]: there is no means "gold"; there are cash, receipt, change_receipt, cheque`}},
	{"instrument twice", []string{"id: change_receipt, name", "«id: receipt, name", "{id: change_receipt, of",
		"{«id: change_receipt, of"},
		[]string{`keno.payout.methods[2].id: there is no instrument "change_receipt"; there are receipt, receipt`,
			`keno.instruments[1].id: receipt is the same as in keno.instruments[0]`}},
	{"life in two units", []string{"life: {months: 12}", "«life: {months: 12, days: 1}"},
		[]string{`keno.instruments[0].life: must be a number of either days, months or years`}},
	{"form life in two units", []string{"life: {months: 12}", "life: {months: 12}, «form_life: {years: 7, days: 1}"},
		[]string{`keno.instruments[0].form_life: must be a number of either days, months or years`}},
	{"made out for a game that there is not",
		[]string{"life: {months: 12}", "life: {months: 12}, made_out_for: {clause: \"21(a)\", bets: [«moon]}"},
		[]string{`keno.instruments[0].made_out_for.bets[0]: there is no bet "moon"; there are plain, halves, race`}},
	{"made out for nothing", []string{"life: {months: 12}",
		"life: {months: 12}, made_out_for: {clause: \"21(a)\", «bets: []}"},
		[]string{`keno.instruments[0].made_out_for.bets: names no bet: it would pay for nothing`}},
	{"end without a life", []string{"- {clause: \"21(a)\", id: receipt, name: Receipt, life: {months: 12}, ",
		"- «{clause: \"21(a)\", id: receipt, name: Receipt, "},
		[]string{`keno.instruments[0].life: is missing where there is a rule for its end`}},
	{"unknown tender", []string{"accept: [cash, receipt]", "accept: [cash, «chips]"},
		[]string{`keno.tenders[0].accept[1]: there is no tender "chips"; there are cash, replay, winnings, receipt, change_receipt`}},
	{"no tender", []string{tenderC, with(tenderC, "accept: [cash, winnings]", "«accept: []")},
		[]string{`keno.tenders[2].accept: names nothing that pays for a ticket`}},
	{"venue twice", []string{"venues: [hotel], channel", "venues: [club], «channel"},
		[]string{`keno.tenders[1].channel: keno.tenders[0] says what pays at channel writer of the same venues`}},
	{"unknown venue", []string{"venues: [hotel]", "venues: [«pub]"},
		[]string{`keno.tenders[1].venues[0]: "pub" is not known here; the known words are club, hotel, wagering_outlet, licensed_premises, casino, central_site`}},
	{"channel without a tender", []string{"    - " + tenderC + "\n", "", "  tenders:", "  «tenders:"},
		[]string{`keno.tenders: nothing pays for a ticket at channel sst`}},
	{"period of nothing", []string{"period: {months: 6}", "«period: {months: 0}"},
		[]string{`keno.payout.period: must be a number of either days, months or years`}},
	{"period at the last end", []string{"period: {months: 6}", "period: {years: 7}"}, nil},
	{"period above the last end", []string{"period: {months: 6}", "«period: {years: 8}"},
		[]string{`keno.payout.period: runs on after the prize has gone as unclaimed`}},
	{"method twice", []string{"{id: change_receipt, of", "{«id: cash, of"},
		[]string{`keno.payout.methods[2].id: cash is the same as in keno.payout.methods[0]`}},
	{"unknown method", []string{"{id: change_receipt, of", "{«id: goods, of"},
		[]string{`keno.payout.methods[2].id: "goods" is not known here; the known words are cash, change_receipt, sst_receipt, site_cheque, central_voucher, cheque, transfer, player_card`}},
	{"from and over", []string{"over: 300, up_to", "from: 300, «over: 300, up_to"},
		[]string{`keno.payout.methods[1].over: an amount is either from or over`}},
	{"from at the end", []string{"over: 300, up_to: 20000", "from: 300, up_to: 300"}, nil},
	{"over at the end", []string{"over: 300, up_to: 20000", "over: 300, «up_to: 300"},
		[]string{`keno.payout.methods[1].up_to: $300.00 is below where the method begins`}},
	{"no instrument for a method", []string{"{id: change_receipt, of", "{«id: sst_receipt, of"},
		[]string{`keno.payout.methods[2].id: there is no instrument "sst_receipt"; there are receipt, change_receipt`}},
	{"cancellation below the longest ticket", []string{"last_game: 20", "last_game: 99"}, nil},
	{"cancellation at the longest ticket", []string{"last_game: 20", "«last_game: 100"},
		[]string{`keno.cancellation.last_game: is 100, and the longest ticket has 100 games`}},
	{"unknown remedy", []string{"rule_change: [refund]", "rule_change: [«apology]"},
		[]string{`keno.cancellation.rule_change[0]: "apology" is not known here; the known words are refund, new_entry`}},
}

var claimFaults = []faultCase{
	{"an unknown party signs", []string{"{role: inspector, from: 100}", "{«role: wizard, from: 100}"},
		[]string{`keno.claims.signatures[1].role: "wizard" is not known here; the known words are licensee, operator, casino_operator, state_wide_gaming_operative, commission, inspector`}},
	{"nobody signs", []string{"signatures: [{role: operator}, {role: inspector, from: 100}]", "«signatures: []"},
		[]string{`keno.claims.signatures: names nobody who decides a claim`}},
	{"signs twice", []string{"{role: inspector,", "{«role: operator,"},
		[]string{`keno.claims.signatures[1].role: operator is the same as in keno.claims.signatures[0]`}},
	{"paid by nothing", []string{"paid_by: [cheque]", "«paid_by: []"},
		[]string{`keno.claims.paid_by: names no way to pay a claim`}},
	{"nothing about unclaimed prizes",
		[]string{"  unclaimed:\n    - {clause: \"23(a)\", after: {months: 6}, then: claim_form}\n    - " + unclaimedB,
			"  unclaimed: []"}, nil},
	{"unclaimed in another order", []string{unclaimedB, with(unclaimedB, "after: {years: 7}", "«after: {days: 180}")},
		[]string{`keno.unclaimed[1].after: is not later than the step before`}},
	{"unclaimed a day later", []string{unclaimedB, with(unclaimedB, "after: {years: 7}", "after: {days: 181}")}, nil},
	{"unknown end", []string{unclaimedB, with(unclaimedB, "then: treasurer", "«then: charity")},
		[]string{`keno.unclaimed[1].then: "charity" is not known here; the known words are claim_form, treasurer, lapsed`}},
}

var operationFaults = []faultCase{
	{"serial form twice", []string{"form: to27", "«form: digits16"},
		[]string{`keno.serials[1].form: digits16 is the same as in keno.serials[0]`}},
	{"serials of the successor only", []string{"form: digits16}", "form: digits16, successor: true}", "  serials:",
		"  «serials:"}, []string{`keno.serials: names no form of ticket number of this system`}},
	{"for a successor of which nothing is said",
		[]string{"    - {clause: \"24\", form: to27, successor: true}\n", "", "  receipt: {clause: \"25\"",
			"  system: {clause: \"24\", «plays: successor}\n  receipt: {clause: \"25\""},
		[]string{`keno.system.plays: the rules name no game numbers of a successor`,
			`keno.system.plays: the rules name no form of ticket number of a successor`}},
	{"for a successor without numbers", []string{"  receipt: {clause: \"25\"",
		"  system: {clause: \"24\", «plays: successor}\n  receipt: {clause: \"25\""},
		[]string{`keno.system.plays: the rules name no game numbers of a successor`}},
	{"for neither system", []string{"  receipt: {clause: \"25\"",
		"  system: {clause: \"24\", «plays: both}\n  receipt: {clause: \"25\""},
		[]string{`keno.system.plays: "both" is not known here; the known words are own, successor`}},
	{"receipt without serial", []string{"fields: [serial, numbers, stake]", "«fields: [numbers, stake]"},
		[]string{`keno.receipt.fields: does not have the serial, by which a ticket is found`}},
	{"receipt field twice", []string{"fields: [serial, numbers, stake]", "fields: [serial, numbers, «numbers]"},
		[]string{`keno.receipt.fields[2]: "numbers" is written twice`}},
	{"no device", []string{"devices: [rng, cage], keyings: 2", "«devices: []"},
		[]string{`keno.draw.devices: names no device that draws`}},
	{"unknown device", []string{"devices: [rng, cage]", "devices: [rng, cage, «dice]"},
		[]string{`keno.draw.devices[2]: "dice" is not known here; the known words are rng, cage, witnessed`}},
	{"cage without people", []string{"  draw: {clause: \"26\", devices: [rng, cage], keyings: 2",
		"  «draw: {clause: \"26\", devices: [rng, cage]"},
		[]string{`keno.draw.keyings: is missing; people must record the balls of a cage`}},
	{"people without a cage", []string{"devices: [rng, cage], keyings", "devices: [rng], «keyings"},
		[]string{`keno.draw.keyings: is for the balls of a cage, and no cage is allowed`}},
	{"unfinished draw", []string{"unfinished: [carry, refund]", "«unfinished: []"},
		[]string{`keno.draw.unfinished: does not say what becomes of the entries of an unfinished draw`}},
	{"unfinished draw twice", []string{"unfinished: [carry, refund]", "unfinished: [carry, «carry]"},
		[]string{`keno.draw.unfinished[1]: "carry" is written twice`}},
	{"nobody disqualifies", []string{"by: [operator]", "«by: []"}, []string{`keno.disqualify.by: names nobody`}},
	{"no role", []string{"game: supervisor", "«game: ''"}, []string{`keno.staffing.game: is empty`}},
	{"a game that nobody can hold", []string{"game: supervisor", "«game: king, «venue: queen"},
		[]string{`keno.staffing.game: "king" is not known here; the known words are supervisor, state_wide_gaming_operative, casino_employee`,
			`keno.staffing.venue: "queen" is not known here; the known words are senior_terminal_operator, senior_writer`}},
	{"an unknown party disqualifies", []string{"by: [operator]", "by: [«witch]"},
		[]string{`keno.disqualify.by[0]: "witch" is not known here; the known words are licensee, operator, casino_operator, state_wide_gaming_operative, commission, inspector`}},
}

func TestBingoFaults(t *testing.T) {
	runFaultCases(t, "testdata/bingo.yaml", []faultCase{
		{"numbers", []string{"of: 90", "«of: 80", "boxes_per_strip", "«boxes_per_strip"},
			[]string{`bingo.numbers.of: is 80; bingo calls 75 or 90 numbers`,
				`bingo.card.boxes_per_strip: 6 boxes of 3 lines of 5 have 90 numbers, not 80`}},
		{"two least counts", []string{"draw: 15", "«draw: 16"},
			[]string{`bingo.numbers.draw: is 16, and bingo.calls.least is 15`}},
		{"least count of nothing", []string{"draw: 15", "draw: 0", "least: 15", "«least: 0"},
			[]string{`bingo.calls.least: is 0; a game calls 1 to 90 numbers`}},
		{"boxes", []string{"boxes_per_strip: 6", "«boxes_per_strip: 5", "pages: [6, 12]", "pages: [5, 10]"},
			[]string{`bingo.card.boxes_per_strip: 5 boxes of 3 lines of 5 have 75 numbers, not 90`}},
		{"lines", []string{"lines: 3\n    columns: 9\n    per_line: 5", "lines: 5\n    columns: 9\n    per_line: 3",
			"- {clause: \"6(b)\"", "- «{clause: \"6(b)\"", "- {clause: \"6(c)\"", "- «{clause: \"6(c)\"",
			"top: [1, 5], bottom: [1, 5]", "top: [1, 3], bottom: [1, 3]"},
			[]string{`bingo.patterns[1]: names top, middle and bottom, and a box has 5 lines; draw its shapes`,
				`bingo.patterns[2]: names top, middle and bottom, and a box has 5 lines; draw its shapes`}},
		{"more numbers than columns", []string{"columns: 9", "«columns: 4", "per_line: 5", "«per_line: 5"},
			[]string{`bingo.card.columns: 4 columns of 1 to 2 numbers do not hold the 15 of a box`,
				`bingo.card.per_line: is 5, and there are 4 columns`}},
		{"column of three", []string{"column_max: 2", "column_max: 3"}, nil},
		{"column of four", []string{"column_max: 2", "«column_max: 4"},
			[]string{`bingo.card.column_max: is 4; a column of 3 lines holds 1 to 3 numbers`}},
		{"column of one", []string{"column_max: 2", "column_max: 1", "columns", "«columns"},
			[]string{`bingo.card.columns: 9 columns of 1 to 1 numbers do not hold the 15 of a box`}},
		{"page of part of a strip", []string{"pages: [6, 12]", "pages: [6, «9]"},
			[]string{`bingo.card.pages[1]: 9 boxes are not whole strips of 6`}},
		{"page twice", []string{"pages: [6, 12]", "pages: [6, «6]"}, []string{`bingo.card.pages[1]: 6 is written twice`}},
		{"no page", []string{"pages: [6, 12]", "«pages: []"}, []string{`bingo.card.pages: names no page that is sold`}},
		{"pattern twice", []string{"id: ark", "«id: corners"},
			[]string{`bingo.patterns[2].id: corners is the same as in bingo.patterns[1]`}},
		{"pattern under two names",
			[]string{"- {clause: \"6(c)\", id: ark, name: Ark, counts: {top: 2, middle: 2, bottom: 2}}",
				"- «{clause: \"6(c)\", id: ark, name: Ark, cells: {top: [1, 5], bottom: [1, 5]}}"},
			[]string{`bingo.patterns[2]: asks for the same numbers as bingo.patterns[1], "corners"`}},
		{"pattern of two kinds", []string{"- {clause: \"6(a)\", id: any-line, name: Any line, any_lines: 1}",
			"- «{clause: \"6(a)\", id: any-line, name: Any line, any_lines: 1, counts: {top: 1, middle: 1, bottom: 1}}"},
			[]string{`bingo.patterns[0]: has 2 of cells, counts, any_lines and shapes; a pattern has one of them`}},
		{"pattern of nothing", []string{"- {clause: \"6(a)\", id: any-line, name: Any line, any_lines: 1}",
			"- «{clause: \"6(a)\", id: any-line, name: Any line, any_lines: 0}"},
			[]string{`bingo.patterns[0]: has 0 of cells, counts, any_lines and shapes; a pattern has one of them`}},
		{"lines at all", []string{"any_lines: 1", "any_lines: 3"}, nil},
		{"lines above all", []string{"any_lines: 1", "«any_lines: 4"},
			[]string{`bingo.patterns[0].any_lines: is 4, and a box has 3 lines`}},
		{"place below 1", []string{"bottom: [1, 5]", "bottom: [«0, 5]"},
			[]string{`bingo.patterns[1].cells.bottom[0]: 0 is not one of the 5 numbers of a line`}},
		{"place above the line", []string{"bottom: [1, 5]", "bottom: [1, «6]"},
			[]string{`bingo.patterns[1].cells.bottom[1]: 6 is not one of the 5 numbers of a line`}},
		{"place twice", []string{"bottom: [1, 5]", "bottom: [5, «5]"},
			[]string{`bingo.patterns[1].cells.bottom[1]: 5 must come after 5: places ascend and none is written twice`}},
		{"cells of nothing", []string{"cells: {top: [1, 5], bottom: [1, 5]}", "«cells: {top: []}"},
			[]string{`bingo.patterns[1].cells: asks for no number`}},
		{"count at the line", []string{"counts: {top: 2", "counts: {top: 5"}, nil},
		{"count above the line", []string{"counts: {top: 2", "counts: {«top: 6"},
			[]string{`bingo.patterns[2].counts.top: is 6, and a line has 5 numbers`}},
		{"counts of nothing", []string{"counts: {top: 2, middle: 2, bottom: 2}", "«counts: {top: 0, middle: 0, bottom: 0}"},
			[]string{`bingo.patterns[2].counts: asks for no number`}},
		{"no jackpot numbers", []string{"numbers_max: 5", "numbers_max: 0"}, nil},
		{"jackpot numbers above all", []string{"numbers_max: 5", "«numbers_max: 91"},
			[]string{`bingo.jackpot.numbers_max: is 91; it must be 0 to 90`}},
		{"jackpot paid by nothing", []string{"paid_by: [cash]", "«paid_by: []"},
			[]string{`bingo.jackpot.paid_by: names no way to pay the jackpot`}},
		{"prizes in nothing", []string{"media: [cash]", "«media: []"},
			[]string{`bingo.prizes.media: names no way to pay a prize`}},
		{"prizes in goods", []string{"media: [cash]", "media: [cash, «goods]"},
			[]string{`bingo.prizes.media[1]: "goods" is not known here; the known words are cash, casino_dollars, slot_dollars`}},
		{"no patterns", []string{"  patterns:\n", "  «patterns: []\n",
			"    - {clause: \"6(a)\", id: any-line, name: Any line, any_lines: 1}\n", "",
			"    - {clause: \"6(b)\", id: corners, name: Corners, cells: {top: [1, 5], bottom: [1, 5]}}\n", "",
			"    - {clause: \"6(c)\", id: ark, name: Ark, counts: {top: 2, middle: 2, bottom: 2}}\n", ""},
			[]string{`bingo.patterns: names no minor game`}},
	})
}

// TestBingoFaultsOfFullCards are those of cards with a number in every square that is not free.
func TestBingoFaultsOfFullCards(t *testing.T) {
	runFaultCases(t, "testdata/bingo75.yaml", []faultCase{
		{"sound", nil, nil},
		{"seventy-six numbers", []string{"of: 75", "«of: 76"},
			[]string{`bingo.numbers.of: is 76; bingo calls 75 or 90 numbers`}},
		{"six lines", []string{"    lines: 5", "    «lines: 6", "per_line: 5", "«per_line: 5",
			"- {clause: \"6(a)\", id: bingo", "- {clause: \"6(a)\", «id: bingo", "\"#...# ..... ..... ..... #...#\"",
			"«\"#...# ..... ..... ..... #...#\"", "\"##### ..... ..... ..... .....\"", "«\"##### ..... ..... ..... .....\"",
			"\"..... ##### ..... ..... .....\"", "«\"..... ##### ..... ..... .....\"", "\"..#.. ..#.. ..#.. ..#.. ..#..\"",
			"«\"..#.. ..#.. ..#.. ..#.. ..#..\""},
			[]string{
				`bingo.card.lines: is 6; a box has 1 to 5 lines`,
				`bingo.card.per_line: 6 lines of 5 are more than the 25 squares of a box`,
				`bingo.patterns[0].id: "bingo" is the full card: the first pattern, of 6 lines`,
				`bingo.patterns[1].shapes[0]: has 5 lines; a box has 6`,
				`bingo.patterns[2].shapes[0]: has 5 lines; a box has 6`, `bingo.patterns[2].shapes[1]: has 5 lines; a box has 6`,
				`bingo.patterns[2].shapes[2]: has 5 lines; a box has 6`,
			}},
		{"four columns", []string{"column_first: [1, 16, 31, 46, 61]", "«column_first: [1, 16, 31, 46]"},
			[]string{`bingo.card.column_first: has 4 numbers, and there are 5 columns`}},
		{"a column from 2 on", []string{"column_first: [1, 16, 31, 46, 61]", "«column_first: [2, 16, 31, 46, 61]"},
			[]string{`bingo.card.column_first: the first column begins with 2, and not with 1`}},
		{"a short column", []string{"column_first: [1, 16, 31, 46, 61]", "«column_first: [1, 16, 31, 46, 72]"},
			[]string{`bingo.card.column_first: column 5 has 4 numbers, and a box has 5 of them`}},
		{"as short as can be", []string{"[1, 16, 31, 46, 61]", "[1, 16, 31, 46, 71]"}, nil},
		{"four letters", []string{"letters: [B, I, N, G, O]", "«letters: [B, I, N, G]"},
			[]string{`bingo.card.letters: has 4 letters, and there are 5 columns`}},
		{"no letters", []string{"    letters: [B, I, N, G, O]\n", ""}, nil},
		{"a small letter", []string{"[B, I, N, G, O]", "[B, I, N, G, «o]"},
			[]string{`bingo.card.letters[4]: "o" is not a capital letter, or is written twice`}},
		{"a letter twice", []string{"[B, I, N, G, O]", "[B, I, N, «B, O]"},
			[]string{`bingo.card.letters[3]: "B" is not a capital letter, or is written twice`}},
		{"a free square outside", []string{"[{line: 3, column: 3}]", "[«{line: 3, column: 6}]"},
			[]string{`bingo.card.free[0]: line 3, column 6 is not a square of the box`}},
		{"a free square twice", []string{"[{line: 3, column: 3}]", "[{line: 3, column: 3}, «{line: 3, column: 3}]"},
			[]string{`bingo.card.free[1]: is written twice`}},
		{"no free square", []string{"    free: [{line: 3, column: 3}]\n", ""}, nil},
		{"a shape of free squares", []string{"\"..#.. ..#.. ..#.. ..#.. ..#..\"", "«\"..... ..... ..#.. ..... .....\""},
			[]string{`bingo.patterns[2].shapes[2]: asks for free squares alone`}},
		{"a shape of nothing", []string{"\"..#.. ..#.. ..#.. ..#.. ..#..\"", "«\"..... ..... ..... ..... .....\""},
			[]string{`bingo.patterns[2].shapes[2]: asks for no number`}},
		{"a shape twice", []string{"\"..#.. ..#.. ..#.. ..#.. ..#..\"", "«\"##### ..... ..... ..... .....\""},
			[]string{`bingo.patterns[2].shapes[2]: is drawn twice`}},
		{"a shape of another sign", []string{"\"..#.. ..#.. ..#.. ..#.. ..#..\"", "«\"..O.. ..#.. ..#.. ..#.. ..#..\""},
			[]string{`bingo.patterns[2].shapes[2]: line 1, "..O..", is not 5 signs: # for a number that is needed, . for another`}},
		{"more shapes than there are", []string{"shapes_least: 2", "«shapes_least: 4"},
			[]string{`bingo.patterns[2].shapes_least: is 4, and there are 3 shapes; one is enough where it is absent`}},
		{"as many shapes as there are", []string{"shapes_least: 2", "shapes_least: 3"}, nil},
		{"one shape, in words", []string{"shapes_least: 2", "«shapes_least: 1"},
			[]string{`bingo.patterns[2].shapes_least: is 1, and there are 3 shapes; one is enough where it is absent`}},
		{"the full card by another pattern", []string{"id: corners", "«id: bingo"},
			[]string{`bingo.patterns[1].id: bingo is the same as in bingo.patterns[0]`,
				`bingo.patterns[1].id: "bingo" is the full card: the first pattern, of 5 lines`}},
		{"a clause for nothing", []string{"for: [\"2.4\", \"2.2.1\"]", "«for: []"},
			[]string{`bingo.concordance[0].for: names no clause`}},
		{"two clauses for one", []string{"for: [\"4.6\"]", "«for: [\"2.4\"]"},
			[]string{`bingo.concordance[1].for: 2.4 has a clause already`}},
	})
}

// TestWarnings shows the warning about a jackpot that is paid instead of the
// schedule's prize and can be less: below, at and above the largest prize.
func TestWarnings(t *testing.T) {
	sound := readFile(t, "testdata/sound.yaml")
	for _, edit := range []string{
		"pays: addition|pays: substitution",
		"      - spots: 3\n|      - spots: 3\n        reset: 3000000\n",
		"fills: {3: 1000}|jackpot_minimums: {2: 500, 3: 900}",
		"id: second\n|id: second\n      jackpot_minimums: {2: 400, 3: 900}\n      way_cap: 3000\n",
	} {
		old, fresh, _ := strings.Cut(edit, "|")
		sound = with(sound, old, fresh)
	}
	// The largest stake is $1,000 at a writer, so 2 of 2 pays $200,000.
	for reset, want := range map[string]string{
		"200000": "",
		"199999.99": `testdata/sound.yaml:143:9: keno.jackpots.pools[0].reset: $199,999.99 can be less than schedule "first" pays for 2 of 2: ` +
			`$200,000.00 for a stake of $1,000.00`,
		"200000.01": "",
	} {
		text := with(sound, "      - spots: 2\n", "      - spots: 2\n        reset: "+reset+"\n")
		book, err := Load("testdata/sound.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		alone, shared := splitWarnings(book.Warnings())
		if alone != want {
			t.Errorf("reset %s warns\n%s\nwant\n%s", reset, alone, want)
		}
		// A dollar on 2 of 2 wins $200, so that $200,000 are enough for $1,000 of stakes together.
		most := map[string]string{"200000": "$1,000.00", "199999.99": "$999.99", "200000.01": "$1,000.00"}[reset]
		if !strings.Contains(shared, `get less than schedule "first" pays for 2 of 2 as soon as their stakes exceed `+most+
			" together") {
			t.Errorf("reset %s warns of sharing:\n%s", reset, shared)
		}
	}
}

// splitWarnings returns the warnings about a winner alone and those about winners who share.
func splitWarnings(all Faults) (alone, shared string) {
	var one, many Faults
	for _, w := range all {
		if strings.Contains(w.Message, "winners who share") {
			many = append(many, w)
		} else {
			one = append(one, w)
		}
	}
	return one.Error(), many.Error()
}
