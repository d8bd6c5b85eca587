package verify_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// TestDebt checks that what a session left unpaid is paid late, whole, before anything that it
// sold is released, and that the money is in the safe of the venue.
func TestDebt(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015",
		"house\nnext T1\nsell A at T1 classic 80 @ 5.00\nsell B at T1 classic 80 @ 3.00\nsettle T1 unpaid but 2.00\nrelease A paid 6.00\nrelease B\ncancel A at T1\ncancel B at T1\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	late := func(cents money.Amount, moves ...ledger.Posting) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) {
			r.Body.(*record.PaymentReleased).PaidCents = cents
			r.Postings = ledger.Merge(moves...)
		}
	}
	safe := func(cents money.Amount) []ledger.Posting {
		return []ledger.Posting{ledger.Debit(ledger.Safe, 1, cents), ledger.Credit(ledger.VenueLosses, 1, cents)}
	}
	for _, lie := range []moneyLie{
		{"released without a payment", record.KindPaymentReleased, 1, late(0),
			"$6.00 are owed for what is released, and $0.00 were paid late"},
		{"paid in part", record.KindPaymentReleased, 1, late(5_99, safe(5_99)...),
			"$6.00 are owed for what is released, and $5.99 were paid late"},
		{"paid more than was owed", record.KindPaymentReleased, 1, late(6_01, safe(6_01)...),
			"$6.00 are owed for what is released, and $6.01 were paid late"},
		{"paid twice", record.KindPaymentReleased, 2, late(6_00, safe(6_00)...),
			"$0.00 are owed for what is released, and $6.00 were paid late"},
		{"into another account", record.KindPaymentReleased, 1,
			posted(ledger.Debit(ledger.Operator, 0, 6_00), ledger.Credit(ledger.VenueLosses, 1, 6_00)), "is right"},
	} {
		t.Run(lie.name, func(t *testing.T) {
			seq := s.find(lie.kind, lie.nth)
			told := slices.Clone(s.Records[:seq+1])
			r, err := record.Decode(told[seq])
			require(t, err)
			lie.tell(s, &r)
			told[seq], err = record.Encode(r)
			require(t, err)
			agree(t, told, r.Body.(*record.PaymentReleased))
			if f := s.verified(0, told...); f == nil || f.Place.Seq != uint64(seq) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, seq, lie.reason)
			}
		})
	}
}

// agree has two persons agree on what a release says: the last request for one.
func agree(t *testing.T, told [][]byte, b *record.PaymentReleased) {
	t.Helper()
	for seq := len(told) - 1; seq >= 0; seq-- {
		r, err := record.Decode(told[seq])
		require(t, err)
		asked, ok := r.Body.(*record.ApprovalRequested)
		if !ok || asked.Action != "release_payment" {
			continue
		}
		act := map[string]any{}
		require(t, json.Unmarshal([]byte(asked.Says), &act))
		act["cents"] = b.PaidCents
		says, err := json.Marshal(act)
		require(t, err)
		asked.Says, asked.Content = string(says), staff.ContentIn(1, asked.Action, says)
		told[seq], err = record.Encode(r)
		require(t, err)
		r, err = record.Decode(told[seq+1])
		require(t, err)
		r.Body.(*record.ApprovalDecided).Content = asked.Content
		told[seq+1], err = record.Encode(r)
		require(t, err)
		return
	}
}
