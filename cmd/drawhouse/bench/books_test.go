package bench

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestBenchBooks measures a small journal over three days: what the books say is what its
// records add up to, or the command fails.
func TestBenchBooks(t *testing.T) {
	var out bytes.Buffer
	if err := (&booksCmd{Records: 6000, PerDay: 2000, Questions: 3, JSON: true, Dir: t.TempDir()}).Run(&out); err != nil {
		t.Fatal(err)
	}
	var report booksReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Sizes) != 1 || report.Sizes[0].Records < 6000 || report.Sizes[0].Days < 3 ||
		len(report.Sizes[0].Answers) != len(questions)+1 || report.Sizes[0].Naive <= 0 {
		t.Errorf("%+v", report)
	}
}
