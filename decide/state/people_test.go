package state

import (
	"errors"
	"testing"

	"drawhouse/journal/record"
)

// crew are records that put somebody into every part of People, each good after
// those before it.
func crew() []record.Body {
	return []record.Body{
		&record.VenueAdded{Venue: 1, Kind: "hotel", Name: "Corner Hotel"},
		&record.TerminalAdded{Terminal: 7, Venue: 1, Channel: "writer"},
		&record.OperatorAdded{Operator: 1, Name: "Keno Pty Ltd", Licence: "K 1"},
		&record.PersonAdded{Person: 1, Details: record.Hash{1}},
		&record.PersonAdded{Person: 2, Details: record.Hash{2}, By: 1},
		&record.VenueOperated{Venue: 1, Operator: 1, By: 1},
		&record.HoursSet{Venue: 1, Hours: []record.Trading{{Weekday: 1, From: 600, To: 1320}}, By: 1},
		&record.AreaAdded{Venue: 1, Area: 2, Name: "Bar", By: 1},
		&record.TerminalPlaced{Terminal: 7, Area: 2, By: 1},
		&record.DisplayReported{Venue: 1, Area: 2, Screen: record.ScreenDraw, Working: true},
		&record.DisplayReported{Venue: 1, Area: 2, Screen: record.ScreenRace, Working: true},
		&record.TerminalKeyed{Terminal: 7, Key: [32]byte{3}, By: 1},
		&record.RoleGranted{Person: 1, Role: record.RoleSupervisor, By: 1},
		&record.RoleGranted{Person: 2, Role: record.RoleSenior, Venue: 1, By: 1},
		&record.PasswordSet{Person: 2, Secret: record.Hash{8}, By: 2},
		&record.LockSet{Person: 2, Until: 99, Reason: "guessing"},
		&record.ShiftBegun{Person: 1, Role: record.RoleSupervisor},
		&record.ShiftBegun{Person: 2, Role: record.RoleSenior, Venue: 1, Terminal: 7},
		&record.ShiftEnding{Person: 2},
		&record.ApprovalRequested{Approval: 3, Action: "erase_person", Content: record.Hash{6},
			Roles: []record.Role{record.RoleSenior}, Expires: 1000, By: 1},
		&record.ApprovalDecided{Approval: 3, Content: record.Hash{6}, Granted: true, By: 2},
		&record.ApprovalUsed{Approval: 3, By: 1},
		&record.ShiftEnded{Person: 2, By: 2},
		&record.LockSet{Person: 2, Reason: "back", By: 1},
		&record.RoleWithdrawn{Person: 2, Role: record.RoleSenior, Venue: 1, By: 1},
		&record.TerminalRevoked{Terminal: 7, Reason: "stolen", By: 1},
		&record.PersonErased{Person: 2, Reason: "left", By: 1},
	}
}

func apply(s *State, bodies ...record.Body) error {
	for i, body := range bodies {
		if err := s.fold(record.Record{Time: record.Time(i) + 1, Body: body}); err != nil {
			return err
		}
	}
	return nil
}

// TestPeopleFold adds records one by one: each changes the hash, so that nothing
// that a record says is lost, and the counts of duty follow the shifts.
func TestPeopleFold(t *testing.T) {
	s := New()
	seen := map[record.Hash]string{}
	for i, body := range crew() {
		kind := record.Record{Body: body}.Kind().String()
		if err := s.fold(record.Record{Time: record.Time(i) + 1, Body: body}); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		hash := s.Hash()
		if before, ok := seen[hash]; ok {
			t.Errorf("%s leaves the state as it was after %s", kind, before)
		}
		seen[hash] = kind
		wantSenior := 0
		if p, _ := s.people.Person(2); p.Shift.On() {
			wantSenior = 1
		}
		if got := s.people.OnDuty(record.RoleSenior, 1, record.Forever); got != wantSenior {
			t.Errorf("after %s %d seniors are on duty", kind, got)
		}
	}
	if post, _ := s.people.Post(7); post.Person != 0 || !post.Revoked || post.Key != [32]byte{} {
		t.Errorf("the terminal stands as %+v", post)
	}
	if s.people.Staying(record.RoleSupervisor, 0, record.Forever) != 1 ||
		s.people.Staying(record.RoleSenior, 1, record.Forever) != 0 {
		t.Error("who stays does not follow the shifts")
	}
}

