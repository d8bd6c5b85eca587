// Package bench measures: tickets a second, how long a draw takes, how soon screens have
// a number. Each measurement is a command, and is made beside a yardstick in the same
// run, in turns, so that what else the machine does falls on both and the ratio tells
// more than the figures. Houses under measurement are processes of this program, or in
// this process where one without HTTP is wanted, and what they wrote is verified.
//
// The scripts bench*.txtar of cmd/drawhouse run every one of them, small.
package bench

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"drawhouse/cmd/drawhouse/console"
)

// Cmd groups the measurements.
type Cmd struct {
	Sell   sellCmd   `cmd:"" help:"Durable tickets a second through the API, beside single commits."`
	Load   loadCmd   `cmd:"" help:"What customers meet as ever more of them come, up to ten times what can be served."`
	Draw   drawCmd   `cmd:"" help:"From the close of a game to its first payment, stage by stage."`
	Pass   passCmd   `cmd:"" help:"Settling a game, beside reading its ways from memory."`
	Books  booksCmd  `cmd:"" help:"Knowing a balance from the books while a journal grows, beside adding up its records."`
	Log    logCmd    `cmd:"" help:"What the public log costs: its size, what a draw waits for three witnesses, and following it."`
	Replay replayCmd `cmd:"" help:"Opening a house on its journal, beside reading the journal."`
	Bingo  bingoCmd  `cmd:"" help:"How soon the winners of a call are known, beside a look at every box."`
	All    allCmd    `cmd:"" help:"Every target beside its yardstick, and how cost grows with the number of tickets."`
	Live   liveCmd   `cmd:"" help:"How soon ten thousand screens have a number, beside bare sockets."`
}

// machine is what figures were measured on.
type machine struct {
	System string `json:"system"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
}

func thisMachine() machine {
	return machine{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version()}
}

func (m machine) String() string { return fmt.Sprintf("%d cores, %s, %s", m.Cores, m.System, m.Go) }

// median returns the middle of some values, the lower one of two.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// statusLine is one line on a terminal that says what is going on. Elsewhere it
// is nothing.
type statusLine struct{ terminal *os.File }

func newStatusLine(f *os.File) statusLine {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return statusLine{}
	}
	return statusLine{f}
}

// show replaces the line. One that cannot be written is no reason to stop.
func (s statusLine) show(format string, args ...any) {
	if s.terminal != nil {
		_, _ = fmt.Fprintf(s.terminal, "\r\x1b[K"+format, args...)
	}
}

// clear removes the line.
func (s statusLine) clear() { s.show("") }

// follow shows the line twice a second until the returned function is called.
func (s statusLine) follow(line func(elapsed time.Duration) string) (stop func()) {
	if s.terminal == nil {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	begin, tick := time.Now(), time.NewTicker(time.Second/2)
	go func() {
		defer close(done)
		for {
			s.show("%s", line(time.Since(begin)))
			select {
			case <-tick.C:
			case <-quit:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(quit)
		<-done
	}
}

// checkCount refuses none of something, and too many.
func checkCount(flag string, n, most int) error {
	if n < 1 || n > most {
		return console.Misused(flag, fmt.Errorf("%d is not from 1 to %d", n, most))
	}
	return nil
}

// checkLength checks how many seconds a measurement lasts, which may be a part of one.
func checkLength(flag string, seconds float64) error {
	if !(seconds >= 0.1 && seconds <= 3600) { // Not a number is neither.
		return console.Misused(flag, fmt.Errorf("%v is not from 0.1 to 3600", seconds))
	}
	return nil
}

func inSeconds(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
