package verify

import (
	"math/rand/v2"
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// crew is a checker of a house with an administrator (1), two supervisors (2, 3) and a writer
// (4) who is on shift at terminal 7.
func crew(t *testing.T, level uint8) *checker {
	t.Helper()
	c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level, now: 1_000_000_000_000,
		people: newPeople()}
	c.venues, c.terminals = map[uint32]venue{1: {name: "Harbour Club"}, 5: {name: "River Club"}},
		map[uint32]*terminal{7: {venue: 1}}
	for id, role := range map[uint32]record.Role{1: record.RoleAdministrator, 2: record.RoleSupervisor,
		3: record.RoleSupervisor, 4: record.RoleWriter} {
		at := uint32(0)
		if role.AtVenue() {
			at = 1
		}
		c.tell(t, &record.PersonAdded{Person: id, Details: record.Hash{1}},
			&record.RoleGranted{Person: id, Role: role, Venue: at},
			&record.PasswordSet{Person: id, Secret: record.Hash{byte(id)}})
	}
	c.tell(t, &record.ShiftBegun{Person: 4, Role: record.RoleWriter, Venue: 1, Terminal: 7})
	return c
}

// tell has records checked and taken in that must hold.
func (c *checker) tell(t *testing.T, bodies ...record.Body) {
	t.Helper()
	for _, body := range bodies {
		if err := c.checkPersons(record.Record{Time: c.now, Body: body}); err != nil {
			t.Fatalf("%T: %v", body, err)
		}
		if _, err := c.checkBody(body); err != nil {
			t.Fatalf("%T: %v", body, err)
		}
	}
}

