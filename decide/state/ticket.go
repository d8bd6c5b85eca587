package state

import (
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
)

func (s *State) sellTicket(b *record.TicketSold) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	first, ok := series.onSale(b.Ordinal)
	if !ok {
		return cannot("a ticket from game %d of series %d, which is not on sale", b.Ordinal, b.Series)
	}
	ticket, err := keno.DecodeTicket(b.Ticket)
	if err != nil {
		return err
	}
	if ticket.First.Day != first.Day || ticket.First.Game != int(first.Number) {
		return cannot("a ticket from %v is sold for %v", ticket.First, first)
	}
	terminal, err := s.answerInSession(b.Request, b.Series, b.Session, len(b.Tenders) > 0)
	if err != nil {
		return err
	}
	if terminal.in(soldIn, InSession{Place: s.next, Cents: b.CostCents,
		Types: typesOf(&ticket)}); terminal.Open != nil {
		terminal.Open.Runner = terminal.Open.Runner || b.Runner
		s.tills.unsettled[s.next] = terminal.ID
	}
	if b.Replays != (record.Place{}) {
		s.tills.link(b.Replays, s.next)
	}
	// Adding a ticket up looks into its rulebook: which joins of its groups are ways
	// depends on the sizes that were sold. The rulebook is in the journal and cannot
	// change, and the record states the number of ways, so that a later build that
	// counts otherwise stops here. What the ticket puts on outcomes that are bounded,
	// below, no record states.
	s.ways = settle.AppendWays(s.ways[:0], series.Desk, &ticket)
	if len(s.ways) != int(b.Ways) {
		return cannot("a ticket of %d ways is sold as one of %d", len(s.ways), b.Ways)
	}
	if err := series.Open.Add(settle.Play{Ticket: s.next, First: b.Ordinal, Last: b.Ordinal + uint32(ticket.Games) - 1,
		Ways: s.ways}); err != nil {
		return err
	}
	for _, e := range series.Desk.Exposures(ticket) {
		from := b.Ordinal + uint32(e.First)
		if err := series.reserve(e.Outcome, from, from+uint32(e.Games)-1, e.Stake); err != nil {
			return err
		}
	}
	return nil
}

// typesOf returns the types of game that a ticket plays.
func typesOf(ticket *keno.Ticket) (types []string) {
	for i := range ticket.Bets {
		if id := ticket.Bets[i].Bet; !slices.Contains(types, id) {
			types = append(types, id)
		}
	}
	return types
}

// onSale returns the game of an ordinal if tickets from it on are sold: the open
// game, or one that was announced.
func (s *Series) onSale(ordinal uint32) (record.Game, bool) {
	if game, ok := s.Game(ordinal); ok {
		return game.Ref, game.Phase == PhaseOpen
	}
	for _, d := range s.designated {
		if d.Ordinal == ordinal {
			return d.Game, true
		}
	}
	return record.Game{}, false
}

func (s *State) payTicket(b *record.TicketPaid) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	terminal, err := s.answerInSession(b.Request, b.Series, b.Session, len(b.Tenders) > 0)
	if err != nil {
		return err
	}
	in := InSession{Place: b.Ticket, Cents: b.Amount(), Majors: b.MajorCents}
	in.Lots = prize(b.Ticket, b.Amount()-b.RefundCents-b.Withheld())
	if b.Withheld() > 0 {
		in.Lots = append(in.Lots, s.tills.withheld[b.Ticket].Lots...)
	}
	switch {
	case b.RefundCents == 0:
	case s.Guarded() && s.tills.unsettled[b.Ticket] == terminal.ID:
		in.Own = b.RefundCents // The session itself has sold it, and nobody has paid for it yet.
	default:
		in.Lots = append(in.Lots, s.tills.giveUp(b.Ticket, b.RefundCents)...)
	}
	in.Machine = s.payAt(terminal, series, b.Ticket, in.Cents-in.Own)
	if terminal.in(paidIn, in); terminal.Open != nil {
		terminal.Open.Majors += b.MajorCents
	} else {
		s.tills.countBack(in)
	}
	return s.payParts(series, b.Ticket, b.Parts, true, s.tills.handOut)
}

