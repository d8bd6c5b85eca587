package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
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

// quarter is a house with a venue whose money is settled week by week.
type quarter struct {
	*cases.Core
	t      *testing.T
	people [2]uint32
	ticket int
}

// agree has two persons agree on an act.
func (q *quarter) agree(act command.Act) {
	q.t.Helper()
	if err := q.try(act); err != nil {
		q.t.Fatalf("%s: %v", act.Words(), err)
	}
}

func (q *quarter) try(act command.Act) error {
	now := q.Engine.State().Now()
	number, err := q.Engine.Ask(now, command.As(1, q.people[0]), act)
	if err != nil {
		return err
	}
	by := q.people[1]
	if cash, ok := act.(command.CarryCash); ok {
		by = q.senior(cash.Venue)
	}
	consent := staff.Consent{By: by, Approval: number, Content: command.Content(1, act), Granted: true}
	if err := q.Staff(consent); err != nil {
		return err
	}
	_, err = q.Engine.Operate(now, command.As(1, q.people[0]), number)
	return err
}

// senior returns a senior of a venue.
func (q *quarter) senior(venue uint32) uint32 {
	q.t.Helper()
	for _, p := range q.Engine.State().People().Persons() {
		if p.Has(record.RoleSenior, venue) {
			return p.ID
		}
	}
	q.t.Fatalf("venue %d has no senior", venue)
	return 0
}

// sell sells a ticket on one number, for so many dollars, at a terminal.
func (q *quarter) sell(terminal uint32, number, dollars int) (cases.Ticket, error) {
	q.ticket++
	return q.Sell(cases.Order{Terminal: terminal, Method: rulebook.MethodForm, Form: cases.Complete("vic-keno-2015",
		fmt.Sprintf(`{"first":"open","games":1,"bets":[{"bet":"classic","spots":[%d],"stake_cents":%d}]}`,
			number, dollars*100))})
}

// week is what a week of the quarter comes to, worked out by hand in the test.
type week struct{ sold, paid, takings, commission, tax, madeUp, closing money.Amount }