// TestPersonsInJournals: each guard about persons is a fault from its level on, and a finding
// before it; and what is allowed is neither.
func TestPersonsInJournals(t *testing.T) {
	asked := &record.ApprovalRequested{Approval: 1, Action: "erase_person", Content: record.Hash{1},
		Roles: []record.Role{record.RoleSupervisor}, Expires: record.Forever, By: 1}
	consented := &record.ApprovalDecided{Approval: 1, Content: record.Hash{1}, Granted: true, By: 2}
	sold := &record.TicketSold{Request: record.Request{Terminal: 7, Number: 1}}
	forfeited := &record.PrizeForfeited{Request: record.Request{Terminal: 7, Number: 1}}
	invited := []record.Body{&record.PersonInvited{Person: 2, By: 1},
		&record.PasswordSet{Person: 2, Secret: record.Hash{9}, By: 1}}
	for name, c := range map[string]struct {
		before []record.Body
		body   record.Body
		reason string // empty: it holds
	}{
		"a name": {nil, &record.VenueAdded{Venue: 2, Kind: "club", Name: "Zoë's"}, ""},
		"a name that another has": {nil, &record.VenueAdded{Venue: 2, Kind: "club", Name: "HARBOUR club"},
			"venues 1 and 2 have one name"},
		"a kind that nobody knows": {nil, &record.VenueAdded{Venue: 2, Kind: "castle", Name: "Zoë's"},
			"which no rulebook knows"},
		"a name with a line break": {nil, &record.VenueAdded{Venue: 2, Kind: "club", Name: "Club\nClosed"},
			"control characters"},
		"another name": {nil, &record.VenueRenamed{Venue: 1, Name: "HARBOUR CLUB", By: 1}, ""},
		"another name that another has": {nil, &record.VenueRenamed{Venue: 1, Name: "River club", By: 1},
			"venues 1 and 5 have one name"},
		"a name that was given up": {[]record.Body{&record.VenueRenamed{Venue: 1, Name: "Hill Club", By: 1}},
			&record.VenueAdded{Venue: 2, Kind: "club", Name: "Harbour Club"}, ""},
		"another name with a line break": {nil, &record.VenueRenamed{Venue: 1, Name: "Club\nClosed", By: 1},
			"control characters"},
		"a consent":                 {[]record.Body{asked}, consented, ""},
		"a consent of the own hand": {append(invited, asked), consented, "one hand"},
		"a refusal by the own hand": {append(invited, asked),
			&record.ApprovalDecided{Approval: 1, Content: record.Hash{1}, By: 2}, ""},
		"a lapsed consent": {[]record.Body{asked, consented,
			&record.LockSet{Person: 2, Until: record.Forever, Reason: "stolen", By: 3}},
			&record.ApprovalUsed{Approval: 1, By: 1}, "was locked"},
		"guesses lapse no consent": {[]record.Body{asked, consented,
			&record.LockSet{Person: 2, Until: record.Forever - 1, Reason: "wrong passwords"}},
			&record.ApprovalUsed{Approval: 1, By: 1}, ""},
		"a sale on a shift": {nil, sold, ""},
		"a sale of the locked": {[]record.Body{&record.LockSet{Person: 4, Until: record.Forever, Reason: "short",
			By: 2}}, sold, "who is locked"},
		"a prize forfeited": {nil, forfeited, ""},
		"forfeited by the locked": {[]record.Body{&record.LockSet{Person: 4, Until: record.Forever, Reason: "short",
			By: 2}}, forfeited, "who is locked"},
		"a sale, guessed at": {[]record.Body{&record.LockSet{Person: 4, Until: record.Forever - 1,
			Reason: "wrong passwords"}}, sold, ""},
		"a freeze by the locked": {[]record.Body{&record.LockSet{Person: 2, Until: record.Forever, Reason: "anger",
			By: 1}}, &record.PaymentFrozen{By: 2}, "who is locked"},
		"a cheque by nobody": {nil, &record.ChequeHanded{By: 99}, "was not added"},
		"holidays by nobody": {nil, &record.HolidaysNamed{}, "named by nobody"},
		"holidays":           {nil, &record.HolidaysNamed{By: 1}, ""},
		"the last administrator": {nil, &record.LockSet{Person: 1, Until: record.Forever, Reason: "anger", By: 2},
			"the last"},
		"the last one's role": {nil, &record.RoleWithdrawn{Person: 1, Role: record.RoleAdministrator, By: 1},
			"the last"},
		"a password, not invited": {nil, &record.PasswordSet{Person: 2, Secret: record.Hash{9}, By: 1},
			"without an invitation"},
		"a password twice": {invited, &record.PasswordSet{Person: 2, Secret: record.Hash{8}, By: 1},
			"without an invitation"},
		"recorders of one hand": {[]record.Body{&record.PersonInvited{Person: 2, By: 1},
			&record.PersonInvited{Person: 3, By: 1}}, &record.CageStarted{Recorders: [2]uint32{2, 3}, By: 1}, "one hand"},
		"deciders": {nil, &record.TicketDisqualified{Deciders: []record.Decider{{Person: 2}, {Person: 3}}},
			""},
		"recorders": {nil, &record.CageStarted{Recorders: [2]uint32{2, 3}, By: 1}, ""},
		"a bank of one hand": {[]record.Body{&record.RoleGranted{Person: 4, Role: record.RoleSenior, Venue: 1,
			By: 1}}, &record.BankMoved{Terminal: 7, By: 4, With: 1}, "one hand"},
		"deciders, invited together": {[]record.Body{&record.PersonInvited{Person: 2, By: 1},
			&record.PersonInvited{Person: 3, By: 1}},
			&record.TicketDisqualified{Deciders: []record.Decider{{Person: 2}, {Person: 3}}}, "one hand"},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			k := crew(t, level)
			k.tell(t, c.before...)
			err := k.checkPersons(record.Record{Time: k.now, Body: c.body})
			findings := ""
			for _, f := range k.report.Findings {
				findings += f.Reason
			}
			switch {
			case c.reason == "" && (err != nil || findings != ""):
				t.Errorf("%s at level %d: %v, findings %q", name, level, err, findings)
			case c.reason != "" && level == record.LevelFirst && (err != nil || !strings.Contains(findings, c.reason)):
				t.Errorf("%s at level %d: %v, findings %q", name, level, err, findings)
			case c.reason != "" && level == record.LevelGuarded && (err == nil || !strings.Contains(err.Error(), c.reason)):
				t.Errorf("%s at level %d: %v", name, level, err)
			}
		}
	}
}

// TestHandsEnd: a day after the invitation the two are two again; those whom the machine let
// in are one hand, and each recovery is listed.
func TestHandsEnd(t *testing.T) {
	c := crew(t, record.LevelGuarded)
	c.tell(t, &record.RoleGranted{Person: 3, Role: record.RoleAdministrator}, &record.PersonInvited{Person: 2, By: 1})
	if c.areTwo(1, 2) || !c.areTwo(1, 3) || c.areTwo(1, 1) {
		t.Error("who are two is wrong after an invitation")
	}
	c.now += aDay
	if !c.areTwo(1, 2) {
		t.Error("the hand does not end")
	}
	c.tell(t, &record.PersonRecovered{Person: 1, Secret: record.Hash{1}, Reason: "lost"})
	if !c.areTwo(1, 3) {
		t.Error("one recovered person is no two with others")
	}
	c.tell(t, &record.PersonRecovered{Person: 3, Secret: record.Hash{2}, Reason: "lost too"})
	if c.areTwo(1, 3) || c.report.FindingCount != 2 {
		t.Errorf("two recovered persons are two, or were not listed (%d)", c.report.FindingCount)
	}
}

