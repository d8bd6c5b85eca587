package counter

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/handover"
	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes of tickets of other systems.
const (
	OtherSystem   refusal.Code = "other_system"   // the ticket is of another system, and is claimed on a form
	TicketsFaulty refusal.Code = "tickets_faulty" // the file of open tickets has faults, or is not for this house
)

// HandedOver asks to take in the open tickets of another system.
type HandedOver struct {
	Now       record.Time
	Series    uint8
	Text      []byte
	Key       string // of the operator of that system, as handover.ParseKey reads it
	Reference string
	By        uint32
}

// TakeInTickets takes in the open tickets of another system from a file that its operator has
// signed. The money that is owed on them comes to the bank with them. A prize of which the file
// names no last day is claimed as long as the rules say, from the day of the file on; a stake that
// goes back has no end.
//
//rule:tas-keno-2023 3.2 14.1 14.3
func TakeInTickets(s *state.State, h HandedOver) (*record.TicketsTakenIn, []ledger.Posting, error) {
	series, err := seriesOf(s, h.Series)
	if err != nil {
		return nil, nil, err
	}
	key, err := handover.ParseKey(h.Key)
	if err != nil {
		return nil, nil, refuse(TicketsFaulty, "", "key", "The key is an Ed25519 public key: 32 bytes in base64.")
	}
	file, err := ReadTickets(h.Text, h.Key)
	if err != nil {
		return nil, nil, err
	}
	if err := checkHandover(s, series, file, series.Today(h.Now)); err != nil {
		return nil, nil, err
	}
	if h.Reference == "" {
		return nil, nil, refuse(ReasonMissing, "", "reference",
			"Give the reference of the decision that lets tickets of another system in.")
	}
	sum, err := file.Total()
	if err != nil {
		return nil, nil, err
	}
	taken := &record.TicketsTakenIn{Series: h.Series, System: file.System, Key: [32]byte(key), Text: h.Text,
		Tickets: uint32(len(file.Tickets)), Cents: sum, Reference: h.Reference, By: h.By}
	last := lastStep(series.Book)
	if taken.Clause = last.Quoted(); last.Then != ByForm {
		taken.Then = last.Then
		if taken.Until, err = lastUnclaimedDay(last.After, file.AsOf); err != nil {
			return nil, nil, err
		}
		for i, t := range file.Tickets {
			if t.Kind == handover.Prize && t.Until > taken.Until {
				return nil, nil, refuse(TicketsFaulty, taken.Clause, "text",
					"Line %d, until: prizes of a file as of %v are claimed until %v.", handover.Line(i), file.AsOf, taken.Until)
			}
		}
	}
	return taken, []ledger.Posting{ledger.Debit(ledger.Bank, 0, sum), ledger.Credit(ledger.OtherSystems, 0, sum)}, nil
}

// lastStep returns the last thing that becomes of prizes which nobody claims.
func lastStep(book *rulebook.Book) rulebook.Unclaimed {
	steps := book.Unclaimed()
	return steps[len(steps)-1]
}

// ReadTickets reads a file of open tickets, and refuses one that has faults with these.
func ReadTickets(text []byte, publicKey string) (*handover.File, error) {
	key, err := handover.ParseKey(publicKey)
	if err != nil {
		return nil, refuse(TicketsFaulty, "", "key", "The key is an Ed25519 public key: 32 bytes in base64.")
	}
	file, err := handover.Read(text, key)
	var faults handover.Faults
	if errors.As(err, &faults) {
		return nil, refuse(TicketsFaulty, "", "text", "The file has faults: %v.", faults)
	}
	return file, err
}

// checkHandover refuses a file that is for another rulebook or currency, of a day to come, or with a
// ticket that the house has taken in before.
func checkHandover(s *state.State, series *state.Series, file *handover.File, today day.Day) error {
	wrong := func(format string, args ...any) error { return refuse(TicketsFaulty, "", "text", format, args...) }
	switch {
	case !series.Book.Keno():
		return wrong("The rulebook of the series pays no prizes on claim forms.")
	case file.Rulebook != series.Book.ID():
		return wrong("The file has tickets by rulebook %s, and the series is played by %s.", file.Rulebook, series.Book.ID())
	case file.Currency != series.Book.Currency():
		return wrong("The file has amounts in %s, and the house pays in %s.", file.Currency, series.Book.Currency())
	case file.AsOf > today:
		return wrong("The file holds as of %v, which has not come.", file.AsOf)
	case s.OtherTickets()+len(file.Tickets) > state.MostOtherTickets:
		return wrong(
			"The house has taken in %d tickets of other systems; with the %d of the file it would have more than %d.",
			s.OtherTickets(), len(file.Tickets), state.MostOtherTickets)
	}
	for i := range file.Tickets {
		if known, twice := s.OtherTicket(file.Tickets[i].Code); twice {
			return wrong("Line %d, code: the house has taken this ticket in before, of %s.", handover.Line(i), known.System)
		}
	}
	return nil
}

