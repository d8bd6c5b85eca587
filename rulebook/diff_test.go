package rulebook

import (
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	text := readFile(t, "testdata/sound.yaml")
	before := load(t, "testdata/sound.yaml")
	for _, c := range []struct {
		name  string
		edits []string
		want  []string // path: old -> new (clause)
	}{
		{"nothing", nil, nil},
		{"a prize", []string{"2: 8.50|2: 9"}, []string{"keno.tables[last-1].size.2: $8.50 -> $9.00 (10(d))"}},
		{"a cell", []string{"2: {1: 5, 2: 200}|2: {0: 1, 2: 200}"},
			[]string{"keno.tables[plain-1].catch.2.1: $5.00 ->  (10(a))", "keno.tables[plain-1].catch.2.0:  -> $1.00 (10(a))"}},
		{"a clause", []string{`clause: "15"|clause: "16"`}, []string{"keno.rounding.clause: 15 -> 16 (16)"}},
		{"an inherited clause", []string{`{id: cash, of|{clause: "20(z)", id: cash, of`},
			[]string{"keno.payout.methods[cash].clause: 20 -> 20(z) (20(z))"}},
		{"a value with a clause of its own", []string{"last_game: 20|last_game: 21"},
			[]string{"keno.cancellation.last_game: 20 -> 21 (18(a))"}},
		{"the clause of one value", []string{`last_game_clause: "18(a)"|last_game_clause: "18(b)"`},
			[]string{"keno.cancellation.last_game_clause: 18(a) -> 18(b) (18(b))"}},
		{"an item more", []string{`    - {clause: "9(g)"|    - {clause: "9(z)", measure: game, max: 50}` + "\n" +
			`    - {clause: "9(g)"`},
			[]string{"keno.limits[game].clause:  -> 9(z) (9(z))", "keno.limits[game].measure:  -> game (9(z))",
				"keno.limits[game].max:  -> $50.00 (9(z))"}},
		{"an item less", []string{`    - {clause: "14(b)", bets: [race], major_from: 1000, floor: 1000, method: level, outside: [promotion]}` +
			"\n|"},
			[]string{"keno.prorating[race].clause: 14(b) ->  (14(b))", "keno.prorating[race].bets: race ->  (14(b))",
				"keno.prorating[race].major_from: $1,000.00 ->  (14(b))",
				"keno.prorating[race].floor: $1,000.00 ->  (14(b))", "keno.prorating[race].method: level ->  (14(b))",
				"keno.prorating[race].outside: promotion ->  (14(b))"}},
		{"the order of limits", []string{`    - {clause: "9(g)", measure: entry, max: 1000}` + "\n|",
			`    - {clause: "9(i)"|    - {clause: "9(g)", measure: entry, max: 1000}` + "\n" + `    - {clause: "9(i)"`},
			[]string{"keno.limits: stake plain ways 1-3, stake plain ways 4- jackpot false, stake plain ways 4- jackpot true, stake plain ways 4-, stake halves race, stake lucky_last, entry, entry sst, game plain pool true, aggregate halves heads tails" +
				" -> stake plain ways 1-3, stake plain ways 4- jackpot false, stake plain ways 4- jackpot true, stake plain ways 4-, stake halves race, stake lucky_last, entry sst, entry, game plain pool true, aggregate halves heads tails ()"}},
		{"lists", []string{"[[1, 2], [3], [4]]|[[1, 2], [3], [5]]", "accept: [cash, receipt]|accept: [receipt]"},
			[]string{"keno.catalogue[set-1 edition 1].groups: 1, 2; 3; 4 -> 1, 2; 3; 5 (8(a))",
				"keno.tenders[club writer].accept: cash, receipt -> receipt (19(a))"}},
		{"flags and spans",
			[]string{"jackpot: true\n      ways: {by_types: true, all: true,|jackpot: true\n      ways: {by_types: true,",
				"sizes: 1-2}|sizes: 1}", "size: {1: 60.00, 2: 8.50}|size: {1: 60.00}"},
			[]string{"keno.bets[plain].ways.all: true ->  (6(a))", "keno.features[lucky_last].sizes: 1 2 -> 1 (7(b))",
				"keno.tables[last-1].size.2: $8.50 ->  (10(d))"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			edited := text
			for _, edit := range c.edits {
				old, fresh, _ := strings.Cut(edit, "|")
				edited = with(edited, old, fresh)
			}
			after, err := Load("after", []byte(edited))
			if err != nil {
				t.Fatal(err)
			}
			if got := printed(Diff(before, after)); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if back := Diff(after, before); len(back) != len(c.want) {
				t.Errorf("the other way there are %d changes, not %d", len(back), len(c.want))
			}
		})
	}
}

func printed(changes []Change) []string {
	var lines []string
	for _, c := range changes {
		lines = append(lines, c.Path+": "+c.Old+" -> "+c.New+" ("+c.Clause+")")
	}
	return lines
}

// TestDiffOfEverything compares books with nothing in common: every value of both
// is a change.
func TestDiffOfEverything(t *testing.T) {
	keno, bingo := load(t, "testdata/sound.yaml"), load(t, "testdata/bingo.yaml")
	changes := Diff(keno, bingo)
	values := len(flatten(&keno.file).leaves) + len(flatten(&bingo.file).leaves)
	var paired int
	for _, c := range changes {
		if c.Old != "" && c.New != "" {
			paired++
		}
	}
	// Both have the same edition, currency and first day, clause included.
	const equal = 4
	if len(changes)+paired+2*equal != values {
		t.Errorf("%d changes, of which %d of one value into another, for %d values", len(changes), paired, values)
	}
}
