package command_test

import (
	"fmt"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// FuzzTexts reads texts as places and as hashes of payees: each is read or refused, and what a value is written as is
// read as the same value.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{"", "1:20417", "0:1", "1:", ":", "65535:18446744073709551615", "00",
		fmt.Sprintf("%064x", 7)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var place, placeAgain command.Place
		if place.UnmarshalText(text) == nil {
			written := record.Place(place).String()
			if placeAgain.UnmarshalText([]byte(written)) != nil || place != placeAgain {
				t.Errorf("%q is read as %v and written as %q", text, place, written)
			}
		}
		var payee, payeeAgain command.Payee
		if payee.UnmarshalText(text) == nil {
			written := fmt.Sprintf("%x", payee[:])
			if payeeAgain.UnmarshalText([]byte(written)) != nil || payee != payeeAgain {
				t.Errorf("%q is read as %x and written as %q", text, payee, written)
			}
		}
	})
}
