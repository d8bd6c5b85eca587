package searcher

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/internal/cases"
	"drawhouse/internal/honest"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// World is a house in memory, and the honest book beside it.
type World struct {
	play *cases.Play
	tell *teller
	plan *plan

	// Lines are the acts that the house took, Asked all that were tried, and Tried counts those.
	Lines []string
	Asked []string
	Tried int

	tickets, papers []string
	cards, claims   int
	frozen          map[string]bool
	out             map[string]bool // disqualified
	days, entries   int
	refused         []string // the last lines that the house did not take
	ahead           []step   // what is left of a chain that was begun
	played          string   // the last line that played a game
}

// Begin founds a house under a rulebook. The book may be another than the one that is built
// in; nil stands for that one. The first line is that of a scenario.
func Begin(id string, book *rulebook.Book, seed, first string) (*World, error) {
	p, ok := plans[id]
	if !ok {
		return nil, fmt.Errorf("searcher: no plan for %s", id)
	}
	play, err := cases.NewPlay(id, book, seed, first)
	if err != nil {
		return nil, err
	}
	w := &World{play: play, plan: p, frozen: map[string]bool{}, out: map[string]bool{}, Lines: []string{first},
		Asked: []string{first}}
	w.tell = newTeller(play, honest.New(p.rules()))
	return w, w.tell.tell()
}

// newPapers names the papers that the end of a session may issue: all of these, because a paper
// without a name is fetched by nobody.
func (w *World) newPapers() string {
	names := " ="
	for n := range cases.MaxPapers {
		names += fmt.Sprintf(" P%d", w.nextPaper()+n)
	}
	return names
}

// nextPaper returns the number of the next paper's name. A list of acts that was made shorter may have names
// with gaps, and a name that is given twice would lose the first paper.
func (w *World) nextPaper() int {
	next := 1
	for _, name := range w.papers {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, "P")); err == nil {
			next = max(next, n+1)
		}
	}
	return next
}

// Do runs a line. It reports whether the house took it.
func (w *World) Do(line string) (taken bool, err error) {
	w.Tried++
	if strings.HasPrefix(line, "settle T") && !strings.Contains(line, " = ") {
		// A terminal may give its receipt for change by itself.
		line += w.newPapers()
	}
	w.Asked = append(w.Asked, line)
	before := w.tell.read
	defer func() {
		if failed := recover(); failed != nil {
			w.tell.found = append(w.tell.found, panicked("the house panics", failed))
		}
		if taken || w.tell.read > before {
			w.Lines = append(w.Lines, line)
		}
	}()
	switch verb, _, _ := strings.Cut(line, " "); verb {
	case "terminal":
		err = w.terminal(line)
	case "machine":
		err = w.play.Machine()
	case "restate":
		err = w.restate(line)
	case "ahead":
		err = w.openAhead(line)
	case "bare":
		err = w.payBare(line)
	default:
		_, err = w.play.Do(line)
	}
	if told := w.tell.tell(); told != nil {
		return false, told
	}
	if err != nil {
		w.refused = append(w.refused[max(0, len(w.refused)-8):], fmt.Sprintf("%s: %v", line, err))
		if broken(err) {
			w.tell.found = append(w.tell.found, Finding{"the house fails", "", err.Error()})
		}
		return false, err
	}
	w.note(line)
	return true, nil
}

// terminal runs a line that no case file has: terminal N shut, terminal N unwound AMOUNT, or terminal N
// keyed.
func (w *World) terminal(line string) error {
	var n uint32
	var act, amount string
	if count, err := fmt.Sscan(line[len("terminal "):], &n, &act, &amount); count < 2 {
		return fmt.Errorf("%s: %w", line, err)
	}
	switch act {
	case "shut":
		return w.play.Shut(n)
	case "keyed":
		return w.play.Key(n)
	}
	paid, err := money.Parse(amount)
	if err != nil {
		return err
	}
	return w.play.Unwind(n, paid)
}

// restate runs a line that no case file has: restate game N to NUMBERS. The ball machine drew
// those, and others were entered.
func (w *World) restate(line string) error {
	words := strings.Fields(line)
	if len(words) < 5 {
		return fmt.Errorf("%s: it says no numbers", line)
	}
	ordinal, err := strconv.ParseUint(words[2], 10, 32)
	if err != nil {
		return err
	}
	numbers, err := cases.Numbers(words[4:])
	if err != nil {
		return err
	}
	return w.play.Correct(uint32(ordinal), numbers)
}

