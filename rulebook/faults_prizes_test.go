package rulebook

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPrizeFaults is TestFaults for limits, tables, schedules and jackpots.
func TestPrizeFaults(t *testing.T) {
	for _, group := range []struct {
		name  string
		cases []faultCase
	}{
		{"limits", limitFaults},
		{"tables", tableFaults},
		{"multiplier", multiplierFaults},
		{"schedules", scheduleFaults},
		{"jackpots", jackpotFaults},
	} {
		t.Run(group.name, func(t *testing.T) { runFaultCases(t, "testdata/sound.yaml", group.cases) })
	}
}

// The limits of the sound book that the cases edit.
const (
	limitA = `{clause: "9(a)", measure: stake, bets: [plain], ways: 1-3, min: 1.00, step: 1.00}`
	limitB = `{clause: "9(b)", measure: stake, bets: [plain], ways: 4-, jackpot: false, min: 0.50}`
	limitC = `{clause: "9(c)", measure: stake, bets: [plain], ways: 4-, jackpot: true, min: 1.00}`
	limitD = `{clause: "9(d)", measure: stake, bets: [plain], ways: 4-, step: 0.10}`
	limitE = `{clause: "9(e)", measure: stake, bets: [halves, race], min: 1.00, step: 1.00}`
	limitG = `{clause: "9(g)", measure: entry, max: 1000}`
	limitH = `{clause: "9(h)", measure: entry, channels: [sst], max: 100}`
	limitI = `{clause: "9(i)", measure: game, bets: [plain], pool: true, min: 2.00}`
	limitJ = `{clause: "9(j)", measure: aggregate, bets: [halves], outcomes: [heads, tails], max: 5000}`
)

// with replaces a part of a text; the mark « shows where a fault is expected.
func with(text, old, new string) string {
	if strings.Count(text, old) != 1 {
		panic(fmt.Sprintf("%q is not once in %q", old, text))
	}
	return strings.Replace(text, old, new, 1)
}

// also adds an item after another one.
func also(text, more string) string { return text + "\n    - " + more }

