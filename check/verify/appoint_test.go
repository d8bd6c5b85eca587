package verify_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal/record"
)

// The people of tellInspector.
const (
	asks     = 31 // an administrator
	consents = 32
	inspects = 33
)

// tellInspector has an administrator ask for an inspector, to which a supervisor consents.
func (h *house) tellInspector() {
	h.t.Helper()
	h.unasked = true
	defer func() { h.unasked = false }()
	for id, role := range map[uint32]record.Role{asks: record.RoleAdministrator, consents: record.RoleSupervisor,
		inspects: ""} {
		h.add(fmt.Sprint("person ", id), &record.PersonAdded{Person: id, Details: record.Hash{byte(id)}})
		if role != "" {
			h.add(string(role), &record.RoleGranted{Person: id, Role: role})
		}
	}
	h.agreeOn("", 9, "appoint_inspector", fmt.Sprintf(`{"person":%d}`, inspects))
	h.add("appointed", &record.RoleGranted{Person: inspects, Role: record.RoleInspector, By: asks})
	h.add("invited", &record.PasswordSet{Person: inspects, Secret: record.Hash{1}, By: asks})
}

// agreeOn has the administrator ask for an action and the supervisor consent to it, under
// labels with a prefix.
func (h *house) agreeOn(prefix string, number uint32, action, says string) {
	h.t.Helper()
	content := record.Hash(sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\nstring %q\n", action, says)))
	h.agree(prefix, content, record.ApprovalRequested{Approval: number, Action: action, Says: says})
}

func (h *house) agree(prefix string, content record.Hash, asked record.ApprovalRequested) {
	h.t.Helper()
	asked.Content, asked.Roles, asked.Expires, asked.By = content, []record.Role{record.RoleSupervisor}, h.now+60_000, asks
	h.add(prefix+"asked", &asked)
	h.add(prefix+"consented", &record.ApprovalDecided{Approval: asked.Approval, Content: content, Granted: true,
		By: consents})
	h.add(prefix+"used", &record.ApprovalUsed{Approval: asked.Approval, By: asks})
}

// TestLyingAboutInspectors: an inspector whom one person made, or the house itself once it
// has an administrator, is found; so is one with another role, or whose password somebody
// else has set anew.
func TestLyingAboutInspectors(t *testing.T) {
	alone := func(by uint32) lies {
		l := change("appointed", func(b *record.RoleGranted) { b.By = by })
		l.skip = map[string]bool{"asked": true, "consented": true, "used": true}
		return l
	}
	for _, d := range []damage{
		{"made by one person", alone(asks), verify.CheckPeople, "appointed", "nobody has approved"},
		{"made by the house", alone(0), verify.CheckPeople, "appointed", "nobody has approved"},
		{"asked for by who is no administrator",
			change("administrator", func(b *record.RoleGranted) { b.Role = record.RoleOperative }), verify.CheckPeople, "asked",
			"has no role for it"},
		{"another than was agreed on", change("appointed", func(b *record.RoleGranted) { b.Person = 1 }), verify.CheckPeople,
			"appointed", "something else than this"},
		{"by another than asked", change("appointed", func(b *record.RoleGranted) { b.By = consents }), verify.CheckPeople,
			"appointed", "something else than this"},
		{"another role than was agreed on", change("appointed",
			func(b *record.RoleGranted) { b.Role = record.RoleOperative }), verify.CheckPeople, "appointed",
			"comes of an approval"},
		{"who is something else", before("asked", func(h *house) {
			h.add("works", &record.RoleGranted{Person: inspects, Role: record.RoleOperative, By: asks})
		}), verify.CheckPeople, "appointed", "cannot have come to this"},
		{"who becomes something else", before("invited", func(h *house) {
			h.add("operative", &record.RoleGranted{Person: inspects, Role: record.RoleOperative, By: asks})
		}), verify.CheckPeople, "operative", "cannot have come to this"},
		{"whose password is set anew", before("invited", func(h *house) {
			h.add("first", &record.PasswordSet{Person: inspects, Secret: record.Hash{2}, By: asks})
		}), verify.CheckPeople, "invited", "cannot have come to this"},
		{"who consented", func() lies {
			l := change("consented", func(b *record.ApprovalDecided) { b.By = inspects })
			l.before = map[string]func(*house){
				"consented": func(h *house) {
					h.add("helps out", &record.RoleGranted{Person: inspects, Role: record.RoleSupervisor, By: asks})
				},
				"used": func(h *house) {
					h.add("back", &record.RoleWithdrawn{Person: inspects, Role: record.RoleSupervisor, By: asks})
				},
			}
			return l
		}(), verify.CheckPeople, "appointed", "something else than this"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t,
				lies{before: map[string]func(*house){"lent": func(h *house) { h.lies = d.lies; h.tellInspector() }}}).tellRace()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
	honest := newHouse(t, before("lent", (*house).tellInspector)).tellRace()
	if report := runBothWays(t, honest.files(), verify.Options{}); report.Failure != nil {
		t.Error(report.Failure)
	}
}
