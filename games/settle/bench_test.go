package settle

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// market is a way to sell tickets.
type market struct {
	name           string
	book, schedule string
	ways, games    int // up to so many
	way            func(source *rand.Rand, games int) Way
}

var (
	mixedVictoria = market{"victoria", "vic-keno-2015", "schedule-1", 4, 5, victorianWay}
	mixedTasmania = market{"tasmania", "tas-keno-2023", "settlement", 4, 5, tasmanianWay}
)

var markets = []market{
	{"single", "vic-keno-2015", "schedule-1", 1, 1, classicWay},      // one way in one game: the most tickets for the ways
	{"combination", "vic-keno-2015", "schedule-1", 9, 1, classicWay}, // 1 to 9 ways
	// from this or a later game on, so that every page is mixed
	{"multigame", "vic-keno-2015", "schedule-1", 1, 4, classicWay},
	mixedVictoria, // everything that the rulebook sells
	mixedTasmania,
}

// randomSpots picks so many numbers.
func randomSpots(source *rand.Rand, size int) ball.Set {
	spots := ball.Empty(ball.Keno)
	for spots.Len() < size {
		spots = spots.With(1 + source.IntN(80))
	}
	return spots
}

// classicWay is on 1 to 10 spots for one to five dollars.
func classicWay(source *rand.Rand, _ int) Way {
	return onSpots("classic", randomSpots(source, 1+source.IntN(10)), money.Dollar*money.Amount(1+source.IntN(5)))
}

// victorianWay is on numbers, a third of them with the multiplier, or now and then
// on calls, which may run.
func victorianWay(source *rand.Rand, games int) Way {
	w := classicWay(source, games)
	switch source.IntN(10) {
	case 0, 1, 2:
		w.Multiplier = Side{w.Stake, 1 + source.IntN(games)}
	case 3:
		w = Way{Bet: "heads_or_tails", Calls: randomCalls(source, games), Stake: w.Stake}
		if w.Run = games > 1 && source.IntN(2) == 0; w.Run && source.IntN(2) == 0 {
			w.Multiplier = Side{w.Stake, games}
		}
	}
	return w
}

func randomCalls(source *rand.Rand, games int) []keno.Call {
	calls := make([]keno.Call, games)
	for i := range calls {
		calls[i] = keno.Heads + keno.Call(source.IntN(3))
	}
	if source.IntN(2) == 0 {
		return calls[:1]
	}
	return calls
}

// tasmanianWay is on numbers, some of them with features, on calls or on a race.
func tasmanianWay(source *rand.Rand, games int) Way {
	w := onSpots("standard", randomSpots(source, 1+source.IntN(15)), money.Dollar*money.Amount(1+source.IntN(5)))
	switch kind := source.IntN(10); kind {
	case 0:
		w.LuckyLast = Side{money.Dollar, games}
	case 1, 2:
		w.Spots = randomSpots(source, 1+source.IntN(6))
		w.Multiplier = Side{w.Stake, 1 + source.IntN(games)}
		if kind == 1 {
			w.LuckyLast = Side{money.Dollar, games}
		}
	case 3:
		w = Way{Bet: "heads_or_tails", Calls: randomCalls(source, games)[:1], Stake: w.Stake}
	case 4:
		w = Way{Bet: "racing", Type: "trio", Stake: w.Stake, Rows: [keno.MaxPlaces]keno.Row{1, 4, 8}}
		w.Rows[1] = keno.Row(2 + source.IntN(6))
	case 5:
		w = Way{Bet: "racing", Type: "place", Stake: w.Stake, Rows: [keno.MaxPlaces]keno.Row{keno.Row(1 + source.IntN(8))}}
	}
	return w
}

// plays returns tickets with n ways or a few more.
func (m market) plays(n int) (plays []Play) {
	source := rand.New(rand.NewPCG(1, 2))
	for sold := 0; sold < n; {
		p := Play{Ticket: record.Place{Volume: 1, Seq: uint64(len(plays))}, First: 1 + uint32(source.IntN(m.games))}
		p.Last = p.First + uint32(source.IntN(m.games))
		for range 1 + source.IntN(m.ways) {
			p.Ways = append(p.Ways, m.way(source, p.games()))
		}
		sold += len(p.Ways)
		plays = append(plays, p)
	}
	return plays
}

