package money

import (
	"errors"
	"fmt"
	"strings"
)

// The ways in which a text fails to be an amount. Parse wraps one of them with
// the text itself.
var (
	errNoDigits   = errors.New("a whole number of dollars is missing")
	errNotDigit   = errors.New("dollars are digits, with a comma before every third one or no comma at all")
	errLeadZero   = errors.New("dollars begin with a zero")
	errCents      = errors.New("cents are exactly two digits")
	errMinusZero  = errors.New("zero has a minus sign")
	errOutOfRange = fmt.Errorf("too large: %w", ErrOverflow)
)

// Parse reads an amount such as "$1,234.50", "1234.50", "$5" or "-$0.10".
//
// It is strict, because a misread amount is somebody's money: the dollar sign
// is optional, thousands commas are all there or all absent, cents are absent
// or exactly two digits, and there are no spaces and no needless zeros. What
// [Amount.String] writes, Parse reads.
func Parse(s string) (Amount, error) {
	a, err := parse(s)
	if err != nil {
		return 0, fmt.Errorf("money: parse %q: %w", s, err)
	}
	return a, nil
}

func parse(s string) (Amount, error) {
	s, negative := strings.CutPrefix(s, "-")
	s = strings.TrimPrefix(s, "$")
	dollars, cents, hasCents := strings.Cut(s, ".")
	digits, err := ungroup(dollars)
	if err != nil {
		return 0, err
	}
	switch {
	case !hasCents:
		digits += "00"
	case len(cents) != 2 || !allDigits(cents):
		return 0, errCents
	default:
		digits += cents
	}
	return accumulate(digits, negative)
}

// ungroup checks the dollars of a text and returns them without commas.
func ungroup(s string) (string, error) {
	if s == "" {
		return "", errNoDigits
	}
	groups := strings.Split(s, ",")
	for i, g := range groups {
		switch {
		case g == "" || !allDigits(g):
			return "", errNotDigit
		case len(groups) > 1 && (len(g) > 3 || i > 0 && len(g) != 3):
			return "", errNotDigit
		}
	}
	if s[0] == '0' && len(s) > 1 {
		return "", errLeadZero
	}
	return strings.Join(groups, ""), nil
}

// accumulate turns digits, a number of cents, into an amount.
func accumulate(digits string, negative bool) (Amount, error) {
	// Any amount has at most 19 digits, and 19 digits always fit a uint64.
	if len(digits) > 19 {
		return 0, errOutOfRange
	}
	var cents uint64
	for _, c := range []byte(digits) {
		cents = cents*10 + uint64(c-'0')
	}
	if negative && cents == 0 {
		return 0, errMinusZero
	}
	a, ok := signed(negative, 0, cents)
	if !ok {
		return 0, errOutOfRange
	}
	return a, nil
}

func allDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
