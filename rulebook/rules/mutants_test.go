package rules_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"drawhouse/internal/cases"
	"drawhouse/internal/cases/line"
	"drawhouse/internal/mutants"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestMutants changes values of the rulebooks, one at a time, and has the cases of the clauses that the value
// names run under the changed book: a case must fail. Every day that is done with a few values. Where
// DRAWHOUSE_MUTANTS says "all", or names rulebooks, it is done with every value; then `make mutants` writes
// docs/MUTANTS.md.
func TestMutants(t *testing.T) {
	which := os.Getenv("DRAWHOUSE_MUTANTS")
	files, err := cases.ReadAll(".")
	if err != nil {
		t.Fatal(err)
	}
	if which == "" {
		someMutants(t, files)
		return
	}
	var results []mutants.Result
	for _, id := range rules.IDs() {
		if which == "all" || strings.Contains(which, id) {
			results = append(results, allMutants(t, id, files)...)
		}
	}
	verdict := mutants.JudgeValues(results)
	for _, r := range verdict.Unjudged {
		t.Errorf("%s %s is changed, and no case fails: %s; clauses %v", r.Group, r.What, r.Change, r.Clauses)
	}
	if which != "all" {
		t.Log("\n" + verdict.Page)
		return
	}
	for _, j := range verdict.Unused {
		t.Errorf("a judgement is for nothing that survives: %v, %q", j.Where, j.Why)
	}
	writeMutants(t, "Values", verdict.Page)
}

// mutantsPage is where the results are kept.
const mutantsPage = "../../docs/MUTANTS.md"

func writeMutants(t *testing.T, heading, text string) {
	t.Helper()
	page, err := os.ReadFile(mutantsPage)
	if err != nil {
		t.Fatal(err)
	}
	written, err := mutants.PutSection(string(page), heading, text)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mutantsPage, []byte(written), 0o600); err != nil {
		t.Fatal(err)
	}
}

// someMutants tries a few values of every rulebook, which chance has chosen once.
func someMutants(t *testing.T, files []cases.File) {
	const oneOf, most = 25, 4
	chance := rand.New(rand.NewPCG(16, 1))
	for _, id := range rules.IDs() {
		s := newMutantSuite(t, id, files)
		killed := 0
		if _, err := mutants.EachValue(s.book, func() bool { return chance.IntN(oneOf) == 0 }, func(v mutants.Value) bool {
			if v.Refused != "" || !s.quick(v.Clauses) {
				return true
			}
			switch r := s.try(v); {
			case r.Outcome == mutants.Killed || r.Outcome == mutants.Retyped:
				killed++
			case r.Outcome == mutants.Survived && !mutants.Excused(r):
				t.Errorf("%s %s is changed, and no case fails: %s; clauses %v", r.Group, r.What, r.Change, r.Clauses)
			}
			return killed < most
		}); err != nil {
			t.Fatal(err)
		}
		if killed == 0 {
			t.Errorf("%s: no changed value was missed", id)
		}
	}
}

// allMutants tries every value of a rulebook.
func allMutants(t *testing.T, id string, files []cases.File) []mutants.Result {
	t.Helper()
	s := newMutantSuite(t, id, files)
	work := make(chan mutants.Value, 100)
	var mu sync.Mutex // guards results
	var results []mutants.Result
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for v := range work {
				r := s.try(v)
				mu.Lock()
				results = append(results, r)
				mu.Unlock()
			}
		})
	}
	left, err := mutants.EachValue(s.book, nil, func(v mutants.Value) bool {
		work <- v
		return true
	})
	close(work)
	wait.Wait()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(results, func(a, b mutants.Result) int {
		return strings.Compare(a.What+" "+a.Change, b.What+" "+b.Change)
	})
	counts := map[mutants.Outcome]int{}
	for _, r := range results {
		counts[r.Outcome]++
	}
	t.Logf("%s: %d changed values: %v; left out: %+v", id, len(results), counts, left)
	return results
}

// mutantSuite is what the mutants of one rulebook are tried with.
type mutantSuite struct {
	id    string
	book  *rulebook.Book
	files []cases.File // of the rulebook
}

func newMutantSuite(t *testing.T, id string, files []cases.File) *mutantSuite {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	s := &mutantSuite{id: id, book: book}
	for _, f := range files {
		if f.Rulebook == id {
			s.files = append(s.files, f)
		}
	}
	return s
}

