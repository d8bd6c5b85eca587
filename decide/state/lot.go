package state

import (
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The origins of money that are no papers. The others are the kinds of papers that the
// rulebook lists.
const (
	OriginCash  = "cash"
	OriginChips = "chips"
	OriginPrize = "prize"
	OriginCard  = "player_card"
)

// Lot is money of one origin: what has paid for a part of a ticket, or what a customer has
// in a session. The tags are for byPlace.
type Lot struct {
	ID string `cbor:"1,keyasint,omitzero"`
	// Of is the paper or card that the money was, or the ticket that won it; the zero place
	// for cash and chips.
	Of    record.Place `cbor:"2,keyasint,omitzero"`
	Cents money.Amount `cbor:"3,keyasint,omitzero"`
	// LastDay and Kept are the life of the paper, which a replacement keeps; the zero day for
	// what has no end.
	LastDay day.Day `cbor:"4,keyasint,omitzero"`
	Kept    day.Day `cbor:"5,keyasint,omitzero"`
	// GameType is the type of game that the paper pays for; empty for any.
	GameType string `cbor:"6,keyasint,omitzero"`
	// Back says that it is a prize which was staked, and comes back with the stake.
	Back bool `cbor:"7,keyasint,omitzero"`
	// Bought says that somebody has paid money for the paper.
	Bought bool `cbor:"8,keyasint,omitzero"`
}

// same reports whether two lots are parts of one.
func (l Lot) same(m Lot) bool {
	return l.ID == m.ID && l.Of == m.Of && l.LastDay == m.LastDay && l.Kept == m.Kept && l.GameType == m.GameType &&
		l.Back == m.Back && l.Bought == m.Bought
}

// PaysFor reports whether the money may pay for a ticket that plays some types of game. Money
// that is for one type pays for no ticket that plays another too.
func (l Lot) PaysFor(types []string) bool {
	return l.GameType == "" || !slices.ContainsFunc(types, func(t string) bool { return t != l.GameType })
}

// SumLots returns what lots come to.
func SumLots(lots []Lot) (sum money.Amount) {
	for _, l := range lots {
		sum += l.Cents
	}
	return sum
}

// Lots returns what has paid for a ticket, in the order in which it was spent; nothing for a
// ticket that cash alone has paid for. The caller must not change it.
func (s *State) Lots(ticket record.Place) []Lot { return s.tills.lots.of(ticket) }

// GivesBack returns the money that a ticket gives back for stakes of an amount: what was spent
// first comes back first, and what no lot says is cash.
func (s *State) GivesBack(ticket record.Place, cents money.Amount) []Lot {
	back, _ := divide(s.tills.lots.of(ticket), cents)
	return back
}

// divide takes an amount from lots, the first first. What they do not have is cash.
func divide(lots []Lot, cents money.Amount) (taken, left []Lot) {
	for _, l := range lots {
		part := min(l.Cents, cents)
		if part > 0 {
			back := l
			back.Cents, back.Back = part, l.ID == OriginPrize
			taken = append(taken, back)
			cents -= part
		}
		if l.Cents -= part; l.Cents > 0 {
			left = append(left, l)
		}
	}
	if cents > 0 {
		taken = append(taken, Lot{ID: OriginCash, Cents: cents})
	}
	return taken, left
}

// giveUp takes the money of stakes that go back from a ticket.
func (t *tills) giveUp(ticket record.Place, cents money.Amount) []Lot {
	back, left := divide(t.lots.of(ticket), cents)
	t.setLots(ticket, left)
	return back
}

// setLots says what pays for a ticket.
func (t *tills) setLots(ticket record.Place, lots []Lot) {
	if len(lots) == 0 {
		t.lots.drop(ticket)
		return
	}
	t.lots.put(ticket, lots)
}

// prize returns the money that a ticket has won, if it has.
func prize(ticket record.Place, cents money.Amount) []Lot {
	if cents <= 0 {
		return nil
	}
	return []Lot{{ID: OriginPrize, Of: ticket, Cents: cents}}
}

// Counted returns what counted against limits in the sessions in which a prize of a ticket was
// there that was staked, or came back. Prizes of one session share it.
func (s *State) Counted(ticket record.Place) money.Amount {
	return s.tills.counted.of(s.tills.lead(ticket))
}

// CountedWith returns the ticket under which the prizes of a ticket are counted: the same for all
// that one session has paid and staked.
func (s *State) CountedWith(ticket record.Place) record.Place { return s.tills.lead(ticket) }

func (t *tills) lead(ticket record.Place) record.Place {
	if lead, ok := t.leads.get(ticket); ok {
		return lead
	}
	return ticket
}

func (t *tills) count(lead record.Place, cents money.Amount) {
	if cents == 0 {
		return
	}
	if now := t.counted.of(lead) + cents; now != 0 {
		t.counted.put(lead, now)
	} else {
		t.counted.drop(lead)
	}
}

// PaidByMachines returns what terminals have paid on a ticket whose kind pays so much for a ticket and no
// more, in all sessions together. What a session withheld is not in it.
func (s *State) PaidByMachines(ticket record.Place) money.Amount { return s.tills.machines.of(ticket) }

// payAt notes what the open session of a terminal pays on a ticket, where terminals of its kind pay so
// much for one and no more, and returns it.
func (s *State) payAt(t *Terminal, series *Series, ticket record.Place, cents money.Amount) money.Amount {
	if t.Open == nil || !series.Book.BoundsTicket(t.Channel) {
		return 0
	}
	s.tills.payByMachine(ticket, cents)
	return cents
}

func (t *tills) payByMachine(ticket record.Place, cents money.Amount) {
	if now := t.machines.of(ticket) + cents; now != 0 {
		t.machines.put(ticket, now)
	} else {
		t.machines.drop(ticket)
	}
}

// join counts the prizes of tickets together from now on.
func (t *tills) join(tickets []record.Place) {
	if len(tickets) < 2 {
		return
	}
	first := t.lead(tickets[0])
	for _, ticket := range tickets[1:] {
		other := t.lead(ticket)
		if other == first {
			continue
		}
		counted := t.counted.of(other)
		t.count(first, counted)
		t.count(other, -counted)
		moved := t.led.of(other)
		for _, of := range moved {
			t.leads.put(of, first)
		}
		t.leads.put(other, first)
		t.led.put(first, slices.Concat(t.led.of(first), moved, []record.Place{other}))
		t.led.drop(other)
	}
}

// countBack counts prizes that a ticket gives back in cash by an act of its own.
func (t *tills) countBack(in InSession) {
	for _, l := range in.Lots {
		if l.Back {
			t.count(t.lead(l.Of), l.Cents)
		}
	}
}

// countSession counts what the end of a session says for all prizes that were staked in it, or
// came back. Those that it has paid and that were staked are prizes of one session.
func (t *tills) countSession(open *Open, b *record.SessionEnded) {
	var won []record.Place
	note := func(lead record.Place) {
		if !slices.Contains(won, lead) {
			won = append(won, lead)
		}
	}
	t.join(open.Joins(b.Spent))
	for _, in := range slices.Concat(open.Paid, open.Cancelled) {
		for _, l := range in.Lots {
			if l.Back {
				note(t.lead(l.Of))
			}
		}
	}
	for _, m := range b.Spent {
		if m.ID == OriginPrize {
			note(t.lead(m.Of))
		}
	}
	for _, lead := range won {
		t.count(lead, b.CountedCents)
	}
}

// Joins returns the tickets whose prizes the session has paid, and which have paid for others there: from its end
// on they are prizes of one session.
func (o *Open) Joins(spent []record.Spent) (tickets []record.Place) {
	for _, in := range slices.Concat(o.Paid, o.Cancelled) {
		for _, l := range in.Lots {
			staked := slices.ContainsFunc(spent, func(m record.Spent) bool { return m.ID == OriginPrize && m.Of == l.Of })
			if l.ID == OriginPrize && !l.Back && staked && !slices.Contains(tickets, l.Of) {
				tickets = append(tickets, l.Of)
			}
		}
	}
	return tickets
}

// Brings returns the money by origin that tickets have brought into the session. Vouchers that
// replace a part of it were taken out.
func (o *Open) Brings() []Lot {
	if o == nil {
		return nil
	}
	var all []Lot
	for _, in := range slices.Concat(o.Paid, o.Cancelled) {
		for _, l := range in.Lots {
			if i := slices.IndexFunc(all, l.same); i >= 0 {
				all[i].Cents += l.Cents
			} else {
				all = append(all, l)
			}
		}
	}
	for _, in := range o.Issued {
		for _, l := range in.Lots {
			all = take(all, l)
		}
	}
	return all
}

// take takes a lot out of a list.
func take(lots []Lot, l Lot) []Lot {
	i := slices.IndexFunc(lots, l.same)
	if i < 0 {
		return lots
	}
	if lots[i].Cents -= l.Cents; lots[i].Cents > 0 {
		return lots
	}
	return slices.Delete(lots, i, i+1)
}

// spendable are the lots of a session at its end: what tickets have brought, papers, a card,
// and chips. Cash is not counted.
func (s *State) spendable(open *Open, tenders []record.Settlement) []Lot {
	lots := open.Brings()
	for i := range tenders {
		t := &tenders[i]
		switch {
		case t.Cents <= 0:
		case t.Kind == record.TenderInstrument && t.Refund:
			// The buyer gets the cash back that it was bought for.
		case t.Kind == record.TenderInstrument:
			if p := s.tills.papers.get(t.Instrument); p != nil {
				lots = append(lots, p.Lot())
			}
		case t.Kind == record.TenderCard:
			lots = append(lots, Lot{ID: OriginCard, Of: t.Instrument, Cents: t.Cents})
		case t.Kind == record.TenderChips:
			lots = append(lots, Lot{ID: OriginChips, Cents: t.Cents})
		}
	}
	return lots
}

// spend notes what has paid for a ticket of a session. It takes the money from lots and
// returns what is left of them.
func (t *tills) spend(lots []Lot, m record.Spent) ([]Lot, error) {
	paid := slices.Clone(t.lots.of(m.Ticket))
	left := m.Cents
	for i := range lots {
		l := &lots[i]
		if l.ID != m.ID || m.Of != (record.Place{}) && l.Of != m.Of || m.ID == OriginCash {
			continue
		}
		part := min(l.Cents, left)
		if part > 0 {
			spent := *l
			spent.Cents, spent.Back = part, false
			paid = append(paid, spent)
		}
		l.Cents -= part
		left -= part
	}
	switch {
	case left > 0 && m.ID == OriginCash:
		paid = append(paid, Lot{ID: OriginCash, Cents: left})
	case left > 0:
		return nil, cannot("%v of %s %v pay for ticket %v, and the session has not that much", m.Cents, m.ID, m.Of,
			m.Ticket)
	}
	t.setLots(m.Ticket, paid)
	return lots, nil
}
