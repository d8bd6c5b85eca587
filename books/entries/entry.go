package entries

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"drawhouse/books"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Period is the time of one entry.
type Period string

// The periods.
const (
	ByDay   Period = "day"
	ByMonth Period = "month"
	ByYear  Period = "year"
)

// Periods returns the periods.
func Periods() []Period { return []Period{ByDay, ByMonth, ByYear} }

// of returns the period of a day: a date, a month such as 2026-11, or a year.
func (p Period) of(d day.Day) string {
	text := d.String()
	switch p {
	case ByMonth:
		return text[:len("2026-11")]
	case ByYear:
		return text[:len("2026")]
	}
	return text
}

// Choice is which entries are wanted.
type Choice struct {
	From, To day.Day // day.None for the first and the last; of months and years, any of their days
	By       Period  // ByDay if empty
	After    string  // the number of the last entry that was taken in; not with From or Opening
	Opening  bool    // begin with the opening balances of the first entry, if it has any
	Mapping  *Mapping
}

// Entry is a journal entry. What its lines debit is what they credit.
type Entry struct {
	Number string
	Date   day.Day // of the last day
	Text   string
	Days   int
	Closed record.Place // the record that closed the last day
	// Book is the hash of the book of the day. Of several days it is the SHA-256 of their hashes in the order of the days.
	Book  record.Hash
	Lines []Line
}

// Line is a line of an entry: what records of one kind did to one balance, on one side.
type Line struct {
	Target
	Account ledger.Account
	Unit    uint32
	Series  uint8       // 0 is the house itself
	Kind    record.Kind // 0 in opening balances
	Called  string      // name of the venue; empty if the line is of none
	Debit   money.Amount
	Credit  money.Amount
}

// Text says what moved the balance.
func (l *Line) Text() string {
	if l.Kind == 0 {
		return "opening balance"
	}
	return l.Kind.String()
}

// ErrAfter reports that the entries after a number cannot be made.
var ErrAfter = errors.New("entries")

// Summary is what entries were made.
type Summary struct {
	Entries int
	First   string // numbers of the first and the last entry; empty for none
	Last    string
	Empty   []string // numbers of entries without lines: nothing was posted on these days
	// Unfinished is the month or the year that was left out, because its last day is not closed.
	Unfinished string
	// Brought says that the accounts had balances before the first entry, which the entries do not have.
	Brought bool
	// Since is what was booked behind the last close of the house, and is in no entry; nothing where the choice ends
	// before it.
	Since report.Since
}

