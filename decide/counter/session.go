package counter

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which the end of a session is refused.
const (
	NothingOpen       refusal.Code = "nothing_open"      // there is nothing to settle
	VoucherNoChange   refusal.Code = "voucher_no_change" // the vouchers are worth more than the tickets
	Overpaid          refusal.Code = "overpaid"          // more is tendered than is owed
	ClaimCodesMissing refusal.Code = "claims_missing"    // papers are to be issued, and need claim codes
	NotOwing          refusal.Code = "not_owing"         // the customer owes nothing
	PersonsMissing    refusal.Code = "persons_missing"   // two persons must sign
	AmountWrong       refusal.Code = "amount_wrong"      // the amount cannot be
	NotShutOut        refusal.Code = "not_shut_out"      // the terminal has its key, and ends its session itself
	RunnerNone        refusal.Code = "runner_none"       // no entry of the session came by a runner
	RunnerUnknown     refusal.Code = "runner_unknown"    // the person is no runner of the venue
)

// PresentedPaper is a paper that stands for money and is brought by its holder.
type PresentedPaper struct {
	Place  record.Place
	Code   serial.ClaimCode
	Refund bool // the buyer gives it back
}

// CardUse moves money between a player card and the session: from the card when
// positive.
type CardUse struct {
	Card  uint32
	Cents money.Amount
}

// SessionEnd asks to end a customer session.
type SessionEnd struct {
	Request record.Request
	Now     record.Time
	Series  uint8
	Papers  []PresentedPaper
	Card    CardUse
	Chips   money.Amount
	Pay     []Share // how the customer wants to be paid
	// Payee commits to the details of the payee of a cheque or transfer.
	Payee record.Hash
	// Account says that the payee has named an account for a transfer.
	Account bool
	Checked bool // the list of excluded people was looked into
	// Claims are the hashes of claim codes for papers that the end may have to issue,
	// used in their order.
	Claims    []record.Hash
	Anonymous bool
	// Unpaid says that the customer has left without paying all; Cash is what was paid. Where
	// all was paid, Cash may be left out.
	Unpaid bool
	Cash   money.Amount
	// Print asks for the list of the session, and DisplayDown says that the customer's
	// display does not work.
	Print, DisplayDown bool
	// Runner is the person who brought entries of the session; 0 where the terminal does not say.
	Runner uint32
	// Expect is what the terminal thinks the customer owes in all, or is owed when
	// negative.
	Expect *money.Amount
}

// EndedSession is what the end of a session comes to: papers first, then the end, then cheques
// that are promised and what is frozen.
type EndedSession struct {
	Papers []IssuedPaper
	Record *record.SessionEnded
	// Postings are those of the record.
	Postings []ledger.Posting
	Promised []*record.ChequePromised // each lacks the place of the record
	Unpaid   []record.Place           // tickets on which payment is to be stopped
	Clause   string                   // that says so
}

// IssuedPaper is a paper that is issued at the end of a session.
type IssuedPaper struct {
	Record   *record.InstrumentIssued
	Postings []ledger.Posting
}

// EndSession ends a customer session.
//
//rule:vic-keno-2015 2(a).customer-session 2(a).customer-session(i) 2(a).customer-session(ii) 2(a).customer-session(iii) 2(a).customer-session(iv)
//rule:vic-keno-2015 2(a).parlay 11(a)(iv) 11(a)(v) 11(a)(vi) 11(b)
//rule:tas-keno-2023 1.14 1.19 1.20 1.21 12.1(a) 12.1(b)
//rule:casino-keno-div2 4.1
func EndSession(s *state.State, c SessionEnd) (EndedSession, error) {
	e, err := beginEnding(s, c)
	if err != nil {
		return EndedSession{}, err
	}
	for _, step := range []func() error{e.checkRunner, e.takePapers, e.takeCard, e.takeChips, e.checkExpected, e.spend,
		e.checkJoined, e.giveBack} {
		if err := step(); err != nil {
			return EndedSession{}, err
		}
	}
	switch {
	case !c.Unpaid && c.Cash != 0 && c.Cash != e.owed:
		// Nobody gives the rest back: no more is taken than is owed, and what is taken is booked.
		err = refuse(AmountWrong, "", "cash_cents",
			"%v in cash are not the %v that the customer owes, and nothing says what becomes of the difference.",
			c.Cash, max(e.owed, 0))
	case e.owed > 0:
		err = e.takeCash()
	case e.owed < 0:
		err = e.payOut()
	case c.Unpaid:
		err = refuse(NotOwing, "", "unpaid", "The customer owes nothing.")
	}
	if err == nil {
		err = e.checkBought()
	}
	if err != nil {
		return EndedSession{}, err
	}
	return e.finish(), nil
}

