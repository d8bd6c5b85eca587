package counter

import (
	"strings"
	"testing"

	"drawhouse/rulebook/rules"
)

// TestLatePrizeHasAWay holds that anybody who comes too late to a venue is told of the form, or that
// the rules leave no claim.
func TestLatePrizeHasAWay(t *testing.T) {
	for id, want := range map[string]string{
		"vic-keno-2015": "Claim Form", "tas-keno-2023": "Claim", "casino-keno-div2": "nobody has a claim",
	} {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := (tally{late: 1}).refusal(book); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
}
