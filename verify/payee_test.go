package verify_test

import (
	"strings"
	"testing"

	"drawhouse/record"
)

// TestPayees checks that a central site voucher names its payee, and that the cheque for it names
// nobody else.
func TestPayees(t *testing.T) {
	s := tellMoney(t, "tas-keno-2023", "house other=central_site\nsell A at T1 standard 1-5 @ 9.00\nplay 1-20\nnext T1\npay A at T1\nsettle T1 payee = V\nsettle T3 with V payee\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	for _, lie := range []moneyLie{
		{"a cheque for somebody else", record.KindSessionEnded, 2, ended(func(_ *teller, b *record.SessionEnded) { b.Tenders[1].Particulars[0]++ }), "pays another payee than the paper names"},
		{"a voucher that names nobody", record.KindInstrumentIssued, 1, func(_ *teller, r *record.Record) { r.Body.(*record.InstrumentIssued).Particulars = nil }, "a central_voucher is issued that names a payee: false"},
	} {
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
