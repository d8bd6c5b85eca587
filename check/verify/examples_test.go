package verify

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestSellsExamples: examples are for sale only in a house that plays by examples now.
func TestSellsExamples(t *testing.T) {
	decided, example := &terms{rules: &rules{}}, &terms{rules: &rules{examples: 2}}
	for name, c := range map[string]struct {
		founded *terms
		since   *terms // that the games play by now; nil for those of the founding
		to      *terms
		objects bool
	}{
		"decided to decided":          {decided, nil, decided, false},
		"decided to examples":         {decided, nil, example, true},
		"a demonstration goes on":     {example, nil, example, false},
		"a demonstration, decided":    {example, nil, decided, false},
		"decided since, and examples": {example, decided, example, true},
	} {
		check := &checker{}
		check.series[1] = newSeries(&record.SeriesBegun{Series: 1}, c.founded)
		if c.since != nil {
			s := check.series[1]
			s.changes, s.games = append(s.changes, change{1, c.since}), []*game{{ordinal: 1}}
		}
		err := check.sellsExamples(c.to)
		if (err != nil) != c.objects || err != nil && !strings.Contains(err.Error(), "not for sale") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
