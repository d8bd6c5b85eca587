package verify

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	library "drawhouse/rulebook/rules"
)

// actingHouse is one house in both implementations: venues 1 and 2, terminal 7 at venue 1, a
// bingo room there, and for every role two persons, the second of which has a venue's role at
// venue 2.
type actingHouse struct {
	c      *checker
	s      *state.State
	people map[uint32]duty
}

func newActingHouse(t *testing.T) *actingHouse {
	t.Helper()
	h := &actingHouse{
		c: &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: record.LevelGuarded,
			now: 1_000_000_000_000, people: newPeople()},
		s: state.New(), people: map[uint32]duty{},
	}
	h.c.venues, h.c.terminals = map[uint32]venue{1: {name: "Harbour Club"}, 2: {name: "River Club"}},
		map[uint32]*terminal{7: {venue: 1}}
	book, err := library.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	opened := &record.HallOpened{Hall: 1, Name: "Room", Venue: 1, Rulebook: record.Hash(book.Hash()),
		By: record.By{Person: 1, Rank: record.RankCasino}}
	h.c.halls.rooms = map[uint8]*hallRoom{1: {opened: opened}}
	h.fold(t, &record.VolumeBegun{House: "acting.example", Volume: 1, Level: record.LevelGuarded,
		Reason: record.ReasonFound, HouseKey: "h", DeviceKey: "d"},
		&record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical()},
		&record.VenueAdded{Venue: 1, Kind: "club", Name: "Harbour Club"},
		&record.VenueAdded{Venue: 2, Kind: "club", Name: "River Club"},
		&record.TerminalAdded{Terminal: 7, Venue: 1, Channel: "writer"})
	id := uint32(0)
	for _, role := range record.Roles() {
		for at := uint32(1); at <= 2; at++ {
			id++
			d := duty{role: role}
			if role.AtVenue() {
				d.venue = at
			}
			h.people[id] = d
			for _, body := range []record.Body{&record.PersonAdded{Person: id, Details: record.Hash{1}},
				&record.RoleGranted{Person: id, Role: role, Venue: d.venue}} {
				h.c.tell(t, body)
				h.fold(t, body)
			}
		}
	}
	h.fold(t, opened)
	return h
}

func (h *actingHouse) fold(t *testing.T, bodies ...record.Body) {
	t.Helper()
	for _, body := range bodies {
		if err := h.s.Apply(record.Record{Time: h.c.now, Body: body}); err != nil {
			t.Fatalf("%T: %v", body, err)
		}
	}
}

// actedBy returns a body of a kind in which a person acts in one of its fields, at venue 1
// and of the person about; and how many such fields there are.
func actedBy(kind record.Kind, field int, actor, about uint32, rank record.Rank) (body record.Body, fields int) {
	body = record.Empty(kind)
	v := reflect.ValueOf(body).Elem()
	for name, number := range map[string]uint64{"Venue": 1, "Hall": 1, "Terminal": 7, "Person": uint64(about)} {
		if f := v.FieldByName(name); f.IsValid() && f.CanUint() {
			f.SetUint(number)
		}
	}
	for _, name := range []string{"Game", "Session", "Offer", "Request"} {
		for inner, number := range map[string]uint64{"Hall": 1, "Terminal": 7} {
			if f := v.FieldByName(name); f.IsValid() && f.Kind() == reflect.Struct && f.FieldByName(inner).IsValid() {
				f.FieldByName(inner).SetUint(number)
			}
		}
	}
	set := []func(){}
	for _, name := range []string{"By", "With", "Recorders", "Deciders"} {
		switch f := v.FieldByName(name); {
		case !f.IsValid(), name == "By" && f.Kind() == reflect.Slice:
		case f.CanUint():
			set = append(set, func() { f.SetUint(uint64(actor)) })
		case f.Type() == reflect.TypeFor[record.By]():
			set = append(set, func() { f.Set(reflect.ValueOf(record.By{Person: actor, Rank: rank})) })
		case f.Kind() == reflect.Array:
			set = append(set, func() { f.Index(1).SetUint(uint64(actor)) })
		case f.Kind() == reflect.Slice:
			set = append(set, func() { f.Set(reflect.ValueOf([]record.Decider{{Person: actor}})) })
		}
	}
	if len(set) == 0 { // Person is who acts.
		set = append(set, func() { v.FieldByName("Person").SetUint(uint64(actor)) })
	}
	set[field%len(set)]()
	return body, len(set)
}

