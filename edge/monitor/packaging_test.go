package monitor

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	rulesFile     = "../../packaging/prometheus/drawhouse.rules.yml"
	rulesTests    = "../../packaging/prometheus/drawhouse.rules.test.yml"
	dashboardFile = "../../packaging/grafana/drawhouse.json"
)

var (
	// usedMetric finds a metric in an expression, with its matchers if it has some.
	usedMetric = regexp.MustCompile(`\b(drawhouse_[a-z0-9_]+)(?:\{([^}]*)\})?`)
	// usedLabel finds a label and what it is to be in matchers.
	usedLabel = regexp.MustCompile(`([a-z_]+)=~?"([^"]*)"`)
	alertName = regexp.MustCompile(`(?m)^\s*- alert: (\S+)$`)
)

// faultsOf returns what expressions ask for that nobody serves, and how many metrics they name.
func faultsOf(expressions string) (faults []string, named int) {
	all := map[string]Family{}
	for _, f := range families {
		all[f.FullName()] = f
		if f.Type == kindHistogram {
			bucket := f
			bucket.Labels = append(slices.Clone(f.Labels), "le")
			all[f.FullName()+"_bucket"], all[f.FullName()+"_sum"], all[f.FullName()+"_count"] = bucket, f, f
		}
	}
	purposes := []string{string(Sell), string(Draw), string(Alarms), string(Cosign), string(Answer)}
	for _, used := range usedMetric.FindAllStringSubmatch(expressions, -1) {
		named++
		f, ok := all[used[1]]
		if !ok {
			faults = append(faults, used[1]+" is not served")
			continue
		}
		for _, l := range usedLabel.FindAllStringSubmatch(used[2], -1) {
			if l[1] != "job" && l[1] != "instance" && !slices.Contains(f.Labels, l[1]) {
				faults = append(faults, used[1]+" has no label "+l[1])
			}
			for _, purpose := range strings.Split(l[2], "|") {
				if l[1] == "for" && !slices.Contains(purposes, purpose) {
					faults = append(faults, "nothing is checked for "+purpose)
				}
				if l[1] == "role" && !slices.Contains(roles, purpose) {
					faults = append(faults, "there is no role "+purpose)
				}
			}
		}
	}
	return faults, named
}

// TestFaultsAreFound feeds the check below with expressions.
func TestFaultsAreFound(t *testing.T) {
	for expression, want := range map[string]string{
		`drawhouse_ready{for="sell",job=~"$job"} == 0`:             "",
		`rate(drawhouse_lane_commit_seconds_bucket{le="0.1"}[5m])`: "",
		`drawhouse_gone > 1`:                                         "drawhouse_gone is not served",
		`drawhouse_records_total_bucket`:                             "drawhouse_records_total_bucket is not served",
		`drawhouse_alarm{check="device"}`:                            "drawhouse_alarm has no label check",
		`drawhouse_ready{for=~"sell|lend"}`:                          "nothing is checked for lend",
		`drawhouse_role{role="reader"} == 1 and drawhouse_canary_up`: "there is no role reader",
	} {
		faults, named := faultsOf(expression)
		if got := strings.Join(faults, "; "); got != want || named == 0 {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}

// TestRulesUseWhatIsServed: an alarm about a metric that nobody serves never calls anybody.
func TestRulesUseWhatIsServed(t *testing.T) {
	text := read(t, rulesFile)
	faults, named := faultsOf(text)
	for _, fault := range faults {
		t.Error(fault)
	}
	tested := read(t, rulesTests)
	alerts := alertName.FindAllStringSubmatch(text, -1)
	for _, a := range alerts {
		if !strings.Contains(tested, `alertname="`+a[1]+`"`) {
			t.Errorf("no case makes %s call", a[1])
		}
	}
	if len(alerts) < 10 || named < len(alerts) {
		t.Errorf("%d alarms name %d metrics", len(alerts), named)
	}
}

// TestRules has Prometheus's own tool check the rules and play their cases.
func TestRules(t *testing.T) {
	promtool := promtoolOrSkip(t)
	for _, args := range [][]string{{"check", "rules", rulesFile}, {"test", "rules", rulesTests}} {
		if out, err := exec.Command(promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestDashboardUsesWhatIsServed reads every expression of the dashboard.
func TestDashboardUsesWhatIsServed(t *testing.T) {
	var dashboard struct {
		Title  string
		Panels []struct {
			ID      int
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, dashboardFile)), &dashboard); err != nil {
		t.Fatal(err)
	}
	ids, expressions := map[int]bool{}, []string{}
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.Title == "" || p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %d %q asks nothing, or shares its number", p.ID, p.Title)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			expressions = append(expressions, target.Expr)
			faults, named := faultsOf(target.Expr)
			if named == 0 {
				t.Errorf("%s: %s names no metric", p.Title, target.Expr)
			}
			for _, fault := range faults {
				t.Errorf("%s: %s", p.Title, fault)
			}
		}
	}
	if len(ids) < 20 {
		t.Errorf("%d panels", len(ids))
	}
	promtool := promtoolOrSkip(t)
	rules := "groups: [{name: dashboard, rules: ["
	for i, e := range expressions {
		rules += fmt.Sprintf("{record: panel:%d, expr: %q},\n", i, strings.ReplaceAll(e, "$__rate_interval", "1m"))
	}
	file := filepath.Join(t.TempDir(), "rules.yml")
	if err := os.WriteFile(file, []byte(rules+"]}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(promtool, "check", "rules", file).CombinedOutput(); err != nil {
		t.Errorf("an expression cannot be read: %v\n%s", err, out)
	}
}

func promtoolOrSkip(t *testing.T) string {
	t.Helper()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("SKIPPED, AND NOBODY KNOWS WHETHER THE ALARMS CALL: promtool is not there (Debian's package prometheus)")
	}
	return promtool
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
