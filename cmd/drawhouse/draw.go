package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/rulebook"
)

// drawCmd draws games as the generator device does, for laboratories.
type drawCmd struct {
	Rulebook string `arg:"" optional:"" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH: what is drawn. Not needed with --raw."`
	Games    *int64 `placeholder:"N" help:"Draw N games."`
	Format   string `enum:"csv" default:"csv" help:"How games are written: csv is one line a game, its numbers in the order drawn."`
	Raw      *int64 `placeholder:"BYTES" help:"Write so many bytes of the random source as the device reads them, and no games."`
}

// Run implements the command. It writes as it draws: its results can be larger
// than memory.
func (c *drawCmd) Run(con console.Streams) error {
	switch {
	case (c.Games == nil) == (c.Raw == nil):
		return misused("--games, --raw", errors.New("give one of them"))
	case c.Raw != nil && *c.Raw < 0:
		return misused("--raw", fmt.Errorf("%d is not a number of bytes", *c.Raw))
	case c.Raw != nil && c.Rulebook != "":
		return misused("RULEBOOK", errors.New("the bytes of the source are of no rulebook"))
	case c.Games != nil && *c.Games < 0:
		return misused("--games", fmt.Errorf("%d is not a number of games", *c.Games))
	case c.Games != nil && c.Rulebook == "":
		return misused("RULEBOOK", errors.New("give the rulebook whose games are drawn"))
	}
	if c.Raw != nil {
		return c.raw(con)
	}
	book, err := findBook("RULEBOOK", c.Rulebook)
	if err != nil {
		return err
	}
	return c.games(con, book)
}

// openSource opens the random source as a house does, watched by the tripwires of
// the device. Only the buffer differs: a house reads a number's bytes when the
// number is due and none ahead; here speed counts.
func openSource() (*draw.Source, error) {
	return draw.NewSource(bufio.NewReaderSize(rand.Reader, 1<<16))
}

// raw writes the bytes of the source.
func (c *drawCmd) raw(con console.Streams) error {
	source, err := openSource()
	if err != nil {
		return err
	}
	bar := labBar("bytes", *c.Raw, con.Stdout)
	defer endBar(bar)
	chunk := make([]byte, 1<<16)
	for left := *c.Raw; left > 0; left -= int64(len(chunk)) {
		chunk = chunk[:min(int64(len(chunk)), left)]
		if _, err := source.Read(chunk); err != nil {
			return err
		}
		if _, err := con.Stdout.Write(chunk); err != nil {
			return fmt.Errorf("write the bytes: %w", err)
		}
		advance(bar, len(chunk))
	}
	return nil
}

// games writes games.
func (c *drawCmd) games(con console.Streams, book *rulebook.Book) error {
	drawing, err := newDrawing(book)
	if err != nil {
		return err
	}
	bar := labBar("games", *c.Games, con.Stdout)
	defer endBar(bar)
	out := bufio.NewWriterSize(con.Stdout, 1<<16)
	var line []byte
	for game := range *c.Games {
		numbers, err := drawing.next()
		if err != nil {
			return err
		}
		line = line[:0]
		for i, n := range numbers {
			if i > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendUint(line, uint64(n), 10)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write game %d: %w", game+1, err)
		}
		if (game+1)%labStep == 0 {
			advance(bar, labStep)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the games: %w", err)
	}
	return nil
}

// drawing draws whole games, one after the other, with the source and the
// selector of the device.
type drawing struct {
	source  *draw.Source
	none    ball.Sequence
	pick    draw.Pick
	numbers []uint8 // of the last game
}

// newDrawing draws what a rulebook draws: keno's numbers, or all numbers of bingo
// in the order called.
func newDrawing(book *rulebook.Book) (*drawing, error) {
	var universe ball.Universe
	var take int
	if bingo, ok := book.Bingo(); ok {
		universe = bingo.Universe()
		take = int(universe)
	} else {
		of, numbers := book.Numbers()
		universe, take = ball.Universe(of), numbers
	}
	none, err := ball.NewSequence(universe)
	if err != nil {
		return nil, err
	}
	source, err := openSource()
	if err != nil {
		return nil, err
	}
	return &drawing{source: source, none: none, numbers: make([]uint8, take)}, nil
}

// next draws a game. The numbers are good until the next call.
func (d *drawing) next() ([]uint8, error) {
	selector, err := draw.NewSelector(d.none, d.source)
	if err != nil {
		return nil, err
	}
	for i := range d.numbers {
		if err := selector.NextInto(&d.pick); err != nil {
			return nil, err
		}
		d.numbers[i] = uint8(d.pick.Number)
	}
	return d.numbers, nil
}

// labStep is after how many games the bar of a long command moves.
const labStep = 10_000

// labBar returns the bar of a long command. It is seen only where errors go to a
// terminal and the results do not.
func labBar(unit string, total int64, results io.Writer) *progressbar.ProgressBar {
	toTerminal := false
	if file, ok := results.(*os.File); ok {
		toTerminal = term.IsTerminal(int(file.Fd()))
	}
	return progressbar.NewOptions64(max(total, 1),
		progressbar.OptionSetDescription(unit),
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetVisibility(!toTerminal && term.IsTerminal(int(os.Stderr.Fd()))),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())
}

// advance moves the bar. A bar that cannot be shown stops nothing.
func advance(bar *progressbar.ProgressBar, n int) { _ = bar.Add(n) }

// endBar takes the bar away.
func endBar(bar *progressbar.ProgressBar) { _, _ = bar.Clear(), bar.Exit() }
