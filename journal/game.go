package journal

import (
	"fmt"
	"strings"
)

// A Game names one game of the house: the series it belongs to (keno and bingo
// may be drawn on one day, with numbers that meet), the Keno Day and the number
// within it.
type Game struct {
	Series string // lower-case letters, digits and hyphens, such as vic-keno
	Day    string // a date, such as 2026-11-15
	Number uint32
}

// maxSeriesBytes bounds a series so that a seal stays a few lines on a screen.
const maxSeriesBytes = 64

// String returns the game's name, such as vic-keno 2026-11-15 417.
func (g Game) String() string { return fmt.Sprintf("%s %s %d", g.Series, g.Day, g.Number) }

// Check reports what is wrong with the name, if anything.
func (g Game) Check() error {
	if g.Series == "" || len(g.Series) > maxSeriesBytes || strings.ContainsFunc(g.Series, notInSeries) {
		return fmt.Errorf("journal: series %q is not made of lower-case letters, digits and hyphens, 1 to %d of them",
			g.Series, maxSeriesBytes)
	}
	if !isDate(g.Day) {
		return fmt.Errorf("journal: day %q is not a date such as 2026-11-15", g.Day)
	}
	return nil
}

func notInSeries(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
}

// isDate reports whether s is a date of the calendar as YYYY-MM-DD.
func isDate(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return false
	}
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:])
	return ok1 && ok2 && ok3 && month >= 1 && month <= 12 && day >= 1 && day <= monthDays(year, month)
}

func digits(s string) (n int, ok bool) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
