package verify

import (
	"errors"
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestGuardAndLevel holds that an objection of a guard is a finding before the level of
// the guards and a fault from that level on, and that a level never falls.
func TestGuardAndLevel(t *testing.T) {
	c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: record.LevelFirst, seq: 7,
		kind: record.KindTicketPaid}
	objection := fault(CheckPayments, "the ticket is frozen")
	if err := c.guard(nil); err != nil || c.report.FindingCount != 0 {
		t.Fatalf("no objection: %v, %d findings", err, c.report.FindingCount)
	}
	if err := c.guard(objection); err != nil {
		t.Fatalf("level %d: %v", c.level, err)
	}
	if len(c.report.Findings) != 1 ||
		c.report.Findings[0].String() != "payments: record 1:7 (ticket paid): the ticket is frozen" {
		t.Fatalf("findings: %v", c.report.Findings)
	}
	var text strings.Builder
	c.report.writeFindings(&text)
	if !strings.Contains(text.String(), "1 finding to ask the operator about:\n  payments: record 1:7") {
		t.Fatalf("the report says %q", text.String())
	}
	for range maxFindings + 5 {
		c.find(objection)
	}
	if len(c.report.Findings) != maxFindings || c.report.FindingCount != maxFindings+6 {
		t.Fatalf("%d findings of %d", len(c.report.Findings), c.report.FindingCount)
	}
	if err := c.levelRaised(&record.LevelRaised{Level: record.LevelGuarded}); err != nil {
		t.Fatal(err)
	}
	if err := c.guard(objection); !errors.Is(err, objection) {
		t.Fatalf("level %d: %v", c.level, err)
	}
	if err := c.levelRaised(&record.LevelRaised{Level: record.LevelGuarded}); err == nil {
		t.Fatal("a level is raised to itself")
	}
	if err := c.levelOf(&record.VolumeBegun{Level: record.LevelFirst}); err == nil {
		t.Fatal("a volume has a lower level than the journal")
	}
}

// TestNewer holds the guards that came after record.LevelGuarded against journals of every level: what they refuse is a
// finding below record.LevelSeries, where honest houses did it, and a fault from that level on.
func TestNewer(t *testing.T) {
	objection := hallFault("a wager goes back a second time")
	for level := uint8(record.LevelFirst); level <= record.Level; level++ {
		c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level}
		err, found := c.newer(objection), c.report.FindingCount
		if older := level < record.LevelSeries; older != (err == nil) || older != (found == 1) {
			t.Errorf("at level %d: %v, and %d findings", level, err, found)
		}
		if err := c.newer(nil); err != nil || c.report.FindingCount != found {
			t.Errorf("at level %d no objection is one: %v", level, err)
		}
	}
}
