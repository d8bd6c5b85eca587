package report

import (
	"cmp"
	"fmt"
	"slices"

	"drawhouse/books"
	"drawhouse/core/day"
)

// By says of which time a row of a report is.
type By string

// The times.
const (
	ByDay   By = "day"
	ByMonth By = "month"
	ByYear  By = "year"
)

// Bys returns the times by which a report can be asked for.
func Bys() []By { return []By{ByDay, ByMonth, ByYear} }

// column returns the column that names the time.
func (b By) column() Column {
	return map[By]Column{ByDay: colDay, ByMonth: colMonth, ByYear: colYear}[b]
}

// Months are how many months a year has: one of them begins it.
const Months = 12

// timeOf returns the name of the time to which a day belongs.
func (c Choice) timeOf(d day.Day) string {
	if c.By == ByYear && c.YearBegins > 1 {
		year, month, _ := d.Date()
		if month < c.YearBegins {
			year--
		}
		return fmt.Sprintf("%04d-%02d to %04d-%02d", year, c.YearBegins, year+1, c.YearBegins-1)
	}
	return d.String()[:map[By]int{ByDay: len("2026-11-15"), ByMonth: len("2026-11"), ByYear: len("2026")}[cmp.Or(c.By, ByDay)]]
}

// reportDays is how many days a report has if nobody says.
const reportDays = 31

// From returns the first day of a report up to a day, if nobody says: a month before it, and the beginning of its year
// for rows of months and years.
func (c Choice) From(to day.Day) (day.Day, error) {
	if c.By != ByMonth && c.By != ByYear {
		return to - reportDays + 1, nil
	}
	begins := max(1, c.YearBegins)
	year, month, _ := to.Date()
	if month < begins {
		year--
	}
	return day.Of(year, begins, 1)
}

// colDays counts the days of a row about several.
var colDays = count("Days", "Trading days that the row adds up.")

// check returns what is wrong with the time by which rows are wanted.
func (c Choice) check() error {
	if c.By != "" && !slices.Contains(Bys(), c.By) {
		return fmt.Errorf("report: rows are by %v, and not by %q", Bys(), c.By)
	}
	if c.YearBegins < 0 || c.YearBegins > Months {
		return fmt.Errorf("report: a year begins with a month from 1 to %d, and not with %d", Months, c.YearBegins)
	}
	return nil
}

// make fills a table with the rows of a report, by the time that is asked for.
func (r Report) make(t *Table, days []*books.Book, c Choice) error {
	t.Columns = slices.Clone(r.Columns)
	r.rows(t, days, c)
	if c.By == "" || c.By == ByDay && t.at(colDay.Name) == 0 {
		t.totalBySeries()
		return nil
	}
	if err := c.check(); err != nil {
		return err
	}
	if r.Lists() {
		return fmt.Errorf("report: %s lists single things and adds up no days", r.Name)
	}
	r.group(t, days, c)
	return nil
}

// group makes the rows of a filled table anew: those of each month or year, added up as the columns say.
func (r Report) group(t *Table, days []*books.Book, c Choice) {
	whole := *t
	t.Columns, t.Rows = []Column{c.By.column(), colDays}, nil
	from := []int{-1, -1} // where each column is in the report as it was
	for i, column := range whole.Columns {
		if column.Over != Item && !isPeriod(column) {
			t.Columns, from = append(t.Columns, column), append(from, i)
		}
	}
	var times []string
	parts := map[string][]*books.Book{}
	for _, b := range days {
		time := c.timeOf(b.Day)
		if parts[time] == nil {
			times = append(times, time)
		}
		parts[time] = append(parts[time], b)
	}
	for _, time := range times {
		part := &Table{Columns: slices.Clone(r.Columns)}
		r.rows(part, parts[time], c)
		t.Rows = append(t.Rows, t.joined(part, text(time), func(series string) Cell {
			return number(len(r.daysOf(parts[time], series)))
		})...)
	}
	t.Chart = whole.Chart.over(from)
	if t.Total != nil {
		t.addTotal()
		t.totalBySeries()
		t.Total[1] = number(len(days))
	}
}

// daysOf returns the days that a row of a series adds up.
func (r Report) daysOf(days []*books.Book, series string) (found []*books.Book) {
	for _, b := range days {
		if !r.Name.OfSeries() || series == "" || series == fmt.Sprint(b.Series) {
			found = append(found, b)
		}
	}
	return found
}

// joined returns the rows of a part of the time, joined by what names them.
func (t *Table) joined(part *Table, time Cell, days func(series string) Cell) (rows [][]Cell) {
	var keys []string
	groups := map[string][][]Cell{}
	for _, old := range part.Rows {
		row := []Cell{time, {}}
		for _, column := range t.Columns[2:] {
			cell := Cell{}
			if i := part.at(column.Name); i >= 0 {
				cell = old[i]
			} else if column.Kind == Text {
				cell = text("-")
			}
			row = append(row, cell)
		}
		key := t.keyOf(row)
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], row)
	}
	for _, key := range keys {
		row := t.join(groups[key])
		for i, c := range t.Columns {
			for _, one := range groups[key] {
				if (c.Over == Key || c.Over == Label) && one[i].Text != "" {
					row[i] = one[i]
				}
			}
		}
		series := ""
		if at := t.at(colSeries.Name); at >= 0 {
			series = row[at].Text
		}
		row[1] = days(series)
		rows = append(rows, row)
	}
	return rows
}

// over returns the chart of a table whose columns came from others, or nil if its rows were not of days.
func (c *Chart) over(from []int) *Chart {
	if c == nil || c.Bars {
		return nil
	}
	chart := &Chart{Label: 0}
	for _, old := range c.Columns {
		if i := slices.Index(from, old); i >= 0 {
			chart.Columns = append(chart.Columns, i)
		}
	}
	return chart
}
