package verify_test

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// withheldStory is of a ticket that is stopped while what it won is in an open session, and
// paid when payment on it goes on.
const withheldStory = `
house
sell A at T1 classic 1 @ 5.00
sell O at T1 classic 1 @ 5.00
play 1-20
next T1
pay A at T1 -> $15.00
sell B at T1 classic 1 @ 4.00
freeze A
settle T1 -> withheld -$15.00, cash $4.00
next T1
pay O at T1 -> $15.00
settle T1 -> cash -$15.00
release A
pay A at T1 -> $15.00
`

// TestWithheld checks that an end of a session keeps what a stopped ticket has brought, just
// that and once.
func TestWithheld(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015", withheldStory)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	first, second := s.find(record.KindTicketSold, 1), s.find(record.KindTicketSold, 2)
	at := func(seq int) record.Place { return record.Place{Volume: 1, Seq: uint64(seq)} }
	const end, paid = record.KindSessionEnded, record.KindTicketPaid
	s.refute(t, []moneyLie{
		{"handed out in cash", end, 1, ended(func(_ *teller, b *record.SessionEnded) {
			b.Tenders = []record.Settlement{{Kind: record.TenderCash, Cents: -11_00}}
		}), "is stopped, and the session hands out the $15.00"},
		{"handed out in part", end, 1, ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[0].Cents++ }),
			"$14.99 of ticket"},
		{"more kept than came", end, 1, ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[0].Cents-- }),
			"$15.01 of ticket"},
		{"kept twice", end, 1, ended(func(_ *teller, b *record.SessionEnded) { b.Tenders = append(b.Tenders, b.Tenders[0]) }),
			"and it has brought $15.00"},
		{"kept of another ticket", end, 1, ended(func(_ *teller,
			b *record.SessionEnded) {
			b.Tenders[0].Instrument = at(second)
		}), "is stopped, and the session hands out"},
		{"kept though nothing stops it", end, 2, ended(func(_ *teller, b *record.SessionEnded) {
			b.Tenders = []record.Settlement{{Kind: record.TenderWithheld, Cents: -15_00, Instrument: at(second)}}
		}), "nothing stops its payment"},
		{"booked as the operator's", end, 1, posted(ledger.Credit(ledger.Operator, 0, 15_00),
			ledger.Debit(ledger.Cash, 1, 4_00), ledger.Debit(ledger.Customer, 1, 11_00)), "is right"},
		{"paid later for more", paid, 3, func(_ *teller, r *record.Record) {
			b := r.Body.(*record.TicketPaid)
			b.Parts[0].Cents, b.Tenders[0].Cents = 15_01, -15_01
		}, "that was withheld, and $15.00 was"},
		{"paid later to another", paid, 3, func(_ *teller,
			r *record.Record) {
			r.Body.(*record.TicketPaid).Ticket = at(second)
		}, "that was withheld, and $0.00 was"},
		{"paid later with another code", paid, 3,
			func(_ *teller, r *record.Record) { r.Body.(*record.TicketPaid).Opening[0]++ }, "does not open the claim"},
		{"paid as if it were of another series", paid, 3,
			func(_ *teller, r *record.Record) { r.Body.(*record.TicketPaid).Series++ }, "that was withheld"},
		{"paid before it was withheld", paid, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.TicketPaid).Parts[0].Ordinal = 0 },
			"that was withheld, and $0.00 was"},
	})
	t.Run("paid twice", func(t *testing.T) {
		r, err := record.Decode(s.Records[s.find(paid, 3)])
		require(t, err)
		again := r.Body.(*record.TicketPaid)
		again.Request.Number++
		again.Session++
		told, err := record.Encode(r)
		require(t, err)
		if f := s.verified(len(s.Records), told); f == nil ||
			!strings.Contains(f.Reason, "that was withheld, and $0.00 was") {
			t.Errorf("ticket 1:%d is paid twice: %v", first, f)
		}
	})
}

