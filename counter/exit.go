package counter

import (
	"fmt"
	"slices"

	"drawhouse/ledger"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
)

// The codes about ways on which money leaves.
const (
	KeyRevoked  refusal.Code = "key_revoked"  // the terminal was shut out
	NotSettled  refusal.Code = "not_settled"  // it is of a session that is open at another terminal
	VenueClosed refusal.Code = "venue_closed" // the venue never trades
	Unwithheld  refusal.Code = "not_withheld" // the end of a session would hand out what is stopped
)

// outsideAccounts are the accounts of what customers have in their hands or are owed at a counter:
// a credit there is money that leaves the house, or a paper that stands for it.
var outsideAccounts = map[ledger.Account]bool{
	ledger.Cash: true, ledger.Chips: true, ledger.Safe: true, ledger.Bank: true, ledger.SiteCheques: true,
	ledger.Instruments: true, ledger.Customer: true, ledger.CasinoDollars: true, ledger.SlotDollars: true, ledger.Crown: true,
}

// exitChecks are the kinds of records by which the money of tickets, papers and cards leaves,
// each with what is asked about it.
var exitChecks = map[record.Kind]func(*state.State, record.Body) error{
	record.KindTicketPaid:       asExit(exitPaid),
	record.KindBonusAllocated:   asExit(exitBonus),
	record.KindTicketCancelled:  asExit(exitCancelled),
	record.KindPrizeForfeited:   asExit(exitForfeited),
	record.KindSessionEnded:     asExit(exitSession),
	record.KindInstrumentIssued: asExit(exitIssued),
	record.KindClaimDecided:     asExit(exitDecided),
	record.KindClaimPaid:        asExit(exitClaim),
	record.KindChequePromised:   asExit(exitPromised),
	record.KindChequeHanded:     asExit(exitHanded),
}

