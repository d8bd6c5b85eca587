package state

import (
	"cmp"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Open is a customer session that has begun and not ended: what was sold, paid,
// given back and issued in it without a tender of its own.
type Open struct {
	Number    uint32
	Series    uint8 // of the games that the session is about
	Sold      []InSession
	Paid      []InSession
	Cancelled []InSession
	Issued    []InSession // papers that stand for money
	// Majors is what of the payments are major prizes.
	Majors money.Amount
	Runner bool // a runner brought an entry
}

// InSession is a ticket or paper in a session and what it came to there.
type InSession struct {
	Place  record.Place
	Cents  money.Amount
	Own    money.Amount // of it, the refund of what was sold in the same session
	Majors money.Amount // of it, major prizes
	// Machine is what of it counts against what terminals of the kind pay for a ticket.
	Machine money.Amount
	// Lots is the money by origin that it brought, or of a paper the money that it replaces.
	Lots []Lot
	// Types are the types of game that a ticket plays which was sold, by the ids of its bets.
	Types []string
	// For is the ticket whose money a paper replaces. Two tickets may give back money of one
	// voucher.
	For record.Place
}

// Total returns what a list of a session comes to.
func Total(list []InSession) (sum money.Amount) {
	for _, in := range list {
		sum += in.Cents
	}
	return sum
}

// NextSession returns the number of the session in which the terminal's next act is.
func (t *Terminal) NextSession() uint32 {
	if t.Open != nil {
		return t.Open.Number
	}
	return t.Session + 1
}

// answerInSession notes the answer to a terminal's request in its session: the one
// that is open, or the next. An act with a tender of its own is a session by itself,
// and another one opens a session.
func (s *State) answerInSession(r record.Request, series uint8, session uint32, tendered bool) (*Terminal, error) {
	terminal, err := s.answer(r)
	if err != nil {
		return nil, err
	}
	switch {
	case session != terminal.NextSession():
		return nil, cannot("session %d of terminal %d after session %d", session, terminal.ID, terminal.Session)
	case terminal.Open != nil && tendered:
		return nil, cannot("an act with a tender in session %d of terminal %d, which is open", session, terminal.ID)
	case terminal.Open == nil && !tendered:
		terminal.Open = &Open{Number: session, Series: series}
	case terminal.Open != nil && terminal.Open.Series != series:
		return nil, cannot("an act of series %d in session %d of terminal %d, which is of series %d", series, session,
			terminal.ID, terminal.Open.Series)
	}
	terminal.Session = session
	return terminal, nil
}

// in notes something in the open session of the terminal, if there is one.
func (t *Terminal) in(list func(*Open) *[]InSession, in InSession) {
	if t.Open != nil {
		at := list(t.Open)
		*at = append(*at, in)
	}
}

func soldIn(o *Open) *[]InSession      { return &o.Sold }
func paidIn(o *Open) *[]InSession      { return &o.Paid }
func cancelledIn(o *Open) *[]InSession { return &o.Cancelled }
func issuedIn(o *Open) *[]InSession    { return &o.Issued }

// endSession settles a session. That nothing is left on the customer's account is
// checked when the postings have been added.
func (s *State) endSession(b *record.SessionEnded) error {
	terminal, err := s.answer(b.Request)
	if err != nil {
		return err
	}
	if b.Session != terminal.NextSession() {
		return cannot("session %d of terminal %d ends after session %d", b.Session, terminal.ID, terminal.Session)
	}
	open := terminal.Open
	if open == nil {
		open = new(Open)
	} else if open.Series != cmp.Or(b.Series, FirstSeries) {
		return cannot("session %d of terminal %d, which is of series %d, ends as one of series %d", b.Session, terminal.ID,
			open.Series, b.Series)
	}
	terminal.Session, terminal.Open = b.Session, nil
	for _, in := range append(slices.Clip(open.Sold), open.Issued...) {
		delete(s.tills.unsettled, in.Place)
	}
	withheld, err := s.tills.withhold(open, b.Tenders)
	if err != nil {
		return err
	}
	for _, in := range slices.Concat(open.Paid, open.Cancelled) {
		if slices.ContainsFunc(withheld, func(w Withheld) bool { return w.Ticket == in.Place }) {
			s.tills.payByMachine(in.Place, -in.Machine)
		}
	}
	kept := *open
	kept.Paid, kept.Cancelled = Without(open.Paid, withheld), Without(open.Cancelled, withheld)
	lots, tendered := s.spendable(&kept, b.Tenders), s.spendable(nil, b.Tenders)
	paid := Places(kept.Paid)
	sources := slices.Clone(paid)
	for i := range b.Tenders {
		t := &b.Tenders[i]
		switch t.Kind {
		case record.TenderInstrument:
			sources = append(sources, t.Instrument)
			err = s.tills.use(t.Instrument, t.Cents)
		case record.TenderCard:
			s.tills.carry(paid, t)
			err = s.tills.charge(t.Instrument, t.Cents)
		case record.TenderUnpaid:
			s.tills.lose(terminal.Venue, b.Day, t.Cents)
			s.owe(open, terminal.Venue, t.Cents)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range b.Funded {
		if !slices.ContainsFunc(open.Sold, func(in InSession) bool { return in.Place == f.Ticket && f.Cents <= in.Cents }) {
			return cannot("%v of %s paid for ticket %v, which was not sold in the session", f.Cents, f.ID, f.Ticket)
		}
		tendered = s.tills.fund(tendered, f)
	}
	for _, m := range b.Spent {
		if !slices.ContainsFunc(open.Sold, func(in InSession) bool { return in.Place == m.Ticket && m.Cents <= in.Cents }) {
			return cannot("%v of %s paid for ticket %v, which was not sold in the session", m.Cents, m.ID, m.Ticket)
		}
		if lots, err = s.tills.spend(lots, m); err != nil {
			return err
		}
	}
	s.tills.countSession(&kept, b)
	for _, in := range open.Paid {
		if b.Anonymous {
			s.tills.anonymous[in.Place] = true
			s.noted.held(in.Place)
		}
	}
	bought := Places(append(slices.Clip(open.Sold), open.Issued...))
	for _, source := range sources {
		for _, place := range bought {
			s.tills.link(source, place)
		}
	}
	for _, in := range kept.Cancelled {
		if in.Cents > in.Own {
			s.tills.giveBack(in.Place, bought)
		}
	}
	return nil
}

// Places returns the tickets or papers of a list of a session.
func Places(list []InSession) []record.Place {
	var all []record.Place
	for _, in := range list {
		all = append(all, in.Place)
	}
	return all
}

// checkEnded refuses a session that ends with something on the customer's account.
func (s *State) checkEnded(r record.Record) error {
	b, ok := r.Body.(*record.SessionEnded)
	if !ok {
		return nil
	}
	if left := s.balances.OfUnit(ledger.Customer, b.Request.Terminal); left != 0 {
		return cannot("session %d of terminal %d ends with %v on the customer's account", b.Session, b.Request.Terminal,
			left)
	}
	return nil
}

// till moves cash in the bank of the terminal at which a record came about.
func (s *State) till(r record.Record) {
	id, ok := r.Terminal()
	if !ok {
		return
	}
	if t := s.terminals[id]; t != nil {
		for _, p := range r.Postings {
			if p.Account == ledger.Cash {
				t.Drawer += p.Cents
				s.noted.terminal(id)
			}
		}
	}
}

func (s *State) moveBank(b *record.BankMoved) error {
	if _, ok := s.terminals[b.Terminal]; !ok {
		return cannot("terminal %d does not exist", b.Terminal)
	}
	return nil
}

func (s *State) countBank(b *record.BankCounted) error {
	t, ok := s.terminals[b.Terminal]
	if !ok || t.Drawer != b.ExpectCents {
		return cannot("the bank of terminal %d should have %v", b.Terminal, b.ExpectCents)
	}
	return nil
}

// PapersSold are the papers that a terminal has sold on a day.
type PapersSold struct {
	On    day.Day
	Cents money.Amount
}

// SoldPapers returns what the papers come to that the terminal has sold on a day.
func (t *Terminal) SoldPapers(on day.Day) money.Amount {
	if t.Papers.On != on {
		return 0
	}
	return t.Papers.Cents
}

func (t *Terminal) sellPaper(b *record.InstrumentIssued) {
	t.Papers = PapersSold{b.Day, t.SoldPapers(b.Day) + b.Cents}
}

// lossKey names the losses of a venue on a trading day.
type lossKey struct {
	venue uint32
	day   day.Day
}

// Loss returns what customers of a venue did not pay on a Keno Day.
func (s *State) Loss(venue uint32, on day.Day) money.Amount {
	return s.tills.losses[lossKey{venue, on}]
}
