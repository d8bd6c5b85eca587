package engine_test

import (
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestVenueFees lets a venue have a commission on the fees of its bingo room: three players enter, one entry is undone,
// the session ends early, and one player has fetched the fee when the week is over. The other's fee still counts.
func TestVenueFees(t *testing.T) {
	date := day.MustParse("2026-11-15") // a Sunday
	room, err := cases.NewRoom(t.Name(), cases.Noon(date))
	need(t, err)
	q := &quarter{Core: room.Core, t: t}
	for i := range q.people {
		q.people[i] = room.Engine.State().People().NextPerson()
		need(t, room.Staff(staff.AddPerson{Details: record.Hash{byte(i + 1)},
			Grants: []state.Grant{{Role: record.RoleSupervisor}}}))
	}
	q.agree(command.AgreeVenue{Venue: 1, FromDay: date.String(), FeesRate: 733, WeekEnds: 0, TaxRate: 1000,
		TaxRounding: "ceil"})
	need(t, room.OpenDay(date))
	need(t, room.AddCards("K7", 6, 101, 10, 2))
	_, err = room.Set(record.SessionSet{Day: date, FeeCents: 10_01, BooksMax: 3, Series: []string{"K7"},
		Games: []record.BingoPlan{{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 5_00}}}}})
	need(t, err)
	for i, member := range []string{"M1", "M2", "M3"} {
		need(t, room.Join(member))
		_, err := room.Enter(member, "K7", uint32(101+i), uint32(101+i), 0)
		need(t, err)
	}
	player := func(n uint32) command.OfPlayer {
		return command.OfPlayer{InSession: command.During(room.Ref()), Player: n}
	}
	need(t, room.Do(command.UndoEntry{OfPlayer: player(3), Reason: "sold by mistake"}, cases.Supervisor))
	need(t, room.Do(command.SignClosure{InSession: command.During(room.Ref()), At: cases.Noon(date).Add(30 * time.Minute)},
		cases.Supervisor))
	room.SetClock(cases.Noon(date).Add(31 * time.Minute))
	need(t, room.Do(command.CloseSession{InSession: command.During(room.Ref())}, cases.Supervisor))
	need(t, room.Do(command.PayRefund{OfPlayer: player(1)}, cases.Dealer))
	need(t, room.CloseDay())
	room.SetClock(cases.Noon(date + 1))
	need(t, room.OpenDay(date+1))
	m, _ := room.Engine.State().VenueMoney(1)
	// The statement is made on the day after, and is due then at the earliest. 7.33 percent of 10.01 are 0.733733, and
	// ten percent of 0.73 are 0.073, rounded up.
	want := record.VenueStated{Venue: 1, Number: 1, From: date, To: date, Due: date + 1, FeesCents: 30_03,
		FeesBackCents: 20_02, TakingsCents: 10_01, CommissionCents: 73, TaxCents: 8, ClosingCents: 9_20}
	if m.Last != want {
		t.Errorf("the statement is\n%+v, and\n%+v is right", m.Last, want)
	}
	report, err := room.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

// TestSeniorSignsForCash: cash of a venue takes a senior of that venue beside the person who asks. Nobody of the
// central site and no senior of another venue signs for that cash, and the record names both persons.
func TestSeniorSignsForCash(t *testing.T) {
	date := day.MustParse("2026-11-15")
	room, err := cases.NewRoom(t.Name(), cases.Noon(date))
	need(t, err)
	q := &quarter{Core: room.Core, t: t}
	people := room.Engine.State().People
	add := func(grant state.Grant) uint32 {
		id := people().NextPerson()
		need(t, room.Staff(staff.AddPerson{Details: record.Hash{byte(id)}, Grants: []state.Grant{grant}}))
		return id
	}
	for i := range q.people {
		q.people[i] = add(state.Grant{Role: record.RoleSupervisor})
	}
	elsewhere := add(state.Grant{Role: record.RoleSenior, Venue: 2})
	writer := add(state.Grant{Role: record.RoleWriter, Venue: 1})
	here := add(state.Grant{Role: record.RoleSenior, Venue: 1})
	act := command.CarryCash{Venue: 1, Move: "brought", Cents: 100, Reference: "slip 1"}
	number, err := room.Engine.Ask(room.Engine.State().Now(), command.As(1, q.people[0]), act)
	need(t, err)
	consent := func(by uint32) error {
		return room.Staff(staff.Consent{By: by, Approval: number, Content: command.Content(1, act), Granted: true})
	}
	for _, by := range []uint32{q.people[0], q.people[1], elsewhere, writer} {
		if err := consent(by); err == nil {
			t.Errorf("person %d signs for the cash of venue 1", by)
		}
	}
	need(t, consent(here))
	_, err = room.Engine.Operate(room.Engine.State().Now(), command.As(1, q.people[0]), number)
	need(t, err)
	need(t, room.Take())
	last, err := record.Decode(room.Records[len(room.Records)-1])
	need(t, err)
	if b, ok := last.Body.(*record.CashCarried); !ok || b.By != q.people[0] || b.With != here {
		t.Errorf("the record is %+v", last.Body)
	}
	report, err := room.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}
