package engine_test

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// ownMoney is an act that moves money of a venue or of the State: a good one for an amount, the most that it can
// move, and what it is refused with where a venue has no agreement.
type ownMoney struct {
	act    func(venue uint32, cents int64) command.Act
	most   int64
	owed   func() int64 // most, where it is what the acts before have brought
	before refusal.Code // of venue 2, which has no agreement; empty for money of the State
	series bool         // the money is of one series
	bound  bool         // the amount must be that of the debit
	back   refusal.Code // of an act that takes back what another act has done, once: what it says a second time
}

// ownMoneyRows returns the acts that say whose money is moved, a venue's or that of an account of the State, and how
// much: in their fields, in the lines of a list, or by the reference of what they take back.
func ownMoneyRows() (names []string) {
	var says func(t reflect.Type) (whose, cents bool)
	says = func(t reflect.Type) (whose, cents bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			switch f.Name {
			case "Venue", "Account":
				whose = true
			case "Cents":
				cents = true
			}
			if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
				if of, much := says(f.Type.Elem()); of && much {
					return true, true
				}
			}
		}
		return whose, cents
	}
	for _, row := range command.Rows() {
		whose, cents := says(row.New().Type().Elem())
		if row.Two != "" && whose && (cents || strings.HasPrefix(row.Name, "reverse-")) {
			names = append(names, row.Name)
		}
	}
	return names
}