// payParts notes that prizes of a ticket were paid, or forfeited, with what becomes of money
// that was withheld. Stakes of void games are among them or not.
func (s *State) payParts(series *Series, ticket record.Place, parts []record.PaidPart, stakes bool,
	withheld func(record.Place, money.Amount) error) error {
	for _, part := range parts {
		if part.Ordinal == 0 {
			if err := withheld(ticket, part.Cents); err != nil {
				return err
			}
			continue
		}
		back := money.Amount(0)
		if stakes {
			back = series.Owed(ticket, part.Ordinal)
		}
		if err := s.payPart(series, ticket, part, back, ""); err != nil {
			return err
		}
	}
	return nil
}

// payPart notes that a prize of a ticket was paid from where it was, or a stake that goes
// back, or both: back is what of it is a stake.
func (s *State) payPart(series *Series, ticket record.Place, part record.PaidPart, back money.Amount, at string) error {
	game, ok := series.Game(part.Ordinal)
	if !ok || !game.Phase.IsOver() {
		return cannot("ticket %v is paid for game %d, which is not settled", ticket, part.Ordinal)
	}
	// A game is paid again only after a further revision of its settlement, and then
	// the difference. Of a void game the prize and the stake are paid once each.
	key := paidPlay{ticket, part.Ordinal}
	paid, before := s.payments.of(key), s.PaidPrize(series, ticket, part.Ordinal)
	if paid.revision == game.Revision() && (game.Phase != PhaseVoid || before != 0 && part.Cents != back) {
		return cannot("ticket %v was already paid %v for game %d", ticket, paid.cents, part.Ordinal)
	}
	if back != 0 {
		if back > part.Cents || back != series.Owed(ticket, part.Ordinal) {
			return cannot("ticket %v gets back %v of %v for game %d, and is owed %v", ticket, back, part.Cents,
				part.Ordinal, series.Owed(ticket, part.Ordinal))
		}
		series.BackOf(ticket, part.Ordinal).Paid = true
	}
	var err error
	if paid.cents, err = paid.cents.Add(part.Cents); err != nil {
		return err
	}
	if err := series.fetch(part.Ordinal, part.Cents-back, at); err != nil {
		return err
	}
	paid.revision = game.Revision()
	s.payments.pay(key, paid)
	return nil
}

func (s *State) cancelTicket(b *record.TicketCancelled) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	terminal, err := s.answerInSession(b.Request, b.Series, b.Session, len(b.Tenders) > 0)
	if err != nil {
		return err
	}
	in := InSession{Place: b.Ticket, Cents: b.RefundCents + b.CarriedCents, Lots: prize(b.Ticket, b.CarriedCents)}
	if s.tills.unsettled[b.Ticket] == terminal.ID {
		in.Own = b.RefundCents
	} else {
		in.Lots = append(in.Lots, s.tills.giveUp(b.Ticket, b.RefundCents)...)
	}
	in.Machine = s.payAt(terminal, series, b.Ticket, b.CarriedCents)
	if terminal.in(cancelledIn, in); terminal.Open == nil {
		s.tills.countBack(in)
	}
	for _, r := range b.Released {
		if err := series.reserve(r.Outcome, r.First, r.Last, -r.Cents); err != nil {
			return err
		}
	}
	if _, ok := s.Cancelled(b.Ticket); ok {
		return cannot("ticket %v is cancelled twice", b.Ticket)
	}
	ended, err := series.Open.Cancel(b.Ticket, b.Kept)
	if err != nil {
		return err
	}
	s.payments.cancel(b)
	var sum money.Amount
	for _, run := range ended {
		if sum, err = sum.Add(run.Amount); err != nil {
			return err
		}
	}
	if b.CarriedCents > sum || sum-b.CarriedCents > b.RefundCents {
		return cannot("ticket %v gives back %v and %v that ran on; %v did", b.Ticket, b.RefundCents, b.CarriedCents,
			sum)
	}
	return nil
}
