package person

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Weak says in a sentence why a password is too easily guessed.
type Weak struct{ Sentence string }

// Error implements error.
func (w *Weak) Error() string { return "person: " + w.Sentence }

// leastVaried is how many different characters a password has at least, and longestPart is
// the longest text that makes no password by being repeated.
const (
	leastVaried = 5
	longestPart = 4
)

// checkLength refuses a password that is too short or too long.
func checkLength(password string) error {
	if n := utf8.RuneCountInString(norm.NFC.String(password)); n < LeastPassword || n > MostPassword ||
		!utf8.ValidString(password) {
		return &Weak{fmt.Sprintf("A password has %d to %d characters.", LeastPassword, MostPassword)}
	}
	return nil
}

// CheckPassword refuses a password that a guesser tries first: one of few characters, a
// short text over and over, characters in a row, or one that says the person's own name. The
// error is a *Weak.
func CheckPassword(password string, names ...string) error {
	if err := checkLength(password); err != nil {
		return err
	}
	plain := []rune(strings.ToLower(norm.NFC.String(password)))
	switch {
	case varied(plain) < leastVaried:
		return &Weak{fmt.Sprintf("A password has at least %d different characters.", leastVaried)}
	case repeats(plain):
		return &Weak{"A password is not a short text over and over."}
	case inRow(plain):
		return &Weak{"A password is not a row of letters or digits, such as abcdef or 123456."}
	}
	for _, name := range names {
		if says(string(plain), name) {
			return &Weak{"A password does not say your name."}
		}
	}
	return nil
}

// varied counts the different characters.
func varied(text []rune) int {
	seen := map[rune]bool{}
	for _, r := range text {
		seen[r] = true
	}
	return len(seen)
}

// repeats reports whether a text is a shorter one over and over, the last time perhaps in
// part.
func repeats(text []rune) bool {
	for part := 1; part <= max(longestPart, len(text)/3); part++ {
		same := true
		for i := part; i < len(text) && same; i++ {
			same = text[i] == text[i-part]
		}
		if same {
			return true
		}
	}
	return false
}

// rows are what fingers run along.
var rows = []string{"qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "1234567890"}

// inRow reports whether most steps from a character to the next are those of a row: of the
// alphabet, of digits, or of a keyboard.
func inRow(text []rune) bool {
	steps := 0
	for i := 1; i < len(text); i++ {
		if beside(text[i-1], text[i]) {
			steps++
		}
	}
	return steps*4 >= (len(text)-1)*3
}

func beside(a, b rune) bool {
	if (unicode.IsLetter(a) && unicode.IsLetter(b) || unicode.IsDigit(a) && unicode.IsDigit(b)) &&
		(b-a == 1 || a-b == 1) {
		return true
	}
	for _, row := range rows {
		if strings.Contains(row, string([]rune{a, b})) || strings.Contains(row, string([]rune{b, a})) {
			return true
		}
	}
	return false
}

// says reports whether a text has a name, or each of its words of some length.
func says(text, name string) bool {
	const short = 4
	for _, word := range strings.Fields(strings.ToLower(norm.NFC.String(name))) {
		if utf8.RuneCountInString(word) >= short && strings.Contains(text, word) {
			return true
		}
	}
	return false
}
