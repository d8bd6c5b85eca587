package cases

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// Founder makes the house of a scenario.
type Founder func(Founding) (House, error)

// Run plays a scenario and returns the first line that is not as it says. Before each line after the first it does what
// is given to be done between lines.
func (f *File) Run(s Scenario, found Founder, between ...func() error) error {
	r := run{rulebook: f.Rulebook, book: f.Book, clause: f.Clause, tickets: map[string]Ticket{},
		papers: map[string]Paper{}}
	for i, line := range s {
		var err error
		if i == 0 {
			err = r.begin(line, found, f.Clause)
		} else {
			for _, do := range between {
				err = errors.Join(err, do())
			}
			if err == nil {
				err = r.line(line)
			}
		}
		if err != nil {
			return &Failure{f.Path, line, err}
		}
	}
	if err := r.check(); err != nil {
		return fmt.Errorf("%s:%d: after the scenario: %w", f.Path, s[len(s)-1].Number, err)
	}
	return nil
}

// A Failure is a line of a scenario that is not as it says. The lines before it were.
type Failure struct {
	Path string
	Line Line
	Err  error
}

func (f *Failure) Error() string {
	return fmt.Sprintf("%s:%d: %v\n%v", f.Path, f.Line.Number, f.Line, f.Err)
}
func (f *Failure) Unwrap() error { return f.Err }

// run is a scenario under way.
type run struct {
	rulebook string
	clause   string // whose case file this is
	book     *rulebook.Book
	house    House
	tickets  map[string]Ticket
	papers   map[string]Paper
	adopted  string // hash of the rulebook that was adopted last
}

// begin founds the house: house [SCHEDULE] [kind=VENUE] [other=VENUE] [machines] [balls] [successor] [unopened] [DATE].
func (r *run) begin(l Line, found Founder, clause string) error {
	var err error
	if r.book == nil {
		if r.book, err = rules.Book(r.rulebook); err != nil {
			return err
		}
	}
	f := Founding{Book: r.book, Schedule: r.book.Schedules()[0].ID(),
		Seed: fmt.Sprintf("%s %s %d", r.rulebook, clause, l.Number)}
	date := day.MustParse("2026-11-15")
	unopened := false
	for _, word := range strings.Fields(l.Operation)[1:] {
		if _, ok := r.book.Schedule(word); ok {
			f.Schedule = word
			continue
		}
		if strings.HasPrefix(word, "kind=") {
			f.Venue = rulebook.VenueKind(strings.TrimPrefix(word, "kind="))
			continue
		}
		if strings.HasPrefix(word, "other=") {
			f.Other = rulebook.VenueKind(strings.TrimPrefix(word, "other="))
			continue
		}
		if word == "machines" {
			f.Machines = true
			continue
		}
		if word == "balls" {
			f.Balls = true
			continue
		}
		if word == "successor" {
			if err := f.succeed(); err != nil {
				return err
			}
			r.book = f.Book
			continue
		}
		if word == "unopened" {
			unopened = true
			continue
		}
		if date, err = day.Parse(word); err != nil {
			return err
		}
	}
	f.Begin = Noon(date)
	if r.house, err = found(f); err != nil {
		return err
	}
	if unopened {
		return nil
	}
	return errors.Join(r.house.OpenDay(date), r.house.OpenGame())
}

// succeed founds the house by an edition of its rulebook for the successor system.
func (f *Founding) succeed() error {
	f.Base = f.Book
	text, _ := rulebook.SuccessorOf(f.Base)
	f.Text = []byte(text)
	var err error
	f.Book, err = rulebook.LoadOn("successor", f.Text, func(rulebook.Hash) (*rulebook.Book, bool) { return f.Base, true })
	return err
}

// Noon returns noon of a day where the scenarios are.
func Noon(d day.Day) time.Time {
	year, month, dom := d.Date()
	return time.Date(year, time.Month(month), dom, 12, 0, 0, 0, zone)
}

