package serial

import (
	"fmt"
	"strings"
)

const serialDigits = 16

// A Serial is the serial of a ticket in 16 digits, the last of which is a check
// digit. It is comparable; the zero Serial is none.
type Serial struct{ digits [serialDigits]byte }

// makeSerial writes a number of 15 digits and adds the check digit.
func makeSerial(n uint64) Serial {
	var s Serial
	for i := serialDigits - 2; i >= 0; i-- {
		s.digits[i] = byte('0' + n%10)
		n /= 10
	}
	s.digits[serialDigits-1] = '0' + damm(s.digits[:serialDigits-1])
	return s
}

// number returns the 15 digits before the check digit.
func (s Serial) number() (n uint64) {
	for _, c := range s.digits[:serialDigits-1] {
		n = 10*n + uint64(c-'0')
	}
	return n
}

// Parse reads a serial of 16 digits. Spaces and hyphens, as printed between
// groups of digits, are passed over.
//
//rule:tas-keno-2023 3.2(a)
func Parse(text string) (Serial, error) {
	var s Serial
	n := 0
	for i, r := range text {
		switch {
		case isSeparator(r):
			continue
		case r < '0' || r > '9':
			return Serial{}, fmt.Errorf("serial: %q at position %d is not a digit: %w", r, i+1, ErrCharacter)
		case n < serialDigits:
			s.digits[n] = byte(r)
		}
		n++
	}
	if n != serialDigits {
		return Serial{}, fmt.Errorf("serial: %d digits, a serial has %d: %w", n, serialDigits, ErrLength)
	}
	if damm(s.digits[:]) != 0 {
		return Serial{}, fmt.Errorf("serial: %s: %w", s, ErrCheck)
	}
	return s, nil
}

func isSeparator(r rune) bool { return r == ' ' || r == '-' }

// IsZero reports whether there is no serial.
func (s Serial) IsZero() bool { return s == Serial{} }

// String returns the 16 digits, or nothing for the zero Serial.
func (s Serial) String() string {
	if s.IsZero() {
		return ""
	}
	return string(s.digits[:])
}

// Grouped returns the digits in groups of four, as people read them.
func (s Serial) Grouped() string { return group(s.String(), " ") }

// MarshalText returns the 16 digits.
func (s Serial) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote. An empty text is the zero Serial.
func (s *Serial) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*s = Serial{}
		return nil
	}
	*s, err = Parse(string(text))
	return err
}

// group cuts a text into pieces of four characters.
func group(s, separator string) string {
	var b strings.Builder
	for i, c := range []byte(s) {
		if i > 0 && i%4 == 0 {
			b.WriteString(separator)
		}
		b.WriteByte(c)
	}
	return b.String()
}

// dammTable is the totally anti-symmetric quasigroup of order ten from H. M.
// Damm's thesis. Every wrong digit and every two neighbours exchanged change the
// check.
var dammTable = [10][10]byte{
	{0, 3, 1, 7, 5, 9, 8, 6, 4, 2},
	{7, 0, 9, 2, 1, 5, 4, 8, 6, 3},
	{4, 2, 0, 6, 8, 7, 1, 3, 5, 9},
	{1, 7, 5, 0, 9, 8, 3, 4, 2, 6},
	{6, 1, 2, 3, 0, 4, 5, 9, 7, 8},
	{3, 6, 7, 4, 2, 0, 9, 5, 8, 1},
	{5, 8, 6, 9, 7, 2, 0, 1, 3, 4},
	{8, 9, 4, 5, 3, 6, 2, 0, 1, 7},
	{9, 4, 3, 8, 6, 1, 7, 2, 0, 5},
	{2, 5, 8, 1, 4, 3, 6, 7, 9, 0},
}

// damm returns the check digit of a row of digits, which is 0 if the row already
// ends with its check digit.
func damm(digits []byte) byte {
	var check byte
	for _, c := range digits {
		check = dammTable[check][c-'0']
	}
	return check
}