var limitFaults = []faultCase{
	{"step below the minimum", []string{limitE, with(limitE, "step: 1.00", "step: 0.50")}, nil},
	{"step at the minimum", []string{limitE, with(limitE, "min: 1.00, step: 1.00", "min: 2.00, step: 2.00")}, nil},
	{"step above the minimum", []string{limitE, with(limitE, "step: 1.00", "«step: 1.01")},
		[]string{`keno.limits[4].step: $1.01 is above the minimum, $1.00 in keno.limits[4] (casino-keno-div2 4.2(c), 5.4(b))`}},
	{"step above the minimum of another limit", []string{limitD, with(limitD, "step: 0.10", "«step: 1.00")},
		[]string{`keno.limits[3].step: $1.00 is above the minimum, $0.50 in keno.limits[1] (casino-keno-div2 4.2(c), 5.4(b))`}},
	{"step that does not divide the minimum", []string{limitE, with(limitE, "step: 1.00", "«step: 0.30")},
		[]string{`keno.limits[4].step: $0.30 does not divide the minimum, $1.00 in keno.limits[4]`}},
	{"step of nothing", []string{limitE, with(limitE, "step: 1.00", "«step: 0")},
		[]string{`keno.limits[4].step: is nothing`}},
	{"bound of nothing", []string{limitI, "«" + with(limitI, ", min: 2.00", "")},
		[]string{`keno.limits[8]: has neither min, max nor step`}},
	{"maximum at the minimum", []string{limitE, with(limitE, "step: 1.00", "max: 1.00")}, nil},
	{"maximum below the minimum", []string{limitE, with(limitE, "step: 1.00", "«max: 0.99")},
		[]string{`keno.limits[4].max: $0.99 is below the minimum, $1.00 in keno.limits[4]`}},
	{"maximum below the minimum of another limit",
		[]string{limitI, also(limitI, `{clause: "9(k)", measure: game, channels: [sst], «max: 1.00}`)},
		[]string{`keno.limits[9].max: $1.00 is below the minimum, $2.00 in keno.limits[8]`}},
	{"two minimums for a number of ways", []string{limitB, with(limitB, "jackpot: false, ", ""), limitC,
		with(with(limitC, "jackpot: true, ", ""), "min", "«min")},
		[]string{`keno.limits[2].min: is $1.00, and keno.limits[1] says $0.50 for the same stakes`}},
	{"ranges that touch", []string{limitC, also(with(limitC, "ways: 4-", "ways: 4-19"),
		`{clause: "9(k)", measure: stake, bets: [plain], ways: 20-, jackpot: true, min: 1.00}`)}, nil},
	{"ranges that overlap", []string{limitC,
		also(with(limitC, "ways: 4-", "ways: 4-20"),
			`{clause: "9(k)", measure: stake, bets: [plain], ways: 20-, jackpot: true, «min: 2.00}`)},
		[]string{`keno.limits[3].min: is $2.00, and keno.limits[2] says $1.00 for the same stakes`}},
	{"two maximums", []string{limitG, also(limitG, `{clause: "9(k)", measure: entry, part: main, «max: 999}`), limitH,
		limitH},
		[]string{`keno.limits[7].max: is $999.00, and keno.limits[6] says $1,000.00 for the same stakes`}},
	{"two steps", []string{limitD, also(limitD,
		`{clause: "9(k)", measure: stake, bets: [plain], ways: 4-9, «step: 0.50}`)},
		[]string{`keno.limits[4].step: is $0.50, and keno.limits[3] says $0.10 for the same stakes`}},
	{"number of ways without a minimum", []string{limitA, with(limitA, "ways: 1-3", "ways: 1-2"), "  limits:",
		"  «limits:"},
		[]string{`keno.limits: no limit gives a minimum stake for bet "plain" at channel writer, with 3 ways`}},
	{"jackpot entries without a minimum", []string{"    - " + limitC + "\n", "", "  limits:", "  «limits:"},
		[]string{`keno.limits: no limit gives a minimum stake for bet "plain" at channel writer, with 4 ways, playing for a jackpot`}},
	{"channel without a minimum", []string{limitE,
		with(limitE, "bets: [halves, race]", "bets: [halves, race], channels: [writer]"), "  limits:", "  «limits:"},
		[]string{`keno.limits: no limit gives a minimum stake for bet "halves" at channel sst`,
			`keno.limits: no limit gives a minimum stake for bet "race" at channel sst`}},
	{"pool games without a minimum", []string{limitA, with(limitA, "ways: 1-3", "ways: 1-3, pool: false"), "  limits:",
		"  «limits:"},
		[]string{`keno.limits: no limit gives a minimum stake for bet "plain" at channel writer, with 1 ways, in a bonus prize pool game`}},
	{"minimum that is never enough", []string{limitE,
		also(limitE, `{clause: "9(k)", measure: stake, bets: [race], «min: 0.50}`)},
		[]string{`keno.limits[5].min: $0.50 is never enough: keno.limits[4] asks for $1.00 of the same stakes`}},
	{"maximum at the wider one", []string{limitH, with(limitH, "max: 100", "max: 1000")}, nil},
	{"maximum that is never reached", []string{limitH, with(limitH, "max: 100", "«max: 1001")},
		[]string{`keno.limits[7].max: $1,001.00 is never reached: keno.limits[6] allows $1,000.00 of the same stakes`}},
	{"unknown bet", []string{limitI, with(limitI, "[plain]", "[«plane]")},
		[]string{`keno.limits[8].bets[0]: there is no bet "plane"; there are plain, halves, race`}},
	{"unknown measure", []string{limitH, with(limitH, "measure: entry", "«measure: year")},
		[]string{`keno.limits[7].measure: "year" is not known here; the known words are stake, bet_game, game, entry, aggregate`}},
	{"ways of a ticket", []string{limitG, with(limitG, "entry", "entry, «ways: 2-")},
		[]string{`keno.limits[6].ways: a ticket's bets can have different numbers of ways; measure entry cannot depend on it`}},
	{"jackpot of a ticket", []string{limitG, with(limitG, "entry", "entry, «jackpot: true")},
		[]string{`keno.limits[6].jackpot: a ticket can have bets with and without a jackpot; measure entry cannot depend on it`}},
	{"no bonus pool", []string{"    bonus_pool: true\n    pool_excludes: [halves, race, multiplier]\n", "", limitI,
		with(limitI, "pool: true", "«pool: true")}, []string{`keno.limits[8].pool: there is no bonus prize pool`}},
	{"unknown outcome", []string{limitJ, with(limitJ, "tails", "«win")},
		[]string{`keno.limits[9].outcomes[1]: there is no outcome "win"; there are heads, tails, evens`}},
	{"aggregate without outcomes", []string{limitJ, "«" + with(limitJ, ", outcomes: [heads, tails]", "")},
		[]string{`keno.limits[9].outcomes: is missing; measure aggregate counts the stakes on outcomes`}},
	{"aggregate with a minimum", []string{limitJ, "«" + with(limitJ, "max", "min")},
		[]string{`keno.limits[9]: measure aggregate has a max only`}},
	{"outcomes of a stake", []string{limitE, with(limitE, "step", "«outcomes: [heads, win], step")},
		[]string{`keno.limits[4].outcomes: measure stake does not look at outcomes`}},
	{"range backwards", []string{limitC, with(limitC, "ways: 4-,", "«ways: 9-4,")},
		[]string{`keno.limits[2].ways: "9-4" runs backwards`}},
	{"range from nothing", []string{limitC, with(limitC, "ways: 4-,", "«ways: 0-4,")},
		[]string{`keno.limits[2].ways: "0-4" begins below 1`}},
	{"amount", []string{limitI, with(limitI, "min: 2.00", "«min: 1.5"), "- {clause: \"9(i)\"", "- «{clause: \"9(i)\""},
		[]string{`keno.limits[8]: has neither min, max nor step`,
			`keno.limits[8].min: "1.5" is not an amount such as 5000 or 8.50`}},
}

