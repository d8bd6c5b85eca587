package counter

import (
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// payOut pays what is due to the customer by the means that the rules allow.
func (e *ending) payOut() error {
	if e.Unpaid {
		return refuse(NotOwing, "", "unpaid", "The customer owes nothing.")
	}
	shares, counted, err := route(e.series.Book, e.dues(), e.Pay)
	if err != nil {
		return err
	}
	e.counted = counted
	for _, share := range shares {
		if err := e.payShare(share); err != nil {
			return err
		}
		e.promise(share)
	}
	return nil
}

// promise says until when a cheque must be there, where the rulebook sets a time for the
// means: the customer is told at once.
//
//rule:tas-keno-2023 13.8(a)
func (e *ending) promise(share Share) {
	due, ok := ChequeDue(e.series.Book, share.Means, e.Now, e.series.OffsetSeconds, e.state.IsHoliday)
	if !ok {
		return
	}
	// A ticket that the session had sold and took back has brought nothing: the cheque is not for
	// it, and no stop of it stops the cheque.
	paid := slices.DeleteFunc(slices.Clone(e.open.Paid), func(in state.InSession) bool { return len(in.Lots) == 0 })
	e.promised = append(e.promised, &record.ChequePromised{
		Terminal: e.terminal.ID, Means: share.Means, Cents: share.Cents, Due: due, Tickets: state.Places(paid),
		Payee: e.Payee[:],
	})
}

// dues is what is due, as far as the means of paying depend on it: all that was won in
// the session counts together.
//
//rule:vic-keno-2015 2(a).total-prize-money
func (e *ending) dues() Dues {
	d := Dues{
		Total: max(0, -e.owed), Majors: e.open.Majors, Channel: e.terminal.Channel, Venue: e.venue.Kind,
		Limit:  e.venue.CashLimit,
		Bought: e.bought(), Exchanged: min(e.exchanged, max(0, -e.owed)),
	}
	_, d.ByCard = e.wonByCard()
	for _, in := range e.open.Paid {
		d.Tickets = append(d.Tickets, in.Cents)
	}
	for _, l := range e.lots {
		if l.Cents > 0 {
			d.Lots = append(d.Lots, l.Lot)
		}
	}
	counts := slices.Clone(d.Lots)
	for _, m := range e.spent { // What leaves counts for a prize that is staked here, too.
		if m.ID == state.OriginPrize {
			counts = append(counts, state.Lot{ID: m.ID, Of: m.Of, Back: true})
		}
	}
	d.stake(e.state, e.series.Book, e.terminal.ID, counts, e.open.Joins(e.spent)...)
	return d
}

// checkJoined refuses to make prizes into one whose parts at a terminal elsewhere have no room any more beside what
// left of all of them, even if nothing leaves here: that terminal hands out its receipts alone.
//
//rule:vic-keno-2015 2(a).self-service-terminal 2(a).total-prize-money 21(d)(i)
func (e *ending) checkJoined() error {
	leads := leadsOf(e.state, e.open.Joins(e.spent))
	if len(leads) < 2 {
		return nil
	}
	elsewhere := lyingElsewhere(e.state, e.series.Book, e.terminal.ID)
	var d Dues
	if d.bound(e.state, elsewhere, leads); d.Beside == nil || *d.Beside >= 0 {
		return nil
	}
	for _, o := range elsewhere {
		if part := o.part(leads...); part > 0 {
			_, by := sessionLimit(methodsAt(e.series.Book, e.venue.Kind, e.terminal.Channel), e.venue.CashLimit)
			return refuse(SessionOpen, by.Quoted(), "terminal",
				"%v of the same prizes lie at terminal %d, in a customer session that is open. End that session first. "+
					"If it waits for this one, shut one of the two terminals out and unwind its session.", part, o.terminal)
		}
	}
	return nil
}

// payShare pays one part.
func (e *ending) payShare(share Share) error {
	if err := CheckPayee(e.series.Book, share.Means, e.Payee != (record.Hash{}), e.Checked); err != nil {
		return err
	}
	if err := e.checkPayee(share.Means); err != nil {
		return err
	}
	out := record.Settlement{Cents: -share.Cents}
	switch share.Means {
	case Cash:
		out.Kind = record.TenderCash
		e.tender(out, ledger.Cash, e.venue.ID)
	case Cheque, Transfer:
		out.Kind, out.Particulars = record.TenderCheque, e.Payee[:]
		if share.Means == Transfer {
			out.Kind = record.TenderTransfer
		}
		e.tender(out, ledger.Bank, 0)
	case SiteCheque:
		out.Kind, out.Particulars = record.TenderSiteCheque, e.Payee[:]
		e.tender(out, ledger.SiteCheques, e.venue.ID)
	case PlayerCard:
		number, _ := e.wonByCard()
		card, _ := e.state.Card(number)
		if card.Excluded(e.Now) || card.Status == record.CardClosed {
			return refuse(CardExcluded, "", "card", "Card %d cannot be used.", card.Number)
		}
		unit, _ := ledger.Paper(PlayerCard)
		out.Kind, out.Instrument = record.TenderCard, card.Place
		e.tender(out, ledger.Instruments, unit)
	default:
		return e.payPaper(share)
	}
	return nil
}

// checkPayee refuses to name somebody else on a cheque or voucher than the paper names that it is
// for: it is drawn in favour of the player whose details were given.
//
//rule:tas-keno-2023 13.2 13.10
func (e *ending) checkPayee(means string) error {
	m, ok := methodOf(e.series.Book, means)
	if !ok || !m.Payee {
		return nil
	}
	for _, p := range e.Papers {
		paper, _ := e.state.Paper(p.Place)
		if paper.Payee != (record.Hash{}) && paper.Payee != e.Payee {
			of, _ := methodOf(e.series.Book, paper.ID)
			return refuse(PayeeOther, lastCited(of.Clause), "payee_hash",
				"The %s names another payee. What is paid for it by %s is in favour of that person.",
				named(e.series.Book, paper.ID), means)
		}
	}
	return nil
}

// methodOf returns the first way of paying that has a name.
func methodOf(book *rulebook.Book, id string) (rulebook.PayoutMethod, bool) {
	for _, m := range book.Payout().Methods {
		if m.ID == id {
			return m, true
		}
	}
	return rulebook.PayoutMethod{}, false
}

// paperReason says what a paper that is paid out stands for.
func (e *ending) paperReason() record.IssueReason {
	if len(e.open.Paid) > 0 {
		return record.IssuedForWinnings
	}
	return record.IssuedAsChange
}

// issue gives a paper in place of money.
func (e *ending) issue(lot state.Lot, reason record.IssueReason, of record.Place) error {
	if len(e.papers) >= len(e.Claims) {
		return refuse(ClaimCodesMissing, "", "claims",
			"The session ends with %s or more, and there are claim codes for %d.",
			figure.Count(len(e.papers)+1, "paper"), len(e.Claims))
	}
	order := PaperOrder{
		Request: e.Request, Now: e.Now, Series: e.Series, ID: lot.ID, Cents: lot.Cents, Claim: e.Claims[len(e.papers)],
		Reason: reason, For: of, InSession: true,
		LastDay: lot.LastDay, Kept: lot.Kept, GameType: lot.GameType,
	}
	if reason == record.IssuedAsRefund {
		order.Replaces = lot.Of
	}
	if m, ok := methodOf(e.series.Book, lot.ID); ok && m.Payee {
		order.Payee = e.Payee
	}
	issued, postings, err := IssuePaper(e.state, order)
	if err != nil {
		return err
	}
	e.papers = append(e.papers, IssuedPaper{issued, postings})
	e.owed += lot.Cents
	return nil
}

// SessionLine is one line of the list of a session.
type SessionLine struct {
	Act   string // sold, paid, cancelled, issued, withheld or returned
	Place record.Place
	Cents money.Amount // owed by the customer when positive
}

// SessionSummary is the list of a session: each ticket with what it costs or pays, and the
// amount to settle.
type SessionSummary struct {
	Session uint32
	Lines   []SessionLine
	Owed    money.Amount // by the customer; to the customer when negative
}

// Moment is when a session is looked at: by which rulebook, on which Keno Day, at what time.
type Moment struct {
	Book  *rulebook.Book
	Today day.Day
	Now   record.Time
}

// SummariseSession lists the session that is open at a terminal, if there is one. What goes back as what
// it was, a voucher or the money of a card, pays for nothing but tickets: it is a line of its own, and
// the customer owes what else was taken.
//
//rule:tas-keno-2023 1.19 13.13
//rule:vic-keno-2015 17(e)
func SummariseSession(s Tills, at Moment, terminal uint32) (SessionSummary, bool) {
	t, ok := s.Till(terminal)
	if !ok || t.Open == nil {
		return SessionSummary{}, false
	}
	sum := SessionSummary{Session: t.Open.Number, Owed: t.Customer}
	for _, part := range []struct {
		act  string
		list []state.InSession
		sign money.Amount
	}{{"sold", t.Open.Sold, 1}, {"issued", t.Open.Issued, 1}, {"paid", t.Open.Paid, -1}, {"cancelled", t.Open.Cancelled,
		-1}} {
		for _, in := range part.list {
			sum.Lines = append(sum.Lines, SessionLine{part.act, in.Place, part.sign * in.Cents})
		}
	}
	for _, w := range t.Withheld {
		sum.Lines = append(sum.Lines, SessionLine{"withheld", w.Ticket, w.Cents})
		sum.Owed += w.Cents
	}
	if at.Book == nil {
		return sum, true
	}
	open := without(t.Open, t.Withheld)
	p := purse{at.Book, at.Today, open, brought(open)}
	for _, l := range p.returning(func(card record.Place) bool {
		return slices.ContainsFunc(t.Cards, func(c state.CardAccount) bool { return c.Place == card && c.Takes(at.Now) })
	}) {
		sum.Lines = append(sum.Lines, SessionLine{"returned", l.from, l.Cents})
		sum.Owed += l.Cents
	}
	return sum, true
}