// quick reports whether the cases of clauses are over in no time: there are some, and none plays many games.
func (s *mutantSuite) quick(clauses []string) bool {
	found := false
	for _, f := range s.files {
		if slices.Contains(clauses, f.Clause) {
			found = true
			if len(f.Scenarios)+len(f.Halls) > 6 ||
				slices.ContainsFunc(f.Scenarios, func(c cases.Scenario) bool { return c.Games() > 50 }) {
				return false
			}
		}
	}
	return found
}

// try tries a changed value, and asks the cases of other clauses too if those of its own see nothing.
func (s *mutantSuite) try(v mutants.Value) mutants.Result {
	r := mutants.Result{Group: s.id, What: v.Path, Change: v.String(), Clauses: v.Clauses, Outcome: mutants.Survived}
	if v.Refused != "" {
		r.Outcome, r.By = mutants.Refused, v.Refused
		return r
	}
	own := func(f cases.File) bool { return slices.Contains(v.Clauses, f.Clause) }
	switch {
	case s.caught(v.Book, &r.By, own, playLines, playScenarios):
		r.Outcome = mutants.Killed
	case differsFromTranscription(v.Book):
		r.Outcome = mutants.Retyped
	case v.Example:
		r.Outcome = mutants.Example
	case mutants.Excused(r):
	case s.caught(v.Book, &r.By, func(f cases.File) bool { return !own(f) }, playLines, playShort):
		r.Outcome = mutants.Elsewhere
	}
	return r
}

// caught plays the cases of some files under a book and reports whether one fails, and which.
func (s *mutantSuite) caught(book *rulebook.Book, by *string, which func(cases.File) bool,
	plays ...func(*rulebook.Book, cases.File) error) bool {
	for _, play := range plays {
		for _, f := range s.files {
			if !which(f) {
				continue
			}
			if err := contained(func() error { return play(book, f) }); err != nil {
				*by = f.Path + ": " + err.Error()
				return true
			}
		}
	}
	return false
}

// contained turns a panic into an error: a book that stops the program is caught.
func contained(do func() error) (err error) {
	defer func() {
		if stopped := recover(); stopped != nil {
			err = fmt.Errorf("panic: %v", stopped)
		}
	}()
	return do()
}

// playLines runs the lines of a file that stand alone.
func playLines(book *rulebook.Book, f cases.File) error {
	bench, err := line.NewBench(book)
	if err != nil {
		return err
	}
	for _, l := range f.Lines {
		if err := bench.Run(l); err != nil {
			return fmt.Errorf("%d: %w", l.Number, err)
		}
	}
	return nil
}

// playShort plays the scenarios of a file that play few games by chance.
func playShort(book *rulebook.Book, f cases.File) error {
	f.Scenarios = slices.DeleteFunc(slices.Clone(f.Scenarios), func(c cases.Scenario) bool { return c.Games() > 50 })
	return playScenarios(book, f)
}

// playScenarios plays the scenarios of a file, those of few games first.
func playScenarios(book *rulebook.Book, f cases.File) error {
	f.Book = book
	scenarios := slices.Clone(f.Scenarios)
	slices.SortStableFunc(scenarios, func(a, b cases.Scenario) int { return a.Games() - b.Games() })
	for _, scenario := range scenarios {
		if err := f.Run(scenario, func(founding cases.Founding) (cases.House,
			error) {
			return cases.NewCore(founding)
		}); err != nil {
			return err
		}
	}
	for _, scenario := range f.Halls {
		if err := f.RunHall(scenario, false); err != nil {
			return err
		}
	}
	return nil
}

// differsFromTranscription reports whether TestTables would see the book.
func differsFromTranscription(book *rulebook.Book) bool {
	return contained(func() error {
		rules.CompareTables(transcription{}, book)
		return nil
	}) != nil
}

// transcription stops at the first difference.
type transcription struct{ testing.TB }

func (transcription) Helper()               {}
func (transcription) Errorf(string, ...any) { panic(errDiffers) }
func (transcription) Error(...any)          { panic(errDiffers) }
func (transcription) Fatalf(string, ...any) { panic(errDiffers) }
func (transcription) Fatal(...any)          { panic(errDiffers) }

var errDiffers = errors.New("the tables are not those of the transcription")