var tableFaults = []faultCase{
	{"matches at the spots", []string{"2: {1: 5, 2: 200}", "2: {0: 1, 2: 200}"}, nil},
	{"more matches than spots", []string{"2: {1: 5, 2: 200}", "2: {2: 200, «3: 5}"},
		[]string{`keno.tables[0].catch.2.3: 3 matches are impossible with 2 spots`}},
	{"more matches than numbers drawn", []string{"3: 900}", "3: 900, «4: 5000}"},
		[]string{`keno.tables[0].catch.4.4: 4 matches are impossible when 3 numbers are drawn`}},
	{"prize of nothing", []string{"2: {1: 5, 2: 200}", "2: {«1: 0, 2: 200}"},
		[]string{`keno.tables[0].catch.2.1: is nothing; leave the row out`}},
	{"row without prizes", []string{"4: {0: 1, 2: 10, 3: 900}", "«4: {}"},
		[]string{`keno.tables[0].catch.4: has no prize`}},
	{"row of no spots", []string{"1: {1: 20}", "«0: {0: 1}\n        1: {1: 20}"},
		[]string{`keno.tables[0].catch.0: 0 is not a number of spots from 1 to 80`,
			`keno.tables[0].catch.0: no bet or feature with this table is sold with 0 spots`}},
	{"row of a size not sold", []string{"4: {0: 1, 2: 10, 3: 900}", "4: {0: 1, 2: 10, 3: 900}\n        «5: {3: 900}"},
		[]string{`keno.tables[0].catch.5: no bet or feature with this table is sold with 5 spots`}},
	{"size sold without a row", []string{"      sizes: 1-4\n", "      sizes: 1-5\n",
		"current_from: 2020-01-01\n      uses: {plain", "current_from: 2020-01-01\n      uses: {«plain",
		"id: second\n      uses: {plain", "id: second\n      uses: {«plain"},
		[]string{`keno.schedules[0].uses.plain: the table "plain-1" has no prizes for 5 spots, which are sold`,
			`keno.schedules[1].uses.plain: the table "plain-1" has no prizes for 5 spots, which are sold`}},
	{"row of a size without the feature", []string{"{1: 60.00, 2: 8.50}", "{1: 60.00, 2: 8.50, «3: 4}"},
		[]string{`keno.tables[3].size.3: no bet or feature with this table is sold with 3 spots`}},
	{"row of no jackpot", []string{"{2: 100, 3: 500}", "{2: 100, 3: 500, «4: 900}"},
		[]string{`keno.tables[4].size.4: no bet or feature with this table is sold with 4 spots`}},
	{"prize twice", []string{"2: {1: 5, 2: 200}", "2: {1: 5, 2: 200, «2: 300}"},
		[]string{`keno.tables[0].catch.2.2: is written twice`}},
	{"stake of nothing", []string{"id: plain-1\n      per: 1.00", "id: plain-1\n      «per: 0.00"},
		[]string{`keno.tables[0].per: is nothing; prizes are stated for a stake`}},
	{"two kinds of rows", []string{"outcome: {win: 6, place: 2, exacta: 42}",
		"outcome: {win: 6, place: 2, exacta: 42}\n      size: {«1: 2}", "- clause: \"10(c)\"", "- «clause: \"10(c)\""},
		[]string{`keno.tables[2]: has 2 of catch, outcome and size; a table has one of them`,
			`keno.tables[2].size.1: no bet or feature with this table is sold with 1 spots`}},
	{"table twice", []string{"- clause: \"10(e)\"",
		"- {clause: \"10(z)\", «id: last-1, per: 1, size: {1: 60.00, 2: 8.50}}\n    - clause: \"10(e)\""},
		[]string{`keno.tables[4].id: last-1 is the same as in keno.tables[3]`}},
	{"table that nobody uses", []string{"- clause: \"10(e)\"",
		"- {clause: \"10(z)\", «id: spare, per: 1, size: {1: 60.00}}\n    - clause: \"10(e)\""},
		[]string{`keno.tables[4].id: no schedule uses the table "spare"`}},
	{"amount with one digit of cents", []string{"2: 8.50}", "«2: 8.5}"},
		[]string{`keno.tables[3].size.2: "8.5" is not an amount such as 5000 or 8.50`}},
	{"negative amount", []string{"2: 8.50}", "«2: -8.50}"},
		[]string{`keno.tables[3].size.2: "-8.50" is less than nothing`}},
	{"amount as a power", []string{"3: 3000}", "«3: 3e3}"},
		[]string{`keno.tables[0].catch.3.3: "3e3" is not an amount such as 5000 or 8.50`}},
}

