//go:build soak

package sim

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// soaking says that there is time for everything.
const soaking = true

var rewrite = flag.Bool("rewrite", false, "write the figures into docs/RELIABILITY.md")

// reliability is the document that states the figures.
const reliability = "../../docs/RELIABILITY.md"

// TestSoak plays many seeds of weeks each and tells what happened in them. SIM_SEED is
// the first and SIM_SEEDS how many.
func TestSoak(t *testing.T) {
	if os.Getenv("PLANTED") != "" {
		t.Skip("a bug is planted")
	}
	figures := playAll(t, number(t, "SIM_SEED", 1000), number(t, "SIM_SEEDS", 100), Size{Days: 14, Acts: 70, Faults: 6})
	logFigures(t, figures)
	if *rewrite && !t.Failed() {
		replaceSection(t, "soak", table(figures))
	}
}

// table writes the figures that the document states.
func table(figures map[string]int) string {
	var b strings.Builder
	line := func(what string, n int) { fmt.Fprintf(&b, "| %s | %d |\n", what, n) }
	b.WriteString("| | |\n|---|---:|\n")
	for _, row := range [][2]string{
		{"seeds", "seeds"}, {"days of play", "days"}, {"records", "records"}, {"games settled", "games settled"},
		{"tickets sold", "sell"}, {"tickets cancelled", "cancel"}, {"payments", "pay"},
		{"proofs of a ticket in a seal", "proofs made"},
		{"batches of requests at several terminals", "crowds"}, {"of those while the game closed", "crowds at the close"},
		{"requests whose answer was unknown", "answers unknown"}, {"starts of the house", "restarts"},
		{"appends of a writer that was taken over from, all refused", "appends of a fenced writer refused"},
		{"journals graded by verify", "journals graded"}, {"tickets in them", "tickets graded"},
		{"promises broken", "failed"},
	} {
		line(row[0], figures[row[1]])
	}
	for _, prefix := range []string{"fault: ", "network: ", "operator: "} {
		for _, what := range slices.Sorted(maps.Keys(figures)) {
			if strings.HasPrefix(what, prefix) && !strings.HasSuffix(what, " refused") {
				line(what, figures[what])
			}
		}
	}
	return b.String()
}

// replaceSection puts text between the marks of a section of the document.
func replaceSection(t *testing.T, name, text string) {
	t.Helper()
	data, err := os.ReadFile(reliability)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no section %s", reliability, name)
	}
	if err := os.WriteFile(reliability, []byte(before+begin+text+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// statePlanted writes what became of the planted bugs into the document.
func statePlanted(t *testing.T, text string) {
	t.Helper()
	if *rewrite && !t.Failed() {
		replaceSection(t, "planted", text)
	}
}
