package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// benchCmd groups the measurements. Each measures beside a yardstick in the same
// run, in turns, so that what else the machine does falls on both and the ratio
// tells more than the figures.
type benchCmd struct {
	Sell   benchSellCmd   `cmd:"" help:"Durable tickets a second through the API, beside single commits."`
	Load   benchLoadCmd   `cmd:"" help:"What customers meet as ever more of them come, up to ten times what can be served."`
	Draw   benchDrawCmd   `cmd:"" help:"From the close of a game to its first payment, stage by stage."`
	Pass   benchPassCmd   `cmd:"" help:"Settling a game, beside reading its ways from memory."`
	Books  benchBooksCmd  `cmd:"" help:"Knowing a balance from the books while a journal grows, beside adding up its records."`
	Replay benchReplayCmd `cmd:"" help:"Opening a house on its journal, beside reading the journal."`
	Bingo  benchBingoCmd  `cmd:"" help:"How soon the winners of a call are known, beside a look at every box."`
	All    benchAllCmd    `cmd:"" help:"Every target beside its yardstick, and how cost grows with the number of tickets."`
	Live   benchLiveCmd   `cmd:"" help:"How soon ten thousand screens have a number, beside bare sockets."`
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

// counted returns a number with its thousands set apart.
func counted[T int | uint64 | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// writeIndented writes a report for programs.
func writeIndented(w io.Writer, report any) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
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
		return misused(flag, fmt.Errorf("%d is not from 1 to %d", n, most))
	}
	return nil
}
