package verify_test

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestContinued checks that a ticket whose paper the writer keeps goes on with another sheet at once
// (casino-keno-div2 8.5), and that no other ticket gets one so.
func TestContinued(t *testing.T) {
	s := tellMoney(t, "casino-keno-div2",
		"house\nsell A at T1 standard 1 @ 5.00 for 2 games\nplay 1-20\npay A at T1\nplay 1-19 21\npay A at T1\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	sheet := s.find(record.KindPaperReissued, 1)
	if f := s.verified(sheet, s.Records[sheet+1]); f == nil ||
		!strings.Contains(f.Reason, "no sheet follows on which its games go on") {
		t.Errorf("without the sheet: %v", f)
	}
	again := s.find(record.KindTicketPaid, 2)
	before, err := record.Decode(s.Records[again])
	require(t, err)
	r, err := record.Decode(s.Records[sheet])
	require(t, err)
	r.Time = before.Time
	told, err := record.Encode(r)
	require(t, err)
	if f := s.verified(again+1, told); f == nil || !strings.Contains(f.Reason, "nobody keeps the paper") {
		t.Errorf("a sheet of a ticket that is over: %v", f)
	}
}
