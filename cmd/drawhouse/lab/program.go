package lab

import (
	"errors"
	"fmt"
	"os"
	"path"
	"runtime/debug"
	"strings"
	"sync"

	"drawhouse"
	"drawhouse/core/figure"
)

// A build is what a program says of how it was built.
type build struct {
	Version  string            `json:"version,omitempty"` // of this program alone: a file does not tell it
	Go       string            `json:"go"`
	Settings map[string]string `json:"settings"`
	Modules  []module          `json:"modules"`
}

// module is a module of others in the program, with the sum that go.sum has of it.
type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum"`
}

func buildOf(info *debug.BuildInfo) build {
	b := build{Go: info.GoVersion, Settings: map[string]string{}, Modules: []module{}}
	for _, s := range info.Settings {
		b.Settings[s.Key] = s.Value
	}
	for _, m := range info.Deps {
		b.Modules = append(b.Modules, module{m.Path, m.Version, m.Sum})
	}
	return b
}

// sumOfProgram hashes the program that runs, once.
var sumOfProgram = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	sum, _, err := hash(f)
	return sum, errors.Join(err, f.Close())
})

// programPart writes what the program is, and how it is built again.
func (p *pack) programPart() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program was built without build information; make build writes it in")
	}
	own := buildOf(info)
	own.Version = drawhouse.Version
	list, err := p.program.Version()
	if err != nil {
		return err
	}
	rows := [][]string{{"module", "version", "sum", "licence"}}
	known, err := licences()
	if err != nil {
		return err
	}
	for _, m := range own.Modules {
		rows = append(rows, []string{m.Path, m.Version, m.Sum, known[m.Path+"@"+m.Version]})
	}
	commit := own.Settings["vcs.revision"]
	switch {
	case commit == "":
		p.fact("**Program: drawhouse %s, %s, of no known commit**: it was not built by `make build` in a checkout.", own.Version, own.Go)
	case own.Settings["vcs.modified"] == "true":
		p.fact("**Program: drawhouse %s, %s, commit %s with changes that are not committed**: nobody can build it again.", own.Version,
			own.Go, commit)
	default:
		p.fact("Program: drawhouse %s, %s, commit %s.", own.Version, own.Go, commit)
	}
	p.fact("Program: %s of others, listed with their sums.", figure.Count(len(own.Modules), "module"))
	if err := p.put("program/version.txt", list); err != nil {
		return err
	}
	if err := p.putJSON("program/build.json", own); err != nil {
		return err
	}
	if err := p.putCSV("program/modules.csv", rows); err != nil {
		return err
	}
	programs := [][]string{{"file", "bytes", "sha256"}}
	for _, f := range p.given.Programs {
		programs = append(programs, []string{f.Name, fmt.Sprint(f.Bytes), f.SHA256})
	}
	if err := p.putCSV("program/programs.csv", programs); err != nil {
		return err
	}
	return p.put("program/README.md", []byte(reproducePage(own, list, p.given)))
}

// licences returns the licences of modules by path and version, from the document that a test holds against their
// files.
func licences() (map[string]string, error) {
	text, err := drawhouse.Documents.ReadFile("docs/DEPENDENCIES.md")
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) == 3 && strings.HasPrefix(strings.TrimSpace(cells[1]), "v") {
			known[strings.TrimSpace(cells[0])+"@"+strings.TrimSpace(cells[1])] = strings.TrimSpace(cells[2])
		}
	}
	return known, nil
}

// reproducePage says how the program is built again and compared.
func reproducePage(own build, list []byte, given Given) string {
	var b strings.Builder
	commit := own.Settings["vcs.revision"]
	if commit == "" {
		commit = "COMMIT"
	}
	fmt.Fprintf(&b, `# The program and its reproduction

- [version.txt](version.txt): version, commit, hash of the program that made this pack, hash over the source of each critical part,
  of each rulebook and of each module.
- [build.json](build.json): version of Go, settings of the build, modules; [modules.csv](modules.csv): modules with their sums in go.sum and their licences.
- [programs.csv](programs.csv): hashes of further programs that were named when the pack was made, such as those for other platforms.
`)
	if given.Release {
		b.WriteString("- [release](release): bills of materials (CycloneDX), provenance (SLSA), hashes and signature of the release, as they were made with the " +
			"programs in programs.csv.\n")
	} else {
		b.WriteString("- Bills of materials in the form of CycloneDX and a statement of provenance are made with a release (`make release`); none was given for this pack.\n")
	}
	if own.Settings["vcs.revision"] == "" || own.Settings["vcs.modified"] == "true" {
		b.WriteString("\n**This program cannot be built again by others**: it names no commit, or was built with changes that are not committed. " +
			"Ask for a pack that a program of `make build` or `make release` made.\n")
	}
	fmt.Fprintf(&b, `
## Build it again

A machine with git, make and %s (another version gives other bytes) needs the source and the modules:

    git clone SOURCE drawhouse && cd drawhouse && git checkout %s
    go version                                   # must print %s
    go mod verify
    GOOS=%s GOARCH=%s make build OUT=drawhouse-again
    sha256sum drawhouse-again                    # compare with the line "program" of version.txt
    ./drawhouse-again version --verify version.txt

The last line names every part, rulebook and module that differs. scripts/reproduce.sh builds twice from two clones with caches
of their own and compares; [its text](../documents/scripts/reproduce.sh) is in this pack.

## Check the source of a part by hand

The hash of a part is that of what sha256sum prints for its files but the tests, in the order of their names:

    ls games/draw/*.go | grep -v _test.go | LC_ALL=C sort | xargs sha256sum | sha256sum

The critical parts decide about money or numbers: draw devices, selection, settlement, prices, jackpots, records, rulebooks, and the
second opinion on all of them. %d parts are listed.
`, own.Go, commit, own.Go, or(own.Settings["GOOS"], "linux"), or(own.Settings["GOARCH"], "amd64"),
		strings.Count(string(list), "\npart "))
	return b.String()
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// documents writes the documents of this build.
func (p *pack) documents() error {
	return walk(drawhouse.Documents, func(name string, data []byte) error {
		return p.put(path.Join("documents", name), data)
	})
}
