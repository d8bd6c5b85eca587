package verify_test

import (
	"slices"
	"testing"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestTurnsOfOpening opens Keno Days on which a month and the weeks of two venues are over. On the last of them the
// time of papers and prizes is over too. The house writes what follows in one order, and verify agrees. It finds every
// record that comes out of its turn or is left out.
func TestTurnsOfOpening(t *testing.T) {
	m := newMarketBy(t, taxedBook(t, "vic-keno-2015",
		`{clause: "3(a)", base: turnover, rate: 10, rounding: floor, losses: not_carried, due_day: 28, payee: The Treasurer}`), 4)
	for venue := range uint32(2) {
		require(t, m.approved(command.AgreeVenue{Venue: venue + 1, FromDay: "2026-11-15", SalesRate: 700, WeekEnds: 1}))
	}
	m.tradeOn(day.MustParse("2026-11-15"), 6)
	m.tradeOn(day.MustParse("2026-12-01"), 0)
	// The first day of the last month is the day after a Monday, too.
	m.tradeOn(day.MustParse("2028-02-01"), 0)
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
	order := []record.Kind{record.KindTaxStated, record.KindInstrumentsExpired, record.KindPrizesSwept,
		record.KindVenueStated}
	var opening int
	for seq, data := range m.records {
		if kind, _ := record.KindOf(data); kind == record.KindDayOpened {
			opening = seq
		}
	}
	var places [4][]int // of the records that follow from the last opening
	for seq := opening + 1; ; seq++ {
		kind, _ := record.KindOf(m.records[seq])
		turn := slices.Index(order, kind)
		if turn < 0 {
			break
		}
		places[turn] = append(places[turn], seq)
	}
	for turn, at := range places {
		t.Logf("%d records %v", len(at), order[turn])
		if len(at) == 0 || turn > 0 && at[0] != places[turn-1][len(places[turn-1])-1]+1 {
			t.Fatalf("records %v stand at %v, and those before them at %v", order[turn], at, places[max(turn-1, 0)])
		}
	}
	if tax, stated := len(places[0]), len(places[3]); tax != 14 || stated != 2 {
		t.Errorf("%d months and %d venues are stated", tax, stated)
	}
	for turn, at := range places {
		first, last := at[0], at[len(at)-1]
		// What follows comes when one record of this turn is still due, and in its place.
		if f := m.upTo(last, m.records[last+1]).Failure; f == nil || f.Place.Seq != uint64(last) {
			t.Errorf("the last record %v is left out: %v", order[turn], f)
		}
		for _, early := range places[turn+1:] {
			if f := m.upTo(first, m.records[early[0]]).Failure; f == nil || f.Place.Seq != uint64(first) {
				t.Errorf("record %d comes before the records %v: %v", early[0], order[turn], f)
			}
		}
		for late := turn + 1; late < len(places); late++ {
			end := places[late][len(places[late])-1]
			if f := m.upTo(end+1, m.records[first]).Failure; f == nil || f.Place.Seq != uint64(end+1) {
				t.Errorf("a record %v comes behind the records %v: %v", order[turn], order[late], f)
			}
		}
	}
	if first := places[3][0]; m.upTo(first, m.records[first+1]).OK() {
		t.Error("the statement of venue 2 comes before that of venue 1")
	}
}
