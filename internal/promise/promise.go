// Package promise holds what programs of others rely on, such as the routes of the interface, against what an earlier
// version had. Each interface is a tree of items in a file of testdata: the kept one. A test of the package that has
// the interface makes the tree of today and calls [Hold].
//
// Something that is gone, that is of another kind or that must be given where it need not be given before breaks a
// promise: whoever was served before is not served now. A new name for something is one that is gone and one that is
// new. What is new breaks nothing, and is asked to be recorded, so that from then on it is kept.
//
// A promise may be broken in a first version alone, such as 1.0.0 or 2.0.0, and until it is released ([MayBreak]).
//
// TestCompare shows each rule.
package promise

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"drawhouse"
)

// An Item is a part of an interface.
type Item struct {
	Name   string
	Kind   string   // what it is or what values it takes; another kind is another item
	Needed bool     // of what is asked: it must be given; of what is told: it is always there
	Words  []string // what there may be more of and never less, such as the values of an enumeration
	Items  []Item
}

// Told is the name of the tree of what the program answers. Everything beside it is asked of the program.
const Told = "told"

// The words of a file.
const (
	kindMark   = ": "
	neededMark = ", needed"
	wordsMark  = " = "
)

// Write returns items as text: a line each, with its items below it behind one more tab.
func Write(items []Item) []byte {
	var b bytes.Buffer
	write(&b, items, 0)
	return b.Bytes()
}

func write(b *bytes.Buffer, items []Item, depth int) {
	for _, item := range sorted(items) {
		b.WriteString(strings.Repeat("\t", depth) + item.Name)
		if item.Kind != "" {
			b.WriteString(kindMark + item.Kind)
		}
		if item.Needed {
			b.WriteString(neededMark)
		}
		if len(item.Words) > 0 {
			words := slices.Clone(item.Words)
			slices.Sort(words)
			b.WriteString(wordsMark + strings.Join(words, " "))
		}
		b.WriteByte('\n')
		write(b, item.Items, depth+1)
	}
}

func sorted(items []Item) []Item {
	return slices.SortedFunc(slices.Values(items), func(a, b Item) int { return cmp.Compare(a.Name, b.Name) })
}

// Parse reads what Write has written.
func Parse(text []byte) ([]Item, error) {
	var root Item
	path := []*Item{&root} // from the root to the item of the last line
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		rest := strings.TrimLeft(line, "\t")
		depth := len(line) - len(rest)
		if rest == "" || depth >= len(path) {
			return nil, fmt.Errorf("promise: line %d: %q has no place", number, line)
		}
		item := parseLine(rest)
		if item.Name == "" {
			return nil, fmt.Errorf("promise: line %d: %q has no name", number, line)
		}
		above := path[depth]
		above.Items = append(above.Items, item)
		path = append(path[:depth+1], &above.Items[len(above.Items)-1])
	}
	return root.Items, nil
}

func parseLine(line string) (item Item) {
	line, words, _ := strings.Cut(line, wordsMark)
	item.Words = strings.Fields(words)
	line, item.Needed = strings.CutSuffix(line, neededMark)
	item.Name, item.Kind, _ = strings.Cut(line, kindMark)
	return item
}

// A Difference is what became of promises.
type Difference struct {
	Broken []string // what is not kept
	New    []string // what is kept from now on, once it is recorded
}

// Compare holds the items of now against those that were promised.
func Compare(kept, now []Item) Difference {
	var d Difference
	d.compare("", kept, now, false)
	return d
}

func (d *Difference) compare(at string, kept, now []Item, told bool) {
	for _, was := range kept {
		is, ok := find(now, was.Name)
		if !ok {
			d.broken(at+was.Name, "is gone")
			continue
		}
		d.item(at+was.Name, was, is, told || was.Name == Told)
	}
	for _, is := range now {
		if _, ok := find(kept, is.Name); ok {
			continue
		}
		if is.Needed && !told {
			d.broken(at+is.Name, "is new and must be given: a caller of today does not give it")
			continue
		}
		d.add(at+is.Name, "is new")
	}
}