// TestWithheldHonestly has the ways in which a ticket brings money verified with a stop of it
// while the session is open, and without any lie.
func TestWithheldHonestly(t *testing.T) {
	for name, c := range map[string]struct{ rulebook, story string }{
		"a customer who leaves": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\nsell B at T1 classic 1 @ 4.00\nfreeze A\nsettle T1 unpaid -> withheld -$15.00, unpaid $4.00\n"},
		"a refund": {"vic-keno-2015",
			"house\nsell A at T1 classic 80 @ 5.00 for 5 games\nnext T1\ncancel A at T1\nfreeze A\nsettle T1 -> withheld -$25.00\nrelease A\npay A at T1 -> $25.00\n"},
		"sold and given back": {"vic-keno-2015",
			"house\nnext T1\nsell A at T1 classic 80 @ 5.00\ncancel A at T1\nfreeze A\nsettle T1 -> even\n"},
		"a refund of vouchers": {"vic-keno-2015",
			"house\nissue G at T1 gift_voucher 20.00\nnext T1\nsell A at T1 classic 80 @ 5.00 for 5 games\nsettle T1 with G\nnext T1\ncancel A at T1\nfreeze A\nsettle T1 -> withheld -$25.00\nrelease A\nnext T1\npay A at T1 -> $25.00\nsettle T1 = H -> cash -$5.00, gift_voucher -$20.00\n"},
		"withheld twice": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\nfreeze A\nsettle T1 -> withheld -$15.00\nrelease A\nnext T1\npay A at T1 -> $15.00\nfreeze A\nsettle T1 -> withheld -$15.00\nrelease A\npay A at T1 -> $15.00\n"},
		"two games one after the other": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00 for 2 games\nplay 1-20\nnext T1\npay A at T1\nfreeze A\nsettle T1 -> withheld -$15.00\nplay 1-19 21\nrelease A\npay A at T1 -> $30.00\n"},
		"a disqualification that is undone": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\ndisqualify A by supervisor\nsettle T1 -> withheld -$15.00\nreinstate A\npay A at T1 -> $15.00\n"},
		"taken from somebody under age": {"tas-keno-2023",
			"house\nsell A at T1 standard 1 @ 10.00\nplay 1-20\nnext T1\npay A at T1\nfreeze A\nsettle T1 -> withheld -$30.00\nrelease A\nforfeit A at T1\n"},
		"a cheque of the rest": {"tas-keno-2023",
			"house 2026-11-12\nsell A at T1 standard 1-3 @ 10.00\nsell B at T1 standard 1 @ 10.00\nplay 1-20\nnext T1\npay A at T1 -> $440.00\npay B at T1 -> $30.00\nfreeze B\nsettle T1 pay cash 300, site_cheque payee checked -> withheld -$30.00, cash -$300.00, site_cheque -$140.00\n"},
		"a bonus": {"tas-keno-2023",
			"house\nlimit venue 1 20000\nsell A at T1 standard 41-43 @ 1,250.00\nplay 41-60\npromote-item set-bet-2 2 prizes of 4.00 1 in 1 from game 3\nplay 1-20\nsell B at T1 by item {\"bets\":[{\"item\":\"set-bet-2\"}]}\nplay @B rest\nplay 4 games\nnext T1\npay B at T1\nfreeze B\nsettle T1\nrelease B\npay B at T1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tellMoney(t, c.rulebook, c.story)
			if f := s.verified(len(s.Records)); f != nil {
				t.Fatal(f)
			}
			if name == "sold and given back" {
				return
			}
			// Whatever came, the end that hands it out is found.
			s.findEnd(t)
		})
	}
}