var multiplierFaults = []faultCase{
	{"hole and overlap", []string{"      40: ", "      «41: ", "      80: ", "      «80: "},
		[]string{`keno.multiplier.rows.41: the sums 40 to 40 have no factor`,
			`keno.multiplier.rows.80: the sums 80 to 80 have a factor twice`}},
	{"overlap and hole", []string{"      40: ", "      «39: ", "      80: ", "      «80: "},
		[]string{`keno.multiplier.rows.39: the sums 39 to 39 have a factor twice`,
			`keno.multiplier.rows.80: the sums 79 to 79 have no factor`}},
	{"below the least sum", []string{"      6: ", "      «5: 1 "},
		[]string{`keno.multiplier.rows.5: the least sum of 3 numbers is 6`}},
	{"above the greatest sum", []string{"      200: ", "      «200: 1 "},
		[]string{`keno.multiplier.rows.200: runs to sum 238; the greatest sum of 3 numbers is 237`}},
	{"end missing", []string{"      200: 1 ", "      200: ", "    rows:\n", "    «rows:\n"},
		[]string{`keno.multiplier.rows: the sums 237 to 237 have no factor`}},
	{"factor at 1", []string{"      40: 1 ", "      40: 1 "}, nil},
	{"factor below 1", []string{"      40: 1 ", "      «40: 0 "},
		[]string{`keno.multiplier.rows.40: factor "0" is not a whole number from 1 to 100`}},
	{"factor at 100", []string{"      40: 1 ", "      40: 100 "}, nil},
	{"factor above 100", []string{"      40: 1 ", "      «40: 101 "},
		[]string{`keno.multiplier.rows.40: factor "101" is not a whole number from 1 to 100`}},
	{"row twice", []string{"      80: ", "      «40: ", "      120: ", "      «120: "},
		[]string{`keno.multiplier.rows.40: is written twice`, `keno.multiplier.rows.120: the sums 80 to 119 have no factor`}},
}

