package settle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/rules"
)

// house is a rulebook to settle under, for the pass and for its twin.
type house struct {
	terms *Terms
	slow  *slowRules
	bets  map[string][]int // sizes
}

var houses = []struct{ book, schedule string }{
	{"vic-keno-2015", "schedule-1"},
	{"vic-keno-2015", "schedule-3"},
	{"tas-keno-2023", "settlement"},
	{"casino-keno-div2", "approved"},
}

func newHouse(t testing.TB, id, schedule string) *house {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	terms, err := NewTerms(book, schedule)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{terms, rulesOf(book, schedule), map[string][]int{}}
	s, _ := book.Schedule(schedule)
	for _, bet := range book.BetIDs() {
		if table, ok := s.Catch(bet); ok {
			h.bets[bet] = table.Spots().Numbers()
		}
	}
	return h
}

func (h *house) betIDs() []string {
	var ids []string
	for id := range h.bets {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// retune returns the house with other limits, so that every figure is met with
// every other.
func (h *house) retune(t *rapid.T) *house {
	terms, slow := *h.terms, *h.slow
	terms.tables = map[string]*table{}
	p := rulebook.Prorating{Method: rapid.SampledFrom([]rulebook.ProratingMethod{rulebook.ProrateFormula, rulebook.ProrateLevel}).Draw(t, "method")}
	major := rulebook.Dollars(rapid.SampledFrom([]int64{0, 1, 100, 250, 20_000, 100_000}).Draw(t, "major"))
	if rapid.Bool().Draw(t, "over") {
		p.MajorOver = &major
	} else {
		p.MajorFrom = &major
	}
	most := rulebook.Dollars(rapid.SampledFrom([]int64{1, 777, 100_001, 5_000_000, 300_000_000}).Draw(t, "cap"))
	p.Cap = &most
	p.Floor = min(most, rulebook.Dollars(rapid.SampledFrom([]int64{0, 1, 99, 100_000, 100_003}).Draw(t, "floor")))
	slow.prorating = []rulebook.Prorating{p}
	slow.step = rapid.SampledFrom([]money.Amount{1, 5, 10, 100, 333}).Draw(t, "step")
	terms.step = uint64(slow.step)
	if rapid.Bool().Draw(t, "way cap") {
		slow.wayCap = rat(rapid.SampledFrom([]money.Amount{150, 25_000_001}).Draw(t, "most"))
		terms.wayCap = terms.inUnits(money.Amount(slow.wayCap.Num().Int64()))
	}
	terms.limits = []limit{terms.newLimit(p)}
	for id, was := range h.terms.tables {
		now := *was
		now.limit, now.major = 0, terms.limits[0].major
		terms.tables[id] = &now
	}
	return &house{&terms, &slow, h.bets}
}

// drawNumbers draws numbers from 1 to 80 without repeats.
func drawNumbers(t *rapid.T, n int, label string) ball.Set {
	order := rapid.Permutation(ball.Full(ball.Keno).Numbers()).Draw(t, label)
	return ball.MustOf(ball.Keno, order[:n]...)
}

// drawWay draws a way, mostly on numbers that are drawn, so that it wins well. In a
// rich game it wins so much that every limit is exceeded.
func (h *house) drawWay(t *rapid.T, numbers ball.Set, rich bool) Way {
	w := Way{Bet: rapid.SampledFrom(h.betIDs()).Draw(t, "bet"), Spots: ball.Empty(ball.Keno)}
	size := rapid.SampledFrom(h.bets[w.Bet]).Draw(t, "size")
	most := min(size, drawn)
	for range rapid.SampledFrom([]int{0, most / 2, most - 1, most, most}).Draw(t, "good") {
		w.Spots = w.Spots.With(rapid.SampledFrom(numbers.Minus(w.Spots).Numbers()).Draw(t, "number"))
	}
	for w.Spots.Len() < size {
		w.Spots = w.Spots.With(rapid.SampledFrom(ball.Full(ball.Keno).Minus(w.Spots).Numbers()).Draw(t, "spot"))
	}
	stakes := rapid.OneOf(rapid.Int64Range(1, 300), rapid.SampledFrom([]int64{100, 50, 10, 1, 33, 5_000}))
	if rich {
		stakes = rapid.Int64Range(400_000, 999_900)
	}
	w.Stake = money.Amount(stakes.Draw(t, "stake"))
	return w
}

// checkGames plays some games with an Open and with a plain list of plays. It
// returns in how many of them major prizes were reduced.
func checkGames(t *rapid.T, h *house) (reduced int) {
	open, plays, place := NewOpen(7), []Play(nil), record.Place{Volume: 1}
	for ordinal := uint32(8); ordinal < 8+uint32(rapid.IntRange(1, 4).Draw(t, "games")); ordinal++ {
		numbers, rich := drawNumbers(t, drawn, "numbers"), rapid.Bool().Draw(t, "rich")
		sell := func(from uint32) {
			for range rapid.IntRange(0, 12).Draw(t, "tickets") {
				// Far places and new volumes begin new pages.
				place.Seq += rapid.SampledFrom([]uint64{1, 1, 1, 2, 1 << 31, 1 << 33}).Draw(t, "gap")
				place.Volume += rapid.SampledFrom([]uint16{0, 0, 0, 0, 1}).Draw(t, "volume")
				p := Play{Ticket: place, First: from + uint32(rapid.IntRange(0, 1).Draw(t, "delay"))}
				p.Last = p.First + uint32(rapid.IntRange(0, 2).Draw(t, "more"))
				for range rapid.IntRange(1, 5).Draw(t, "ways") {
					p.Ways = append(p.Ways, h.drawWay(t, numbers, rich))
				}
				if err := open.Add(p); err != nil {
					t.Fatal(err)
				}
				plays = append(plays, p)
			}
		}
		sell(ordinal)
		totals, err := open.Close(ordinal)
		if err != nil {
			t.Fatal(err)
		}
		sell(ordinal + 1) // while the game is drawn
		want := h.slow.settle(plays, ordinal, numbers)
		if totals != want.totals {
			t.Fatalf("game %d closed with %+v, want %+v", ordinal, totals, want.totals)
		}
		checkOutcome(t, h, open, plays, ordinal, numbers, want)
		if want.majors != want.majorsAfter {
			reduced++
		}
		if rapid.Bool().Draw(t, "drop") {
			if err := open.Drop(ordinal); err != nil {
				t.Fatal(err)
			}
			plays = slices.DeleteFunc(plays, func(p Play) bool { return p.Last <= ordinal })
		}
	}
	return reduced
}

// checkOutcome holds the outcome of a game against the twin's, and the prize of
// every play against the outcome.
func checkOutcome(t rapid.TB, h *house, open *Open, plays []Play, ordinal uint32, numbers ball.Set, want slowOutcome) {
	t.Helper()
	out, err := Pass(open, ordinal, numbers, h.terms)
	if err != nil {
		t.Fatal(err)
	}
	if out.Totals != want.totals || out.WinningWays != want.winningWays || out.Prizes != want.prizes ||
		out.Breakage != want.breakage || out.Majors != want.majors || out.MajorsPaid != want.majorsAfter {
		t.Fatalf("game %d: %+v\nwant %+v", ordinal, out, want)
	}
	file, err := DecodeWinners(out.Encode(Settlement{1, ordinal, 1}))
	if err != nil {
		t.Fatal(err)
	}
	places := want.sortedPlaces()
	if file.Winners() != uint64(len(places)) || out.Winners() != file.Winners() || file.Prizes() != out.Prizes {
		t.Fatalf("game %d: %d winners of %v, want %d", ordinal, file.Winners(), file.Prizes(), len(places))
	}
	i := 0
	for place, prize := range file.All() {
		if place != places[i] || prize != want.winners[place] {
			t.Fatalf("game %d: winner %d is %v with %v, want %v with %v", ordinal, i, place, prize, places[i], want.winners[places[i]])
		}
		i++
	}
	for _, p := range plays {
		if p.First > ordinal || p.Last < ordinal {
			continue
		}
		prize, err := PrizeOf(p.Ways, numbers, h.terms, file.Reductions)
		if listed, won := file.Lookup(p.Ticket); err != nil || prize != listed || won != (prize > 0) {
			t.Fatalf("game %d: ticket %v wins %v (%v), and %v is listed", ordinal, p.Ticket, prize, err, listed)
		}
	}
}

func TestPassAgreesWithTheRules(t *testing.T) {
	for _, b := range houses {
		t.Run(b.book+" "+b.schedule, func(t *testing.T) {
			h, reduced := newHouse(t, b.book, b.schedule), 0
			rapid.Check(t, func(t *rapid.T) { reduced += checkGames(t, h) })
			if reduced == 0 {
				t.Error("no game exceeded its limit: the test saw no pro-rating")
			}
		})
	}
}

func TestPassAgreesWithOtherFigures(t *testing.T) {
	h := newHouse(t, "tas-keno-2023", "settlement")
	rapid.Check(t, func(t *rapid.T) { checkGames(t, h.retune(t)) })
}

func FuzzPass(f *testing.F) {
	h := newHouse(f, "casino-keno-div2", "approved")
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checkGames(t, h.retune(t)) }))
}

