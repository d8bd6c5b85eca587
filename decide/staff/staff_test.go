package staff

import (
	"strings"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestAuthority tries every change as every role: a change is refused to anybody who is
// not in its row, and to nobody who is.
func TestAuthority(t *testing.T) {
	admin := []record.Role{record.RoleAdministrator}
	central := []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative}
	for name, c := range map[string]struct {
		may  []record.Role
		make func(by, somebody uint32) Command
	}{
		"add person": {admin, func(by, _ uint32) Command { return AddPerson{By: by, Details: record.Hash{9}} }},
		"grant": {admin, func(by, p uint32) Command {
			return GrantRole{by, p,
				state.Grant{Role: record.RoleOperative}}
		}},
		"withdraw": {admin, func(by, p uint32) Command {
			return WithdrawRole{by, p,
				state.Grant{Role: record.RoleRunner, Venue: 2}}
		}},
		"invite": {admin, func(by, p uint32) Command { return Invite{by, p} }},
		// It takes an invitation.
		"set password": {nil, func(by, p uint32) Command { return SetPassword{by, p, record.Hash{1}} }},
		"lock":         {central, func(by, p uint32) Command { return Lock{by, p, record.Forever, "leave"} }},
		"send home":    {central, func(by, p uint32) Command { return End{by, p} }},
		"operator":     {admin, func(by, _ uint32) Command { return AddOperator{by, 1, "Keno Pty Ltd", ""} }},
		"venue":        {admin, func(by, _ uint32) Command { return AddVenue{By: by, Kind: "hotel", Name: "New"} }},
		"hours":        {admin, func(by, _ uint32) Command { return SetHours{By: by, Venue: 1} }},
		"area":         {admin, func(by, _ uint32) Command { return AddArea{by, 1, 7, "Bar"} }},
		"placed":       {admin, func(by, _ uint32) Command { return PlaceTerminal{By: by, Terminal: 1, Area: 1} }},
		"terminal": {admin, func(by, _ uint32) Command {
			return AddTerminal{By: by, Venue: 1, Channel: "sst",
				Key: [32]byte{1}}
		}},
		"key":    {admin, func(by, _ uint32) Command { return KeyTerminal{by, 1, [32]byte{1}} }},
		"revoke": {admin, func(by, _ uint32) Command { return RevokeTerminal{by, 1, "stolen"} }},
		"display": {append([]record.Role{record.RoleSenior}, central...),
			func(by, _ uint32) Command { return ReportDisplay{by, 1, 1, record.ScreenDraw, true, ""} }},
		"request": {central, func(by, _ uint32) Command {
			return Request{By: by, Action: "void_game", Content: ContentIn(1, "void_game", []byte("{}")), Series: 1, Says: "{}"}
		}},
		// It takes two.
		"erase": {nil, func(by, p uint32) Command { return Erase{By: by, Person: p, Reason: "left"} }},
		// Of administrators alone.
		"recover":        {nil, func(_, p uint32) Command { return Recover{p, record.Hash{1}, "lost"} }},
		"administrators": {nil, func(uint32, uint32) Command { return FirstAdministrator{record.Hash{1}, record.Hash{1}} }},
	} {
		for _, role := range record.Roles() {
			r := newRig(t, "vic-keno-2015")
			venue := uint32(0)
			if role.AtVenue() {
				venue = 1
			}
			by, somebody := r.person(role, venue), r.person(record.RoleRunner, 2)
			r.person(record.RoleAdministrator, 0)
			r.person(record.RoleAdministrator, 0)
			r.must(AddArea{Venue: 1, Area: 1, Name: "Bar"})
			r.must(GrantRole{Person: somebody, Grant: state.Grant{Role: record.RoleWriter, Venue: 1}})
			r.must(Begin{Person: somebody, Grant: state.Grant{Role: record.RoleWriter, Venue: 1}})
			may := false
			for _, m := range c.may {
				may = may || m == role
			}
			if err := r.do(c.make(by, somebody)); (err == nil) != may {
				t.Errorf("%s as %s: %v", name, role, err)
			}
		}
	}
	r := newRig(t, "vic-keno-2015")
	wantCode(t, "by nobody", r.do(AddVenue{By: 77, Kind: "hotel", Name: "New"}), PersonUnknown, "")
}

