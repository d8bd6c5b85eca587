package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/internal/cases"
)

// moneyVerbs are those after which a journal holds sessions, papers or stops.
var moneyVerbs = []string{"settle", "issue", "freeze", "disqualify", "forfeit", "undelivered", "invalidate", "card", "bank", "limit", "account", "claim"}

// TestMoneyVerified plays the scenarios with customer sessions, papers and stops of
// payment and has package verify, which grades by itself, check each journal.
func TestMoneyVerified(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, file := range files {
		for _, scenario := range file.Scenarios {
			if !slices.ContainsFunc(scenario, func(l cases.Line) bool {
				verb, _, _ := strings.Cut(l.Operation, " ")
				return slices.Contains(moneyVerbs, verb)
			}) {
				continue
			}
			played++
			t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number), func(t *testing.T) {
				t.Parallel()
				var core *cases.Core
				if err := file.Run(scenario, func(f cases.Founding) (cases.House, error) {
					var err error
					core, err = cases.NewCore(f)
					return core, err
				}); err != nil {
					t.Fatal(err)
				}
				report, err := core.Verify()
				if err != nil {
					t.Fatal(err)
				}
				if report.Failure != nil {
					t.Errorf("%s:%d: %v", file.Path, scenario[0].Number, report.Failure)
				}
			})
		}
	}
	if played < 60 {
		t.Errorf("%d scenarios", played)
	}
}
