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
	"slices"
	"strings"

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
	TicketCancelled refusal.Code = "ticket_cancelled" // it was given back before its first game
	ClaimCodeOther  refusal.Code = "claim_code_other" // the claim code is not the ticket's
	NotDrawn        refusal.Code = "not_drawn"        // none of its games has a result yet
	NoPrize         refusal.Code = "no_prize"         // it has won nothing so far
	AlreadyPaid     refusal.Code = "already_paid"     // all that it has won was paid
	TooLate         refusal.Code = "too_late"         // the time for claims at a venue has passed
	OverCashLimit   refusal.Code = "over_cash_limit"  // more than may be paid in cash
	FactsMissing    refusal.Code = "facts_missing"    // the result of a game came while the claim was prepared
	PrizeDisagrees  refusal.Code = "prize_disagrees"  // the settled prize is not the recomputed one
	HeldBack        refusal.Code = "held_back"        // prizes of a delayed start game are paid from the next Keno Day on
)

// Win is what the winners files of a game say of a ticket together: nothing is zero
// cents.
type Win struct {
	Ordinal uint32
	Cents   money.Amount
	Files   []record.Hash // of the files that say so, one for each revision
}

// Command is a claim to decide.
type Command struct {
	Request record.Request
	Now     record.Time // when the claim is decided
	Place   record.Place
	Sold    *record.TicketSold // the record at Place
	Code    serial.ClaimCode
	Wins    []Win // for every settled game of the ticket
	// Entropy decides what bonus falls on the ticket; it is needed where promotions
	// on ready tickets are offered.
	Entropy []byte
}

// Decide pays in cash what the ticket has won in its settled games and was not
// yet paid, or says why not.
//
//rule:vic-keno-2015 20(b) 20(c) 21(d)(i)
//rule:tas-keno-2023 11.3
//rule:casino-keno-div2 8.4
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
	parts, refund, err := payable(s, series, c)
	if err != nil {
		return nil, nil, err
	}
	opening := c.Code.Opening(c.Sold.Request.Terminal, c.Sold.Request.Number)
	paid := &record.TicketPaid{
		Request: c.Request, Session: terminal.Session + 1, Ticket: c.Place, Opening: record.Hash(opening), Series: series.ID, Parts: parts, RefundCents: refund,
	}
	amount := paid.Amount()
	if err := checkCash(series.Book, amount); err != nil {
		return nil, nil, err
	}
	paid.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -amount}}
	return paid, ledger.Merge(
		ledger.Debit(ledger.Prizes, 0, amount-refund),
		ledger.Debit(ledger.Refunds, 0, refund),
		ledger.Credit(ledger.Cash, terminal.Venue, amount),
	), nil
}

// payable returns what is due to the ticket now, and what of it are stakes of void
// games. A game that was paid and settled anew since is owed the difference.
func payable(s *state.State, series *state.Series, c Command) (due []record.PaidPart, refunds money.Amount, err error) {
	play, last, err := playOf(s, series, c)
	if err != nil {
		return nil, 0, err
	}
	games, err := overGames(s, series, play.First, last)
	if err != nil {
		return nil, 0, err
	}
	wins := make(map[uint32]Win, len(c.Wins))
	for _, win := range c.Wins {
		wins[win.Ordinal] = win
	}
	seen := tally{settled: len(games)}
	for i := range games {
		g, _ := series.Game(games[i].Ordinal)
		cents, err := prizeIn(g, play, games[:i+1], wins[g.Ordinal])
		if err != nil {
			return nil, 0, err
		}
		refund := refundIn(g, &play)
		paid := s.Paid(c.Place, g.Ordinal)
		switch cents += refund; {
		case cents == 0:
		case paid >= cents:
			seen.paid++
		case tooLate(s.BookOf(g), series, g, c.Now):
			seen.late++
		case isHeld(s.BookOf(g), series, g):
			seen.held++
		default:
			due = append(due, record.PaidPart{Ordinal: g.Ordinal, Cents: cents - paid})
			refunds += refund
		}
	}
	if len(due) == 0 {
		return nil, 0, seen.refusal(series.Book)
	}
	return due, refunds, nil
}

// refundIn returns the stakes of a play that go back because a game, or one that was
// played along with it, is void.
//
//rule:casino-keno-div2 11.6
func refundIn(g *state.Game, play *settle.Play) (sum money.Amount) {
	if g.Phase != state.PhaseVoid || g.Void.Deferred {
		return 0
	}
	for _, ordinal := range append([]uint32{g.Ordinal}, g.Closed.Deferred...) {
		sum += play.StakesIn(ordinal)
	}
	return sum
}

// playOf returns what the ticket plays, and up to which game: its last, or that
// before it was cancelled.
func playOf(s *state.State, series *state.Series, c Command) (play settle.Play, last uint32, err error) {
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return play, 0, err
	}
	play = settle.PlayOf(s.DeskFor(series, c.Sold.Ordinal), c.Place, c.Sold.Ordinal, &ticket)
	last = play.Last
	if cancelled, ok := s.Cancelled(c.Place); ok {
		if last = cancelled.Shorten(&play); last < play.First {
			return play, 0, refuse(TicketCancelled, series.Book.Cancellation().Quoted(), "serial", "The ticket was cancelled before its first game.")
		}
	}
	return play, last, nil
}

// overGames returns the games of a ticket that are settled or void: they are the
// first ones, because games end in their order. Behind them stands a game that is
// none of the ticket's, if the last of those was void and was played along with it.
//
//rule:tas-keno-2023 11.2
func overGames(s *state.State, series *state.Series, first, last uint32) ([]settle.Game, error) {
	var games []settle.Game
	for ordinal := first; ordinal <= last; ordinal++ {
		g, ok := series.Game(ordinal)
		if !ok || !g.Phase.IsOver() {
			break
		}
		over, err := s.SettledIn(series, g)
		if err != nil {
			return nil, err
		}
		games = append(games, over)
		last = max(last, g.PlayedWith)
	}
	return games, nil
}

// prizeIn returns the prize of a ticket in the last of some games, on which the
// winners files and a calculation made anew must agree.
func prizeIn(game *state.Game, play settle.Play, games []settle.Game, win Win) (money.Amount, error) {
	if win.Ordinal != game.Ordinal || !slices.Equal(win.Files, game.Winners) {
		return 0, refuse(FactsMissing, "", "", "The result of game %d has just come. Try again.", game.Ref.Number)
	}
	again, err := settle.PrizeIn(play, play.Needs(games))
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
//rule:casino-keno-div2 9.1
func tooLate(book *rulebook.Book, series *state.Series, game *state.Game, now record.Time) bool {
	period := book.Payout().Period
	last, err := game.Ref.Day.AddMonths(period.Months + 12*period.Years)
	if err == nil {
		last, err = last.AddDays(period.Days)
	}
	return err != nil || series.Today(now) > last
}

// isHeld reports whether the prizes of a game wait for the next Keno Day.
//
//rule:vic-keno-2015 21(h)
func isHeld(book *rulebook.Book, series *state.Series, g *state.Game) bool {
	return book.Games().Delayed.PaidNextDay && g.Delayed && series.Day <= g.Ref.Day
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
type tally struct{ settled, paid, late, held int }

func (t tally) refusal(book *rulebook.Book) error {
	switch {
	case t.held > 0:
		cited := strings.Fields(book.Games().Delayed.Clause) // The last says when such prizes are paid.
		return refuse(HeldBack, cited[len(cited)-1], "serial", "Prizes of a delayed start game are paid from the next Keno Day on.")
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
