package verify_test

import (
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestPaperOfAnotherSeries makes a paper that a customer session took one for the games of
// another series, and expects the second opinion to refuse the end of the session.
func TestPaperOfAnotherSeries(t *testing.T) {
	const other = 2
	m := newMarket(t, "vic-keno-2015", 7)
	require(t, m.approved(command.BeginSeries{Name: "evening", Rulebook: m.book.Hash().String(),
		Schedule: m.book.Schedules()[0].ID(), Interval: 180, Reference: "decision 5"}))
	for venue := range uint32(2) {
		require(t, m.approved(command.LicenseVenue{Venue: venue + 1, Series: other, Sells: true, Reference: "decision 6"}))
	}
	require(t, m.engine.OpenDay(m.tick(), other, today, zone))
	m.days(200)
	if report := m.verify(); !report.OK() {
		t.Fatal(report.Failure)
	}
	bought := map[uint64]bool{} // places of papers that were sold by themselves
	for seq, data := range m.records {
		r, err := record.Decode(data)
		require(t, err)
		if issued, ok := r.Body.(*record.InstrumentIssued); ok && issued.Reason == record.IssuedForMoney {
			bought[uint64(seq)] = true
		}
		ended, ok := r.Body.(*record.SessionEnded)
		if !ok {
			continue
		}
		for _, tender := range ended.Tenders {
			at := tender.Instrument.Seq
			if tender.Cents <= 0 || tender.Refund || tender.Instrument.Volume != 1 || !bought[at] {
				continue
			}
			paper, err := record.Decode(m.records[at])
			require(t, err)
			paper.Body.(*record.InstrumentIssued).Series = other
			told, err := record.Encode(paper)
			require(t, err)
			report := m.upTo(int(at), append([][]byte{told}, m.records[at+1:seq+1]...)...)
			if f := report.Failure; f == nil || !strings.Contains(f.Error(), "is of series 2, and the session of series 1") {
				t.Errorf("a session takes a paper of another series: %v", f)
			}
			return
		}
	}
	t.Fatal("no session took a paper that somebody bought")
}