var scheduleFaults = []faultCase{
	{"schedule twice", []string{"id: second", "«id: first"},
		[]string{`keno.schedules[1].id: first is the same as in keno.schedules[0]`}},
	{"two schedules from one day", []string{"id: second", "id: second\n      «current_from: 2020-01-01"},
		[]string{`keno.schedules[1].current_from: keno.schedules[0] is current from 2020-01-01 too`}},
	{"second schedule a day later", []string{"id: second", "id: second\n      current_from: 2020-01-02"}, nil},
	{"no schedule on the first day", []string{"current_from: 2020-01-01", "current_from: 2020-01-02", "  schedules:",
		"  «schedules:"}, []string{`keno.schedules: no schedule is current on the rulebook's first day, 2020-01-01`}},
	{"schedule on the last day", []string{"id: second", "id: second\n      current_from: 2029-12-31"}, nil},
	{"schedule after the last day", []string{"id: second", "id: second\n      «current_from: 2030-01-01"},
		[]string{`keno.schedules[1].current_from: is 2030-01-01, after the rulebook's last day, 2029-12-31`}},
	{"unknown table", []string{"id: second\n      uses: {plain: plain-1", "id: second\n      uses: {«plain: plain-9"},
		[]string{`keno.schedules[1].uses.plain: there is no table "plain-9"; there are plain-1, halves-1, race-1, last-1, extra-1`}},
	{"unknown use", []string{"id: second\n      uses: {plain: plain-1",
		"id: second\n      uses: {«plane: plain-1, plain: plain-1"},
		[]string{`keno.schedules[1].uses.plane: nothing that this rulebook sells has this name; tables are for plain, halves, race, lucky_last, bonus_jackpot`}},
	{"bet without a table", []string{"id: second\n      uses: {plain: plain-1, ", "id: second\n      «uses: {"},
		[]string{`keno.schedules[1].uses: has no table for "plain"`}},
	{"outcomes for numbers", []string{"id: second\n      uses: {plain: plain-1",
		"id: second\n      uses: {«plain: race-1"},
		[]string{`keno.schedules[1].uses.plain: the table "race-1" must pay by spots and matches (catch)`}},
	{"matches for calls", []string{"id: second\n      uses: {plain: plain-1, halves: halves-1",
		"id: second\n      uses: {plain: plain-1, «halves: plain-1"},
		[]string{`keno.schedules[1].uses.halves: the table "plain-1" must pay by outcome`}},
	{"matches for a feature", []string{"last-1, bonus_jackpot: extra-1}\n  jackpots",
		"last-1, «bonus_jackpot: plain-1}\n  jackpots"},
		[]string{`keno.schedules[1].uses.bonus_jackpot: the table "plain-1" must pay by spots alone (size)`}},
	{"outcome without a prize", []string{"tails: 2, evens: 4}", "tails: 2}",
		"uses: {plain: plain-1, halves: halves-1, race: race-1, lucky_last: last-1, bonus_jackpot: extra-1}\n      fills",
		"uses: {plain: plain-1, «halves: halves-1, race: race-1, lucky_last: last-1, bonus_jackpot: extra-1}\n      fills",
		"uses: {plain: plain-1, halves: halves-1, race: race-1, lucky_last: last-1, bonus_jackpot: extra-1}\n  jackpots",
		"uses: {plain: plain-1, «halves: halves-1, race: race-1, lucky_last: last-1, bonus_jackpot: extra-1}\n  jackpots"},
		[]string{`keno.schedules[0].uses.halves: the table "halves-1" has no prize for evens`,
			`keno.schedules[1].uses.halves: the table "halves-1" has no prize for evens`}},
	{"fill of no jackpot", []string{"fills: {3: 1000}", "fills: {«4: 1000}"},
		[]string{`keno.schedules[0].fills.4: there is no jackpot for 4 spots`}},
	{"minimum of no jackpot", []string{"fills: {3: 1000}", "jackpot_minimums: {«4: 1000}"},
		[]string{`keno.schedules[0].jackpot_minimums.4: there is no jackpot for 4 spots`}},
	{"cap of nothing", []string{"fills: {3: 1000}", "«way_cap: 0"}, []string{`keno.schedules[0].way_cap: is nothing`}},
	{"cap below a prize", []string{"fills: {3: 1000}", "«way_cap: 2999.99"},
		[]string{`keno.schedules[0].way_cap: $2,999.99 is below a prize of the table "plain-1", $3,000.00`}},
	{"cap at a prize", []string{"fills: {3: 1000}", "way_cap: 3000"}, nil},
	{"cap below two tables", []string{"fills: {3: 1000}", "«way_cap: 59.99"}, []string{
		`keno.schedules[0].way_cap: $59.99 is below a prize of the table "last-1", $60.00`,
		`keno.schedules[0].way_cap: $59.99 is below a prize of the table "plain-1", $3,000.00`}},
}