// item compares an item with what it was.
func (d *Difference) item(at string, was, is Item, told bool) {
	if was.Kind != is.Kind {
		d.broken(at, fmt.Sprintf("was %s and is %s", or(was.Kind, "without a kind"), or(is.Kind, "without a kind")))
	}
	switch {
	case was.Needed == is.Needed:
	case told && was.Needed:
		d.broken(at, "was always there and may be absent now")
	case !told && is.Needed:
		d.broken(at, "must be given now, and need not be given before")
	case told:
		d.add(at, "is always there now")
	default:
		d.add(at, "need not be given any more")
	}
	for _, word := range was.Words {
		if !slices.Contains(is.Words, word) {
			d.broken(at, word+" is gone")
		}
	}
	for _, word := range is.Words {
		if !slices.Contains(was.Words, word) {
			d.add(at, word+" is new")
		}
	}
	d.compare(at+" / ", was.Items, is.Items, told)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func (d *Difference) broken(at, what string) { d.Broken = append(d.Broken, at+": "+what) }

func (d *Difference) add(at, what string) { d.New = append(d.New, at+": "+what) }

func find(items []Item, name string) (Item, bool) {
	i := slices.IndexFunc(items, func(item Item) bool { return item.Name == name })
	if i < 0 {
		return Item{}, false
	}
	return items[i], true
}

// MayBreak reports whether a version may break promises: one that comes before the first of a number, such as
// 1.0.0-rc.1, and none after it.
func MayBreak(version string) bool {
	v := "v" + version
	first := semver.Major(v) + ".0.0"
	return semver.IsValid(v) && semver.Compare(v, first) < 0 || semver.Major(v) == "v0"
}

// Hold fails a test where the items of now do not keep what a file of this package's testdata promises, or have more
// than it. With rewrite it records them, but breaks no promise that must be kept.
func Hold(t *testing.T, folder, name string, now []Item, rewrite bool) {
	t.Helper()
	if at, twice := repeated("", now); twice {
		t.Fatalf("%s is there twice", at)
	}
	if again, err := Parse(Write(now)); err != nil || !reflect.DeepEqual(Compare(again, now), Difference{}) {
		t.Fatalf("a name, a kind or a word cannot be told from the marks of a file: %+v %v", Compare(again, now), err)
	}
	file := filepath.Join(folder, "testdata", name+".txt")
	text, err := os.ReadFile(file)
	if err != nil && !rewrite {
		t.Fatal(err)
	}
	kept, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	d := Compare(kept, now)
	free := MayBreak(drawhouse.Version)
	again := fmt.Sprintf("go test -run '^%s$' -rewrite", t.Name())
	switch {
	case rewrite && (free || len(d.Broken) == 0):
		if err := os.WriteFile(file, Write(now), 0o644); err != nil {
			t.Fatal(err)
		}
	case len(d.Broken) > 0 && free:
		t.Errorf("%s is not kept:\n\t%s\nUntil the release that %s leads to, this is allowed: record it with %s, and say in CHANGELOG.md what callers change.",
			file, strings.Join(d.Broken, "\n\t"), drawhouse.Version, again)
	case len(d.Broken) > 0:
		t.Errorf("%s is not kept:\n\t%s\nVersion %s promises it (docs/COMPATIBILITY.md): keep it, and add beside it what is better.",
			file, strings.Join(d.Broken, "\n\t"), drawhouse.Version)
	case len(d.New) > 0:
		t.Errorf("this is promised nowhere yet:\n\t%s\nRecord it with %s.", strings.Join(d.New, "\n\t"), again)
	case !bytes.Equal(text, Write(now)):
		t.Errorf("%s is written otherwise than by this package; write it anew with %s", file, again)
	}
}

// repeated finds two items of one name beside each other, which nobody could tell apart.
func repeated(at string, items []Item) (string, bool) {
	seen := map[string]bool{}
	for _, item := range items {
		if seen[item.Name] {
			return at + item.Name, true
		}
		seen[item.Name] = true
		if below, twice := repeated(at+item.Name+" / ", item.Items); twice {
			return below, true
		}
	}
	return "", false
}
