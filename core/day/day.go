// Package day is the calendar of drawhouse: a Keno Day, or any other date, as
// one comparable number, and the counting of months and years on dates.
//
// Keno Days are identified by the calendar day on which trading began
// (vic-keno-2015 2(a).keno-day, tas-keno-2023 1.33, casino-keno-div2
// 1.0.keno-day), so lives and claim periods are counted on dates and never on
// instants. The package knows no clock and no time zone; TestAddMonths proves
// the month-end rule.
package day

import (
	"errors"
	"fmt"
	"strconv"
)

// Day is a date of the Gregorian calendar. The zero value is no day, so that a
// forgotten field is seen; the first valid day is 0001-01-01.
type Day int32

// None is the absent day.
const None Day = 0

const (
	minYear = 1
	maxYear = 9999
)

// ErrRange reports a date outside the years 1 to 9999.
var ErrRange = errors.New("day: outside the years 0001 to 9999")

// Of returns the day of a year, month and day of the month, all as printed.
func Of(year, month, dom int) (Day, error) {
	if year < minYear || year > maxYear {
		return None, fmt.Errorf("day: year %d: %w", year, ErrRange)
	}
	if month < 1 || month > 12 {
		return None, fmt.Errorf("day: month %d is not 1 to 12", month)
	}
	if dom < 1 || dom > DaysIn(year, month) {
		return None, fmt.Errorf("day: %04d-%02d has no day %d", year, month, dom)
	}
	return Day(daysBefore(year, month) + dom), nil
}

// Parse reads the form 2026-11-15 and no other.
func Parse(s string) (Day, error) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return None, fmt.Errorf("day: %q is not of the form 2026-11-15", s)
	}
	year, errYear := parseDigits(s[0:4])
	month, errMonth := parseDigits(s[5:7])
	dom, errDom := parseDigits(s[8:10])
	if err := errors.Join(errYear, errMonth, errDom); err != nil {
		return None, fmt.Errorf("day: %q is not of the form 2026-11-15", s)
	}
	return Of(year, month, dom)
}

// MustParse is Parse for constants in tests and tables.
func MustParse(s string) Day {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// IsValid reports whether d is a day at all.
func (d Day) IsValid() bool { return d > None && d <= lastDay }

// Date returns the parts of d as printed.
func (d Day) Date() (year, month, dom int) {
	n := int(d)
	// A year estimate from the mean length of the Gregorian year is at most one
	// off, so the loop below runs at most once.
	year = int(int64(n-1)*400/146097) + 1
	for n <= daysBefore(year, 1) {
		year--
	}
	for n > daysBefore(year+1, 1) {
		year++
	}
	month = 1
	for month < 12 && n > daysBefore(year, month+1) {
		month++
	}
	return year, month, n - daysBefore(year, month)
}

// String prints the form that Parse reads.
func (d Day) String() string {
	if !d.IsValid() {
		return "no day"
	}
	return string(d.AppendTo(nil))
}

// AppendTo appends the printed form.
func (d Day) AppendTo(b []byte) []byte {
	year, month, dom := d.Date()
	b = appendPadded(b, year, 4)
	b = append(b, '-')
	b = appendPadded(b, month, 2)
	b = append(b, '-')
	return appendPadded(b, dom, 2)
}

// AddDays returns the day n days later (earlier when n is negative).
func (d Day) AddDays(n int) (Day, error) {
	e := int64(d) + int64(n)
	if !d.IsValid() || e <= int64(None) || e > int64(lastDay) {
		return None, fmt.Errorf("day: %v plus %d days: %w", d, n, ErrRange)
	}
	return Day(e), nil
}

// AddMonths returns the same day of the month n months later or, where that
// month is shorter, its last day: one month after 31 January is 28 or 29
// February. The rules say "months" without a month-end rule; this is the
// house's reading.
func (d Day) AddMonths(n int) (Day, error) {
	if !d.IsValid() {
		return None, fmt.Errorf("day: %v plus %d months: %w", d, n, ErrRange)
	}
	year, month, dom := d.Date()
	total := int64(year)*12 + int64(month-1) + int64(n)
	year, month = int(total/12), int(total%12)+1
	if total < minYear*12 || year > maxYear {
		return None, fmt.Errorf("day: %v plus %d months: %w", d, n, ErrRange)
	}
	return Of(year, month, min(dom, DaysIn(year, month)))
}

// DaysIn returns the length of a month.
func DaysIn(year, month int) int {
	if month == 2 && isLeap(year) {
		return 29
	}
	return int(monthDays[month-1])
}

var monthDays = [12]uint8{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// lastDay is 9999-12-31.
var lastDay = Day(daysBefore(maxYear+1, 1))

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// daysBefore counts the days from 0001-01-01 up to, not including, the first of
// the month.
func daysBefore(year, month int) int {
	y := year - 1
	n := y*365 + y/4 - y/100 + y/400
	for m := 1; m < month; m++ {
		n += DaysIn(year, m)
	}
	return n
}

func parseDigits(s string) (int, error) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.Atoi(s)
}

func appendPadded(b []byte, n, width int) []byte {
	s := strconv.Itoa(n)
	for i := len(s); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, s...)
}
