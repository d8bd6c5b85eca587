package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
)

// entry is a ticket for the twin: groups of numbers, of which it plays every join
// of a total of spots that is sold, or one group.
type entry struct {
	groups [][]int
	cents  int64
}

// ways returns every join of groups that is of a size that is sold.
func (e entry) ways() [][]int {
	if len(e.groups) == 1 {
		return e.groups
	}
	var all [][]int
	for mask := 1; mask < 1<<len(e.groups); mask++ {
		var way []int
		for i, group := range e.groups {
			if mask>>i&1 == 1 {
				way = append(way, group...)
			}
		}
		if n := len(way); n <= 10 || n == 15 || n == 20 || n == 40 {
			all = append(all, way)
		}
	}
	return all
}

func (e entry) line(id string) string {
	bet := map[string]any{"bet": "classic", "stake_cents": e.cents}
	if len(e.groups) == 1 {
		bet["spots"] = e.groups[0]
	} else {
		bet["groups"], bet["play"] = e.groups, "all"
	}
	text, err := json.Marshal(bet)
	if err != nil {
		panic(err)
	}
	return sold(id, string(text))
}

// twin settles a game of vic-keno-2015 way by way with rational numbers: the
// prize of the table, X / Y x 3,000,000 for prizes over 1,000 if they come to more
// than that, at least 1,000, and down to ten cents.
func twin(table *rulebook.CatchTable, entries []entry, drawn []int) (prizes []int64) {
	dollars := func(n int64) *big.Rat { return big.NewRat(n, 1) }
	won := make([][]*big.Rat, len(entries))
	majors := new(big.Rat)
	for i, e := range entries {
		for _, way := range e.ways() {
			matched := 0
			for _, n := range way {
				for _, d := range drawn {
					if n == d {
						matched++
					}
				}
			}
			x := new(big.Rat).Mul(big.NewRat(e.cents, 100), big.NewRat(table.Prize(len(way), matched).Cents(), 100))
			won[i] = append(won[i], x)
			if x.Cmp(dollars(1000)) > 0 {
				majors.Add(majors, x)
			}
		}
	}
	prizes = make([]int64, len(entries))
	for i := range won {
		for _, x := range won[i] {
			if x.Cmp(dollars(1000)) > 0 && majors.Cmp(dollars(3_000_000)) > 0 {
				x = x.Mul(x.Quo(x, majors), dollars(3_000_000))
				if x.Cmp(dollars(1000)) < 0 {
					x = dollars(1000)
				}
			}
			dimes := x.Mul(x, dollars(10))
			prizes[i] += new(big.Int).Quo(dimes.Num(), dimes.Denom()).Int64() * 10
		}
	}
	return prizes
}

// TestAgreesWithTwin compares games with the twin. Players mostly have numbers that
// are drawn, and about half of the games exceed the cap.
func TestAgreesWithTwin(t *testing.T) {
	vic := book(t, "vic-keno-2015")
	schedule, _ := vic.Schedule("schedule-1")
	table, _ := schedule.Catch("classic")
	bitten := 0
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.Permutation(numbersTo(80)).Draw(t, "drawn")
		drawn, near := all[:20], slices.Concat(all[:10], all[20:24])
		var entries []entry
		var lines []string
		if rapid.Bool().Draw(t, "over the cap") {
			size := rapid.IntRange(5, 6).Draw(t, "size")
			entries = append(entries, entry{[][]int{drawn[:size]}, 999_900})
		}
		for range rapid.IntRange(1, 8).Draw(t, "tickets") {
			entries = append(entries, drawEntry(t, near))
		}
		for i, e := range entries {
			lines = append(lines, e.line(fmt.Sprint("t", i)))
		}
		numbers, err := json.Marshal(drawn)
		if err != nil {
			t.Fatal(err)
		}
		want := twin(table, entries, drawn)
		run, err := New(vic, Options{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			run.Line([]byte(l))
		}
		game := run.Line(fmt.Appendf(nil, `{"draw":{"game":1,"numbers":%s}}`, numbers))
		if err := run.End(); err != nil {
			t.Fatalf("%v\n%s", err, strings.Join(lines, "\n"))
		}
		if len(game.Outcome.Reductions) > 0 {
			bitten++
		}
		i := 0
		for ticket := range game.Tickets() {
			if ticket.Prize.Cents() != want[i] || ticket.Ways != len(entries[i].ways()) {
				t.Errorf("%s wins %v on %d ways, want %d on %d", ticket.ID, ticket.Prize, ticket.Ways, want[i],
					len(entries[i].ways()))
			}
			if told := lastAmounts(ticket.Lines); told != want[i] {
				t.Errorf("%s is told of %d, want %d", ticket.ID, told, want[i])
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%d tickets of %d", i, len(want))
		}
	})
	if bitten == 0 {
		t.Error("the cap was never exceeded: nothing was proved of pro-rating")
	}
}

