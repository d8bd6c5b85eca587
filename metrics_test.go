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
	checkTable(&b, "house", allChecks()["house"])
	b.WriteString("| a part, such as `series 1`, `room 1`")
	for _, part := range house.Parts(nil) {
		fmt.Fprintf(&b, ", `%s`", part)
	}
	fmt.Fprintf(&b, " | %s | This part has no alarm. |\n", monitor.Alarms)
	all := allChecks()
	checkTable(&b, "witness", all["witness"])
	checkTable(&b, "device", all["device"])
	for _, by := range []monitor.Program{monitor.OfHouse, monitor.OfWitness, monitor.OfDevice} {
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

// checkTable lists checks with their purposes.
func checkTable(b *strings.Builder, of string, checks []monitor.Check) {
	fmt.Fprintf(b, "\n## Checks of a %s\n\n| check | for | holds when |\n|---|---|---|\n", of)
	for _, c := range checks {
		var purposes []string
		for _, purpose := range c.For {
			purposes = append(purposes, string(purpose))
		}
		tableRow(b, []string{"`" + c.Name + "`", strings.Join(purposes, ", "), c.Says})
	}
}

// allChecks returns the checks of each program, those of one that has everything.
func allChecks() map[string][]monitor.Check {
	nothing := func() error { return nil }
	r := monitor.NewReadiness(nil, monitor.Disk("", 0), monitor.Certificate(nil),
		monitor.Backups(func() (time.Time, error) { return time.Time{}, nil }, 0), monitor.CanaryCheck(nil))
	witness := monitor.NewChecks(monitor.Cosign, monitor.Book(monitor.Cosign, nothing), monitor.Room(monitor.Cosign, ""))
	device := monitor.NewChecks(monitor.Answer, monitor.Drawing(nothing), monitor.Book(monitor.Answer, nothing),
		monitor.Room(monitor.Answer, ""))
	return map[string][]monitor.Check{"house": r.Own(), "witness": witness.Own(), "device": device.Own()}
}