// ending is a session that is being ended.
type ending struct {
	SessionEnd
	state    *state.State
	terminal state.Terminal
	venue    state.Venue
	series   *state.Series
	open     *state.Open
	accept   rulebook.Tender

	owed money.Amount // by the customer; to the customer when negative
	due  money.Amount // the same before anything was tendered, with nothing given back yet
	// exchanged is what papers brought that only some venues turn into money.
	exchanged money.Amount
	lots      []held         // what the customer has, by origin; cash apart
	spent     []record.Spent // what has paid for tickets
	counted   money.Amount   // against the limit of the session, of what leaves
	unsold    money.Amount   // papers that the session has sold and takes back
	tenders   []record.Settlement
	postings  []ledger.Posting
	papers    []IssuedPaper
	promised  []*record.ChequePromised
}

func beginEnding(s *state.State, c SessionEnd) (*ending, error) {
	terminal, err := terminalOf(s, c.Request.Terminal)
	if err != nil {
		return nil, err
	}
	if terminal.Open != nil {
		c.Series = terminal.Open.Series
	}
	series, err := seriesOf(s, c.Series)
	if err != nil {
		return nil, err
	}
	e := &ending{SessionEnd: c, state: s, terminal: terminal, series: series, open: terminal.Open}
	e.venue, _ = s.Venue(terminal.Venue)
	if e.open == nil {
		if e.open = new(state.Open); len(c.Papers) == 0 && c.Card.Cents == 0 {
			return nil, refuse(NothingOpen, "", "terminal", "No customer session is open at terminal %d.", terminal.ID)
		}
	}
	e.accept, _ = AcceptedAt(series.Book, e.venue.Kind, terminal.Channel)
	e.owed = s.Balances().OfUnit(ledger.Customer, terminal.ID)
	e.withhold()
	e.due = e.owed
	return e, nil
}

// withhold takes out of the session what tickets have brought on which payment was stopped
// since. Nothing else that depends on what was paid in the session sees them.
func (e *ending) withhold() {
	for _, t := range Withhold(e.state, e.terminal.ID) {
		e.tender(t, ledger.Withheld, 0)
	}
	e.open = without(e.open, e.state.Withholding(e.terminal.ID))
}

// without returns a session as it is without what is withheld.
func without(o *state.Open, withheld []state.Withheld) *state.Open {
	if len(withheld) == 0 {
		return o
	}
	open := *o
	var own []state.InSession // What the session sold and took back is not withheld: nobody paid for it.
	for _, in := range slices.Concat(open.Paid, open.Cancelled) {
		if in.Own > 0 && slices.ContainsFunc(withheld, func(w state.Withheld) bool { return w.Ticket == in.Place }) {
			own = append(own, state.InSession{Place: in.Place, Cents: in.Own, Own: in.Own})
		}
	}
	open.Paid, open.Cancelled = state.Without(open.Paid, withheld), append(state.Without(open.Cancelled, withheld),
		own...)
	for _, w := range withheld {
		open.Majors -= w.Majors
	}
	return &open
}

// checkExpected refuses an end of which the terminal expects another amount. What goes back as what it
// was is no money for what else the customer took, so that it counts; see [SummariseSession].
//
//rule:vic-keno-2015 17(e)
func (e *ending) checkExpected() error {
	return checkExpected(e.Expect, e.due+e.returns())
}

// AcceptedAt returns what pays for tickets at a kind of terminal in a kind of venue.
//
//rule:tas-keno-2023 12.1(a) 12.1(b)
func AcceptedAt(book *rulebook.Book, venue rulebook.VenueKind, channel rulebook.Channel) (rulebook.Tender, bool) {
	for _, t := range book.Tenders() {
		if t.Channel == channel && (len(t.Venues) == 0 || slices.Contains(t.Venues, venue)) {
			return t, true
		}
	}
	return rulebook.Tender{}, false
}

func (e *ending) accepts(id string) bool { return slices.Contains(e.accept.Accept, id) }

// tender notes a payment: to the house when positive.
func (e *ending) tender(t record.Settlement, account ledger.Account, unit uint32) {
	e.tenders = append(e.tenders, t)
	e.postings = append(e.postings, ledger.Debit(account, unit, t.Cents))
	e.owed -= t.Cents
}

