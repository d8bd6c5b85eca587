package state

import (
	"drawhouse/keno"
	"drawhouse/record"
	"drawhouse/settle"
)

func (s *State) sellTicket(b *record.TicketSold) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("series %d does not exist", b.Series)
	}
	game, ok := series.Game(b.Ordinal)
	if !ok || game.Phase != PhaseOpen {
		return cannot("a ticket from game %d of series %d, which is not on sale", b.Ordinal, b.Series)
	}
	ticket, err := keno.DecodeTicket(b.Ticket)
	if err != nil {
		return err
	}
	if ticket.First.Day != game.Ref.Day || ticket.First.Game != int(game.Ref.Number) {
		return cannot("a ticket from %v is sold for %v", ticket.First, game.Ref)
	}
	if err := s.answerInSession(b.Request, b.Session); err != nil {
		return err
	}
	// This is the one place where adding a record up looks into a rulebook: which
	// joins of a ticket's groups are ways depends on the sizes that were sold. The
	// rulebook is in the journal and cannot change, and the record states the
	// number of ways, so that a later build that counts otherwise stops here.
	play := settle.PlayOf(series.Desk, s.next, b.Ordinal, &ticket)
	if len(play.Ways) != int(b.Ways) {
		return cannot("a ticket of %d ways is sold as one of %d", len(play.Ways), b.Ways)
	}
	return series.Open.Add(play)
}

// answerInSession notes the answer to a terminal's request in its next session.
func (s *State) answerInSession(r record.Request, session uint32) error {
	terminal, err := s.answer(r)
	if err != nil {
		return err
	}
	if session != terminal.Session+1 {
		return cannot("session %d of terminal %d after session %d", session, terminal.ID, terminal.Session)
	}
	terminal.Session = session
	return nil
}

func (s *State) payTicket(b *record.TicketPaid) error {
	if err := s.answerInSession(b.Request, b.Session); err != nil {
		return err
	}
	for _, part := range b.Parts {
		key := paidPlay{b.Ticket, part.Ordinal}
		if already := s.paid[key]; already != 0 {
			return cannot("ticket %v was already paid %v for game %d", b.Ticket, already, part.Ordinal)
		}
		s.paid[key] = part.Cents
		s.paidSum.add(hashPaid(key, part.Cents))
	}
	return nil
}