// TestFirstAdministrator: a house is founded with two administrators, who count as two, and
// the last one stays.
func TestFirstAdministrator(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	first := FirstAdministrator{record.Hash{1}, record.Hash{2}}
	r.must(first)
	grant := state.Grant{Role: record.RoleAdministrator}
	wantCode(t, "the last", r.do(WithdrawRole{1, 1, grant}), LastOfRole, "")
	wantCode(t, "erase the last", r.do(Erase{By: 1, Person: 1, Reason: "left"}), LastOfRole, "")
	wantCode(t, "lock the last", r.do(Lock{1, 1, record.Forever, "anger"}), LastOfRole, "")
	r.must(first)
	wantCode(t, "a third", r.do(first), NotAllowed, "")
	if !AreTwo(r.s, 1, 2, r.now) {
		t.Error("the two founders are one hand")
	}
	wantCode(t, "lock one of two", r.do(Lock{2, 1, record.Forever, "lost phone"}), "", "")
	wantCode(t, "and the other", r.do(Lock{2, 2, record.Forever, "anger"}), LastOfRole, "")
	wantCode(t, "by who is locked", r.do(Lock{1, 2, record.Forever, "revenge"}), PersonLocked, "")
	wantCode(t, "the role of the other", r.do(WithdrawRole{2, 2, grant}), LastOfRole, "")
	r.must(Lock{2, 1, 0, "found"})
	wantCode(t, "one of two", r.do(WithdrawRole{2, 1, grant}), "", "")
	wantCode(t, "who is none any more", r.do(AddVenue{By: 1, Kind: "hotel", Name: "New"}), NotAllowed, "")

	r = newRig(t, "vic-keno-2015")
	r.must(first)
	r.must(AddPerson{By: 1, Details: record.Hash{3}})
	wantCode(t, "after the founding", r.do(first), NotAllowed, "")
}

