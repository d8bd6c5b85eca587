package money

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]Amount{
		"0":                           0,
		"$0":                          0,
		"$0.00":                       0,
		"0.05":                        5,
		"5":                           500,
		"$5":                          500,
		"$1,234.50":                   123_450,
		"1,234":                       123_400,
		"$1234.50":                    123_450,
		"-$0.10":                      -10,
		"-3.00":                       -300,
		"$12,345,678":                 1_234_567_800,
		"$92,233,720,368,547,758.07":  math.MaxInt64,
		"-$92,233,720,368,547,758.08": math.MinInt64,
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for s, want := range map[string]error{
		"":                            errNoDigits,
		"$":                           errNoDigits,
		"-":                           errNoDigits,
		".50":                         errNoDigits,
		"1234.5":                      errCents,
		"1.":                          errCents,
		"1.234":                       errCents,
		"1.2x":                        errCents,
		"1.-5":                        errCents,
		"1.00.00":                     errCents,
		"12,34":                       errNotDigit,
		"1234,567":                    errNotDigit,
		"1,234567":                    errNotDigit,
		",123":                        errNotDigit,
		"1,":                          errNotDigit,
		"1,,234":                      errNotDigit,
		"1 000":                       errNotDigit,
		" 1":                          errNotDigit,
		"1\n":                         errNotDigit,
		"+1":                          errNotDigit,
		"$-1":                         errNotDigit,
		"$$1":                         errNotDigit,
		"1e3":                         errNotDigit,
		"\u0661":                      errNotDigit, // ARABIC-INDIC DIGIT ONE is a digit, but not ours.
		"01":                          errLeadZero,
		"0,123":                       errLeadZero,
		"-0":                          errMinusZero,
		"-$0.00":                      errMinusZero,
		"99999999999999999999999.00":  ErrOverflow,
		"$92,233,720,368,547,758.08":  ErrOverflow,
		"-$92,233,720,368,547,758.09": ErrOverflow,
	} {
		got, err := Parse(s)
		if got != 0 || !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := amounts().Draw(t, "a")
		for _, s := range []string{
			a.String(),
			strings.Replace(a.String(), "$", "", 1),
			strings.ReplaceAll(a.String(), ",", ""),
		} {
			if got, err := Parse(s); err != nil || got != a {
				t.Fatalf("Parse(%q) = %d, %v; want %d", s, got, err, a)
			}
		}
	})
}

// FuzzParse holds the parser to its promise that an accepted text has no second
// meaning: the canonical form of the result differs from it only in the dollar
// sign, the commas and the cents of a whole amount.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"$1,234.50", "-$0.10", "5", "0.05", "1,23", "-0", "92233720368547758.08"} {
		f.Add(s)
	}
	plain := strings.NewReplacer("$", "", ",", "")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s)
		if err != nil {
			if a != 0 {
				t.Fatalf("Parse(%q) = %v beside the error %v", s, a, err)
			}
			return
		}
		got, want := plain.Replace(s), plain.Replace(a.String())
		if got != want && got+".00" != want {
			t.Fatalf("Parse(%q) = %v", s, a)
		}
	})
}