func (m market) open(b *testing.B, n int) *Open {
	b.Helper()
	open := NewOpen(0)
	for _, p := range m.plays(n) {
		if err := open.Add(p); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := open.Close(1); err != nil {
		b.Fatal(err)
	}
	return open
}

// sumWays adds up the memory of the ways, word by word, and touches nothing of
// their tickets.
func sumWays(open *Open) (total uint64) {
	for _, p := range open.pages {
		for i := range p.columns {
			c := &p.columns[i]
			total += sumWords(c.planes[:]) + sumStakes(&c.stake) + sumShorts(&c.ticket) + sumSide(c.side)
		}
		for i := range p.codes {
			c := &p.codes[i]
			total += sumWords(c.planes[:]) + sumStakes(&c.stake) + sumShorts(&c.ticket) + sumSide(c.side)
		}
	}
	for i := range open.runs {
		r := &open.runs[i]
		total += r.place + r.amount + (uint64(r.calls) | uint64(r.first)<<32) + (uint64(r.row) | uint64(r.games)<<16)
	}
	return total
}

func sumWords(words []uint64) (total uint64) {
	for _, word := range words {
		total += word
	}
	return total
}

func sumStakes(stakes *[64]uint32) (total uint64) {
	for k := 0; k < 64; k += 2 {
		total += uint64(stakes[k]) | uint64(stakes[k+1])<<32
	}
	return total
}

func sumShorts(shorts *[64]uint16) (total uint64) {
	for k := 0; k < 64; k += 4 {
		total += uint64(shorts[k]) | uint64(shorts[k+1])<<16 | uint64(shorts[k+2])<<32 | uint64(shorts[k+3])<<48
	}
	return total
}

func sumSide(s *side) (total uint64) {
	if s == nil {
		return 0
	}
	if s.multiplied != nil {
		total += sumShorts(s.multiplied)
	}
	if s.lucky != nil {
		total += sumStakes(s.lucky)
	}
	if s.luckyGames != nil {
		total += sumShorts(s.luckyGames)
	}
	return total
}

// sumTickets does the same with their tickets.
func sumTickets(open *Open) (total uint64) {
	for _, p := range open.pages {
		for k := 0; k < p.n; k += 2 {
			total += uint64(p.first[k]) | uint64(p.first[k+1])<<32
			total += uint64(p.offset[k]) | uint64(p.offset[k+1])<<32
		}
		for k := 0; k < p.n; k += 4 {
			total += uint64(p.more[k]) | uint64(p.more[k+1])<<16 | uint64(p.more[k+2])<<32 | uint64(p.more[k+3])<<48
		}
	}
	return total
}

// bytes returns the memory that open holds for its plays.
func (o *Open) bytes() (n int) {
	for _, p := range o.pages {
		n += 10*pageTickets + 1024*len(p.columns) + 640*len(p.codes)
		for i := range p.columns {
			n += p.columns[i].side.bytes()
			n += p.columns[i].numbering.bytes()
		}
		for i := range p.codes {
			n += p.codes[i].side.bytes()
		}
	}
	return n + 32*len(o.runs)
}

func (n *numbering) bytes() int {
	switch {
	case n == nil:
		return 0
	case n.high == nil:
		return 128
	}
	return 256
}

func (s *side) bytes() (n int) {
	if s == nil {
		return 0
	}
	if s.multiplied != nil {
		n += 128
	}
	if s.lucky != nil {
		n += 256
	}
	if s.luckyGames != nil {
		n += 128
	}
	return n
}

var benchNumbers = func() ball.Sequence {
	q, err := ball.NewSequence(ball.Keno, 2, 5, 9, 12, 17, 21, 26, 30, 33, 38, 41, 44, 47, 52, 58, 61, 66, 70, 75, 79)
	if err != nil {
		panic(err)
	}
	return q
}()

// BenchmarkPass measures a whole settlement, with the list of its winners, in turns
// with its yardstick: the sum of the same memory, word by word. Of each the best
// time counts, so that what else the machine does falls on neither.
func BenchmarkPass(b *testing.B) {
	for _, m := range markets {
		terms := newHouse(b, m.book, m.schedule).terms
		for _, n := range []int{100_000, 1_000_000, 10_000_000} {
			b.Run(fmt.Sprintf("%s/%d", m.name, n), func(b *testing.B) {
				open := m.open(b, n)
				var out *Outcome
				var total uint64
				ways, tickets, passing := time.Hour, time.Hour, time.Hour
				for b.Loop() {
					ways = min(ways, timed(func() { total += sumWays(open) }))
					tickets = min(tickets, timed(func() { total += sumTickets(open) }))
					passing = min(passing, timed(func() {
						var err error
						if out, err = Pass(open, 1, benchNumbers, terms, newPots(terms)); err != nil {
							b.Fatal(err)
						}
					}))
				}
				per := float64(open.ways)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(ways+tickets)/per, "sum-ns/way")
				b.ReportMetric(float64(passing)/per, "pass-ns/way")
				b.ReportMetric(float64(passing)/float64(ways+tickets), "pass/sum")
				b.ReportMetric(float64(passing)/float64(ways), "pass/sum-of-ways")
				b.ReportMetric(float64(open.bytes())/per, "bytes/way")
				b.ReportMetric(100*float64(out.WinningWays)/per, "%win")
			})
		}
	}
}

