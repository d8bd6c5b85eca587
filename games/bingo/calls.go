package bingo

import (
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/ball"
)

// ParseCalls reads the numbers called in a game: numbers in the order called, with
// blanks between them, where -17 takes back 17, which was called wrongly. What
// follows a # on a line is a remark. The result has no number that was taken back.
func ParseCalls(of ball.Universe, text string) (ball.Sequence, error) {
	calls, err := ball.NewSequence(of)
	if err != nil {
		return ball.Sequence{}, err
	}
	fileLine := 0
	for line := range strings.Lines(text) {
		fileLine++
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsSeq(line) {
			number, wrong := strings.CutPrefix(word, "-")
			n, err := strconv.ParseUint(number, 10, 8)
			if err != nil || n < 1 || n > uint64(of) {
				return ball.Sequence{}, Fault{FileLine: fileLine,
					Message: fmt.Sprintf("%q is not a number from 1 to %d, called or, with a hyphen, taken back", word, of)}
			}
			if wrong {
				calls, err = without(calls, int(n))
			} else {
				calls, err = calls.Append(int(n))
			}
			if err != nil {
				return ball.Sequence{}, Fault{FileLine: fileLine, Field: word, Message: err.Error()}
			}
		}
	}
	return calls, nil
}

// without returns calls as if a number had not been called. The others keep their
// order.
func without(calls ball.Sequence, number int) (ball.Sequence, error) {
	kept := calls.Prefix(0)
	for i := range calls.Len() {
		n := calls.At(i)
		if n == number {
			continue
		}
		var err error
		if kept, err = kept.Append(n); err != nil {
			return calls, err
		}
	}
	if kept.Len() == calls.Len() {
		return calls, fmt.Errorf("bingo: %d cannot be taken back: it was not called", number)
	}
	return kept, nil
}