// TestVenueQuarter plays a venue through thirteen weeks: it sells, pays prizes, and pays its statements by direct
// debit. A debit of the seventh week is returned: the house stops sale at the venue, until a remittance comes. In the
// tenth week the venue banks cash, and in the eleventh nobody pays until the time is over. Every statement is worked
// out here a second time, to the cent, and verify goes through the journal.
func TestVenueQuarter(t *testing.T) {
	book, err := rules.Book("vic-keno-2015")
	need(t, err)
	date := day.MustParse("2026-10-05") // a Monday
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	need(t, err)
	q := &quarter{Core: core, t: t}
	for i := range q.people {
		q.people[i] = core.Engine.State().People().NextPerson()
		need(t, core.Staff(staff.AddPerson{Details: record.Hash{byte(i + 1)},
			Grants: []state.Grant{{Role: record.RoleSupervisor}}}))
	}
	q.agree(command.AgreeVenue{Venue: 1, FromDay: date.String(), SalesRate: 733, PrizesRate: 111, LeastCents: 20_00,
		TaxRate: 1000, TaxRounding: "half-up", FloorCents: 10_00, WeekEnds: 0, DaysToPay: 3, Stops: true,
		Mandate: "M-1", Account: "DE89370400440532013000", Signed: "2026-09-01"})
	q.agree(command.CarryCash{Venue: 1, Move: "brought", Cents: 1000_00, Reference: "opening"})
	q.agree(command.NameCreditor{Name: "Keno Pty Ltd", Account: "DE02120300000000202051", Creditor: "DE98ZZZ09999999999",
		Scheme: "B2B"})

	owes := func() money.Amount { return core.Engine.State().VenueOwes(1) }
	var weeks []week
	var opening money.Amount // owed after the statement before
	var received money.Amount
	ordinal, stopped := uint32(0), 0
	for w := range 13 {
		var done week
		for d := range 7 {
			today := date + day.Day(7*w+d)
			core.SetClock(cases.Noon(today))
			need(t, core.OpenDay(today))
			if w > 0 && d == 0 {
				last := weeks[len(weeks)-1]
				m, _ := core.Engine.State().VenueMoney(1)
				want := record.VenueStated{Venue: 1, Number: uint32(w), From: today - 7, To: today - 1, Due: today + 2,
					SoldCents: last.sold, PrizesCents: last.paid, TakingsCents: last.takings, CommissionCents: last.commission,
					TaxCents: last.tax, FloorCents: last.madeUp,
					OpeningCents: opening, ReceivedCents: received, ClosingCents: last.closing}
				if m.Last != want {
					t.Fatalf("the statement is\n%+v, and\n%+v is right", m.Last, want)
				}
				opening, received = last.closing, 0
			}
			stops := w == 6 && d == 2 || w == 10 && d > 2
			need(t, core.OpenGame())
			ordinal++
			// Number 1 is drawn on every day, and number 80 never.
			stakes := []int{3 + (w+2)%5, 12 + d}
			var winner cases.Ticket
			sold := true
			for i, number := range []int{1, 80} {
				ticket, err := q.sell(1, number, stakes[i])
				if refused, ok := errors.AsType[*refusal.Refusal](err); stops && ok && refused.Code == counter.VenueUnpaid {
					sold, stopped = false, stopped+1
					continue
				}
				need(t, err)
				if stops {
					t.Fatalf("week %d, day %d: the venue sells", w, d)
				}
				if i == 0 {
					winner = ticket
				}
				done.sold += money.Amount(stakes[i]) * 100
			}
			if _, err := q.sell(3, 80, 1); err != nil {
				t.Fatalf("another venue does not sell: %v", err)
			}
			need(t, core.CloseGame())
			need(t, core.Draw(ordinal, []int{1}))
			if sold {
				paid, err := core.Pay(1, winner)
				need(t, err)
				if paid != money.Amount(stakes[0])*300 {
					t.Fatalf("the ticket is paid %v", paid)
				}
				done.paid += paid
			}
			before := owes()
			q.settle(w, d, today)
			received += before - owes()
			need(t, core.CloseDay())
		}
		done.takings = done.sold - done.paid
		done.commission = max(done.sold*733/10_000+done.paid*111/10_000, 20_00)
		done.tax = (done.commission + 5) / 10
		done.madeUp = max(0, 10_00-(done.takings-done.commission-done.tax))
		done.closing = owes() + done.takings - done.commission - done.tax + done.madeUp
		weeks = append(weeks, done)
		if holds := core.Engine.State().VenueHolds(1); holds != done.takings {
			t.Fatalf("week %d: the venue holds %v of the operator, and took %v", w, holds, done.takings)
		}
	}
	if holds := core.Engine.State().Balances().OfUnit(ledger.Safe, 1); holds != 960_00 {
		t.Errorf("the safe has %v", holds)
	}
	if stopped != 2*5 { // One day of the seventh week, four of the eleventh, and two tickets on each.
		t.Errorf("%d sales were refused", stopped)
	}
	report, err := core.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

// settle does what is done about the money of the venue on a day.
func (q *quarter) settle(w, d int, today day.Day) {
	s := q.Engine.State()
	switch {
	case w == 9 && d == 0: // It banks a part of what it owes, and the debit collects the rest.
		q.agree(command.CarryCash{Venue: 1, Move: "banked", Cents: 40_00, Reference: "slip 1"})
		if err := q.try(command.CarryCash{Venue: 1, Move: "taken", Cents: 960_01, Reference: "slip 2"}); !refusedAs(err, counter.SafeShort) {
			q.t.Errorf("a cent more than the safe has: %v", err)
		}
	case w == 10 && d < 6: // Nobody collects.
		if _, missed := s.Missed(1); missed != (d > 2) {
			q.t.Errorf("week %d, day %d: missed is %v", w, d, missed)
		}
	case w == 10:
		q.agree(command.ReceiveRemittance{Venue: 1, Cents: s.VenueOwes(1).Cents(), Reference: "transfer 2"})
	case w == 6 && d == 2:
		q.agree(command.ReceiveRemittance{Venue: 1, Cents: s.VenueOwes(1).Cents(), Reference: "transfer 1"})
	case w > 0 && (d == 0 && w != 9 || w == 9 && d == 1) && s.VenueOwes(1) > 0:
		q.agree(command.OrderDebits{Collect: (today + 1).String()})
	case w > 0 && (d == 1 && w != 9 || w == 9 && d == 2) && len(s.UnpaidBills(1)) > 0:
		u := s.UnpaidBills(1)[0]
		answer := command.DebitAnswer{File: u.File, Venue: 1, Statement: u.Number, Paid: w != 6, Cents: u.Left.Cents()}
		if w == 6 {
			answer.Code = "AM04"
		}
		act := command.TakeInAnswer{Answers: []command.DebitAnswer{answer}}
		q.agree(act)
		if err := q.try(act); !refusedAs(err, counter.DebitAnsweredBy) {
			q.t.Errorf("an answer twice: %v", err)
		}
		answer.Cents++
		if err := q.try(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}}); !refusedAs(err, counter.AmountWrong) {
			q.t.Errorf("an answer about a cent more: %v", err)
		}
		answer.File += 99
		if err := q.try(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}}); !refusedAs(err, counter.DebitUnknown) {
			q.t.Errorf("an answer about another debit: %v", err)
		}
	}
}

