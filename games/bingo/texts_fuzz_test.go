package bingo

import "testing"

// FuzzParseColour reads any text as a colour: what is read is written as something that is
// read alike.
func FuzzParseColour(f *testing.F) {
	for _, text := range []string{"pink", "salmon #fa8072", "salmon #FA8072", "", "a #"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseColour(text)
		if err != nil {
			return
		}
		if again, err := ParseColour(c.String()); err != nil || again != c {
			t.Errorf("%q is %v, and then %v, %v", text, c, again, err)
		}
	})
}

// FuzzParseSerial reads any text as the serial of a card: it has one spelling but for
// case and blanks around it.
func FuzzParseSerial(f *testing.F) {
	for _, text := range []string{"K7-000123-04-34", " k7-000123-04-34 ", "K7-000123-04-35", "---", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSerial(text)
		if err != nil {
			return
		}
		if again, err := ParseSerial(s.String()); err != nil || again != s {
			t.Errorf("%q is %v, and then %v, %v", text, s, again, err)
		}
	})
}
