package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"time"

	"drawhouse/books"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/decide/game"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// reportCmd prints the books of a house. It only reads, so it may run beside the
// house.
type reportCmd struct {
	storageFlags
	Name        string `arg:"" optional:"" help:"The report; without a name they are listed."`
	From        string `placeholder:"DATE" help:"First trading day; 30 days before --to if absent."`
	To          string `placeholder:"DATE" help:"Last trading day; today if absent."`
	Venue       uint32 `placeholder:"NUMBER" help:"Only this venue, if the report allows it."`
	Series      uint8  `placeholder:"NUMBER" help:"Only this series of games; all if absent."`
	Format      string `default:"text" enum:"text,csv,xlsx,pdf" help:"text, csv, xlsx or pdf (${default})."`
	Out         string `placeholder:"FILE" help:"Write there and not to the screen; xlsx and pdf need it."`
	Due         string `placeholder:"DATE" help:"Of the unclaimed prizes only those that move by this day."`
	By          string `default:"" enum:",day,month,year" placeholder:"TIME" help:"A row for each day, month or year; the report then begins with the year of its last day."`
	YearBegins  int    `placeholder:"MONTH" help:"With --by month and year: years begin with this month, 1 to 12."`
	Behind      string `placeholder:"ROW/COLUMN" help:"List the records that make a figure of the report, such as 3/Sold for its third row or total/Sold."`
	Definitions bool   `help:"Say what each column of the report means, and make none."`
	Rebuild     bool   `help:"Add up every record anew instead of taking the stored books, with the day that is not closed yet."`
}

// Run implements the command.
func (c *reportCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	if c.Name == "" {
		return listReports(out)
	}
	if c.YearBegins < 0 || c.YearBegins > report.Months {
		return misused("--year-begins", fmt.Errorf("a month is a number from 1 to %d", report.Months))
	}
	if c.Definitions {
		return c.define(out)
	}
	if _, ok := report.FindList(report.Name(c.Name)); ok {
		return c.make(ctx, out, c.list)
	}
	if _, err := report.Find(report.Name(c.Name)); err != nil {
		return misused("<name>", err)
	}
	return c.make(ctx, out, func(ctx context.Context, st store.Store) (*report.Table, error) {
		days, err := c.days(ctx, st)
		if err != nil {
			return nil, err
		}
		choice := c.choice()
		choice.Read = house.ReaderOf(ctx, st)
		if choice.Series, err = house.SeriesNamed(ctx, st, days); err != nil {
			return nil, err
		}
		if c.Behind != "" {
			return c.behind(ctx, st, days, choice)
		}
		if choice.Since, err = house.BookedSince(ctx, st, report.Name(c.Name), c.Series, days); err != nil {
			return nil, err
		}
		table, err := report.Make(report.Name(c.Name), days, choice)
		if err != nil {
			return nil, misused("--from", err)
		}
		return table, nil
	})
}

// choice is what of a report is wanted.
func (c *reportCmd) choice() report.Choice {
	return report.Choice{Venue: c.Venue, By: report.By(c.By), YearBegins: c.YearBegins}
}