// insideKinds are the other kinds that credit an account of outside, with the reason why
// nothing is asked about them here.
var insideKinds = map[record.Kind]string{
	record.KindBankMoved:    "two persons move cash between a drawer and the safe of its venue: it stays in the house",
	record.KindBankCounted:  "two persons count a drawer, and what is missing was missing before",
	record.KindBingoPaid:    "a prize of bingo is of a card, on which package hall decides: a claim that was verified and is not disputed",
	record.KindRefundPaid:   "a fee of bingo goes back to a player, on which package hall decides",
	record.KindEntryUndone:  "a fee of bingo is handed back with its books, on which package hall decides",
	record.KindDisputePaid:  "what a dispute of a bingo room awarded, on which package hall decides: by two persons",
	record.KindOfferClaimed: "a promotional prize of bingo is of an entry, on which package hall decides",
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
	if err := checkVenueTrades(s, r.Body); err != nil {
		return err
	}
	if check, ok := exitChecks[r.Kind()]; ok {
		return check(s, r.Body)
	}
	if _, ok := insideKinds[r.Kind()]; ok {
		return nil
	}
	for _, p := range r.Postings {
		if p.Cents < 0 && outsideAccounts[p.Account] {
			return fmt.Errorf("counter: a record of the kind %v moves %v out of the house, and no guard knows the kind", r.Kind(), -p.Cents)
		}
	}
	return nil
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
	terminal, ok := paysAt(r.Body)
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
func paysAt(body record.Body) (terminal uint32, ok bool) {
	switch b := body.(type) {
	case *record.TicketPaid:
		return b.Request.Terminal, true
	case *record.TicketCancelled:
		return b.Request.Terminal, true
	case *record.BonusAllocated:
		return b.Terminal, true
	case *record.PrizeForfeited:
		return b.Request.Terminal, true
	case *record.InstrumentIssued:
		return b.Request.Terminal, true
	case *record.SessionEnded:
		out := slices.ContainsFunc(b.Tenders, func(t record.Settlement) bool { return t.Cents < 0 && t.Kind != record.TenderWithheld })
		return b.Request.Terminal, out
	}
	return 0, false
}

// checkVenueTrades refuses what is done at the counter of a venue that was closed: whoever sets
// its hours to none has said that it never trades. A customer session that is open there is
// ended all the same, and its till is counted and emptied. The hours of a venue that trades
// bind what the rulebook binds to them, which payments are not.
func checkVenueTrades(s *state.State, body record.Body) error {
	venue := counterVenue(s, body)
	if premises, ok := s.People().Premises(venue); ok && premises.Closed() {
		return refuse(VenueClosed, "", "terminal", "%s is closed: it has no hours in which it trades.", premises.Name)
	}
	return nil
}

// counterVenue returns the venue at whose counter something is done, or 0.
func counterVenue(s *state.State, body record.Body) uint32 {
	var at uint32
	switch b := body.(type) {
	case *record.ClaimPaid:
		return b.Venue
	case *record.PaperReissued:
		at = b.Request.Terminal
	case *record.PrizeForfeited:
		at = b.Request.Terminal
	case *record.BankMoved, *record.BankCounted:
		return 0
	case *record.SessionEnded, *record.InstrumentIssued:
		at, _ = record.Record{Body: body}.Terminal()
		if endsSession(body) {
			if terminal, ok := s.Terminal(at); ok && terminal.Open != nil {
				return 0
			}
		}
	default:
		at, _ = record.Record{Body: body}.Terminal()
	}
	terminal, _ := s.Terminal(at)
	return terminal.Venue
}

// endsSession reports whether a record is of the end of a session: the end itself, or a paper that
// is issued with it.
func endsSession(body record.Body) bool {
	b, paper := body.(*record.InstrumentIssued)
	return !paper || b.Reason != record.IssuedForMoney && b.Reason != record.IssuedByOperator
}

func exitPaid(s *state.State, b *record.TicketPaid) error {
	if series, _ := s.Series(b.Series); b.PaidBy == 0 {
		if err := exitByHand(series, ordinalsOf(b.Parts)...); err != nil {
			return err
		}
	}
	return checkAtTerminal(s, b.Request.Terminal, b.Ticket, CheckStop)
}

func exitBonus(s *state.State, b *record.BonusAllocated) error {
	return checkAtTerminal(s, b.Terminal, b.Ticket, CheckStop)
}

func exitForfeited(s *state.State, b *record.PrizeForfeited) error {
	series, _ := s.Series(b.Series)
	if err := exitByHand(series, ordinalsOf(b.Parts)...); err != nil {
		return err
	}
	return checkAtTerminal(s, b.Request.Terminal, b.Ticket, CheckStop)
}

// exitCancelled lets a ticket that was not handed over be void: that is what two persons
// do with it.
func exitCancelled(s *state.State, b *record.TicketCancelled) error {
	return checkAtTerminal(s, b.Request.Terminal, b.Ticket, func(s *state.State, ticket record.Place) error {
		if err := CheckFrozen(s, ticket); err != nil {
			return err
		}
		if err := checkUnclaimed(s, ticket); err != nil {
			return err
		}
		return checkLost(s, ticket)
	})
}

// exitIssued asks about the terminal, and about the ticket whose refund the paper is. What
// else a paper is issued for, the end of its session says.
func exitIssued(s *state.State, b *record.InstrumentIssued) error {
	if err := checkTerminalKey(s, b.Request.Terminal); err != nil {
		return err
	}
	return CheckFrozen(s, b.For)
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
		at := slices.IndexFunc(due, func(d record.Settlement) bool { return d.Instrument == t.Instrument && d.Cents == t.Cents })
		if at < 0 {
			return refuse(Unwithheld, "", "tenders", "Ticket %v is to be paid, and %v of it would be withheld.", t.Instrument, -t.Cents)
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

// exitSession asks about everything that a session pays with and pays out.
func exitSession(s *state.State, b *record.SessionEnded) error {
	if err := checkUnwound(s, b); err != nil {
		return err
	}
	if err := checkWithheld(s, b); err != nil {
		return err
	}
	for i := range b.Tenders {
		t := &b.Tenders[i]
		var err error
		switch {
		case t.Kind == record.TenderInstrument:
			err = checkAtTerminal(s, b.Request.Terminal, t.Instrument, CheckStop)
		case t.Kind == record.TenderCard && t.Cents > 0:
			err = CheckFrozen(s, t.Instrument)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exitDecided asks about a claim that is allowed: what was stopped since it was lodged is not
// allowed either, or its holder would be told of money that nobody may pay.
func exitDecided(s *state.State, b *record.ClaimDecided) error {
	if b.Outcome != record.ClaimAllowed {
		return nil
	}
	return checkFormFrozen(s, b.Claim)
}

func exitClaim(s *state.State, b *record.ClaimPaid) error { return checkFormFrozen(s, b.Claim) }

// checkFormFrozen refuses a claim form of which a part is stopped.
func checkFormFrozen(s *state.State, claim uint32) error {
	form, ok := s.ClaimForm(claim)
	if !ok {
		return nil // The decision itself says so.
	}
	series, _ := s.Series(form.Series)
	for _, p := range form.Parts {
		if err := CheckFrozen(s, p.Of); err != nil {
			return err
		}
		if err := exitByHand(series, p.Ordinal); err != nil {
			return err
		}
	}
	return nil
}

func exitPromised(s *state.State, b *record.ChequePromised) error {
	return checkNoneFrozen(s, b.Tickets)
}

func exitHanded(s *state.State, b *record.ChequeHanded) error {
	cheque, ok := s.Cheque(b.Cheque)
	if !ok {
		return nil // The decision itself says so.
	}
	return checkNoneFrozen(s, cheque.Tickets)
}

// checkNoneFrozen refuses what is paid for tickets of which one is stopped.
func checkNoneFrozen(s *state.State, tickets []record.Place) error {
	for _, ticket := range tickets {
		if err := CheckFrozen(s, ticket); err != nil {
			return err
		}
	}
	return nil
}

// checkAtTerminal refuses what is done with a ticket or paper at a terminal that was shut out, or
// while a session at another terminal has not paid for it.
func checkAtTerminal(s *state.State, terminal uint32, place record.Place, stop func(*state.State, record.Place) error) error {
	if err := checkTerminalKey(s, terminal); err != nil {
		return err
	}
	if at := s.Unsettled(place); at != 0 && at != terminal {
		return refuse(NotSettled, "", "serial", "It is of the customer session that is open at terminal %d. End that session first.", at)
	}
	return stop(s, place)
}

func checkTerminalKey(s *state.State, terminal uint32) error {
	if s.ShutOut(terminal) {
		return refuse(KeyRevoked, "", "terminal", "Terminal %d was shut out; an administrator can give it another key.", terminal)
	}
	return nil
}
