package evaluate

import (
	"fmt"
	"strings"
	"testing"
)

// TestWorkedExamples has games settled by hand from the printed tables. The
// numbers drawn are 1 to 20 in all of them.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name, rulebook, schedule string
		tickets                  []string // bets
		want                     []string // id and prize in cents
		totals                   []string // found in the last line
	}{
		{
			name: "catches of schedule 1", rulebook: "vic-keno-2015",
			tickets: []string{
				spots("1", 100),             // 1 of 1: 3
				spots("30", 100),            // 0 of 1
				spots("1,2,30,40", 200),     // 2 of 4: 2 x 1
				spots("1,2,3,40", 200),      // 3 of 4: 2 x 4
				spots("1,2,3,4", 500),       // 4 of 4: 5 x 120
				spots("1,2,3,4,5", 100),     // 5 of 5: 640
				spots("21,22,23,24", 99900), // 0 of 4
				// 0 of 20: 100; 1 of 20: 10
				spots("21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40", 100),
				spots("1,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40", 300),
			},
			want: []string{"t1 300", "t2 0", "t3 200", "t4 800", "t5 60000", "t6 64000", "t7 0", "t8 10000", "t9 3000"},
			totals: []string{`"plays":9`, `"ways":9`, `"stakes_cents":101500`, `"winners":7`, `"winning_ways":7`,
				`"prizes_cents":138300`, `"breakage_cents":0`, `"majors_cents":0`, `"reductions":[]`},
		},
		{
			name: "schedule 2 pays 4 of 4 otherwise", rulebook: "vic-keno-2015", schedule: "2",
			tickets: []string{spots("1,2,3,4", 100)},
			want:    []string{"t1 13000"},
		},
		{
			// Of A = 1 2, B = 3 30 31 and C = 40 the ways of 3 spots are AC and B, that of
			// 5 is AB: 2 of 3 pays 1, 1 of 3 nothing, 3 of 5 pays 2.
			name: "ways", rulebook: "vic-keno-2015",
			tickets: []string{`{"bet":"classic","groups":[[1,2],[3,30,31],[40]],"play":{"spots":[3,5]},"stake_cents":100}`},
			want:    []string{"t1 300"},
			totals:  []string{`"ways":3`, `"stakes_cents":300`, `"winning_ways":2`, `"winners":1`},
		},
		{
			name: "two bets on a ticket", rulebook: "vic-keno-2015",
			tickets: []string{spots("1", 100) + "," + spots("1,2", 200)},
			want:    []string{"t1 2700"},
			totals:  []string{`"plays":1`, `"ways":2`, `"winners":1`, `"winning_ways":2`},
		},
		{
			// 2,000 x 1,800 and 1 x 1,800 are 3,601,800, and X / Y is 2000/2001 and 1/2001:
			// 2,998,500.7496... and 1,499.2503..., down to ten cents.
			name: "formula", rulebook: "vic-keno-2015",
			tickets: []string{spots("1,2,3,4,5,6", 200000), spots("1,2,3,4,5,6", 100), spots("1", 100)},
			want:    []string{"t1 299850070", "t2 149920", "t3 300"},
			totals: []string{`"prizes_cents":300000290`, `"breakage_cents":10`, `"majors_cents":360180000`,
				`"majors_paid_cents":300000000`,
				`"reductions":[{"clause":"24(a)","factor":"5000/6003"}]`},
		},
		{
			// 9,999 x 1,800 and 1,800 are 18,000,000, six times the cap: 2,999,700 and 300,
			// of which the floor makes 1,000.
			name: "formula with a floor", rulebook: "vic-keno-2015",
			tickets: []string{spots("1,2,3,4,5,6", 999900), spots("1,2,3,4,5,6", 100)},
			want:    []string{"t1 299970000", "t2 100000"},
			totals: []string{`"prizes_cents":300070000`, `"breakage_cents":0`, `"factor":"1/6"`,
				`"majors_paid_cents":300070000`},
		},
		{
			// 500,000, 50,000 and 3,320 exceed 300,000. The last is held at 2,000, and
			// 298,000 / 550,000 of the others is 270,909.0909... and 27,090.9090...
			name: "level", rulebook: "tas-keno-2023",
			tickets: []string{special("1,2,3,4,5,6,7,8,9,10", 1000), special("1,2,3,4,5,6,7,8,9,10", 100),
				special("1,2,3,4,5,6", 200)},
			want: []string{"t1 27090909", "t2 2709090", "t3 200000"},
			totals: []string{`"prizes_cents":29999999`, `"breakage_cents":1`, `"majors_cents":55332000`,
				`"majors_paid_cents":30000000`,
				`"reductions":[{"clause":"18.1","factor":"149/275"}]`},
		},
		{
			// The numbers add up to 210, which multiplies by 4: 2 x 4 x 4, and 1 of 1 twice.
			name: "multiplier", rulebook: "vic-keno-2015",
			tickets: []string{
				`{"bet":"classic","spots":[1,2,3,40],"stake_cents":200,"with":{"multiplier":{}}}`,
				spots("1", 100) + `,{"bet":"classic","spots":[2],"stake_cents":100,"with":{"multiplier":{}}}`,
			},
			want:   []string{"t1 3200", "t2 1500"},
			totals: []string{`"stakes_cents":700`, `"multiplier_stakes_cents":300`, `"multiplier":4`, `"winning_ways":3`},
		},
		{
			// The last number is 20. 2 of 3 pays 1, and the last number 20 x 2.
			name: "last number", rulebook: "tas-keno-2023",
			tickets: []string{
				`{"bet":"standard","spots":[1,20,40],"stake_cents":100,"with":{"lucky_last":{"stake_cents":200}}}`,
				`{"bet":"standard","spots":[1,19,40],"stake_cents":100,"with":{"lucky_last":{"stake_cents":200}}}`,
				`{"bet":"standard","spots":[20,40,60],"stake_cents":100,"with":{"lucky_last":{"stake_cents":200},"multiplier":{}}}`,
			},
			want: []string{"t1 4100", "t2 100", "t3 4000"},
			totals: []string{`"stakes_cents":1000`, `"multiplier_stakes_cents":100`, `"lucky_last_stakes_cents":600`,
				`"winning_ways":3`},
		},
		{
			name: "calls", rulebook: "tas-keno-2023",
			tickets: []string{
				`{"bet":"heads_or_tails","calls":["heads"],"stake_cents":300}`,
				`{"bet":"heads_or_tails","calls":["tails"],"stake_cents":300}`,
				`{"bet":"heads_or_tails","calls":["evens"],"stake_cents":300}`,
			},
			want: []string{"t1 600", "t2 0", "t3 0"},
		},
		{
			// Two rows of ten: row 1 has its tenth number before row 2, all others are third.
			name: "dead heat", rulebook: "tas-keno-2023",
			tickets: []string{
				`{"bet":"racing","type":"win","places":[[1]],"stake_cents":100}`,
				`{"bet":"racing","type":"win","places":[[2]],"stake_cents":100}`,
				`{"bet":"racing","type":"place","places":[[8]],"stake_cents":100}`,
				`{"bet":"racing","type":"quinella","places":[[1,2,3],[1,2,3]],"stake_cents":100}`,
				`{"bet":"racing","type":"exact_quinella","places":[[2],[1]],"stake_cents":100}`,
				`{"bet":"racing","type":"trio","places":[[1,2,3,4],[1,2,3,4],[1,2,3,4]],"stake_cents":100}`,
				`{"bet":"racing","type":"trifecta","places":[[1],[2],[3,4,5,6,7,8]],"stake_cents":100}`,
			},
			// 21; of the four trios 1-2-3 and 1-2-4; six trifectas.
			want:   []string{"t1 600", "t2 0", "t3 200", "t4 2100", "t5 0", "t6 8400", "t7 151200"},
			totals: []string{`"ways":17`, `"winning_ways":11`},
		},
		{
			name: "winner takes all", rulebook: "tas-keno-2023",
			tickets: []string{
				`{"bet":"winner_takes_all","spots":[1,2,3],"stake_cents":100}`,
				`{"bet":"winner_takes_all","spots":[1,2,30],"stake_cents":100}`,
				`{"bet":"winner_takes_all","spots":[1,2,3,4,5,6,7,30],"stake_cents":100}`,
			},
			want: []string{"t1 5200", "t2 0", "t3 185000"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines []string
			for i, bets := range c.tickets {
				lines = append(lines, ticketLine(c.rulebook, fmt.Sprintf("t%d", i+1), `"first":"open"`, bets))
			}
			games, err := file(t, book(t, c.rulebook), Options{Schedule: c.schedule}, append(lines, drawn(1))...)
			if err != nil {
				t.Fatal(err)
			}
			checkGame(t, games[0], c.want, c.totals)
		})
	}
}

