package evaluate

import (
	"fmt"
	"strings"
	"testing"
)

// TestJackpots settles games with jackpots by hand: their stakes contribute, the
// pools go from game to game, and what is won is shared.
func TestJackpots(t *testing.T) {
	seven := "1,2,3,4,5,6,7"
	lines := []string{
		`{"pool":{"spots":7,"primary_cents":123390}}`,
		`{"pool":{"spots":10,"primary_cents":5,"primary_parts":5000}}`,
		ticketLine("vic-keno-2015", "two", `"games":3`, spots(seven, 200)),
		ascending(1, 21), // 0.20 go to the growth
		ticketLine("vic-keno-2015", "one", `"games":2`, spots(seven, 100)),
		ascending(2, 1), // and 0.30: 1,234.40, of which 2/3 are 822.93 and 1/3 411.46
		ascending(3, 1), // 0.01 are left, and 0.30: 0.20 and 0.10
		`{"pool":{"spots":7,"primary_cents":10000,"elsewhere_growth_cents":20000,"elsewhere_stakes_cents":200}}`,
		ticketLine("vic-keno-2015", "again", `"games":2`, spots(seven, 100)),
		ascending(4, 1),  // 100.10 and 200.00 for $1 here and $2 elsewhere
		ascending(5, 21), // what others had was said of that game only
	}
	for _, explain := range []bool{false, true} {
		games, err := file(t, book(t, "vic-keno-2015"), Options{Explain: explain}, lines...)
		if err != nil {
			t.Fatal(err)
		}
		ten := `{"spots":10,"primary_cents":5,"primary_parts":5000}`
		checkGame(t, games[0], []string{"two 0"},
			[]string{`"jackpots_cents":0,"pools":[{"spots":7,"primary_cents":123410},` + ten + `]`})
		checkGame(t, games[1], []string{"two 1082290", "one 541140"},
			[]string{`"breakage_cents":9,`, `"jackpots_cents":123439,"pools":[{"spots":7,"primary_cents":1},` + ten + `]`})
		checkGame(t, games[2], []string{"two 1000020", "one 500010"},
			[]string{`"jackpots_cents":30,"pools":[{"spots":7,"primary_cents":1},` + ten + `]`})
		checkGame(t, games[3], []string{"again 510000"},
			[]string{`"jackpots_cents":10003,"pools":[{"spots":7,"primary_cents":0},` + ten + `]`})
		checkGame(t, games[4], []string{"again 0"},
			[]string{`"jackpots_cents":0,"pools":[{"spots":7,"primary_cents":10},` + ten + `]`})
		if told := `"words":"growth $1,234.40 shared 2/3 = $822.93","cents":1082293`; explain &&
			!strings.Contains(games[1], told) {
			t.Errorf("%s\nhas no %s", games[1], told)
		}
	}
}

// TestJackpotModels has a jackpot beside the schedule's prize with a secondary and a
// seed, and one in its place.
func TestJackpotModels(t *testing.T) {
	standard := func(numbers string, cents int) string {
		return fmt.Sprintf(`{"bet":"standard","spots":[%s],"stake_cents":%d}`, numbers, cents)
	}
	games, err := file(t, book(t, "tas-keno-2023"), Options{},
		`{"pool":{"spots":9,"primary_cents":6000000,"secondary_cents":70000,"secondary_parts":20}}`,
		`{"pool":{"spots":8,"primary_cents":1000000,"owed_cents":50,"seeded_cents":50}}`,
		ticketLine("tas-keno-2023", "nine", `"games":1`, standard("1,2,3,4,5,6,7,8,9", 1000)),
		ticketLine("tas-keno-2023", "eight", `"games":1`, standard("1,2,3,4,5,6,7,21", 1000)),
		ascending(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	// 2,500,000 and 8,400 of the schedule are reduced to 300,000, of which the second
	// is held at 2,000; 60,001 are the primary. Of $10 on 8 spots 0.50 repay the seed,
	// and the other 0.50 of that instalment goes to the primary with 1.00.
	checkGame(t, games[0], []string{"nine 35800100", "eight 200000"},
		[]string{`"pools":[{"spots":8,"primary_cents":1000150},{"spots":9,"primary_cents":70050,"primary_parts":20}]`})

	games, err = file(t, book(t, "casino-keno-div2"), Options{Explain: true},
		`{"pool":{"spots":6,"primary_cents":200000}}`,
		ticketLine("casino-keno-div2", "six", `"games":1`, standard("1,2,3,4,5,6", 500)),
		ascending(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	checkGame(t, games[0], []string{"six 200015"}, []string{`"pools":[{"spots":6,"primary_cents":150000}]`})
}

// TestPoolFaults: a jackpot is stated once a game, before its tickets, as the
// rulebook has it.
func TestPoolFaults(t *testing.T) {
	play := ticketLine("vic-keno-2015", "a", `"games":1`, spots("1,2,3,4,5,6,7", 100))
	pool := `{"pool":{"spots":7,"primary_cents":100}}`
	for _, c := range []struct {
		name, rulebook string
		lines          []string
		want           []string
	}{
		{"as it should be", "vic-keno-2015", []string{pool, play, drawn(1), pool, play, drawn(2)}, nil},
		{"it stays from game to game", "vic-keno-2015", []string{pool, play, drawn(1), play, drawn(2)}, nil},
		{"no such size", "vic-keno-2015", []string{`{"pool":{"spots":6}}`, drawn(1)}, []string{"1 pool_unknown pool.spots"}},
		{"twice", "vic-keno-2015", []string{pool, pool, drawn(1)}, []string{"2 pool_repeated pool"}},
		{"after a ticket", "vic-keno-2015", []string{pool, drawn(1), play, pool, drawn(2)}, []string{"4 pool_order pool"}},
		{"after a fault", "vic-keno-2015", []string{"?", pool, play, drawn(1), pool, drawn(2)}, []string{"1 form_syntax "}},
		{"for the size next to it", "vic-keno-2015", []string{`{"pool":{"spots":8}}`, play, drawn(1)},
			[]string{"2 pool_missing ticket.bets[0].spots"}},
		{"shared with nobody", "tas-keno-2023", []string{`{"pool":{"spots":7,"elsewhere_stakes_cents":1}}`, drawn(1)},
			[]string{"1 not_pooled pool.elsewhere_growth_cents"}},
		{"more seed than is owed", "tas-keno-2023",
			[]string{`{"pool":{"spots":7,"primary_cents":2,"owed_cents":1,"seeded_cents":2}}`, drawn(1)},
			[]string{"1 field_value pool"}},
		{"a seed where none is lent", "vic-keno-2015", []string{`{"pool":{"spots":7,"owed_cents":1}}`, drawn(1)},
			[]string{"1 field_value pool"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := file(t, book(t, c.rulebook), Options{}, c.lines...)
			checkFaults(t, err, c.want)
		})
	}
}