// takePapers takes papers that stand for money, each whole.
//
//rule:vic-keno-2015 11(a)(ii) 11(a)(iii) 14(a) 23(d)
func (e *ending) takePapers() error {
	for i, p := range e.Papers {
		paper, ok := e.state.Paper(p.Place)
		if !ok || slices.ContainsFunc(e.Papers[:i], func(q PresentedPaper) bool { return q.Place == p.Place }) {
			return refuse(PaperUnknown, "", "papers", "There is no such paper, or it was used.")
		}
		if paper.Series != e.series.ID {
			return refuse(PaperOther, "", "papers", "The paper is for games of another series.")
		}
		opening, err := Opening(e.state, p.Place, paper.Claim, paper.Request, p.Code)
		if err != nil {
			return err
		}
		if err := CheckStop(e.state, p.Place); err != nil {
			return err
		}
		if err := CheckRedemption(e.series.Book, Redemption{
			Paper: paper, Accept: e.accept.Accept, Clause: e.accept.Quoted(), Venue: e.venue.ID, Kind: e.venue.Kind,
			Today: e.series.Today(e.Now), Refund: p.Refund, NoCash: !e.series.Book.Gives(e.terminal.Channel, Cash),
			Sale: len(e.open.Sold) > 0,
		}); err != nil && !(p.Refund && e.sells(paper)) {
			return err
		}
		if err := e.checkType(paper, p.Refund); err != nil {
			return err
		}
		unit, _ := ledger.Paper(paper.ID)
		e.tender(record.Settlement{Kind: record.TenderInstrument, Cents: paper.Cents, Instrument: p.Place,
			Opening: opening[:], Refund: p.Refund}, ledger.Instruments, unit)
		if Exchanged(e.series.Book, paper.ID) {
			e.exchanged += paper.Cents
		}
		lot := paper.Lot()
		switch {
		case p.Refund && e.sells(paper): // Nobody has paid for it.
			e.unsold += paper.Cents
			continue
		case p.Refund: // The buyer gets back what it cost.
			lot = state.Lot{ID: state.OriginCash, Cents: paper.Cents}
		}
		e.lots = append(e.lots, held{Lot: lot})
	}
	return nil
}

// checkType refuses a paper that is for another type of game than all tickets of the session.
//
//rule:vic-keno-2015 2(a).gift-voucher 2(a).prepaid-voucher 11(a)(ii)
func (e *ending) checkType(p state.Paper, refund bool) error {
	lot := state.Lot{GameType: p.GameType}
	pays := slices.ContainsFunc(e.open.Sold, func(in state.InSession) bool { return lot.PaysFor(in.Types) })
	if refund || pays || len(e.open.Sold) == 0 {
		return nil
	}
	kind, _ := e.series.Book.Instrument(p.ID)
	return refuse(PaperTypeOther, kind.GameTypesClause(), "serial",
		"The %s is for %s alone, and no ticket is of that game alone.", kind.Name,
		typeNames(e.series.Book, []string{p.GameType}, ""))
}

// sells reports whether the session itself has sold a paper. Nobody has paid for it yet, so that
// it is handed back there whatever its rules are: otherwise what cannot buy it would keep the
// session from its end.
func (e *ending) sells(p state.Paper) bool {
	return p.Reason == record.IssuedForMoney &&
		slices.ContainsFunc(e.open.Issued, func(in state.InSession) bool { return in.Place == p.Place })
}

// takeCard takes money from a player card, or brings it there.
//
//rule:vic-keno-2015 11(a)(v) 11(b)
func (e *ending) takeCard() error {
	use := e.Card
	if use.Cents == 0 {
		return nil
	}
	if use.Cents < -MaxMoved || use.Cents > MaxMoved {
		return refuse(AmountWrong, "", "card_cents", "So much does not move at a time.")
	}
	card, ok := e.state.Card(use.Card)
	if !ok || !e.accepts(PlayerCard) {
		return refuse(TenderOther, e.accept.Quoted(), "card", "There is no such card here.")
	}
	if use.Cents > 0 && len(e.open.Sold) > 0 {
		if owes := e.owed + e.returns(); use.Cents > owes {
			return refuse(Overpaid, "", "card", "The customer owes %v, and the card is to pay %v.", owes, use.Cents)
		}
		is, _ := e.series.Book.Instrument(PlayerCard)
		if _, err := CheckCardStake(e.state, use.Card, use.Cents, e.Now, lastCited(is.Clause)); err != nil {
			return err
		}
	}
	switch {
	case use.Cents > card.Cents:
		return refuse(CardShort, "", "card", "Card %d has %v, and no credit.", use.Card, card.Cents)
	case use.Cents < 0 && (card.Excluded(e.Now) || card.Status == record.CardClosed):
		return refuse(CardExcluded, "", "card", "Card %d cannot be used.", use.Card)
	}
	if use.Cents > 0 {
		e.lots = append(e.lots, held{Lot: state.Lot{ID: state.OriginCard, Of: card.Place, Cents: use.Cents}})
	}
	unit, _ := ledger.Paper(PlayerCard)
	e.tender(record.Settlement{Kind: record.TenderCard, Cents: use.Cents, Instrument: card.Place}, ledger.Instruments,
		unit)
	return nil
}

