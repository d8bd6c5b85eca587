package verify_test

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestPayees checks that a central site voucher names its payee, and that the cheque for it names
// nobody else.
func TestPayees(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023",
		"house other=central_site\nsell A at T1 standard 1-5 @ 9.00\nplay 1-20\nnext T1\npay A at T1\nsettle T1 payee = V\nsettle T3 with V payee\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	s.refute(t, []moneyLie{
		{"a cheque for somebody else", record.KindSessionEnded, 2,
			ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[1].Particulars[0]++ }),
			"pays another payee than the paper names"},
		{"a voucher that names nobody", record.KindInstrumentIssued, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.InstrumentIssued).Particulars = nil },
			"a central_voucher is issued that names a payee: false"},
	})
}

// TestAccounts checks that money goes to an account only where the journal says that somebody has
// named one: at the end of a session and on a claim form alike.
func TestAccounts(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015",
		"house\nsell A at T1 heads_or_tails heads @ 6000\nsell B at T1 classic 1 @ 1.00\nplay 1-20\nnext T1\npay A at T1\nsettle T1 pay cash 10000, transfer payee\n"+
			"claim B mail with the original\nsign 1 as licensee\ndecide 1 allowed\nsettle-claim 1 by transfer\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	s.refute(t, []moneyLie{
		{"a session", record.KindSessionEnded, 1, ended(func(_ *teller, b *record.SessionEnded) { b.Account = false }),
			"it pays by transfer, and nobody has named an account"},
		{"a claim", record.KindClaimPaid, 1, func(_ *teller, r *record.Record) { r.Body.(*record.ClaimPaid).Account = false },
			"it pays by transfer, and nobody has named an account"},
	})
}

// TestClaimants checks that a voucher is claimed by the payee whom it names, and that what cannot be
// read comes with its form.
func TestClaimants(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023",
		"house\nsell A at T1 standard 1-5 @ 9.00\nsell B at T1 standard 1 @ 1.00\nplay 1-20\nnext T1\npay A at T1\nsettle T1 payee = V\nclaim V lost\nclaim B unreadable with the original\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	claimed := func(to func(*record.ClaimLodged)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.ClaimLodged)) }
	}
	s.refute(t, []moneyLie{
		{"by somebody else", record.KindClaimLodged, 1, claimed(func(b *record.ClaimLodged) { b.Claimant[0]++ }),
			"claimed by somebody else than the payee whom it names"},
		{"without the ticket", record.KindClaimLodged, 2, claimed(func(b *record.ClaimLodged) { b.Original = false }),
			"claimed as unreadable, and was not handed in"},
	})
}

// refute tells lies about records of a journal, and wants each to be found there.
func (s *teller) refute(t *testing.T, told []moneyLie) {
	t.Helper()
	for _, lie := range told {
		t.Run(lie.name, func(t *testing.T) {
			seq := s.find(lie.kind, lie.nth)
			r, err := record.Decode(s.Records[seq])
			require(t, err)
			lie.tell(s, &r)
			told, err := record.Encode(r)
			require(t, err)
			if f := s.verified(seq, told); f == nil || f.Place.Seq != uint64(seq) || !strings.Contains(f.Reason, lie.reason) {
				t.Errorf("got  %v\nwant record 1:%d: ... %s ...", f, seq, lie.reason)
			}
		})
	}
}