func refusedAs(err error, code refusal.Code) bool {
	refused, ok := errors.AsType[*refusal.Refusal](err)
	return ok && refused.Code == code
}

// TestPaymentsOfVenue: what a reversal leaves is what stood before the payment, to the cent: what is owed, of which
// statements, and whether the venue sells. A debit that is under way keeps a venue on sale, unless one was returned. Who
// consents to a file of debits is told what it collects.
func TestPaymentsOfVenue(t *testing.T) {
	q, date := paidHouse(t)
	s := q.Engine.State()
	owes := s.VenueOwes(1)
	before := s.UnpaidBills(1)
	if len(before) != 2 || owes != 27_90 || before[0].Left != 18_60 || before[1].Left != 9_30 {
		t.Fatalf("the venue owes %v: %+v", owes, before)
	}
	refused := func(what string, act command.Act, code refusal.Code) {
		t.Helper()
		if err := q.try(act); !refusedAs(err, code) {
			t.Errorf("%s: %v, and %s is right", what, err, code)
		}
	}
	sells := func(when string, want bool) {
		t.Helper()
		if _, err := q.sell(1, 80, 1); (err == nil) != want || err != nil && !refusedAs(err, counter.VenueUnpaid) {
			t.Errorf("%s: a sale is answered %v", when, err)
		}
	}
	// The first statement was due on the day before, and the second is due today.
	sells("a payment is missed", false)
	for i, cents := range []int64{1, 18_59, 18_60, 18_61, 27_89, 27_90, 27_91, 100_00} {
		reference := fmt.Sprintf("transfer %d", i)
		q.agree(command.ReceiveRemittance{Venue: 1, Cents: cents, Reference: reference})
		sells(reference, cents >= 18_60)
		refused("a payment twice", command.ReceiveRemittance{Venue: 1, Cents: 1, Reference: reference}, counter.ReferenceTaken)
		credit := max(0, cents-27_90)
		if credit > 0 {
			refused("a cent too much", command.PayVenue{Venue: 1, Cents: credit + 1, Reference: "out"}, counter.PaidTooMuch)
			q.agree(command.PayVenue{Venue: 1, Cents: credit, Reference: "out"})
		}
		refused("a cent that is not owed", command.PayVenue{Venue: 1, Cents: 1, Reference: "more"}, counter.PaidTooMuch)
		q.agree(command.ReverseVenuePayment{Venue: 1, Reference: reference, Reason: "of another venue"})
		refused("a reversal twice", command.ReverseVenuePayment{Venue: 1, Reference: reference, Reason: "again"}, counter.PaymentUnknown)
		if left := s.UnpaidBills(1); len(left) != 2 || left[0].Left != 18_60+money.Amount(credit) || left[1].Left != 9_30 {
			t.Errorf("%d cents were paid and taken back: %+v", cents, left)
		}
		if credit > 0 {
			q.agree(command.ReverseVenuePayment{Venue: 1, Reference: "out", Reason: "the bank did not pay"})
		}
		if s.VenueOwes(1) != owes || !slices.Equal(s.UnpaidBills(1), before) {
			t.Errorf("%d cents were paid and taken back: the venue owes %v, %+v", cents, s.VenueOwes(1), s.UnpaidBills(1))
		}
	}
	sells("everything is taken back", false)

	for ahead, code := range map[day.Day]refusal.Code{-1: counter.CollectDay, 0: counter.CollectDay, 15: counter.CollectDay} {
		refused(fmt.Sprintf("collected %d days ahead", ahead), command.OrderDebits{Collect: (date + ahead).String()}, code)
	}
	order := command.OrderDebits{Collect: (date + 14).String()}
	number, err := q.Engine.Ask(s.Now(), command.As(1, q.people[0]), order)
	need(t, err)
	asked, _ := s.People().Approval(number)
	p, err := q.Engine.Foresee(s.Now(), command.As(1, q.people[0]), asked.ApprovalRequested)
	need(t, err)
	if told := strings.Join(p.Effects, "\n"); !strings.Contains(told, "File 1 collects $27.90 in all, by 2 direct debits, on "+order.Collect) ||
		!strings.Contains(told, "$18.60 of venue 1, ") || !strings.Contains(told, "$9.30 of venue 1, ") {
		t.Errorf("who consents is told %s", told)
	}
	q.agree(order)
	sells("a debit is under way", true)
	q.agree(command.WithdrawDebits{File: 1, Reason: "another account"})
	sells("the file was withdrawn today", true)
	q.agree(command.OrderDebits{Collect: (date + 1).String()})
	answer := command.DebitAnswer{File: 2, Venue: 1, Statement: 1, Code: "AM04", Bank: "B-1"}
	q.agree(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}})
	sells("a debit was returned", false)
	q.agree(command.OrderDebits{Collect: (date + 1).String()})
	sells("it is collected again", false)
	answer = command.DebitAnswer{File: 3, Venue: 1, Statement: 1, Paid: true, Bank: "B-2"}
	q.agree(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}})
	sells("it was paid", true)
	report, err := q.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

