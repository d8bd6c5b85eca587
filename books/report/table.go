// Package report sets the books of a house as tables for people: on a terminal, as
// CSV, as a spreadsheet and as PDF with a chart where a person would rather look.
//
// A Table knows nothing of its output, and every output says the same: amounts are
// whole cents with a decimal point, in CSV and spreadsheets as numbers that programs
// can add up, elsewhere with their thousands set apart. TestReadersReadReports opens each
// file with a program that is not ours and finds every figure again.
package report

import (
	"fmt"
	"strconv"

	"drawhouse/core/figure"
	"drawhouse/core/money"
)

// Kind is what a column holds.
type Kind uint8

// The kinds.
const (
	Text   Kind = iota + 1
	Count       // a whole number
	Amount      // whole cents
	Share       // hundredths of a percent
)

// String returns the name of the kind.
func (k Kind) String() string { return [...]string{"", "text", "count", "amount", "share"}[k] }

// Cell is one value: a text, or a number as its column's kind says.
type Cell struct {
	Text   string
	Number int64
}

// Table is a report.
type Table struct {
	Name    Name // of the report; empty for another table
	Title   string
	Period  string      // the days that it is of
	Money   money.Style // how the charts write amounts; the columns have bare numbers
	House   string      // whose it is; empty if that is not known
	UpTo    Head        // the last record that it has read; none if nobody says
	Notes   []string    // what must be known to read it
	Figures []Figure    // what a person looks for first
	Columns []Column
	Rows    [][]Cell
	// Subtotals are the totals of each series, where the report shows several apart.
	Subtotals [][]Cell
	Total     []Cell // the last row, or nil
	Chart     *Chart // nil for none
}

// Figure is one number of a report that stands out.
type Figure struct {
	Name, Value string
}

// Chart is a line, or a bar a row, for each of some columns over the rows.
type Chart struct {
	Bars    bool
	Label   int   // column that names the rows
	Columns []int // columns of amounts
}

func text(s string) Cell                                             { return Cell{Text: s} }
func number[N ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64](n N) Cell { return Cell{Number: int64(n)} }
func amount(a money.Amount) Cell                                     { return Cell{Number: a.Cents()} }

// String returns a cell of a column as people read it.
func (c Column) String(cell Cell) string {
	if cell.Text != "" {
		return cell.Text
	}
	switch c.Kind {
	case Count:
		return countText(cell.Number)
	case Amount:
		return figure.Grouped(decimal(cell.Number))
	case Share:
		return decimal(cell.Number) + "%"
	}
	return ""
}

// Plain returns a cell of a column as programs read it: nothing but digits, and a point.
func (c Column) Plain(cell Cell) string {
	if cell.Text != "" {
		if c.Kind != Text {
			return "" // There is no number.
		}
		return cell.Text
	}
	switch c.Kind {
	case Count:
		return strconv.FormatInt(cell.Number, 10)
	case Amount, Share:
		return decimal(cell.Number)
	}
	return ""
}

func countText(n int64) string { return figure.Grouped(strconv.FormatInt(n, 10)) }

// dollars returns an amount as figures and charts print it.
func dollars(a money.Amount) string { return figure.Grouped(decimal(a.Cents())) }

// decimal writes hundredths with a decimal point.
func decimal(hundredths int64) string {
	sign, n := "", uint64(hundredths)
	if hundredths < 0 {
		sign, n = "-", -uint64(hundredths)
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}
