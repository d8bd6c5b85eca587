package verify_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
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
do order-debits by two {"collect":"2026-11-17"} -> done
do take-in-answer by two {"answers":[{"file":1,"venue":1,"statement":1,"paid":false,"code":"AM04"}]} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do carry-cash by two {"venue":1,"move":"banked","cents":100,"reference":"slip 4"} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do order-debits by two {"collect":"2026-11-17"} -> done
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
do order-debits by two {"collect":"2026-11-17"} -> done
do take-in-answer by two {"answers":[{"file":1,"venue":2,"statement":1,"paid":true},{"file":1,"venue":1,"statement":1,"paid":false,"code":"AM04"},{"file":1,"venue":2,"statement":1,"paid":true}]} -> done
do order-debits by two {"collect":"2026-11-17"} -> done
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

// paymentsStory has payments that are recorded twice, to a venue, and taken back: a venue whose statements are due at
// once is paid more than its payment came to, its direct debits are rejected as a whole, withdrawn, and collected all the
// same. A prize of somebody under age is remitted to the Crown, and the payment is taken back and recorded anew.
const paymentsStory = `
house 2026-11-13
do name-creditor by two {"name":"Keno Pty Ltd","account":"DE02120300000000202051","creditor":"DE98ZZZ09999999999"} -> done
do agree-venue by two {"venue":1,"from_day":"2026-11-14","sales_rate":700,"prizes_rate":0,"least_cents":0,"week_ends":0,"days_to_pay":0,"stops":true,"mandate":"M-1","account":"DE89370400440532013000","signed":"2026-09-01"} -> done
do pay-venue by two {"venue":2,"cents":1,"reference":"out 1"} -> refused no_agreement -
day 2026-11-14
sell A at T1 standard 1 @ 5.00
sell B at T1 standard 1 @ 5.00
play 1-20
forfeit A at T1 -> $15.00
do make-remittance by two {"account":"crown","cents":1000,"paid":"2026-11-14","reference":"000417"} -> done
do make-remittance by two {"account":"crown","cents":500,"paid":"2026-11-14","reference":"000 417"} -> refused reference_taken -
do make-remittance by two {"account":"crown","cents":400,"paid":"2026-11-14","reference":"000418"} -> done
do reverse-remittance by two {"account":"crown","reference":"000416","reason":"of another month"} -> refused payment_unknown -
do reverse-remittance by two {"account":"treasurer","reference":"000417","reason":"of another month"} -> refused payment_unknown -
do reverse-remittance by two {"account":"crown","month":"2026-11","reference":"000417","reason":"of another month"} -> refused remittance_month -
do reverse-remittance by two {"account":"crown","reference":"000417","reason":"a slip of the key"} -> done
account crown -> $11.00
do reverse-remittance by two {"account":"crown","reference":"000417","reason":"a slip of the key"} -> refused payment_unknown -
do make-remittance by two {"account":"crown","cents":1101,"paid":"2026-11-14","reference":"000417"} -> refused remittance_too_much -
do make-remittance by two {"account":"crown","cents":1100,"paid":"2026-11-14","reference":"000417"} -> done
account crown -> $0.00
do receive-remittance by two {"venue":1,"cents":1000,"reference":"transfer 1"} -> done
do receive-remittance by two {"venue":1,"cents":1000,"reference":" TRANSFER1"} -> refused reference_taken -
do carry-cash by two {"venue":1,"move":"brought","cents":5000,"reference":"transfer 1"} -> done
do carry-cash by two {"venue":1,"move":"banked","cents":100,"reference":"transfer 1"} -> refused reference_taken -
do pay-venue by two {"venue":1,"cents":1001,"reference":"out 1"} -> refused paid_too_much -
do pay-venue by two {"venue":1,"cents":100,"reference":"transfer 1"} -> refused reference_taken -
do pay-venue by two {"venue":1,"cents":300,"reference":"out 1"} -> done
do pay-venue by two {"venue":1,"cents":400,"reference":"out 2"} -> done
do pay-venue by two {"venue":1,"cents":301,"reference":"out 3"} -> refused paid_too_much -
day 2026-11-16
do reverse-venue-payment by two {"venue":1,"reference":"transfer 2","reason":"of another venue"} -> refused payment_unknown -
do reverse-venue-payment by two {"venue":1,"reference":"out 1","reason":"the bank did not pay"} -> done
do reverse-venue-payment by two {"venue":1,"reference":"transfer 1","reason":"of another venue"} -> done
do reverse-venue-payment by two {"venue":1,"reference":"transfer 1","reason":"of another venue"} -> refused payment_unknown -
sell C at T1 standard 1 @ 1.00
play 2-21
day 2026-11-17
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do order-debits by two {"collect":"2026-11-17"} -> refused collect_day -
do order-debits by two {"collect":"2026-12-02"} -> refused collect_day -
do order-debits by two {"collect":"2026-12-01"} -> done
sell D at T1 standard 1 @ 1.00
do take-in-answer by two {"answers":null,"file":1,"reason":"AM05"} -> done
do take-in-answer by two {"answers":null,"file":1,"reason":"AM05"} -> refused file_answered -
sell E at T1 standard 1 @ 1.00
do order-debits by two {"collect":"2026-11-18"} -> done
do withdraw-debits by two {"file":3,"reason":"another account"} -> refused debit_unknown -
do withdraw-debits by two {"file":2,"reason":"another account"} -> done
do withdraw-debits by two {"file":2,"reason":"another account"} -> refused file_answered -
do take-in-answer by two {"answers":[{"file":1,"venue":1,"statement":1,"paid":false,"code":"AM05","bank":"B-1"}]} -> done
do take-in-answer by two {"answers":[{"file":2,"venue":1,"statement":1,"paid":true,"bank":"B-2"}]} -> done
do take-in-answer by two {"answers":[{"file":2,"venue":1,"statement":1,"paid":true,"bank":"B-2"}]} -> refused debit_answered -
play 3-22
day 2026-11-18
sell F at T1 standard 1 @ 1.00
do take-in-answer by two {"answers":[{"file":2,"venue":1,"statement":1,"paid":false,"code":"MD06","bank":"B-3"}]} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
do order-debits by two {"collect":"2026-11-19"} -> done
sell X at T1 standard 1 @ 1.00 -> refused venue_unpaid -
`

