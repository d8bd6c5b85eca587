package matrix

import (
	"strings"
	"testing"
)

// TestValuesOfClauses shows how the paths of a clause are put together.
func TestValuesOfClauses(t *testing.T) {
	v := Values{
		all: []string{"from", "keno.limits[stake 1.00].max", "keno.limits[stake 1.00].min", "keno.numbers.draw",
			"keno.numbers.in.of",
			"keno.numbers.out.of"},
		cited: map[string]map[string]bool{"1": {"keno.limits[stake 1.00].max": true, "keno.numbers.draw": true,
			"keno.numbers.in.of": true}, "2": {"from": true}},
	}
	for clause, want := range map[string]string{"1": "keno.limits[stake 1.00].max, keno.numbers", "2": "from", "3": ""} {
		if got := strings.Join(v.Of(clause), ", "); got != want {
			t.Errorf("clause %s: %s, want %s", clause, got, want)
		}
	}
	if all := v.Paths(); !all["keno.limits"] || !all["keno.limits[stake 1.00]"] || !all["keno"] ||
		all["keno.limits[stake 1"] {
		t.Errorf("the paths are %v", all)
	}
}
