package witness

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"drawhouse/journal"
)

// The checksum database of Go signs checkpoints whose origin is not the name of its key, and has spaces.
const (
	sumdbOrigin = "go.sum database tree"
	sumdbName   = "sum.golang.org"
)

// TestChecksumDatabase has a log in the form of Go's checksum database cosigned while it grows: another key name than
// the origin, spaces, an extension line, and signatures of strangers.
func TestChecksumDatabase(t *testing.T) {
	signer, _, key := testKey(t, sumdbName)
	stranger, _, _ := testKey(t, "stranger.example")
	w, cosigner := NewWatch(), testCosigner(t, "inspector.example")
	if err := w.Trust(sumdbOrigin, key); err != nil {
		t.Fatal(err)
	}
	tree := journal.NewTree()
	for _, extension := range []string{"", "", "an extension line\nanother\n"} {
		old := tree.Size()
		for range 300 {
			tree.Append([]byte("golang.org/x/text v0.3.0 h1:...\n"))
		}
		proof, err := journal.ProveTree(old, tree.Size(), journal.NewReader(tree, nil))
		if err != nil {
			t.Fatal(err)
		}
		text := string(tlog.FormatTree(tlog.Tree{N: int64(tree.Size()), Hash: tree.Root()})) + extension
		if !strings.HasPrefix(text, sumdbOrigin+"\n") {
			t.Fatalf("the form of the database is %q", text)
		}
		msg, err := note.Sign(&note.Note{Text: text}, stranger, signer)
		if err != nil {
			t.Fatal(err)
		}
		s, err := w.Judge(Request{Old: old, Proof: proof, Checkpoint: msg}.Marshal())
		if err != nil {
			t.Fatal(err)
		}
		w.Keep(s)
		if s.Text != text || strings.Contains(string(s.Note), "stranger") {
			t.Errorf("kept %q as %q", text, s.Note)
		}
		line, err := cosigner.CosignText(s.Text, 1_794_711_600)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Cosignatures(append(s.Note, line...), cosigner.Verifier)
		if err != nil || len(found) != 1 {
			t.Errorf("%q: cosigned by %d, %v", extension, len(found), err)
		}
		if _, err := w.Judge(Request{Old: tree.Size(), Checkpoint: msg}.Marshal()); err != nil {
			t.Errorf("the same again: %v", err)
		}
	}
	// The key is trusted for that origin and not for its own name.
	own, err := journal.SignCheckpoint(journal.Checkpoint{Origin: sumdbName, Root: journal.EmptyRoot()}, signer)
	if err != nil {
		t.Fatal(err)
	}
	refusedAs(t, w, Request{Checkpoint: own}, UnknownLog)
}

// TestPublishedCheckpoint has the witness judge a checkpoint that the database itself has signed.
func TestPublishedCheckpoint(t *testing.T) {
	const vkey = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
	const msg = "go.sum database tree\n35225469\nvt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n" +
		"\n— sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=\n"
	key, err := journal.ParseVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWatch()
	if err := w.Trust(sumdbOrigin, key); err != nil {
		t.Fatal(err)
	}
	s, err := w.Judge(Request{Checkpoint: []byte(msg)}.Marshal())
	if err != nil || s.Checkpoint.Size != 35225469 || string(s.Note) != msg {
		t.Fatalf("%+v, %v", s, err)
	}
	w.Keep(s)
	refusedAs(t, w, Request{Checkpoint: []byte(msg)}, OtherSize)
	refusedAs(t, w, Request{Old: 35225469, Checkpoint: []byte(strings.Replace(msg, "vt5T", "vt5U", 1))}, NotSigned)
}

func refusedAs(t *testing.T, w *Watch, r Request, code Code) {
	t.Helper()
	refused := new(Refusal)
	if _, err := w.Judge(r.Marshal()); !errors.As(err, &refused) || refused.Code != code {
		t.Errorf("%v, want code %d", err, code)
	}
}

// TestSignaturesOfTrustedKeys has a log with two keys. One of them is enough, but a signature that bears the name of
// the other and is not by it makes the note malformed.
func TestSignaturesOfTrustedKeys(t *testing.T) {
	first, _, firstKey := testKey(t, testHouse)
	_, public, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), testHouse)
	if err != nil {
		t.Fatal(err)
	}
	secondKey, err := journal.ParseVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	w, l := NewWatch(firstKey, secondKey, firstKey), newLog(t).grow(3, "record")
	good := l.sign(first)
	must(t, w, Request{Checkpoint: good}.Marshal())
	sig := append([]byte{byte(secondKey.KeyHash() >> 24), byte(secondKey.KeyHash() >> 16), byte(secondKey.KeyHash() >> 8),
		byte(secondKey.KeyHash())}, make([]byte, ed25519.SignatureSize)...)
	forged := string(good) + "— " + testHouse + " " + base64.StdEncoding.EncodeToString(sig) + "\n"
	refusedAs(t, w, Request{Old: 3, Checkpoint: []byte(forged)}, NotSigned)
	unknown := string(good) + "— " + testHouse + " " + base64.StdEncoding.EncodeToString(make([]byte, 2432)) + "\n"
	must(t, w, Request{Old: 3, Checkpoint: []byte(unknown)}.Marshal())
}

