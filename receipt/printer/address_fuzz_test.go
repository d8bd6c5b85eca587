package printer

import "testing"

// FuzzParseAddress reads any text as the address of a printer: written in full it is read
// alike.
func FuzzParseAddress(f *testing.F) {
	for _, text := range []string{"tcp://192.168.1.20:9100", "tcp://printer", "tcp://[::1]", "http://printer", "tcp://",
		""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		if again, err := ParseAddress(a.String()); err != nil || again != a {
			t.Errorf("%q is %v, and then %v, %v", text, a, again, err)
		}
	})
}
