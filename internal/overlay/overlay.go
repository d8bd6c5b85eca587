// Package overlay builds test programs from sources that are changed in memory, with switches in them: one
// build has all the switches, and each run of a program turns one. No file of the tree is changed.
package overlay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Edits are texts that are put into a source.
type Edits struct{ list []edit }

// An edit puts text into a source.
type edit struct {
	at   int
	deep int // of two that begin or end in one place, the inner one
	text string
}

// Around puts text before and behind a place, which is named by its offsets.
func (e *Edits) Around(from, to int, before, behind string) {
	deep := len(e.list)
	e.list = append(e.list, edit{from, deep, before}, edit{to, -deep, behind})
}

// Woven returns the source with all edits. What ends in a place comes before what begins
// there, and of two that begin there the outer one comes first.
func (e *Edits) Woven(source []byte) []byte {
	slices.SortStableFunc(e.list, func(a, b edit) int { return cmp.Or(a.at-b.at, a.deep-b.deep) })
	var out bytes.Buffer
	last := 0
	for _, e := range e.list {
		out.Write(source[last:e.at])
		out.WriteString(e.text)
		last = e.at
	}
	out.Write(source[last:])
	return out.Bytes()
}

// variable says to a program which switch is turned.
const variable = "DRAWHOUSE_UNGUARD_OFF"

// helper is what the switches ask.
const helper = `package %s

import "os"

var unguardNow = os.Getenv(%q)

func unguardOff(guard string) bool { return guard == unguardNow }

func unguardDrop(guard string, err error) error {
	if unguardOff(guard) {
		return nil
	}
	return err
}
`

// Programs are test programs that are built from the same sources.
type Programs struct {
	root, folder string
	replace      map[string]string
	mu           sync.Mutex        // guards binaries
	binaries     map[string]string // by the folder of the package

	// Longest is how long a program may run; one that hangs has failed.
	Longest time.Duration
}

// New returns programs of the module at root, which are kept in a folder.
func New(root, folder string) *Programs {
	return &Programs{root: root, folder: folder, replace: map[string]string{}, binaries: map[string]string{},
		Longest: 20 * time.Minute}
}

// Replace gives a file of the module another source. In it and in the files beside it unguardOff("NAME")
// reports whether the switch of that name is turned, and unguardDrop("NAME", err) forgets an error then.
func (p *Programs) Replace(file string, source []byte) error {
	of := path.Dir(file)
	for name, data := range map[string][]byte{file: source,
		path.Join(of, "zz_unguard.go"): fmt.Appendf(nil, helper, path.Base(of), variable)} {
		at, err := p.write(name, data)
		if err != nil {
			return err
		}
		p.replace[filepath.Join(p.root, name)] = at
	}
	return nil
}

func (p *Programs) write(name string, data []byte) (string, error) {
	at := filepath.Join(p.folder, strings.ReplaceAll(name, "/", "-"))
	return at, os.WriteFile(at, data, 0o600)
}

// Build builds the tests of a package, once. The error has what the compiler says.
func (p *Programs) Build(ctx context.Context, pkg string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.binaries[pkg] != "" {
		return nil
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": p.replace})
	if err != nil {
		return err
	}
	at, err := p.write("overlay.json", list)
	if err != nil {
		return err
	}
	binary := filepath.Join(p.folder, strings.ReplaceAll(pkg, "/", "-")+".test")
	command := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", at, "-o", binary, "./"+pkg) //nolint:gosec // The words are the caller's own.
	command.Dir = p.root
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("overlay: %s does not build: %w\n%s", pkg, err, out)
	}
	p.binaries[pkg] = binary
	return nil
}

// Run runs tests of a package with a switch turned, or with none for an empty name, until the first that
// fails. It may be given further flags.
func (p *Programs) Run(ctx context.Context, pkg, tests, turned string, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Longest)
	defer cancel()
	p.mu.Lock()
	binary := p.binaries[pkg]
	p.mu.Unlock()
	command := exec.CommandContext(ctx, binary, append(flags, "-test.failfast", "-test.run", tests)...) //nolint:gosec // As above.
	command.Dir = filepath.Join(p.root, pkg)
	command.Env = append(os.Environ(), "RAPID_CHECKS=100", variable+"="+turned) // A soak asks for more cases.
	return command.CombinedOutput()
}
