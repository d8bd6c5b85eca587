package api_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/internal/cases"
	"drawhouse/journal/store/storetest"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// readCases reads the case files of all rulebooks.
func readCases(t *testing.T) []cases.File {
	t.Helper()
	files, err := cases.ReadAll(filepath.Join("..", "..", "rulebook", "rules"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// serve founds a running house for a test.
func serve(t *testing.T, f cases.Founding) (*cases.Served, error) {
	t.Helper()
	s, err := cases.NewServed(f, filepath.Join(t.TempDir(), "keys"), storetest.OpenMemory(storetest.NewDisk()))
	if err == nil {
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return s, err
}

// TestScenarios plays the scenarios of the case files over the interface of a
// running house. Package rules plays them through the engine alone.
func TestScenarios(t *testing.T) {
	for _, file := range readCases(t) {
		for _, scenario := range file.Scenarios {
			t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number), func(t *testing.T) {
				t.Parallel()
				if scenario.Games() > 500 && os.Getenv("DRAWHOUSE_LONG_SCENARIOS") == "" {
					t.Skip("a thousand games, which package rules plays; DRAWHOUSE_LONG_SCENARIOS plays them here, too")
				}
				if err := file.Run(scenario, func(f cases.Founding) (cases.House, error) { return serve(t, f) }); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestSettlements plays the lines of settlement of the case files in running houses,
// as far as they can happen in one: their tickets must be for sale, and jackpots begin
// as they do.
func TestSettlements(t *testing.T) {
	var played, left atomic.Int32
	t.Run("lines", func(t *testing.T) {
		for _, file := range readCases(t) {
			for _, line := range file.Lines {
				if !strings.HasPrefix(line.Operation, "settle ") {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, line.Number), func(t *testing.T) {
					t.Parallel()
					switch err := settleIn(t, &file, line); {
					case errors.Is(err, cases.ErrDoesNotFit):
						left.Add(1)
					case err != nil:
						t.Errorf("%s:%d: %v\n%v", file.Path, line.Number, line, err)
					default:
						played.Add(1)
					}
				})
			}
		}
	})
	t.Logf("%d settlements; %d do not fit a house", played.Load(), left.Load())
	if played.Load() < 100 {
		t.Errorf("only %d settlements were played, and %d left out", played.Load(), left.Load())
	}
}

// settleIn plays a line of settlement in a house of its own.
func settleIn(t *testing.T, file *cases.File, line cases.Line) error {
	t.Helper()
	book, err := rules.Book(file.Rulebook)
	if err != nil {
		return err
	}
	return file.Settle(line, book, func(f cases.Founding) (cases.House, error) { return serve(t, f) })
}

// TestQuotes asks a house for the price of everything that the case files price
// without it. A house knows no bonus prize pool and no venue's own catalogue, and
// has no terminals but writers' and self-service ones: lines that need one of these
// are run by package rules alone.
func TestQuotes(t *testing.T) {
	houses := map[string]*cases.Served{}
	asked, left := 0, 0
	for _, file := range readCases(t) {
		for _, line := range file.Lines {
			head, form, ok := strings.Cut(line.Operation, " {")
			words := strings.Fields(head)
			if !ok || words[0] != "quote" {
				continue
			}
			order, ok := orderOf(file.Rulebook, words[1:], "{"+form)
			if !ok {
				left++
				continue
			}
			if houses[file.Rulebook] == nil {
				houses[file.Rulebook] = houseForQuotes(t, file.Rulebook)
			}
			asked++
			if got, err := quote(houses[file.Rulebook], order); err != nil || got != firstWords(line.Want) {
				t.Errorf("%s:%d: %v\ngot %s, %v", file.Path, line.Number, line, got, err)
			}
		}
	}
	t.Logf("%d quotes; %d are not for a house", asked, left)
	if asked < 400 || left > 20 {
		t.Errorf("%d quotes were asked for and %d left out", asked, left)
	}
}

// orderOf returns the order of a quote, if it is one that a house can take.
func orderOf(id string, words []string, form string) (cases.Order, bool) {
	terminal := map[string]uint32{"writer": 1, "sst": 2}[words[0]]
	o := cases.Order{Terminal: terminal, Method: rulebook.Method(words[1])}
	for _, word := range words[2:] {
		if word != "runner" {
			return o, false
		}
		o.Runner = true
	}
	o.Form = cases.Complete(id, form)
	return o, terminal != 0
}

// houseForQuotes returns a house whose game 1 of the rulebook's first day is on
// sale and whose game 5, where the rulebook has such, is of delayed start.
func houseForQuotes(t *testing.T, id string) *cases.Served {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve(t, cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(book.From()),
		Seed: id})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.OpenDay(book.From()), h.OpenGame(), h.TurnGame(), h.Draw(1, nil)); err != nil {
		t.Fatal(err)
	}
	if book.Games().Delayed.Allowed {
		if err := h.Designate(6); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// quote asks for a price and writes it as cases do.
func quote(h *cases.Served, o cases.Order) (string, error) {
	cost, ways, err := h.Quote(o)
	var refused *refusal.Refusal
	switch {
	case errors.As(err, &refused) && refused.Clause == "":
		return fmt.Sprintf("refused %s -", refused.Code), nil
	case errors.As(err, &refused):
		return fmt.Sprintf("refused %s %s", refused.Code, refused.Clause), nil
	}
	return fmt.Sprintf("%d %d", cost.Cents(), ways), err
}

// firstWords leaves out what a price says besides cost and ways: the interface
// does not tell it.
func firstWords(want string) string {
	words := strings.Fields(want)
	if words[0] == "refused" {
		return want
	}
	return strings.Join(words[:2], " ")
}
