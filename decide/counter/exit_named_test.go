package counter_test

import (
	"reflect"
	"testing"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// elsewhere are the kinds that name a place and whose cash is asked about by something else
// than that place.
var elsewhere = map[record.Kind]string{
	record.KindClaimPaid:            "names its form by number: verify.TestStopsReachEveryWay",
	record.KindVenuePaymentReversed: "names a payment of a venue, which no stop holds back: verify.TestLyingAboutVenuePayments",
	record.KindRemittanceReversed:   "names a payment to the State, which no stop holds back: verify.TestLyingAboutVenuePayments",
	record.KindChequeHanded:         "names the promise, which has the tickets: verify.TestChequeOfAFrozenTicket",
}

// TestNamingAStoppedTicket makes a record of every kind that names a place, has it name a
// ticket on which payment is stopped, and take cash out of the house: the guard refuses it.
func TestNamingAStoppedTicket(t *testing.T) {
	var ticket record.Place
	core := frozenHouse(t, &ticket)
	asked := 0
	for _, kind := range record.Kinds() {
		for tender := record.TenderKind(1); tender <= record.TenderWithheld; tender++ {
			body := record.Empty(kind)
			tenders := false
			if !nameTicket(reflect.ValueOf(body).Elem(), ticket, tender, &tenders) || elsewhere[kind] != "" {
				break
			}
			asked++
			// Of the tenders at the end of a session, those with a paper or a card take its money.
			if tenders && tender != record.TenderInstrument && tender != record.TenderCard && tender != record.TenderWithheld {
				continue
			}
			r := record.Record{Body: body, Postings: []ledger.Posting{ledger.Credit(ledger.Cash, 1, 100)}}
			if counter.CheckExit(core.Engine.State(), r) == nil {
				t.Errorf("a record of the kind %v with tender %d names a stopped ticket and takes cash out", kind, tender)
			}
			if !tenders {
				break
			}
		}
	}
	if asked < 10 {
		t.Errorf("%d records name a ticket", asked)
	}
}

// frozenHouse returns a house with a ticket on which payment is stopped.
func frozenHouse(t *testing.T, ticket *record.Place) *cases.Core {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC), Seed: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	*ticket = record.Place{Volume: 1, Seq: 1}
	if err := core.Does(command.FreezePayment{Places: []record.Place{*ticket}, Reason: "a complaint"}); err != nil {
		t.Fatal(err)
	}
	return core
}

// nameTicket sets every place in a value, and reports whether there is one. A list gets one item.
func nameTicket(v reflect.Value, place record.Place, tender record.TenderKind, tenders *bool) (named bool) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Struct {
			return false
		}
		item := reflect.New(v.Type().Elem()).Elem()
		if !nameTicket(item, place, tender, tenders) {
			return false
		}
		v.Set(reflect.Append(v, item))
		return true
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[record.Place]() {
			v.Set(reflect.ValueOf(place))
			return true
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && nameTicket(v.Field(i), place, tender, tenders) {
				named = true
			}
		}
		if s, ok := v.Addr().Interface().(*record.Settlement); ok {
			s.Kind, s.Cents, *tenders = tender, 100, true
		}
	}
	return named
}
