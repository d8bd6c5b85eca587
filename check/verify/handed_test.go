package verify_test

import (
	"slices"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// TestHanded checks that a self-service terminal hands out receipts and nothing else, by whatever
// record, and sells no other paper than its receipt.
func TestHanded(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015", `
house
issue G at T1 gift_voucher 5.00
sell A at T1 heads_or_tails heads @ 5.00
sell B at T1 heads_or_tails heads @ 5.00
sell C at T1 classic 80 @ 1.00 for 3 games
play 1-20
pay B at T1
cancel C at T1
next T2
pay A at T2 -> $10.00
issue R at T2 change_receipt 3.00
settle T2 = P -> change_receipt -$7.00
settle T1 with G given back -> paper $5.00, cash -$5.00
`)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	const at = 2 // the self-service terminal, which has no requests of its own before
	s.refute(t, []moneyLie{
		{"a prize in cash", record.KindTicketPaid, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.TicketPaid).Request.Terminal = at },
			"terminal 2, a sst, hands out cash"},
		{"a refund in cash", record.KindTicketCancelled, 1,
			func(_ *teller, r *record.Record) { r.Body.(*record.TicketCancelled).Request.Terminal = at },
			"terminal 2, a sst, hands out cash"},
		{"a session in cash", record.KindSessionEnded, 1, ended(func(_ *teller, b *record.SessionEnded) {
			b.Tenders = append(slices.Clone(b.Tenders), record.Settlement{Kind: record.TenderCash, Cents: -7_00})
		}), "terminal 2, a sst, hands out cash"},
		{"a cheque", record.KindSessionEnded, 1, ended(func(_ *teller, b *record.SessionEnded) {
			b.Tenders = append(slices.Clone(b.Tenders),
				record.Settlement{Kind: record.TenderCheque, Cents: -7_00, Particulars: make([]byte, 32)})
		}), "terminal 2, a sst, hands out cheque"},
		{"a transfer", record.KindSessionEnded, 1, ended(func(_ *teller, b *record.SessionEnded) {
			b.Tenders = append(slices.Clone(b.Tenders),
				record.Settlement{Kind: record.TenderTransfer, Cents: -7_00, Particulars: make([]byte, 32)})
		}), "terminal 2, a sst, hands out transfer"},
		{"a gift voucher given back", record.KindSessionEnded, 2,
			ended(func(_ *teller, b *record.SessionEnded) { b.Request.Terminal = at; b.Tenders = b.Tenders[:1] }),
			"terminal 2, a sst, hands out cash"},
		{"a gift voucher sold", record.KindInstrumentIssued, 2,
			func(_ *teller, r *record.Record) { r.Body.(*record.InstrumentIssued).ID = "gift_voucher" },
			"terminal 2, a sst, hands out gift_voucher"},
		{"a receipt sold at a counter that nobody is at", record.KindInstrumentIssued, 2, func(_ *teller, r *record.Record) {
			b := r.Body.(*record.InstrumentIssued)
			b.Request.Terminal, b.Request.Number, b.Session = 3, 1, 1
			r.Postings = ledger.Merge(ledger.Debit(ledger.Customer, 3, 3_00), ledger.Credit(ledger.Instruments, 1, 3_00))
		}, "where nobody is on shift"},
	})
}
