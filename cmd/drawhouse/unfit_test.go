package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/rulebook"
)

// TestCheckSaysWhatFoundRefuses: the check of a file and the founding of a house have the same faults, with their
// lines.
func TestCheckSaysWhatFoundRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		changes []string
		says    string // after the name of the file
	}{
		{[]string{"zone: Australia/Melbourne", "zone: Australia/Nowhere"}, `:\d+:1: zone: there is no time zone`},
		{[]string{"rulebook: riverside-keno-1", "rulebook: vic-keno-2015"}, `:\d+:1: rulebook: vic-keno-2015 is a rulebook of the program`},
		{[]string{"rulebook: riverside-keno-1", "rulebook: river_side"}, `:\d+:1: rulebook: games bear the id: .*hyphens`},
		{[]string{"title: Riverside Keno", "title: " + strings.Repeat("K", 5000)}, `:\d+:1: title: has 5000 characters`},
		{[]string{"title: Riverside Keno", "title: Riverside Keno # " + strings.Repeat("x", rulebook.MaxText)}, `:\d+:1: the file has \d+ bytes`},
		{[]string{"from: 2015-03-01", "from: 3015-03-01", "current_from: 2015-03-01", "current_from: 3015-03-01"},
			`:\d+:3: effective.from: is in the year 3015`},
		{[]string{"channels: [sst]\n      max: 1000\n", "channels: [sst]\n      max: 0.05\n"},
			`:\d+:7: keno.limits\[\d+\].max: \$0.05 is below the least stake at channel sst`},
		{[]string{"mode: floor", "mode: half-up"}, `:\d+:5: keno.rounding.mode: "half-up" is not known here`},
	} {
		path, _ := ownFile(t, dir, "wrong.yaml", c.changes...)
		want := regexp.MustCompile(regexp.QuoteMeta(path) + c.says)
		if status, out, errs := runLine(t, "rulebook", "check", path); status == 0 || !want.MatchString(out) {
			t.Errorf("check: %d %s %s, want %v", status, out, errs, want)
		}
		if status, _, errs := runLine(t, "found", "keno.example", "--rulebook="+path, "--reference=x",
			"--data="+filepath.Join(dir, "data")); status == 0 || !want.MatchString(errs) {
			t.Errorf("found: %d %s, want %v", status, errs, want)
		}
	}
}

// TestCheckWarns: what may be meant is warned of, with its clause, and can be founded by.
func TestCheckWarns(t *testing.T) {
	t.Parallel()
	path, _ := ownFile(t, t.TempDir(), "odd.yaml", "4: {2: 1, 3: 4, 4: 120}", "4: {2: 4, 3: 1, 4: 120}",
		"from: 2015-03-01", "from: 2199-03-01", "current_from: 2015-03-01", "current_from: 2199-03-01",
		"reading: six-months\n      months: 6\n", "reading: six-months\n      months: 100000\n",
		"after: {months: 6}", "after: {months: 100000}")
	status, out, errs := runLine(t, "rulebook", "check", path)
	for _, want := range []string{
		"keno.tables[0].catch.4.3: warning: 3 of 4 wins $1.00 by clause S.classic-1, and 2 of 4, which comes more often, wins $4.00",
		"effective.from: warning: no ticket is sold before 2199-03-01 (clause 1)",
		"keno.payout.period: warning: is longer than 10 years; is that what clause ",
		"3 warnings",
	} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%d %s%s, want %q", status, out, errs, want)
		}
	}
	sound, _ := ownFile(t, t.TempDir(), "sound.yaml")
	if status, out, errs := runLine(t, "rulebook", "check", sound); status != 0 || !strings.Contains(out, "no warnings") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}
