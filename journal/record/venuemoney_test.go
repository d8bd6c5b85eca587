package record

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
)

// venueSamples holds one record of every kind about the money of venues.
func venueSamples() []Record {
	at := func(b Body, postings ...ledger.Posting) Record {
		return Record{Time: 1_794_700_800_000, Postings: postings, Body: b}
	}
	monday := day.MustParse("2026-11-16")
	return []Record{
		at(&VenueAgreed{Venue: 7, From: monday, SalesRate: 700, PrizesRate: 150, FeesRate: 500, LeastCents: 50_00,
			TaxRate: 1000, TaxRounding: "half-up", FloorCents: 600_00, WeekEnds: 0,
			DaysToPay: 5, Stops: true, Mandate: "M-7", Account: "DE89370400440532013000", Signed: monday - 9, By: 3}),
		at(&VenueStated{Venue: 7, Number: 2, From: monday, To: monday + 6, Due: monday + 11, SoldCents: 1000_00,
			BackCents: 10_00, PapersCents: 20_00, PrizesCents: 400_00, RefundsCents: 5_00, TakingsCents: 605_00,
			FeesCents: 40_00, FeesBackCents: 4_00, CommissionCents: 75_30, TaxCents: 7_53, FloorCents: 77_83,
			OpeningCents: 300_00, ReceivedCents: 300_00, ClosingCents: 600_00},
			ledger.Debit(ledger.VenueAccount, 7, 600_00), ledger.Credit(ledger.VenueFunds, 7, 605_00),
			ledger.Debit(ledger.Commission, 7, 75_30), ledger.Debit(ledger.CommissionTax, 7, 7_53),
			ledger.Credit(ledger.Guarantees, 7, 77_83)),
		at(&CashCarried{Venue: 7, Move: CashBrought, Cents: 500_00, Reference: "slip 1", By: 3, With: 5},
			ledger.Debit(ledger.Safe, 7, 500_00), ledger.Credit(ledger.VenueFunds, 7, 500_00)),
		at(&RemittanceReceived{Venue: 7, Cents: 529_70, Reference: "bank 12", By: 3},
			ledger.Debit(ledger.Bank, 0, 529_70), ledger.Credit(ledger.VenueAccount, 7, 529_70)),
		at(&CreditorNamed{Name: "Keno Pty Ltd", Account: "DE89370400440532013000", Creditor: "DE98ZZZ09999999999",
			Scheme: "B2B", By: 3}),
		at(&DebitsOrdered{File: 1, Collect: monday + 10, Name: "Keno Pty Ltd", Account: "DE89370400440532013000",
			Creditor: "DE98ZZZ09999999999", Scheme: "B2B", Currency: "EUR", Debits: []Debit{{Venue: 7, Statement: 2,
				Cents: 529_70, Name: "The Anchor", Mandate: "M-7", Account: "DE89370400440532013000", Signed: monday - 9}},
			By: 3, House: "0A1B2C3D"}),
		at(&DebitAnswered{File: 2, Venue: 7, Statement: 2, Paid: false, Cents: 529_70, Code: "AM04", By: 3, Bank: "B-1"}),
		at(&DebitsWithdrawn{File: 2, Reason: "another account", By: 3}),
		at(&VenuePaid{Venue: 7, Cents: 12_50, Reference: "bank 13", By: 3},
			ledger.Debit(ledger.VenueAccount, 7, 12_50), ledger.Credit(ledger.Bank, 0, 12_50)),
		at(&VenuePaymentReversed{Of: Place{Volume: 1, Seq: 9}, Venue: 7, Cents: -12_50, Reference: "bank 13",
			Reason: "of another venue", By: 3},
			ledger.Credit(ledger.VenueAccount, 7, 12_50), ledger.Debit(ledger.Bank, 0, 12_50)),
		at(&RemittanceReversed{Of: Place{Volume: 1, Seq: 8}, Series: 1, From: "tax", Month: day.MustParse("2026-11-01"),
			Cents: 500, Reference: "000418", Reason: "of another month", By: 3},
			ledger.Credit(ledger.Tax, 0, 500), ledger.Debit(ledger.Bank, 0, 500)),
	}
}

