package verify_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// venueStory has a venue with an agreement: two weeks, cash that is brought, taken and banked, a remittance, a direct
// debit that is returned and one that is paid and called back.
const venueStory = `
house 2026-11-13
do name-creditor by two {"name":"Keno Pty Ltd","account":"DE02120300000000202051","creditor":"DE98ZZZ09999999999","scheme":"B2B"} -> done
do agree-venue by two {"venue":1,"from_day":"2026-11-14","sales_rate":733,"prizes_rate":111,"least_cents":3,"tax_rate":1000,"tax_rounding":"half-up","floor_cents":300,"week_ends":0,"days_to_pay":1,"stops":true,"mandate":"M-1","account":"DE89370400440532013000","signed":"2026-09-01"} -> done
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
		{"a basis point of fees", agree, 1, agreed(func(b *record.VenueAgreed) { b.FeesRate++ }), "agreed"},
		{"a basis point of tax", agree, 1, agreed(func(b *record.VenueAgreed) { b.TaxRate++ }), "agreed"},
		{"a tax that is rounded up", agree, 1, agreed(func(b *record.VenueAgreed) { b.TaxRounding = "ceil" }), "agreed"},
		{"a cent more to pay at least", agree, 1, agreed(func(b *record.VenueAgreed) { b.FloorCents++ }), "agreed"},
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
		"fees": func(b *record.VenueStated) { b.FeesCents++ }, "fees paid back": func(b *record.VenueStated) { b.FeesBackCents++ },
		"tax and takings":        func(b *record.VenueStated) { b.TakingsCents++; b.TaxCents++ },
		"least payment and tax":  func(b *record.VenueStated) { b.FloorCents++; b.TaxCents++ },
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

// answersStory has two venues, of which each owes a statement. One answer of the bank names both debits, twice one of
// them; the next calls a payment back, and says again what is known.
const answersStory = `
house 2026-11-13
do name-creditor by two {"name":"Keno Pty Ltd","account":"DE02120300000000202051","creditor":"DE98ZZZ09999999999","scheme":"B2B"} -> done
do agree-venue by two {"venue":1,"from_day":"2026-11-14","sales_rate":700,"prizes_rate":0,"least_cents":0,"floor_cents":300,"week_ends":0,"days_to_pay":7,"stops":false,"mandate":"M-1","account":"DE89370400440532013000","signed":"2026-09-01"} -> done
do agree-venue by two {"venue":2,"from_day":"2026-11-14","sales_rate":700,"prizes_rate":0,"least_cents":0,"floor_cents":400,"week_ends":0,"days_to_pay":7,"stops":false,"mandate":"M-2","account":"DE89370400440532013000","signed":"2026-09-01"} -> done
day 2026-11-14
sell A at T1 standard 1 @ 5.00
day 2026-11-16
do order-debits by two {"collect":"2026-11-16"} -> done
do take-in-answer by two {"answers":[{"file":1,"venue":2,"statement":1,"paid":true},{"file":1,"venue":1,"statement":1,"paid":false,"code":"AM04"},{"file":1,"venue":2,"statement":1,"paid":true}]} -> done
do order-debits by two {"collect":"2026-11-16"} -> done
do take-in-answer by two {"answers":[{"file":1,"venue":1,"statement":1,"paid":false,"code":"AM04"},{"file":2,"venue":1,"statement":1,"paid":true},{"file":1,"venue":2,"statement":1,"paid":false,"code":"MD06"}]} -> done
sell B at T1 standard 1 @ 1.00
`

// TestAnswerOfSeveralDebits: a house records what one answer of the bank says of several debits, one behind the other,
// and verify agrees. It finds every other list of records.
func TestAnswerOfSeveralDebits(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", answersStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	var debits [4][]byte
	for i := range debits {
		debits[i] = story.Records[story.find(record.KindDebitAnswered, i+1)]
	}
	changed := func(data []byte, change func(*record.DebitAnswered)) []byte {
		r, err := record.Decode(data)
		require(t, err)
		change(r.Body.(*record.DebitAnswered))
		data, err = record.Encode(r)
		require(t, err)
		return data
	}
	first, third := story.find(record.KindDebitAnswered, 1), story.find(record.KindDebitAnswered, 3)
	next := story.Records[first+2]
	for _, lie := range []struct {
		name   string
		seq    int
		told   [][]byte
		reason string
	}{
		{"nothing behind the approval", first, [][]byte{next}, "it comes of an approval of take_in_answer"},
		{"the second is left out", first, [][]byte{debits[0], next}, "it comes of an approval of take_in_answer"},
		{"the first is left out", first, [][]byte{debits[1]}, "and not this"},
		{"the first twice", first, [][]byte{debits[0], debits[0]}, "and not this"},
		{"a third", first, [][]byte{debits[0], debits[1], debits[2]}, "nobody has approved it"},
		{"another record between them", first, [][]byte{debits[0], next, debits[1]}, "it comes of an approval"},
		{"another code", first + 1, [][]byte{changed(debits[1], func(b *record.DebitAnswered) { b.Code = "AM05" })}, "and not this"},
		{"paid, and not returned", first + 1,
			[][]byte{changed(debits[1], func(b *record.DebitAnswered) { b.Paid, b.Code = true, "" })}, "and not this"},
		{"another amount", first + 1, [][]byte{changed(debits[1], func(b *record.DebitAnswered) { b.Cents-- })}, "was not asked"},
		{"another person", first + 1, [][]byte{changed(debits[1], func(b *record.DebitAnswered) { b.By++ })}, "two persons"},
		{"what was known already", third, [][]byte{changed(debits[2], func(b *record.DebitAnswered) {
			b.File, b.Venue, b.Paid, b.Code = 1, 1, false, "AM04"
		})}, "and not this"},
		{"a payment that stays", third, [][]byte{debits[2], story.Records[third+2]}, "it comes of an approval"},
	} {
		failure := story.verified(lie.seq, lie.told...)
		if failure == nil || !strings.Contains(failure.Error(), lie.reason) {
			t.Errorf("%s: %v", lie.name, failure)
		}
	}
}

// TestAnswersOfNobody: of an answer that contradicts itself, or that names a debit of nobody, nothing is taken in. The
// house refuses the answer, and verify finds a house that takes in a part of it.
func TestAnswersOfNobody(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", answersStory)
	answered := story.find(record.KindDebitAnswered, 1)
	const asks, decides, uses = 3, 2, 1 // records before the first answer
	for name, more := range map[string]command.DebitAnswer{
		"another word":      {File: 1, Venue: 2, Statement: 1, Code: "AM04"},
		"another statement": {File: 1, Venue: 1, Statement: 9, Paid: true},
		"no such venue":     {File: 1, Venue: 3, Statement: 1, Paid: true},
	} {
		act := command.TakeInAnswer{Answers: []command.DebitAnswer{{File: 1, Venue: 2, Statement: 1, Paid: true}, more}}
		told := slices.Clone(story.Records[answered-asks : answered+1])
		for at, change := range map[int]func(record.Body){
			asks - asks: func(b record.Body) {
				says, err := json.Marshal(act)
				require(t, err)
				asked := b.(*record.ApprovalRequested)
				asked.Says, asked.Content = string(says), command.Content(1, act)
			},
			asks - decides: func(b record.Body) { b.(*record.ApprovalDecided).Content = command.Content(1, act) },
		} {
			r, err := record.Decode(told[at])
			require(t, err)
			change(r.Body)
			told[at], err = record.Encode(r)
			require(t, err)
		}
		if f := story.verified(answered-asks, told[:asks-uses+1]...); f != nil {
			t.Fatalf("%s: before the answer is taken in: %v", name, f)
		}
		failure := story.verified(answered-asks, told...)
		if failure == nil || !strings.Contains(failure.Error(), "and not this") {
			t.Errorf("%s: %v", name, failure)
		}
	}
}
