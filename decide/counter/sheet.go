package counter

import (
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// The codes about sheets of tickets.
const (
	OtherTerminal refusal.Code = "other_terminal" // another terminal has sold the ticket
	SheetSealed   refusal.Code = "sheet_sealed"   // the first game is sealed, and two persons must want it
	SheetUsed     refusal.Code = "sheet_used"     // the ticket was paid: a sheet of it was in somebody's hands
	SheetReplaced refusal.Code = "sheet_replaced" // another sheet is in its place
)

// Sheet is a ticket whose sheet was not handed over, at the terminal that says so.
type Sheet struct {
	Terminal uint32
	Place    record.Place
	Sold     *record.TicketSold // the record at Place
	// Agreed is who has asked for it with the consent of a second person; 0 where one
	// person acts alone.
	Agreed uint32
}

// ReportUndelivered says that the sheet of a ticket was not handed over.
//
//rule:vic-keno-2015 9(e)
func ReportUndelivered(s *state.State, c Sheet, reason string) (*record.PaperUndelivered, error) {
	if reason == "" {
		return nil, refuse(ReasonMissing, "", "reason", "Say why the ticket was not handed over.")
	}
	if err := c.usable(s); err != nil {
		return nil, err
	}
	return &record.PaperUndelivered{Paper: c.Place, Terminal: c.Terminal, Reason: reason}, nil
}

// Reprint prints another sheet of a ticket. One person alone prints a copy: the sheets
// before it still open, so that nobody takes a ticket from its holder alone. Two persons
// replace them.
//
//rule:vic-keno-2015 9(e)
func Reprint(s *state.State, c Sheet, request record.Request, claim record.Hash) (*record.PaperReissued, error) {
	post, _ := s.People().Post(c.Terminal)
	again := &record.PaperReissued{Request: request, Of: c.Place, Claim: claim, Reason: record.ReissueCopy,
		By: post.Person}
	if c.Agreed != 0 {
		again.Reason, again.By = record.ReissueDuplicate, c.Agreed
	}
	if c.Agreed == 0 && !s.Undelivered(c.Place) {
		return nil, refuse(NotUndelivered, "", "serial", "The ticket was handed over. Say first that it was not.")
	}
	return again, c.usable(s)
}

// usable refuses what is done to the sheet of a ticket that is over, and what one person
// alone may not do: it is done where the ticket was sold, by the person on shift there,
// and before anybody can know what the ticket wins. A self-service terminal has nobody on
// shift, so that two persons are needed for the tickets of one.
func (c *Sheet) usable(s *state.State) error {
	if err := c.checkUnused(s); err != nil {
		return err
	}
	if c.Agreed != 0 {
		return nil
	}
	post, _ := s.People().Post(c.Terminal)
	switch {
	case c.Sold.Request.Terminal != c.Terminal:
		return refuse(OtherTerminal, "", "terminal",
			"Terminal %d has sold the ticket. One person alone prints it again only there.", c.Sold.Request.Terminal)
	case post.Person == 0:
		return staff.NobodyAt(c.Terminal, "", "")
	case isFirstSealed(s, c.Sold):
		return refuse(SheetSealed, "", "serial",
			"The ticket's first game is sealed. Ask a second person to agree to another sheet.")
	}
	return nil
}

// checkUnused refuses a ticket that was cancelled, or paid: anybody who was paid had a sheet
// in hand. The sheet that a paid ticket goes on with is another one. So is, for two
// persons, that of a ticket whose money was withheld: it is owed on a sheet that the writer
// may have kept. And so is that of a ticket that was paid as lost: it was paid on a form, to a
// holder whom the operator knows, and a voucher that it gives back goes out over a sheet alone.
//
//rule:vic-keno-2015 17(e) 23(a)
func (c *Sheet) checkUnused(s *state.State) error {
	if _, held := s.Withheld(c.Place); held && c.Agreed != 0 {
		return nil
	}
	if s.LostOn(c.Place) != 0 && c.Agreed != 0 {
		return nil
	}
	// Of one that nobody has, the games that were closed before it was cancelled are played: two persons print it.
	left, ok := s.Cancelled(c.Place)
	if ok && !(c.Agreed != 0 && s.Undelivered(c.Place) && left.Kept >= c.Sold.Ordinal) {
		return refuse(TicketCancelled, "", "serial", "The ticket was cancelled.")
	}
	if sheet, ok := s.Sheet(c.Place); ok && sheet.Reason == record.ReissueContinuation && c.Agreed != 0 {
		return nil
	}
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return err
	}
	for i := range uint32(ticket.Games) {
		if s.Paid(c.Place, c.Sold.Ordinal+i) > 0 {
			return refuse(SheetUsed, "", "serial", "The ticket was paid, so a sheet of it was handed over.")
		}
	}
	return nil
}

// isFirstSealed reports whether the first game of a ticket is sealed.
func isFirstSealed(s *state.State, sold *record.TicketSold) bool {
	series, ok := s.Series(sold.Series)
	if !ok {
		return true
	}
	g, ok := series.Game(sold.Ordinal)
	return ok && g.Phase >= state.PhaseSealed
}

// Opening returns what a payment shows of a claim code, or refuses a code that is not
// the one on a sheet that opens the ticket. The holder of a sheet that two persons have
// replaced is told so, and so is who brings one that a writer should have kept.
//
//rule:casino-keno-div2 8.5
func Opening(s *state.State, place record.Place, claim record.Hash, request record.Request,
	code serial.ClaimCode) (record.Hash, error) {
	opening, ok := s.Opening(place, claim, request, code)
	switch {
	case ok:
		return opening, nil
	case serial.ClaimHash(claim).Matches(code, request.Terminal, request.Number):
		if sheet, _ := s.Sheet(place); sheet.Reason == record.ReissueContinuation {
			return record.Hash{}, refuse(SheetReplaced, "", "claim_code",
				"This sheet was paid, and its games go on with another one, which its holder was given then.")
		}
		return record.Hash{}, refuse(SheetReplaced, "", "claim_code",
			"Two persons of the house have replaced this sheet by another one. Its holder may fill in a claim form.")
	}
	return record.Hash{}, refuse(ClaimCodeOther, "", "claim_code", "The claim code is not the one on the ticket.")
}
