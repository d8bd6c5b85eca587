package report

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/books"
	"drawhouse/journal/record"
)

// recordsBehind looks for the records behind a figure among those of a house.
func recordsBehind(w *trader, name Name, days []*books.Book, c Choice, row int, column string) (*Table, error) {
	b, err := NewBehind(name, days, c, row, column)
	if err != nil {
		return nil, err
	}
	for seq, r := range w.records {
		if err := b.Add(record.Place{Volume: 1, Seq: uint64(seq)}, r); err != nil {
			return nil, err
		}
	}
	return b.Table()
}

// noSums are the columns whose figures are no sums of records: what a jackpot stands at is said by the records.
var noSums = []string{"9 spots"}

// TestRecordsBehindFigures asks for the records behind figures of every report, drawn at random, as it is and by month:
// they come to the figure, each is of a day of its row, and none is listed twice.
func TestRecordsBehindFigures(t *testing.T) {
	w := trade(t, 2, 7)
	random := rand.New(rand.NewPCG(3, 4))
	figures, listed := 0, 0
	for _, r := range All() {
		for _, by := range []By{"", ByMonth} {
			if by != "" && r.Lists() {
				continue
			}
			c := Choice{By: by}
			table := mustMake(t, r.Name, w.days[1:], c)
			for i, column := range table.Columns {
				if column.Kind == Text || column.Over == Ratio || column.Over == Remark || column.Name == colDays.Name {
					continue
				}
				if by != "" && random.IntN(3) > 0 {
					continue // It takes its time.
				}
				row := 1 + random.IntN(len(table.Rows))
				if table.Total != nil && random.IntN(4) == 0 {
					row = 0
				}
				found, err := recordsBehind(w, r.Name, w.days[1:], c, row, column.Name)
				if slices.Contains(noSums, column.Name) {
					if err != nil && !errors.Is(err, ErrNoSum) {
						t.Errorf("%s, %s: %v", r.Name, column.Name, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s by %q, row %d of %d, %s: %v", r.Name, by, row, len(table.Rows), column.Name, err)
					continue
				}
				checkBehind(t, w, found, rowOf(table, row)[i].Number, column)
				figures, listed = figures+1, listed+len(found.Rows)
			}
		}
	}
	if figures < 120 || listed < 500 {
		t.Errorf("%d figures with %d records", figures, listed)
	}
}

func rowOf(table *Table, row int) []Cell {
	if row == 0 {
		return table.Total
	}
	return table.Rows[row-1]
}

func checkBehind(t *testing.T, w *trader, found *Table, figure int64, of Column) {
	t.Helper()
	seen, sum := map[string]bool{}, int64(0)
	for _, row := range found.Rows {
		if seen[row[0].Text] {
			t.Errorf("%s: %s stands there twice", found.Title, row[0].Text)
		}
		seen[row[0].Text] = true
		sum += row[len(row)-1].Number
		var seq uint64
		if _, err := fmt.Sscanf(row[0].Text, "1:%d", &seq); err != nil {
			t.Fatal(err)
		}
		if got := w.records[seq].Kind().String(); got != row[2].Text {
			t.Errorf("%s: %s is %s, and %s in the list", found.Title, row[0].Text, got, row[2].Text)
		}
		if of.Over == Flow && seq < w.days[1].First.Seq {
			t.Errorf("%s: %s is of an earlier day", found.Title, row[0].Text)
		}
	}
	if sum != figure {
		t.Errorf("%s: %d, want %d", found.Title, sum, figure)
	}
}

// TestSalesBehindAFigure lists the tickets that a terminal sold on a day, by a search of its own.
func TestSalesBehindAFigure(t *testing.T) {
	w := trade(t, 2, 1)
	found, err := recordsBehind(w, Terminals, w.days, Choice{}, 2, "Sold")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for seq, r := range w.records[:w.days[0].End.Seq] {
		if sold, ok := r.Body.(*record.TicketSold); ok && sold.Request.Terminal == 2 {
			want = append(want, fmt.Sprintf("1:%d ticket sold 2 %d", seq, sold.CostCents.Cents()))
		}
	}
	var got []string
	for _, row := range found.Rows {
		got = append(got, fmt.Sprintf("%s %s %s %d", row[4].Text, row[2].Text, row[3].Text, row[5].Number))
	}
	if !slices.Equal(got, want) || len(want) < 10 {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestNoSuchFigure asks for figures that there are not.
func TestNoSuchFigure(t *testing.T) {
	w := trade(t, 1, 1)
	for _, ask := range []struct {
		name   Name
		row    int
		column string
		want   error
	}{
		{Days, 1, "Weather", ErrNoFigure}, {Days, 2, "Sold", ErrNoFigure}, {Days, -1, "Sold", ErrNoFigure},
		{Owed, 0, "Prize fund", ErrNoFigure}, {Days, 1, "Day", ErrNoSum}, {Days, 1, "Return", ErrNoSum},
	} {
		if _, err := NewBehind(ask.name, w.days, Choice{}, ask.row, ask.column); !errors.Is(err, ask.want) {
			t.Errorf("%+v: %v", ask, err)
		}
	}
}

// FuzzParseFigure reads names of figures. What it takes, it takes as it is written.
func FuzzParseFigure(f *testing.F) {
	for _, name := range []string{"3/Sold", "total/Sold", "0/Sold", "/", "1/", "-1/Sold", "1/a/b", "99999999999999999999/x"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		row, column, err := ParseFigure(name)
		if err != nil {
			if !errors.Is(err, ErrNoFigure) {
				t.Errorf("%q: %v", name, err)
			}
			return
		}
		if row < 0 || row == 0 && name != "total/"+column || row > 0 && len(name) < len(column)+2 {
			t.Errorf("%q is row %d of %q", name, row, column)
		}
	})
}
