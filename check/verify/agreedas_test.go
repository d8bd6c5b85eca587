package verify

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	library "drawhouse/rulebook/rules"
)

// TestAgreedAs has two persons agree on everything that is done at a counter, and changes one thing at a time in what
// they agreed on: the record is then another than theirs.
func TestAgreedAs(t *testing.T) {
	const cash = record.TenderCash
	place, request := record.Place{Volume: 1, Seq: 77}, record.Request{Terminal: 7}
	today := day.MustParse("2026-11-15")
	var tested []record.Kind
	for _, x := range []struct {
		body record.Body
		says said
		// matters are the fields of what they agreed on that the record must have.
		matters []string
		// by and both say that the person of the record has asked, and the other one consented.
		by, both bool
		others   []record.Body // with one thing that nobody agreed on
	}{
		{
			body: &record.TicketPaid{Request: request, Ticket: place, PaidBy: 3,
				Parts: []record.PaidPart{{Ordinal: 2, Cents: 500}}},
			says:    said{Terminal: 7, Ticket: "1:77", PaidBy: 3, Ordinal: 2, Cents: 500},
			matters: []string{"Terminal", "Ticket", "PaidBy", "Ordinal", "Cents"},
			others: []record.Body{&record.TicketPaid{
				Request: request, Ticket: place, PaidBy: 3,
				Parts: []record.PaidPart{{Ordinal: 2, Cents: 500}, {Ordinal: 3, Cents: 500}},
			}},
		},
		{
			body:    &record.SessionEnded{Request: request, Tenders: []record.Settlement{{Kind: cash, Cents: 500}}},
			says:    said{Terminal: 7, Cents: 500},
			matters: []string{"Terminal", "Cents"},
		},
		{
			body: &record.InstrumentIssued{
				Request: request, Series: 1, ID: "gift_voucher", Cents: 500, Day: today, LastDay: today + 10, GameType: "classic",
			},
			says:    said{Terminal: 7, Kind: "gift_voucher", Cents: 500, Days: 10, GameType: "classic"},
			matters: []string{"Terminal", "Kind", "Cents", "Days", "GameType"},
		},
		{
			body:    &record.BankMoved{Terminal: 7, Move: record.BankFloat, Cents: 500, By: 3, With: 4},
			says:    said{Terminal: 7, Move: string(record.BankFloat), Cents: 500},
			matters: []string{"Terminal", "Move", "Cents"}, by: true, both: true,
		},
		{
			body:    &record.BankCounted{Terminal: 7, CountedCents: 500, By: 3, With: 4},
			says:    said{Terminal: 7, Cents: 500},
			matters: []string{"Terminal", "Cents"}, by: true, both: true,
		},
		{
			body:    &record.PaymentReleased{Places: []record.Place{place}, Reason: "it is good", PaidCents: 500, By: 3},
			says:    said{Places: []string{"1:77"}, Reason: "it is good", Cents: 500},
			matters: []string{"Places", "Reason", "Cents"}, by: true,
		},
		{
			body:    &record.TicketDisqualified{Ticket: place, Reason: "forged"},
			says:    said{Ticket: "1:77", Reason: "forged"},
			matters: []string{"Ticket", "Reason"},
		},
		{
			body:    &record.TicketReinstated{Ticket: place, Reason: "it is good", By: 3},
			says:    said{Ticket: "1:77", Reason: "it is good"},
			matters: []string{"Ticket", "Reason"}, by: true,
		},
		{
			body:    &record.TicketsTakenIn{Text: []byte("a file"), Reference: "decision 1", By: 3},
			says:    said{Text: "a file", Key: base64.StdEncoding.EncodeToString(make([]byte, 32)), Reference: "decision 1"},
			matters: []string{"Text", "Key", "Reference"}, by: true,
		},
		{
			body: &record.RemittanceMade{From: "tax", Month: day.MustParse("2026-11-01"), Cents: 500,
				Paid: day.MustParse("2026-12-07"), Reference: "000418", By: 3},
			says:    said{Account: "tax", Month: "2026-11", Cents: 500, Paid: "2026-12-07", Reference: "000418"},
			matters: []string{"Account", "Month", "Cents", "Paid", "Reference"}, by: true,
		},
		{
			body:    &record.TicketInvalidated{Ticket: place, Reason: "other rules", By: 3},
			says:    said{Ticket: "1:77", Reason: "other rules"},
			matters: []string{"Ticket", "Reason"}, by: true,
		},
		{
			body: &record.VenueAgreed{Venue: 1, From: today, SalesRate: 700, PrizesRate: 100, LeastCents: 500,
				FeesRate: 50, TaxRate: 1000, TaxRounding: "floor", FloorCents: 900, WeekEnds: 1,
				DaysToPay: 3, Stops: true, Mandate: "M", Account: "1234", Signed: today, By: 3},
			says: said{Venue: 1, FromDay: today.String(), SalesRate: 700, PrizesRate: 100, Least: 500,
				FeesRate: 50, TaxRate: 1000, TaxRounding: "floor", Floor: 900, WeekEnds: 1, DaysToPay: 3,
				Stops: true, Mandate: "M", Account: "1234", Signed: today.String()},
			matters: []string{"Venue", "FromDay", "SalesRate", "PrizesRate", "Least", "FeesRate", "TaxRate", "TaxRounding", "Floor",
				"WeekEnds", "DaysToPay", "Stops", "Mandate",
				"Account", "Signed"}, by: true,
		},
		{
			body:    &record.CashCarried{Venue: 1, Move: record.CashBanked, Cents: 500, Reference: "slip 1", By: 3, With: 4},
			says:    said{Venue: 1, Move: "banked", Cents: 500, Reference: "slip 1"},
			matters: []string{"Venue", "Move", "Cents", "Reference"}, by: true,
		},
		{
			body:    &record.RemittanceReceived{Venue: 1, Cents: 500, Reference: "bank 1", By: 3},
			says:    said{Venue: 1, Cents: 500, Reference: "bank 1"},
			matters: []string{"Venue", "Cents", "Reference"}, by: true,
		},
		{
			body:    &record.VenuePaid{Venue: 1, Cents: 500, Reference: "bank 1", By: 3},
			says:    said{Venue: 1, Cents: 500, Reference: "bank 1"},
			matters: []string{"Venue", "Cents", "Reference"}, by: true,
		},
		{
			body:    &record.VenuePaymentReversed{Venue: 1, Cents: 500, Reference: "bank 1", Reason: "it was not paid", By: 3},
			says:    said{Venue: 1, Reference: "bank 1", Reason: "it was not paid"},
			matters: []string{"Venue", "Reference", "Reason"}, by: true,
		},
		{
			body: &record.RemittanceReversed{From: "tax", Month: day.MustParse("2026-11-01"), Cents: 500, Reference: "000418",
				Reason: "it was not paid", By: 3},
			says:    said{Account: "tax", Month: "2026-11", Reference: "000418", Reason: "it was not paid"},
			matters: []string{"Account", "Month", "Reference", "Reason"}, by: true,
		},
		{
			body:    &record.DebitsWithdrawn{File: 2, Reason: "another account", By: 3},
			says:    said{File: 2, Reason: "another account"},
			matters: []string{"File", "Reason", "Answers"}, by: true,
		},
		{
			body:    &record.CreditorNamed{Name: "Keno", Account: "1234", Creditor: "C", Scheme: "B2B", By: 3},
			says:    said{Name: "Keno", Account: "1234", Creditor: "C", Scheme: "B2B"},
			matters: []string{"Name", "Account", "Creditor", "Scheme"}, by: true,
		},
		{
			body: &record.DebitsOrdered{Collect: today, By: 3}, says: said{Collect: today.String()},
			matters: []string{"Collect"}, by: true,
		},
		{
			body:    &record.DebitAnswered{File: 1, Venue: 2, Statement: 3, Cents: 500, Code: "AM04", By: 3},
			says:    said{Answers: []saidAnswer{{File: 1, Venue: 2, Statement: 3, Code: "AM04"}}},
			matters: []string{"Answers"}, by: true,
			others: []record.Body{
				&record.DebitAnswered{File: 9, Venue: 2, Statement: 3, Cents: 500, Code: "AM04", By: 3},
				&record.DebitAnswered{File: 1, Venue: 9, Statement: 3, Cents: 500, Code: "AM04", By: 3},
				&record.DebitAnswered{File: 1, Venue: 2, Statement: 9, Cents: 500, Code: "AM04", By: 3},
				&record.DebitAnswered{File: 1, Venue: 2, Statement: 3, Cents: 500, Paid: true, By: 3},
				&record.DebitAnswered{File: 1, Venue: 2, Statement: 3, Cents: 500, Code: "AM05", By: 3},
				&record.DebitAnswered{File: 1, Venue: 2, Statement: 3, Cents: 500, Code: "AM04", Bank: "B-1", By: 3},
			},
		},
	} {
		name := fmt.Sprintf("%T", x.body)
		c := checkerOfPapers(t)
		row := rowFor(x.body)
		says := func(body record.Body, change func(*approval)) bool {
			content := x.says
			a := &approval{says: &content, by: 3, decider: 4}
			change(a)
			return row.agreed.says(c, body, a)
		}
		if !says(x.body, func(*approval) {}) {
			t.Errorf("%s: it is not what was agreed on", name)
		}
		for _, field := range x.matters {
			if says(x.body, func(a *approval) { alter(reflect.ValueOf(a.says).Elem().FieldByName(field)) }) {
				t.Errorf("%s: another %s was agreed on", name, field)
			}
		}
		if x.by && says(x.body, func(a *approval) { a.by = 9 }) {
			t.Errorf("%s: somebody else has asked", name)
		}
		if x.both && says(x.body, func(a *approval) { a.decider = 9 }) {
			t.Errorf("%s: somebody else has consented", name)
		}
		for _, other := range x.others {
			if says(other, func(*approval) {}) {
				t.Errorf("%s: it is more than was agreed on", name)
			}
		}
		tested = append(tested, row.kind)
	}
	for _, of := range slices.Concat(counterKinds(), stopKinds(), claimKinds(), venueKinds()) {
		if r := of.get(); r.agreed != nil && !slices.Contains(tested, r.kind) {
			t.Errorf("%v is agreed on, and not in this test", r.kind)
		}
	}
}

// checkerOfPapers is one that knows the papers of Victoria, in series 1.
func checkerOfPapers(t *testing.T) *checker {
	t.Helper()
	book, err := library.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{level: record.LevelGuarded}
	c.series[1] = &series{changes: []change{{terms: &terms{rules: &rules{book: book, payout: rulebook.Payout{}}}}}}
	return c
}

// alter changes a value.
func alter(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // The others are in no approval that is tested.
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), v.Len()+1, v.Len()+1))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(v.Uint() + 1)
	default:
		v.SetInt(v.Int() + 1)
	}
}

// TestTwoAtADrawer: nobody moves or counts the cash of a drawer with somebody whose hand was that person's within
// the day before.
func TestTwoAtADrawer(t *testing.T) {
	for _, two := range []bool{true, false} {
		for _, body := range []record.Body{&record.BankMoved{By: 3, With: 4}, &record.BankCounted{By: 3, With: 4}} {
			c := &checker{level: record.LevelGuarded}
			if !two {
				c.people.grips = []grip{{by: 3, of: 4}}
			}
			if err := rowFor(body).two(c, body); (err == nil) != two {
				t.Errorf("%T by two persons, who are two %v: %v", body, two, err)
			}
		}
	}
}
