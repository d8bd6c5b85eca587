package verify

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestUndecided: examples are for sale only in a house that was founded with them.
func TestUndecided(t *testing.T) {
	decided, example := &terms{rules: &rules{}}, &terms{rules: &rules{examples: 2}}
	for name, c := range map[string]struct {
		founded *terms
		to      *terms
		objects bool
	}{
		"decided to decided":       {decided, decided, false},
		"decided to examples":      {decided, example, true},
		"a demonstration goes on":  {example, example, false},
		"a demonstration, decided": {example, decided, false},
	} {
		check := &checker{}
		check.series[1] = newSeries(&record.SeriesBegun{Series: 1}, c.founded)
		err := check.undecided(c.to)
		if (err != nil) != c.objects || err != nil && !strings.Contains(err.Error(), "not for sale") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