// TestLongRun sells, settles and drops long enough that pages fill up, are thinned
// out and are joined.
func TestLongRun(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	source := rand.New(rand.NewPCG(3, 4))
	open, place := NewOpen(0), uint64(0)
	var plays []Play
	pages := 0
	for ordinal := uint32(1); ordinal <= 12; ordinal++ {
		for range 4000 {
			place += 1 + uint64(source.IntN(3))
			last := ordinal
			if source.IntN(3) == 0 {
				last += uint32(source.IntN(9))
			}
			p := Play{Ticket: record.Place{Volume: 1, Seq: place}, First: ordinal, Last: last}
			for range 1 + source.IntN(3) {
				sizes := h.bets["classic"]
				order := source.Perm(80)[:sizes[source.IntN(len(sizes))]]
				for i := range order {
					order[i]++
				}
				p.Ways = append(p.Ways, Way{"classic", ball.MustOf(ball.Keno, order...), money.Amount(10 * (1 + source.IntN(90)))})
			}
			if err := open.Add(p); err != nil {
				t.Fatal(err)
			}
			plays = append(plays, p)
		}
		pages = max(pages, len(open.pages))
		numbers := ball.Empty(ball.Keno)
		for numbers.Len() < drawn {
			numbers = numbers.With(1 + source.IntN(80))
		}
		if _, err := open.Close(ordinal); err != nil {
			t.Fatal(err)
		}
		checkOutcome(t, h, open, plays, ordinal, numbers, h.slow.settle(plays, ordinal, numbers))
		if err := open.Drop(ordinal); err != nil {
			t.Fatal(err)
		}
		plays = slices.DeleteFunc(plays, func(p Play) bool { return p.Last <= ordinal })
		checkPlays(t, open, plays, ordinal)
	}
	if pages < 3 || len(open.pages) == pages {
		t.Errorf("%d pages of %d are left: the run joined none", len(open.pages), pages)
	}
}

// checkPlays holds the tickets of open against a plain list.
func checkPlays(t *testing.T, open *Open, plays []Play, ordinal uint32) {
	t.Helper()
	i := 0
	for p := range open.Plays() {
		if i >= len(plays) || p.Ticket != plays[i].Ticket || p.First != plays[i].First || p.Last != plays[i].Last {
			t.Fatalf("after game %d: play %d is %+v", ordinal, i, p)
		}
		i++
	}
	if i != len(plays) {
		t.Fatalf("after game %d: %d plays, want %d", ordinal, i, len(plays))
	}
	var next []record.Place
	for _, p := range plays {
		if p.First <= ordinal+1 && p.Last > ordinal {
			next = append(next, p.Ticket)
		}
	}
	if got := slices.Collect(open.Tickets(ordinal + 1)); !slices.Equal(got, next) {
		t.Fatalf("after game %d: %d tickets in the next, want %d", ordinal, len(got), len(next))
	}
	if totals := open.Totals(ordinal + 1); totals.Plays != uint64(len(next)) {
		t.Fatalf("after game %d: totals of the next are %+v, want %d plays", ordinal, totals, len(next))
	}
}
