package rulebook

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
)

// This file holds the values that a file writes as one word. Each is read from
// the text itself and never through a floating point number, so that 8.50 is
// 850 cents and 0.29 is 29 hundredths of a percent.

// Dollars is an amount as written in a file: 5000, 60.00 or 8.50.
type Dollars money.Amount

// Amount returns the cents.
func (d Dollars) Amount() money.Amount { return money.Amount(d) }

// String returns the amount as people print it: $8.50.
func (d Dollars) String() string { return d.Amount().String() }

// parseText reads an amount that is not negative: a rulebook has no debts.
func (d *Dollars) parseText(text string) error {
	a, err := money.Parse(text)
	if err != nil {
		return fmt.Errorf("%q is not an amount such as 5000 or 8.50", text)
	}
	if a < 0 {
		return fmt.Errorf("%q is less than nothing", text)
	}
	*d = Dollars(a)
	return nil
}

// Percent is a share in hundredths of a percent: 74.20 is 7420.
type Percent int32

// Whole is all of something.
const Whole Percent = 100_00

// String returns the share as people print it: 74.20%.
func (p Percent) String() string { return fmt.Sprintf("%d.%02d%%", p/100, p%100) }

// parseText reads 10, 0.8 or 74.20: no more than a whole, no more than two places.
func (p *Percent) parseText(text string) error {
	whole, part, dotted := strings.Cut(text, ".")
	if !digits(whole, 3) || dotted && !digits(part, 2) {
		return fmt.Errorf("%q is not a percentage such as 10 or 74.20", text)
	}
	n := atoi(whole)*100 + atoi((part + "00")[:2])
	if n > int(Whole) {
		return fmt.Errorf("%q is more than 100 percent", text)
	}
	*p = Percent(n)
	return nil
}

// Date is a day as written in a file: 2015-03-01.
type Date day.Day

// Day returns the day.
func (d Date) Day() day.Day { return day.Day(d) }

// String returns the form that a file has.
func (d Date) String() string { return d.Day().String() }

func (d *Date) parseText(text string) error {
	parsed, err := day.Parse(text)
	if err != nil {
		return fmt.Errorf("%q is not a date such as 2015-03-01", text)
	}
	*d = Date(parsed)
	return nil
}

// MarshalText writes the form that a file has.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the form that a file has.
func (d *Date) UnmarshalText(text []byte) error { return d.parseText(string(text)) }

// Sizes is a set of counts as written in a file: 1-10 15 20 40.
type Sizes ball.Set

// Set returns the counts as a set of numbers; it is invalid where the file had none.
func (s Sizes) Set() ball.Set { return ball.Set(s) }

// Has reports whether a count is one of the set.
func (s Sizes) Has(n int) bool { return s.Set().Has(n) }

// String returns the form that a file has, with runs of three or more as ranges.
func (s Sizes) String() string {
	var words []string
	nums := s.Set().Numbers()
	for i := 0; i < len(nums); {
		j := i
		for j+1 < len(nums) && nums[j+1] == nums[j]+1 {
			j++
		}
		if j < i+2 {
			j = i
			words = append(words, strconv.Itoa(nums[i]))
		} else {
			words = append(words, strconv.Itoa(nums[i])+"-"+strconv.Itoa(nums[j]))
		}
		i = j + 1
	}
	return strings.Join(words, " ")
}

// parseText reads counts of spots, which are counts of keno's numbers.
func (s *Sizes) parseText(text string) error {
	set, err := ball.Parse(ball.Keno, text)
	switch {
	case errors.Is(err, ball.ErrRepeat), errors.Is(err, ball.ErrRange):
		return fmt.Errorf("%q repeats a size, or has one that is not 1 to 80", text)
	case err != nil || set.Len() == 0:
		return fmt.Errorf("%q is not a list of sizes such as 1-10 15 20", text)
	}
	*s = Sizes(set)
	return nil
}

// MarshalText writes the form that a file has.
func (s Sizes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the form that a file has.
func (s *Sizes) UnmarshalText(text []byte) error { return s.parseText(string(text)) }

// Range is a span of whole numbers as written in a file: 4-19, 50- or 1. A Most
// of 0 is no upper bound, so that the zero value holds every number.
type Range struct{ Least, Most int }

// Has reports whether n lies within the range.
func (r Range) Has(n int) bool { return n >= r.Least && (r.Most == 0 || n <= r.Most) }

// overlaps reports whether some number lies within both ranges.
func (r Range) overlaps(s Range) bool {
	return (r.Most == 0 || s.Least <= r.Most) && (s.Most == 0 || r.Least <= s.Most)
}

// String returns the form that a file has; the zero value is "any".
func (r Range) String() string {
	switch {
	case r == Range{}:
		return "any"
	case r.Most == 0:
		return strconv.Itoa(r.Least) + "-"
	case r.Least == r.Most:
		return strconv.Itoa(r.Least)
	}
	return strconv.Itoa(r.Least) + "-" + strconv.Itoa(r.Most)
}

func (r *Range) parseText(text string) error {
	low, high, dashed := strings.Cut(text, "-")
	if !digits(low, 6) || dashed && high != "" && !digits(high, 6) {
		return fmt.Errorf("%q is not a range such as 4-19, 50- or 1", text)
	}
	parsed := Range{Least: atoi(low)}
	switch {
	case !dashed:
		parsed.Most = parsed.Least
	case high != "":
		parsed.Most = atoi(high)
	}
	if parsed.Least == 0 {
		return fmt.Errorf("%q begins below 1", text)
	}
	if parsed.Most != 0 && parsed.Most < parsed.Least {
		return fmt.Errorf("%q runs backwards", text)
	}
	*r = parsed
	return nil
}

// MarshalText writes the form that a file has.
func (r Range) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the form that a file has.
func (r *Range) UnmarshalText(text []byte) error { return r.parseText(string(text)) }

// digits reports whether s is one to most digits and nothing else.
func digits(s string, most int) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= most
}

// atoi reads what digits accepted with so few digits that nothing overflows.
func atoi(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = n*10 + int(c-'0')
	}
	return n
}