// TestHandsAgree: two persons are one hand if and only if somebody reaches both over those
// who had others in hand, as a table of who reaches whom says.
func TestHandsAgree(t *testing.T) {
	const people = 7
	random := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		c := &checker{now: 1_000_000_000_000}
		var reaches [people][people]bool
		for i := range reaches {
			reaches[i][i] = true
		}
		for range random.IntN(9) {
			by, of := random.IntN(people), random.IntN(people)
			at := c.now - record.Time(random.Int64N(int64(2*aDay)))
			c.people.grips = append(c.people.grips, grip{uint32(by), uint32(of), at}) //nolint:gosec // Both are small.
			reaches[by][of] = reaches[by][of] || c.now-at < aDay
		}
		for k := range people {
			for i := range people {
				for j := range people {
					reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
				}
			}
		}
		for a := range people {
			for b := range people {
				two := a != b
				for x := range people {
					two = two && !(reaches[x][a] && reaches[x][b])
				}
				if got := c.areTwo(uint32(a), uint32(b)); got != two { //nolint:gosec // Both are small.
					t.Fatalf("%d and %d are two: %v, and the table says %v: %v", a, b, got, two, c.people.grips)
				}
			}
		}
	}
}

// TestApprovalsNameTheirSeries: from the level of the guards on a request names its series of
// games, an act in another series is not what was agreed on, and banks take two persons.
func TestApprovalsNameTheirSeries(t *testing.T) {
	const says = `{"ordinal":7}`
	request := func(content record.Hash) *record.ApprovalRequested {
		return &record.ApprovalRequested{Approval: 1, Action: "designate_game", Content: content, Says: says}
	}
	for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
		c := crew(t, level)
		c.series[1], c.series[2] = &series{}, &series{}
		if _, in, err := c.saidIn(request(contentIn(2, "designate_game", says))); err != nil || in != 2 {
			t.Errorf("level %d: the request is of series %d, %v", level, in, err)
		}
		if _, _, err := c.saidIn(request(contentIn(3, "designate_game", says))); err == nil {
			t.Errorf("level %d: a request of a series that there is not", level)
		}
		if _, in, err := c.saidIn(request(contentOf("designate_game", says))); in != 0 ||
			(err == nil) != (level == record.LevelFirst) {
			t.Errorf("level %d: a request that names no series: %d, %v", level, in, err)
		}
		designated := &record.GameDesignated{Game: record.Game{Series: 1}}
		for in, good := range map[uint8]bool{0: level == record.LevelFirst, 1: true, 2: false} {
			if err := c.checkAgreedSeries(designated, &approval{series: in}); (err == nil) != good {
				t.Errorf("level %d: an act in series 1 by an approval of series %d: %v", level, in, err)
			}
		}
		for _, bank := range []record.Body{&record.BankMoved{}, &record.BankCounted{}, &record.ClosureAnnounced{Series: 1}} {
			if c.checkAgreedSeries(bank, nil) == nil || c.checkAgreedSeries(bank, &approval{series: 1}) != nil {
				t.Errorf("%T takes no approval, or another one", bank)
			}
		}
	}
}