func special(numbers string, cents int) string {
	return fmt.Sprintf(`{"bet":"special","spots":[%s],"stake_cents":%d}`, numbers, cents)
}

// checkGame compares the lines of a game with the ids and prizes wanted, and
// looks for the totals wanted in the last.
func checkGame(t *testing.T, game string, want, totals []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(game), "\n")
	last := lines[len(lines)-1]
	if len(lines) != len(want)+1 {
		t.Fatalf("%d lines for %d tickets:\n%s", len(lines), len(want), game)
	}
	for i, w := range want {
		id, prize, _ := strings.Cut(w, " ")
		if !strings.HasPrefix(lines[i], `{"id":"`+id+`"`) || !strings.Contains(lines[i], `"prize_cents":`+prize+`,`) {
			t.Errorf("%s, want %s", lines[i], w)
		}
	}
	for _, total := range totals {
		if !strings.Contains(last, total) {
			t.Errorf("%s has no %s", last, total)
		}
	}
}

// TestTicketsPlayOn: a ticket is in as many games as it has, in the order of the
// file, and new tickets join it.
func TestTicketsPlayOn(t *testing.T) {
	three := ticketLine("vic-keno-2015", "three", `"first":{"day":"2026-11-15","game":998},"games":3`, spots("1", 100))
	two := ticketLine("vic-keno-2015", "two", `"games":2`, spots("30", 100))
	games, err := file(t, book(t, "vic-keno-2015"), Options{},
		three, sold("one", spots("1", 100)), drawn(998), two, drawn(999), drawn(0), drawn(1))
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != 4 {
		t.Fatalf("%d games", len(games))
	}
	checkGame(t, games[0], []string{"three 300", "one 300"}, []string{`{"game":998,`, `"plays":2`, `"plays_on":1}`})
	checkGame(t, games[1], []string{"three 300", "two 0"}, []string{`{"game":999,`, `"stakes_cents":200`, `"plays_on":2}`})
	checkGame(t, games[2], []string{"three 300", "two 0"}, []string{`{"game":0,`, `"plays":2`, `"plays_on":0}`})
	checkGame(t, games[3], nil, []string{`{"game":1,`, `"plays":0`, `"winners":0`, `"plays_on":0}`})
}

