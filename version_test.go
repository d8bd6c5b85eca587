package drawhouse_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"drawhouse"
)

// release finds the headings of CHANGELOG.md that name a version.
var release = regexp.MustCompile(`^## \[(.+)\] - \d{4}-\d{2}-\d{2}$`)

// TestVersion holds the version of the program against the changelog.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	report(t, checkVersion(drawhouse.Version, string(text)))
}

// checkVersion returns what is wrong with a version and the changelog beside it: every heading names a version and its
// day, or what is not released; the newest comes first, and none is newer than the program. A version that is no
// candidate has its own heading.
func checkVersion(version, changelog string) (problems []string) {
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if !semver.IsValid("v"+version) || semver.Canonical("v"+version) != "v"+version {
		return []string{version + " is no version"}
	}
	last, own := "v"+version, semver.Prerelease("v"+version) != ""
	for line := range strings.Lines(changelog) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "## ") || line == "## [Unreleased]" {
			continue
		}
		match := release.FindStringSubmatch(line)
		if match == nil || !semver.IsValid("v"+match[1]) {
			add("%q names no version and day", line)
			continue
		}
		if semver.Compare("v"+match[1], last) > 0 {
			add("%s stands below %s", match[1], last[1:])
		}
		last, own = "v"+match[1], own || match[1] == version
	}
	if !own {
		add("%s has no heading", version)
	}
	return problems
}

// TestVersionCheckFires feeds the check with changelogs.
func TestVersionCheckFires(t *testing.T) {
	const day = " - 2026-11-19\n"
	for _, c := range []struct{ name, version, changelog, want string }{
		{"a candidate", "1.0.0-rc.1", "## [Unreleased]\n", ""},
		{"a release", "1.0.0", "## [Unreleased]\n\n## [1.0.0]" + day + "## [1.0.0-rc.1]" + day, ""},
		{"on the way to the next", "1.1.0-rc.1", "## [Unreleased]\n\n## [1.0.0]" + day, ""},
		{"no version", "1.0", "", "1.0 is no version"},
		{"with a letter", "v1.0.0-rc.1", "", "v1.0.0-rc.1 is no version"},
		{"a release without a heading", "1.0.0", "## [Unreleased]\n", "1.0.0 has no heading"},
		{"an older program", "1.0.0-rc.1", "## [1.0.0-rc.2]" + day, "1.0.0-rc.2 stands below 1.0.0-rc.1"},
		{"out of order", "1.1.0", "## [1.1.0]" + day + "## [0.9.0]" + day + "## [1.0.0]" + day, "1.0.0 stands below 0.9.0"},
		{"without a day", "1.0.0-rc.1", "## [0.9.0]\n", "names no version and day"},
		{"a word", "1.0.0-rc.1", "## Later\n", "names no version and day"},
	} {
		expect(t, c.name, checkVersion(c.version, c.changelog), c.want)
	}
}
