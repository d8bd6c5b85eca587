package staff

import (
	"errors"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// rig is a house of records alone: one series, two venues, three terminals, nobody.
type rig struct {
	t    testing.TB
	s    *state.State
	book *rulebook.Book
	now  record.Time
}

// monday is noon by local clocks (UTC+11) on a Monday.
const monday record.Time = 1_794_790_800_000 // 2026-11-16 01:00 UTC

func newRig(t testing.TB, id string) *rig {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, s: state.New(), book: book, now: monday}
	r.apply(
		&record.VolumeBegun{House: "rig.example", Volume: 1, Level: 1, Reason: record.ReasonFound, HouseKey: "h",
			DeviceKey: "d"},
		&record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical()},
		&record.SeriesBegun{Series: 1, Name: "keno", Rulebook: record.Hash(book.Hash()), Schedule: book.Schedules()[0].ID()},
		&record.VenueAdded{Venue: 1, Kind: "hotel", Name: "Corner Hotel"},
		&record.VenueAdded{Venue: 2, Kind: "club", Name: "River Club"},
		&record.TerminalAdded{Terminal: 1, Venue: 1, Channel: "writer"},
		&record.TerminalAdded{Terminal: 2, Venue: 1, Channel: "sst"},
		&record.TerminalAdded{Terminal: 3, Venue: 2, Channel: "writer"},
		&record.TerminalAdded{Terminal: 4, Venue: 1, Channel: "display"},
		&record.DayOpened{Series: 1, Day: day.MustParse("2026-11-16"), OffsetSeconds: 11 * 3600},
	)
	return r
}

func (r *rig) apply(bodies ...record.Body) {
	r.t.Helper()
	for _, body := range bodies {
		rec := record.Record{Time: r.now, Body: body}
		if err := rec.Check(); err != nil {
			r.t.Fatal(err)
		}
		if err := r.s.Apply(rec); err != nil {
			r.t.Fatal(err)
		}
	}
}

// do decides a command, asks the guards as the engine does, and applies what comes of it.
func (r *rig) do(c Command) error {
	r.t.Helper()
	bodies, err := Decide(r.s, r.now, c)
	if err != nil {
		return err
	}
	for _, body := range bodies {
		if err := r.guard(body); err != nil {
			return err
		}
	}
	r.apply(bodies...)
	return nil
}

// guard asks the guards about a record.
func (r *rig) guard(body record.Body) error {
	for _, ask := range Guards() {
		if err := ask(r.s, record.Record{Time: r.now, Body: body}); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) must(c Command) {
	r.t.Helper()
	if err := r.do(c); err != nil {
		r.t.Fatal(err)
	}
}

// person brings in somebody with a role.
func (r *rig) person(role record.Role, venue uint32) uint32 {
	r.t.Helper()
	id := r.s.People().NextPerson()
	r.must(AddPerson{Details: record.Hash{byte(id)}, Grants: []state.Grant{{Role: role, Venue: venue}}})
	return id
}

// onDuty brings in somebody and puts the person on duty.
func (r *rig) onDuty(role record.Role, venue, terminal uint32) uint32 {
	r.t.Helper()
	id := r.person(role, venue)
	r.must(Begin{Person: id, Grant: state.Grant{Role: role, Venue: venue}, Terminal: terminal})
	return id
}

// openGame puts a game on sale.
func (r *rig) openGame() {
	r.t.Helper()
	r.apply(&record.GameOpened{Game: record.Game{Series: 1, Day: day.MustParse("2026-11-16"), Number: 1}, Ordinal: 1,
		Closes:   r.now + 1000,
		Rulebook: record.Hash(r.book.Hash()), Schedule: r.book.Schedules()[0].ID()})
}

// wantCode looks for a refusal with its clause, or with an empty code for none.
func wantCode(t testing.TB, name string, err error, code refusal.Code, clause string) {
	t.Helper()
	var refused *refusal.Refusal
	switch {
	case code == "" && err == nil:
	case code == "" || !errors.As(err, &refused) || refused.Code != code || refused.Clause != clause:
		t.Errorf("%s: %v; want %q by rule %q", name, err, code, clause)
	}
}
