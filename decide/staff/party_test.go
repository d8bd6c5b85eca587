package staff

import (
	"slices"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestAuthorityIsAParty: where a clause makes the authority a party to an act, an inspector and
// nobody else consents; where none does, people of the central site consent.
func TestAuthorityIsAParty(t *testing.T) {
	for _, c := range []struct {
		book, action, clause string
	}{
		{"tas-keno-2023", "move_pool", "7.4(i) 7.5(a) 7.6(a)"},
		{"tas-keno-2023", "give_aside", "7.4(i) 7.5(a) 7.6(a)"},
		{"tas-keno-2023", "begin_promotion", "17.3"},
		{"tas-keno-2023", "change_promotion", "17.3"},
		{"tas-keno-2023", "designate_game", ""},
		{"vic-keno-2015", "begin_promotion", ""},
	} {
		r := newRig(t, c.book)
		inspector := r.person(record.RoleInspector, 0)
		asks, supervisor := r.person(record.RoleAdministrator, 0), r.person(record.RoleSupervisor, 0)
		const says = "{}"
		content := ContentIn(1, c.action, []byte(says))
		r.must(Request{By: asks, Action: c.action, Content: content, Says: says, Series: 1})
		asked := mustApproval(t, r, 1)
		if only := slices.Equal(asked.Roles, []record.Role{record.RoleInspector}); only != (c.clause != "") {
			t.Errorf("%s: %s is consented to by %v", c.book, c.action, asked.Roles)
		}
		err := r.do(Consent{By: supervisor, Approval: 1, Content: content, Granted: true})
		if c.clause == "" {
			if err != nil {
				t.Errorf("%s: a supervisor consents to %s: %v", c.book, c.action, err)
			}
			continue
		}
		refused, ok := err.(*refusal.Refusal) //nolint:errorlint // The command wraps nothing.
		if !ok || refused.Code != NotAllowed || refused.Clause != rulebook.Quoted(c.clause) {
			t.Errorf("%s: a supervisor consents to %s: %v", c.book, c.action, err)
		}
		r.must(Consent{By: inspector, Approval: 1, Content: content, Granted: true})
	}
}

// TestPartyActs holds the acts that a rulebook may name against the acts of two persons.
func TestPartyActs(t *testing.T) {
	for _, act := range rulebook.PartyActs() {
		if !slices.Contains(operatorActions, act) {
			t.Errorf("no act of two persons is %s", act)
		}
	}
}