// TestVenueMoneyCheck: what cannot be about the money of a venue is no record, at the bounds of each field.
func TestVenueMoneyCheck(t *testing.T) {
	monday := day.MustParse("2026-11-16")
	good := VenueAgreed{Venue: 7, From: monday, SalesRate: Whole, PrizesRate: Whole, FeesRate: Whole, TaxRate: Whole,
		TaxRounding: "floor", WeekEnds: 6,
		DaysToPay: MostDaysToPay, By: 3}
	if err := checkBody(&good); err != nil {
		t.Fatal(err)
	}
	agreed := func(change func(*VenueAgreed)) Body { b := good; change(&b); return &b }
	statement := VenueStated{Venue: 7, Number: 1, From: monday, To: monday, Due: monday, TakingsCents: 5, ClosingCents: 5}
	if err := checkBody(&statement); err != nil {
		t.Fatal(err)
	}
	stated := func(change func(*VenueStated)) Body { b := statement; change(&b); return &b }
	debit := Debit{Venue: 7, Statement: 1, Cents: 1, Name: "A", Mandate: "M", Account: "12345", Signed: monday}
	file := func(debits ...Debit) Body {
		return &DebitsOrdered{File: 1, Collect: monday, Name: "A", Account: "1234", Creditor: "C", Currency: "AUD",
			Debits: debits, By: 3}
	}
	if err := checkBody(file(debit)); err != nil {
		t.Fatal(err)
	}
	// marked is a file with a mark, whose id has 35 characters for a venue below a thousand million.
	marked := func(mark string, venue uint32) Body {
		d := debit
		d.Venue, d.Statement = venue, 10_000
		b := file(d).(*DebitsOrdered)
		b.File, b.House = 10_000_000, mark
		return b
	}
	if err := checkBody(marked("0A1B2C3D", 999_999_999)); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]Body{
		"a rate of sales above the whole":  agreed(func(b *VenueAgreed) { b.SalesRate++ }),
		"a rate of prizes above the whole": agreed(func(b *VenueAgreed) { b.PrizesRate++ }),
		"a rate of fees above the whole":   agreed(func(b *VenueAgreed) { b.FeesRate++ }),
		"a tax above the whole":            agreed(func(b *VenueAgreed) { b.TaxRate++ }),
		"a tax without a rounding":         agreed(func(b *VenueAgreed) { b.TaxRounding = "" }),
		"a rounding without a tax":         agreed(func(b *VenueAgreed) { b.TaxRate = 0 }),
		"a least commission below zero":    agreed(func(b *VenueAgreed) { b.LeastCents = -1 }),
		"a least payment below zero":       agreed(func(b *VenueAgreed) { b.FloorCents = -1 }),
		"an eighth weekday":                agreed(func(b *VenueAgreed) { b.WeekEnds++ }),
		"a day more to pay":                agreed(func(b *VenueAgreed) { b.DaysToPay++ }),
		"a mandate without an account":     agreed(func(b *VenueAgreed) { b.Mandate, b.Signed = "M", monday }),
		"a mandate that nobody signed":     agreed(func(b *VenueAgreed) { b.Mandate, b.Account = "M", "1234" }),
		"a statement that ends before":     stated(func(b *VenueStated) { b.To-- }),
		"a statement due before its end":   stated(func(b *VenueStated) { b.Due-- }),
		"a statement of another sum":       stated(func(b *VenueStated) { b.ClosingCents++ }),
		"a statement with a tax beside it": stated(func(b *VenueStated) { b.TaxCents++ }),
		"a statement with more made up":    stated(func(b *VenueStated) { b.FloorCents++ }),
		"cash in another way":              &CashCarried{Venue: 7, Move: "lent", Cents: 1, Reference: "1", By: 3, With: 5},
		"cash below zero":                  &CashCarried{Venue: 7, Move: CashTaken, Cents: -1, Reference: "1", By: 3, With: 5},
		"a remittance below zero":          &RemittanceReceived{Venue: 7, Cents: -1, Reference: "1", By: 3},
		"a debit twice":                    file(debit, debit),
		"a debit of nothing":               file(Debit{Venue: 7, Statement: 1, Name: "A", Mandate: "M", Account: "12345", Signed: monday}),
		"a file without debits":            file(),
		"a payment with a reason":          &DebitAnswered{File: 1, Venue: 7, Statement: 1, Paid: true, Cents: 1, Code: "AM04", By: 3},
		"a mark of seven digits":           marked("0A1B2C3", 1),
		"a mark of other letters":          marked("0A1B2C3G", 1),
		"an id of 36 characters":           marked("0A1B2C3D", 1_000_000_000),
		"a payment of nothing taken back":  &VenuePaymentReversed{Of: Place{Volume: 1}, Venue: 7, Reference: "1", Reason: "x", By: 3},
		"a payment to a venue below zero":  &VenuePaid{Venue: 7, Cents: -1, Reference: "1", By: 3},
		"a tax of no month taken back":     &RemittanceReversed{Of: Place{Volume: 1}, Series: 1, From: "tax", Cents: 1, Reference: "1", Reason: "x", By: 3},
		"an answer below zero":             &DebitAnswered{File: 1, Venue: 7, Statement: 1, Cents: -1, By: 3},
	} {
		if err := checkBody(bad); err == nil {
			t.Errorf("%s: %+v is taken", name, bad)
		}
	}
}

// TestSameReference: case, width and what nobody sees make no other reference, everything else does.
func TestSameReference(t *testing.T) {
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{"transfer 1", "transfer 1", true}, {"transfer 1", " Transfer1", true}, {"az", "AZ", true}, {"transfer 1", "transfer 2", false},
		{"1-17", "11-7", false}, {"0418", "418", false}, {"", " ", true}, {"a", "ab", false}, {"ä", "Ä", true}, {"`{", "@[", false},
		{"Bank 77a", "bank\u00a077A", true}, {"Bank 77a", "BANK\u300077A", true}, {"Bank 77a", "\uff22ank\uff17\uff17a", true},
		{"77\u200ba", "77a", true}, {"\ufeff77a\r\n", "77A", true}, {"a\u0308", "Ä", true}, {"²", "2", true},
		{"ä", "a", false}, {"\u0430", "a", false}, {"7-7", "77", false}, {"\u00a0", "", true},
	} {
		if SameReference(x.a, x.b) != x.same || SameReference(x.b, x.a) != x.same {
			t.Errorf("%q and %q: %v is right", x.a, x.b, x.same)
		}
	}
}
