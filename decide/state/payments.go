package state

import (
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// payments are what was paid for plays, which tickets were cancelled, and on which tickets bonuses fell.
// Prizes are paid on claim forms for years, so nothing of it is forgotten. The end of a Keno Day packs
// it: that moment follows from the records alone, and sales wait then anyway.
type payments struct {
	plays     packed // by the ordinal of the game
	cancelled packed // by where the ticket is, see cancelledKey
	bonuses   packed // by the number of the promotion
}

// paidPlay names a play: one ticket in one game.
type paidPlay struct {
	ticket  record.Place
	ordinal uint32
}

func (p paidPlay) key() noteKey { return noteKey{uint64(p.ordinal), p.ticket} }

// paid is what a play was paid, and by which revision of its game's settlement.
type paid struct {
	cents    money.Amount
	revision uint8
}

// of returns what was paid for a play.
func (p *payments) of(play paidPlay) paid {
	n, _ := p.plays.get(play.key())
	return paid{money.Amount(n.value), n.mark}
}

// pay notes what was paid for a play, with what was paid for it before.
func (p *payments) pay(play paidPlay, all paid) {
	p.plays.put(play.key(), note{int64(all.cents), all.revision})
}

// Cancelled is what a cancellation left of a ticket.
type Cancelled struct {
	Kept uint32 // its last game; the one before its first if there is none
	Ran  bool   // something had run on from that game, and was paid with the cancellation
}

// ranMark is the mark of a cancelled ticket of which something had run on.
const ranMark = usualMark + 1

// cancelledKey names the cancellation of a ticket. Tickets that were sold one after the other are in
// one group, so that the end of a day writes few lists anew.
func cancelledKey(ticket record.Place) noteKey {
	return noteKey{uint64(ticket.Volume)<<48 | ticket.Seq>>16, ticket}
}

// left returns what a cancellation left of a ticket, and whether there was one.
func (p *payments) left(ticket record.Place) (Cancelled, bool) {
	n, ok := p.cancelled.get(cancelledKey(ticket))
	return Cancelled{Kept: uint32(n.value), Ran: n.mark == ranMark}, ok
}

// cancel notes a cancellation.
func (p *payments) cancel(b *record.TicketCancelled) {
	left := LeftBy(b)
	n := note{int64(left.Kept), usualMark}
	if left.Ran {
		n.mark = ranMark
	}
	p.cancelled.put(cancelledKey(b.Ticket), n)
}

// bonus names a ticket in a promotion on ready tickets.
type bonus struct {
	promotion uint32
	ticket    record.Place
}

func (b bonus) key() noteKey { return noteKey{uint64(b.promotion), b.ticket} }

// allocated reports whether a ticket has taken part in a promotion.
func (p *payments) allocated(of bonus) bool {
	_, ok := p.bonuses.get(of.key())
	return ok
}

// allocate notes what fell on a ticket.
func (p *payments) allocate(b *record.BonusAllocated) {
	p.bonuses.put(bonus{b.Number, b.Ticket}.key(), note{int64(b.Cents), usualMark})
}

// pack makes what was noted small.
func (p *payments) pack() {
	p.plays.pack()
	p.cancelled.pack()
	p.bonuses.pack()
}

// Paid returns what was paid for a ticket in a game.
func (s *State) Paid(ticket record.Place, ordinal uint32) money.Amount {
	return s.payments.of(paidPlay{ticket, ordinal}).cents
}

// Cancelled returns what a cancellation left of a ticket, and whether there was one.
func (s *State) Cancelled(ticket record.Place) (Cancelled, bool) { return s.payments.left(ticket) }

// Allocated reports whether a ticket has taken part in a promotion.
func (s *State) Allocated(promotion uint32, ticket record.Place) bool {
	return s.payments.allocated(bonus{promotion, ticket})
}
