package state

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// TestCheques promises two cheques and hands them over: the one that is due first stands
// first, neither can be handed over twice, and the sum of the tills is what it was.
func TestCheques(t *testing.T) {
	s := New()
	end := record.Place{Volume: 1, Seq: 7}
	s.terminals[3] = &Terminal{ID: 3, Venue: 2, Answer: end}
	promise := func(seq uint64, due record.Time) record.Place {
		s.next = record.Place{Volume: 1, Seq: seq}
		if err := s.promiseCheque(&record.ChequePromised{End: end, Terminal: 3, Means: "site_cheque", Cents: 440_00,
			Due: due}, 1000); err != nil {
			t.Fatal(err)
		}
		return s.next
	}
	later, sooner := promise(8, 3000), promise(9, 2000)
	if all := s.Cheques(); len(all) != 2 || all[0].Place != sooner || all[1].Place != later || all[0].Venue != 2 ||
		all[0].Asked != 1000 {
		t.Errorf("due are %+v", all)
	}
	if s.promiseCheque(&record.ChequePromised{End: sooner, Terminal: 3}, 1000) == nil {
		t.Error("a cheque was promised of something that ended no session")
	}
	for _, place := range []record.Place{later, sooner} {
		if err := s.handCheque(&record.ChequeHanded{Cheque: place, By: 1}); err != nil {
			t.Error(err)
		}
		if s.handCheque(&record.ChequeHanded{Cheque: place, By: 1}) == nil {
			t.Errorf("cheque %v was handed over twice", place)
		}
	}
	christmas := day.MustParse("2026-12-25")
	s.nameHolidays(&record.HolidaysNamed{Days: []day.Day{christmas}})
	if !s.IsHoliday(christmas) || s.IsHoliday(christmas+1) {
		t.Errorf("the holidays are %v", s.Holidays())
	}
	s.nameHolidays(&record.HolidaysNamed{})
	if s.IsHoliday(christmas) || len(s.Holidays()) != 0 {
		t.Errorf("what was taken back leaves %v", s.Holidays())
	}
}
