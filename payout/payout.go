// Package payout decides whether a ticket is paid, and how much.
//
// Which tickets won is settled: the winners file of each game says so, and its
// hash is in the journal. Decide takes what those files say of the ticket as
// facts, checks that they are the files that were settled, and recomputes every
// prize by itself: where the two differ nobody is paid and the house must look.
// TestPayRefusals and TestLife of package engine show it at work.
package payout

import (
	"fmt"

	"drawhouse/keno"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/serial"
	"drawhouse/settle"
	"drawhouse/state"
)

// The codes with which a payment is refused.
const (
	TerminalUnknown refusal.Code = "terminal_unknown"
	TicketUnknown   refusal.Code = "ticket_unknown"   // there is no such ticket
	ClaimCodeOther  refusal.Code = "claim_code_other" // the claim code is not the ticket's
	NotDrawn        refusal.Code = "not_drawn"        // none of its games has a result yet
	NoPrize         refusal.Code = "no_prize"         // it has won nothing so far
	AlreadyPaid     refusal.Code = "already_paid"     // all that it has won was paid
	TooLate         refusal.Code = "too_late"         // the time for claims at a venue has passed
	OverCashLimit   refusal.Code = "over_cash_limit"  // more than may be paid in cash
	FactsMissing    refusal.Code = "facts_missing"    // the result of a game came while the claim was prepared
	PrizeDisagrees  refusal.Code = "prize_disagrees"  // the settled prize is not the recomputed one
)

// Win is what the winners file of a game says of a ticket: nothing is zero cents.
type Win struct {
	Ordinal uint32
	Cents   money.Amount
	File    record.Hash // of the file that says so
}

// Command is a claim to decide.
type Command struct {
	Request record.Request
	Now     record.Time // when the claim is decided
	Place   record.Place
	Sold    *record.TicketSold // the record at Place
	Code    serial.ClaimCode
	Wins    []Win // for every settled game of the ticket
}

// Decide pays in cash what the ticket has won in its settled games and was not
// yet paid, or says why not.
//
//rule:vic-keno-2015 20(b) 20(c) 21(d)(i)
func Decide(s *state.State, c Command) (*record.TicketPaid, []ledger.Posting, error) {
	terminal, ok := s.Terminal(c.Request.Terminal)
	if !ok {
		return nil, nil, refuse(TerminalUnknown, "", "terminal", "There is no terminal %d.", c.Request.Terminal)
	}
	series, ok := s.Series(c.Sold.Series)
	if !ok {
		return nil, nil, refuse(TicketUnknown, "", "serial", "There is no such ticket.")
	}
	claim := serial.ClaimHash(c.Sold.Claim)
	if !claim.Matches(c.Code, c.Sold.Request.Terminal, c.Sold.Request.Number) {
		return nil, nil, refuse(ClaimCodeOther, "", "claim_code", "The claim code is not the one on the ticket.")
	}
	parts, err := payable(s, series, c)
	if err != nil {
		return nil, nil, err
	}
	paid := &record.TicketPaid{Request: c.Request, Session: terminal.Session + 1, Ticket: c.Place, Parts: parts}
	amount := paid.Amount()
	if err := checkCash(series.Book, amount); err != nil {
		return nil, nil, err
	}
	paid.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -amount}}
	return paid, []ledger.Posting{
		ledger.Debit(ledger.Prizes, 0, amount),
		ledger.Credit(ledger.Cash, terminal.Venue, amount),
	}, nil
}

// payable returns the prizes of the ticket that are due now.
func payable(s *state.State, series *state.Series, c Command) ([]record.PaidPart, error) {
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return nil, err
	}
	play := settle.PlayOf(series.Desk, c.Place, c.Sold.Ordinal, &ticket)
	wins := make(map[uint32]Win, len(c.Wins))
	for _, win := range c.Wins {
		wins[win.Ordinal] = win
	}
	var due []record.PaidPart
	var seen tally
	for ordinal := play.First; ordinal <= play.Last; ordinal++ {
		game, ok := series.Game(ordinal)
		if !ok || game.Phase != state.PhaseSettled {
			continue
		}
		seen.settled++
		cents, err := prizeIn(series, game, play, wins[ordinal])
		if err != nil {
			return nil, err
		}
		switch {
		case cents == 0:
		case s.Paid(c.Place, ordinal) != 0:
			seen.paid++
		case tooLate(series, game, c.Now):
			seen.late++
		default:
			due = append(due, record.PaidPart{Ordinal: ordinal, Cents: cents})
		}
	}
	if len(due) == 0 {
		return nil, seen.refusal(series.Book)
	}
	return due, nil
}

// prizeIn returns the prize of a ticket in a settled game, on which the winners
// file and a calculation made anew must agree.
func prizeIn(series *state.Series, game *state.Game, play settle.Play, win Win) (money.Amount, error) {
	if win.Ordinal != game.Ordinal || win.File != game.Settled.WinnersHash {
		return 0, refuse(FactsMissing, "", "", "The result of game %d has just come. Try again.", game.Ref.Number)
	}
	terms, err := settle.NewTerms(series.Book, game.Closed.Schedule)
	if err != nil {
		return 0, err
	}
	again, err := settle.PrizeIn(play, []settle.Game{{
		Ordinal: game.Ordinal, Numbers: game.Numbers, Terms: terms, Reductions: state.Reductions(&game.Settled),
	}})
	if err != nil {
		return 0, err
	}
	if again.Payable != win.Cents {
		return 0, refuse(PrizeDisagrees, "", "serial", "Game %d was settled at %v and comes to %v now. Call the central site; nothing is paid.", game.Ref.Number, win.Cents, again.Payable)
	}
	return win.Cents, nil
}

// tooLate reports whether the time for claims at a venue has passed: it runs from
// the Keno Day of each game, to the day of the month on which it began.
//
//rule:vic-keno-2015 21(d)(i)
func tooLate(series *state.Series, game *state.Game, now record.Time) bool {
	period := series.Book.Payout().Period
	last, err := game.Ref.Day.AddMonths(period.Months + 12*period.Years)
	if err == nil {
		last, err = last.AddDays(period.Days)
	}
	return err != nil || series.Today(now) > last
}

// checkCash refuses more than the rulebook lets a venue pay in cash.
//
//rule:vic-keno-2015 21(d)(i)
func checkCash(book *rulebook.Book, amount money.Amount) error {
	for _, method := range book.Payout().Methods {
		if method.ID == cash && method.UpTo != nil && amount > method.UpTo.Amount() {
			return refuse(OverCashLimit, method.Quoted(), "serial",
				"The ticket has won %v; a venue pays at most %v in cash, and this house pays in cash alone.", amount, method.UpTo.Amount())
		}
	}
	return nil
}

// cash is the id of the payout method that this house has.
const cash = "cash"

// tally counts why games gave nothing to pay.
type tally struct{ settled, paid, late int }

func (t tally) refusal(book *rulebook.Book) error {
	switch {
	case t.late > 0:
		period := book.Payout().Period
		return refuse(TooLate, period.Quoted(), "serial", "The time for claims at a venue has passed, %d months after the game's Keno Day.", period.Months+12*period.Years)
	case t.paid > 0:
		return refuse(AlreadyPaid, "", "serial", "What the ticket has won was paid.")
	case t.settled == 0:
		return refuse(NotDrawn, "", "serial", "The ticket's games have not been drawn.")
	}
	return refuse(NoPrize, "", "serial", "The ticket has not won.")
}

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}