// ascending draws twenty numbers from one on.
func ascending(game, from int) string {
	numbers := make([]string, 20)
	for i := range numbers {
		numbers[i] = fmt.Sprint(from + i)
	}
	return fmt.Sprintf(`{"draw":{"game":%d,"numbers":[%s]}}`, game, strings.Join(numbers, ","))
}

// TestPrepick: a call for each game, with a stake in each.
func TestPrepick(t *testing.T) {
	prepick := ticketLine("vic-keno-2015", "p", `"games":3`,
		`{"bet":"heads_or_tails","calls":["heads","evens","tails"],"stake_cents":200}`)
	games, err := file(t, book(t, "vic-keno-2015"), Options{}, prepick, ascending(1, 1), ascending(2, 31), ascending(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"p 400", "p 800", "p 0"} {
		checkGame(t, games[i], []string{want}, []string{`"plays":1`, `"ways":1`, `"stakes_cents":200`, `"carried_cents":0`})
	}
}

// TestLetItRun carries prizes from draw to draw, beside a ticket that is over after
// a wrong call and one that plays on without it.
func TestLetItRun(t *testing.T) {
	run := func(id, more string) string {
		return ticketLine("vic-keno-2015", id, `"games":3`,
			`{"bet":"heads_or_tails","calls":["heads","heads","tails"],"run":true,"stake_cents":500}`+more)
	}
	wrong := ticketLine("vic-keno-2015", "wrong", `"games":3`,
		`{"bet":"heads_or_tails","calls":["tails"],"run":true,"stake_cents":500}`)
	both := ticketLine("vic-keno-2015", "both", `"games":3`,
		`{"bet":"heads_or_tails","calls":["tails"],"run":true,"stake_cents":500},`+spots("21", 100))
	bonus := ticketLine("vic-keno-2015", "bonus", `"games":3`,
		`{"bet":"heads_or_tails","calls":["heads","heads","tails"],"run":true,"stake_cents":500,"with":{"multiplier":{"games":2}}}`)
	lines := []string{run("run", ""), wrong, both, bonus, ascending(1, 1), sold("wrong", spots("1", 100)), ascending(2, 1),
		ascending(3, 61)}
	for _, explain := range []bool{false, true} {
		games, err := file(t, book(t, "vic-keno-2015"), Options{Explain: explain}, lines...)
		if err != nil {
			t.Fatal(err)
		}
		// 5 x 2; 5 x 2 x 4 with the multiplier.
		checkGame(t, games[0], []string{"run 0", "wrong 0", "both 0", "bonus 0"},
			[]string{`"plays":4`, `"ways":5`, `"stakes_cents":2600`,
				`"multiplier_stakes_cents":500`, `"carried_stakes_cents":0`, `"prizes_cents":0`, `"carried_cents":5000`,
				`"carried_ways":2`, `"plays_on":3}`})
		// 10 x 2; 20 x 2 x 4.
		checkGame(t, games[1], []string{"run 0", "both 0", "bonus 0", "wrong 300"},
			[]string{`"plays":4`, `"ways":4`, `"stakes_cents":5200`,
				`"multiplier_stakes_cents":2000`, `"carried_stakes_cents":5000`, `"prizes_cents":300`, `"carried_cents":18000`,
				`"plays_on":3}`})
		// 20 x 2; 160 x 2.
		checkGame(t, games[2], []string{"run 4000", "both 0", "bonus 32000"},
			[]string{`"plays":3`, `"ways":3`, `"stakes_cents":18100`,
				`"multiplier_stakes_cents":0`, `"carried_stakes_cents":18000`, `"prizes_cents":36000`, `"carried_cents":0`,
				`"plays_on":0}`})
		for game, part := range []string{`"id":"bonus","game":1,"prize_cents":0,"carried_cents":4000,"ways":1`,
			`"carried_cents":16000,"ways":1`, `"prize_cents":32000,"ways":1`} {
			if !strings.Contains(games[game], part) {
				t.Errorf("game %d has no %s:\n%s", game+1, part, games[game])
			}
		}
	}
}

// TestRunsAfterAFault: a fault ends all settling, and the rest of the file is still
// read.
func TestRunsAfterAFault(t *testing.T) {
	run := ticketLine("vic-keno-2015", "run", `"games":3`,
		`{"bet":"heads_or_tails","calls":["heads"],"run":true,"stake_cents":500}`)
	_, err := file(t, book(t, "vic-keno-2015"), Options{}, "?", run, ascending(1, 1), ascending(2, 1), "?",
		ascending(3, 1))
	checkFaults(t, err, []string{"1 form_syntax ", "5 form_syntax "})
}