// behind lists the records that make a figure.
func (c *reportCmd) behind(ctx context.Context, st store.Store, days []*books.Book,
	choice report.Choice) (*report.Table, error) {
	row, column, err := report.ParseFigure(c.Behind)
	if err != nil {
		return nil, misused("--behind", err)
	}
	b, err := report.NewBehind(report.Name(c.Name), days, choice, row, column)
	if err != nil {
		return nil, misused("--behind", err)
	}
	if err := everyRecord(ctx, st, func(place record.Place, data []byte) error {
		if b.Over(place) {
			return nil
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		return b.Add(place, r)
	}); err != nil {
		return nil, err
	}
	table, err := b.Table()
	if err != nil {
		return nil, misused("--behind", err)
	}
	return table, nil
}

// define writes what the columns of a report mean.
func (c *reportCmd) define(out *bytes.Buffer) error {
	columns, err := report.ColumnsOf(report.Name(c.Name))
	if err != nil {
		return misused("<name>", err)
	}
	return c.write(out, report.Definitions(c.Name, columns))
}

// make has a report made from the stored journal and writes it where it is wanted.
func (c *reportCmd) make(ctx context.Context, out *bytes.Buffer,
	table func(context.Context, store.Store) (*report.Table, error)) error {
	if err := c.checkOut(); err != nil {
		return err
	}
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	t, err := table(ctx, st)
	if err != nil {
		return err
	}
	if t.House, err = houseName(ctx, st); err != nil {
		return err
	}
	return c.write(out, t)
}

// checkOut refuses a form that needs a file without one.
func (c *reportCmd) checkOut() error {
	if c.Out == "" && (c.Format == string(report.XLSX) || c.Format == string(report.PDF)) {
		return misused("--out", fmt.Errorf("%s goes into a file: name it", c.Format))
	}
	return nil
}

// write writes a table where it is wanted.
func (c *reportCmd) write(out *bytes.Buffer, t *report.Table) error {
	if err := c.checkOut(); err != nil {
		return err
	}
	if c.Out == "" {
		return t.Write(out, report.Format(c.Format))
	}
	f, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return misused("--out", err)
	}
	if err := errors.Join(t.Write(f, report.Format(c.Format)), f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %s, is in %s\n", t.Title, figure.Count(len(t.Rows), "row"), c.Out)
	return nil
}

// listReports says which reports there are.
func listReports(out *bytes.Buffer) error {
	venue := map[bool]string{true: " (also --venue)"}
	for _, r := range report.All() {
		fmt.Fprintf(out, "%-15s %s%s\n", r.Name, r.About, venue[r.ByVenue])
	}
	for _, l := range report.Lists() {
		fmt.Fprintf(out, "%-15s %s%s\n", l.Name, l.About, venue[l.ByVenue])
	}
	return nil
}

// houseName returns the name of the house whose journal is stored.
func houseName(ctx context.Context, st store.Reader) (string, error) {
	volumes, err := house.Volumes(ctx, st)
	if err != nil || len(volumes) == 0 {
		return "", err
	}
	return volumes[len(volumes)-1].House, nil
}

// days returns the books that are asked for, in their order.
func (c *reportCmd) days(ctx context.Context, st store.Store) ([]*books.Book, error) {
	from, to, err := c.period()
	if err != nil {
		return nil, err
	}
	if c.Rebuild {
		all, err := rebuild(ctx, st)
		return report.Pick(report.Name(c.Name), within(all, from, to), c.Series), err
	}
	if to == day.None {
		// Nowhere is it later than fourteen hours ahead of UTC.
		year, month, dom := time.Now().UTC().Add(14 * time.Hour).Date()
		if to, err = day.Of(year, int(month), dom); err != nil {
			return nil, err
		}
	}
	if from == day.None {
		if from, err = c.choice().From(to); err != nil {
			return nil, misused("--by", err)
		}
	}
	var found []*books.Book
	for series, most := uint8(1), uint8(seriesAhead); series <= most; series++ {
		if c.Series != 0 && c.Series != series {
			most = max(most, c.Series)
			continue
		}
		list, err := storedBooks(ctx, st, series, from, to)
		if err != nil {
			return nil, err
		}
		if found = append(found, list...); len(list) > 0 {
			most = uint8(min(math.MaxUint8-1, int(series)+seriesAhead))
		}
	}
	return report.Pick(report.Name(c.Name), found, c.Series), nil
}

// seriesAhead is how many series without a book in the time of a report are passed over. Series are numbered from 1 on,
// and the first ones may have ended before.
const seriesAhead = 16

// storedBooks returns the books of a series that the store has.
func storedBooks(ctx context.Context, st store.Reader, series uint8, from, to day.Day) ([]*books.Book, error) {
	var found []*books.Book
	for d := from; d <= to; d++ {
		data, err := st.Object(ctx, game.BookName(series, d))
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		book, err := books.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("the book of %v: %w", d, err)
		}
		found = append(found, book)
	}
	return found, nil
}

func (c *reportCmd) period() (from, to day.Day, err error) { return periodOf(c.From, c.To) }

func within(all []*books.Book, from, to day.Day) []*books.Book {
	var found []*books.Book
	for _, b := range all {
		if (from == day.None || b.Day >= from) && (to == day.None || b.Day <= to) {
			found = append(found, b)
		}
	}
	return found
}

// rebuild adds up every record into the books of all series, and ends with the days that are not closed yet.
func rebuild(ctx context.Context, st store.Reader) ([]*books.Book, error) {
	fold := books.NewFold()
	var all []*books.Book
	open := map[uint8]day.Day{}
	err := everyRecord(ctx, st, func(place record.Place, data []byte) error {
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		switch b := r.Body.(type) {
		case *record.DayOpened:
			open[b.Series] = b.Day
		case *record.DayClosed:
			all = append(all, fold.Close(b.Series, b))
			delete(open, b.Series)
		}
		return fold.Add(place, r)
	})
	for _, series := range slices.Sorted(maps.Keys(open)) {
		all = append(all, fold.Peek(series, &record.DayClosed{Series: series, Day: open[series]}))
	}
	return all, err
}

// everyRecord calls fn for every record of every volume.
func everyRecord(ctx context.Context, st store.Reader, fn func(record.Place, []byte) error) error {
	volumes, err := st.Volumes(ctx)
	if err != nil {
		return err
	}
	for _, v := range volumes {
		err := st.Records(ctx, v.Volume, 0, v.Size, func(seq uint64, data []byte) error {
			return fn(record.Place{Volume: v.Volume, Seq: seq}, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