var jackpotFaults = []faultCase{
	{"no bet", []string{"    bets: [plain]\n    bonus_from", "    «bets: []\n    bonus_from", "      jackpot: true\n",
		"      «jackpot: true\n", "      - spots: 2\n", "      - «spots: 2\n", "      - spots: 3\n", "      - «spots: 3\n"},
		[]string{`keno.bets[0].jackpot: is set, and no jackpots are for the bet "plain"`, `keno.jackpots.bets: names no bet`,
			`keno.jackpots.pools[0].spots: no bet with jackpots is sold with 2 spots`,
			`keno.jackpots.pools[1].spots: no bet with jackpots is sold with 3 spots`}},
	{"bet that plays for none", []string{"    bets: [plain]\n    bonus_from",
		"    bets: [plain, «halves]\n    bonus_from"},
		[]string{`keno.jackpots.bets[1]: the bet "halves" does not say that it plays for jackpots`}},
	{"unknown bet", []string{"    bets: [plain]\n    bonus_from", "    bets: [plain, «plane]\n    bonus_from"},
		[]string{`keno.jackpots.bets[1]: there is no bet "plane"; there are plain, halves, race`}},
	{"size not sold", []string{"      - spots: 2\n", "      - «spots: 5\n", "size: {2: 100", "size: {«2: 100",
		"lucky_last: last-1, bonus_jackpot: extra-1}\n      fills",
		"lucky_last: last-1, «bonus_jackpot: extra-1}\n      fills",
		"lucky_last: last-1, bonus_jackpot: extra-1}\n  jackpots",
		"lucky_last: last-1, «bonus_jackpot: extra-1}\n  jackpots"},
		[]string{`keno.tables[4].size.2: no bet or feature with this table is sold with 2 spots`,
			`keno.schedules[0].uses.bonus_jackpot: the table "extra-1" has no prizes for 5 spots, which are sold`,
			`keno.schedules[1].uses.bonus_jackpot: the table "extra-1" has no prizes for 5 spots, which are sold`,
			`keno.jackpots.pools[0].spots: no bet with jackpots is sold with 5 spots`}},
	{"catch that cannot be had", []string{"      - spots: 2\n", "      - «spots: 4\n", "size: {2: 100", "size: {4: 100"},
		[]string{`keno.jackpots.pools[0].spots: the table "plain-1" has no prize for 4 matches of 4`}},
	{"pool twice", []string{"      - spots: 3\n", "      - «spots: 2\n", "size: {2: 100, 3", "size: {2: 100, «3",
		"fills: {3", "fills: {«3", "into_spots: 3", "«into_spots: 3"},
		[]string{`keno.tables[4].size.3: no bet or feature with this table is sold with 3 spots`,
			`keno.schedules[0].fills.3: there is no jackpot for 3 spots`,
			`keno.jackpots.pools[1].spots: 2 is the same as in keno.jackpots.pools[0]`,
			`keno.migration.into_spots: there is no jackpot for 3 spots`}},
	{"contribution at the fund", []string{"contributions: [{primary: 10}]", "contributions: [{primary: 75}]"}, nil},
	{"contribution above the fund", []string{"contributions: [{primary: 10}]", "contributions: [{«primary: 75.01}]"},
		[]string{`keno.jackpots.pools[0].contributions[0].primary: the shares add up to 75.01% of the stakes, and the prize fund is 75.00% of them`}},
	{"contributions above the whole", []string{"primary: 10, secondary: 5}", "«primary: 95.01, secondary: 5}"},
		[]string{`keno.jackpots.pools[1].contributions[1].primary: the shares add up to 100.01% of the stakes`}},
	{"contribution of nothing", []string{"contributions: [{primary: 10}]", "contributions: [{«primary: 0}]"},
		[]string{`keno.jackpots.pools[0].contributions[0].primary: nothing of the stakes goes to the pool`}},
	{"contribution at the least", []string{"    bonus_from: 2\n", "    bonus_from: 2\n    least: 10\n"}, nil},
	{"contributions below the least", []string{"    bonus_from: 2\n", "    bonus_from: 2\n    least: 15\n",
		"contributions: [{primary: 10}]", "contributions: [{«primary: 10}]", "primary: 10, secondary: 5}",
		"«primary: 10, secondary: 4.99}"},
		[]string{`keno.jackpots.pools[0].contributions[0].primary: the shares add up to 10.00% of the stakes, and a pool gets at least 15.00%`,
			`keno.jackpots.pools[1].contributions[1].primary: the shares add up to 14.99% of the stakes, and a pool gets at least 15.00%`}},
	{"percentage above 100", []string{"contributions: [{primary: 10}]", "contributions: [{«primary: 100.01}]"},
		[]string{`keno.jackpots.pools[0].contributions[0].primary: "100.01" is more than 100 percent`}},
	{"no contributions", []string{"contributions: [{primary: 10}]", "«contributions: []"},
		[]string{`keno.jackpots.pools[0].contributions: is empty`}},
	{"hole", []string{"{from: 500, primary: 10", "{«from: 501, primary: 10"},
		[]string{`keno.jackpots.pools[1].contributions[1].from: from $500.00 to $501.00 there is no step`}},
	{"overlap", []string{"{from: 500, primary: 10", "{«from: 499, primary: 10"},
		[]string{`keno.jackpots.pools[1].contributions[1].from: the step before runs to $500.00, past $499.00`}},
	{"hole at the bottom", []string{"{below: 500, primary: 15}", "{«from: 1, below: 500, primary: 15}"},
		[]string{`keno.jackpots.pools[1].contributions[0].from: from $0.00 to $1.00 there is no step`}},
	{"hole at the top", []string{"{from: 500, primary: 10", "{from: 500, «below: 900, primary: 10"},
		[]string{`keno.jackpots.pools[1].contributions[1].below: above $900.00 there is no step`}},
	{"no end", []string{"{below: 500, primary: 15}", "{primary: 15}", "- {from: 500", "- «{from: 500"},
		[]string{`keno.jackpots.pools[1].contributions[1]: follows a step without an upper end`}},
	{"step backwards", []string{"{from: 500, primary: 10", "{from: 500, ««below: 500, primary: 10"},
		[]string{`keno.jackpots.pools[1].contributions[1].below: $500.00 is not above the beginning, $500.00`,
			`keno.jackpots.pools[1].contributions[1].below: above $500.00 there is no step`}},
	{"secondary that nothing empties", []string{"    secondary_opens_next: true\n", "", "secondary: 5}", "«secondary: 5}"},
		[]string{`keno.jackpots.pools[1].contributions[1].secondary: nothing takes money out of the secondary pool (secondary_opens_next)`}},
	{"seed with a hole", []string{"{from: 1000, primary: 5", "{«from: 1001, primary: 5"},
		[]string{`keno.jackpots.seed.steps[1].from: from $1,000.00 to $1,001.00 there is no step`}},
	{"seed never repaid", []string{"primary: 5, seed: 15}", "primary: 5, «seed: 0}"},
		[]string{`keno.jackpots.seed.steps[1].seed: is nothing; the loan would never be repaid`}},
	{"pays unknown", []string{"pays: addition", "«pays: twice"},
		[]string{`keno.jackpots.pays: "twice" is not known here; the known words are addition, substitution`}},
	{"reset at the minimum", []string{"pays: addition", "pays: substitution", "      - spots: 2\n",
		"      - spots: 2\n        reset: 500\n", "      - spots: 3\n", "      - spots: 3\n        reset: 900\n",
		"fills: {3: 1000}", "jackpot_minimums: {2: 500, 3: 900}", "id: second\n",
		"id: second\n      jackpot_minimums: {2: 400, 3: 900}\n"}, nil},
	{"reset below the minimum", []string{"pays: addition", "pays: substitution", "      - spots: 2\n",
		"      - spots: 2\n        «reset: 499.99\n", "      - spots: 3\n", "      - spots: 3\n        reset: 900\n",
		"fills: {3: 1000}", "jackpot_minimums: {2: 500, 3: 900}", "id: second\n",
		"id: second\n      jackpot_minimums: {2: 400, 3: 900}\n"},
		[]string{`keno.jackpots.pools[0].reset: $499.99 is below the minimum of schedule "first", $500.00 (casino-keno-div2 5.6)`}},
	{"no minimum, no reset", []string{"pays: addition", "pays: substitution", "      - spots: 2\n",
		"      - spots: 2\n        reset: 500\n", "      - spots: 3\n", "      - «spots: 3\n",
		"fills: {3: 1000}", "jackpot_minimums: {2: 500, 3: 900}", "    - clause: \"12(b)\"", "    - «clause: \"12(b)\""},
		[]string{`keno.schedules[1].jackpot_minimums: has no minimum for the jackpot of 2 spots (casino-keno-div2 5.6)`,
			`keno.jackpots.pools[1].reset: is missing; the pool is paid instead of the schedule's prize`}},
}

