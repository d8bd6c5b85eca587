package main

import (
	"encoding/json"
	"testing"
)

// TestBenchBooks measures a small journal over three days: what the books say is what its
// records add up to, or the command fails.
func TestBenchBooks(t *testing.T) {
	var report booksReport
	if err := json.Unmarshal([]byte(succeed(t, "bench", "books", "--records=6000", "--per-day=2000", "--questions=3", "--json", "--dir="+t.TempDir())), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Sizes) != 1 || report.Sizes[0].Records < 6000 || report.Sizes[0].Days < 3 || len(report.Sizes[0].Answers) != len(questions)+1 || report.Sizes[0].Naive <= 0 {
		t.Errorf("%+v", report)
	}
}
