package kept

import (
	"errors"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestNewerJournal reads kept journals with which a newer program went on. This program cannot, and says which program
// can; it calls no record of them false.
func TestNewerJournal(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range all[len(all)-3:] {
		t.Run(j.Name, func(t *testing.T) {
			t.Parallel()
			g := replay(t, j)
			now := g.State().Now() + 1000
			if _, err := g.RaiseLevel(now, "kept"); err != nil {
				t.Fatal(err)
			}
			if _, err := g.NameBuild(now, record.BuildNamed{Build: "drawhouse 9.1.0", Binary: record.Hash{9}}); err != nil {
				t.Fatal(err)
			}
			g.take(t)
			newer := []byte{0x85, 0x18, 0xfe, 0x01, 0x1b, 0, 0, 1, 0xa0, 0, 0, 0, 0, 0x80, 0x80} // Of kind 254.
			err := g.Replay(newer)
			if !errors.Is(err, record.ErrNewer) {
				t.Fatal(err)
			}
			says(t, err.Error())

			tree := g.Tree()
			tree.Append(newer)
			volume := g.State().Volume()
			c := journal.Checkpoint{Origin: volume.Origin(), Size: tree.Size(), Root: tree.Root()}
			if g.checkpoint, err = journal.SignCheckpoint(c, g.key); err != nil {
				t.Fatal(err)
			}
			g.records = append(g.records, Record{g.State().Next(), newer})
			report := verify.Run(g.export(t), verify.Options{})
			if report.OK() {
				t.Fatal("verified")
			}
			says(t, report.Failure.Reason)
		})
	}
}

// says holds a sentence about a newer program's record against what a reader needs.
func says(t *testing.T, sentence string) {
	t.Helper()
	for _, part := range []string{"kind 254", "a newer program wrote this; use that one", "drawhouse 9.1.0"} {
		if !strings.Contains(sentence, part) {
			t.Errorf("it does not say %q: %s", part, sentence)
		}
	}
}
