package drawhouse_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"drawhouse/edge/monitor"
	"drawhouse/house"
)

// TestMetricsDocIsCurrent holds the tables of docs/METRICS.md against the checks and metrics of the programs.
func TestMetricsDocIsCurrent(t *testing.T) {
	const file, begin, end = "docs/METRICS.md", "<!-- made: metrics -->\n", "<!-- end of the metrics -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks %q or %q", file, begin, end)
	}
	checkGenerated(t, file, before+begin+metricTables()+end+after)
}

// metricTables lists the checks of a house and the metrics of each program.
func metricTables() string {
	var b strings.Builder
	b.WriteString("\n## Checks of a house\n\n| check | for | holds when |\n|---|---|---|\n")
	for _, c := range houseChecks() {
		var of []string
		for _, purpose := range c.For {
			of = append(of, string(purpose))
		}
		tableRow(&b, []string{"`" + c.Name + "`", strings.Join(of, ", "), c.Says})
	}
	b.WriteString("| a part, such as `series 1`, `room 1`")
	for _, part := range house.Parts(nil) {
		fmt.Fprintf(&b, ", `%s`", part)
	}
	fmt.Fprintf(&b, " | %s | This part has no alarm. |\n", monitor.Alarms)
	for _, by := range []monitor.Program{monitor.OfHouse} {
		fmt.Fprintf(&b, "\n## Metrics of a %s\n\n| metric | type | labels | says |\n|---|---|---|---|\n", by)
		for _, f := range monitor.Families(by) {
			labels := ""
			if len(f.Labels) > 0 {
				labels = "`" + strings.Join(f.Labels, "`, `") + "`"
			}
			tableRow(&b, []string{"`" + f.FullName() + "`", f.Type, labels, f.Help})
		}
	}
	b.WriteString("\n")
	return b.String()
}

// houseChecks returns the checks that a house with everything has.
func houseChecks() []monitor.Check {
	never := func() time.Time { return time.Time{} }
	r := monitor.NewReadiness(nil, monitor.Disk("", 0), monitor.Certificate(never, 0),
		monitor.Backups(func() (time.Time, error) { return time.Time{}, nil }, 0), monitor.CanaryCheck(nil))
	return r.Own()
}
