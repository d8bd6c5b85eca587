package engine

import (
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// The codes with which a request is refused before it is looked into.
const (
	RequestSuperseded refusal.Code = "request_superseded" // a later request of the terminal was decided
	RequestBodyOther  refusal.Code = "request_body_other" // the number was used for something else
	RequestBurned     refusal.Code = "request_burned"     // the terminal asked what became of it before it arrived
	RequestLeaps      refusal.Code = "request_leaps"      // the number is too far above the last
	TerminalUnknown   refusal.Code = "terminal_unknown"   // no such terminal
)

// maxLeap is how far a terminal's numbers may rise at a time. Numbers never fall,
// so that one wrong request with the greatest number there is would silence its
// terminal for ever. It leaves room for terminals that number by the milliseconds
// of their clock.
const maxLeap = 1 << 42

// Answer is the record that answers a request. Data, Leaf and Record are empty when
// the request was Repeated: the record was written before and may be gone from memory.
type Answer struct {
	Entry
	Record   record.Record // of a sale: what Data says, so that nobody has to decode it
	Repeated bool
}

// Sell sells a ticket.
func (e *Engine) Sell(now record.Time, c counter.Sale) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	if err := e.attended(now, &c); err != nil {
		return Answer{}, err
	}
	sold, postings, err := counter.Sell(e.state, max(now, e.state.Now()), c)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.append(now, sold, postings)
	return Answer{Entry: entry, Record: record.Record{Time: e.state.Now(), Postings: postings, Body: sold}}, err
}

// Request does a command of a terminal, once for each number.
func (e *Engine) Request(now record.Time, c command.Request, env command.Env) (Answer, error) {
	if answer, done, err := e.known(c.Of()); done || err != nil {
		return answer, err
	}
	e.equip(now, &env)
	decision, err := c.Decide(e.state, &env)
	if err != nil {
		return Answer{}, err
	}
	done, err := e.carryOut(now, decision, &env)
	return Answer{Entry: done.Entry}, err
}

// Abandon says what became of a request. One that was not decided will not be any
// more: its number is burned, so that the terminal can safely ask anew under the
// next number.
func (e *Engine) Abandon(now record.Time, terminal uint32, number uint64) (Answer, error) {
	t, ok := e.state.Terminal(terminal)
	if !ok {
		return Answer{}, unknownTerminal(terminal)
	}
	switch {
	case number < t.Last.Number:
		return Answer{}, superseded(number, t.Last.Number)
	case number == t.Last.Number:
		return Answer{Entry: Entry{Place: t.Answer}, Repeated: true}, nil
	}
	if err := checkLeap(number, t.Last.Number); err != nil {
		return Answer{}, err
	}
	entry, err := e.append(now, &record.RequestBurned{Terminal: terminal, Number: number}, nil)
	return Answer{Entry: entry}, err
}

// Known returns the answer to a request that was decided before; it is Repeated
// if there is one.
func (e *Engine) Known(r record.Request) (Answer, error) {
	answer, _, err := e.known(r)
	return answer, err
}

// known finds the answer to a request that was decided before.
func (e *Engine) known(r record.Request) (answer Answer, done bool, err error) {
	t, ok := e.state.Terminal(r.Terminal)
	if !ok {
		return Answer{}, false, unknownTerminal(r.Terminal)
	}
	switch {
	case r.Number > t.Last.Number:
		return Answer{}, false, checkLeap(r.Number, t.Last.Number)
	case r.Number < t.Last.Number:
		return Answer{}, false, superseded(r.Number, t.Last.Number)
	case t.Burned:
		return Answer{}, false, &refusal.Refusal{Code: RequestBurned, Path: "request",
			Sentence: fmt.Sprintf("Request %d was given up. Use a new number.", r.Number)}
	case r.Body != t.Last.Body:
		return Answer{}, false, &refusal.Refusal{Code: RequestBodyOther, Path: "request",
			Sentence: fmt.Sprintf("Request %d was something else. Use a new number.", r.Number)}
	}
	return Answer{Entry: Entry{Place: t.Answer}, Repeated: true}, true, nil
}

func checkLeap(number, last uint64) error {
	if number-last <= maxLeap {
		return nil
	}
	return &refusal.Refusal{
		Code: RequestLeaps, Path: "request",
		Sentence: fmt.Sprintf("Request %d is too far above request %d, the last one.", number, last),
	}
}

func unknownTerminal(id uint32) error {
	return &refusal.Refusal{Code: TerminalUnknown, Path: "terminal",
		Sentence: fmt.Sprintf("There is no terminal %d.", id)}
}

func superseded(number, last uint64) error {
	return &refusal.Refusal{
		Code: RequestSuperseded, Path: "request",
		Sentence: fmt.Sprintf("Request %d comes before request %d, the last one of the terminal, and only that one is answered again. Use a higher number.", number, last),
	}
}
