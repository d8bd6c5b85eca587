package verify_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// wanted returns what two persons must have agreed on before a record of a story, or
// nothing where it needs nobody.
func wanted(body record.Body) (action string, says map[string]any) {
	switch b := body.(type) {
	case *record.PoolMoved:
		return "move_pool", map[string]any{"spots": b.Pools[0].Spots, "move": b.Move, "cents": b.AmountCents.Cents(),
			"reference": b.Approval}
	case *record.ParticipantsNamed:
		return "name_participants", map[string]any{"from": b.From, "names": b.Names}
	case *record.JurisdictionReported:
		return "report_jackpot", map[string]any{
			"ordinal": b.Game.Number + 1, "spots": b.Spots, "jurisdiction": b.Jurisdiction,
			"growth_cents": b.GrowthCents.Cents(), "stakes_cents": b.StakesCents.Cents(),
		}
	case *record.GameSettled:
		if b.Revision > 1 {
			return "share_jackpots", map[string]any{"ordinal": b.Game.Number + 1}
		}
	case *record.GameVoided:
		return "void_game", map[string]any{"ordinal": b.Game.Number + 1, "reason": b.Reason, "clause": b.Clause}
	}
	return "", nil
}

// approve lets two persons agree on a record that is about to be written, if it needs
// them and they have not, and reports whether they did.
func (h *house) approve(body record.Body) bool {
	h.t.Helper()
	action, says := wanted(body)
	if action == "" {
		return false
	}
	if voided, ok := body.(*record.GameVoided); ok && h.ahead {
		voided.Approval, h.ahead = h.approvals, false
		return false
	}
	if h.approvals == 0 {
		h.add("supervisor", &record.RoleGranted{Person: 2, Role: record.RoleSupervisor, By: 1})
	}
	h.approvals++
	text, err := json.Marshal(says)
	require(h.t, err)
	content := record.Hash(sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\nstring %q\n", action, text)))
	label := fmt.Sprintf(" of approval %d", h.approvals)
	h.add("request"+label, &record.ApprovalRequested{
		Approval: h.approvals, Action: action, Content: content, Roles: []record.Role{record.RoleSupervisor}, Expires: h.now +
			60_000, By: 1, Says: string(text),
	})
	h.add("decision"+label, &record.ApprovalDecided{Approval: h.approvals, Content: content, Granted: true, By: 2})
	h.add("use"+label, &record.ApprovalUsed{Approval: h.approvals, By: 1})
	if voided, ok := body.(*record.GameVoided); ok {
		voided.Approval = h.approvals
	}
	return true
}

// approveAhead lets two persons agree on a void game whose prizes run on: these stand
// between the approval and the game.
func (h *house) approveAhead(ordinal uint32) {
	h.t.Helper()
	h.approve(&record.GameVoided{Game: gameName(ordinal), Reason: voidReason, Clause: voidClause})
	h.ahead = true
}

// TestLyingAboutApprovals: what two persons must want is not done by one, nor otherwise
// than they agreed, nor late, nor twice, and an approval is of nothing else.
func TestLyingAboutApprovals(t *testing.T) {
	asked := func(f func(*record.ApprovalRequested)) lies { return change("request of approval 1", f) }
	for _, d := range []damage{
		{"nobody was asked", lies{skip: map[string]bool{"request of approval 1": true, "decision of approval 1": true,
			"use of approval 1": true}}, verify.CheckJackpots, "lent", "nobody has approved"},
		{"nobody consented", skip("decision of approval 1"), verify.CheckPeople, "use of approval 1", "was not given"},
		{"refused", change("decision of approval 1", func(b *record.ApprovalDecided) { b.Granted = false }),
			verify.CheckPeople, "use of approval 1", "was not given"},
		{"consent of who asked", change("decision of approval 1", func(b *record.ApprovalDecided) { b.By = 1 }),
			verify.CheckPeople, "decision of approval 1", "not open to this person"},
		{"consent to something else", change("decision of approval 1", func(b *record.ApprovalDecided) { b.Content[0]++ }),
			verify.CheckPeople, "decision of approval 1", "for this content"},
		{"used by another", change("use of approval 1", func(b *record.ApprovalUsed) { b.By = 2 }), verify.CheckPeople,
			"use of approval 1", "was not given to this person"},
		{"consent of who has no role", skip("supervisor"), verify.CheckPeople, "decision of approval 1",
			"has no role for it"},
		{"asked for by who has no role", lies{skip: map[string]bool{"supervisor": true},
			change: asked(func(b *record.ApprovalRequested) { b.By = 2 }).change}, verify.CheckPeople, "request of approval 1",
			"has no role for it"},
		{"a role that does not oversee",
			asked(func(b *record.ApprovalRequested) { b.Roles = []record.Role{record.RoleWriter} }), verify.CheckPeople,
			"request of approval 1", "not for that role"},
		{"done by who has no role any more", before("use of approval 1", func(h *house) {
			h.add("home", &record.ShiftEnded{Person: 1, By: 1})
			h.add("withdrawn", &record.RoleWithdrawn{Person: 1, Role: record.RoleOperative, By: 2})
		}), verify.CheckPeople, "use of approval 1", "has no role for it any more"},
		{"used late", asked(func(b *record.ApprovalRequested) { b.Expires -= 57_500 }), verify.CheckPeople,
			"use of approval 1", "was not given"},
		{"another text than the hash", asked(func(b *record.ApprovalRequested) { b.Says = "{}" }), verify.CheckPeople,
			"request of approval 1", "the hash of"},
		{"another amount", asked(func(b *record.ApprovalRequested) {
			b.Says = `{"cents":1,"move":"lend","reference":"C1","spots":8}`
			b.Content = record.Hash(sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\nstring %q\n", b.Action, b.Says)))
		}), verify.CheckPeople, "decision of approval 1", "for this content"},
		{"another act", before("lent", func(h *house) { h.approveOther() }), verify.CheckJackpots, "lent",
			"agreed on designate_game"},
		{"something else after an approval", before("lent", func(h *house) {
			h.approveOther()
			h.add("between", &record.RequestBurned{Terminal: 70, Number: 1})
		}), verify.CheckRequests, "between", "comes of an approval"},
		{"a move without its approval", before("lent", func(h *house) {
			h.bare("alone", &record.PoolMoved{Series: series, Move: "lend", AmountCents: 1, Approval: "C1",
				Pools: []record.Pool{{Spots: 8, Primary: 1}}}, ledger.Debit(ledger.Operator, 0, 1),
				ledger.Credit(ledger.JackpotPrimary, ledger.Pool(series, 8), 1))
		}), verify.CheckJackpots, "alone", "nobody has approved"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies).tellRace()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}

// bare writes a record that nobody has approved.
func (h *house) bare(label string, body record.Body, moves ...ledger.Posting) {
	h.t.Helper()
	h.unasked = true
	defer func() { h.unasked = false }()
	h.add(label, body, moves...)
}

// approveOther lets two persons agree on a game of delayed start, which nobody then
// announces, in place of what comes next.
func (h *house) approveOther() {
	h.t.Helper()
	h.unasked = true
	h.add("supervisor", &record.RoleGranted{Person: 2, Role: record.RoleSupervisor, By: 1})
	says := `{"ordinal":5}`
	content := record.Hash(sha256.Sum256(fmt.Appendf(nil, "drawhouse/approval/v1\n%q\nstring %q\n", "designate_game",
		says)))
	h.add("request", &record.ApprovalRequested{Approval: 9, Action: "designate_game", Content: content,
		Roles: []record.Role{record.RoleSupervisor}, Expires: h.now + 60_000, By: 1, Says: says})
	h.add("decision", &record.ApprovalDecided{Approval: 9, Content: content, Granted: true, By: 2})
	h.add("use", &record.ApprovalUsed{Approval: 9, By: 1})
}
