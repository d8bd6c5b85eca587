package sim

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
)

// quick is the size of a simulation that takes about a second.
var quick = Size{Days: 4, Acts: 60, Faults: 6}

// play runs a plan in a bubble in which no real time passes.
func play(t *testing.T, p Plan) (result Result, err error) {
	t.Helper()
	synctest.Test(t, func(*testing.T) { result, err = Run(p, synctest.Wait) })
	return result, err
}

// number returns a number from the environment.
func number(t *testing.T, name string, or int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return or
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestSeeds plays seed after seed. SIM_SEED is the first and SIM_SEEDS how many; a
// failure prints what is needed to see it again.
func TestSeeds(t *testing.T) {
	if os.Getenv("PLANTED") != "" {
		t.Skip("a bug is planted")
	}
	seeds := number(t, "SIM_SEEDS", 9)
	if testing.Short() {
		seeds = min(seeds, len(Books))
	}
	logFigures(t, playAll(t, number(t, "SIM_SEED", 0), seeds, quick))
}

// playAll plays seeds, and shrinks the first that fails.
func playAll(t *testing.T, first, seeds int, size Size) map[string]int {
	t.Helper()
	all := map[string]int{}
	for seed := first; seed < first+seeds; seed++ {
		plan := New(uint64(seed), size)
		result, err := play(t, plan)
		for what, n := range result.Figures {
			all[what] += n
		}
		all["seeds"]++
		all["days"] += plan.Days
		all["records"] += int(result.Size)
		if err == nil {
			continue
		}
		t.Errorf("seed %d, %+v: %v", seed, size, err)
		if all["failed"]++; all["failed"] == 1 {
			t.Logf("shrunk to:\n%v", shrunk(t, plan, err))
		}
	}
	return all
}

func logFigures(t *testing.T, figures map[string]int) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(figures)) {
		t.Logf("%-44s %9d", what, figures[what])
	}
}

// shrunk returns a smaller plan with the same breach.
func shrunk(t *testing.T, plan Plan, breach error) string {
	t.Helper()
	promise := promiseOf(breach)
	last := breach
	small := Shrink(plan, func(p Plan) bool {
		_, err := play(t, p)
		if err == nil || promiseOf(err) != promise {
			return false
		}
		last = err
		return true
	}, 80)
	return fmt.Sprintf("%v%v", small, last)
}

func promiseOf(err error) string {
	var b *Breach
	if errors.As(err, &b) {
		return b.Promise
	}
	return ""
}

// TestSameBytes plays a plan twice: the journals must be equal to the byte.
func TestSameBytes(t *testing.T) {
	for seed := range uint64(len(Books)) {
		plan := New(seed, Size{Days: 1, Acts: 60, Faults: 12})
		first, err := play(t, plan)
		if err != nil {
			t.Fatal(err)
		}
		second, err := play(t, plan)
		if err != nil {
			t.Fatal(err)
		}
		if first.Size != second.Size || first.Root != second.Root || !maps.Equal(first.Figures, second.Figures) {
			t.Errorf("seed %d: %d records with root %v, and then %d with root %v", seed, first.Size, first.Root, second.Size,
				second.Root)
		}
	}
}

// TestShrink leaves out everything that a failure does not take.
func TestShrink(t *testing.T) {
	plan := New(1, Size{Days: 8, Acts: 50, Faults: 5})
	needs := []Act{plan.Acts[17], plan.Acts[203], plan.Acts[371]}
	runs := 0
	small := Shrink(plan, func(p Plan) bool {
		runs++
		for _, a := range needs {
			if !slices.Contains(p.Acts, a) {
				return false
			}
		}
		return p.Days >= 3
	}, 500)
	if !slices.Equal(small.Acts, needs) || small.Days != 4 {
		t.Errorf("after %d runs:\n%v", runs, small)
	}
	same := Shrink(plan, func(Plan) bool { return false }, 100)
	if len(same.Acts) != len(plan.Acts) || same.Days != plan.Days {
		t.Error("a plan shrinks that does not fail without all of it")
	}
}
