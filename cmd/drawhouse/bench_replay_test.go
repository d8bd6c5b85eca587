package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestBenchReplay measures a small journal: a house opens on all of it, and from a snapshot
// that another one has left.
func TestBenchReplay(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"bench", "replay", "--tickets=100", "--rounds=1", "--json", "--dir=" + t.TempDir()}, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var report replayReport
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Records < 100 || report.SnapshotBytes == 0 || len(report.Snapshots) != 1 || report.SnapshotTimes <= 0 {
		t.Errorf("%+v", report)
	}
}