// takeChips takes chips of the casino.
//
//rule:casino-keno-div2 4.1
//rule:tas-keno-2023 12.1(b)
func (e *ending) takeChips() error {
	switch owes := e.owed + e.returns(); {
	case e.Chips == 0:
		return nil
	case !e.accepts("chips"):
		return refuse(TenderOther, e.accept.Quoted(), "chips_cents", "Chips do not pay for tickets here.")
	case e.Chips < 0 || e.Chips > owes:
		return refuse(Overpaid, "", "chips_cents", "The customer owes %v, and %v in chips are tendered.", owes, e.Chips)
	}
	e.lots = append(e.lots, held{Lot: state.Lot{ID: state.OriginChips, Cents: e.Chips}})
	e.tender(record.Settlement{Kind: record.TenderChips, Cents: e.Chips}, ledger.Chips, e.venue.ID)
	return nil
}

// takeCash takes the rest in cash; what a customer who has left did not pay is the
// venue's loss. Such a customer brings nothing to a card: a ticket or paper that was not paid for
// is stopped, and the money of a card could not be.
//
//rule:tas-keno-2023 16.1 16.2 16.3
//rule:vic-keno-2015 9(d) 11(b)
//rule:casino-keno-div2 3.11 3.12
func (e *ending) takeCash() error {
	cash := e.owed
	if e.Unpaid {
		if cash = e.Cash; cash < 0 || cash >= e.owed {
			return refuse(AmountWrong, "", "cash_cents", "The customer owes %v, and did not pay all of it.", e.owed)
		}
		if e.Card.Cents < 0 {
			return refuse(NotPaidFor, lastCited(e.series.Book.Credit().Clause), "card_cents",
				"%v are to go to card %d, and the customer does not pay all that is owed. There is no credit through a card: end the session without it.", -e.Card.Cents, e.Card.Card)
		}
	}
	if cash > 0 {
		if !e.accepts(Cash) {
			return refuse(TenderOther, e.accept.Quoted(), "pay", "This terminal takes no cash for tickets.")
		}
		e.tender(record.Settlement{Kind: record.TenderCash, Cents: cash}, ledger.Cash, e.venue.ID)
	}
	if e.owed > 0 {
		e.tender(record.Settlement{Kind: record.TenderUnpaid, Cents: e.owed}, ledger.VenueLosses, e.venue.ID)
	}
	return nil
}

// finish makes the records. A winner who asks at the end is not named in public.
//
//rule:vic-keno-2015 21(c)
//rule:tas-keno-2023 13.3
func (e *ending) finish() EndedSession {
	var sum money.Amount
	for _, t := range e.tenders {
		sum += t.Cents
	}
	ended := EndedSession{
		Papers: e.papers,
		Record: &record.SessionEnded{
			Request: e.Request, Session: e.terminal.NextSession(), Day: e.series.Day, Tenders: e.tenders,
			Spent: e.spent, CountedCents: e.counted,
			Printed: e.printed(), Anonymous: e.Anonymous, Checked: e.Checked,
			Account: e.Account && e.needsAccount(), Series: e.laterSeries(), Runner: e.Runner,
		},
		Postings: ledger.Merge(append(e.postings, ledger.Credit(ledger.Customer, e.terminal.ID, sum))...),
		Promised: e.promised,
	}
	if e.Unpaid {
		ended.Clause = e.series.Book.Credit().Quoted()
		for _, in := range slices.Concat(e.open.Sold, e.open.Issued) {
			ended.Unpaid = append(ended.Unpaid, in.Place)
		}
	}
	return ended
}

// laterSeries returns the series of the session; 0 for the first, so that a record of it is as it always was.
func (e *ending) laterSeries() uint8 {
	if e.series.ID == state.FirstSeries {
		return 0
	}
	return e.series.ID
}

// printed says why the customer gets the list of the session, if at all.
//
//rule:tas-keno-2023 13.13 13.13(a) 13.13(b) 13.13(c) 6.2(b)
func (e *ending) printed() string {
	switch {
	case e.open.Runner:
		return "runner"
	case e.DisplayDown:
		return "display"
	case e.Print:
		return "request"
	}
	return ""
}