// agreedAnew tells another act that two persons agreed on, with its record: the request, the consent and the use stand
// before it.
func (s *teller) agreedAnew(kind record.Kind, nth int, act command.Act, change func(record.Body)) *verify.Failure {
	s.t.Helper()
	const records = 3
	seq := s.find(kind, nth)
	told := slices.Clone(s.Records[seq-records : seq+1])
	for i, data := range told {
		r, err := record.Decode(data)
		require(s.t, err)
		switch b := r.Body.(type) {
		case *record.ApprovalRequested:
			b.Says, b.Content = string(command.Say(act)), command.Content(1, act)
		case *record.ApprovalDecided:
			b.Content = command.Content(1, act)
		case *record.ApprovalUsed:
		default:
			change(b)
			for j := range r.Postings { // They follow from the amount, if it is another.
				if cents := amountOf(b); cents != 0 {
					r.Postings[j].Cents = max(cents, -cents) * money.Amount(sign(r.Postings[j].Cents))
				}
			}
		}
		told[i], err = record.Encode(r)
		require(s.t, err)
	}
	if f := s.verified(seq-records, told[:records]...); f != nil {
		s.t.Fatalf("before the record: %v", f)
	}
	return s.verified(seq-records, told...)
}

func sign(cents money.Amount) int {
	if cents < 0 {
		return -1
	}
	return 1
}

// amountOf returns the amount of a payment.
func amountOf(b record.Body) money.Amount {
	switch b := b.(type) {
	case *record.RemittanceReceived:
		return b.Cents
	case *record.VenuePaid:
		return b.Cents
	case *record.RemittanceMade:
		return b.Cents
	}
	return 0
}

