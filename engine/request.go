package engine

import (
	"fmt"

	"drawhouse/counter"
	"drawhouse/ledger"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
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
	sold, postings, err := counter.Sell(e.state, c)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.append(now, sold, postings)
	return Answer{Entry: entry, Record: record.Record{Time: e.state.Now(), Postings: postings, Body: sold}}, err
}

// Pay pays what a ticket has won and was not yet paid.
func (e *Engine) Pay(now record.Time, c counter.Payment) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	return e.pay(now, c, nil)
}

// pay pays a ticket: by itself, or with the use of the approval of a payment by hand, on which
// no bonus falls.
func (e *Engine) pay(now record.Time, c counter.Payment, used record.Body) (Answer, error) {
	c.Now = max(now, e.state.Now()) // As the record will say.
	if err := staff.CheckTerminal(e.state, c.Request.Terminal); err != nil {
		return Answer{}, err
	}
	paid, postings, err := counter.Pay(e.state, c)
	if err != nil {
		return Answer{}, err
	}
	var bonus *record.BonusAllocated
	var extra []ledger.Posting
	if used == nil {
		if bonus, extra, err = counter.AllocateBonus(e.state, c); err != nil {
			return Answer{}, err
		}
	}
	series, _ := e.state.Series(c.Sold.Series)
	continues := counter.NeedsContinuation(e.state, series, c)
	entry, err := e.appendAfter(now, used, paid, postings)
	if err == nil && bonus != nil {
		e.mustFollow(now, bonus, extra)
	}
	if err == nil && continues {
		e.mustFollow(now, &record.PaperReissued{Request: c.Request, Of: c.Place, Claim: c.Continuation, Reason: record.ReissueContinuation}, nil)
	}
	return Answer{Entry: entry}, err
}

// mustFollow appends a record that belongs to the one before it. Without it nothing of
// them may become durable.
func (e *Engine) mustFollow(now record.Time, body record.Body, postings []ledger.Posting) {
	if _, err := e.append(now, body, postings); err != nil {
		panic(fmt.Sprintf("engine: a record that belongs to the one before it: %v", err))
	}
}

// Cancel gives back what a ticket has paid for games that have not closed.
func (e *Engine) Cancel(now record.Time, c counter.Cancellation) (Answer, error) {
	if answer, done, err := e.known(c.Request); done || err != nil {
		return answer, err
	}
	if err := staff.CheckCancel(e.state, max(now, e.state.Now()), c.Request.Terminal, c.Sold.Series); err != nil {
		return Answer{}, err
	}
	cancelled, postings, err := counter.Cancel(e.state, c)
	if err != nil {
		return Answer{}, err
	}
	entry, err := e.append(now, cancelled, postings)
	return Answer{Entry: entry}, err
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
		return Answer{}, false, &refusal.Refusal{Code: RequestBurned, Path: "number", Sentence: fmt.Sprintf("Request %d was given up. Use a new number.", r.Number)}
	case r.Body != t.Last.Body:
		return Answer{}, false, &refusal.Refusal{Code: RequestBodyOther, Path: "number", Sentence: fmt.Sprintf("Request %d was something else. Use a new number.", r.Number)}
	}
	return Answer{Entry: Entry{Place: t.Answer}, Repeated: true}, true, nil
}

func checkLeap(number, last uint64) error {
	if number-last <= maxLeap {
		return nil
	}
	return &refusal.Refusal{
		Code: RequestLeaps, Path: "number",
		Sentence: fmt.Sprintf("Request %d is too far above request %d, the last one.", number, last),
	}
}

func unknownTerminal(id uint32) error {
	return &refusal.Refusal{Code: TerminalUnknown, Path: "terminal", Sentence: fmt.Sprintf("There is no terminal %d.", id)}
}

func superseded(number, last uint64) error {
	return &refusal.Refusal{
		Code: RequestSuperseded, Path: "number",
		Sentence: fmt.Sprintf("Request %d comes before request %d, the last one of the terminal, and only that one is answered again. Use a higher number.", number, last),
	}
}