// line runs one line. One that expects nothing must merely be possible.
func (r *run) line(l Line) error {
	verb, rest, _ := strings.Cut(l.Operation, " ")
	do, ok := verbs[verb]
	if !ok {
		return fmt.Errorf("no such verb: %s", verb)
	}
	got, err := do(r, strings.TrimSpace(rest))
	var refused *refusal.Refusal
	switch {
	case errors.As(err, &refused) && l.Want != "":
		clause := refused.Clause
		if clause == "" {
			clause = "-"
		}
		got = fmt.Sprintf("refused %s %s", refused.Code, clause)
	case err != nil:
		return err
	}
	if l.Want != "" && got != l.Want {
		if refused != nil {
			got += ": " + refused.Sentence
		}
		return fmt.Errorf("got %s", got)
	}
	return nil
}

// verbs are what can happen in a house. Each returns what came of it.
var verbs = map[string]func(*run, string) (string, error){
	"claim": (*run).claim, "sign": (*run).sign, "note": (*run).note, "copies": (*run).copies,
	"unfetched": (*run).unfetched, "tell": (*run).tellHolder, "decide": (*run).decide,
	"settle-claim": (*run).settleClaim,
	"sell":         (*run).sell, "cancel": (*run).cancel, "pay": (*run).pay,
	"won": (*run).won, "explain": (*run).explain, "first": (*run).first,
	"close": (*run).close, "open": (*run).open, "draw": (*run).draw, "play": (*run).play,
	"end": (*run).end, "shut": (*run).shut, "day": (*run).day, "clock": (*run).clock,
	"schedule": (*run).schedule, "designate": (*run).designate,
	"participants": (*run).participants, "report": (*run).report, "share": (*run).share,
	"begin": (*run).beginDraw, "void": (*run).void, "pause": (*run).pause, "resume": (*run).resume,
	"announce": (*run).announce,
	"promote":  (*run).promote, "promote-item": (*run).promoteItem, "promotion": (*run).promotion,
	"lend": (*run).lend, "reallocate": (*run).reallocate, "set-aside": (*run).setAside,
	"next": (*run).next, "settle": (*run).settle, "issue": (*run).issue, "paper": (*run).paper, "plays": (*run).plays,
	"card": (*run).card, "exclude": (*run).exclude, "readmit": (*run).readmit, "funds": (*run).funds,
	"limit": (*run).limit, "freeze": (*run).freeze, "release": (*run).release, "disqualify": (*run).disqualify,
	"reinstate": (*run).reinstate, "invalidate": (*run).invalidate, "forfeit": (*run).forfeit,
	"undelivered": (*run).undelivered, "reprint": (*run).reprint, "replace": (*run).replaced, "undo": (*run).undo,
	"anonymous": (*run).anonymous,
	"cheque":    (*run).cheque, "promised": (*run).promised, "loss": (*run).loss, "bank": (*run).bank, "owes": (*run).owes,
	"pool": (*run).pool, "rate": (*run).rate, "account": (*run).account, "books": (*run).books, "game": (*run).game,
}

// phrase matches the words of an operation, or says what they should be.
func phrase(pattern *regexp.Regexp, text, should string) ([]string, error) {
	found := pattern.FindStringSubmatch(text)
	if found == nil {
		return nil, fmt.Errorf("%q should be %s", text, should)
	}
	return found[1:], nil
}

// number reads a number that a pattern has made sure of, or zero of nothing.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// check holds the books against themselves at the end of a scenario.
func (r *run) check() error {
	s, err := r.house.State()
	if err != nil {
		return err
	}
	return CheckBooks(s)
}

// series returns the games of the house.
func (r *run) series() (*state.State, *state.Series, error) {
	s, err := r.house.State()
	if err != nil {
		return nil, nil, err
	}
	current, ok := s.Series(series)
	if !ok {
		return nil, nil, errors.New("cases: the house has no games")
	}
	return s, current, nil
}
