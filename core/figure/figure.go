// Package figure is how numbers are written for people: thousands set apart, a count with
// the noun that goes with it, and several things in a row.
//
// It follows no clause. TestGroupedForm proves that grouping adds commas and nothing
// else, whatever the number, and TestCount when a noun is in the singular.
package figure

import (
	"fmt"
	"strings"
)

// Integer is a number that counts something.
type Integer interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Count returns a number with its noun: "1 ticket", "0 tickets", "1,234 tickets".
func Count[T Integer](n T, noun string) string { return CountOf(n, noun, noun+"s") }

// CountOf is [Count] for a noun whose plural is not made with an s alone: "1 entry",
// "2 entries".
func CountOf[T Integer](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(fmt.Sprint(n)) + " " + many
}

// Grouped returns a decimal number with a comma before every third digit of its whole
// part: "-1234567.25" is "-1,234,567.25".
func Grouped(number string) string { return string(AppendGrouped(nil, number)) }

// AppendGrouped appends the form of [Grouped] to b and returns the result. It takes bytes,
// too, because amounts are written where nothing may be allocated.
func AppendGrouped[T string | []byte](b []byte, number T) []byte {
	first, point := 0, 0
	if len(number) > 0 && number[0] == '-' {
		first = 1
	}
	for point < len(number) && number[point] != '.' {
		point++
	}
	for i := range len(number) {
		if first < i && i < point && (point-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, number[i])
	}
	return b
}

// List returns things in a row: "1", "1 and 2", "1, 2 and 3".
func List[T any](things []T) string {
	var b strings.Builder
	for i, thing := range things {
		switch {
		case i == 0:
		case i == len(things)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, thing)
	}
	return b.String()
}
