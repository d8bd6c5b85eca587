package settle

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/record"
)

// market is a way to sell tickets.
type market struct {
	name        string
	ways, games int // up to so many
}

var markets = []market{
	{"single", 1, 1},      // one way in one game: the most tickets for the ways
	{"combination", 9, 1}, // 1 to 9 ways
	{"multigame", 1, 4},   // from this or a later game on, so that every page is mixed
}

// plays returns tickets with n ways or a few more, of 1 to 10 spots for one to five
// dollars.
func (m market) plays(n int) (plays []Play) {
	source := rand.New(rand.NewPCG(1, 2))
	for sold := 0; sold < n; {
		p := Play{Ticket: record.Place{Volume: 1, Seq: uint64(len(plays))}, First: 1 + uint32(source.IntN(m.games))}
		p.Last = p.First + uint32(source.IntN(m.games))
		for range 1 + source.IntN(m.ways) {
			spots := ball.Empty(ball.Keno)
			for size := 1 + source.IntN(10); spots.Len() < size; {
				spots = spots.With(1 + source.IntN(80))
			}
			p.Ways = append(p.Ways, Way{"classic", spots, money.Dollar * money.Amount(1+source.IntN(5))})
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
		for _, c := range p.columns {
			for _, word := range c.planes {
				total += word
			}
			for k := 0; k < 64; k += 2 {
				total += uint64(c.stake[k]) | uint64(c.stake[k+1])<<32
			}
			for k := 0; k < 64; k += 4 {
				total += uint64(c.ticket[k]) | uint64(c.ticket[k+1])<<16 | uint64(c.ticket[k+2])<<32 | uint64(c.ticket[k+3])<<48
			}
		}
	}
	return total
}

// sumTickets does the same with their tickets.
func sumTickets(open *Open) (total uint64) {
	for _, p := range open.pages {
		for k := range p.n {
			total += uint64(p.first[k]) | uint64(p.last[k])<<32
		}
		for k := 0; k < p.n; k += 2 {
			total += uint64(p.offset[k]) | uint64(p.offset[k+1])<<32
		}
	}
	return total
}

// bytes returns the memory that open holds for its plays.
func (o *Open) bytes() (n int) {
	for _, p := range o.pages {
		n += 12*pageTickets + 1024*len(p.columns)
	}
	return n
}

var benchNumbers = ball.MustOf(ball.Keno, 2, 5, 9, 12, 17, 21, 26, 30, 33, 38, 41, 44, 47, 52, 58, 61, 66, 70, 75, 79)

// BenchmarkPass measures a whole settlement, with the list of its winners, in turns
// with its yardstick: the sum of the same memory, word by word. Of each the best
// time counts, so that what else the machine does falls on neither.
func BenchmarkPass(b *testing.B) {
	terms := newHouse(b, "vic-keno-2015", "schedule-1").terms
	for _, m := range markets {
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
						if out, err = Pass(open, 1, benchNumbers, terms); err != nil {
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

func BenchmarkWinnersFile(b *testing.B) {
	terms := newHouse(b, "vic-keno-2015", "schedule-1").terms
	out, err := Pass(markets[0].open(b, 1_000_000), 1, benchNumbers, terms)
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
