package verify_test

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// inCash turns a payment that stands in a session into one by itself, in cash.
func inCash(r *record.Record, b *record.TicketPaid) {
	b.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -b.Amount()}}
	to(r, ledger.Cash, 1)
}

// to has a record credit another account than that of the customer, or of the till.
func to(r *record.Record, account ledger.Account, unit uint32) {
	for i, p := range r.Postings {
		if p.Account == ledger.Customer || p.Account == ledger.Cash {
			r.Postings[i].Account, r.Postings[i].Unit = account, unit
		}
	}
	r.Postings = ledger.Merge(r.Postings...)
}

// TestLyingAboutPayments pays tickets as the house does not: each story ends with a payment or the end of a
// session, which is told otherwise.
func TestLyingAboutPayments(t *testing.T) {
	paid := func(change func(*record.Record, *record.TicketPaid)) func(*record.Record) {
		return func(r *record.Record) { change(r, r.Body.(*record.TicketPaid)) }
	}
	for _, lie := range []struct {
		name, rulebook, story string
		kind                  record.Kind
		tell                  func(*record.Record)
		reason                string
	}{
		{"in cash while a session is open", "vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\nsell B at T1 classic 1 @ 5.00\npay A at T1 -> $15.00\n",
			record.KindTicketPaid, paid(inCash), "it has a tender, and a session is open at terminal 1"},
		{"a voucher that comes back, in cash", "vic-keno-2015", `
house
issue Gift at T1 gift_voucher 10.00
next T1
sell A at T1 classic 1 @ 10.00
settle T1 with Gift -> paper $10.00
close
void game 1
next T1
pay A at T1 -> $10.00
`, record.KindTicketPaid, paid(inCash), "$10.00 of gift_voucher are handed out in cash"},
		{"a staked prize that comes back, above the limit", "vic-keno-2015", `
house
sell A at T1 heads_or_tails heads @ 6000
play 1-20
next T1
pay A at T1 -> $12,000.00
sell B at T1 classic 1 @ 1000.00
sell C at T1 classic 1 @ 1000.00
settle T1 -> cash -$10,000.00
close
void game 2
next T1
pay C at T1 -> $1,000.00
`, record.KindTicketPaid, paid(inCash), "come back in cash, and $10,000.00 of it left before"},
		{"a ticket above the most of a machine", "tas-keno-2023", `
house
sell A at T1 standard 1 @ 200.00 for 2 games
play 1-20
next T2
pay A at T2 -> $600.00
settle T2
play 1-19 21
pay A at T1 -> $600.00
`, record.KindTicketPaid, paid(func(r *record.Record, b *record.TicketPaid) {
			b.Request, b.Session, b.Tenders = record.Request{Terminal: 2, Number: 100}, 100, nil
			to(r, ledger.Customer, 2)
		}), "$1,200.00 are paid at a sst for ticket"},
		{"money of a card that does not go back to it", "vic-keno-2015", `
house
card born 1990-05-05
next T1
settle T1 card 1 -50.00 -> card -$50.00, cash $50.00
next T1
sell A at T1 classic 1 @ 30.00
settle T1 card 1 30.00 -> card $30.00
close
void game 1
next T1
pay A at T1 -> $30.00
settle T1 -> card -$30.00
`, record.KindSessionEnded, func(r *record.Record) {
			r.Body.(*record.SessionEnded).Tenders = []record.Settlement{{Kind: record.TenderCash, Cents: -30_00}}
			r.Postings = ledger.Merge(ledger.Debit(ledger.Customer, 1, 30_00), ledger.Credit(ledger.Cash, 1, 30_00))
		}, "$30.00 of card 1 come back, and do not go to it"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			s := tellMoney(t, lie.rulebook, lie.story)
			if f := s.verified(len(s.Records)); f != nil {
				t.Fatal(f)
			}
			last := 0
			for seq, data := range s.Records {
				if kind, _ := record.KindOf(data); kind == lie.kind {
					last = seq
				}
			}
			r, err := record.Decode(s.Records[last])
			require(t, err)
			lie.tell(&r)
			told, err := record.Encode(r)
			require(t, err)
			if f := s.verified(last, told); f == nil || f.Place.Seq != uint64(last) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, last, lie.reason)
			}
		})
	}
}

// TestPaidUnderAClaim leaves the decision of a claim out, so that the ticket is paid while the claim for it may
// still be paid (tas-keno-2023 15.1).
func TestPaidUnderAClaim(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023", `
house
sell A at T1 standard 1 @ 1.00
play 1-20
claim A lost
sign 1 as state_wide_gaming_operative
decide 1 refused
pay A at T1 -> $3.00
`)
	decided, paid := s.find(record.KindClaimDecided, 1), s.find(record.KindTicketPaid, 1)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	told := slices.Clone(s.Records[decided+1 : paid+1])
	if f := s.verified(decided, told...); f == nil || f.Kind != record.KindTicketPaid ||
		!strings.Contains(f.Reason, "is claimed on form 1") {
		t.Errorf("paid all the same: %v", f)
	}
}