// TestPeopleCannotFollow shows records that contradict those before them.
func TestPeopleCannotFollow(t *testing.T) {
	const upToShifts, upToRequest = 18, 20
	for name, c := range map[string]struct {
		after int
		body  record.Body
	}{
		"operator twice":              {upToShifts, &record.OperatorAdded{Operator: 1, Name: "x"}},
		"operator of no venue":        {upToShifts, &record.VenueOperated{Venue: 9, Operator: 1}},
		"no operator of a venue":      {upToShifts, &record.VenueOperated{Venue: 1, Operator: 9}},
		"hours of no venue":           {upToShifts, &record.HoursSet{Venue: 9}},
		"area twice":                  {upToShifts, &record.AreaAdded{Venue: 1, Area: 2, Name: "Bar"}},
		"no such area":                {upToShifts, &record.TerminalPlaced{Terminal: 7, Area: 3}},
		"display nowhere":             {upToShifts, &record.DisplayReported{Venue: 1, Area: 3, Screen: record.ScreenDraw}},
		"key of no terminal":          {upToShifts, &record.TerminalKeyed{Terminal: 9, Key: [32]byte{1}}},
		"revoked twice":               {26, &record.TerminalRevoked{Terminal: 7, Reason: "again"}},
		"person twice":                {upToShifts, &record.PersonAdded{Person: 2, Details: record.Hash{1}}},
		"nobody":                      {upToShifts, &record.PasswordSet{Person: 9, Secret: record.Hash{1}}},
		"by nobody":                   {upToShifts, &record.LockSet{Person: 2, Reason: "x", By: 9}},
		"erased":                      {27, &record.PasswordSet{Person: 2, Secret: record.Hash{1}}},
		"role twice":                  {upToShifts, &record.RoleGranted{Person: 2, Role: record.RoleSenior, Venue: 1}},
		"role at no venue":            {upToShifts, &record.RoleGranted{Person: 2, Role: record.RoleWriter, Venue: 9}},
		"role that is not had":        {upToShifts, &record.RoleWithdrawn{Person: 2, Role: record.RoleWriter, Venue: 1}},
		"role on duty":                {upToShifts, &record.RoleWithdrawn{Person: 2, Role: record.RoleSenior, Venue: 1}},
		"shift twice":                 {upToShifts, &record.ShiftBegun{Person: 1, Role: record.RoleSupervisor}},
		"shift without the role":      {16, &record.ShiftBegun{Person: 1, Role: record.RoleOperative}},
		"shift at another's terminal": {23, &record.ShiftBegun{Person: 2, Role: record.RoleSenior, Venue: 1, Terminal: 8}},
		"leaving twice":               {19, &record.ShiftEnding{Person: 2}},
		"end without a shift":         {23, &record.ShiftEnded{Person: 2, By: 2}},
		"approval twice": {upToRequest,
			&record.ApprovalRequested{Approval: 3, Content: record.Hash{1}, Expires: 1000, By: 1}},
		"approval by the same person": {upToRequest,
			&record.ApprovalDecided{Approval: 3, Content: record.Hash{6}, Granted: true, By: 1}},
		"approval of something else": {upToRequest,
			&record.ApprovalDecided{Approval: 3, Content: record.Hash{7}, Granted: true, By: 2}},
		"approval that was not given": {upToRequest, &record.ApprovalUsed{Approval: 3, By: 1}},
		"approval used a second time": {22, &record.ApprovalUsed{Approval: 3, By: 1}},
		"approval decided once more":  {21, &record.ApprovalDecided{Approval: 3, Content: record.Hash{6}, By: 2}},
		"approval that has run out": {upToShifts,
			&record.ApprovalRequested{Approval: 4, Content: record.Hash{1}, Expires: 1, By: 1}},
		"approval of no such request ": {upToShifts, &record.ApprovalDecided{Approval: 9, Content: record.Hash{6}, By: 2}},
	} {
		s := New()
		if err := apply(s, crew()[:c.after]...); err != nil {
			t.Fatal(err)
		}
		if err := s.fold(record.Record{Time: 500, Body: c.body}); !errors.Is(err, ErrCannotFollow) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
