package counter

import (
	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a cancellation is refused.
const (
	OtherVenue   refusal.Code = "other_venue"  // the ticket was sold elsewhere
	OtherDay     refusal.Code = "other_day"    // the Keno Day of the sale is over
	NothingLeft  refusal.Code = "nothing_left" // every game of the ticket is closed
	TooFarPlayed refusal.Code = "too_far"      // so long a ticket has played too many games
)

// Cancellation is a ticket that somebody wants to give back.
type Cancellation struct {
	Request record.Request
	Place   record.Place
	Sold    *record.TicketSold // the record at Place
	Code    serial.ClaimCode
	// InSession says that the refund is settled with others at the end of the session.
	InSession bool
	// Expect is what the terminal thinks goes back; nil if it does not say.
	Expect *money.Amount
	// Void says that two persons void a ticket that was not handed over: nobody has its
	// claim code.
	Void bool
}

// Cancel gives back what a ticket has paid for games that have not closed, all of
// them, with the features in those games. A prize that runs on is paid instead of
// played. A game leaves with its close: anybody who might still cancel would see part
// of the result.
//
//rule:vic-keno-2015 17(a)(i) 17(a)(ii) 17(b) 17(c) 17(d) 17(f)(i) 17(f)(ii)
//rule:tas-keno-2023 8.1 8.2 8.3 8.4
//rule:casino-keno-div2 6.1 6.2
func Cancel(s *state.State, c Cancellation) (*record.TicketCancelled, []ledger.Posting, error) {
	terminal, err := terminalOf(s, c.Request.Terminal)
	if err != nil {
		return nil, nil, err
	}
	series, ok := s.Series(c.Sold.Series)
	if !ok {
		return nil, nil, refuse(SeriesUnknown, "", "serial", "There is no such ticket.")
	}
	opening, err := c.opening(s)
	if err != nil {
		return nil, nil, err
	}
	if err := c.checkSession(s, series, terminal); err != nil {
		return nil, nil, err
	}
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return nil, nil, err
	}
	stop, _ := s.Stopped(c.Place)
	if !stop.Invalid { // One that a change of the rules made invalid goes back anywhere.
		if err := checkCancel(s, series, terminal, c.Sold, ticket.First.Day); err != nil {
			return nil, nil, err
		}
	}
	desk := s.DeskFor(series, c.Sold.Ordinal)
	play := settle.PlayOf(desk, c.Place, c.Sold.Ordinal, &ticket)
	kept := max(series.Open.Closed(), play.First-1)
	holding, ok := series.Open.Holding(c.Place)
	if !ok || holding.Last <= kept {
		return nil, nil, refuse(NothingLeft, series.Book.Cancellation().Quoted(), "serial",
			"Every game of the ticket is closed or cancelled.")
	}
	if err := checkCancelLength(series, &play, kept); err != nil && !stop.Invalid {
		return nil, nil, err
	}
	refund, err := refundAfter(&play, kept)
	if err != nil {
		return nil, nil, err
	}
	carried, unwon := carriedAfter(series, holding, &play, kept)
	refund += unwon
	if err := checkExpected(c.Expect, refund+carried); err != nil {
		return nil, nil, err
	}
	venue, _ := s.Venue(terminal.Venue)
	lots := s.GivesBack(c.Place, refund)
	dues := Dues{Total: refund + carried, Channel: terminal.Channel, Venue: venue.Kind, Limit: venue.CashLimit}
	dues.stake(s, series.Book, terminal.ID, lots)
	if carried > 0 {
		lots = append(lots, state.Lot{ID: state.OriginPrize, Of: c.Place, Cents: carried})
	}
	if err := checkBack(series.Book, terminal, venue, lots); err != nil {
		return nil, nil, err
	}
	if err := checkTicketAt(s, series.Book, terminal, venue, c.Place, carried, lots); err != nil {
		return nil, nil, err
	}
	if dues.Lots = lots; !c.InSession {
		if err := InCash(series.Book, dues); err != nil && dues.Total > 0 {
			return nil, nil, err
		}
	}
	cancelled := &record.TicketCancelled{
		Request: c.Request, Session: terminal.NextSession(), Ticket: c.Place, Opening: opening, Series: series.ID,
		Kept:        kept,
		RefundCents: refund, CarriedCents: carried, UnwonCents: unwon,
		Released: releasedExposures(desk.Exposures(ticket), play.First, kept),
	}
	to := ledger.Credit(ledger.Customer, terminal.ID, refund+carried)
	if !c.InSession {
		cancelled.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -(refund + carried)}}
		to = ledger.Credit(ledger.Cash, terminal.Venue, refund+carried)
	}
	if refund+carried == 0 {
		// What runs is in a game that is being drawn: nothing moves now, and what it wins
		// there is due instead of running on.
		return cancelled, nil, nil
	}
	return cancelled, []ledger.Posting{ledger.Debit(ledger.Unplayed, 0, refund+carried), to}, nil
}