// TestLyingAboutVenuePayments: verify finds payments that are recorded twice, paid beyond what is owed, or taken back and
// never made, and files that are withdrawn without a reason. Two persons agree on each lie.
func TestLyingAboutVenuePayments(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", paymentsStory)
	if f := story.verified(len(story.Records)); f != nil {
		t.Fatal(f)
	}
	const received, paid, back, made, unmade, order, taken = record.KindRemittanceReceived, record.KindVenuePaid,
		record.KindVenuePaymentReversed, record.KindRemittanceMade, record.KindRemittanceReversed, record.KindDebitsOrdered,
		record.KindDebitsWithdrawn
	for _, lie := range []struct {
		name   string
		kind   record.Kind
		nth    int
		act    command.Act
		change func(record.Body)
		reason string
	}{
		{"a payment to the venue by the reference of one from it", paid, 1,
			command.PayVenue{Venue: 1, Cents: 300, Reference: "Transfer 1"},
			func(b record.Body) { b.(*record.VenuePaid).Reference = "Transfer 1" }, "has taken it in"},
		{"a payment to the venue twice", paid, 2, command.PayVenue{Venue: 1, Cents: 400, Reference: "OUT1"},
			func(b record.Body) { b.(*record.VenuePaid).Reference = "OUT1" }, "has taken it in"},
		{"a cent more to the venue than is owed", paid, 2, command.PayVenue{Venue: 1, Cents: 701, Reference: "out 2"},
			func(b record.Body) { b.(*record.VenuePaid).Cents = 701 }, "its account stands at"},
		{"a payment to the State twice", made, 2,
			command.MakeRemittance{Account: "crown", Cents: 400, Paid: "2026-11-14", Reference: "000417"},
			func(b record.Body) { b.(*record.RemittanceMade).Reference = "000417" }, "by which record"},
		{"a payment taken back that was not made", back, 2,
			command.ReverseVenuePayment{Venue: 1, Reference: "transfer 9", Reason: "of another venue"},
			func(b record.Body) { b.(*record.VenuePaymentReversed).Reference = "transfer 9" }, "which record"},
		{"a payment taken back twice", back, 2,
			command.ReverseVenuePayment{Venue: 1, Reference: "out 1", Reason: "of another venue"}, func(b record.Body) {
				first, err := record.Decode(story.Records[story.find(back, 1)])
				require(t, err)
				*b.(*record.VenuePaymentReversed) = *first.Body.(*record.VenuePaymentReversed)
				b.(*record.VenuePaymentReversed).Reason = "of another venue"
			}, "which record"},
		{"cash taken back", back, 2, command.ReverseVenuePayment{Venue: 1, Reference: "transfer 1", Reason: "of another venue"},
			func(b record.Body) {
				b.(*record.VenuePaymentReversed).Of.Seq = uint64(story.find(record.KindCashCarried, 1))
				b.(*record.VenuePaymentReversed).Cents = 50_00
			}, "which record"},
		{"a cent more taken back", back, 2, command.ReverseVenuePayment{Venue: 1, Reference: "transfer 1", Reason: "of another venue"},
			func(b record.Body) { b.(*record.VenuePaymentReversed).Cents++ }, "which record"},
		{"another payment to the State taken back", unmade, 1,
			command.ReverseRemittance{Account: "crown", Reference: "000417", Reason: "a slip of the key"},
			func(b record.Body) { b.(*record.RemittanceReversed).Of.Seq = uint64(story.find(made, 2)) }, "which record"},
		{"a cent less of it", unmade, 1,
			command.ReverseRemittance{Account: "crown", Reference: "000417", Reason: "a slip of the key"},
			func(b record.Body) { b.(*record.RemittanceReversed).Cents-- }, "which record"},
		{"of the Treasurer", unmade, 1,
			command.ReverseRemittance{Account: "treasurer", Reference: "000417", Reason: "a slip of the key"},
			func(b record.Body) { b.(*record.RemittanceReversed).From = "treasurer" }, "which record"},
		{"collected today", order, 1, command.OrderDebits{Collect: "2026-11-17"},
			func(b record.Body) { b.(*record.DebitsOrdered).Collect -= 14 }, "days ahead"},
		{"collected after fifteen days", order, 1, command.OrderDebits{Collect: "2026-12-02"},
			func(b record.Body) { b.(*record.DebitsOrdered).Collect++ }, "days ahead"},
		{"with the mark of another house", order, 1, command.OrderDebits{Collect: "2026-12-01"},
			func(b record.Body) { b.(*record.DebitsOrdered).House = "00000000" }, "that of the house"},
		{"with no mark", order, 1, command.OrderDebits{Collect: "2026-12-01"},
			func(b record.Body) { b.(*record.DebitsOrdered).House = "" }, "that of the house"},
		{"a file that was withdrawn", taken, 2, command.WithdrawDebits{File: 1, Reason: "another account"},
			func(b record.Body) { b.(*record.DebitsWithdrawn).File = 1 }, "nothing of it to withdraw"},
		{"a file that there is not", taken, 2, command.WithdrawDebits{File: 3, Reason: "another account"},
			func(b record.Body) { b.(*record.DebitsWithdrawn).File = 3 }, "nothing of it to withdraw"},
		{"withdrawn, and answered by the bank", taken, 1, command.TakeInAnswer{File: 1, Reason: "AM05",
			Answers: []command.DebitAnswer{{File: 1, Venue: 1, Statement: 1, Paid: true}}}, func(record.Body) {}, "something else"},
		{"withdrawn for another reason", taken, 1, command.TakeInAnswer{File: 1, Reason: "AM06"}, func(record.Body) {}, "something else"},
		{"another reference of the bank", record.KindDebitAnswered, 2,
			command.TakeInAnswer{Answers: []command.DebitAnswer{{File: 2, Venue: 1, Statement: 1, Paid: true, Bank: "B-9"}}},
			func(record.Body) {}, "and not this"},
		{"twice received", received, 1, command.ReceiveRemittance{Venue: 1, Cents: 1000, Reference: "transfer 1"},
			func(record.Body) {}, ""},
	} {
		failure := story.agreedAnew(lie.kind, lie.nth, lie.act, lie.change)
		if lie.reason == "" {
			if failure != nil {
				t.Errorf("%s: it is told as it was: %v", lie.name, failure)
			}
			continue
		}
		if failure == nil || !strings.Contains(failure.Error(), lie.reason) {
			t.Errorf("%s: %v", lie.name, failure)
		}
	}
	r, err := record.Decode(story.Records[story.find(record.KindVenueStated, 1)])
	require(t, err)
	r.Body.(*record.VenueStated).Due--
	data, err := record.Encode(r)
	require(t, err)
	if f := story.verified(story.find(record.KindVenueStated, 1), data); f == nil || !strings.Contains(f.Error(), "before the day") {
		t.Errorf("a statement that is due before it is made: %v", f)
	}
}
