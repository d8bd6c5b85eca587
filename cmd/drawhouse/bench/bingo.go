package bench

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/ball"
	"drawhouse/games/bingo"
	"drawhouse/rulebook/rules"
)

// bingoCmd measures how soon the winners of a call are known.
type bingoCmd struct {
	Boxes  int  `default:"1000000" placeholder:"N" help:"Boxes in play (${default})."`
	Rounds int  `default:"3" placeholder:"N" help:"Games of 90 calls; the median of each call counts (${default})."`
	JSON   bool `name:"json" help:"Write the report as JSON."`
}

// bingoReport is what a measurement of calls came to.
type bingoReport struct {
	Machine       machine `json:"machine"`
	Boxes         int     `json:"boxes"`
	Patterns      int     `json:"patterns"`
	MedianMicros  int64   `json:"median_call_us"`
	SlowestMicros int64   `json:"slowest_call_us"`
	ScanMicros    int64   `json:"scan_us"` // the yardstick: one look at every box
	Times         float64 `json:"scan_over_median_call"`
}

// Run implements the command.
func (c *bingoCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--boxes", c.Boxes, 10_000_000),
		checkCount("--rounds", c.Rounds, 100)); err != nil {
		return err
	}
	report, err := c.measure()
	if err != nil {
		return err
	}
	if c.JSON {
		return console.WriteJSON(out, report)
	}
	fmt.Fprintf(out, "%s boxes, %d patterns, %d games of 90 calls, %v\n\n", console.Counted(report.Boxes),
		report.Patterns, c.Rounds, report.Machine)
	fmt.Fprintf(out, "call     %s (median), %s (the slowest of the 90)\n", millis(report.MedianMicros),
		millis(report.SlowestMicros))
	fmt.Fprintf(out, "scan     %s: one look at every box\n", millis(report.ScanMicros))
	fmt.Fprintf(out, "ratio    %.1f scan to call\n", report.Times)
	return nil
}

// measure calls all numbers, in an order without a pattern in it, and beside every game
// looks once at each box: how many of its numbers were called.
func (c *bingoCmd) measure() (*bingoReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	line.show("making %s boxes", console.Counted(c.Boxes))
	patterns, strips, err := bingoStrips(c.Boxes)
	if err != nil {
		return nil, err
	}
	form := patterns.Form()
	numbers := int(form.Universe())
	calls := make([][]int64, numbers)
	var scans []int64
	report := &bingoReport{Machine: thisMachine(), Boxes: len(strips) * form.StripBoxes(), Patterns: patterns.Len()}
	for round := range c.Rounds {
		line.show("game %d of %d", round+1, c.Rounds)
		play, err := bingo.NewPlay(patterns, strips)
		if err != nil {
			return nil, err
		}
		changes := make([]bingo.Change, 0, play.Boxes())
		runtime.GC() // What making it has left is not the calls'.
		for i := range calls {
			begin := time.Now()
			if changes, err = play.Call(i*37%numbers+1, changes[:0]); err != nil {
				return nil, err
			}
			calls[i] = append(calls[i], time.Since(begin).Microseconds())
		}
		begin := time.Now()
		marked := scanStrips(form.Universe(), strips)
		scans = append(scans, time.Since(begin).Microseconds())
		runtime.KeepAlive(marked) // So that the scan is made.
	}
	medians := make([]int64, len(calls))
	for i, times := range calls {
		medians[i] = median(times)
	}
	report.MedianMicros, report.SlowestMicros, report.ScanMicros = median(medians), slices.Max(medians), median(scans)
	report.Times = float64(report.ScanMicros) / float64(max(report.MedianMicros, 1))
	return report, nil
}

// bingoStrips makes cards under the rules of New South Wales.
func bingoStrips(boxes int) (*bingo.Patterns, []bingo.Strip, error) {
	book, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		return nil, nil, err
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		return nil, nil, err
	}
	patterns, err := bingo.NewPatterns(form, book.Patterns())
	if err != nil {
		return nil, nil, err
	}
	maker, err := form.NewMaker(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	strips := make([]bingo.Strip, (boxes+form.StripBoxes()-1)/form.StripBoxes())
	for i := range strips {
		if strips[i], err = maker.Strip(); err != nil {
			return nil, nil, err
		}
	}
	return patterns, strips, nil
}

// scanStrips looks which numbers of every box are among half of all, and returns how many
// boxes have any.
func scanStrips(of ball.Universe, strips []bingo.Strip) (marked int) {
	drawn := ball.Empty(of)
	for n := 1; n <= int(of); n += 2 {
		drawn = drawn.With(n)
	}
	for i := range strips {
		for _, box := range strips[i] {
			if box.Mask(drawn) != 0 {
				marked++
			}
		}
	}
	return marked
}
