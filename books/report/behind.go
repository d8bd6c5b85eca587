package report

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"drawhouse/books"
	"drawhouse/journal/record"
)

// The columns of the records behind an amount, and behind a count.
var (
	behindAmounts = []Column{colRecord, colTime, colWhat, colWhere, colTicket, colAdds}
	behindCounts  = []Column{colRecord, colTime, colWhat, colWhere, colTicket, colTimes}
)

// Errors of figures that have no records behind them.
var (
	ErrNoFigure = errors.New("report: there is no such figure")
	ErrNoSum    = errors.New("report: the figure is no sum of records")
)

// Behind finds the records that make a figure of a report. It asks of every record for the report of that record alone:
// what this has in the row and column of the figure is what the record adds to it. So there is one definition of each
// figure, that of its report.
type Behind struct {
	trace  *books.Trace
	report Report
	table  *Table // that has the figure
	choice Choice
	// groups are the days of the row in their order, those of each series where the report is of single series.
	groups [][]*books.Book
	series []uint8 // whose days they are
	row    []Cell
	total  bool
	column Column // of the figure
	adds   string // the column of a record's report that adds to it
	figure int64
	sum    int64
	found  *Table
}

// ParseFigure parses the name of a figure, such as 3/Sold for the third row, or total/Sold.
func ParseFigure(name string) (row int, column string, err error) {
	number, column, ok := strings.Cut(name, "/")
	if number == "total" && ok {
		return 0, column, nil
	}
	row, err = strconv.Atoi(number)
	if !ok || err != nil || row < 1 {
		return 0, "", fmt.Errorf("%w: %q is not like 3/Sold or total/Sold", ErrNoFigure, name)
	}
	return row, column, nil
}

// NewBehind begins to look for the records behind a figure of a report: its row, from 1 on or 0 for the total, and the
// name of its column.
func NewBehind(name Name, days []*books.Book, c Choice, row int, column string) (*Behind, error) {
	table, err := Make(name, days, c)
	if err != nil {
		return nil, err
	}
	r, err := Find(name)
	if err != nil {
		return nil, err
	}
	b := &Behind{trace: books.NewTrace(), report: r, table: table, choice: c, total: row == 0}
	b.choice.apart, b.choice.short = showsApart(name, days), shortOn(days)
	at, err := table.figureAt(row, column)
	if err != nil {
		return nil, err
	}
	b.column, b.row = table.Columns[at], table.Total
	if row > 0 {
		b.row = table.Rows[row-1]
	}
	b.figure, b.adds = b.row[at].Number, column
	days = slices.DeleteFunc(slices.Clone(days), func(d *books.Book) bool { return !b.has(d) })
	if len(days) == 0 {
		return nil, fmt.Errorf("%w: no day has row %d", ErrNoFigure, row)
	}
	b.series, b.groups = seriesIn(days), [][]*books.Book{days}
	if name.OfSeries() {
		b.groups = nil
		for _, series := range b.series {
			b.groups = append(b.groups, only(days, series))
		}
	}
	return b, b.begin()
}

// figureAt returns the place of the column of a figure that is added up of records.
func (t *Table) figureAt(row int, column string) (int, error) {
	at := t.at(column)
	switch {
	case at < 0:
		return 0, fmt.Errorf("%w: the report has no column %q", ErrNoFigure, column)
	case row < 0 || row > len(t.Rows) || row == 0 && t.Total == nil:
		return 0, fmt.Errorf("%w: the report has no row %d", ErrNoFigure, row)
	case t.Columns[at].Kind == Text || t.Columns[at].Over == Ratio || t.Columns[at].Over == Remark ||
		column == colDays.Name:
		return 0, fmt.Errorf("%w: %s is not added up of records", ErrNoSum, column)
	}
	return at, nil
}

// newFound returns the table of the records behind a figure of another table, without records.
func newFound(of *Table, row []Cell, total bool, column Column, name Name) *Table {
	said := "total"
	if !total {
		var names []string
		for i, c := range of.Columns {
			if c.Kind == Text && (c.Over == Key || c.Over == Item || c.Over == Label) && row[i].Text != "" {
				names = append(names, c.Name+" "+row[i].Text)
			}
		}
		said = strings.Join(names, ", ")
	}
	found := &Table{Title: fmt.Sprintf("Records behind %s of %s", column.Name, name), Period: of.Period + ": " + said,
		Columns: behindAmounts, Rows: [][]Cell{},
		Figures: []Figure{{column.Name, column.String(Cell{Number: row[of.at(column.Name)].Number})}}}
	if column.Kind == Count {
		found.Columns = behindCounts
	}
	if column.Over != Flow {
		found.Notes = []string{"The figure is a balance: it has every record from the beginning of the journal on."}
	}
	return found
}

// begin finds the column that adds up to an opening, and makes the table of the records.
func (b *Behind) begin() error {
	if b.column.Over == Opening {
		b.adds = ""
		for _, c := range b.table.Columns {
			if c.Over == Closing {
				b.adds = cmp.Or(b.adds, c.Name)
			}
		}
		if b.adds == "" {
			return fmt.Errorf("%w: %s", ErrNoSum, b.column.Name)
		}
	}
	b.found = newFound(b.table, b.row, b.total, b.column, b.report.Name)
	b.found.UpTo = b.table.UpTo
	return nil
}