// Each calls fn for each entry of a choice in their order.
func (j *Journal) Each(ctx context.Context, c Choice, fn func(*Entry) error) (Summary, error) {
	var sum Summary
	c.By = cmp.Or(c.By, ByDay)
	if !slices.Contains(Periods(), c.By) {
		return sum, fmt.Errorf("entries: there is no period %q", c.By)
	}
	start, err := j.start(c)
	if err != nil {
		return sum, err
	}
	for first := start; first < len(j.Days); {
		end := j.end(c.By, first)
		period := c.By.of(j.Days[first].Booked)
		from := first
		first = end
		if c.From != day.None && period < c.By.of(c.From) || c.To != day.None && period > c.By.of(c.To) {
			continue
		}
		if c.By != ByDay && end == len(j.Days) {
			sum.Unfinished = period
			break
		}
		if sum.Entries == 0 {
			opening, err := j.opening(ctx, c, from)
			if err != nil {
				return sum, err
			}
			if sum.Brought = len(opening.Lines) > 0 && !c.Opening && c.After == ""; c.Opening && len(opening.Lines) > 0 {
				if err := fn(opening); err != nil {
					return sum, err
				}
			}
		}
		e, err := j.entry(ctx, c, from, end)
		if err != nil {
			return sum, err
		}
		if sum.Entries++; sum.First == "" {
			sum.First = e.Number
		}
		if sum.Last = e.Number; len(e.Lines) == 0 {
			sum.Empty = append(sum.Empty, e.Number)
		}
		if err := fn(e); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// end returns the index of the day after the last one of the period of a day.
func (j *Journal) end(by Period, first int) int {
	end := first + 1
	for by != ByDay && end < len(j.Days) && by.of(j.Days[end].Booked) == by.of(j.Days[first].Booked) {
		end++
	}
	return end
}

// start returns the index of the day with which the entries of a choice begin at the earliest.
func (j *Journal) start(c Choice) (int, error) {
	if c.After == "" {
		return 0, nil
	}
	if c.From != day.None || c.Opening {
		return 0, fmt.Errorf("%w: the entries after %s begin behind it, without opening balances", ErrAfter, c.After)
	}
	last := -1
	for i, d := range j.Days {
		if d.Number() == c.After || ByMonth.of(d.Booked) == c.After || ByYear.of(d.Booked) == c.After {
			last = i
		}
	}
	if last < 0 {
		return 0, fmt.Errorf("%w: no closed day has the number %q; numbers are such as 1/2026-11-15, 2026-11 and 2026",
			ErrAfter, c.After)
	}
	if last == len(j.Days)-1 && !strings.Contains(c.After, "/") {
		return 0, fmt.Errorf("%w: %s has no entry yet, because its last day is not closed", ErrAfter, c.After)
	}
	next := last + 1
	if c.By != ByDay && next < len(j.Days) && c.By.of(j.Days[next].Booked) == c.By.of(j.Days[last].Booked) {
		return 0, fmt.Errorf("%w: %s ends before %s does: take in the rest by day or month first", ErrAfter, c.After,
			c.By.of(j.Days[last].Booked))
	}
	return next, nil
}

// entry returns the entry of the days from one to before another.
func (j *Journal) entry(ctx context.Context, c Choice, from, end int) (*Entry, error) {
	last := j.Days[end-1]
	e := &Entry{Date: last.Booked, Days: end - from, Closed: last.Closed, Book: last.Hash}
	if c.By == ByDay {
		e.Number, e.Text = last.Number(), fmt.Sprintf("Keno Day %v", last.Day)
	} else {
		e.Number = c.By.of(last.Booked)
		e.Text = fmt.Sprintf("Keno Days %v to %v", j.Days[from].Day, last.Day)
		hashes := sha256.New()
		for _, d := range j.Days[from:end] {
			hashes.Write(d.Hash[:])
		}
		hashes.Sum(e.Book[:0])
	}
	s := sums{}
	for _, d := range j.Days[from:end] {
		book, err := j.book(ctx, d)
		if err != nil {
			return nil, err
		}
		if err := s.addMoved(book, c.Mapping); err != nil {
			return nil, fmt.Errorf("entries: %s: %w", d.Number(), err)
		}
	}
	var err error
	e.Lines, err = j.lines(s, end-1)
	if err != nil {
		return nil, fmt.Errorf("entries: %s: %w", e.Number, err)
	}
	return e, nil
}

// opening returns the entry of what the accounts had before a day. It has no lines on the first day of the house.
func (j *Journal) opening(ctx context.Context, c Choice, at int) (*Entry, error) {
	d := j.Days[at]
	book, err := j.book(ctx, d)
	if err != nil {
		return nil, err
	}
	number := d.Number()
	if c.By != ByDay {
		number = c.By.of(d.Booked)
	}
	e := &Entry{Number: number + "/opening", Date: d.Booked, Days: 0, Closed: d.Closed, Book: d.Hash,
		Text: fmt.Sprintf("Opening balances of Keno Day %v", d.Day)}
	s := sums{}
	if err := s.addOpening(book, c.Mapping); err != nil {
		return nil, fmt.Errorf("entries: %s: %w", e.Number, err)
	}
	e.Lines, err = j.lines(s, at)
	if err != nil {
		return nil, fmt.Errorf("entries: %s: %w", e.Number, err)
	}
	return e, nil
}

// at is what a line is about. Its fields are in the order in which lines are sorted.
type at struct {
	kind    record.Kind
	account ledger.Account
	unit    uint32
	series  uint8
	credit  bool
	// target is the series and unit for which the mapping was asked: units that are taken together may have several.
	target Target
}

// sums are amounts, all above nothing, of the lines of an entry.
type sums map[at]money.Amount

// add adds an amount to a line. Nothing is no line.
func (s sums) add(m *Mapping, l *books.Balance, kind record.Kind, credit bool, cents money.Amount) error {
	if cents == 0 {
		return nil
	}
	if cents < 0 {
		return fmt.Errorf("%v moved %v the wrong way", kind, l.Account)
	}
	k := at{kind: kind, account: l.Account, unit: l.Unit, series: l.Series, credit: credit,
		target: m.Target(l.Account, l.Unit, l.Series)}
	if k.target.Together {
		k.unit = 0
	}
	sum, err := s[k].Add(cents)
	s[k] = sum
	return err
}

// addMoved adds what a day did.
func (s sums) addMoved(book *books.Book, m *Mapping) error {
	for i := range book.Accounts {
		l := &book.Accounts[i]
		for _, f := range l.Flows {
			if err := errors.Join(s.add(m, l, f.Kind, false, f.Debits), s.add(m, l, f.Kind, true, f.Credits)); err != nil {
				return err
			}
		}
	}
	return nil
}

// addOpening adds the balances with which a day opens.
func (s sums) addOpening(book *books.Book, m *Mapping) error {
	for i := range book.Accounts {
		l := &book.Accounts[i]
		if err := s.add(m, l, 0, l.Opening < 0, max(l.Opening, -l.Opening)); err != nil {
			return err
		}
	}
	return nil
}

// lines returns the lines of an entry in their order. Records balance, and so must what those of each kind did.
func (j *Journal) lines(s sums, upTo int) ([]Line, error) {
	var list []Line
	over := map[record.Kind]money.Amount{}
	for _, k := range slices.SortedFunc(maps.Keys(s), compareLines) {
		l := Line{Target: k.target, Account: k.account, Unit: k.unit, Series: k.series, Kind: k.kind}
		if k.account.KeptFor() == "venue" {
			l.Called = j.venue(k.unit, upTo)
		}
		var err error
		if k.credit {
			l.Credit = s[k]
			over[k.kind], err = over[k.kind].Sub(s[k])
		} else {
			l.Debit = s[k]
			over[k.kind], err = over[k.kind].Add(s[k])
		}
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	for kind, cents := range over {
		if cents != 0 {
			return nil, fmt.Errorf("%w: debits of %q are %v over its credits", ErrBroken, (&Line{Kind: kind}).Text(), cents)
		}
	}
	return list, nil
}

func compareLines(a, b at) int {
	side := func(credit bool) int {
		if credit {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(side(a.credit), side(b.credit)),
		cmp.Compare(a.account, b.account), cmp.Compare(a.unit, b.unit), cmp.Compare(a.series, b.series),
		cmp.Compare(a.target.Code, b.target.Code), cmp.Compare(a.target.Centre, b.target.Centre))
}
