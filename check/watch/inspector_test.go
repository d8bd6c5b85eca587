package watch_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/check/watch"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// folder writes the files of a log as it is, whose checkpoint is over so many of its entries and cosigned.
func (a *author) folder(entries [][]byte, size int, by ...string) string {
	a.t.Helper()
	dir, tree := a.t.TempDir(), journal.NewTree()
	for _, e := range entries[:size] {
		tree.Append(e)
	}
	at := journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()}
	a.write(dir, watch.CheckpointPath, a.sign(at, by...))
	for from := 0; from < len(entries); from += public.BundleWidth {
		bundle := entries[from:min(from+public.BundleWidth, len(entries))]
		path := public.BundlePath(uint64(from/public.BundleWidth), len(bundle)%public.BundleWidth)
		a.write(dir, path, public.Bundle(bundle))
	}
	return dir
}

func (a *author) write(dir, path string, data []byte) {
	a.t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(path))
	a.must(os.MkdirAll(filepath.Dir(name), 0o755))
	a.must(os.WriteFile(name, data, 0o600))
}

// inspector runs docs/inspector.py, which shares no code with this package.
func (a *author) inspector(args ...string) (said string, holds bool) {
	a.t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		a.t.Skip("NOT RUN: there is no python3 on this machine")
	}
	out, err := exec.Command(python, append([]string{"../../docs/inspector.py"}, args...)...).CombinedOutput()
	return string(out), err == nil && strings.HasSuffix(string(out), "It holds.\n")
}

// long is a log of several bundles.
func (a *author) long() [][]byte {
	for len(a.entries) < 2*public.BundleWidth+40 {
		a.say("kind-of-later", "more of it")
	}
	return a.entries
}

// TestInspectorScriptReadsALog has docs/inspector.py work the root of a log out from a folder, and refuse lies.
func TestInspectorScriptReadsALog(t *testing.T) {
	a := newAuthor(t).told()
	entries := a.long()
	size := len(entries) - 30 // The folder goes on behind what was cosigned.
	sound := a.folder(entries, size, "w1.example", "w2.example")
	witnesses := []string{"--witness", a.cosigner("w1.example").String(), "--witness", a.cosigner("w2.example").String(),
		"--witness", a.cosigner("w3.example").String()}
	changed := func(change func(dir string)) string {
		dir := a.folder(entries, size, "w1.example", "w2.example")
		change(dir)
		return dir
	}
	last := filepath.FromSlash(public.BundlePath(2, 40))
	for _, c := range []struct {
		name, folder, key string
		more              []string
		says              string // "" holds
	}{
		{"sound", sound, a.keys[origin].vkey, witnesses, ""},
		{"no witness asked for", sound, a.keys[origin].vkey, nil, ""},
		{"two of three asked for", sound, a.keys[origin].vkey, append(witnesses, "--quorum", "2"), ""},
		{"three asked for", sound, a.keys[origin].vkey, append(witnesses, "--quorum", "3"), "2 of 3 witnesses have cosigned"},
		{"a witness that was not asked", sound, a.keys[origin].vkey, witnesses[4:], "0 of 1 witnesses"},
		{"the house's key", sound, a.keys[house].vkey, nil, "did not sign"},
		{"a witness's note key", sound, a.keys[origin].vkey, []string{"--witness", a.keys["w1.example"].vkey}, "mistyped"},
		{"two entries exchanged", changed(func(dir string) {
			other := bytes.Clone(public.Bundle([][]byte{entries[1], entries[0]}))
			data, err := os.ReadFile(filepath.Join(dir, "tile", "entries", "000"))
			a.must(err)
			a.write(dir, "tile/entries/000", append(other, data[len(other):]...))
		}), a.keys[origin].vkey, nil, "do not come to the root"},
		{"a bundle that is cut", changed(func(dir string) { a.must(os.Truncate(filepath.Join(dir, last), 300)) }),
			a.keys[origin].vkey, nil, "ends within an entry"},
		{"a bundle that is missing", changed(func(dir string) { a.must(os.Remove(filepath.Join(dir, last))) }),
			a.keys[origin].vkey, nil, "has not all of the entries"},
		{"another size under the signature", changed(func(dir string) {
			data, err := os.ReadFile(filepath.Join(dir, watch.CheckpointPath))
			a.must(err)
			a.write(dir, watch.CheckpointPath, bytes.Replace(data, []byte("\n522\n"), []byte("\n521\n"), 1))
		}), a.keys[origin].vkey, nil, "the signature of keno.example/log is wrong"},
		{"a second seal", func() string {
			twice := append(append([][]byte{}, entries...), entries[atSeal1])
			return a.folder(twice, len(twice))
		}(), a.keys[origin].vkey, nil, "second seal of game"},
		{"a second seal of a game of bingo", func() string {
			room := newAuthor(t)
			room.tellers = session()
			seal := room.told().entries[5]
			twice := append(append([][]byte{}, entries...), seal, seal)
			return a.folder(twice, len(twice))
		}(), a.keys[origin].vkey, nil, "second seal of game 1 3 1 calls"},
		{"an entry of another form", func() string {
			other := append(append([][]byte{}, entries...), []byte("drawhouse/log/v2\n"))
			return a.folder(other, len(other))
		}(), a.keys[origin].vkey, nil, "another form"},
	} {
		said, holds := a.inspector(append([]string{"log", c.folder, c.key}, c.more...)...)
		if holds != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: it says\n%s\nwant %q", c.name, said, c.says)
		}
	}
}

