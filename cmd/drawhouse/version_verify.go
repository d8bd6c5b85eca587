package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// errOtherBuild is the status of a program that differs from another.
var errOtherBuild = errors.New("this program is not the one that the list is of")

// verify holds this program against the list of another one.
func (c *versionCmd) verify(out *bytes.Buffer, modules []*debug.Module) error {
	listed, err := os.ReadFile(c.Verify)
	if err != nil {
		return misused("--verify", err)
	}
	theirs, err := parseParts(string(listed))
	if err != nil {
		return misused("--verify", fmt.Errorf("%s: %w", c.Verify, err))
	}
	var own bytes.Buffer
	if err := writeParts(&own, modules); err != nil {
		return err
	}
	ours, err := parseParts(own.String())
	if err != nil {
		return err
	}
	differences := compareParts(ours, theirs)
	for _, d := range differences {
		fmt.Fprintln(out, d)
	}
	if len(differences) > 0 {
		return errOtherBuild
	}
	fmt.Fprintf(out, "the program is the same to the byte, and so are its %d parts, rulebooks and modules\n",
		len(ours)-1)
	return nil
}

// partKinds are what lines of a list are about.
var partKinds = []string{"program", "part", "rulebook", "module"}

// parseParts reads what version --parts has printed: for each part, named by its kind and
// its name, the hash. Lines before the first part, which say which build it is, are
// passed over. The program has no name of its own: it may be called anything.
func parseParts(text string) (map[string]string, error) {
	parts := map[string]string{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) > 0 && !slices.Contains(partKinds, fields[0]) && len(parts) == 0 {
			continue
		}
		if len(fields) != 3 || !slices.Contains(partKinds, fields[0]) {
			return nil, fmt.Errorf("line %d is not a kind, a hash and a name", number)
		}
		name := fields[0]
		if name != "program" {
			name += " " + fields[2]
		}
		if parts[name] != "" {
			return nil, fmt.Errorf("line %d: %s stands there twice", number, name)
		}
		parts[name] = fields[1]
	}
	if parts["program"] == "" {
		return nil, errors.New("it has no program in it; make it with drawhouse version --parts")
	}
	return parts, nil
}

// compareParts says in which parts two programs differ, the parts that say most first.
func compareParts(ours, theirs map[string]string) []string {
	all := maps.Clone(ours)
	maps.Copy(all, theirs)
	var found []string
	for _, name := range slices.SortedFunc(maps.Keys(all), compareNames) {
		switch our, their := ours[name], theirs[name]; {
		case our == "":
			found = append(found, name+" is in the list and not in this program")
		case their == "":
			found = append(found, name+" is in this program and not in the list")
		case our != their:
			found = append(found, fmt.Sprintf("%s differs: %s here, %s in the list", name, our, their))
		}
	}
	return found
}

// compareNames orders parts by their kind and then by name.
func compareNames(a, b string) int {
	kind := func(name string) int {
		word, _, _ := strings.Cut(name, " ")
		return slices.Index(partKinds, word)
	}
	if d := kind(a) - kind(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}