// TestChangesRefused shows what cannot be changed so.
func TestChangesRefused(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	senior := r.onDuty(record.RoleSenior, 1, 1)
	locked := r.person(record.RoleWriter, 1)
	r.must(Lock{Person: locked, Until: r.now + 1, Reason: "guessing"})
	r.must(AddOperator{Operator: 1, Name: "Keno Pty Ltd"})
	r.must(RevokeTerminal{Terminal: 3, Reason: "stolen"})
	grant := func(role record.Role, venue uint32) state.Grant { return state.Grant{Role: role, Venue: venue} }
	for name, c := range map[string]struct {
		do   Command
		code refusal.Code
	}{
		"role that is not":      {GrantRole{0, senior, grant("owner", 0)}, RoleUnknown},
		"senior of nothing":     {GrantRole{0, senior, grant(record.RoleSenior, 9)}, VenueUnknown},
		"supervisor of a venue": {GrantRole{0, senior, grant(record.RoleSupervisor, 1)}, VenueUnknown},
		"role twice":            {GrantRole{0, senior, grant(record.RoleSenior, 1)}, RoleHeld},
		"role twice at once": {AddPerson{Details: record.Hash{1},
			Grants: []state.Grant{grant(record.RoleWriter, 1), grant(record.RoleWriter, 1)}}, RoleHeld},
		"role not had":            {WithdrawRole{0, senior, grant(record.RoleWriter, 1)}, RoleNotHeld},
		"role on duty":            {WithdrawRole{0, senior, grant(record.RoleSenior, 1)}, OnShift},
		"no such person":          {SetPassword{0, 99, record.Hash{1}}, PersonUnknown},
		"lock without reason":     {Lock{0, senior, 1, ""}, ReasonMissing},
		"shift twice":             {Begin{senior, 0, grant(record.RoleSenior, 1)}, OnShift},
		"shift of the locked":     {Begin{locked, 2, grant(record.RoleWriter, 1)}, PersonLocked},
		"operator twice":          {AddOperator{Operator: 1, Name: "Other"}, OperatorUnknown},
		"venue without name":      {AddVenue{Kind: "hotel"}, NameWrong},
		"venue with a NUL":        {AddVenue{Kind: "hotel", Name: "A\x00"}, NameWrong},
		"venue with a long name":  {AddVenue{Kind: "hotel", Name: strings.Repeat("x", 5000)}, NameWrong},
		"venue of no kind":        {AddVenue{Kind: "pub", Name: "New"}, VenueWrong},
		"venue of no operator":    {AddVenue{Kind: "hotel", Name: "New", Operator: 9}, OperatorUnknown},
		"hours of nothing":        {SetHours{Venue: 9}, VenueUnknown},
		"hours that cannot be":    {SetHours{Venue: 1, Hours: []record.Trading{{Weekday: 9, From: 1, To: 2}}}, HoursWrong},
		"area 0":                  {AddArea{0, 1, 0, "Bar"}, AreaExists},
		"display nowhere":         {ReportDisplay{0, 1, 9, record.ScreenDraw, true, ""}, AreaUnknown},
		"terminal at nothing":     {AddTerminal{Venue: 9, Channel: "writer", Key: [32]byte{1}}, VenueUnknown},
		"terminal of no kind":     {AddTerminal{Venue: 1, Channel: "phone", Key: [32]byte{1}}, ChannelUnknown},
		"unknown terminal placed": {PlaceTerminal{Terminal: 99, Area: 1}, TerminalUnknown},
		"terminal placed nowhere": {PlaceTerminal{Terminal: 1, Area: 9}, AreaUnknown},
		"terminal in no area":     {AddTerminal{Venue: 1, Channel: "writer", Key: [32]byte{1}, Area: 9}, AreaUnknown},
		"key of nothing":          {KeyTerminal{0, 9, [32]byte{1}}, TerminalUnknown},
		"empty key":               {KeyTerminal{0, 1, [32]byte{}}, KeyWrong},
		"revoke nothing":          {RevokeTerminal{0, 9, "stolen"}, TerminalUnknown},
		"revoke twice":            {RevokeTerminal{0, 3, "stolen"}, KeyRevoked},
		"revoke for nothing":      {RevokeTerminal{0, 1, ""}, ReasonMissing},
		"leave without shift":     {Leave{locked}, NotOnShift},
		"end without shift":       {End{locked, locked}, NotOnShift},
		"erase on duty":           {Erase{By: 0, Person: senior, Reason: "left"}, OnShift},
		"action that is not":      {Request{By: senior, Action: "sing", Content: record.Hash{1}}, ActionUnknown},
		"answer without question": {Consent{By: senior, Approval: 9, Content: record.Hash{1}}, ApprovalUnknown},
	} {
		wantCode(t, name, r.do(c.do), c.code, "")
	}
	r.must(KeyTerminal{0, 3, [32]byte{5}})
	r.must(KeyTerminal{0, 3, [32]byte{5}}) // Its own is no other's.
	wantCode(t, "key of another", r.do(KeyTerminal{0, 1, [32]byte{5}}), KeyWrong, "")
	wantCode(t, "new terminal with the key of another", r.do(AddTerminal{Venue: 1, Channel: "writer", Key: [32]byte{5}}),
		KeyWrong, "")
	if post, _ := r.s.People().Post(3); post.Revoked || post.Key != [32]byte{5} {
		t.Errorf("a terminal with another key stands as %+v", post)
	}
	r.must(AddTerminal{Venue: 1, Channel: "writer"}) // It has no key, and gets one later.
	bare := r.s.People().NextTerminal() - 1
	if post, _ := r.s.People().Post(bare); post.Key != [32]byte{} || post.Revoked {
		t.Errorf("a terminal without a key stands as %+v", post)
	}
	r.must(KeyTerminal{0, bare, [32]byte{6}})
	r.now++ // The lock ends at its time and not before.
	wantCode(t, "after the lock", r.do(Begin{locked, 0, grant(record.RoleWriter, 1)}), "", "")
}