// TestInspectorScriptReadsEarlierLogs has docs/inspector.py hold a log that follows against the one before: it names no
// Keno Day of that again, and the folder is that of the log which it follows.
func TestInspectorScriptReadsEarlierLogs(t *testing.T) {
	a := newAuthor(t).told()
	first := a.folder(a.entries, len(a.entries))
	other := newAuthor(t)
	other.tellers = other.tellers[:atSettle1]
	other.told()
	for _, c := range []struct {
		tell    func(*author)
		earlier string
		says    string
	}{
		{nextDay("9"), first, ""},
		{opens(1), first, "2026-11-15 1, and an earlier log had games of 2026-11-15"},
		{opensAs(day, "3", "9"), first, "an earlier log had games of 2026-11-15"},
		{opensAs("2026-11-14", "0", "9"), first, "2026-11-14 0, and an earlier log had games of 2026-11-15"},
		{nextDay("9"), a.folder(other.entries, len(other.entries)), "the folder has not all of the entries"},
		{nextDay("9"), a.folder(append(a.entries[1:len(a.entries):len(a.entries)], a.entries[0]), len(a.entries)),
			"does not come to the end of keno.example/log"},
	} {
		b := a.successor(func(*journal.LogBody) {})
		chooses(b)
		c.tell(b)
		dir := t.TempDir()
		for path, data := range b.publish(len(b.entries)) {
			b.write(dir, path, data)
		}
		said, holds := b.inspector("log", dir, b.keys[b.origin].vkey, "--earlier", c.earlier)
		if holds != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("it says\n%s\nwant %q", said, c.says)
		}
	}
}

// TestInspectorScriptReadsAnEntry has docs/inspector.py check a C2SP tlog-proof by itself.
func TestInspectorScriptReadsAnEntry(t *testing.T) {
	a := newAuthor(t).told()
	dir, tree := t.TempDir(), journal.NewTree()
	for _, e := range a.entries {
		tree.Append(e)
	}
	at := journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()}
	path, err := journal.ProveRecord(atSeal1, at.Size, journal.NewReader(tree, nil))
	a.must(err)
	p := public.Proof{Entry: a.entries[atSeal1], Index: atSeal1, Path: path, Checkpoint: a.sign(at, "w1.example")}
	file := filepath.Join(dir, "seal"+public.ProofSuffix)
	key, witnessed := a.keys[origin].vkey, []string{"--witness", a.cosigner("w1.example").String()}
	try := func(want bool, what string, args ...string) {
		t.Helper()
		a.must(os.WriteFile(file, p.Marshal(), 0o600))
		if said, holds := a.inspector(append([]string{"entry", file, key}, args...)...); holds != want || want &&
			!strings.Contains(said, "of game "+day+"/1, fingerprint ") {
			t.Errorf("%s: it says\n%s", what, said)
		}
	}
	try(true, "sound", witnessed...)
	try(false, "two witnesses asked for", append(witnessed, "--quorum", "2")...)
	try(false, "no witness's key", append(witnessed, "--witness", key)...)
	p.Index++
	try(false, "another index")
	p.Index--
	p.Entry = a.entries[atSeal2]
	try(false, "another entry")
	p.Entry = nil
	try(false, "no entry")
}
