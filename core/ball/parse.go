package ball

import (
	"errors"
	"fmt"
	"strings"
)

// ErrSyntax reports a text that is not a list of numbers.
var ErrSyntax = errors.New("ball: not a list of numbers")

// Parse reads a set: "1 2 3", "1,2,3" or, with a range, "1-5 9". Numbers are one
// or two digits in any order, apart by spaces or by one comma. A repeated
// number is an error, also one that a range repeats. The empty text is the empty
// set.
func Parse(u Universe, text string) (Set, error) {
	s, err := parseSet(u, text)
	if err != nil {
		return Set{}, fmt.Errorf("parse %q: %w", text, err)
	}
	return s, nil
}

// MustParse is like [Parse] and panics on an error. It is for texts written in a
// program.
func MustParse(u Universe, text string) Set {
	s, err := Parse(u, text)
	if err != nil {
		panic(err)
	}
	return s
}

func parseSet(u Universe, text string) (Set, error) {
	s, err := Of(u)
	if err != nil {
		return Set{}, err
	}
	items, err := split(text)
	if err != nil {
		return Set{}, err
	}
	for _, item := range items {
		first, last, err := parseRange(item)
		if err != nil {
			return Set{}, err
		}
		for n := first; n <= last; n++ {
			if s, err = s.add(n); err != nil {
				return Set{}, err
			}
		}
	}
	return s, nil
}

// ParseSequence reads numbers in the order drawn: "42 3 17" or "42,3,17". There
// are no ranges, because an order has each number stated.
func ParseSequence(u Universe, text string) (Sequence, error) {
	q, err := parseSequence(u, text)
	if err != nil {
		return Sequence{}, fmt.Errorf("parse %q: %w", text, err)
	}
	return q, nil
}

func parseSequence(u Universe, text string) (Sequence, error) {
	items, err := split(text)
	if err != nil {
		return Sequence{}, err
	}
	nums := make([]int, len(items))
	for i, item := range items {
		if nums[i], err = parseNumber(item); err != nil {
			return Sequence{}, err
		}
	}
	return NewSequence(u, nums...)
}

// split returns the items of a list. A comma stands between two items, so that
// an item lost from a list of commas is noticed.
func split(text string) ([]string, error) {
	var items []string
	if !strings.Contains(text, ",") {
		return strings.Fields(text), nil
	}
	for part := range strings.SplitSeq(text, ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			return nil, fmt.Errorf("%w: a number is missing beside a comma", ErrSyntax)
		}
		items = append(items, fields...)
	}
	return items, nil
}

// parseRange reads "7", or "1-5" with the lower number first.
func parseRange(item string) (first, last int, err error) {
	low, high, isRange := strings.Cut(item, "-")
	if first, err = parseNumber(low); err != nil {
		return 0, 0, err
	}
	if !isRange {
		return first, first, nil
	}
	if last, err = parseNumber(high); err != nil {
		return 0, 0, err
	}
	if first > last {
		return 0, 0, fmt.Errorf("%w: range %s runs backwards", ErrSyntax, item)
	}
	return first, last, nil
}

// parseNumber reads one or two digits; the universe is checked by its caller.
func parseNumber(item string) (int, error) {
	if item == "" || len(item) > 2 {
		return 0, fmt.Errorf("%w: %q is not one or two digits", ErrSyntax, item)
	}
	n := 0
	for _, c := range []byte(item) {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%w: %q is not one or two digits", ErrSyntax, item)
		}
		n = n*10 + int(c-'0')
	}
	return n, nil
}