// opening returns what the cancellation shows of the claim code on a sheet that opens. A
// ticket that was not handed over has none that anybody holds.
func (c *Cancellation) opening(s *state.State) (record.Hash, error) {
	if c.Void {
		if !s.Undelivered(c.Place) {
			return record.Hash{}, refuse(NotUndelivered, "", "serial",
				"The ticket was handed over; only its holder can give it back.")
		}
		return record.Hash{}, nil
	}
	return Opening(s, c.Place, c.Sold.Claim, c.Sold.Request, c.Code)
}

// checkSession refuses a ticket on which payment is stopped, and a refund that does not go with the session
// that is open.
//
//rule:tas-keno-2023 16.2
func (c *Cancellation) checkSession(s *state.State, series *state.Series, terminal state.Terminal) error {
	if stop, _ := s.Stopped(c.Place); stop.Frozen || stop.Disqualified {
		return refuse(Frozen, stop.Clause, "serial", "The ticket is stopped: %s.", stop.Reason)
	}
	return checkOpen(&terminal, series, c.InSession, "cancel")
}

// checkCancel checks where and when a ticket may be cancelled.
//
//rule:vic-keno-2015 17(a)(i) 17(a)(ii)
//rule:tas-keno-2023 8.1 8.4
//rule:casino-keno-div2 6.2
func checkCancel(s *state.State, series *state.Series, terminal state.Terminal, sold *record.TicketSold,
	on day.Day) error {
	rule := series.Book.Cancellation()
	seller, _ := s.Terminal(sold.Request.Terminal)
	if rule.SameVenue && seller.Venue != terminal.Venue {
		return refuse(OtherVenue, rulebook.Quoted(rule.VenueClause), "terminal",
			"The ticket can be cancelled only where it was bought.")
	}
	if rule.SameDay && (!series.DayOpen || series.Day != on) {
		return refuse(OtherDay, rulebook.Quoted(rule.DayClause), "serial",
			"The ticket could be cancelled only on the Keno Day on which it was bought.")
	}
	return nil
}

// checkCancelLength refuses a long ticket of which too many games were drawn. The first number of
// the game counts and not its close: between the two the games after it can be given back.
// One that was drawn and declared void was drawn.
//
//rule:vic-keno-2015 17(c)
func checkCancelLength(series *state.Series, play *settle.Play, kept uint32) error {
	rule := series.Book.Cancellation()
	if rule.LastGame == 0 || play.Last-play.First < uint32(rule.LastGame) ||
		kept <= play.First-1+uint32(rule.LastGame) {
		return nil
	}
	if g, ok := series.Game(play.First + uint32(rule.LastGame)); ok && g.Numbers.Len() == 0 && g.Draw <= 1 &&
		!g.Phase.IsOver() {
		return nil
	}
	return refuse(TooFarPlayed, rulebook.Quoted(rule.LastGameClause), "serial",
		"A ticket of more than %s cannot be cancelled once its game %d is drawn.", figure.Count(rule.LastGame, "game"),
		rule.LastGame+1)
}

// refundAfter returns what a ticket has paid for the games after one. What runs was
// paid for the first game alone.
func refundAfter(play *settle.Play, kept uint32) (money.Amount, error) {
	var sum money.Amount
	add := func(amount money.Amount, games uint32) error {
		part, err := money.MulDiv(amount, int64(games), 1, money.Floor)
		if err == nil {
			sum, err = sum.Add(part)
		}
		return err
	}
	for i := range play.Ways {
		w := &play.Ways[i]
		left := play.Last - kept
		if w.Run {
			left = 0
			if kept < play.First {
				left = 1
			}
		}
		if err := add(w.Stake, left); err != nil {
			return 0, err
		}
		for _, side := range []settle.Side{w.Multiplier, w.LuckyLast} {
			last := min(play.First+uint32(side.Games)-1, play.Last)
			games := uint32(0)
			if side.Stake > 0 && last > kept {
				games = last - kept
			}
			if w.Run {
				games = min(left, uint32(side.Games))
			}
			if err := add(side.Stake, games); err != nil {
				return 0, err
			}
		}
	}
	return sum, nil
}

// carriedAfter returns what of a ticket has run on into a game that is cancelled: prizes,
// and stakes that ran through void games alone and have won nothing.
//
//rule:vic-keno-2015 2(a).let-it-run 17(e)
func carriedAfter(series *state.Series, holding settle.Holding, play *settle.Play,
	kept uint32) (won, unwon money.Amount) {
	for _, run := range holding.Runs {
		switch {
		case run.Ordinal <= kept || run.Ordinal <= play.First:
		case series.VoidSince(run.Ordinal) <= play.First:
			unwon += run.Amount
		default:
			won += run.Amount
		}
	}
	return won, unwon
}

// releasedExposures returns the stakes that no longer count against a bounded outcome.
func releasedExposures(exposures []keno.Exposure, first, kept uint32) []record.Release {
	var list []record.Release
	for _, e := range exposures {
		from, last := first+uint32(e.First), first+uint32(e.First)+uint32(e.Games)-1
		if from = max(from, kept+1); from <= last {
			list = append(list, record.Release{Outcome: e.Outcome, First: from, Last: last, Cents: e.Stake})
		}
	}
	return list
}
