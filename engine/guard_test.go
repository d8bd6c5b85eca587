package engine

import (
	"errors"
	"testing"

	"drawhouse/journal"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
)

// TestLeadIsGuarded: the record that stands before another is asked about too. Here somebody
// uses an approval who is not there.
func TestLeadIsGuarded(t *testing.T) {
	var nobody journal.Signer
	e := New(nobody)
	act := record.Record{Body: &record.GameDesignated{}}
	if err := e.guardAll(act); err != nil {
		t.Fatal(err)
	}
	e.lead = &record.ApprovalUsed{Approval: 1, By: 77}
	var refused *refusal.Refusal
	if err := e.guardAll(act); !errors.As(err, &refused) || refused.Code != staff.PersonUnknown {
		t.Errorf("an approval is used by nobody: %v", err)
	}
	e.lead = nil
	if err := e.guardAll(record.Record{Body: &record.PlayPaused{By: 77}}); !errors.As(err, &refused) || refused.Code != staff.PersonUnknown {
		t.Errorf("play is paused by nobody: %v", err)
	}
}