// openAhead runs a line that no case file has: ahead DATE. The Keno Day is ended, and another is opened
// while the clock stays where it is.
func (w *World) openAhead(line string) error {
	date, err := day.Parse(line[len("ahead "):])
	if err != nil {
		return err
	}
	if s, _ := w.play.Engine.State().Series(1); s.DayOpen {
		if _, err := w.play.Do("end"); err != nil {
			return err
		}
	}
	return w.play.OpenDay(date)
}

// payBare runs a line that no case file has: bare NAME at TERMINAL. The terminal brings no claim code for
// the sheet on which games of the ticket go on.
func (w *World) payBare(line string) error {
	var name string
	var terminal uint32
	if _, err := fmt.Sscanf(line, "bare %s at T%d", &name, &terminal); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	ticket, ok := w.play.Ticket(name)
	if !ok {
		return fmt.Errorf("%s: there is no such ticket", line)
	}
	ticket.Bare = true
	_, err := w.play.Pay(terminal, ticket)
	return err
}

// broken reports whether an error is neither an answer nor a fault of the line.
func broken(err error) bool {
	refused := (*refusal.Refusal)(nil)
	if errors.As(err, &refused) {
		return false
	}
	return strings.HasPrefix(err.Error(), "engine:") || strings.HasPrefix(err.Error(), "state:")
}

// note remembers what a line has brought into the house.
func (w *World) note(line string) {
	words := strings.Fields(line)
	switch words[0] {
	case "sell":
		w.tickets = append(w.tickets, words[1])
	case "issue":
		w.papers = append(w.papers, words[1])
	case "settle":
		if _, names, ok := strings.Cut(line, " = "); ok {
			for _, name := range strings.Fields(names) {
				if _, ok := w.play.Paper(name); ok {
					w.papers = append(w.papers, name)
				}
			}
		}
	case "play":
		w.played = line
	case "card":
		w.cards++
	case "claim":
		w.claims++
	case "freeze", "release":
		for _, name := range words[1:] {
			if name == "paid" {
				break // What follows is the amount.
			}
			w.frozen[name] = words[0] == "freeze"
		}
	case "disqualify", "reinstate":
		w.out[words[1]] = words[0] == "disqualify"
	case "enter":
		w.entries++
	case "day":
		w.days++
	}
}

// Found returns what the honest book holds against the house so far.
func (w *World) Found() []Finding { return w.tell.found }

// owed returns what the customer at a terminal owes, below zero what is owed to the customer.
func (w *World) owed(terminal uint32) money.Amount {
	return w.play.Engine.State().Balances().OfUnit(ledger.Customer, terminal)
}

// open reports whether a customer session is open at a terminal.
func (w *World) open(terminal uint32) bool {
	t, _ := w.play.Engine.State().Terminal(terminal)
	return t.Open != nil
}

// place returns where a ticket or a paper stands.
func (w *World) place(name string) record.Place {
	if t, ok := w.play.Ticket(name); ok {
		return t.Place
	}
	p, _ := w.play.Paper(name)
	return p.Place
}

// panicked is the finding of a panic, with the function in which it came. A deferred function
// calls it, because the stack is then still the one of the panic.
func panicked(goal honest.Goal, failed any) Finding {
	where := ""
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls)])
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			where = "" // What panicked first is the deepest.
		case where == "" && strings.HasPrefix(frame.Function, "drawhouse/"):
			where = strings.TrimRight(frame.Function, ".0123456789") // A kind of finding knows no digits.
		}
		if !more {
			return Finding{goal, "", fmt.Sprintf("%v in %s", failed, where)}
		}
	}
}

// Verify has package verify read the journal. What it refuses is a finding.
func (w *World) Verify() {
	defer func() {
		if failed := recover(); failed != nil {
			w.tell.found = append(w.tell.found, panicked(panicsInVerify, failed))
		}
	}()
	report, err := w.play.Verify()
	if err == nil && !report.OK() {
		err = report.Failure
	}
	if err != nil {
		w.tell.found = append(w.tell.found, Finding{refusedByVerify, "", err.Error()})
	}
}

// The goals of a journal that the house has written and verify does not take.
const (
	refusedByVerify honest.Goal = "verify refuses the journal"
	panicsInVerify  honest.Goal = "verify panics"
)
