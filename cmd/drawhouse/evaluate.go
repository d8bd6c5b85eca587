package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"drawhouse/games/evaluate"
)

// evaluateCmd settles the games of a file.
type evaluateCmd struct {
	Rulebook string `arg:"" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH."`
	File     string `arg:"" optional:"" help:"Tickets and draws as lines of JSON; standard input if absent or -."`
	Schedule string `placeholder:"ID" help:"The schedule of prizes, by id or by number; the one that the rulebook makes current if absent."`
	Explain  bool   `help:"Say for people how each prize came about and by which rule; with --json in the lines of JSON."`
	JSON     bool   `name:"json" help:"Write lines of JSON, which is so unless --explain is given."`
}

// Help shows a file to begin with.
func (c *evaluateCmd) Help() string {
	return `A file has one JSON object to a line: tickets, then the draw of their game.

  {"ticket":{"v":1,"rulebook":"vic-keno-2015","first":"open","games":1,"bets":[{"bet":"classic","spots":[3,17,42],"stake_cents":100}]},"id":"a","channel":"writer"}
  {"draw":{"game":417,"numbers":[3,17,42,1,2,4,5,6,7,8,9,10,11,12,13,14,15,16,18,19]}}

A ticket for several games plays on in the draws that follow. Before the first ticket that plays for a jackpot a line
says what that holds:

  {"pool":{"spots":7,"primary_cents":123450}}

The documentation of package evaluate has the rest.`
}

// Run implements the command. A file with faults gives all of them and no result:
// nobody should pay from half a file.
func (c *evaluateCmd) Run(out *bytes.Buffer) error {
	book, err := findBook("RULEBOOK", c.Rulebook)
	if err != nil {
		return err
	}
	in, name, err := c.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // It was only read.
	run, err := evaluate.New(book, evaluate.Options{File: name, Schedule: c.Schedule, Explain: c.Explain})
	if errors.As(err, new(*evaluate.UnknownSchedule)) {
		return misused("--schedule", err)
	}
	if err != nil {
		return err
	}
	results, err := c.read(run, in)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if err := run.End(); err != nil {
		return fmt.Errorf("%s has faults, and nothing of it was settled:\n%w", name, err)
	}
	out.Write(results)
	return nil
}

// open returns the input and the name by which faults call it.
func (c *evaluateCmd) open() (*os.File, string, error) {
	if c.File == "" || c.File == "-" {
		return os.Stdin, "stdin", nil
	}
	file, err := os.Open(c.File)
	if err != nil {
		return nil, "", misused("FILE", err)
	}
	return file, c.File, nil
}

// read takes the run through the input, line by line, and returns the results. A
// line that is too long for any ticket is cut, which the run refuses.
func (c *evaluateCmd) read(run *evaluate.Run, in *os.File) ([]byte, error) {
	bar := newBar(in)
	// The bar must be gone before the results come; they do not hang on it.
	defer func() { _, _ = bar.Clear(), bar.Exit() }()
	shown := progressbar.NewReader(in, bar)
	lines := bufio.NewReaderSize(&shown, evaluate.MaxLine+2)
	var results []byte
	for !run.Full() {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			if game := run.Line(line); game != nil {
				results = c.appendGame(results, game)
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (c *evaluateCmd) appendGame(results []byte, game *evaluate.Game) []byte {
	if c.Explain && !c.JSON {
		return game.AppendText(results)
	}
	return game.AppendJSON(results)
}

// newBar returns the bar that shows how far a file is read. It is seen on a
// terminal only, and gone when the results come.
func newBar(in *os.File) *progressbar.ProgressBar {
	size := int64(-1)
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		size = info.Size()
	}
	return progressbar.NewOptions64(size,
		progressbar.OptionSetDescription("evaluate"),
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetVisibility(term.IsTerminal(int(os.Stderr.Fd()))),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())
}
