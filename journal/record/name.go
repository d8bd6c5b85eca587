package record

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MostName is how many characters a name has at most.
const MostName = 200

// The joiners that some scripts need inside a word. No other invisible character may
// stand in a name.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// NameFault says in a sentence why a text is no name.
type NameFault struct{ Sentence string }

// Error implements error.
func (f *NameFault) Error() string { return f.Sentence }

func noName(format string, args ...any) error { return &NameFault{fmt.Sprintf(format, args...)} }

// CleanName returns a name as people mean it: without white space around it, and with
// every accented letter in its composed form (NFC), so that two names that look alike are
// compared alike.
func CleanName(text string) string { return norm.NFC.String(strings.TrimSpace(text)) }

// CheckName reports why a text is no name of a person, a place or a firm. The text must be
// as CleanName returns it. A name is shown on screens and paper and stands in lists: a line
// break, a NUL or a mark that turns the direction of writing would make it look like
// another name, or like something that the house says. The error is a *NameFault.
func CheckName(text string) error {
	switch {
	case !utf8.ValidString(text):
		return noName("A name is a text in UTF-8.")
	case strings.TrimSpace(text) == "":
		return noName("A name must not be empty.")
	case utf8.RuneCountInString(text) > MostName:
		return noName("A name has at most %d characters.", MostName)
	case CleanName(text) != text:
		return noName("A name has no white space around it and is in Unicode form NFC.")
	}
	return checkShown(text)
}

// hidden reports a character that nobody sees, and that no word needs.
func hidden(r rune) bool {
	return r != zeroWidthNonJoiner && r != zeroWidthJoiner && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
}

// checkShown reports a character that nobody sees, or a name that has no other.
func checkShown(text string) error {
	seen := false
	for _, r := range text {
		switch {
		case hidden(r):
			return noName("A name has no control characters, line breaks or marks of writing direction; this name has %U.", r)
		case unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S):
			seen = true
		}
	}
	if !seen {
		return noName("A name needs a letter, a digit or another character that people see.")
	}
	return nil
}