// findEnd has the end of the session that withholds money hand it out in cash.
func (s *teller) findEnd(t *testing.T) {
	t.Helper()
	for seq, data := range s.Records {
		r, err := record.Decode(data)
		require(t, err)
		b, ok := r.Body.(*record.SessionEnded)
		if !ok {
			continue
		}
		i := slices.IndexFunc(b.Tenders, func(t record.Settlement) bool { return t.Kind == record.TenderWithheld })
		if i < 0 {
			continue
		}
		b.Tenders[i] = record.Settlement{Kind: record.TenderCash, Cents: b.Tenders[i].Cents}
		told, err := record.Encode(r)
		require(t, err)
		if f := s.verified(seq, told); f == nil || f.Place.Seq != uint64(seq) ||
			!strings.Contains(f.Reason, "is stopped, and the session hands out") {
			t.Errorf("handed out all the same: %v", f)
		}
		return
	}
	t.Error("no session withholds anything")
}

// TestStopsReachWhatCameOfThem leaves something out of a freeze that came of the ticket which
// is stopped: whatever it is, verify finds it.
func TestStopsReachWhatCameOfThem(t *testing.T) {
	for name, c := range map[string]struct {
		rulebook, story string
		came            int // how much came of the ticket
	}{
		"a ticket bought with the prize": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\nsell B at T1 classic 1 @ 15.00\nsettle T1 -> even\nfreeze A\n", 1},
		"a replay": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nsell B at T1 by replay {\"replay\":\"A\"}\nfreeze A\n", 1},
		"a receipt": {"vic-keno-2015",
			"house\nsell A at T1 heads_or_tails heads @ 5001\nplay 1-20\nnext T1\npay A at T1\nsettle T1 pay cash 5000, change_receipt 5000, cheque payee = R\nfreeze A\n", 1},
		"a ticket bought with a receipt": {"tas-keno-2023",
			"house\nsell A at T1 standard 1 @ 5.00\nplay 1-20\nnext T2\npay A at T2\nsettle T2 = S\nnext T2\nsell B at T2 standard 1 @ 15.00\nsettle T2 with S\nfreeze A\n", 2},
		"a voucher for a cancelled ticket": {"vic-keno-2015",
			"house\nissue G at T1 gift_voucher 20.00\nnext T1\nsell A at T1 classic 80 @ 5.00 for 4 games\nsettle T1 with G\nnext T1\ncancel A at T1\nsettle T1 = H -> gift_voucher -$20.00\nfreeze A\n", 1},
		"a ticket bought with a refund": {"vic-keno-2015",
			"house\nsell A at T1 classic 80 @ 5.00\nnext T1\ncancel A at T1\nsell B at T1 classic 1 @ 5.00\nsettle T1 -> even\nfreeze A\n", 1},
		"a card that the prize went to": {"vic-keno-2015",
			"house\ncard born 1990-05-05\nnext T1\nsettle T1 card 1 -50.00\nnext T1\nsell A at T1 classic 1 @ 5.00\nsettle T1 card 1 5.00\nplay 1-20\nnext T1\npay A at T1\nsettle T1 card 1 -15.00\nfreeze A\n", 1},
		"a ticket of one that was withheld": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\nfreeze A\nsettle T1 -> withheld -$15.00\nrelease A\nnext T1\npay A at T1 -> $15.00\nsell B at T1 classic 1 @ 15.00\nsettle T1 -> even\nfreeze A\n", 1},
		"a ticket bought after a withholding": {"vic-keno-2015",
			"house\nsell A at T1 classic 1 @ 5.00\nplay 1-20\nnext T1\npay A at T1\nsell B at T1 classic 1 @ 15.00\nfreeze A\nsettle T1 -> withheld -$15.00, cash $15.00\nrelease A\nfreeze A\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := tellMoney(t, c.rulebook, c.story)
			if f := s.verified(len(s.Records)); f != nil {
				t.Fatal(f)
			}
			seq := len(s.Records) - 1
			r, err := record.Decode(s.Records[seq])
			require(t, err)
			frozen, ok := r.Body.(*record.PaymentFrozen)
			if !ok || len(frozen.Places) != 1+c.came {
				t.Fatalf("the last record is %v, and %d came of the ticket", r.Body, c.came)
			}
			all := frozen.Places
			for i := 1; i < len(all); i++ {
				frozen.Places = slices.Delete(slices.Clone(all), i, i+1)
				told, err := record.Encode(r)
				require(t, err)
				if f := s.verified(seq, told); f == nil || f.Place.Seq != uint64(seq) ||
					!strings.Contains(f.Reason, "which came of what is stopped") {
					t.Errorf("%v goes on: %v", all[i], f)
				}
			}
		})
	}
}

