package record_test

import (
	"errors"
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestNames takes names of many scripts, and refuses what would make a name look like
// something else.
func TestNames(t *testing.T) {
	for _, name := range []string{
		"A", "Ann O'Neil", "Zoë Brönte", "王小明", "نرگس", "می\u200cخواهم", "Café 21 (North)", "№ 7",
		strings.Repeat("é", record.MostName),
	} {
		if err := record.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", " ", "\u00a0", "a\x00b", "a\nb", "a\tb", "a\u202eb", "a\u2066b", "\ufeffa", "a\u2028b", "a\u200bb", "\u200d",
		"a\xffb", " a", "a ",
		"Zoe\u0308", strings.Repeat("é", record.MostName+1), "\ue000",
	} {
		err := record.CheckName(name)
		var fault *record.NameFault
		if !errors.As(err, &fault) || fault.Sentence == "" {
			t.Errorf("%q is taken for a name (%v)", name, err)
		}
	}
	for given, want := range map[string]string{" Zoe\u0308 ": "Zoë", "Ann": "Ann"} {
		if got := record.CleanName(given); got != want {
			t.Errorf("%q becomes %q", given, got)
		}
	}
}
