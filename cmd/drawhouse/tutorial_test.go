package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drawhouse/internal/outside"
)

// TestTutorial types what the tutorial of docs/RULEBOOKS.md says: a rulebook of an invented country, a house
// founded by it, a sale, a draw, and a journal that verifies. What the page leaves to the office is done over the
// interface.
func TestTutorial(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/RULEBOOKS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n## Tutorial")
	text, _, _ = strings.Cut(text, "\n## ")
	blocks := runbookBlock.FindAllStringSubmatch(text, -1)
	if len(blocks) != 3 {
		t.Fatalf("the tutorial has %d blocks of commands", len(blocks))
	}
	s := &served{t: t, name: outside.Program(t)}
	dir := t.TempDir()
	s.dir = filepath.Join(dir, "drawhouse-data")
	types := func(block, house string) string {
		t.Helper()
		shell := exec.Command("sh", "-ec", "drawhouse() { \"$PROGRAM\" \"$@\"; }\n"+block)
		shell.Dir, shell.Env = dir, append(os.Environ(), "PROGRAM="+s.name, "HOUSE="+house, "DRAWHOUSE_DATABASE=")
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s%s", err, block, out)
		}
		return string(out)
	}
	if out := types(blocks[0][1], ""); !strings.Contains(out, "is sound: lake-keno edition 1") ||
		!strings.Contains(out, "your own rulebook lake-keno") {
		t.Errorf("%s", out)
	}
	s.endWithTest()
	s.begin(append([]string{"serve", "--addr=127.0.0.1:0", "--data=" + s.dir}, quick...)...)
	link := regexp.MustCompile(`web/setup.html#(\S+)`).FindStringSubmatch(s.said)
	if link == nil {
		t.Fatalf("the house says %q", s.said)
	}
	f := s.settleIn(link[1])
	_, public, _ := runLine(t, "terminal", "key", filepath.Join(dir, "till.pem"))
	f.staff("terminal", "add", strings.Fields(public)[1], "--venue=1")
	f.waitForSale()
	out := types(blocks[1][1], s.url)
	if !strings.Contains(out, `"serial"`) {
		t.Errorf("the sale is answered with %s", out)
	}
	f.waitForResult(f.newest())
	f.stop()
	out = types(blocks[2][1], "")
	for _, want := range []string{"lake-keno", "the OPERATOR'S OWN", `approved as "decision 1 of the Lake Council"`,
		"1 ticket for 1.00\u00a0EUR"} {
		if !strings.Contains(out, want) {
			t.Errorf("verify does not say %q:\n%s", want, out)
		}
	}
}

// newest returns the ordinal of the newest game.
func (f founder) newest() int {
	f.t.Helper()
	var course struct{ Newest int }
	o := owner{founder: f}
	o.done(&course, 1, "get-course")
	return course.Newest
}