func timed(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

func BenchmarkAdd(b *testing.B) {
	for _, m := range markets {
		b.Run(m.name, func(b *testing.B) {
			plays, open, i := m.plays(100_000), NewOpen(0), uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				p := plays[i%uint64(len(plays))]
				p.Ticket.Seq = i
				if err := open.Add(p); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkDrop sells a million ways for seven games and drops three of them: more
// than half of the tickets go, and all others move up.
func BenchmarkDrop(b *testing.B) {
	m := markets[2]
	plays := m.plays(1_000_000)
	best := time.Hour
	for b.Loop() {
		open := NewOpen(0)
		for _, p := range plays {
			if err := open.Add(p); err != nil {
				b.Fatal(err)
			}
		}
		for ordinal := uint32(1); ordinal <= 3; ordinal++ {
			if _, err := open.Close(ordinal); err != nil {
				b.Fatal(err)
			}
		}
		best = min(best, timed(func() {
			if err := open.Drop(3); err != nil {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(best)/1e6, "ms/drop")
}

// BenchmarkClose measures what a close asks of a million ways: what is in the game,
// and what is staked for its jackpots.
func BenchmarkClose(b *testing.B) {
	m := mixedVictoria
	open, terms := m.open(b, 1_000_000), newHouse(b, m.book, m.schedule).terms
	for b.Loop() {
		open.Totals(1)
		open.JackpotStakes(1, terms.Jackpots())
	}
}

// BenchmarkCancel measures cancellations among a million ways.
func BenchmarkCancel(b *testing.B) {
	m := mixedVictoria
	plays := m.plays(1_000_000)
	best, cancelled := time.Hour, 0
	for b.Loop() {
		open := NewOpen(0)
		for _, p := range plays {
			if err := open.Add(p); err != nil {
				b.Fatal(err)
			}
		}
		cancelled = 0
		best = min(best, timed(func() {
			for i := 0; i < len(plays); i += 1000 {
				if _, err := open.Cancel(plays[i].Ticket, 0); err != nil {
					b.Fatal(err)
				}
				cancelled++
			}
		}))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(best)/1e3/float64(cancelled), "us/ticket")
}

func BenchmarkWinnersFile(b *testing.B) {
	terms := newHouse(b, "vic-keno-2015", "schedule-1").terms
	out, err := Pass(markets[0].open(b, 1_000_000), 1, benchNumbers, terms, newPots(terms))
	if err != nil {
		b.Fatal(err)
	}
	data := out.Encode(Settlement{1, 1, 1})
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			data = out.Encode(Settlement{1, 1, 1})
		}
		b.ReportMetric(float64(len(data))/float64(out.Winners()), "bytes/winner")
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(out.Winners()), "ns/winner")
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := DecodeWinners(data); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(out.Winners()), "ns/winner")
	})
	b.Run("lookup", func(b *testing.B) {
		f, err := DecodeWinners(data)
		if err != nil {
			b.Fatal(err)
		}
		seq := uint64(0)
		for b.Loop() {
			seq = (seq + 7919) % 1_000_000
			f.Lookup(record.Place{Volume: 1, Seq: seq})
		}
	})
}
