package payout

import (
	"fmt"

	"drawhouse/ledger"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/state"
)

// The codes about ways on which money leaves.
const (
	KeyRevoked refusal.Code = "key_revoked" // the terminal was shut out
	NotSettled refusal.Code = "not_settled" // it is of a session that is open at another terminal
)

// outside are the accounts of what customers have in their hands or are owed at a counter:
// a credit there is money that leaves the house, or a paper that stands for it.
var outside = map[ledger.Account]bool{
	ledger.Cash: true, ledger.Chips: true, ledger.Safe: true, ledger.Bank: true, ledger.SiteCheques: true,
	ledger.Instruments: true, ledger.Customer: true, ledger.CasinoDollars: true, ledger.SlotDollars: true, ledger.Crown: true,
}

// exits are the kinds of records by which the money of tickets, papers and cards leaves,
// each with what is asked about it.
var exits = map[record.Kind]func(*state.State, record.Body) error{
	record.KindTicketPaid:       ask(exitPaid),
	record.KindBonusAllocated:   ask(exitBonus),
	record.KindTicketCancelled:  ask(exitCancelled),
	record.KindPrizeForfeited:   ask(exitForfeited),
	record.KindSessionEnded:     ask(exitSession),
	record.KindInstrumentIssued: ask(exitIssued),
	record.KindClaimDecided:     ask(exitDecided),
	record.KindClaimPaid:        ask(exitClaim),
	record.KindChequePromised:   ask(exitPromised),
	record.KindChequeHanded:     ask(exitHanded),
}

// inside are the other kinds that credit an account of outside, with the reason why
// nothing is asked about them here.
var inside = map[record.Kind]string{
	record.KindBankMoved:    "two persons move cash between a drawer and the safe of its venue: it stays in the house",
	record.KindBankCounted:  "two persons count a drawer, and what is missing was missing before",
	record.KindBingoPaid:    "a prize of bingo is of a card, on which package hall decides: a claim that was verified and is not disputed",
	record.KindRefundPaid:   "a fee of bingo goes back to a player, on which package hall decides",
	record.KindOfferClaimed: "a promotional prize of bingo is of an entry, on which package hall decides",
}

func ask[B record.Body](check func(*state.State, B) error) func(*state.State, record.Body) error {
	return func(s *state.State, body record.Body) error {
		b, ok := body.(B)
		if !ok {
			return fmt.Errorf("payout: a %T is asked about as another kind", body)
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
	if check, ok := exits[r.Kind()]; ok {
		return check(s, r.Body)
	}
	if _, ok := inside[r.Kind()]; ok {
		return nil
	}
	for _, p := range r.Postings {
		if p.Cents < 0 && outside[p.Account] {
			return fmt.Errorf("payout: a record of the kind %v moves %v out of the house, and no guard knows the kind", r.Kind(), -p.Cents)
		}
	}
	return nil
}

func exitPaid(s *state.State, b *record.TicketPaid) error {
	return checkAt(s, b.Request.Terminal, b.Ticket, CheckStop)
}

func exitBonus(s *state.State, b *record.BonusAllocated) error {
	return checkAt(s, b.Terminal, b.Ticket, CheckStop)
}

func exitForfeited(s *state.State, b *record.PrizeForfeited) error {
	return checkAt(s, b.Request.Terminal, b.Ticket, CheckStop)
}

// exitCancelled lets a ticket that was not handed over be void: that is what two persons
// do with it.
func exitCancelled(s *state.State, b *record.TicketCancelled) error {
	return checkAt(s, b.Request.Terminal, b.Ticket, func(s *state.State, ticket record.Place) error {
		if err := CheckFrozen(s, ticket); err != nil {
			return err
		}
		return checkUnclaimed(s, ticket)
	})
}

// exitIssued asks about the terminal alone: what a paper is issued for, the end of its
// session says.
func exitIssued(s *state.State, b *record.InstrumentIssued) error {
	return checkKey(s, b.Request.Terminal)
}

// exitSession asks about everything that a session pays with and pays out.
func exitSession(s *state.State, b *record.SessionEnded) error {
	if err := checkKey(s, b.Request.Terminal); err != nil {
		return err
	}
	for i := range b.Tenders {
		t := &b.Tenders[i]
		var err error
		switch {
		case t.Kind == record.TenderInstrument:
			err = checkAt(s, b.Request.Terminal, t.Instrument, CheckStop)
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
	return checkForm(s, b.Claim)
}

func exitClaim(s *state.State, b *record.ClaimPaid) error { return checkForm(s, b.Claim) }

// checkForm refuses a claim form of which a part is stopped.
func checkForm(s *state.State, claim uint32) error {
	form, ok := s.ClaimForm(claim)
	if !ok {
		return nil // The decision itself says so.
	}
	for _, p := range form.Parts {
		if err := CheckFrozen(s, p.Of); err != nil {
			return err
		}
	}
	return nil
}

func exitPromised(s *state.State, b *record.ChequePromised) error { return checkAll(s, b.Tickets) }

func exitHanded(s *state.State, b *record.ChequeHanded) error {
	cheque, ok := s.Cheque(b.Cheque)
	if !ok {
		return nil // The decision itself says so.
	}
	return checkAll(s, cheque.Tickets)
}

// checkAll refuses what is paid for tickets of which one is stopped.
func checkAll(s *state.State, tickets []record.Place) error {
	for _, ticket := range tickets {
		if err := CheckFrozen(s, ticket); err != nil {
			return err
		}
	}
	return nil
}

// checkAt refuses what is done with a ticket or paper at a terminal that was shut out, or
// while a session at another terminal has not paid for it.
func checkAt(s *state.State, terminal uint32, place record.Place, stop func(*state.State, record.Place) error) error {
	if err := checkKey(s, terminal); err != nil {
		return err
	}
	if at := s.Unsettled(place); at != 0 && at != terminal {
		return refuse(NotSettled, "", "serial", "It is of the customer session that is open at terminal %d. End that session first.", at)
	}
	return stop(s, place)
}

func checkKey(s *state.State, terminal uint32) error {
	if post, ok := s.People().Post(terminal); ok && post.Revoked {
		return refuse(KeyRevoked, "", "terminal", "Terminal %d was shut out; an administrator can give it another key.", terminal)
	}
	return nil
}
