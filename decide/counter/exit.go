package counter

import (
	"fmt"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes about ways on which money leaves.
const (
	KeyRevoked  refusal.Code = "key_revoked"  // the terminal was shut out
	NotSettled  refusal.Code = "not_settled"  // it is of a session that is open, which has not paid for it
	VenueClosed refusal.Code = "venue_closed" // the venue never trades
	Unwithheld  refusal.Code = "not_withheld" // the end of a session would hand out what is stopped
)

// outsideAccounts are the accounts of what customers have in their hands or are owed at a counter:
// a credit there is money that leaves the house, or a paper that stands for it.
var outsideAccounts = map[ledger.Account]bool{
	ledger.Cash: true, ledger.Chips: true, ledger.Safe: true, ledger.Bank: true, ledger.SiteCheques: true,
	ledger.Instruments: true, ledger.Customer: true, ledger.CasinoDollars: true, ledger.SlotDollars: true,
	ledger.Crown: true,
}

// leaving is money of one ticket, paper or card that a record takes out, or lets out.
type leaving struct {
	terminal uint32 // at which it leaves; 0 where the operator pays it
	of       record.Place
	// undoes says that a session which sold it takes it back, at no more than it costs there.
	undoes bool
}

// A question about money that leaves.
type question int

// The questions, in the order in which they are asked.
const (
	askKey       question = iota // was the terminal shut out?
	askSettled                   // does a session that is open still owe for it?
	askFrozen                    // is payment on it stopped, or the entry disqualified?
	askUnclaimed                 // is there a form for it that may still be paid?
	askFound                     // was it paid as lost?
	askDelivered                 // was the paper never handed over?
)

// questions are asked about everything that leaves, on every way. A way names those that
// are not asked on it.
var questions = [...]func(*state.State, leaving) error{
	askKey:       func(s *state.State, l leaving) error { return checkTerminalKey(s, l.terminal) },
	askSettled:   checkSettled,
	askFrozen:    func(s *state.State, l leaving) error { return CheckFrozen(s, l.of) },
	askUnclaimed: func(s *state.State, l leaving) error { return checkUnclaimed(s, l.of) },
	askFound:     func(s *state.State, l leaving) error { return checkLost(s, l.of) },
	askDelivered: func(s *state.State, l leaving) error { return checkDelivered(s, l.of) },
}

// A wayOut is how the money of tickets, papers and cards leaves by the records of a kind.
type wayOut struct {
	// leaves returns what leaves, where that is not the ticket that the record is about.
	leaves func(*state.State, record.Body) []leaving
	// undoes reports that a session takes back no more than it has sold; see leaving.
	undoes func(record.Body) bool
	// out reports whether anything leaves at the terminal at all; if nil, it does.
	out func(record.Body) bool
	// also asks what is about this way alone, and is asked first.
	also func(*state.State, record.Body) error
	// except are the questions that are not asked, each with the reason.
	except map[question]string
}

// onForm are the questions that are not asked about a claim form that is there.
var onForm = map[question]string{
	askUnclaimed: "the form is the claim",
	askFound:     "what was paid as lost is paid on forms alone",
	askDelivered: "its holder claims it, and those who decide see what the terminal has said",
}

// taken are the questions that were asked when a ticket was paid or cancelled: its money is
// the customer's since, in another shape.
var taken = map[question]string{
	askUnclaimed: "it was asked when the ticket was taken in; a form since then is for what the ticket won since then",
	askFound:     "it was asked when the ticket was taken in",
	askDelivered: "it was asked when the ticket was taken in",
}

// waysOut are the kinds of records by which the money of tickets, papers and cards leaves.
var waysOut = map[record.Kind]wayOut{
	record.KindTicketPaid: {also: asExit(checkPaidByHand), undoes: says(func(b *record.TicketPaid) bool {
		return b.RefundCents > 0 && b.RefundCents == b.Amount()
	})},
	record.KindBonusAllocated: {},
	// A prize that runs on is more than the stake.
	record.KindTicketCancelled: {undoes: says(func(b *record.TicketCancelled) bool { return b.CarriedCents == 0 }),
		except: map[question]string{askDelivered: "two persons void a ticket that was not handed over"}},
	record.KindPrizeForfeited: {also: asExit(checkForfeitedByHand)},
	record.KindSessionEnded:   {leaves: of(sessionLeaves), out: says(paysOut), also: asExit(checkSession)},
	// What else a paper is issued for than a ticket that gives back, the end of its session says.
	record.KindInstrumentIssued: {leaves: of(func(_ *state.State, b *record.InstrumentIssued) []leaving {
		return []leaving{{of: b.For}}
	}), except: taken},
	// What is not paid for is not claimed either: a form is one more way out.
	record.KindClaimLodged: {leaves: of(func(_ *state.State, b *record.ClaimLodged) []leaving { return claimLeaves(b) }),
		except: map[question]string{askFound: onForm[askFound], askDelivered: onForm[askDelivered]}},
	// What was stopped since the form was lodged is not allowed: its holder would be told of
	// money that nobody may pay.
	record.KindClaimDecided: {leaves: of(func(s *state.State, b *record.ClaimDecided) []leaving {
		if b.Outcome != record.ClaimAllowed {
			return nil
		}
		return formLeaves(s, b.Claim)
	}), also: asExit(func(s *state.State, b *record.ClaimDecided) error {
		if b.Outcome != record.ClaimAllowed {
			return nil
		}
		return checkFormByHand(s, b.Claim)
	}), except: onForm},
	record.KindClaimPaid: {leaves: of(func(s *state.State,
		b *record.ClaimPaid) []leaving {
		return formLeaves(s, b.Claim)
	}),
		also: asExit(func(s *state.State, b *record.ClaimPaid) error { return checkFormByHand(s, b.Claim) }), except: onForm},
	record.KindChequePromised: {leaves: of(func(_ *state.State, b *record.ChequePromised) []leaving {
		return chequeLeaves(b.Terminal, b.Tickets)
	}), except: taken},
	// It is of no ticket: what is owed to the State bounds it.
	record.KindRemittanceMade: {leaves: of(func(*state.State, *record.RemittanceMade) []leaving { return nil }),
		also: asExit(checkOwed)},
	// It is of no ticket: what is owed to the venue bounds it.
	record.KindVenuePaid: {leaves: of(func(*state.State, *record.VenuePaid) []leaving { return nil }),
		also: asExit(checkOwedVenue)},
	record.KindChequeHanded: {leaves: of(func(s *state.State, b *record.ChequeHanded) []leaving {
		cheque, _ := s.Cheque(b.Cheque) // The decision itself says if there is none.
		return chequeLeaves(0, cheque.Tickets)
	}), except: taken},
}

// insideKinds are the other kinds that credit an account of outside, with the reason why
// nothing is asked about them here.
var insideKinds = map[record.Kind]string{
	record.KindBankMoved:            "two persons move cash between a drawer and the safe of its venue: it stays in the house",
	record.KindCashCarried:          "two persons carry cash from the safe of a venue to the bank of the operator, or to the venue whose own it is",
	record.KindDebitAnswered:        "the bank of a venue calls back what it has paid to the operator",
	record.KindVenuePaymentReversed: "no money leaves: a payment that was not made so is taken off the books again",
	record.KindRemittanceReversed:   "no money leaves: a payment to the State that was not made so is owed again",
	record.KindBankCounted:          "two persons count a drawer, and what is missing was missing before",
	record.KindBingoPaid:            "a prize of bingo is of a card, on which package hall decides: a claim that was verified and is not disputed",
	record.KindRefundPaid:           "a fee of bingo goes back to a player, on which package hall decides",
	record.KindEntryUndone:          "a fee of bingo is handed back with its books, on which package hall decides",
	record.KindDisputePaid:          "what a dispute of a bingo room awarded, on which package hall decides: by two persons",
	record.KindOfferClaimed:         "a promotional prize of bingo is of an entry, on which package hall decides",
}

// of turns what leaves by a kind of body into what leaves by a body.
func of[B record.Body](leaves func(*state.State, B) []leaving) func(*state.State, record.Body) []leaving {
	return func(s *state.State, body record.Body) []leaving {
		b, ok := body.(B)
		if !ok {
			return nil // asExit and the record say so.
		}
		return leaves(s, b)
	}
}

// says turns a question about a kind of body into one about a body.
func says[B record.Body](is func(B) bool) func(record.Body) bool {
	return func(body record.Body) bool {
		b, ok := body.(B)
		return ok && is(b)
	}
}

func asExit[B record.Body](check func(*state.State, B) error) func(*state.State, record.Body) error {
	return func(s *state.State, body record.Body) error {
		b, ok := body.(B)
		if !ok {
			return fmt.Errorf("counter: a %T is asked about as another kind", body)
		}
		return check(s, b)
	}
}

// CheckExit refuses a record by which money would leave that is stopped: payment on the
// ticket, paper or card is frozen, the entry is disqualified, a claim form for it is open,
// or it is not paid for yet; or the terminal was shut out. A record of a kind that nobody
// has thought of moves no money out of the house.
//
//rule:vic-keno-2015 21(k) 26(a)
//rule:tas-keno-2023 1.25 16.2 20.1
func CheckExit(s *state.State, r record.Record) error {
	if err := checkVenueTrades(s, r); err != nil {
		return err
	}
	if way, ok := waysOut[r.Kind()]; ok {
		return way.check(s, r)
	}
	if _, ok := insideKinds[r.Kind()]; ok {
		return nil
	}
	for _, p := range r.Postings {
		if p.Cents < 0 && outsideAccounts[p.Account] {
			return fmt.Errorf("counter: a record of the kind %v moves %v out of the house, and no guard knows the kind",
				r.Kind(), -p.Cents)
		}
	}
	return nil
}

// check asks what is about the way alone, and then all questions but its exceptions about
// everything that leaves.
func (w *wayOut) check(s *state.State, r record.Record) error {
	if w.also != nil {
		if err := w.also(s, r.Body); err != nil {
			return err
		}
	}
	for _, l := range w.leavings(s, r) {
		for q, ask := range questions {
			if w.except[question(q)] != "" {
				continue
			}
			if err := ask(s, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// leavings returns what leaves by a record, and at which terminal.
func (w *wayOut) leavings(s *state.State, r record.Record) []leaving {
	var all []leaving
	if w.leaves != nil {
		all = w.leaves(s, r.Body)
	} else if ticket, ok := r.Subject(); ok {
		all = []leaving{{of: ticket, undoes: w.undoes != nil && w.undoes(r.Body)}}
	}
	if terminal, ok := r.Counter(); ok {
		for i := range all {
			all[i].terminal = terminal
		}
	}
	return all
}

// CheckServed refuses a record by which money would leave at a terminal where the rules let
// none leave: it is of a kind that does not pay, nobody has signed on there, or nobody is in
// control of the venue. It does not ask which act it is: payment, cancellation, a paper and
// the end of a session are alike.
//
//rule:tas-keno-2023 4.2
//rule:vic-keno-2015 7(b)
//rule:casino-keno-div2 8.3(a) 8.5
func CheckServed(s *state.State, r record.Record) error {
	terminal, ok := paysAt(r)
	if !ok {
		return nil
	}
	for series := range s.AllSeries() {
		if err := (staff.Floor{People: s.People(), Book: series.Book}).CheckPaying(r.Time, terminal); err != nil {
			return err
		}
	}
	return nil
}

// paysAt returns the terminal at which money leaves by a record, if it leaves at one. Forms and
// cheques are paid by the operator, who has no terminal.
func paysAt(r record.Record) (terminal uint32, ok bool) {
	way, ok := waysOut[r.Kind()]
	if !ok || way.out != nil && !way.out(r.Body) {
		return 0, false
	}
	return r.Counter()
}

// paysOut reports whether the end of a session pays anything out.
func paysOut(b *record.SessionEnded) bool {
	return slices.ContainsFunc(b.Tenders, func(t record.Settlement) bool {
		return t.Cents < 0 &&
			t.Kind != record.TenderWithheld
	})
}

// checkVenueTrades refuses what is done at the counter of a venue that was closed: anybody who sets
// its hours to none has said that it never trades. A customer session that is open there is
// ended all the same, and its till is counted and emptied. The hours of a venue that trades
// bind what the rulebook binds to them, which payments are not.
func checkVenueTrades(s *state.State, r record.Record) error {
	venue := counterVenue(s, r)
	if premises, ok := s.People().Premises(venue); ok && premises.Closed() {
		return refuse(VenueClosed, "", "terminal", "%s is closed: it has no hours in which it trades.", premises.Name)
	}
	return nil
}

// counterVenue returns the venue at whose counter something is done, or 0.
func counterVenue(s *state.State, r record.Record) uint32 {
	at, _ := r.Counter()
	terminal, _ := s.Terminal(at)
	switch r.Kind() {
	case record.KindClaimPaid:
		venue, _ := r.Venue()
		return venue
	case record.KindBankMoved, record.KindBankCounted:
		return 0
	case record.KindSessionEnded, record.KindInstrumentIssued:
		if endsSession(r.Body) && terminal.Open != nil {
			return 0
		}
	}
	return terminal.Venue
}

// endsSession reports whether a record is of the end of a session: the end itself, or a paper that
// is issued with it.
func endsSession(body record.Body) bool {
	b, paper := body.(*record.InstrumentIssued)
	return !paper || b.Reason != record.IssuedForMoney && b.Reason != record.IssuedByOperator
}

func checkPaidByHand(s *state.State, b *record.TicketPaid) error {
	if b.PaidBy != 0 {
		return nil
	}
	series, _ := s.Series(b.Series)
	return exitByHand(series, ordinalsOf(b.Parts)...)
}

func checkForfeitedByHand(s *state.State, b *record.PrizeForfeited) error {
	series, _ := s.Series(b.Series)
	return exitByHand(series, ordinalsOf(b.Parts)...)
}

// Withhold returns the tenders by which the end of the session at a terminal keeps what
// tickets have brought on which payment was stopped since, or everything that they have
// brought to a terminal that was shut out since. The session then comes to what it would
// without them: whatever the customer took for that money is paid for otherwise, or not
// paid for. A ticket's money is kept whole.
//
//rule:vic-keno-2015 21(k) 26(a)
//rule:tas-keno-2023 1.25 16.2 20.1
func Withhold(s *state.State, terminal uint32) []record.Settlement {
	var all []record.Settlement
	for _, w := range s.Withholding(terminal) {
		all = append(all, record.Settlement{Kind: record.TenderWithheld, Cents: -w.Cents, Instrument: w.Ticket})
	}
	return all
}

// checkWithheld refuses the end of a session that does not keep just that.
func checkWithheld(s *state.State, b *record.SessionEnded) error {
	due := Withhold(s, b.Request.Terminal)
	for i := range b.Tenders {
		t := &b.Tenders[i]
		if t.Kind != record.TenderWithheld {
			continue
		}
		at := slices.IndexFunc(due, func(d record.Settlement) bool {
			return d.Instrument == t.Instrument &&
				d.Cents == t.Cents
		})
		if at < 0 {
			return refuse(Unwithheld, "", "tenders",
				"Ticket %v is to be paid, and %v of it would be withheld.", t.Instrument, -t.Cents)
		}
		due = slices.Delete(due, at, at+1)
	}
	if len(due) == 0 {
		return nil
	}
	if err := CheckFrozen(s, due[0].Instrument); err != nil {
		return err
	}
	return checkTerminalKey(s, b.Request.Terminal)
}

// checkUnwound refuses the end of a session at a terminal that was shut out by which
// anything would leave the house, or anything but cash would come. Two persons end a
// session there that was open (UnwindSession).
func checkUnwound(s *state.State, b *record.SessionEnded) error {
	t, _ := s.Terminal(b.Request.Terminal)
	if !s.ShutOut(t.ID) {
		return nil
	}
	if t.Open == nil {
		return checkTerminalKey(s, t.ID)
	}
	for i := range b.Tenders {
		switch k := b.Tenders[i].Kind; {
		case k == record.TenderWithheld, k == record.TenderUnpaid, k == record.TenderCash && b.Tenders[i].Cents > 0:
		default:
			return checkTerminalKey(s, t.ID)
		}
	}
	return nil
}

// checkSession refuses the end of a session that hands out what it must keep.
func checkSession(s *state.State, b *record.SessionEnded) error {
	if err := checkUnwound(s, b); err != nil {
		return err
	}
	return checkWithheld(s, b)
}

// sessionLeaves returns the papers and the card that a session is paid with.
func sessionLeaves(_ *state.State, b *record.SessionEnded) (all []leaving) {
	for i := range b.Tenders {
		if t := &b.Tenders[i]; t.Kind == record.TenderInstrument || t.Kind == record.TenderCard && t.Cents > 0 {
			// A paper of the session itself costs there what it brings.
			all = append(all, leaving{of: t.Instrument, undoes: true})
		}
	}
	return all
}

// claimLeaves returns what is claimed on a form. The operator pays it.
func claimLeaves(b *record.ClaimLodged) (all []leaving) {
	for _, p := range b.Parts {
		all = append(all, leaving{of: p.Of})
	}
	return all
}

// formLeaves returns what is claimed on a form that was lodged.
func formLeaves(s *state.State, claim uint32) []leaving {
	form, ok := s.ClaimForm(claim)
	if !ok {
		return nil // The decision itself says so.
	}
	return claimLeaves(&form.ClaimLodged)
}

// checkFormByHand refuses a form for prizes of a game that is paid by hand.
func checkFormByHand(s *state.State, claim uint32) error {
	form, ok := s.ClaimForm(claim)
	if !ok {
		return nil
	}
	series, _ := s.Series(form.Series)
	for _, p := range form.Parts {
		if p.IsOther() {
			continue // It is of no game of the house.
		}
		if err := exitByHand(series, p.Ordinal); err != nil {
			return err
		}
	}
	return nil
}

// chequeLeaves returns the tickets for which a cheque is.
func chequeLeaves(terminal uint32, tickets []record.Place) (all []leaving) {
	for _, ticket := range tickets {
		all = append(all, leaving{terminal: terminal, of: ticket})
	}
	return all
}

// checkSettled refuses to pay for a ticket or paper that an open session has sold, because the
// customer has not paid for it yet. That session may take the ticket back, but pays no prize of it:
// otherwise a customer who wins has staked nothing, and a customer who loses walks away.
//
//rule:vic-keno-2015 11(b) 21(k)
//rule:tas-keno-2023 1.12 16.1 16.2
//rule:casino-keno-div2 4.1
func checkSettled(s *state.State, l leaving) error {
	at := s.Unsettled(l.of)
	if at == 0 || at == l.terminal && l.undoes {
		return nil
	}
	return refuse(NotSettled, creditClause(s), "serial",
		"It is of the customer session that is open at terminal %d, and not paid for yet. End that session first.", at)
}

// creditClause returns the clause by which nothing is bought on credit, or the one that says what
// pays for a ticket.
func creditClause(s *state.State) (clause string) {
	for series := range s.AllSeries() {
		if clause = series.Book.Credit().Quoted(); clause != "" {
			return clause
		}
		for _, t := range series.Book.Tenders() {
			return t.Quoted()
		}
	}
	return clause
}

func checkTerminalKey(s *state.State, terminal uint32) error {
	if s.ShutOut(terminal) {
		return refuse(KeyRevoked, "", "terminal",
			"Terminal %d was shut out; an administrator can give it another key.", terminal)
	}
	return nil
}
