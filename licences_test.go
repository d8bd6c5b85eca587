package drawhouse_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dependency is a module that the program or its tests are made with.
type dependency struct {
	Path, Version, Dir string
	licence            string
	inProgram          bool
}

// TestDependenciesDocIsCurrent lists every module with its licence. One whose licence is
// not known, or not one that the program may be given away with, fails.
func TestDependenciesDocIsCurrent(t *testing.T) {
	checkGenerated(t, "docs/DEPENDENCIES.md", dependenciesDoc(t))
}

func dependenciesDoc(t *testing.T) string {
	t.Helper()
	all := dependencies(t)
	var b strings.Builder
	b.WriteString("# Dependencies\n\n")
	b.WriteString("Made from `go list` and the licence files of the modules by `go test . -run Doc -rewrite`. A module whose licence is none of the\n" +
		"permissive ones known to the test fails it. The sums of the versions are in [go.sum](../go.sum), and those of a program in\n`drawhouse version --parts`.\n")
	for _, part := range []struct {
		title     string
		inProgram bool
	}{{"In the program", true}, {"In its tests alone", false}} {
		fmt.Fprintf(&b, "\n## %s\n\n| module | version | licence |\n|---|---|---|\n", part.title)
		for _, d := range all {
			if d.inProgram == part.inProgram {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", d.Path, d.Version, d.licence)
			}
		}
	}
	b.WriteString("\n## On its pages\n\nThe typeface Atkinson Hyperlegible Next, under the SIL Open Font License 1.1 ([OFL.txt](../edge/web/assets/kit/OFL.txt)). Nothing else is taken\n" +
		"from others there.\n")
	return b.String()
}

// dependencies returns the modules whose packages are linked or tested with, by path.
func dependencies(t *testing.T) []dependency {
	t.Helper()
	program := map[string]bool{}
	for _, m := range listedModules(t, "./cmd/drawhouse") {
		program[m.Path] = true
	}
	var all []dependency
	for _, m := range listedModules(t, "-test", "./...") {
		m.inProgram = program[m.Path]
		text, err := licenceText(m.Dir)
		if err != nil {
			t.Errorf("%s: %v", m.Path, err)
			continue
		}
		if m.licence = licenceOf(text); m.licence == "" {
			t.Errorf("%s: its licence is not known:\n%.400s", m.Path, text)
		}
		all = append(all, m)
	}
	return all
}

// listedModules returns the modules behind packages and everything that they import.
func listedModules(t *testing.T, patterns ...string) []dependency {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, patterns...)...)
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0") // the same list on every machine
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]dependency{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ Module *dependency }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && p.Module.Path != module {
			seen[p.Module.Path] = *p.Module
		}
	}
	var all []dependency
	for _, m := range seen {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b dependency) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func licenceText(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if strings.HasPrefix(upper, "LICEN") || strings.HasPrefix(upper, "COPYING") {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			return string(text), err
		}
	}
	return "", errors.New("it has no licence")
}

// licences are told by a sentence of each. The order matters: one is contained in others.
var licences = []struct{ name, sentence string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"FreeType", "freetype license"},
	{"CC-BY-4.0", "creative commons attribution 4.0 international public license"},
}

// licenceOf returns the name of a licence, or nothing if it is none that is known.
func licenceOf(text string) string {
	plain := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(text, ",", ", ")), " "))
	plain = strings.ReplaceAll(plain, "license, version", "license version")
	for _, l := range licences {
		if strings.Contains(plain, l.sentence) {
			return l.name
		}
	}
	return ""
}

func TestLicenceOf(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted, free of charge,\nto any person obtaining a copy of":                      "MIT",
		"                                 Apache License\n                           Version 2.0, January 2004": "Apache-2.0",
		"GNU AFFERO GENERAL PUBLIC LICENSE Version 3":                                                           "",
		"": "",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