// paidHouse is a house in which venue 1 has two statements that it has not paid, of 18.60 and 9.30, on the day after the
// second.
func paidHouse(t *testing.T) (*quarter, day.Day) {
	t.Helper()
	book, err := rules.Book("vic-keno-2015")
	need(t, err)
	date := day.MustParse("2026-11-15") // a Sunday
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	need(t, err)
	q := &quarter{Core: core, t: t}
	for i := range q.people {
		q.people[i] = q.add(state.Grant{Role: record.RoleSupervisor})
	}
	q.agree(command.AgreeVenue{Venue: 1, FromDay: date.String(), SalesRate: 700, WeekEnds: 0, DaysToPay: 0, Stops: true,
		Mandate: "M-1", Account: "DE89370400440532013000", Signed: "2026-09-01"})
	q.agree(command.NameCreditor{Name: "Keno Pty Ltd", Account: "DE02120300000000202051", Creditor: "DE98ZZZ09999999999"})
	for i, dollars := range []int{20, 10} {
		today := date + day.Day(7*i)
		core.SetClock(cases.Noon(today))
		need(t, core.OpenDay(today))
		need(t, core.OpenGame())
		_, err := q.sell(1, 80, dollars)
		need(t, err)
		need(t, core.CloseGame())
		need(t, core.Draw(uint32(i+1), []int{1}))
		need(t, core.CloseDay())
	}
	date += 8
	core.SetClock(cases.Noon(date))
	need(t, core.OpenDay(date))
	need(t, core.OpenGame())
	return q, date
}