// TestConsentEnds: a consent ends for good with a lock by a person, with a role for it and
// with a password that another has set. In an older journal that is a finding.
func TestConsentEnds(t *testing.T) {
	asked := &record.ApprovalRequested{Approval: 1, Action: "erase_person", Content: record.Hash{1},
		Roles: []record.Role{record.RoleSupervisor, record.RoleOperative}, Expires: record.Forever, By: 1}
	consented := &record.ApprovalDecided{Approval: 1, Content: record.Hash{1}, Granted: true, By: 2}
	locked, unlocked := &record.LockSet{Person: 2, Until: record.Forever, Reason: "stolen", By: 3},
		&record.LockSet{Person: 2, Reason: "found", By: 3}
	withdrawn := func(role record.Role) *record.RoleWithdrawn {
		return &record.RoleWithdrawn{Person: 2, Role: role, By: 1}
	}
	granted := func(role record.Role) *record.RoleGranted { return &record.RoleGranted{Person: 2, Role: role, By: 1} }
	for name, c := range map[string]struct {
		between []record.Body
		ends    bool
	}{
		"nothing":             {nil, false},
		"locked and unlocked": {[]record.Body{locked, unlocked}, true},
		"unlocked":            {[]record.Body{unlocked}, false},
		"guessed at": {[]record.Body{&record.LockSet{Person: 2, Until: record.Forever - 1, Reason: "guesses"}},
			false},
		"dismissed and appointed": {[]record.Body{withdrawn(record.RoleSupervisor), granted(record.RoleSupervisor)}, true},
		"another role for it":     {[]record.Body{granted(record.RoleOperative), withdrawn(record.RoleOperative)}, true},
		"another role": {[]record.Body{granted(record.RoleAdministrator), withdrawn(record.RoleAdministrator)},
			false},
		"an own password": {[]record.Body{&record.PasswordSet{Person: 2, Secret: record.Hash{9}, By: 2}}, false},
		"a password by another": {[]record.Body{&record.PersonInvited{Person: 2, By: 1},
			&record.PasswordSet{Person: 2, Secret: record.Hash{9}, By: 1}}, true},
		"let in on the machine": {[]record.Body{granted(record.RoleAdministrator),
			&record.PersonRecovered{Person: 2, Secret: record.Hash{9}, Reason: "lost"}}, true},
		"another was locked": {[]record.Body{&record.LockSet{Person: 4, Until: record.Forever, Reason: "short", By: 3}},
			false},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			k := crew(t, level)
			for _, body := range append([]record.Body{locked, unlocked, asked, consented}, c.between...) {
				k.seq++
				k.tell(t, body)
			}
			k.seq++
			before := k.report.FindingCount
			err := k.checkPersons(record.Record{Time: k.now, Body: &record.ApprovalUsed{Approval: 1, By: 1}})
			if found := err != nil || k.report.FindingCount > before; found != c.ends || err != nil &&
				level == record.LevelFirst || err == nil && c.ends && level == record.LevelGuarded {
				t.Errorf("%s at level %d: %v", name, level, err)
			}
		}
	}
}

// TestFoundingInJournals: after the founding the house itself changes nothing about who may
// do what. In an older journal that it did is a finding.
func TestFoundingInJournals(t *testing.T) {
	second := []record.Body{&record.RoleGranted{Person: 3, Role: record.RoleAdministrator}}
	for name, end := range map[string]struct {
		before []record.Body
		over   bool
	}{
		"nothing":                      {nil, false},
		"a founder brings in somebody": {[]record.Body{&record.PersonAdded{Person: 5, Details: record.Hash{1}, By: 1}}, true},
		"a founder appoints": {[]record.Body{&record.RoleGranted{Person: 2, Role: record.RoleOperative, By: 1}},
			false},
		"two founders": {second, false},
		"two founders, one appoints": {append(second, &record.RoleGranted{Person: 2, Role: record.RoleOperative, By: 1}),
			true},
		"two founders, one invites": {append(second, &record.PersonInvited{Person: 2, By: 1}), true},
	} {
		for _, body := range []record.Body{
			&record.PersonAdded{Person: 17, Details: record.Hash{1}},
			&record.RoleGranted{Person: 4, Role: record.RoleSupervisor},
			&record.RoleWithdrawn{Person: 2, Role: record.RoleSupervisor},
			&record.PasswordSet{Person: 4, Secret: record.Hash{1}},
			&record.LockSet{Person: 4, Reason: "found"}, &record.PersonErased{Person: 4, Reason: "gone"},
		} {
			for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
				k := crew(t, level)
				k.tell(t, end.before...)
				before := k.report.FindingCount
				err := k.checkPersons(record.Record{Time: k.now, Body: body})
				if found := err != nil || k.report.FindingCount > before; found != end.over || err != nil &&
					level == record.LevelFirst || err == nil && end.over && level == record.LevelGuarded {
					t.Errorf("%s, then %T by the house at level %d: %v", name, body, level, err)
				}
			}
		}
		k := crew(t, record.LevelGuarded)
		k.tell(t, end.before...)
		if err := k.checkPersons(record.Record{Time: k.now,
			Body: &record.LockSet{Person: 4, Until: k.now + 1, Reason: "guesses"}}); err != nil {
			t.Errorf("%s: a lock after guesses: %v", name, err)
		}
	}
}

