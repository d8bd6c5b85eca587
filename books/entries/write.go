package entries

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"drawhouse/books/report"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// Format is a form of output.
type Format string

// The forms.
const (
	CSV   Format = "csv"    // a line of a table for each line of an entry
	Plain Format = "ledger" // a journal of plain-text accounting, for hledger and ledger
)

// Formats returns the forms of output.
func Formats() []Format { return []Format{CSV, Plain} }

// MediaType returns how a form of output is named on the web.
func (f Format) MediaType() string {
	if f == CSV {
		return "text/csv; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// Write writes the entries of a choice.
func (j *Journal) Write(ctx context.Context, w io.Writer, c Choice, format Format) (Summary, error) {
	since, err := j.since(ctx, c)
	if err != nil {
		return Summary{}, err
	}
	var sum Summary
	switch format {
	case CSV:
		sum, err = j.writeCSV(ctx, w, c)
	case Plain:
		sum, err = j.writePlain(ctx, w, c, since)
	default:
		return sum, fmt.Errorf("entries: there is no form %q", format)
	}
	sum.Since = since
	return sum, err
}

// Column is a column of the form CSV.
type Column struct {
	Name string
	Says string
}

// Columns returns the columns of the form CSV, in their order.
func Columns() []Column { return slices.Clone(columns) }

var columns = []Column{
	{"entry", "number of the entry, which stays the same"},
	{"date", "day of the entry; of months and years the last day"},
	{"line", "number of the line in the entry, from 1"},
	{"code", "code of the account of the firm"},
	{"name", "its name"},
	{"class", "asset, liability, equity, income or expense"},
	{"cost_centre", "cost centre; empty for none"},
	{"debit", "amount, if it is a debit: digits, a point and two digits"},
	{"credit", "amount, if it is a credit"},
	{"currency", "of the amount, such as AUD"},
	{"text", "Keno Day or Keno Days, and the kind of record that moved the money"},
	{"account", "account of the house"},
	{"for", "the venue, pool, promotion, terminal or kind of paper; empty for an account that has one balance"},
	{"called", "name of the venue"},
	{"series", "series of games whose records moved the money; empty for the house itself"},
	{"book", "SHA-256 of the book of the day; of months and years, of the hashes of their days one after the other"},
}

func (j *Journal) writeCSV(ctx context.Context, w io.Writer, c Choice) (Summary, error) {
	out := csv.NewWriter(w)
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	if err := out.Write(names); err != nil {
		return Summary{}, err
	}
	sum, err := j.Each(ctx, c, func(e *Entry) error {
		for i := range e.Lines {
			l := &e.Lines[i]
			if err := out.Write([]string{e.Number, e.Date.String(), strconv.Itoa(i + 1), l.Code, l.Name, l.Class.String(),
				l.Centre, side(l.Debit), side(l.Credit), j.Currency, e.Text + ": " + l.Text(), l.Account.String(), l.For(),
				report.Inert(l.Called), ofSeries(l.Series), fmt.Sprintf("%x", e.Book)}); err != nil {
				return err
			}
		}
		return nil
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return sum, err
}

// For returns for what the balance of the line is kept apart, in words.
func (l *Line) For() string {
	if l.Unit == 0 {
		return ""
	}
	return l.Account.UnitName(l.Unit)
}

// side writes an amount of one side; nothing is empty.
func side(a money.Amount) string {
	if a == 0 {
		return ""
	}
	return decimal(a)
}

// decimal writes an amount, which is never below nothing.
func decimal(a money.Amount) string { return fmt.Sprintf("%d.%02d", a.Cents()/100, a.Cents()%100) }

func ofSeries(series uint8) string {
	if series == 0 {
		return ""
	}
	return strconv.Itoa(int(series))
}

// roots are the first parts of names of accounts in plain-text accounting, by which programs know the class.
var roots = map[ledger.Class]string{ledger.Asset: "assets", ledger.Liability: "liabilities", ledger.Equity: "equity",
	ledger.Income: "income", ledger.Expense: "expenses"}

// path returns the name of the account of a line in plain-text accounting, such as
// assets:1000 cash:venue 7.
func (l *Line) path() string {
	path := roots[l.Class] + ":" + l.Code + " " + l.Name
	if unit := l.For(); unit != "" {
		path += ":" + unit
	}
	return path
}

func (j *Journal) writePlain(ctx context.Context, w io.Writer, c Choice, since report.Since) (Summary, error) {
	head := fmt.Sprintf("; Journal entries of %s\n", inWords(j.House))
	if since.Records > 0 {
		head += fmt.Sprintf("; %v No entry has any of it.\n", since)
	}
	if _, err := io.WriteString(w, head); err != nil {
		return Summary{}, err
	}
	return j.Each(ctx, c, func(e *Entry) error {
		var b strings.Builder
		fmt.Fprintf(&b, "\n%v * (%s) %s\n    ; book:%x, record:%v\n", e.Date, e.Number, e.Text, e.Book, e.Closed)
		for i := range e.Lines {
			l := &e.Lines[i]
			sign, amount := "", l.Debit
			if l.Credit != 0 {
				sign, amount = "-", l.Credit
			}
			fmt.Fprintf(&b, "    %s    %s %s%s  ; %s", l.path(), j.Currency, sign, decimal(amount), inWords(l.Text()))
			if l.Called != "" {
				fmt.Fprintf(&b, ", %s", inWords(l.Called))
			}
			if l.Series != 0 {
				fmt.Fprintf(&b, ", series:%d", l.Series)
			}
			if l.Centre != "" {
				fmt.Fprintf(&b, ", centre:%s", l.Centre)
			}
			b.WriteByte('\n')
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// inWords returns a text in which programs of plain-text accounting find no tag, date or end: letters, digits, spaces
// and some marks stay, and everything else becomes a low line.
func inWords(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -_.&/'()", r) {
			return r
		}
		return '_'
	}, text)
}
