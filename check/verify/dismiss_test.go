package verify_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal/record"
)

// tellDismissal has an inspector who is appointed, locked by guesses, let in by one person,
// locks the own number, and is let in, locked, dismissed and erased by two persons.
func (h *house) tellDismissal() {
	h.t.Helper()
	h.tellInspector()
	h.unasked = true
	defer func() { h.unasked = false }()
	h.add("guessed", &record.LockSet{Person: inspects, Until: h.now + 900_000, Reason: "guesses"})
	h.add("cut short", &record.LockSet{Person: inspects, Reason: "a mistake", By: consents})
	h.add("locks", &record.LockSet{Person: inspects, Until: record.Forever, Reason: "lost", By: inspects})
	h.agreeOn("free ", 10, "lock_inspector", fmt.Sprintf(`{"person":%d,"locked":false,"reason":"back"}`, inspects))
	h.add("free", &record.LockSet{Person: inspects, Reason: "back", By: asks})
	h.agreeOn("lock ", 11, "lock_inspector", fmt.Sprintf(`{"person":%d,"locked":true,"reason":"leave"}`, inspects))
	h.add("locked", &record.LockSet{Person: inspects, Until: record.Forever, Reason: "leave", By: asks})
	h.agreeOn("dismiss ", 12, "dismiss_inspector", fmt.Sprintf(`{"person":%d}`, inspects))
	h.add("dismissed", &record.RoleWithdrawn{Person: inspects, Role: record.RoleInspector, By: asks})
	content := record.Hash(sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\nuint32 \"%d\"\nstring %q\n",
		"erase_person", inspects, "left")))
	h.agree("erase ", content, record.ApprovalRequested{Approval: 13, Action: "erase_person"})
	h.add("erased", &record.PersonErased{Person: inspects, Reason: "left", By: asks})
}

// TestLyingAboutDismissals: anybody who keeps an inspector out, lets one back in, dismisses or
// erases one alone is found, and so is the house that does it by itself.
func TestLyingAboutDismissals(t *testing.T) {
	alone := func(label string, l lies) lies {
		l.skip = map[string]bool{label + " asked": true, label + " consented": true, label + " used": true}
		return l
	}
	lock := func(label string, to func(*record.LockSet)) lies { return change(label, to) }
	for _, d := range []damage{
		{"let in by one", alone("free", lies{}), verify.CheckPeople, "free", "nobody has approved"},
		{"let in by the house", alone("free", lock("free", func(b *record.LockSet) { b.By = 0 })), verify.CheckPeople, "free",
			"nobody has approved"},
		{"locked by one", alone("lock", lies{}), verify.CheckPeople, "locked", "nobody has approved"},
		{"locked for another reason", lock("locked", func(b *record.LockSet) { b.Reason = "because" }), verify.CheckPeople,
			"locked", "something else than this"},
		{"somebody else locked", lock("locked", func(b *record.LockSet) { b.Person = consents }), verify.CheckPeople,
			"locked", "something else than this"},
		{"let in though a lock was agreed on", lock("locked", func(b *record.LockSet) { b.Until = 0 }), verify.CheckPeople,
			"locked", "something else than this"},
		{"locked by another than asked", lock("locked", func(b *record.LockSet) { b.By = consents }), verify.CheckPeople,
			"locked", "something else than this"},
		{"locked for good for guesses", lock("guessed", func(b *record.LockSet) { b.Until = record.Forever }),
			verify.CheckPeople, "guessed", "nobody has approved"},
		{"locked for hours for guesses", lock("guessed", func(b *record.LockSet) { b.Until += 3_600_000 }),
			verify.CheckPeople, "guessed", "nobody has approved"},
		{"locked by who may cut a lock short", lock("cut short", func(b *record.LockSet) { b.Until = 1 }), verify.CheckPeople,
			"cut short", "nobody has approved"},
		{"locked in the inspector's name", lock("locks", func(b *record.LockSet) { b.By = consents }), verify.CheckPeople,
			"locks", "nobody has approved"},
		{"dismissed by one", alone("dismiss", lies{}), verify.CheckPeople, "dismissed", "nobody has approved"},
		{"dismissed by the house", alone("dismiss", change("dismissed", func(b *record.RoleWithdrawn) { b.By = 0 })),
			verify.CheckPeople, "dismissed", "nobody has approved"},
		{"dismissed by another than asked", change("dismissed", func(b *record.RoleWithdrawn) { b.By = consents }),
			verify.CheckPeople, "dismissed", "something else than this"},
		{"another role withdrawn", change("dismissed",
			func(b *record.RoleWithdrawn) { b.Person, b.Role = consents, record.RoleSupervisor }), verify.CheckPeople,
			"dismissed", "comes of an approval"},
		{"erased by one", alone("erase", lies{}), verify.CheckPeople, "erased", "consent"},
		{"erased for another reason", change("erased", func(b *record.PersonErased) { b.Reason = "a wish" }),
			verify.CheckPeople, "erased", "consent"},
		{"somebody else erased", change("erased", func(b *record.PersonErased) { b.Person = consents }), verify.CheckPeople,
			"erased", "consent"},
		{"erased by another than asked", change("erased", func(b *record.PersonErased) { b.By = consents }),
			verify.CheckPeople, "erased", "consent"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t,
				lies{before: map[string]func(*house){"lent": func(h *house) { h.lies = d.lies; h.tellDismissal() }}}).tellRace()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
	honest := newHouse(t, before("lent", (*house).tellDismissal)).tellRace()
	if report := runBothWays(t, honest.files(), verify.Options{}); report.Failure != nil {
		t.Error(report.Failure)
	}
	leaves := alone("dismiss", change("dismissed", func(b *record.RoleWithdrawn) { b.By = inspects }))
	left := newHouse(t,
		lies{before: map[string]func(*house){"lent": func(h *house) { h.lies = leaves; h.tellDismissal() }}}).tellRace()
	if report := runBothWays(t, left.files(), verify.Options{}); report.Failure != nil {
		t.Errorf("an inspector who leaves: %v", report.Failure)
	}
}