// TestSharedTerminal: a terminal has one person on shift, of its own venue.
func TestSharedTerminal(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	r.onDuty(record.RoleWriter, 1, 1)
	other := r.person(record.RoleWriter, 1)
	grant := state.Grant{Role: record.RoleWriter, Venue: 1}
	wantCode(t, "taken", r.do(Begin{other, 1, grant}), TerminalTaken, "")
	wantCode(t, "of another venue", r.do(Begin{other, 3, grant}), TerminalUnknown, "")
	wantCode(t, "free", r.do(Begin{other, 2, grant}), "", "")
}

// TestGameIsNotLeft: the last supervisor stays while a game runs, others may go, and
// who has said so goes when the game is over.
func TestGameIsNotLeft(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	first := r.onDuty(record.RoleSupervisor, 0, 0)
	r.openGame()
	wantCode(t, "alone", r.do(End{first, first}), GameRuns, "7(a)")
	second := r.onDuty(record.RoleSupervisor, 0, 0)
	wantCode(t, "of two", r.do(End{first, first}), "", "")
	wantCode(t, "sent home", r.do(End{first, second}), GameRuns, "7(a)")
	senior := r.onDuty(record.RoleSenior, 1, 0)
	wantCode(t, "a venue's", r.do(End{senior, senior}), "", "")
	r.must(Leave{second})
	wantCode(t, "leaves and the game runs", r.do(End{second, second}), GameRuns, "7(a)")
	wantCode(t, "leaves twice", r.do(Leave{second}), "", "")
}

// TestApprovals: who asks cannot consent, consent is to the very content, in time,
// by who may, and for one use.
func TestApprovals(t *testing.T) {
	begin := func() (r *rig, admin, inspector, gone uint32) {
		r = newRig(t, "vic-keno-2015")
		inspector = r.person(record.RoleInspector, 0) // Of the founding: there is no administrator yet.
		return r, r.person(record.RoleAdministrator, 0), inspector, r.person(record.RoleWriter, 1)
	}
	r, admin, inspector, gone := begin()
	second := r.person(record.RoleAdministrator, 0)
	erase := Erase{By: admin, Person: gone, Reason: "left", Approval: 1}
	r.must(Request{By: admin, Action: ActionErase, Content: erase.Content()})
	wantCode(t, "before consent", r.do(erase), ApprovalNotGiven, "")
	wantCode(t, "own", r.do(Consent{admin, 1, erase.Content(), true}), ApprovalOwn, "")
	wantCode(t, "without the role", r.do(Consent{gone, 1, erase.Content(), true}), NotAllowed, "")
	wantCode(t, "of something else", r.do(Consent{inspector, 1, record.Hash{1}, true}), ApprovalOther, "")
	r.must(Consent{inspector, 1, erase.Content(), true})
	wantCode(t, "twice", r.do(Consent{second, 1, erase.Content(), false}), ApprovalOver, "")
	changed := erase
	changed.Reason = "left us"
	wantCode(t, "changed after consent", r.do(changed), ApprovalOther, "")
	changed = erase
	changed.Person = inspector
	wantCode(t, "another person", r.do(changed), ApprovalOther, "")
	changed = erase
	changed.By = second
	wantCode(t, "used by another", r.do(changed), NotAllowed, "")
	wantCode(t, "no such", r.do(Erase{By: admin, Person: gone, Reason: "left", Approval: 7}), ApprovalUnknown, "")
	wantCode(t, "as approved", r.do(erase), "", "")
	wantCode(t, "erased", r.do(SetPassword{admin, gone, record.Hash{1}}), PersonUnknown, "")
	if used, err := UseApproval(r.s, r.now, Use{admin, 1, ActionErase, erase.Content()}); err == nil {
		t.Errorf("an approval was used twice: %+v", used)
	}

	r, admin, inspector, gone = begin()
	erase = Erase{By: admin, Person: gone, Reason: "left", Approval: 1}
	r.must(Request{By: admin, Action: ActionErase, Content: erase.Content()})
	life := record.Time(ApprovalLife / time.Millisecond)
	r.now = monday + life
	wantCode(t, "decided at the end", r.do(Consent{inspector, 1, erase.Content(), true}), ApprovalOver, "")
	r, admin, inspector, _ = begin()
	r.must(Request{By: admin, Action: ActionErase, Content: erase.Content()})
	r.now = monday + life - 1
	wantCode(t, "decided just in time", r.do(Consent{inspector, 1, erase.Content(), true}), "", "")
	r.now++
	wantCode(t, "used at the end", r.do(erase), ApprovalOver, "")

	r, admin, inspector, _ = begin()
	r.must(Request{By: admin, Action: ActionErase, Content: erase.Content()})
	r.must(Consent{inspector, 1, erase.Content(), false})
	wantCode(t, "refused", r.do(erase), ApprovalNotGiven, "")
}