// Lapsing is a record of tickets of another system that lapse, with its postings.
type Lapsing struct {
	Record   *record.TicketsLapsed
	Postings []ledger.Posting
}

// LapseOthers takes what is owed on tickets of other systems to where the rulebook sends unclaimed
// prizes, as the day begins after their last day. A ticket on an open form stays.
//
//rule:tas-keno-2023 14.1 14.3
func LapseOthers(s *state.State, series *state.Series, today day.Day) ([]Lapsing, error) {
	var all []Lapsing
	for _, f := range s.OtherFiles() {
		tickets, cents := s.LapsedOthers(f, today)
		if f.Series != series.ID || tickets == 0 {
			continue
		}
		to, ok := prizeAccounts[f.Then]
		if !ok {
			return nil, fmt.Errorf("counter: no account holds prizes at %q", f.Then)
		}
		all = append(all, Lapsing{
			&record.TicketsLapsed{Series: series.ID, Day: today, File: f.Place, To: f.Then, Clause: f.Clause,
				Tickets: tickets, Cents: cents},
			ledger.Merge(ledger.Debit(ledger.OtherSystems, 0, cents), ledger.Credit(to, 0, cents)),
		})
	}
	return all, nil
}

// RefuseOther is the refusal of a ticket of another system at a counter. It names the system and leads to the claim
// form if something is owed, or says why nothing is. The clause is that of the bar codes by which tickets of two
// systems are told apart, where the rulebook has one.
//
//rule:tas-keno-2023 3.2 3.2(a) 3.2(b) 13.4(a)
func RefuseOther(book *rulebook.Book, t state.OtherTicket, stands state.Standing, today day.Day) error {
	form := book.Claims().Form
	switch {
	case stands == state.OtherPaid:
		return refuse(OtherSystem, otherClause(book), "serial", "This is a ticket of %s. It was paid on a %s.", t.System,
			form)
	case stands == state.OtherClaimed:
		return refuse(OtherSystem, otherClause(book), "serial",
			"This is a ticket of %s. It is on a %s that is not paid yet.", t.System, form)
	case stands == state.OtherGone || t.Until != day.None && today > t.Until:
		return refuse(OtherSystem, t.Clause, "serial", "This is a ticket of %s. It could be claimed until %v.", t.System,
			t.Until)
	}
	until := "."
	if t.Until != day.None {
		until = fmt.Sprintf(", until %v.", t.Until)
	}
	return refuse(OtherSystem, otherClause(book), "serial",
		"This is a ticket of %s. %v is owed on it. Venues do not pay it: hand it in with a %s, for the reason \"retired\"%s",
		t.System, t.Cents, form, until)
}

// otherClause returns the clause that tells tickets of two systems apart, or that of claims.
func otherClause(book *rulebook.Book) string {
	for _, s := range book.Serials() {
		if s.Successor {
			return lastCited(s.Clause)
		}
	}
	return book.Claims().Quoted()
}

// otherPart returns what is owed on a ticket of another system, once, and in time. Venues have never
// paid such a ticket, so that it does not expire there.
//
//rule:tas-keno-2023 3.2 13.4(a) 14.3 15.1
func otherPart(s *state.State, series *state.Series, t state.OtherTicket, f ClaimForm) (record.ClaimPart, error) {
	rule := series.Book.Claims()
	switch stands := s.Stands(t); {
	case t.Series != series.ID:
		return record.ClaimPart{}, refuse(OtherSystem, otherClause(series.Book), "serials",
			"The ticket of %s is claimed in series %d.", t.System, t.Series)
	case f.Reason == record.ClaimExpired:
		return record.ClaimPart{}, refuse(NotExpired, rule.Quoted(), "reason",
			"Venues have never paid tickets of %s. Claim it for the reason \"retired\".", t.System)
	case stands == state.OtherPaid:
		return record.ClaimPart{}, refuse(AlreadyPaid, rule.Quoted(), "serials",
			"The ticket of %s was paid on a %s.", t.System, rule.Form)
	case stands == state.OtherClaimed:
		return record.ClaimPart{}, refuse(UnderClaim, rule.Quoted(), "serials",
			"The ticket of %s is on a %s that may still be paid.", t.System, rule.Form)
	case stands == state.OtherGone || t.Until != day.None && series.Today(f.Now) > t.Until:
		return record.ClaimPart{}, refuse(ClaimTooLate, t.Clause, "serials", "The ticket of %s could be claimed until %v.",
			t.System, t.Until)
	}
	return t.Part(), nil
}
