package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"drawhouse"
	"drawhouse/rulebook/rules"
)

// versionCmd says which build this is.
type versionCmd struct {
	Parts  bool   `help:"Add the hashes of the program, of its critical parts, of its rulebooks and of the modules it is made with."`
	Verify string `type:"existingfile" placeholder:"FILE" help:"Hold this program against what another one has printed with --parts, such as one that was built from the published source, and name every difference."`
}

// Run implements the command.
func (c *versionCmd) Run(out *bytes.Buffer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("this binary was built without build information")
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	fmt.Fprintf(out, "drawhouse %s %s %s/%s\n", drawhouse.Version, info.GoVersion, settings["GOOS"], settings["GOARCH"])
	if revision := settings["vcs.revision"]; revision != "" {
		modified := ""
		if settings["vcs.modified"] == "true" {
			modified = ", with changes that are not committed"
		}
		fmt.Fprintf(out, "commit %s of %s%s\n", revision, settings["vcs.time"], modified)
	}
	if c.Parts {
		if err := writeParts(out, info.Deps); err != nil {
			return err
		}
	}
	if c.Verify != "" {
		return c.verify(out, info.Deps)
	}
	return nil
}

// writeParts writes what a test laboratory compares between builds, one line a part:
// what it is, its hash, its name.
func writeParts(out *bytes.Buffer, modules []*debug.Module) error {
	name, err := os.Executable()
	if err != nil {
		return err
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "program %x %s\n", sha256.Sum256(program), filepath.Base(name))
	parts, err := drawhouse.Parts()
	if err != nil {
		return err
	}
	for _, p := range parts {
		fmt.Fprintf(out, "part %s %s\n", p.Hash, p.Folder)
	}
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "rulebook %v %s\n", book.Hash(), id)
	}
	for _, m := range modules {
		fmt.Fprintf(out, "module %s %s@%s\n", m.Sum, m.Path, m.Version)
	}
	return nil
}
