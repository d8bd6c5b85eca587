package settle

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// house is a rulebook to settle under, for the pass and for its twin.
type house struct {
	terms *Terms
	slow  *slowRules
	bets  map[string][]int // sizes of bets on numbers
	book  *rulebook.Book
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
	return houseOf(t, book, schedule)
}

func houseOf(t testing.TB, book *rulebook.Book, schedule string) *house {
	t.Helper()
	terms, err := NewTerms(book, schedule)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{terms, rulesOf(book, schedule), map[string][]int{}, book}
	s, _ := book.Schedule(schedule)
	for _, bet := range book.BetIDs() {
		if table, ok := s.Catch(bet); ok {
			h.bets[bet] = table.Spots().Numbers()
		}
	}
	return h
}

// fresh returns the house before its first game.
func (h *house) fresh() *house {
	slow := *h.slow
	slow.running = map[slowName]money.Amount{}
	return &house{h.terms, &slow, h.bets, h.book}
}

// retune returns the house with other limits, so that every figure is met with
// every other.
func (h *house) retune(t *rapid.T) *house {
	terms, slow := *h.terms, *h.slow
	p := rulebook.Prorating{Method: rapid.SampledFrom([]rulebook.ProratingMethod{rulebook.ProrateFormula,
		rulebook.ProrateLevel}).Draw(t, "method")}
	major := rulebook.Dollars(rapid.SampledFrom([]int64{0, 1, 100, 250, 20_000, 100_000}).Draw(t, "major"))
	if rapid.Bool().Draw(t, "over") {
		p.MajorOver = &major
	} else {
		p.MajorFrom = &major
	}
	most := rulebook.Dollars(rapid.SampledFrom([]int64{1, 777, 100_001, 5_000_000, 300_000_000}).Draw(t, "cap"))
	p.Cap, p.Clause, p.FloorClause = &most, "limit", "floor"
	p.Floor = min(most, rulebook.Dollars(rapid.SampledFrom([]int64{0, 1, 99, 100_000, 100_003}).Draw(t, "floor")))
	slow.prorating = []rulebook.Prorating{p}
	slow.step = rapid.SampledFrom([]money.Amount{1, 5, 10, 100, 333}).Draw(t, "step")
	terms.step = uint64(slow.step)
	if rapid.Bool().Draw(t, "way cap") {
		slow.wayCap = rat(rapid.SampledFrom([]money.Amount{150, 25_000_001}).Draw(t, "most"))
		terms.wayCap, terms.capCite = terms.inUnits(money.Amount(slow.wayCap.Num().Int64())), "cap"
	}
	terms.limits = []limit{terms.newLimit(p)}
	under := func(r rate) rate {
		r.limit, r.major = 0, terms.limits[0].major
		return r
	}
	terms.tables, terms.calls, terms.races = map[string]*table{}, map[string]*callTable{}, map[string]*raceTable{}
	for id, was := range h.terms.tables {
		terms.tables[id] = &table{under(was.rate), was.CatchTable}
	}
	for id, was := range h.terms.calls {
		terms.calls[id] = &callTable{under(was.rate), was.OutcomeTable, was.Calls}
	}
	for id, was := range h.terms.races {
		terms.races[id] = &raceTable{under(was.rate), was.OutcomeTable, was.race}
	}
	return (&house{&terms, &slow, h.bets, h.book}).fresh()
}

// drawNumbers draws numbers from 1 to 80 without repeats.
func drawNumbers(t *rapid.T, n int, label string) ball.Set {
	order := rapid.Permutation(ball.Full(ball.Keno).Numbers()).Draw(t, label)
	return ball.MustOf(ball.Keno, order[:n]...)
}

// drawOrder draws the numbers of a game, in order: from all rows of a race, or from
// so few that there are ties and dead heats.
func drawOrder(t *rapid.T) ball.Sequence {
	numbers := rapid.Permutation(ball.Full(ball.Keno).Numbers()).Draw(t, "order")
	if rows := rapid.SampledFrom([]int{8, 8, 2, 3, 4}).Draw(t, "rows"); rows < 8 {
		from := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "from")[:rows]
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return !slices.Contains(from, (n-1)/10) })
	}
	q, err := ball.NewSequence(ball.Keno, numbers[:drawn]...)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// drawWay draws a way of a ticket of so many games. In a rich game it wins so much
