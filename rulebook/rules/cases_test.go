package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/internal/cases"
	"drawhouse/internal/cases/line"
	"drawhouse/rulebook/rules"
)

// TestCases runs the lines of the case files that stand alone: rulebook/rules/ID/cases/CLAUSE.txt shows what a clause
// does. Package line says which verbs there are.
//
// Blocks of lines that begin with "house" are scenarios, see TestScenarios.
func TestCases(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	benches := map[string]*line.Bench{}
	for _, file := range files {
		t.Run(file.Rulebook+"/"+file.Clause, func(t *testing.T) {
			if benches[file.Rulebook] == nil {
				book, err := rules.Book(file.Rulebook)
				if err != nil {
					t.Fatal(err)
				}
				if benches[file.Rulebook], err = line.NewBench(book); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range file.Lines {
				if err := benches[file.Rulebook].Run(l); err != nil {
					t.Errorf("%s:%d: %v\n%v", file.Path, l.Number, l, err)
				}
			}
		})
	}
}

// TestScenarios plays the scenarios of the case files in houses in memory, which begin anew from their journals before
// every line: wagers that are carried, days without a further game, and open sessions come back as they were. An
// engine goes on from a snapshot in the middle of each, and package verify, which grades by itself, checks each
// journal. Package api plays the scenarios over the interface of a running house, which does not begin anew.
func TestScenarios(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, scenario := range file.Scenarios {
			t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number), func(t *testing.T) {
				t.Parallel()
				played.Add(1)
				var core *cases.Core
				between := func() error { return core.Restart() }
				if err := file.Run(scenario, func(f cases.Founding) (cases.House, error) {
					var err error
					core, err = cases.NewCore(f)
					return core, err
				}, between); err != nil {
					t.Fatal(err)
				}
				if err := core.CheckSnapshot(len(core.Records) / 2); err != nil {
					t.Error(err)
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
	if !slices.ContainsFunc(files, func(f cases.File) bool { return len(f.Scenarios) > 0 }) {
		t.Error("there are no scenarios")
	}
}

// TestHalls plays the scenarios of bingo rooms, and has package verify check the journal of each. It plays each
// again in a house that begins anew from its journal before every line.
func TestHalls(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, scenario := range file.Halls {
			t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number), func(t *testing.T) {
				t.Parallel()
				rooms.Add(1)
				for _, restarts := range []bool{false, true} {
					if err := file.RunHall(scenario, restarts); err != nil {
						t.Errorf("restarts %v: %v", restarts, err)
					}
				}
			})
		}
	}
	if !slices.ContainsFunc(files, func(f cases.File) bool { return len(f.Halls) > 0 }) {
		t.Error("there are no scenarios of bingo rooms")
	}
}

// played and rooms count scenarios of keno and of bingo rooms that TestScenarios and TestHalls have played.
var played, rooms atomic.Int64

// TestEveryCommandIsTold finds the commands that no scenario gives, when TestScenarios and TestHalls have played all.
func TestEveryCommandIsTold(t *testing.T) {
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	var keno, bingo int64
	for _, file := range files {
		keno, bingo = keno+int64(len(file.Scenarios)), bingo+int64(len(file.Halls))
	}
	if played.Load() < keno || rooms.Load() < bingo {
		t.Skip("TestScenarios and TestHalls have not played all scenarios")
	}
	for _, row := range command.Rows() {
		if reason := untold[row.Name]; cases.Told(row) == (reason != "") {
			t.Errorf("%s: a case gives it: %t; why none does: %q", row.Name, cases.Told(row), reason)
		}
	}
	for name := range untold {
		if _, ok := command.Named(name); !ok {
			t.Errorf("there is no command %s", name)
		}
	}
}

// untold are the commands that no case gives, and why.
var untold = func() map[string]string {
	all := map[string]string{}
	for _, some := range []struct{ names, reason string }{
		{"begin-duty leave-duty end-duty send-home", "the verbs on, leave and off have the house do it for the person"},
		{"set-hours", "the verb hours has the house do it"},
		{"open-day", "the verb day has the engine open it"},
		{"add-operator add-venue rename-venue add-area add-terminal place-terminal key-terminal grant-role withdraw-role lock-person",
			"no clause says how the list of people and places is kept"},
		{"choose-beacon", "no clause knows a public beacon; packages engine, verify and house show it"},
		{"name-holidays show-notice hand-cheque reverse-remittance", "no clause asks for it"},
		{"appoint-inspector dismiss-inspector lock-inspector", "no clause says how inspectors are appointed"},
		{"erase-claimant erase-holder erase-payee", "it forgets what is in a register, and no case has one"},
		{"adopt-rulebook", "a case is of one rulebook and one series"},
		{"pay-by-hand bring-in-payment", "clauses.yaml says that no case shows it"},
		{"confirm-result", "a device repeats itself, and the numbers of a case are chosen"},
		{"give-aside", "packages engine and verify show it"},
		{"agree-venue carry-cash receive-remittance name-creditor order-debits take-in-answer " +
			"withdraw-debits pay-venue reverse-venue-payment",
			"no clause is about the account of a venue; packages engine, verify and api show it"},
	} {
		for name := range strings.FieldsSeq(some.names) {
			all[name] = some.reason
		}
	}
	return all
}()