// TestMissingBlocks shows the faults of a book whose optional block is left out
// while something else needs it.
func TestMissingBlocks(t *testing.T) {
	for _, c := range []struct {
		from, to string // the text between these is left out
		want     []string
	}{
		{"  multiplier:\n", "  schedules:\n", []string{
			`keno.multiplier: is missing; the feature "Bonus" needs it`,
		}},
		{"  jackpots:\n", "  prorating:\n", []string{
			`keno.migration.into_spots: there is no jackpot for 3 spots`,
			`keno.schedules[0].fills.3: there is no jackpot for 3 spots`,
			`keno.schedules[0].uses.bonus_jackpot: nothing that this rulebook sells has this name; tables are for plain, halves, race, lucky_last`,
			`keno.schedules[1].uses.bonus_jackpot: nothing that this rulebook sells has this name; tables are for plain, halves, race, lucky_last`,
			`keno.bets[0].jackpot: is set, and no jackpots are for the bet "plain"`,
			`keno.tables[4].size.2: no bet or feature with this table is sold with 2 spots`,
			`keno.tables[4].size.3: no bet or feature with this table is sold with 3 spots`,
		}},
	} {
		before, rest, _ := strings.Cut(readFile(t, "testdata/sound.yaml"), c.from)
		_, after, found := strings.Cut(rest, c.to)
		if !found {
			t.Fatalf("%q is not in the book", c.to)
		}
		_, err := Load("f", []byte(before+c.to+after))
		var faults Faults
		errors.As(err, &faults)
		var got []string
		for _, f := range faults {
			got = append(got, f.Path+": "+f.Message)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("without %s got\n%v", strings.TrimSpace(c.from), err)
		}
	}
}

// TestTooManyLimits bounds the work of trying every limit on every bet.
func TestTooManyLimits(t *testing.T) {
	for n, want := range map[int]string{
		maxLimits:     "",
		maxLimits + 1: "f:79:3: keno.limits: a rulebook has at most 100 limits and 32 bets",
	} {
		var more strings.Builder
		const present = 10
		for i := range n - present {
			fmt.Fprintf(&more, "    - {clause: \"9(z)\", measure: bet_game, bets: [plain], ways: %d, max: 50}\n", i+1)
		}
		text := with(readFile(t, "testdata/sound.yaml"), "  tables:\n", more.String()+"  tables:\n")
		_, err := Load("f", []byte(text))
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%d limits: %v", n, err)
		}
	}
}