// that every limit is exceeded.
func (h *house) drawWay(t *rapid.T, numbers ball.Set, games int, rich bool) (w Way) {
	w.Bet = rapid.SampledFrom(h.book.BetIDs()).Draw(t, "bet")
	stakes := rapid.OneOf(rapid.Int64Range(1, 300), rapid.SampledFrom([]int64{100, 50, 10, 1, 33, 5_000}))
	if rich {
		stakes = rapid.Int64Range(400_000, 999_900)
	}
	w.Stake = money.Amount(stakes.Draw(t, "stake"))
	bet, _ := h.book.Bet(w.Bet)
	if calls, ok := bet.Calls(); ok {
		all := rapid.SampledFrom([]keno.Call{keno.Heads, keno.Tails, keno.Evens})
		w.Calls = rapid.SliceOfN(all, games, games).Draw(t, "calls")
		if rapid.Bool().Draw(t, "one call") {
			w.Calls = w.Calls[:1]
		}
		w.Run = calls.Run && rapid.Bool().Draw(t, "run")
	} else if race, ok := bet.Race(); ok {
		kind := rapid.SampledFrom(race.Types()).Draw(t, "type")
		w.Type = kind.ID
		copy(w.Rows[:kind.Places], rapid.Permutation([]keno.Row{1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, "rows"))
		if !kind.Ordered {
			slices.Sort(w.Rows[:kind.Places])
		}
	} else {
		w.Spots = h.drawSpots(t, w.Bet, numbers)
	}
	h.drawFeatures(t, &w, games)
	return w
}

// drawTotalCatch draws a way that wins the jackpot of 8 spots, which all rulebooks
// with jackpots have, if the numbers are drawn: so there are jackpots with several winners.
func (h *house) drawTotalCatch(t *rapid.T, numbers ball.Sequence, games int) Way {
	bet := h.book.BetIDs()[0]
	if policy, ok := h.book.Jackpots(); ok {
		bet = policy.Bets[0]
	}
	w := onSpots(bet, ball.MustOf(ball.Keno, numbers.Numbers()[:8]...),
		money.Amount(rapid.Int64Range(1, 1000).Draw(t, "stake")))
	h.drawFeatures(t, &w, games)
	return w
}

// drawSpots draws spots mostly among numbers that will be drawn, so that they win
// well.
func (h *house) drawSpots(t *rapid.T, bet string, numbers ball.Set) ball.Set {
	spots := ball.Empty(ball.Keno)
	size := rapid.SampledFrom(h.bets[bet]).Draw(t, "size")
	most := min(size, drawn)
	for range rapid.SampledFrom([]int{0, most / 2, most - 1, most, most}).Draw(t, "good") {
		spots = spots.With(rapid.SampledFrom(numbers.Minus(spots).Numbers()).Draw(t, "number"))
	}
	for spots.Len() < size {
		spots = spots.With(rapid.SampledFrom(ball.Full(ball.Keno).Minus(spots).Numbers()).Draw(t, "spot"))
	}
	return spots
}

// drawFeatures draws features where the rulebook has them, for all games or for
// some, whatever else it may say about them.
func (h *house) drawFeatures(t *rapid.T, w *Way, games int) {
	if f, ok := h.book.Feature(rulebook.FeatureMultiplier); ok && f.Allows(w.Bet) && rapid.Bool().Draw(t, "multiplier") {
		w.Multiplier = Side{w.Stake, rapid.IntRange(1, games).Draw(t, "multiplied")}
	}
	f, ok := h.book.Feature(rulebook.FeatureLuckyLast)
	if !ok || !f.Allows(w.Bet) || !rapid.Bool().Draw(t, "lucky last") {
		return
	}
	w.LuckyLast = Side{money.Amount(rapid.Int64Range(1, 1000).Draw(t, "on the last")), games}
	if rapid.Bool().Draw(t, "for a while") {
		w.LuckyLast.Games = rapid.IntRange(1, games).Draw(t, "lucky games")
	}
}

// seen counts what the random games had, so that a test can tell whether it saw
// what it is for.
type seen struct {
	reduced, carried, paidRuns, voids, dead int
	// Jackpots by the number of winning ways up to three; with stakes that differ,
	// with a bonus jackpot, and in a game whose major prizes are reduced.
	winners                     [4]int
	unequal, bonus, reducedWith int
	elsewhere                   int // won by others alone
}

// checkGames plays some games with an Open and with a plain list of plays.
func checkGames(t *rapid.T, h *house, seen *seen) {
	open, plays, place := NewOpen(7), []Play(nil), record.Place{Volume: 1}
	var history []Game
	for ordinal := uint32(8); ordinal < 8+uint32(rapid.IntRange(1, 5).Draw(t, "games")); ordinal++ {
		numbers, rich := drawOrder(t), rapid.Bool().Draw(t, "rich")
		hunt := rapid.IntRange(0, 2).Draw(t, "hunt") == 0
		sell := func(from uint32) {
			for range rapid.IntRange(0, 12).Draw(t, "tickets") {
				// Far places and new volumes begin new pages.
				place.Seq += rapid.SampledFrom([]uint64{1, 1, 1, 2, 1 << 31, 1 << 33}).Draw(t, "gap")
				place.Volume += rapid.SampledFrom([]uint16{0, 0, 0, 0, 1}).Draw(t, "volume")
				p := Play{Ticket: place, First: from + uint32(rapid.IntRange(0, 1).Draw(t, "delay"))}
				p.Last = p.First + rapid.SampledFrom([]uint32{0, 1, 1, 2, 4}).Draw(t, "more")
				for range rapid.IntRange(1, 5).Draw(t, "ways") {
					p.Ways = append(p.Ways, h.drawWay(t, numbers.Set(), p.games(), rich))
				}
				if hunt && rapid.Bool().Draw(t, "hunts") {
					p.Ways = append(p.Ways, h.drawTotalCatch(t, numbers, p.games()))
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
		if rapid.IntRange(0, 7).Draw(t, "void") == 0 {
			numbers = ball.Sequence{}
			seen.voids++
		}
		history = append(history, Game{Ordinal: ordinal, Numbers: numbers, Terms: h.terms})
		pots := h.drawPots(t)
		want := h.slow.settle(plays, ordinal, numbers.Numbers(), pots)
		if totals != want.totals {
			t.Fatalf("game %d closed with %+v, want %+v", ordinal, totals, want.totals)
		}
		out := checkOutcome(t, open, plays, history, pots, want)
		seen.note(numbers, want)
		h.slow.carry(plays, ordinal, want)
		if err := open.Carry(ordinal, out.Carries()); err != nil {
			t.Fatal(err)
		}
		checkRuns(t, h, open, plays, ordinal)
		if rapid.Bool().Draw(t, "drop") {
			if err := open.Drop(ordinal); err != nil {
				t.Fatal(err)
			}
			plays = slices.DeleteFunc(plays, func(p Play) bool { return p.Last <= ordinal })
		}
	}
}

// note counts what a game had.
func (s *seen) note(numbers ball.Sequence, want slowOutcome) {
	if want.majors != want.majorsAfter {
		s.reduced++
	}
	s.carried += len(want.carried)
	s.paidRuns += want.paidRuns
	for _, j := range want.jackpots {
		s.winners[min(len(j.ways), 3)]++
		if j.bonus {
			s.bonus++
		}
		if want.majors != want.majorsAfter {
			s.reducedWith++
		}
		if len(j.ways) == 0 {
			s.elsewhere++
			continue
		}
		if slices.ContainsFunc(j.ways, func(w *slowWay) bool { return w.main != j.ways[0].main }) {
			s.unequal++
		}
	}
	if numbers.IsValid() {
		thirds := 0
		for _, place := range slowRace(numbers.Numbers()) {
			if place == 3 {
				thirds++
			}
		}
		if thirds > 1 {
			s.dead++
		}
	}
}

// checkRuns holds the runs of open, and the tickets in the next game, against the
// twin's.
func checkRuns(t rapid.TB, h *house, open *Open, plays []Play, ordinal uint32) {
	t.Helper()
	var runs []Run
	var tickets []record.Place
	for _, p := range plays {
		in, nth := false, uint8(0)
		for i, w := range p.Ways {
			if !w.Run {
				in = in || p.First <= ordinal+1 && p.Last > ordinal
				continue
			}
			if amount := h.slow.running[slowName{p.Ticket, i}]; amount > 0 {
				runs, in = append(runs, Run{p.Ticket, nth, ordinal + 1, amount, true}), true
			} else if p.First > ordinal {
				runs = append(runs, Run{p.Ticket, nth, p.First, w.Stake + w.Multiplier.Stake, false})
				in = in || p.First == ordinal+1
			}
			nth++
		}
		if in {
			tickets = append(tickets, p.Ticket)
		}
	}
	if got := slices.Collect(open.Runs()); !slices.Equal(got, runs) {
		t.Fatalf("after game %d: runs %v\nwant %v", ordinal, got, runs)
	}
	if got := slices.Collect(open.Tickets(ordinal + 1)); !slices.Equal(got, tickets) {
		t.Fatalf("after game %d: tickets %v\nwant %v", ordinal, got, tickets)
	}
	if got := open.Totals(ordinal + 1); got.Plays != uint64(len(tickets)) {
		t.Fatalf("after game %d: %+v\nwant %d plays", ordinal, got, len(tickets))
	}
}

// checkOutcome holds the outcome of the last of some games against the twin's, and
// the prize of every play against the outcome.
func checkOutcome(t rapid.TB, open *Open, plays []Play, history []Game, pots Pots, want slowOutcome) *Outcome {
	t.Helper()
	game := &history[len(history)-1]
	out, err := settleOrVoid(open, game, pots)
	if err != nil {
		t.Fatal(err)
	}
	if out.Totals != want.totals || out.WinningWays != want.winningWays || out.Prizes != want.prizes ||
		out.CarriedOn != want.carriedOn ||
		out.CarriedWays != uint64(len(want.carried)) || out.Breakage != want.breakage || out.Majors != want.majors ||
		out.MajorsPaid != want.majorsAfter {
		t.Fatalf("game %d: %+v\nwant %+v", game.Ordinal, out, want)
	}
	game.Reductions = out.Reductions
	checkWon(t, game, out, want)
	file, err := DecodeWinners(out.Encode(Settlement{1, game.Ordinal, 1}))
	if err != nil {
		t.Fatal(err)
	}
	places := want.sortedPlaces()
	if file.Winners() != uint64(len(places)) || out.Winners() != file.Winners() || file.Prizes() != out.Prizes {
		t.Fatalf("game %d: %d winners of %v, want %d", game.Ordinal, file.Winners(), file.Prizes(), len(places))
	}
	i := 0
	for place, prize := range file.All() {
		if place != places[i] || prize != want.winners[place] {
			t.Fatalf("game %d: winner %d is %v with %v, want %v with %v", game.Ordinal, i, place, prize, places[i],
				want.winners[places[i]])
		}
		i++
	}
	for _, p := range plays {
		if p.First <= game.Ordinal && game.Ordinal <= p.Last {
			checkPrize(t, p, history, file, want)
		}
	}
	return out
}

func settleOrVoid(open *Open, game *Game, pots Pots) (*Outcome, error) {
	if !game.Numbers.IsValid() {
		return Void(open, game.Ordinal, game.Ordinal)
	}
	return Pass(open, game.Ordinal, game.Numbers, game.Terms, pots)
}

// newPots returns pools that have just been opened.
func newPots(terms *Terms) (pots Pots) {
	if terms.Jackpots() == nil {
		return pots
	}
	var err error
	if pots.Pools, _, err = terms.Jackpots().OpenAll(1); err != nil {
		panic(err)
	}
	return pots
}

// drawPots draws what the jackpots hold: nothing, a little, or a lot with a part of
// a cent.
func (h *house) drawPots(t *rapid.T) (pots Pots) {
	if h.terms.Jackpots() == nil {
		return pots
	}
	for _, spots := range h.terms.Jackpots().Spots() {
		primary := rapid.OneOf(rapid.Int64Range(0, 500_0000), rapid.Int64Range(0, 900_000_00_0000)).Draw(t, "primary")
		pots.Pools = append(pots.Pools, jackpot.Pool{Series: 1, Spots: uint8(spots), Primary: jackpot.Exact(primary),
			Secondary: 7})
	}
	policy, _ := h.book.Jackpots()
	if !policy.Pooled {
		return pots
	}
	if pots.Pooled = rapid.Bool().Draw(t, "pooled"); pots.Pooled || rapid.Bool().Draw(t, "alone") {
		return pots
	}
	pots.Elsewhere = map[uint8]jackpot.Elsewhere{}
	for _, p := range pots.Pools {
		pots.Elsewhere[p.Spots] = jackpot.Elsewhere{
			Growth: money.Amount(rapid.Int64Range(0, 1_000_000_00).Draw(t, "growth elsewhere")),
			Stakes: money.Amount(rapid.SampledFrom([]int64{0, 1, 100, 777}).Draw(t, "stakes elsewhere")),
		}
	}
	return pots
}

// checkPrize holds the prize of a play, found on its own and in words, against the
// winners file and the twin.
func checkPrize(t rapid.TB, p Play, history []Game, file *WinnersFile, want slowOutcome) {
	t.Helper()
	game := history[len(history)-1]
	var carried money.Amount
	for i := range p.Ways {
		carried += want.carried[slowName{p.Ticket, i}]
	}
	games := history[p.First-history[0].Ordinal:]
	prize, err := PrizeIn(p, games)
	if listed, won := file.Lookup(p.Ticket); err != nil || prize.Payable != listed || won != (listed > 0) ||
		prize.Carried != carried {
		t.Fatalf("game %d: ticket %+v wins %v (%v), and %v is listed and %v carried", game.Ordinal, p, prize, err, listed,
			carried)
	}
	lines, err := ExplainIn(p, games)
	var told money.Amount
	for _, l := range lines {
		if l.Last {
			told += l.Amount
		}
		if l.Text == "" || l.Clause == "" {
			t.Fatalf("game %d: ticket %v is told %+v", game.Ordinal, p.Ticket, l)
		}
	}
	if err != nil || told != prize.Payable+prize.Carried {
		t.Fatalf("game %d: ticket %v is told of %v (%v) in %+v, not of %v", game.Ordinal, p.Ticket, told, err, lines, prize)
	}
}

func TestPassAgreesWithTheRules(t *testing.T) {
	for _, b := range houses {
		t.Run(b.book+" "+b.schedule, func(t *testing.T) {
			h, seen := newHouse(t, b.book, b.schedule), seen{}
			rapid.Check(t, func(t *rapid.T) { checkGames(t, h.fresh(), &seen) })
			if seen.reduced == 0 || seen.voids == 0 || seen.dead == 0 {
				t.Errorf("the test did not see what it is for: %+v", seen)
			}
			if seen.winners[1] == 0 || seen.winners[2] == 0 || seen.winners[3] == 0 || seen.unequal == 0 ||
				seen.reducedWith == 0 {
				t.Errorf("the test did not see what it is for: %+v", seen)
			}
			if pooled := b.book == "vic-keno-2015"; pooled != (seen.bonus > 0) || pooled != (seen.elsewhere > 0) {
				t.Errorf("the test did not see what it is for: %+v", seen)
			}
			if runs := b.book == "vic-keno-2015"; runs != (seen.carried > 0) || runs != (seen.paidRuns > 0) {
				t.Errorf("the test did not see what it is for: %+v", seen)
			}
		})
	}
}

// TestPassAgreesWithOtherGames is the same for a wheel that multiplies and for a last number that pays by matches: with
// their own figures, and with limits that these games do not have.
func TestPassAgreesWithOtherGames(t *testing.T) {
	for _, id := range []string{"gr-kino-bonus", "mi-club-keno"} {
		t.Run(id, func(t *testing.T) {
			h, seen := newHouse(t, id, "published"), seen{}
			rapid.Check(t, func(t *rapid.T) { checkGames(t, h.fresh(), &seen) })
			rapid.Check(t, func(t *rapid.T) { checkGames(t, h.retune(t), &seen) })
			if seen.reduced == 0 || seen.voids == 0 {
				t.Errorf("the test did not see what it is for: %+v", seen)
			}
		})
	}
}

func TestPassAgreesWithOtherFigures(t *testing.T) {
	for _, h := range []*house{
		newHouse(t, "vic-keno-2015", "schedule-1"),
		newHouse(t, "tas-keno-2023", "settlement"),
		// Odd cents, of which a prize that runs is halved.
		houseOf(t, editedBook(t, "vic-keno-2015", "heads: 2\n        tails: 2", "heads: 1.37\n        tails: 2.03"),
			"schedule-1"),
	} {
		rapid.Check(t, func(t *rapid.T) { checkGames(t, h.retune(t), new(seen)) })
	}
}

func FuzzPass(f *testing.F) {
	var all []*house
	for _, b := range houses {
		all = append(all, newHouse(f, b.book, b.schedule))
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		checkGames(t, rapid.SampledFrom(all).Draw(t, "house").retune(t), new(seen))
	}))
}

// TestLongRun sells everything there is, settles and drops long enough that pages
// fill up, are thinned out and are joined.
func TestLongRun(t *testing.T) {
	for _, m := range []market{mixedVictoria, mixedTasmania} {
		t.Run(m.name, func(t *testing.T) { longRun(t, m) })
	}
}

func longRun(t *testing.T, m market) {
	h := newHouse(t, m.book, m.schedule)
	source := rand.New(rand.NewPCG(3, 4))
	open, place := NewOpen(0), uint64(0)
	var plays []Play
	var history []Game
	pages := 0
	for ordinal := uint32(1); ordinal <= 12; ordinal++ {
		for range 4000 {
			place += 1 + uint64(source.IntN(3))
			games := 1
			if source.IntN(3) == 0 {
				games += source.IntN(9)
			}
			p := Play{Ticket: at(place), First: ordinal, Last: ordinal + uint32(games) - 1}
			for range 1 + source.IntN(3) {
				p.Ways = append(p.Ways, m.way(source, games))
			}
			if err := open.Add(p); err != nil {
				t.Fatal(err)
			}
			plays = append(plays, p)
		}
		pages = max(pages, len(open.pages))
		if _, err := open.Close(ordinal); err != nil {
			t.Fatal(err)
		}
		history = append(history, Game{Ordinal: ordinal, Numbers: shuffled(source), Terms: h.terms})
		pots := newPots(h.terms)
		want := h.slow.settle(plays, ordinal, history[len(history)-1].Numbers.Numbers(), pots)
		out := checkOutcome(t, open, plays, history, pots, want)
		h.slow.carry(plays, ordinal, want)
		if err := errors.Join(open.Carry(ordinal, out.Carries()), open.Drop(ordinal)); err != nil {
			t.Fatal(err)
		}
		plays = slices.DeleteFunc(plays, func(p Play) bool { return p.Last <= ordinal })
		checkPlays(t, open, plays)
		checkRuns(t, h, open, plays, ordinal)
	}
	if pages < 3 || len(open.pages) == pages {
		t.Errorf("%d pages of %d are left: the run joined none", len(open.pages), pages)
	}
}

// shuffled draws the numbers of a game.
func shuffled(source *rand.Rand) ball.Sequence {
	order := source.Perm(int(ball.Keno))[:drawn]
	for i := range order {
		order[i]++
	}
	q, err := ball.NewSequence(ball.Keno, order...)
	if err != nil {
		panic(err)
	}
	return q
}

// checkPlays holds the tickets of open against a plain list.
func checkPlays(t *testing.T, open *Open, plays []Play) {
	t.Helper()
	i := 0
	for p := range open.Plays() {
		for i < len(plays) && !slices.ContainsFunc(plays[i].Ways, func(w Way) bool { return !w.Run }) {
			i++ // It has nothing but runs.
		}
		if i >= len(plays) || p.Ticket != plays[i].Ticket || p.First != plays[i].First || p.Last != plays[i].Last {
			t.Fatalf("play %d is %+v", i, p)
		}
		i++
	}
	for ; i < len(plays); i++ {
		if slices.ContainsFunc(plays[i].Ways, func(w Way) bool { return !w.Run }) {
			t.Fatalf("%+v is not open", plays[i])
		}
	}
}