// drawEntry draws a ticket without ways of 7 to 10 spots, which play for jackpots.
func drawEntry(t *rapid.T, near []int) entry {
	order := rapid.Permutation(near).Draw(t, "numbers")
	if rapid.Bool().Draw(t, "groups") {
		// Up to six spots in all, at a dollar at least.
		var e entry
		for len(order) > 8 && len(e.groups) < 6 {
			e.groups = append(e.groups, order[:1])
			order = order[1:]
		}
		e.groups = e.groups[:rapid.IntRange(2, 6).Draw(t, "size")]
		e.cents = 100 * rapid.Int64Range(1, 150).Draw(t, "dollars")
		return e
	}
	size := rapid.IntRange(1, 6).Draw(t, "size")
	return entry{[][]int{order[:size]}, 100 * rapid.SampledFrom([]int64{1, 2, 5, 1000, 9999}).Draw(t, "dollars")}
}

func numbersTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// lastAmounts adds up the last line of each way: its prize.
func lastAmounts(lines []Line) (cents int64) {
	for i, l := range lines {
		if i == len(lines)-1 || lines[i+1].Way != l.Way {
			cents += l.Amount.Cents()
		}
	}
	return cents
}

// TestReturnAgreesWithOdds plays many tickets of each size and compares how often
// each prize is won with its exact probability: a chi-square beyond its mean by
// six of its standard deviations would come once in many millions of seeds.
func TestReturnAgreesWithOdds(t *testing.T) {
	vic := book(t, "vic-keno-2015")
	report, err := odds.Of(vic, odds.Options{Schedule: "1", Bet: "classic"})
	if err != nil {
		t.Fatal(err)
	}
	tickets := 20_000
	if testing.Short() {
		tickets = 4_000
	}
	source := rand.New(rand.NewPCG(20, 80))
	for _, bet := range report.Bets {
		if 7 <= bet.Spots && bet.Spots <= 10 {
			continue // They play for jackpots.
		}
		run, err := New(vic, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range tickets {
			run.Line(appendTicket(nil, source, i, bet.Spots))
		}
		game := run.Line(appendDraw(nil, source, 1))
		if err := run.End(); err != nil {
			t.Fatal(err)
		}
		won := map[int64]int{}
		for ticket := range game.Tickets() {
			won[ticket.Prize.Cents()]++
		}
		if x, classes := chiSquare(won, &bet, tickets); x > float64(classes)+6*math.Sqrt(2*float64(classes)) {
			t.Errorf("%d spots: chi-square %.1f for %d classes: %v", bet.Spots, x, classes, won)
		}
	}
}

// TestFeaturesAgreeWithOdds plays many games and compares how often calls,
// forecasts of a race and the last number win with their exact probability.
func TestFeaturesAgreeWithOdds(t *testing.T) {
	tas := book(t, "tas-keno-2023")
	report, err := odds.Of(tas, odds.Options{})
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]string{
		"win": "[[3]]", "place": "[[5]]", "quinella": "[[2,7],[2,7]]", "exact_quinella": "[[8],[1]]",
		"trio": "[[1,4,6],[1,4,6],[1,4,6]]", "trifecta": "[[3],[5],[7]]",
	}
	var bets []string
	var chances []float64
	for i := range report.Bets {
		b := &report.Bets[i]
		switch {
		case b.Bet == "heads_or_tails":
			bets = append(bets, fmt.Sprintf(`{"bet":"heads_or_tails","calls":[%q],"stake_cents":100}`, b.Pick))
		case b.Bet == "racing":
			bets = append(bets, fmt.Sprintf(`{"bet":"racing","type":%q,"places":%s,"stake_cents":100}`, b.Type, places[b.Type]))
		case b.Bet == "lucky_last" && b.Spots == 3:
			// Without it the bet wins 52 or nothing, which is not counted.
			bets = append(bets,
				`{"bet":"winner_takes_all","spots":[9,33,80],"stake_cents":100,"with":{"lucky_last":{"stake_cents":100}}}`)
		default:
			continue
		}
		p, _ := b.HitFrequency.Float64()
		chances = append(chances, p)
	}
	games := 10_000
	if testing.Short() {
		games = 2_000
	}
	source := rand.New(rand.NewPCG(8, 10))
	won := make([]int, len(bets))
	run, err := New(tas, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for game := range games {
		for i, bet := range bets {
			run.Line([]byte(ticketLine("tas-keno-2023", fmt.Sprint(i), `"first":"open"`, bet)))
		}
		settled := run.Line(appendDraw(nil, source, game%1000))
		i := 0
		for ticket := range settled.Tickets() {
			if ticket.Prize > 0 && ticket.Prize != 5200 {
				won[i]++
			}
			i++
		}
	}
	if err := run.End(); err != nil {
		t.Fatal(err)
	}
	for i, p := range chances {
		mean, deviation := p*float64(games), math.Sqrt(p*(1-p)*float64(games))
		if math.Abs(float64(won[i])-mean) > 6*deviation {
			t.Errorf("%s won %d times in %d games, and %.1f +- %.1f are expected", bets[i], won[i], games, mean, deviation)
		}
	}
	if len(chances) != 3+6+1 {
		t.Errorf("%d bets were played", len(chances))
	}
}

// chiSquare compares how often prizes were won with the tiers of a bet. Prizes
// that are expected less than five times, and none at all, make one class.
func chiSquare(won map[int64]int, bet *odds.Bet, tickets int) (x float64, classes int) {
	expected := map[int64]float64{}
	for _, tier := range bet.Tiers {
		p, _ := tier.Probability.Float64()
		expected[tier.PrizeCents.Cents()] += p * float64(tickets)
	}
	rest, restExpected := tickets, float64(tickets)
	for prize, e := range expected {
		if prize == 0 || e < 5 {
			continue
		}
		rest -= won[prize]
		restExpected -= e
		x += (float64(won[prize]) - e) * (float64(won[prize]) - e) / e
		classes++
	}
	return x + (float64(rest)-restExpected)*(float64(rest)-restExpected)/restExpected, classes
}

// appendTicket appends the line of a ticket of one dollar on random numbers.
func appendTicket(b []byte, source *rand.Rand, i, spots int) []byte {
	b = fmt.Appendf(b, `{"ticket":{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[`)
	b = appendNumbers(b, source, spots)
	return fmt.Appendf(b, `],"stake_cents":100}]},"id":"t%07d","channel":"writer"}`, i)
}

func appendDraw(b []byte, source *rand.Rand, game int) []byte {
	b = fmt.Appendf(b, `{"draw":{"game":%d,"numbers":[`, game)
	return append(appendNumbers(b, source, 20), "]}}"...)
}

func appendNumbers(b []byte, source *rand.Rand, n int) []byte {
	for i, number := range source.Perm(80)[:n] {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Append(b, number+1)
	}
	return b
}

// BenchmarkRun reads, settles and writes games of simple tickets, as a file has
// them: one bet of 1 to 6 spots.
func BenchmarkRun(b *testing.B) {
	const tickets = 100_000
	source := rand.New(rand.NewPCG(1, 2))
	var lines [][]byte
	for i := range tickets {
		lines = append(lines, appendTicket(nil, source, i, 1+i%6))
	}
	lines = append(lines, appendDraw(nil, source, 1))
	vic := book(b, "vic-keno-2015")
	var results []byte
	b.ReportAllocs()
	for b.Loop() {
		run, err := New(vic, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, l := range lines {
			if game := run.Line(l); game != nil {
				results = game.AppendJSON(results[:0])
			}
		}
		if err := run.End(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(60*tickets*float64(b.N)/b.Elapsed().Seconds(), "tickets/min")
	b.ReportMetric(float64(len(results))/tickets, "bytes/ticket")
}
