package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"drawhouse/books"
)

// This file makes the reports that are of the days and games of single series for all series of a house together.

// Series is what a report says of a series of games beside its number.
type Series struct {
	Name   string // as in seals
	Digits int    // least width of game numbers
}

var colSeriesName = Column{Name: "Series name", Kind: Text, Over: Label, Means: "The name of the series, as seals have it."}

// seriesReports are the reports whose rows are of the days, games and records of single series. The other ones are of
// the days of the house.
var seriesReports = []Name{Days, Games, Jackpots, Fund, Exceptions, Tax, Remittances}

// OfSeries reports whether the rows of a report are of the days and games of single series.
func (n Name) OfSeries() bool { return slices.Contains(seriesReports, n) }

// Pick returns the books of which a report is made, in their order, out of the books of all series: those of the series
// that is asked for, with its own lines alone; without one (0) those of all series, or those that close days of the
// house.
func Pick(name Name, all []*books.Book, series uint8) []*books.Book {
	var found []*books.Book
	for _, b := range all {
		switch {
		case series != 0 && b.Series == series:
			found = append(found, b.Alone())
		case series == 0 && (name.OfSeries() || b.Closes()):
			found = append(found, b)
		}
	}
	books.Sort(found)
	return found
}

// seriesIn returns the numbers of the series of some books.
func seriesIn(days []*books.Book) []uint8 {
	found := map[uint8]bool{}
	for _, b := range days {
		found[b.Series] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// showsApart reports whether a report shows several series apart.
func showsApart(name Name, days []*books.Book) bool {
	if name.OfSeries() {
		return len(seriesIn(days)) > 1
	}
	return severalSeries(days)
}

// rows fills a table with the rows of a report: of series that are shown apart, those of each, and what is of the house
// itself.
func (r Report) rows(t *Table, days []*books.Book, c Choice) {
	if !c.apart || !r.Name.OfSeries() {
		r.fill(t, days, c)
		return
	}
	parts, house := map[uint8][]*books.Book{}, []*books.Book{}
	for _, b := range days {
		if b.Series != 0 {
			parts[b.Series] = append(parts[b.Series], b.Alone())
		}
		if r.Lists() && b.Form == books.FormSeries && b.Closes() {
			house = append(house, b.OfHouse())
		}
	}
	t.Columns = t.Columns[:0]
	for _, series := range slices.Sorted(maps.Keys(parts)) {
		t.take(r, parts[series], c, fmt.Sprint(series), c.Series[series].Name)
	}
	if len(house) > 0 {
		t.take(r, house, c, "-", "")
	}
	slices.SortStableFunc(t.Rows, func(a, b []Cell) int { return strings.Compare(a[0].Text, b[0].Text) })
	if r.Name == Exceptions {
		t.Figures = classFigures(t)
	}
}

// seriesAt is the place of the column of the series, behind the day.
const seriesAt = 1

// take adds the rows of a series to a table, with columns that name the series. A cell of a column that only other
// series have, such as a jackpot, is a dash.
func (t *Table) take(r Report, days []*books.Book, c Choice, series, name string) {
	part := &Table{Columns: slices.Clone(r.Columns)}
	r.fill(part, days, c)
	part.Columns = slices.Insert(part.Columns, seriesAt, colSeries, colSeriesName)
	for _, column := range part.Columns {
		if t.at(column.Name) < 0 {
			t.Columns = append(t.Columns, column)
			for i := range t.Rows {
				t.Rows[i] = append(t.Rows[i], text("-"))
			}
		}
	}
	for _, row := range part.Rows {
		row = slices.Insert(row, seriesAt, text(series), text(name))
		wide := make([]Cell, len(t.Columns))
		for i, column := range t.Columns {
			if wide[i] = text("-"); part.at(column.Name) >= 0 {
				wide[i] = row[part.at(column.Name)]
			}
		}
		t.Rows = append(t.Rows, wide)
	}
	t.Title = part.Title
	for _, note := range part.Notes {
		if !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
	for _, f := range part.Figures {
		t.Figures = append(t.Figures, Figure{f.Name + ", series " + series, f.Value})
	}
	if part.Total != nil {
		t.addTotal()
	}
}

// totalBySeries adds the rows of each series up, where a report has a total and shows series apart. The total of all is
// one of amounts and counts: a share belongs to the rules of one series.
func (t *Table) totalBySeries() {
	at, named := t.at(colSeries.Name), t.at(colSeriesName.Name)
	if t.Total == nil || at < 0 || named < 0 {
		return
	}
	rows := map[string][][]Cell{}
	var order []string
	for _, row := range t.Rows {
		series := row[at].Text
		if rows[series] == nil {
			order = append(order, series)
		}
		rows[series] = append(rows[series], row)
	}
	slices.SortFunc(order, func(a, b string) int { return strings.Compare(fmt.Sprintf("%3s", a), fmt.Sprintf("%3s", b)) })
	t.Subtotals = nil
	for _, series := range order {
		sum := t.join(rows[series])
		sum[0], sum[at], sum[named] = text("Total of series "+series), text(series), rows[series][0][named]
		t.Subtotals = append(t.Subtotals, sum)
	}
	for i, c := range t.Columns {
		if c.Over == Ratio {
			t.Total[i] = text("-")
		}
	}
}

// sums returns the totals of a table, that of all rows last.
func (t *Table) sums() [][]Cell {
	if t.Total == nil {
		return nil
	}
	return append(t.Subtotals[:len(t.Subtotals):len(t.Subtotals)], t.Total)
}