// TestDisqualificationReachesWhatCameOfIt leaves the freeze out that follows a disqualification,
// or something out of the freeze.
func TestDisqualificationReachesWhatCameOfIt(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023", `
house
sell A at T1 standard 1 @ 5.00
play 1-20
next T1
pay A at T1
sell B at T1 standard 1 @ 10.00
sell C at T1 standard 1 @ 5.00
settle T1 -> even
disqualify A by operative inspector -> disqualified
sell D at T1 standard 1 @ 5.00
`)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	frozen := s.find(record.KindPaymentFrozen, 1)
	if kind, _ := record.KindOf(s.Records[frozen-1]); kind != record.KindTicketDisqualified {
		t.Fatalf("the freeze follows a %v", kind)
	}
	if f := s.verified(frozen, s.Records[frozen+1:]...); f == nil || f.Place.Seq != uint64(frozen) ||
		!strings.Contains(f.Reason, "does not freeze") {
		t.Errorf("without the freeze: %v", f)
	}
	r, err := record.Decode(s.Records[frozen])
	require(t, err)
	body, ok := r.Body.(*record.PaymentFrozen)
	if !ok || len(body.Places) != 2 {
		t.Fatalf("the freeze is %v", r.Body)
	}
	body.Places = body.Places[:1]
	told, err := record.Encode(r)
	require(t, err)
	if f := s.verified(frozen, told); f == nil || !strings.Contains(f.Reason, "which came of what is stopped") {
		t.Errorf("half a freeze: %v", f)
	}
}

// TestWithheldOnAForm has a form claim more than sessions have kept of a ticket, and money that
// was not kept at all.
func TestWithheldOnAForm(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", `
house
sell A at T1 classic 1 @ 5.00
sell B at T1 classic 1 @ 5.00
play 1-20
next T1
pay A at T1
freeze A
settle T1
release A
claim A lost -> claim 1 of $15.00
`)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	for name, lie := range map[string]func(*record.ClaimPart){
		"more":              func(p *record.ClaimPart) { p.Cents++ },
		"of another ticket": func(p *record.ClaimPart) { p.Of.Seq = uint64(story.find(record.KindTicketSold, 2)) },
	} {
		seq := story.find(record.KindClaimLodged, 1)
		r, err := record.Decode(story.Records[seq])
		require(t, err)
		lie(&r.Body.(*record.ClaimLodged).Parts[0])
		data, err := record.Encode(r)
		require(t, err)
		if f := story.verified(seq, data); f == nil || !strings.Contains(f.Reason, "are claimed that were withheld") {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestWithheldInAnOpenSession has a form claim what was withheld of a ticket that another open
// session still has money of.
func TestWithheldInAnOpenSession(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", `
house
sell A at T1 classic 1 @ 5.00 for 2 games
play 1-20
next T2
cancel A at T2
next T1
pay A at T1
freeze A
settle T1
release A
claim A lost -> refused session_open 23(a)
settle T2
claim A lost -> claim 1 of $15.00
`)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	if f := story.verified(story.find(record.KindSessionEnded, 2),
		story.Records[story.find(record.KindClaimLodged, 1)]); f == nil ||
		!strings.Contains(f.Reason, "an open session has more of it") {
		t.Errorf("claimed before the session has ended: %v", f)
	}
}
