package verify_test

import (
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// claimStory has claims below and from $100 on, one that is refused, and one of an
// estate; a sweep falls between the lodging of one and its payment.
const claimStory = `
house 2027-02-28
sell A at T1 standard 1 @ 1.00
sell B at T1 heads_or_tails heads @ 50
sell C at T1 standard 1 @ 1.00
sell D at T1 standard 1 @ 1.00
end 1-20
day 2028-02-28
claim A lost -> claim 1 of $3.00
note 1 evidence
sign 1 as state_wide_gaming_operative
decide 1 allowed
day 2028-02-29
settle-claim 1 by cheque -> $3.00
claim B expired with the original -> claim 2 of $100.00
sign 2 as state_wide_gaming_operative
sign 2 as inspector
decide 2 allowed
settle-claim 2 by cheque -> $100.00
claim C lost -> claim 3 of $3.00
decide 3 refused
claim D estate with the original by another -> claim 4 of $3.00
note 4 representative
sign 4 as state_wide_gaming_operative
decide 4 allowed
note 2 sent
note 2 copied by inspector
note 3 erased
sell E at T1 standard 1 @ 1.00
`

// TestLyingAboutClaims lets a house pay claims that are not owed, not signed for, or
// not allowed.
func TestLyingAboutClaims(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", claimStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	lodged := func(to func(*record.ClaimLodged)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.ClaimLodged)) }
	}
	paid := func(to func(*record.ClaimPaid)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.ClaimPaid)) }
	}
	noted := func(to func(*record.ClaimNoted)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.ClaimNoted)) }
	}
	for _, lie := range []moneyLie{
		{"claimed for more", record.KindClaimLodged, 1, lodged(func(b *record.ClaimLodged) { b.Parts[0].Cents++ }),
			"is owed $3.00"},
		{"claimed where it is not", record.KindClaimLodged, 1,
			lodged(func(b *record.ClaimLodged) { b.Parts[0].At = "claim_form" }), `is at ""`},
		{"claimed where it was", record.KindClaimLodged, 2, lodged(func(b *record.ClaimLodged) { b.Parts[0].At = "" }),
			`is at "claim_form"`},
		{"claimed for a game without a prize", record.KindClaimLodged, 1,
			lodged(func(b *record.ClaimLodged) { b.Parts[0].Ordinal = 9 }), "which is not settled"},
		{"received on another day", record.KindClaimLodged, 1, lodged(func(b *record.ClaimLodged) { b.Received-- }),
			"does not follow"},
		{"numbered otherwise", record.KindClaimLodged, 2, lodged(func(b *record.ClaimLodged) { b.Claim++ }),
			"does not follow"},
		{"sent in where that is not done", record.KindClaimLodged, 1,
			lodged(func(b *record.ClaimLodged) { b.Reason = record.ClaimByMail }), "a claim by mail"},
		{"as expired though venues pay it", record.KindClaimLodged, 1,
			lodged(func(b *record.ClaimLodged) { b.Reason, b.Original = record.ClaimExpired, true }), "and venues pay it"},
		{"as disputed, and the ticket is not there", record.KindClaimLodged, 1,
			lodged(func(b *record.ClaimLodged) { b.Reason, b.Original = record.ClaimDisputed, false }),
			"a ticket is claimed as disputed, and was not handed in"},
		{"lodged once more after it was paid", record.KindClaimLodged, 3, lodged(func(b *record.ClaimLodged) {
			b.Parts[0].Of.Seq-- // B's ticket.
		}), "is owed $0.00"},
		{"not signed by the operative", record.KindClaimSigned, 1, nil,
			"state_wide_gaming_operative is not satisfied or was not asked"},
		{"of $100 not signed by the inspector", record.KindClaimSigned, 3, nil,
			"inspector is not satisfied or was not asked"},
		{"signed by the wrong person", record.KindClaimSigned, 3, func(_ *teller, r *record.Record) {
			r.Body.(*record.ClaimSigned).Party = "state_wide_gaming_operative"
		}, "does not sign claim 2"},
		{"decided by the inspector", record.KindClaimDecided, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.ClaimDecided).By = 900 }, "who has no role for it"},
		{"decided by who took it in", record.KindClaimDecided, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.ClaimDecided).By = 901 },
			"taken in and decided by the same person"},
		{"referred though it is here", record.KindClaimDecided, 1, func(_ *teller, r *record.Record) {
			r.Body.(*record.ClaimDecided).Outcome = record.ClaimReferred
		}, "the Treasurer pays"},
		{"of an estate without papers", record.KindClaimNoted, 2, nil, "no paper shows who acts"},
		{"a letter under the inspector's hand", record.KindClaimNoted, 3, noted(func(b *record.ClaimNoted) { b.By = 900 }),
			"a letter about claim 2"},
		{"copies for the operative", record.KindClaimNoted, 4, noted(func(b *record.ClaimNoted) { b.By = 901 }),
			"is no inspector"},
		{"copies of another claim", record.KindClaimNoted, 4, noted(func(b *record.ClaimNoted) { b.Content[0]++ }),
			"of another"},
		{"forgotten before it was paid", record.KindClaimNoted, 5, noted(func(b *record.ClaimNoted) { b.Claim = 4 }),
			"while it may be paid"},
		{"somebody else forgotten", record.KindClaimNoted, 5, noted(func(b *record.ClaimNoted) { b.Content[0]++ }),
			"or somebody else is"},
		{"paid in another way", record.KindClaimPaid, 1, paid(func(b *record.ClaimPaid) { b.Means = "transfer" }),
			"is paid by transfer"},
		{"paid by who allowed it", record.KindClaimPaid, 1, func(s *teller, r *record.Record) {
			allowed, err := record.Decode(s.Records[s.find(record.KindClaimDecided, 1)])
			require(t, err)
			r.Body.(*record.ClaimPaid).By = allowed.Body.(*record.ClaimDecided).By
		}, "is allowed and paid by the same person"},
		{"paid for more", record.KindClaimPaid, 1, paid(func(b *record.ClaimPaid) { b.Cents++ }), "is not of $3.01"},
		{"paid though nobody claimed it", record.KindClaimPaid, 2, paid(func(b *record.ClaimPaid) { b.Claim = 3 }),
			"was not lodged"},
		{"paid twice", record.KindClaimPaid, 2, paid(func(b *record.ClaimPaid) { b.Claim, b.Cents = 1, 3_00 }), "was paid"},
		{"paid out of the wrong account", record.KindClaimPaid, 1,
			posted(ledger.Debit(ledger.Unclaimed, 0, 3_00), ledger.Credit(ledger.Bank, 0, 3_00)), "is right"},
		{"swept with what is claimed", record.KindPrizesSwept, 1, func(_ *teller, r *record.Record) {
			r.Body.(*record.PrizesSwept).List[0].Cents += 3_00
		}, "is unpaid"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			seq := story.find(lie.kind, lie.nth)
			told := [][]byte{}
			if lie.tell != nil {
				r, err := record.Decode(story.Records[seq])
				require(t, err)
				lie.tell(story, &r)
				data, err := record.Encode(r)
				require(t, err)
				told = append(told, data)
			} else {
				told = append(told, story.Records[seq+1:]...)
			}
			f := story.verified(seq, told...)
			if f == nil || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant ... %s ...", f, lie.reason)
			}
		})
	}
	t.Run("the claimant forgotten as a payee", func(t *testing.T) {
		seq := story.find(record.KindClaimNoted, 5)
		r, err := record.Decode(story.Records[seq])
		require(t, err)
		// An administrator may forget payees, and none who claims.
		told := [][]byte{}
		for _, body := range []record.Body{
			&record.RoleGranted{Person: 901, Role: record.RoleAdministrator},
			&record.PayeeErased{Payee: r.Body.(*record.ClaimNoted).Content, By: 901},
		} {
			data, err := record.Encode(record.Record{Time: r.Time, Body: body})
			require(t, err)
			told = append(told, data)
		}
		if f := story.verified(seq, told...); f == nil || !strings.Contains(f.Reason, "named by a claim") {
			t.Errorf("got %v", f)
		}
	})
}

