package bench

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestBenchReplay measures a small journal: a house opens on all of it, and from a snapshot
// that another one has left.
func TestBenchReplay(t *testing.T) {
	var out bytes.Buffer
	if err := (&replayCmd{Tickets: 100, Rounds: 1, JSON: true, Dir: t.TempDir()}).Run(&out); err != nil {
		t.Fatal(err)
	}
	var report replayReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Records < 100 || report.SnapshotBytes == 0 || len(report.Snapshots) != 1 || report.SnapshotTimes <= 0 {
		t.Errorf("%+v", report)
	}
}