// TestMoneyOfVenuesAndState holds every act that moves money of a venue or of the State against what nobody may do
// with it: for a venue without an agreement or that does not exist, with a wrong amount, by or with the consent of a
// senior of another venue, in another series, and twice by one consent.
func TestMoneyOfVenuesAndState(t *testing.T) {
	q := ownMoneyHouse(t)
	s := q.Engine.State()
	debit := s.UnpaidBills(1)[0]
	list := map[string]ownMoney{
		"carry-cash": {act: func(venue uint32, cents int64) command.Act {
			return command.CarryCash{Venue: venue, Move: "banked", Cents: cents, Reference: "slip 2"}
		}, most: s.Balances().OfUnit(ledger.Safe, 1).Cents(), before: counter.NoAgreement},
		"receive-remittance": {act: func(venue uint32, cents int64) command.Act {
			return command.ReceiveRemittance{Venue: venue, Cents: cents, Reference: "transfer 1"}
		}, most: counter.MaxMoved.Cents(), before: counter.NoAgreement},
		"pay-venue": {act: func(venue uint32, cents int64) command.Act {
			return command.PayVenue{Venue: venue, Cents: cents, Reference: "transfer 2"}
		}, owed: func() int64 { return min(counter.MaxMoved, -s.VenueOwes(1)).Cents() }, before: counter.NoAgreement},
		"take-in-answer": {act: func(venue uint32, cents int64) command.Act {
			return command.TakeInAnswer{Answers: []command.DebitAnswer{{File: debit.File, Venue: venue, Statement: debit.Number,
				Paid: true, Cents: cents}}}
		}, most: debit.Asked.Cents(), before: counter.DebitUnknown, bound: true},
		"make-remittance": {act: func(_ uint32, cents int64) command.Act {
			return command.MakeRemittance{Account: "treasurer", Cents: cents, Paid: "2026-11-15", Reference: "000418"}
		}, most: -s.Balances().Of(ledger.Treasurer).Cents(), series: true},
		"reverse-venue-payment": {act: func(venue uint32, _ int64) command.Act {
			return command.ReverseVenuePayment{Venue: venue, Reference: "transfer 1", Reason: "of another venue"}
		}, before: counter.NoAgreement, back: counter.PaymentUnknown},
		"reverse-remittance": {act: func(uint32, int64) command.Act {
			return command.ReverseRemittance{Account: "treasurer", Reference: "000418", Reason: "the bank did not pay"}
		}, series: true, back: counter.PaymentUnknown},
	}
	names := ownMoneyRows()
	for name := range list {
		if !slices.Contains(names, name) {
			t.Errorf("%s moves no money of a venue or of the State", name)
		}
	}
	for _, name := range names {
		of, ok := list[name]
		if !ok {
			t.Errorf("%s moves money of a venue or of the State: say here with what it is refused", name)
			continue
		}
		if of.owed != nil {
			of.most = of.owed()
		}
		if of.most < 2 && of.back == "" {
			t.Fatalf("%s can move %d cents", name, of.most)
		}
		q.refuses(name, of)
	}
	report, err := q.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

// ownMoneyHouse is a house in which venue 1 has an agreement, a safe, and a statement that a bank is to collect, and in
// which the Treasurer is owed a prize that nobody has fetched. The second series has had nothing of it.
func ownMoneyHouse(t *testing.T) *quarter {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	need(t, err)
	date := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	need(t, err)
	q := &quarter{Core: core, t: t}
	for i := range q.people {
		q.people[i] = q.add(state.Grant{Role: record.RoleSupervisor})
	}
	q.agree(command.BeginSeries{Name: "evening", Rulebook: book.Hash().String(), Schedule: book.Schedules()[0].ID(),
		Interval: 180, Reference: "decision 5"})
	q.agree(command.AgreeVenue{Venue: 1, FromDay: date.String(), SalesRate: 700, WeekEnds: 0, DaysToPay: 9, Mandate: "M-1",
		Account: "DE89370400440532013000", Signed: "2026-09-01"})
	q.agree(command.NameCreditor{Name: "Keno Pty Ltd", Account: "DE02120300000000202051", Creditor: "DE98ZZZ09999999999"})
	q.agree(command.CarryCash{Venue: 1, Move: "brought", Cents: 50_00, Reference: "slip 1"})
	need(t, core.OpenDay(date))
	need(t, core.OpenGame())
	for _, number := range []int{1, 80} { // Number 1 is drawn, and nobody fetches the prize.
		_, err := q.sell(1, number, 10)
		need(t, err)
	}
	need(t, core.CloseGame())
	need(t, core.Draw(1, []int{1}))
	need(t, core.CloseDay())
	later := date + 300
	core.SetClock(cases.Noon(later))
	need(t, core.OpenDay(later))
	q.agree(command.OrderDebits{Collect: (later + 1).String()})
	return q
}

// add brings a person in and returns the number.
func (q *quarter) add(grant state.Grant) uint32 {
	q.t.Helper()
	id := q.Engine.State().People().NextPerson()
	need(q.t, q.Staff(staff.AddPerson{Details: record.Hash{byte(id)}, Grants: []state.Grant{grant}}))
	return id
}

// refuses tries everything that nobody may do with an act, and then does it once, for as much as it can move.
func (q *quarter) refuses(name string, of ownMoney) {
	q.t.Helper()
	now := q.Engine.State().Now()
	ask := func(series uint8, by uint32, act command.Act) (uint32, error) {
		return q.Engine.Ask(now, command.As(series, by), act)
	}
	refused := func(what string, err error, code refusal.Code) {
		q.t.Helper()
		found, ok := errors.AsType[*refusal.Refusal](err)
		if !ok || code != "" && found.Code != code {
			q.t.Errorf("%s %s: %v, and %q is right", name, what, err, code)
		}
	}
	first := q.people[0]
	for what, cents := range map[string]int64{"of nothing": 0, "below zero": -1, "of a cent too much": of.most + 1} {
		if of.bound && cents == 0 || of.back != "" {
			continue // An answer that names no amount is about the whole debit, and a reversal about the whole payment.
		}
		_, err := ask(1, first, of.act(1, cents))
		refused(what, err, "")
	}
	if of.bound {
		_, err := ask(1, first, of.act(1, of.most-1))
		refused("of a cent too little", err, counter.AmountWrong)
	}
	if of.before != "" {
		_, err := ask(1, first, of.act(2, 1))
		refused("of a venue without an agreement", err, of.before)
		_, err = ask(1, first, of.act(99, 1))
		refused("of a venue that there is not", err, "")
	}
	if of.series {
		_, err := ask(2, first, of.act(1, 1))
		refused("in another series", err, cmp.Or(of.back, counter.RemittanceTooMuch))
	}
	elsewhere := q.add(state.Grant{Role: record.RoleSenior, Venue: 2})
	act := of.act(1, of.most)
	_, err := ask(1, elsewhere, act)
	refused("by a senior of another venue", err, "")
	number, err := ask(1, first, act)
	if err != nil {
		q.t.Errorf("%s: %v", name, err)
		return
	}
	content := command.Content(1, act)
	refused("with the consent of a senior of another venue",
		q.Staff(staff.Consent{By: elsewhere, Approval: number, Content: content, Granted: true}), "")
	refused("with the own consent",
		q.Staff(staff.Consent{By: first, Approval: number, Content: content, Granted: true}), "")
	_, err = q.Engine.Operate(now, command.As(1, first), number)
	refused("without a consent", err, "")
	second := q.people[1]
	if cash, ok := act.(command.CarryCash); ok {
		second = q.senior(cash.Venue)
	}
	need(q.t, q.Staff(staff.Consent{By: second, Approval: number, Content: content, Granted: true}))
	_, err = q.Engine.Operate(now, command.As(2, first), number)
	refused("in another series than that of the consent", err, "")
	if _, err = q.Engine.Operate(now, command.As(1, first), number); err != nil {
		q.t.Errorf("%s: %v", name, err)
		return
	}
	_, err = q.Engine.Operate(now, command.As(1, first), number)
	refused("twice by one consent", err, "")
	if of.back != "" {
		_, err = ask(1, first, act)
		refused("a second time", err, of.back)
	}
}
