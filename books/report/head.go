package report

import (
	"fmt"
	"strings"

	"drawhouse/books"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Head is the last record that a report has read: the same records make the same report, whenever that is done.
type Head struct {
	Place record.Place
	Time  record.Time
}

// String names the record with its time; empty for none.
func (h Head) String() string {
	if h == (Head{}) {
		return ""
	}
	return fmt.Sprintf("record %v of %s UTC", h.Place, h.Time.Time().Format("2006-01-02 15:04:05"))
}

// Last takes the next record that was read.
func (h *Head) Last(place record.Place, r record.Record) { *h = Head{place, r.Time} }

// End returns the place behind the last record of some days.
func End(days []*books.Book) record.Place {
	last := days[0].End
	for _, b := range days {
		if last.Before(b.End) {
			last = b.End
		}
	}
	return last
}

// upTo returns the last record of some days; none without a reader.
func upTo(days []*books.Book, read Reader) (Head, error) {
	last := End(days)
	if read == nil || last.Seq == 0 {
		return Head{}, nil
	}
	last.Seq--
	r, err := read(last)
	if err != nil {
		return Head{}, fmt.Errorf("report: the record at %v: %w", last, err)
	}
	return Head{last, r.Time}, nil
}

// Since is what the journal has behind the last close of the days of a report, or of journal entries: what was booked
// and is in neither.
type Since struct {
	Records uint64
	Debits  money.Amount // of all of them
	To      Head         // the last of them
}

// Add takes the next record.
func (s *Since) Add(place record.Place, r record.Record) error {
	s.Records++
	s.To.Last(place, r)
	var err error
	for _, p := range r.Postings {
		if p.Cents > 0 && err == nil {
			s.Debits, err = s.Debits.Add(p.Cents)
		}
	}
	return err
}

// String says what was booked; empty for nothing.
func (s Since) String() string {
	if s.Records == 0 {
		return ""
	}
	return fmt.Sprintf("Booked since the last close: %s, up to %v, with debits of %s in all.",
		figure.CountOf(s.Records, "record", "records"), s.To, dollars(s.Debits))
}

// says returns the notes of a report.
func (s Since) says() []string {
	if s.Records == 0 {
		return nil
	}
	return []string{s.String() + " No row has any of it."}
}

// sayEnds says up to where the rows of each series go, where a report shows series whose days end apart.
func (t *Table) sayEnds(days []*books.Book) {
	if !t.Name.OfSeries() || len(seriesIn(days)) < 2 {
		return
	}
	ends := map[uint8]*books.Book{}
	for _, b := range days {
		if ends[b.Series] == nil || ends[b.Series].End.Before(b.End) {
			ends[b.Series] = b
		}
	}
	var parts []string
	for _, series := range seriesIn(days) {
		b := ends[series]
		parts = append(parts, fmt.Sprintf("those of series %d with %v, before record %v", series, b.Day, b.End))
	}
	t.Notes = append(t.Notes, "Each series has days of its own. The rows end: "+strings.Join(parts, ", ")+".")
}
