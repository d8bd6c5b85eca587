package facts_test

import (
	"bytes"
	"context"
	"testing"

	"drawhouse/books/report"
	"drawhouse/house"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// journalOf reads the records of a house in memory, too.
type journalOf struct {
	reader
	core *cases.Core
}

// Record implements store.Reader.
func (j journalOf) Record(_ context.Context, place record.Place) ([]byte, error) {
	return j.core.Records[place.Seq], nil
}

// Volumes implements store.Reader.
func (journalOf) Volumes(context.Context) ([]store.Head, error) {
	return []store.Head{{Volume: 1}}, nil
}

// TestListsTwice makes every report that is of single tickets, papers, cards and bets twice, of a house that has them:
// the files are equal to the byte, in every form, and have rows.
func TestListsTwice(t *testing.T) {
	core := quarterOf(t, "vic-keno-2015", fewDays)
	each := func(fn func(record.Place, record.Record) error) error {
		for seq, data := range core.Records {
			r, err := record.Decode(data)
			must(t, err)
			if err := fn(record.Place{Volume: 1, Seq: uint64(seq)}, r); err != nil {
				return err
			}
		}
		return nil
	}
	for _, l := range report.Lists() {
		var files [2]map[report.Format][]byte
		for i := range files {
			files[i] = map[report.Format][]byte{}
			asked := house.ListAsked{Name: l.Name, From: firstDay, Series: 1, Named: record.Place.String}
			if l.Name != report.Certificate {
				asked.To, asked.Series = firstDay+fewDays, 0
			}
			table, err := house.ListOf(t.Context(), journalOf{reader{objects: core.Objects}, core}, each, asked)
			must(t, err)
			if len(table.Rows) == 0 && l.Name != report.Cards {
				t.Errorf("%s has no row", l.Name)
			}
			table.House = "house.example"
			for _, format := range report.Formats() {
				var b bytes.Buffer
				must(t, table.Write(&b, format))
				files[i][format] = b.Bytes()
			}
		}
		for format, first := range files[0] {
			if len(first) == 0 || !bytes.Equal(first, files[1][format]) {
				t.Errorf("%s as %s is another file when it is made again", l.Name, format)
			}
		}
	}
}
