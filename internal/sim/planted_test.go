package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A plant is a bug that is put into a copy of the product's sources, where the
// simulator, the second opinion or an invariant of the house must find it. In is the
// file, Old what stands there once, and New what is put in its place; BUG in it is
// true while this bug is looked for.
type plant struct {
	name     string
	in       string
	old, new string
}

// plantedPackage tells the planted bugs apart at run time, so that one build has all
// of them. It exists in the overlay alone.
const plantedPackage = `package planted

import "os"

var name = os.Getenv("PLANTED")

// Is reports whether this bug is looked for.
func Is(bug string) bool { return name == bug }
`

// overlay writes sources with every bug in them, and the file that tells the go
// command to take them instead. The product's own files are left alone.
func overlay(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	sources := map[string]string{}
	for _, p := range plants {
		source, ok := sources[p.in]
		if !ok {
			data, err := os.ReadFile(filepath.Join(root, p.in))
			if err != nil {
				t.Fatal(err)
			}
			line, rest, _ := strings.Cut(string(data[bytes.Index(data, []byte("\npackage "))+1:]), "\n")
			source = line + "; import \"drawhouse/planted\"\n" + rest
		}
		if n := strings.Count(source, p.old); n != 1 {
			t.Errorf("%s: %q stands %d times in %s; a planted bug needs one place: bring it up to date", p.name, p.old, n, p.in)
		}
		sources[p.in] = strings.Replace(source, p.old,
			strings.ReplaceAll(p.new, "BUG", fmt.Sprintf("planted.Is(%q)", p.name)), 1)
	}
	if t.Failed() {
		t.FailNow()
	}
	sources["planted/planted.go"] = plantedPackage
	replace := map[string]string{}
	for name, source := range sources {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, name)] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPlanted builds the simulator around a house with every planted bug in it, one
// of which is switched on at a time, and expects each to be caught. With none
// switched on that house must pass. With the tag soak all of them are tried, and
// otherwise one in a few.
func TestPlanted(t *testing.T) {
	if testing.Short() || os.Getenv("PLANTED") != "" {
		t.Skip("it builds the house anew")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay(t, root), "-o", binary,
		"./internal/sim")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := hunt(binary, "none"); err != nil {
		t.Fatalf("without a bug: %v\n%s", err, out)
	}
	var tried, caught int
	var told strings.Builder
	for i, name := range plantNames() {
		if !soaking && i%every != 0 {
			continue
		}
		tried++
		out, err := hunt(binary, name)
		line := strings.TrimSpace(found(out))
		if line == "" {
			t.Errorf("%s is not caught: %v\n%s", name, err, tail(out))
			continue
		}
		caught++
		t.Logf("%-36s %s", name, line)
		who, _, _ := strings.Cut(line, ", seed")
		fmt.Fprintf(&told, "| %s | %s |\n", name, who)
	}
	t.Logf("planted bugs caught: %d of %d", caught, tried)
	statePlanted(t, fmt.Sprintf("%d of %d planted bugs are caught:\n\n| bug | caught |\n|---|---|\n%s", caught, tried,
		told.String()))
}

// every is one in how many planted bugs is tried where there is no time for all.
const every = 16

// plantNames returns the names of the planted bugs, each once.
func plantNames() []string {
	var names []string
	for _, p := range plants {
		if len(names) == 0 || names[len(names)-1] != p.name {
			names = append(names, p.name)
		}
	}
	return names
}

// foundMark begins the line in which a hunt tells what it has found.
const foundMark = "FOUND "

// hunt runs TestHunt of a build with planted bugs.
func hunt(binary, bug string) (string, error) {
	c := exec.Command(binary, "-test.run", "^TestHunt$", "-test.v", "-test.timeout", "5m")
	c.Env = append(os.Environ(), "PLANTED="+bug)
	out, err := c.CombinedOutput()
	return string(out), err
}

func found(out string) string {
	for line := range strings.Lines(out) {
		if _, after, ok := strings.Cut(line, foundMark); ok {
			return after
		}
	}
	return ""
}

func tail(out string) string { return out[max(0, len(out)-3000):] }

// huntSeeds is how many seeds a planted bug may hide from.
const huntSeeds = 45

// TestHunt looks for the planted bug that the environment names. Without one in it
// the first seeds must pass.
func TestHunt(t *testing.T) {
	bug := os.Getenv("PLANTED")
	if bug == "" {
		t.Skip("no bug is planted")
	}
	seeds := uint64(huntSeeds)
	if bug == "none" {
		seeds = 3
	}
	for seed := range seeds {
		_, err := play(t, New(seed, quick))
		var b *Breach
		if errors.As(err, &b) {
			t.Logf(foundMark+"by %s, seed %d: %v", by(b), seed, err)
			if bug == "none" {
				t.Fail()
			}
			return
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if bug != "none" {
		t.Errorf("%s hides from %d seeds", bug, seeds)
	}
}

// by says who has found a breach.
func by(b *Breach) string {
	switch b.Promise {
	case "verify":
		return "verify"
	case "invariant":
		return "the house itself"
	}
	return "the auditor (" + b.Promise + ")"
}
