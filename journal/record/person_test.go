package record

import "testing"

// TestPeopleAndPlacesRefuse shows what cannot be recorded of people and places.
func TestPeopleAndPlacesRefuse(t *testing.T) {
	for name, body := range map[string]Body{
		"operator without name":        &OperatorAdded{Operator: 1},
		"venue without operator":       &VenueOperated{Venue: 1},
		"eighth weekday":               &HoursSet{Venue: 1, Hours: []Trading{{Weekday: 7, From: 1, To: 2}}},
		"hours that end as they begin": &HoursSet{Venue: 1, Hours: []Trading{{From: 600, To: 600}}},
		"hours from the next day":      &HoursSet{Venue: 1, Hours: []Trading{{From: dayMinutes, To: dayMinutes + 1}}},
		"hours longer than a day":      &HoursSet{Venue: 1, Hours: []Trading{{From: 600, To: 600 + dayMinutes + 1}}},
		"hours twice":                  &HoursSet{Venue: 1, Hours: []Trading{{From: 1, To: 2}, {From: 1, To: 2}}},
		"weekdays that fall": &HoursSet{Venue: 1,
			Hours: []Trading{{Weekday: 2, From: 1, To: 2}, {Weekday: 1, From: 1, To: 2}}},
		"area 0":                        &AreaAdded{Venue: 1, Name: "Bar"},
		"terminal in area 0":            &TerminalPlaced{Terminal: 1},
		"other screen":                  &DisplayReported{Venue: 1, Area: 1, Screen: "menu"},
		"empty key":                     &TerminalKeyed{Terminal: 1},
		"revoked for nothing":           &TerminalRevoked{Terminal: 1},
		"person without details":        &PersonAdded{Person: 1},
		"erased for nothing":            &PersonErased{Person: 1},
		"other role":                    &RoleGranted{Person: 1, Role: "owner"},
		"supervisor of a venue":         &RoleGranted{Person: 1, Role: RoleSupervisor, Venue: 1},
		"senior of no venue":            &RoleWithdrawn{Person: 1, Role: RoleSenior},
		"password without entry":        &PasswordSet{Person: 1},
		"lock for nothing":              &LockSet{Person: 1, Until: 1},
		"shift at a terminal of nobody": &ShiftBegun{Person: 1, Role: RoleSupervisor, Terminal: 1},
		"shift ended by nobody":         &ShiftEnded{Person: 1},
		"approval by no role":           &ApprovalRequested{Approval: 1, Action: "a", Content: Hash{1}, Expires: 1, By: 1},
		"approval of nothing":           &ApprovalDecided{Approval: 1, By: 1},
		"approval used by nobody":       &ApprovalUsed{Approval: 1},
	} {
		if err := (Record{Time: 1, Body: body}).Check(); err == nil {
			t.Errorf("%s: %+v can be recorded", name, body)
		}
	}
}