// TestVoucherClaimedAsMoney lets a house put the stake of a void game on a form that a voucher
// has paid for.
func TestVoucherClaimedAsMoney(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", `
house 2026-11-15
sell A at T1 classic 1 @ 20.00
issue G at T1 gift_voucher 20.00
next T1
sell B at T1 classic 1 @ 20.00
settle T1 with G
close
void game 1
claim A lost -> claim 1 of $20.00
`)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	seq := story.find(record.KindClaimLodged, 1)
	r, err := record.Decode(story.Records[seq])
	require(t, err)
	r.Body.(*record.ClaimLodged).Parts[0].Of.Seq = uint64(story.find(record.KindTicketSold, 2))
	data, err := record.Encode(r)
	require(t, err)
	if f := story.verified(seq, data); f == nil || !strings.Contains(f.Reason, "are claimed as money") {
		t.Errorf("got %v", f)
	}
}

// TestPaperNotHandedIn has a form for a change receipt come without it: the receipt may be in
// anybody's hands still.
func TestPaperNotHandedIn(t *testing.T) {
	story := tellMoney(t, "vic-keno-2015", `
house
issue R at T1 change_receipt 4.00
claim R unreadable with the original
`)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	seq := story.find(record.KindClaimLodged, 1)
	r, err := record.Decode(story.Records[seq])
	require(t, err)
	r.Body.(*record.ClaimLodged).Original = false
	data, err := record.Encode(r)
	require(t, err)
	if f := story.verified(seq, data); f == nil || !strings.Contains(f.Reason, "was not handed in") {
		t.Errorf("%v", f)
	}
}

// TestDetailsOfAPayee has forms that say more of the claimant than who that is: of the payee of a voucher,
// and of anybody who claims a ticket.
func TestDetailsOfAPayee(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", `
house
sell A at T1 standard 1-5 @ 9.00
sell B at T1 standard 1-5 @ 9.00
play 1-20
next T1
pay A at T1
settle T1 payee = V -> cash -$300.00, central_voucher -$4,398.00
claim V lost -> claim 1 of $4,398.00
claim B lost -> claim 2 of $4,698.00
`)
	for nth, want := range []string{"", "whom no paper of it names as its payee"} {
		seq := story.find(record.KindClaimLodged, nth+1)
		r, err := record.Decode(story.Records[seq])
		require(t, err)
		details := record.Hash{7}
		r.Body.(*record.ClaimLodged).Details = details[:]
		data, err := record.Encode(r)
		require(t, err)
		f := story.verified(seq, data)
		if (f == nil) != (want == "") || f != nil && !strings.Contains(f.Reason, want) {
			t.Errorf("claim %d: %v", nth+1, f)
		}
	}
}
