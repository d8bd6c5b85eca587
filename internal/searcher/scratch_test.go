package searcher

import (
	"drawhouse/record"
	"os"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	data, err := os.ReadFile(os.Getenv("SCRATCH"))
	if err != nil {
		t.Skip()
	}
	for _, text := range strings.Split(string(data), "---\n") {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		w, err := Begin(lines[0], nil, "decided", lines[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[2:] {
			n := len(w.play.Records)
			_, err := w.Do(line)
			for _, raw := range w.play.Records[n:] {
				if r, _ := record.Decode(raw); strings.HasPrefix(line, "settle") {
					t.Logf("    %+v", r.Body)
				}
			}
			t.Logf("%-60s owed %v err %v (%d records) %v", line, w.owed(1), err, len(w.play.Records)-n, w.Found())
		}
		k := len(w.Lines)
		w.WindUp()
		t.Logf("wind up %q", w.Lines[k:])
		w.Verify()
		t.Logf("FOUND %v", w.Found())
	}
}
