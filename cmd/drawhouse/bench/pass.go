package bench

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// passCmd measures the settlement of a game.
type passCmd struct {
	Ways   int  `default:"1000000" placeholder:"N" help:"Open ways, each of a ticket of its own (${default})."`
	Rounds int  `default:"101" placeholder:"N" help:"Rounds of each; the median counts (${default})."`
	JSON   bool `name:"json" help:"Write the report as JSON."`
}

// passReport is what a measurement of the pass came to.
type passReport struct {
	Machine     machine `json:"machine"`
	Ways        int     `json:"ways"`
	Rounds      int     `json:"rounds"`
	Times       float64 `json:"times_reading"` // the pass over reading
	PassNanos   float64 `json:"pass_ns_per_way"`
	ReadNanos   float64 `json:"reading_ns_per_way"`
	Bytes       float64 `json:"bytes_per_way"`
	WinningWays uint64  `json:"winning_ways"`
	PrizesCents int64   `json:"prizes_cents"`
}

// Run implements the command.
func (c *passCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--ways", c.Ways, 100_000_000),
		checkCount("--rounds", c.Rounds, 10_000)); err != nil {
		return err
	}
	report, err := c.measure()
	if err != nil {
		return err
	}
	if c.JSON {
		return console.WriteJSON(out, report)
	}
	fmt.Fprintf(out, "%s ways of as many tickets, %d rounds in turns, %v\n\n", console.Counted(c.Ways), c.Rounds,
		report.Machine)
	fmt.Fprintf(out, "pass     %6.2f ns a way: %s ways win %v\n", report.PassNanos, console.Counted(report.WinningWays),
		money.Amount(report.PrizesCents))
	fmt.Fprintf(out, "reading  %6.2f ns a way: the sum of as much memory, %.1f bytes a way\n", report.ReadNanos,
		report.Bytes)
	fmt.Fprintf(out, "ratio    %6.2f\n", report.Times)
	return nil
}

// measure settles the same game again and again, in turns with its yardstick. The
// yardstick is the sum of as many bytes as the open ways take, word by word, in
// one piece: nothing that looks at every way could be faster.
func (c *passCmd) measure() (*passReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	line.show("selling %s ways", console.Counted(c.Ways))
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		return nil, err
	}
	terms, err := settle.NewTerms(book, book.Schedules()[0].ID())
	if err != nil {
		return nil, err
	}
	var pots settle.Pots
	if pots.Pools, _, err = terms.Jackpots().OpenAll(1); err != nil {
		return nil, err
	}
	before := heapBytes()
	open, err := openWays(c.Ways)
	if err != nil {
		return nil, err
	}
	// With few ways, what was thrown away meanwhile may be more than they take; then the
	// bound on their memory stands for it.
	const mostWords = 4 // 32 bytes a way
	grown := mostWords * c.Ways
	if after := heapBytes(); after > before {
		grown = int((after - before) / 8)
	}
	words := make([]uint64, max(grown, 1))
	for i := range words {
		words[i] = uint64(i) // So that the memory is there.
	}
	numbers := ball.MustOf(ball.Keno, 2, 5, 9, 12, 17, 21, 26, 30, 33, 38, 41, 44, 47, 52, 58, 61, 66, 70, 75, 79)
	report := &passReport{Machine: thisMachine(), Ways: c.Ways, Rounds: c.Rounds,
		Bytes: float64(8*len(words)) / float64(c.Ways)}
	var passing, reading []float64
	for round := range c.Rounds {
		line.show("round %d of %d", round+1, c.Rounds)
		begin := time.Now()
		outcome, err := settle.Pass(open, 1, numbers, terms, pots)
		if err != nil {
			return nil, err
		}
		passing = append(passing, float64(time.Since(begin))/float64(c.Ways))
		report.WinningWays, report.PrizesCents = outcome.WinningWays, outcome.Prizes.Cents()
		begin = time.Now()
		total := sum(words)
		reading = append(reading, float64(time.Since(begin))/float64(c.Ways))
		runtime.KeepAlive(total) // So that the sum is made.
	}
	report.PassNanos, report.ReadNanos = median(passing), median(reading)
	report.Times = report.PassNanos / report.ReadNanos
	return report, nil
}

// openWays returns a closed game with tickets of one way each, of 1 to 10 numbers
// for one to five dollars.
func openWays(n int) (*settle.Open, error) {
	random, open := rand.New(rand.NewPCG(2026, 11)), settle.NewOpen(0)
	for i := range n {
		spots := ball.Empty(ball.Keno)
		for size := 1 + random.IntN(10); spots.Len() < size; {
			spots = spots.With(1 + random.IntN(80))
		}
		err := open.Add(settle.Play{
			Ticket: record.Place{Volume: 1, Seq: uint64(i)}, First: 1, Last: 1,
			Ways: []settle.Way{{Bet: "classic", Spots: spots, Stake: money.Dollar * money.Amount(1+random.IntN(5))}},
		})
		if err != nil {
			return nil, err
		}
	}
	_, err := open.Close(1)
	return open, err
}

// heapBytes returns how much memory is in use.
func heapBytes() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func sum(words []uint64) (total uint64) {
	for _, word := range words {
		total += word
	}
	return total
}
