package record

import (
	"testing"
)

// FuzzParsePlace: a place is read in the one form in which it is written.
func FuzzParsePlace(f *testing.F) {
	for _, text := range []string{"1:20417", "0:0", "01:1", "1:", ":1", "1:-1", "65536:1", "1:18446744073709551616",
		"1:1 "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		place, err := ParsePlace(text)
		if err == nil && place.String() != text {
			t.Errorf("%q is read as %v", text, place)
		}
	})
}