// TestHandOfTheMachineInJournals: founders are in nobody's hand; whom the house itself brings
// in, appoints or gives a password later is in the hand of the machine.
func TestHandOfTheMachineInJournals(t *testing.T) {
	c := crew(t, record.LevelFirst) // Later journals do not have it.
	if !c.areTwo(2, 3) {
		t.Error("two of the founding are one")
	}
	c.tell(t, &record.PersonAdded{Person: 5, Details: record.Hash{1}, By: 1})
	for id := uint32(6); id <= 7; id++ {
		c.tell(t, &record.PersonAdded{Person: id, Details: record.Hash{1}},
			&record.RoleGranted{Person: id, Role: record.RoleSupervisor})
	}
	if c.areTwo(6, 7) || !c.areTwo(2, 6) || !c.areTwo(5, 6) {
		t.Error("who is in the machine's hand is wrong")
	}
	c.now += aDay
	if !c.areTwo(6, 7) {
		t.Error("the hand does not end")
	}
	c.tell(t, &record.PasswordSet{Person: 6, Secret: record.Hash{1}},
		&record.RoleGranted{Person: 7, Role: record.RoleOperative})
	if c.areTwo(6, 7) {
		t.Error("a password and a role of the machine's are in no hand")
	}
}

// TestLockedOnDuty: who is locked by a person fills no role from the lock to its end. In an
// older journal that is a finding.
func TestLockedOnDuty(t *testing.T) {
	for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
		c := crew(t, level)
		c.tell(t, &record.ShiftBegun{Person: 2, Role: record.RoleSupervisor})
		found := func(name string, want bool) {
			t.Helper()
			before := c.report.FindingCount
			err := c.guard(c.checkAwake(CheckPeople, "supervisor", 0, false))
			if level == record.LevelGuarded && (err != nil) != want || level == record.LevelFirst &&
				(err != nil || (c.report.FindingCount > before) != want) {
				t.Errorf("%s at level %d: %v, %d findings", name, level, err, c.report.FindingCount-before)
			}
		}
		found("before the lock", false)
		c.tell(t, &record.LockSet{Person: 2, Until: c.now + 1000, Reason: "wrong passwords"})
		found("guessed at", false)
		c.tell(t, &record.LockSet{Person: 2, Until: c.now + 1000, Reason: "anger", By: 1})
		found("at the lock", true)
		c.now += 999
		found("before its end", true)
		c.now++
		found("at its end", false)
		c.tell(t, &record.LockSet{Person: 2, Until: record.Forever, Reason: "anger", By: 1})
		found("for ever", true)
		c.tell(t, &record.ShiftBegun{Person: 3, Role: record.RoleSupervisor})
		found("beside another", false)
		c.tell(t, &record.ShiftEnding{Person: 3})
		found("beside another who leaves", true)
		c.tell(t, &record.LockSet{Person: 2, Reason: "a mistake", By: 1})
		found("let in again", false)
	}
}

// TestDecidedElsewhere: what is of a venue is asked for and decided by who has the role there
// or in the whole house. In an older journal another senior's decision is a finding.
func TestDecidedElsewhere(t *testing.T) {
	const says = `{"terminal":7,"cents":100}`
	content := contentIn(1, "count_bank", says)
	roles := []record.Role{record.RoleSenior, record.RoleSupervisor}
	for name, who := range map[string]struct {
		asks, decides uint32
		good          bool
	}{
		"a senior of the venue":                      {4, 5, true},
		"a supervisor":                               {4, 2, true},
		"a senior of another venue":                  {4, 6, false},
		"a senior of another venue who writes there": {4, 8, false},
		"asked for from another venue":               {6, 5, false},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			c := crew(t, level)
			c.series[1] = &series{changes: []change{{terms: &terms{rules: rulesOf(t, "vic-keno-2015")}}}}
			for id, at := range map[uint32]uint32{5: 1, 6: 5, 8: 5} {
				c.tell(t, &record.PersonAdded{Person: id, Details: record.Hash{1}},
					&record.RoleGranted{Person: id, Role: record.RoleSenior, Venue: at})
			}
			c.tell(t, &record.RoleGranted{Person: 8, Role: record.RoleWriter, Venue: 1})
			var err error
			for _, body := range []record.Body{
				&record.ApprovalRequested{Approval: 1, Action: "count_bank", Content: content, Says: says, Roles: roles,
					Expires: record.Forever, By: who.asks},
				&record.ApprovalDecided{Approval: 1, Content: content, By: who.decides},
			} {
				if err == nil {
					_, err = c.checkBody(body)
				}
			}
			good := err == nil && c.report.FindingCount == 0
			if good != who.good || level == record.LevelFirst && err != nil || level == record.LevelGuarded && !who.good &&
				!strings.Contains(err.Error(), "has no role for it") {
				t.Errorf("%s at level %d: %v, %d findings", name, level, err, c.report.FindingCount)
			}
		}
	}
}
