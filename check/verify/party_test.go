package verify_test

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestAuthorityIsAParty has a request to lend money to a pool name who may consent beside an inspector.
func TestAuthorityIsAParty(t *testing.T) {
	m := newMarket(t, "tas-keno-2023", 3)
	require(t, m.approved(command.MovePool{Spots: 8, Move: rulebook.MoveLend, Cents: 12_345_00, Reference: "decision 1"}))
	m.take()
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
	seq := slices.IndexFunc(m.records, func(data []byte) bool {
		kind, _ := record.KindOf(data)
		return kind == record.KindApprovalRequested
	})
	r, err := record.Decode(m.records[seq])
	require(t, err)
	for _, roles := range [][]record.Role{{record.RoleSupervisor, record.RoleInspector}, {record.RoleSupervisor}} {
		r.Body.(*record.ApprovalRequested).Roles = roles
		told, err := record.Encode(r)
		require(t, err)
		if f := m.upTo(seq, told).Failure; f == nil ||
			!strings.Contains(f.Error(), "an inspector alone may (7.4(i) 7.5(a) 7.6(a))") {
			t.Errorf("%v may consent: %v", roles, f)
		}
	}
}