// TestEmptyLogs has the root of an empty log be that of no records, and nothing else.
func TestEmptyLogs(t *testing.T) {
	signer, _, key := testKey(t, "log.example")
	w := NewWatch(key)
	sign := func(text string) []byte {
		msg, err := journal.SignNote(text, signer)
		if err != nil {
			t.Fatal(err)
		}
		return msg
	}
	wrong := sign("log.example\n0\n" + journal.Hash{1}.String() + "\n")
	refusedAs(t, w, Request{Checkpoint: wrong}, Inconsistent)
	empty := sign("log.example\n0\n" + journal.EmptyRoot().String() + "\n")
	refusedAs(t, w, Request{Proof: make(journal.TreeProof, 1), Checkpoint: empty}, Inconsistent)
	must(t, w, Request{Checkpoint: empty}.Marshal())
	refusedAs(t, w, Request{Checkpoint: wrong}, Inconsistent)
	one := sign("log.example\n1\n" + journal.Hash{2}.String() + "\n")
	refusedAs(t, w, Request{Proof: make(journal.TreeProof, 1), Checkpoint: one}, Inconsistent)
	must(t, w, Request{Checkpoint: one}.Marshal())
}

// TestCheckpointsOfNobody are texts that are no checkpoint of any log.
func TestCheckpointsOfNobody(t *testing.T) {
	root := journal.EmptyRoot().String()
	for name, text := range map[string]string{
		"nothing": "", "no end": "a\n0\n" + root, "two lines": "a\n0\n", "no origin": "\n0\n" + root + "\n",
		"an empty extension": "a\n0\n" + root + "\n\n", "a zero before": "a\n00\n" + root + "\n",
		"a sign": "a\n+1\n" + root + "\n", "too large": "a\n9223372036854775808\n" + root + "\n",
		"a short root": "a\n0\n" + root[4:] + "\n", "a control character": "a\tb\n0\n" + root + "\n",
		"a long origin": strings.Repeat("a", 256) + "\n0\n" + root + "\n", "no text": "\xff\n0\n" + root + "\n",
	} {
		if c, err := ParseCheckpoint(text); err == nil {
			t.Errorf("%s: %q was read as %+v", name, text, c)
		}
	}
	for _, text := range []string{strings.Repeat("a", 255) + "\n0\n" + root + "\n", "a + b\n9\n" + root + "\nx\ny\n"} {
		if _, err := ParseCheckpoint(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// begun is how a public log of the house begins.
func begun(t *testing.T, number uint16, before *journal.Checkpoint, name string) (note []byte, log journal.Signer) {
	t.Helper()
	house, houseKey, _ := testKey(t, testHouse)
	origin := journal.LogOrigin(testHouse, number)
	secret, vkey, err := journal.GenerateKey(strings.NewReader(strings.Repeat(name, 32)), origin)
	if err != nil {
		t.Fatal(err)
	}
	if log, err = journal.ParseSigner(secret); err != nil {
		t.Fatal(err)
	}
	body := journal.LogBody{Origin: origin, Key: vkey, HouseKey: houseKey, DeviceKey: houseKey,
		Journal: journal.Checkpoint{Origin: journal.VolumeOrigin(testHouse, 1), Root: journal.EmptyRoot()}, Before: before}
	if note, err = journal.SignLog(body, log, house); err != nil {
		t.Fatal(err)
	}
	return note, log
}

// firstEntry returns the entry of a log that begins with a note.
func firstEntry(note []byte) []byte {
	return fmt.Appendf(nil, "drawhouse/log/v1\nkind log-begun\ntime 1\nrecord 1:1\nnote %s\njournal %s 0 %v\nfrom 0\n",
		base64.StdEncoding.EncodeToString(note), journal.VolumeOrigin(testHouse, 1), journal.EmptyRoot())
}

// TestIntroduction has a house introduce its log to a witness that knows the house alone.
func TestIntroduction(t *testing.T) {
	w := testWatch(t)
	first, log := begun(t, 1, nil, "first")
	size := uint64(3)
	request := func(signer journal.Signer) Request {
		c := journal.Checkpoint{Origin: signer.Name(), Size: size, Root: journal.Hash{1}}
		msg, err := journal.SignCheckpoint(c, signer)
		if err != nil {
			t.Fatal(err)
		}
		return Request{Checkpoint: msg}
	}
	refusedAs(t, w, request(log), UnknownLog)
	introduce := func(note []byte, code Code) {
		t.Helper()
		i, err := w.Introduce(note)
		refused := new(Refusal)
		switch {
		case err == nil && code == 0:
			w.Meet(i)
		case !errors.As(err, &refused) || refused.Code != code:
			t.Errorf("%v, want code %d", err, code)
		}
	}
	introduce([]byte("no log\n"), Malformed)
	introduce(first[:strings.LastIndex(string(first), "— ")], NotSigned)
	introduce(first, 0)
	introduce(first, 0)
	must(t, w, request(log).Marshal())
	second, _ := begun(t, 1, nil, "second")
	introduce(second, Forked)
	for _, c := range []struct {
		before uint64
		root   journal.Hash
		code   Code
	}{{2, journal.Hash{9}, Forked}, {3, journal.Hash{9}, Forked}, {4, journal.Hash{9}, Inconsistent},
		{3, journal.Hash{1}, 0}, {2, journal.Hash{9}, Forked}} {
		next, _ := begun(t, 2,
			&journal.Checkpoint{Origin: journal.LogOrigin(testHouse, 1), Size: c.before, Root: c.root}, "next")
		if c.code != Forked {
			introduce(next, Malformed) // Its note alone shows no entry.
		}
		introduce(firstEntry(next), c.code)
	}
	_, _, other := testKey(t, "other.example")
	w = NewWatch(other)
	introduce(first, UnknownLog)
	_, public, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), testHouse)
	if err != nil {
		t.Fatal(err)
	}
	of, err := journal.ParseVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	w = NewWatch(of)
	introduce(first, NotSigned)
}
