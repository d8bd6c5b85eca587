package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// venueStory has a venue with an agreement: two weeks, cash that is brought, taken and banked, a remittance, a direct
// debit that is returned and one that is paid and called back.
const venueStory = `
house 2026-11-13
do name-creditor by two {"name":"Keno Pty Ltd","account":"DE02120300000000202051","creditor":"DE98ZZZ09999999999","scheme":"B2B"} -> done
do agree-venue by two {"venue":1,"from_day":"2026-11-14","sales_rate":733,"prizes_rate":111,"least_cents":3,"week_ends":0,"days_to_pay":1,"stops":true,"mandate":"M-1","account":"DE89370400440532013000","signed":"2026-09-01"} -> done
day 2026-11-14
sell A at T1 standard 1 @ 5.00
do carry-cash by two {"venue":1,"move":"brought","cents":10000,"reference":"slip 1"} -> done
do carry-cash by two {"venue":1,"move":"taken","cents":1000,"reference":"slip 2"} -> done
do carry-cash by two {"venue":1,"move":"taken","cents":9001,"reference":"slip 3"} -> refused safe_short -
day 2026-11-16
do order-debits by two {"collect":"2026-11-16"} -> done
do take-in-answer by two {"answers":[{"file":1,"venue":1,"statement":1,"paid":false,"code":"AM04"}]} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do carry-cash by two {"venue":1,"move":"banked","cents":100,"reference":"slip 4"} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do order-debits by two {"collect":"2026-11-16"} -> done
do take-in-answer by two {"answers":[{"file":2,"venue":1,"statement":1,"paid":true}]} -> done
sell B at T1 standard 1 @ 2.00
do take-in-answer by two {"answers":[{"file":2,"venue":1,"statement":1,"paid":false,"code":"MD06"}]} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do receive-remittance by two {"venue":1,"cents":1000,"reference":"transfer 1"} -> done
sell C at T1 standard 1 @ 1.00
day 2026-11-23
sell D at T1 standard 1 @ 1.00
`

// TestLyingAboutVenueMoney changes each field of every record of the story, and leaves each record out: verify finds
// every lie.
func TestLyingAboutVenueMoney(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", venueStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	agreed := func(to func(*record.VenueAgreed)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.VenueAgreed)) }
	}
	carried := func(to func(*record.CashCarried)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.CashCarried)) }
	}
	remitted := func(to func(*record.RemittanceReceived)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.RemittanceReceived)) }
	}
	named := func(to func(*record.CreditorNamed)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.CreditorNamed)) }
	}
	ordered := func(to func(*record.DebitsOrdered)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.DebitsOrdered)) }
	}
	answered := func(to func(*record.DebitAnswered)) func(*teller, *record.Record) {
		return func(_ *teller, r *record.Record) { to(r.Body.(*record.DebitAnswered)) }
	}
	const agree, cash, remit, name, order, answer = record.KindVenueAgreed, record.KindCashCarried,
		record.KindRemittanceReceived, record.KindCreditorNamed, record.KindDebitsOrdered, record.KindDebitAnswered
	lies := []moneyLie{
		{"a basis point more", agree, 1, agreed(func(b *record.VenueAgreed) { b.SalesRate++ }), "agreed"},
		{"from the open day on", agree, 1, agreed(func(b *record.VenueAgreed) { b.From-- }), "agreed"},
		{"another account", agree, 1, agreed(func(b *record.VenueAgreed) { b.Account = "DE89370400440532013001" }), "agreed"},
		{"sale that goes on", agree, 1, agreed(func(b *record.VenueAgreed) { b.Stops = false }), "agreed"},
		{"a cent less brought", cash, 1, carried(func(b *record.CashCarried) { b.Cents-- }), "agreed"},
		{"brought by the operator", cash, 1, posted(ledger.Debit(ledger.Safe, 1, 100_00), ledger.Credit(ledger.Bank, 0, 100_00)), "is right"},
		{"banked, and taken", cash, 3, carried(func(b *record.CashCarried) { b.Move = record.CashTaken }), "agreed"},
		{"taken of the safe's deposit", cash, 3, posted(ledger.Debit(ledger.VenueAccount, 1, 1_00), ledger.Credit(ledger.Safe, 1, 1_00)), "is right"},
		{"a cent more remitted", remit, 1, remitted(func(b *record.RemittanceReceived) { b.Cents++ }), "agreed"},
		{"by another venue", remit, 1, remitted(func(b *record.RemittanceReceived) { b.Venue = 2 }), "agreed"},
		{"to another account", name, 1, named(func(b *record.CreditorNamed) { b.Account = "12345678" }), "agreed"},
		{"a file twice", order, 2, ordered(func(b *record.DebitsOrdered) { b.File-- }), "follows file"},
		{"a cent more collected", order, 1, ordered(func(b *record.DebitsOrdered) { b.Debits[0].Cents++ }), "is due"},
		{"collected from another account", order, 1, ordered(func(b *record.DebitsOrdered) { b.Debits[0].Account = "12345678" }), "is due"},
		{"paid to another account", order, 1, ordered(func(b *record.DebitsOrdered) { b.Account = "12345678" }), "did not agree"},
		{"collected yesterday", order, 1, ordered(func(b *record.DebitsOrdered) { b.Collect-- }), ""},
		{"in another currency", order, 1, ordered(func(b *record.DebitsOrdered) { b.Currency = "QQQ" }), "no series is"},
		{"returned, and said to be paid", answer, 1, answered(func(b *record.DebitAnswered) { b.Paid, b.Code = true, "" }), "agreed"},
		{"a cent less paid", answer, 2, answered(func(b *record.DebitAnswered) { b.Cents-- }), "was not asked"},
		{"of another file", answer, 2, answered(func(b *record.DebitAnswered) { b.File-- }), ""},
		{"called back without the money", answer, 3, posted(), "is right"},
	}
	changes := map[string]func(*record.VenueStated){
		"number": func(b *record.VenueStated) { b.Number++ }, "venue": func(b *record.VenueStated) { b.Venue++ },
		"first day": func(b *record.VenueStated) { b.From-- }, "last day": func(b *record.VenueStated) { b.To-- },
		"due day": func(b *record.VenueStated) { b.Due++ }, "sales": func(b *record.VenueStated) { b.SoldCents++ },
		"cancellations": func(b *record.VenueStated) { b.BackCents++ }, "papers": func(b *record.VenueStated) { b.PapersCents++ },
		"prizes": func(b *record.VenueStated) { b.PrizesCents++ }, "refunds": func(b *record.VenueStated) { b.RefundsCents++ },
		"commission and takings": func(b *record.VenueStated) { b.TakingsCents++; b.CommissionCents++ },
		"opening and receipts":   func(b *record.VenueStated) { b.OpeningCents++; b.ReceivedCents++ },
	}
	for name, change := range changes {
		for nth := range 2 {
			lies = append(lies, moneyLie{fmt.Sprintf("another %s of statement %d", name, nth+1), record.KindVenueStated, nth + 1,
				func(_ *teller, r *record.Record) { change(r.Body.(*record.VenueStated)) }, "statement"})
		}
	}
	lies = append(lies, moneyLie{"no statement", record.KindVenueStated, 1, nil, "is not the statement of venue 1"})
	for _, lie := range lies {
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
		failure := story.verified(seq, told...)
		if failure == nil || !strings.Contains(failure.Error(), lie.reason) {
			t.Errorf("%s: %v", lie.name, failure)
		}
	}
}
