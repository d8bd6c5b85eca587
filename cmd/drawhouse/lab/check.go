package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"drawhouse/core/figure"
)

// Checking is what a pack is held against.
type Checking struct {
	Dir      string
	Key      ssh.PublicKey // nil where nobody knows who signed
	Program  Program
	Progress Progress
}

// Checked is what a check came to.
type Checked struct {
	Found []string // what does not hold, each with its file and, where there is one, its line
	Notes []string // what holds, and what was not looked at
}

func (c *Checked) find(form string, args ...any) {
	c.Found = append(c.Found, fmt.Sprintf(form, args...))
}
func (c *Checked) note(form string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(form, args...))
}

// Check holds a pack against its signature and its hashes. If these hold it derives everything again that the pack
// does not say was given, and compares: cases are run, odds worked out, numbers drawn from the random bytes, journals
// graded.
func Check(o Checking) (checked Checked, err error) {
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return checked, misused("DIR", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	sums, err := readFile(root, sumsFile)
	if err != nil {
		return checked, misused("DIR", fmt.Errorf("%s is no pack: %w", o.Dir, err))
	}
	if err := checked.signature(root, sums, o.Key); err != nil {
		return checked, err
	}
	listed, err := checked.hashes(root, sums)
	if err != nil {
		return checked, err
	}
	if len(checked.Found) > 0 {
		checked.note("Nothing was derived again, because the pack is not as it was made.")
		return checked, nil
	}
	return checked, checked.again(root, o, listed)
}

// signature checks who signed.
func (c *Checked) signature(root *os.Root, sums []byte, key ssh.PublicKey) error {
	signature, err := readFile(root, sigFile)
	switch unsigned := errors.Is(err, fs.ErrNotExist); {
	case err != nil && !unsigned:
		return err
	case unsigned && key != nil:
		c.find("%s: the pack is not signed", sigFile)
	case unsigned:
		c.note("The pack is NOT SIGNED: its hashes show that it agrees with itself, and not who made it.")
	case key == nil:
		c.note("The signature was NOT CHECKED: give the key of who made the pack with --key, as you know it from elsewhere.")
	default:
		if err := checkSignature(key, sums, signature); err != nil {
			c.find("%s: %v", sigFile, err)
		} else {
			c.note("Signed by %s.", ssh.FingerprintSHA256(key))
		}
	}
	return nil
}

// hashes holds every file against the list, and returns the list.
func (c *Checked) hashes(root *os.Root, sums []byte) (map[string]string, error) {
	listed := map[string]string{}
	number := 0
	for line := range strings.Lines(string(sums)) {
		number++
		m := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || !fs.ValidPath(m[2]) || listed[m[2]] != "" {
			c.find("%s line %d: it is not a hash and the name of another file", sumsFile, number)
			continue
		}
		listed[m[2]] = m[1]
	}
	there := map[string]bool{}
	err := fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir() || name == sumsFile || name == sigFile:
			return err
		case listed[name] == "" || !entry.Type().IsRegular():
			c.find("%s: added; %s does not list it as a file", name, sumsFile)
			return nil
		}
		there[name] = true
		f, err := sumOf(root, name)
		if err == nil && f.SHA256 != listed[name] {
			c.find("%s: altered; it has the hash %s, and %s lists %s", name, f.SHA256, sumsFile, listed[name])
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var missing []string
	for name := range listed {
		if !there[name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	for _, name := range missing {
		c.find("%s: missing; %s lists it", name, sumsFile)
	}
	if len(c.Found) == 0 {
		c.note("%s as %s lists them.", figure.Count(len(there), "file"), sumsFile)
	}
	return listed, nil
}

// ofBuild are files that are about the program that made the pack, and are compared only with that of the same program.
func ofBuild(name string) bool {
	return strings.HasPrefix(name, "program/") || strings.HasPrefix(name, "documents/") || name == indexFile
}

// again derives a pack anew from what was given and compares.
func (c *Checked) again(root *os.Root, o Checking, listed map[string]string) error {
	given, err := readGiven(root)
	if err != nil {
		return misused("DIR", err)
	}
	own, err := sumOfProgram()
	if err != nil {
		return err
	}
	same := own == given.Program
	if !same {
		c.note("Another program made the pack (%s; this one is %s): files about the program were not compared, results were.",
			given.Program, own)
	}
	derived := map[string]bool{}
	p := &pack{given: given, dir: root, folder: o.Dir, program: o.Program, progress: o.Progress}
	p.put = func(name string, data []byte) error {
		if ofBuild(name) && !same {
			return nil
		}
		derived[name] = true
		if listed[name] == "" {
			c.find("%s: this program makes it, and the pack does not have it", name)
			return nil
		}
		packed, err := readFile(root, name)
		if err == nil && !bytes.Equal(packed, data) {
			c.find("%s: differs from what this program makes%s", name, differAt(packed, data))
		}
		return err
	}
	if p.books, err = booksOf(given, o.Dir); err != nil {
		return err
	}
	if err := p.derive(); err != nil {
		return err
	}
	for name := range listed {
		if !derived[name] && !given.has(name) && (same || !ofBuild(name)) {
			c.find("%s: it is in the pack, and this program does not make it", name)
		}
	}
	slices.Sort(c.Found)
	if err := c.manifest(root); err != nil {
		return err
	}
	if len(c.Found) == 0 {
		c.note("%s derived again, with the same bytes: cases, odds, draws, journals.", figure.Count(len(derived), "file"))
	}
	for _, f := range p.failed {
		c.find("%s", f)
	}
	return nil
}

// has reports whether a file of a pack is one that was given, or about all files.
func (g Given) has(name string) bool {
	return name == givenFile || name == manifestFile || name == rawFile || g.Tests && name == testsFile ||
		g.Journal && strings.HasPrefix(name, journalDir+"/") || g.Release && strings.HasPrefix(name, releaseDir+"/")
}

// manifest holds the manifest against the files.
func (c *Checked) manifest(root *os.Root) error {
	data, err := readFile(root, manifestFile)
	if err != nil {
		return misused("DIR", fmt.Errorf("%s is no pack: %w", root.Name(), err))
	}
	var files []File
	if err := json.Unmarshal(data, &files); err != nil {
		c.find("%s: %v", manifestFile, err)
		return nil
	}
	for _, f := range files {
		if !fs.ValidPath(f.Name) {
			c.find("%s: %q is no name of a file", manifestFile, f.Name)
			continue
		}
		there, err := sumOf(root, f.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && there != f {
			c.find("%s: it is wrong about %s", manifestFile, f.Name)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// differAt says where two files differ first: line and both lines, or the byte where they have no lines.
func differAt(packed, made []byte) string {
	a, b := bytes.Split(packed, []byte("\n")), bytes.Split(made, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf(" from line %d on: %s in the pack, %s here", i+1, short(a[i]), short(b[i]))
		}
	}
	return fmt.Sprintf(" from line %d on: the pack has %s, and there would be %s", min(len(a), len(b))+1,
		figure.Count(len(a), "line"), figure.Count(len(b), "line"))
}

// short quotes the beginning of a line.
func short(line []byte) string {
	const most = 100
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}

// Write writes what a check came to.
func (c Checked) Write(out io.Writer) error {
	var b strings.Builder
	for _, line := range c.Found {
		fmt.Fprintln(&b, line)
	}
	for _, line := range c.Notes {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