// has reports whether the row of the figure is of a day.
func (b *Behind) has(d *books.Book) bool {
	if b.total {
		return true
	}
	for i, c := range b.table.Columns {
		for _, by := range Bys() {
			choice := b.choice
			choice.By = by
			if c.Name == by.column().Name && b.row[i].Text != choice.timeOf(d.Day) {
				return false
			}
		}
		if c.Name == colSeries.Name && b.report.Name.OfSeries() && b.row[i].Text != "-" &&
			b.row[i].Text != fmt.Sprint(d.Series) {
			return false
		}
	}
	return true
}

// only returns the days of a series.
func only(days []*books.Book, series uint8) (found []*books.Book) {
	for _, d := range days {
		if d.Series == series {
			found = append(found, d)
		}
	}
	return found
}

// Over reports whether the records from a place on add nothing more to the figure.
func (b *Behind) Over(place record.Place) bool {
	for _, days := range b.groups {
		if !b.over(place, days) {
			return false
		}
	}
	return true
}

// over says it of a group of the days.
func (b *Behind) over(place record.Place, days []*books.Book) bool {
	end := days[len(days)-1].End
	switch {
	case b.column.Over == Opening && b.report.Name.OfSeries():
		end = days[0].First
	case b.column.Over == Opening:
		end = days[0].Begins()
	}
	return !place.Before(end)
}

// Add takes the next record of the journal, and lists it if it adds to the figure.
func (b *Behind) Add(place record.Place, r record.Record) error {
	ones, err := b.trace.Add(place, r, b.groups[0][0].Day, b.series...)
	if err != nil || b.Over(place) {
		return err
	}
	var adds int64
	for _, days := range b.groups {
		switch {
		case b.over(place, days):
		case b.column.Over != Flow:
			adds += b.addsBy(days[0].Like(ones[days[0].Series]))
		default:
			for _, d := range days {
				if part := d.Part(ones[d.Series]); part != nil {
					part.Day = d.Day
					adds += b.addsBy(part)
				}
			}
		}
	}
	if adds == 0 {
		return nil
	}
	b.sum += adds
	terminal, subject := whereabouts(place, r.Body)
	b.found.Rows = append(b.found.Rows, []Cell{text(place.String()), text(r.Time.Time().Format("2006-01-02 15:04:05")),
		text(r.Kind().String()), text(terminal), text(subject), {Number: adds}})
	return nil
}

// addsBy returns what a book of one record has in the row and column of the figure.
func (b *Behind) addsBy(one *books.Book) (sum int64) {
	if len(one.Accounts)+len(one.Own.Accounts)+len(one.Terminals)+len(one.Own.Terminals)+len(one.Shifts)+len(one.Rooms)+
		len(one.Games)+len(one.Events) == 0 {
		return 0
	}
	t, err := table(b.report.Name, []*books.Book{one}, b.choice)
	if err != nil {
		return 0
	}
	at := t.at(b.adds)
	if at < 0 {
		return 0
	}
	for _, row := range t.Rows {
		if b.total || b.same(t, row) {
			sum += row[at].Number
		}
	}
	return sum
}

// same reports whether a row of the report of one record is that of the figure.
func (b *Behind) same(t *Table, row []Cell) bool {
	for i, c := range b.table.Columns {
		if c.Over != Key && c.Over != Item || isPeriod(c) {
			continue
		}
		if k := t.at(c.Name); k < 0 || row[k].Text != b.row[i].Text {
			return false
		}
	}
	return true
}

// Table returns the records that were found. It is an error if they do not come to the figure.
func (b *Behind) Table() (*Table, error) {
	if b.sum != b.figure {
		return nil, fmt.Errorf("%w: the records of %s come to %s, and the figure is %s", ErrNoSum, b.column.Name,
			b.column.String(Cell{Number: b.sum}), b.column.String(Cell{Number: b.figure}))
	}
	b.found.addTotal()
	return b.found, nil
}

// whereabouts returns the terminal of a record, and the ticket or paper that it is about, as far as it names them.
func whereabouts(place record.Place, body record.Body) (terminal, subject string) {
	v := reflect.ValueOf(body).Elem()
	if f := v.FieldByName("Request"); f.IsValid() {
		if r, ok := f.Interface().(record.Request); ok && r.Terminal != 0 {
			terminal = fmt.Sprint(r.Terminal)
		}
	}
	if f := v.FieldByName("Terminal"); terminal == "" && f.IsValid() && f.CanUint() && f.Uint() != 0 {
		terminal = fmt.Sprint(f.Uint())
	}
	switch body.(type) {
	case *record.TicketSold, *record.InstrumentIssued:
		return terminal, place.String()
	}
	for _, name := range []string{"Ticket", "Instrument", "Paper"} {
		if f := v.FieldByName(name); f.IsValid() {
			if at, ok := f.Interface().(record.Place); ok && at != (record.Place{}) {
				return terminal, at.String()
			}
		}
	}
	return terminal, ""
}
