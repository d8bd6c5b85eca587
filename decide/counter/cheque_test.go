package counter_test

import (
	"errors"
	"slices"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

func codeOf(err error) refusal.Code {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// chequeHouse is a house in which a ticket has won 440 dollars, at noon of a day.
func chequeHouse(t *testing.T, date day.Day) (*cases.Core, cases.Ticket) {
	t.Helper()
	book, err := rules.Book("tas-keno-2023")
	must(t, err)
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	must(t, err)
	must(t, errors.Join(core.OpenDay(date), core.OpenGame()))
	form := cases.Complete(book.ID(), `{"bets":[{"bet":"standard","spots":[1,2,3],"stake_cents":1000}]}`)
	ticket, err := core.Sell(cases.Order{Terminal: 1, Method: rulebook.MethodForm, Form: form})
	must(t, err)
	numbers := make([]int, 20)
	for i := range numbers {
		numbers[i] = i + 1
	}
	must(t, errors.Join(core.TurnGame(), core.Draw(ticket.Ordinal, numbers)))
	return core, ticket
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// personWith returns somebody who has a role at a venue, and 0 if nobody has.
func personWith(core *cases.Core, role record.Role, venue uint32) uint32 {
	for _, p := range core.Engine.State().People().Persons() {
		if p.Has(role, venue) {
			return p.ID
		}
	}
	return 0
}

// TestChequeIsPromisedAndHanded: who is paid by cheque the day before Christmas is told until
// when it will be there, by the calendar that the operator keeps. A calendar that is changed
// afterwards changes no promise. Somebody of the venue hands the cheque over, once.
func TestChequeIsPromisedAndHanded(t *testing.T) {
	eve := day.MustParse("2026-12-24")
	core, ticket := chequeHouse(t, eve)
	s, now := core.Engine.State(), record.Of(cases.Noon(eve))
	for _, grant := range []state.Grant{{Role: record.RoleOperative}, {Role: record.RoleInspector},
		{Role: record.RoleWriter, Venue: 1}} {
		must(t, core.Staff(staff.AddPerson{Details: record.Hash{1}, Grants: []state.Grant{grant}}))
	}
	central, inspector, writer := personWith(core, record.RoleOperative, 0), personWith(core, record.RoleInspector, 0),
		personWith(core, record.RoleWriter, 1)
	name := func(days []day.Day, by uint32) error {
		var named command.NameHolidays
		for _, d := range days {
			named.Days = append(named.Days, d.String())
		}
		return command.Outcome(core.Engine.Do(now, named, command.As(1, by)))
	}
	hand := func(cheque record.Place, by uint32) error {
		return command.Outcome(core.Engine.Do(now, command.HandCheque{Cheque: command.Place(cheque)}, command.As(1, by)))
	}
	days := []day.Day{eve + 4, eve + 1} // Christmas, and the Monday behind it
	for who, refused := range map[string]struct {
		days []day.Day
		by   uint32
		want refusal.Code
	}{
		"a writer":              {days, writer, counter.PartiesMissing},
		"a day twice":           {append(days, eve+1), central, counter.HolidaysWrong},
		"more than a calendar":  {slices.Repeat(days[:1], record.MostHolidays+1), central, counter.HolidaysWrong},
		"what is named already": {nil, central, counter.HolidaysSame},
	} {
		if err := name(refused.days, refused.by); codeOf(err) != refused.want {
			t.Errorf("%s: %v", who, err)
		}
	}
	must(t, name(days, central))
	if got := s.Holidays(); !slices.Equal(got, []day.Day{eve + 1, eve + 4}) {
		t.Errorf("the holidays are %v", got)
	}

	core.NextCustomer(1)
	_, err := core.Pay(1, ticket)
	must(t, err)
	_, err = core.EndCustomer(1, cases.Visit{Pay: []counter.Share{{Means: counter.SiteCheque}}, Payee: true,
		Checked: true})
	must(t, err)
	due := s.Cheques()
	end := record.Of(cases.Noon(eve+6)) - 12*60*60*1000
	if len(due) != 1 || due[0].Cents != 440_00 || due[0].Venue != 1 || due[0].Due != end ||
		!slices.Equal(due[0].Tickets, []record.Place{ticket.Place}) {
		t.Fatalf("due are %+v, and one of $440.00 is until %v", due, end.Time())
	}
	must(t, name(nil, central))
	if again := s.Cheques(); again[0].Due != end {
		t.Errorf("another calendar makes the cheque due at %v", again[0].Due.Time())
	}

	cheque := due[0].Place
	if err := hand(ticket.Place, writer); codeOf(err) != counter.ChequeUnknown {
		t.Errorf("a ticket was handed over as a cheque: %v", err)
	}
	if err := hand(cheque, inspector); codeOf(err) != counter.NotOfVenue {
		t.Errorf("an inspector hands over a cheque: %v", err)
	}
	must(t, hand(cheque, writer))
	if err := hand(cheque, writer); codeOf(err) != counter.ChequeUnknown {
		t.Errorf("a cheque was handed over twice: %v", err)
	}
	must(t, core.Take())
	if report, err := core.Verify(); err != nil || !report.OK() {
		t.Errorf("verify: %v %+v", err, report)
	}
}