// TestWithdraw: who asked takes a request back, before the consent and after it, and nobody
// else does; what was withdrawn, refused or used stays so.
func TestWithdraw(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	inspector := r.person(record.RoleInspector, 0)
	admin, second, gone := r.person(record.RoleAdministrator, 0), r.person(record.RoleAdministrator, 0),
		r.person(record.RoleWriter, 1)
	erase := Erase{By: admin, Person: gone, Reason: "left", Approval: 1}
	ask := func(number uint32) {
		t.Helper()
		erase.Approval = number
		r.must(Request{By: admin, Action: ActionErase, Content: erase.Content()})
	}
	ask(1)
	wantCode(t, "of something else", r.do(Consent{admin, 1, record.Hash{1}, false}), ApprovalOther, "")
	r.must(Consent{admin, 1, erase.Content(), false})
	wantCode(t, "consent to what was withdrawn", r.do(Consent{inspector, 1, erase.Content(), true}), ApprovalOver, "")
	wantCode(t, "withdrawn twice", r.do(Consent{admin, 1, erase.Content(), false}), ApprovalOver, "")
	ask(2)
	r.must(Consent{inspector, 2, erase.Content(), true})
	wantCode(t, "another takes the consent back", r.do(Consent{second, 2, erase.Content(), false}), ApprovalOver, "")
	r.must(Consent{admin, 2, erase.Content(), false})
	wantCode(t, "used after that", r.do(erase), ApprovalNotGiven, "")
	ask(3)
	r.must(Consent{inspector, 3, erase.Content(), false})
	wantCode(t, "withdrawn after a no", r.do(Consent{admin, 3, erase.Content(), false}), ApprovalOver, "")
	ask(4)
	r.must(Consent{inspector, 4, erase.Content(), true})
	wantCode(t, "as approved", r.do(erase), "", "")
	wantCode(t, "withdrawn after its use", r.do(Consent{admin, 4, erase.Content(), false}), ApprovalOver, "")
}

// TestContentHash: contents that differ in any value differ in their hash, also where
// values look alike side by side.
func TestContentHash(t *testing.T) {
	seen := map[record.Hash][]any{}
	for _, values := range [][]any{{"a", "b"}, {"ab", ""}, {"", "ab"}, {"a\nb"}, {"a"}, {1}, {"1"}, {uint32(1)}, {}} {
		hash := contentHash("x", values...)
		if before, ok := seen[hash]; ok {
			t.Errorf("%q and %q are one content", before, values)
		}
		seen[hash] = values
	}
	if contentHash("x") == contentHash("y") || ContentOf("x", []byte("a")) == ContentOf("y", []byte("a")) {
		t.Error("the action is not in the hash")
	}
}