// kindsWithActors returns the kinds of record in which a person acts.
func kindsWithActors() (kinds []record.Kind) {
	for _, kind := range record.Kinds() {
		if body := record.Empty(kind); kind == record.KindShiftBegun || kind == record.KindShiftEnding ||
			kind == record.KindClaimSigned || names(body) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// names reports whether a body has a field for who acts.
func names(body record.Body) bool {
	t := reflect.TypeOf(body).Elem()
	for _, name := range []string{"By", "With", "Recorders", "Deciders"} {
		if f, ok := t.FieldByName(name); ok && !(name == "By" && f.Type.Kind() == reflect.Slice) {
			return true
		}
	}
	return false
}

// TestActingTwice goes through every kind of record in which a person acts: the table of the
// core has a row for it and no others, and every role, at the venue and at another, about
// oneself and about another, in every field and rank, is judged alike by the guards of the
// engine and by this package. What each role may is more than nothing and, but for duty, less
// than everything.
func TestActingTwice(t *testing.T) {
	kinds := kindsWithActors()
	rows := staff.ActingKinds()
	for _, kind := range rows {
		if !slices.Contains(kinds, kind) {
			t.Errorf("nobody acts in %v, and actings of package staff has a row for it", kind)
		}
	}
	for _, kind := range kinds {
		if !slices.Contains(rows, kind) {
			t.Fatalf("somebody acts in %v: actings of package staff must say who may", kind)
		}
	}
	h := newActingHouse(t)
	asked := &record.ApprovalRequested{Approval: 1, Action: "void_undelivered", Content: record.Hash{1},
		Roles: []record.Role{record.RoleSenior, record.RoleSupervisor, record.RoleOperative}, Expires: record.Forever, By: 9}
	for id, d := range h.people {
		if d == (duty{record.RoleWriter, 1}) {
			asked.By = id
		}
	}
	h.c.tell(t, asked)
	h.fold(t, asked)
	const nobody = 77
	for _, kind := range kinds {
		may, mayNot := 0, 0
		for id, d := range h.people {
			for _, about := range []uint32{nobody, id} {
				for _, rank := range []record.Rank{record.RankDealer, record.RankSupervisor, record.RankCasino} {
					fields := 1
					for field := 0; field < fields; field++ {
						var body record.Body
						body, fields = actedBy(kind, field, id, about, rank)
						switch b := body.(type) {
						case *record.ApprovalRequested:
							b.Action = "erase_person"
						case *record.ApprovalDecided:
							b.Approval = 1
						case *record.ApprovalUsed:
							b.Approval = 1
						}
						r := record.Record{Time: h.c.now, Body: body}
						core, second := staff.CheckActing(h.s, r), error(nil)
						for _, actor := range r.Actors() {
							second = errors.Join(second, h.c.checkRole(actor, r))
						}
						if (core == nil) != (second == nil) {
							t.Errorf("%v by a %v in field %d about person %d in rank %v: the engine says %v, and verify %v", kind, d, field,
								about, rank, core, second)
						}
						if core == nil {
							may++
						} else {
							mayNot++
						}
					}
				}
			}
		}
		if open := kind == record.KindShiftBegun || kind == record.KindShiftEnding; may == 0 || open != (mayNot == 0) {
			t.Errorf("%v: %d may and %d may not", kind, may, mayNot)
		}
	}
}

// TestActingRoles: what an auditor has found is refused: each is a fault, and in an older
// journal a finding.
func TestActingRoles(t *testing.T) {
	for name, body := range map[string]record.Body{
		"a supervisor appoints":          &record.RoleGranted{Person: 4, Role: record.RoleAdministrator, By: 2},
		"a writer brings in":             &record.PersonAdded{Person: 9, By: 4},
		"a writer keys a terminal":       &record.TerminalKeyed{Terminal: 7, Key: [32]byte{1}, By: 4},
		"a writer revokes a terminal":    &record.TerminalRevoked{Terminal: 7, Reason: "x", By: 4},
		"a writer locks":                 &record.LockSet{Person: 2, Until: record.Forever, Reason: "x", By: 4},
		"a writer sets a limit":          &record.VenueLimitSet{Venue: 1, Cents: 1, By: 4},
		"a writer freezes":               &record.PaymentFrozen{Reason: "x", By: 4},
		"a writer pauses":                &record.PlayPaused{Series: 1, Reason: "x", By: 4},
		"a writer announces the closure": &record.ClosureAnnounced{Series: 1, At: 1, By: 4},
		"a writer shows a notice":        &record.NoticeShown{Series: 1, Text: "x", By: 4},
		"a writer registers a device": &record.DeviceRegistered{Series: 1, Number: 1, Device: record.DeviceGenerator,
			Maker: "x", Serial: "x", Site: "x", Reference: "x", By: 4},
		"a writer tests a device": &record.DeviceInspected{Number: 1, Part: record.PartDevice, Finding: "x",
			By: 4},
		"a writer checks a draw":             &record.DrawInspected{Revision: 1, Finding: "x", By: 4},
		"a writer names holidays":            &record.HolidaysNamed{By: 4},
		"a writer sets anonymity":            &record.AnonymitySet{By: 4},
		"a writer stops a card":              &record.CardStatusSet{Card: 1, By: 4},
		"a writer as a casino supervisor":    &record.PlayerBarred{By: record.By{Person: 4, Rank: record.RankCasino}},
		"a bank with a writer":               &record.BankMoved{Terminal: 7, By: 4, With: 4},
		"a writer of another venue's bank":   &record.BankCounted{Terminal: 8, By: 4, With: 2},
		"a supervisor erases a payee's name": &record.PayeeErased{By: 2},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			c := crew(t, level)
			c.terminals[8] = &terminal{venue: 5}
			err := c.checkPersons(record.Record{Time: c.now, Body: body})
			if level == record.LevelFirst && (err != nil || c.report.FindingCount == 0) || level == record.LevelGuarded &&
				err == nil {
				t.Errorf("%s at level %d: %v, %d findings", name, level, err, c.report.FindingCount)
			}
		}
	}
}

// TestHouseItself goes through every kind of record that could name who did it: after the
// founding, records that name nobody are refused by the engine and by this package, but for
// those of which nobody is the doer. During the founding, and by a person, none is.
func TestHouseItself(t *testing.T) {
	own := []record.Body{
		&record.DisplayReported{}, &record.PaymentFrozen{}, &record.LinkReleased{}, &record.LinkGiven{},
		&record.HolderErased{}, &record.PayeeErased{},
		&record.LockSet{Until: 1}, &record.PaperReissued{Reason: record.ReissueContinuation},
		&record.ClaimNoted{Note: record.NoteErased},
	}
	more := []record.Body{&record.PaperReissued{Reason: record.ReissueCopy},
		&record.PaperReissued{Reason: record.ReissueDuplicate}, &record.ClaimNoted{Note: record.NoteSent}}
	h := newActingHouse(t)
	judge := func(body record.Body, want bool, when string) {
		t.Helper()
		r := record.Record{Time: h.c.now, Body: body}
		core, second := staff.CheckFounding(h.s, r), h.c.checkFounding(r)
		if (core == nil) != want || (second == nil) != want {
			t.Errorf("%v %s: the engine says %v, and verify %v", r.Kind(), when, core, second)
		}
	}
	kinds := kindsWithActors()
	for _, kind := range kinds {
		judge(record.Empty(kind), true, "during the founding")
	}
	// A founder brings somebody in.
	ends := &record.PersonAdded{Person: 77, Details: record.Hash{1}, By: h.administrator()}
	h.c.tell(t, ends)
	h.fold(t, ends)
	for _, kind := range kinds {
		always := slices.ContainsFunc(own[:6], func(b record.Body) bool { return record.Record{Body: b}.Kind() == kind })
		judge(record.Empty(kind), always, "by nobody after the founding")
		_, fields := actedBy(kind, 0, 1, 2, record.RankCasino)
		for field := range fields {
			body, _ := actedBy(kind, field, 1, 2, record.RankCasino)
			judge(body, true, "by a person")
		}
	}
	for _, body := range own {
		judge(body, true, "by the house itself")
	}
	for _, body := range more {
		judge(body, false, "by nobody")
	}
	for _, kind := range record.Kinds() {
		if !slices.Contains(kinds, kind) {
			judge(record.Empty(kind), true, "which names nobody ever")
		}
	}
}

// administrator returns who administers the house.
func (h *actingHouse) administrator() uint32 {
	for id := uint32(1); ; id++ {
		if h.people[id].role == record.RoleAdministrator {
			return id
		}
	}
}
