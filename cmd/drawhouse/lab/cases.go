package lab

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"drawhouse/check/verify/export"
	"drawhouse/core/contain"
	"drawhouse/internal/cases"
	"drawhouse/internal/cases/line"
)

// A Result is what came of a line of a case file.
type Result struct {
	Clause  string
	File    string // within the folder of the rulebook
	Line    int
	Kind    string // line, scenario or room
	Block   int    // the line with which its scenario begins; 0 for a line that stands alone
	Limit   string // below, at or above it; empty for no limit
	Case    string
	Expects string
	Outcome string
	Detail  string // why it failed
	records int    // of the journal that a scenario leaves, beside its first line
}

// Outcomes of a line.
const (
	passed     = "passed"
	failed     = "FAILED"
	notReached = "not reached" // because a line of the scenario before it failed
)

// isCase reports whether a line is a case, and not only a step on the way to one: it expects something, or stands for
// what is asked of a whole scenario.
func (r Result) isCase() bool { return r.Expects != "" }

// count returns how many cases there are and how many did not pass.
func count(results []Result) (all, bad int) {
	for _, r := range results {
		if r.isCase() {
			all++
		}
		if r.Outcome == failed {
			bad++
		}
	}
	return all, bad
}

// A task is a case to run, or a block of lines that share what they are run against.
type task struct {
	book string
	run  func() []Result
}

// runCases runs the cases of every rulebook that is built in, on all processors, and returns the results in the order
// of the files.
func (p *pack) runCases() (map[string][]Result, error) {
	files, err := cases.Carried()
	if err != nil {
		return nil, err
	}
	var tasks []task
	for _, b := range p.books {
		for _, f := range files {
			if b.BuiltIn && f.Rulebook == b.Name {
				tasks = append(tasks, tasksOf(b, f)...)
			}
		}
	}
	found := make([][]Result, len(tasks))
	next, ended := make(chan int, len(tasks)), make(chan error)
	for i := range tasks {
		next <- i
	}
	close(next)
	workers := runtime.GOMAXPROCS(0)
	var done int64
	var shown sync.Mutex // guards done, and calls of progress
	for range workers {
		contain.Go("the cases", func() error {
			for i := range next {
				found[i] = tasks[i].run()
				shown.Lock()
				done++
				p.progress.tell("cases", done, int64(len(tasks)))
				shown.Unlock()
			}
			return nil
		}, func(err error) { ended <- err })
	}
	var broken error
	for range workers {
		broken = errors.Join(broken, <-ended)
	}
	if broken != nil {
		return nil, broken
	}
	results := map[string][]Result{}
	for i, t := range tasks {
		results[t.book] = append(results[t.book], found[i]...)
	}
	return results, nil
}

// tasksOf returns the tasks of a case file: its lines together, and each scenario.
func tasksOf(b Book, f cases.File) (tasks []task) {
	name := "cases/" + filepath.Base(f.Path)
	result := func(l cases.Line, kind string) Result {
		return Result{Clause: f.Clause, File: name, Line: l.Number, Kind: kind, Limit: l.Tag, Case: l.Operation,
			Expects: l.Want, Outcome: passed}
	}
	if len(f.Lines) > 0 {
		tasks = append(tasks, task{b.Name, func() (all []Result) {
			bench, err := line.NewBench(b.Book)
			for _, l := range f.Lines {
				failure := err
				if failure == nil {
					failure = contain.Do("the case", func() error { return bench.Run(l) })
				}
				r := result(l, "line")
				r.fail(failure)
				all = append(all, r)
			}
			return all
		}})
	}
	scenario := func(kind, expects string, s cases.Scenario, play func() (records int, err error)) task {
		return task{b.Name, func() (all []Result) {
			records := 0
			err := contain.Do("the case", func() (err error) {
				records, err = play()
				return err
			})
			for _, l := range s {
				r := result(l, kind)
				r.Block = s[0].Number
				all = append(all, r)
			}
			all[0].records = records
			all[0].Expects = expects
			spread(all, err)
			return all
		}}
	}
	for _, s := range f.Scenarios {
		tasks = append(tasks, scenario("scenario", "the books tie, and the second opinion grades the journal alike", s,
			func() (int, error) {
				core, err := playScenario(f, s)
				if err == nil {
					err = holds(core)
				}
				if err != nil {
					return 0, err
				}
				return len(core.Records), nil
			}))
	}
	for _, s := range f.Halls {
		asked := "the books agree with the room, and the second opinion grades the journal alike"
		tasks = append(tasks, scenario("room", asked, s, func() (int, error) { return 0, f.RunHall(s, false) }))
	}
	return tasks
}

// fail takes down why a line failed, if it did.
func (r *Result) fail(err error) {
	if err != nil {
		r.Outcome, r.Detail = failed, err.Error()
	}
}

// spread says of each line of a scenario what came of it. What is asked of the whole stands beside the first line.
func spread(all []Result, err error) {
	at := 0
	if failure, ok := errors.AsType[*cases.Failure](err); ok {
		at = max(0, slices.IndexFunc(all, func(r Result) bool { return r.Line == failure.Line.Number }))
		err = failure.Err
		for i := at + 1; i < len(all); i++ {
			all[i].Outcome = notReached
		}
		if at > 0 {
			all[0].Outcome = notReached
		}
	}
	all[at].fail(err)
}

// playScenario plays a scenario in a house in memory.
func playScenario(f cases.File, s cases.Scenario) (core *cases.Core, err error) {
	err = f.Run(s, func(founding cases.Founding) (cases.House, error) {
		core, err = cases.NewCore(founding)
		return core, err
	})
	return core, err
}

// holds has package verify grade the journal of a house a second time.
func holds(core *cases.Core) error {
	report, err := core.Verify()
	if err == nil && report.Failure != nil {
		err = fmt.Errorf("the second opinion: %w", report.Failure)
	}
	return err
}

// mostRecords bounds the journal of a case that a pack shows, which is to be read and not to be measured.
const mostRecords = 1500

// journalOf returns the exported journal of the case of a rulebook that leaves most records, within bounds, and which
// case it is; nil where no case leaves one. A rulebook of bingo alone gives its longest evening in a room.
func journalOf(b Book, results []Result) (export.Memory, Result, error) {
	var best Result
	for _, r := range results {
		if r.records > best.records && r.records <= mostRecords {
			best = r
		}
	}
	files, err := cases.Carried()
	if err != nil {
		return nil, best, err
	}
	var core *cases.Core
	longest := 0
	for _, f := range files {
		if f.Rulebook != b.Name {
			continue
		}
		for _, s := range f.Scenarios {
			if best.records > 0 && f.Clause == best.Clause && s[0].Number == best.Line {
				core, err = playScenario(f, s)
			}
		}
		for _, s := range f.Halls {
			if best.records == 0 && len(s) > longest {
				longest = len(s)
				if core, err = f.PlayHall(s); err != nil {
					core, err = nil, nil // The list of cases says that it fails.
					continue
				}
				best = Result{Clause: f.Clause, File: "cases/" + filepath.Base(f.Path), Line: s[0].Number}
			}
		}
	}
	if err != nil || core == nil {
		return nil, best, err
	}
	journal, err := core.Export()
	return journal, best, err
}
