package witness

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/journal"
)

const testHouse = "keno.example"

func testKey(t testing.TB, name string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	return makeKey(t, name, strings.Repeat(name, 32))
}

// linksKey returns the key of a custodian's commitments.
func linksKey(t testing.TB, name string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	return makeKey(t, name, strings.Repeat("links of "+name, 32))
}

func makeKey(t testing.TB, name, entropy string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(strings.NewReader(entropy), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := journal.ParseVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	return signer, vkey, verifier
}

func testCosigner(t testing.TB, name string) *Cosigner {
	t.Helper()
	signer, vkey, _ := testKey(t, name)
	c, err := NewCosigner(signer, vkey)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A log is a journal in memory, of a house that may be of two minds.
type log struct {
	t      testing.TB
	origin string
	tree   *journal.Tree
}

func newLog(t testing.TB) *log {
	return &log{t: t, origin: journal.VolumeOrigin(testHouse, 1), tree: journal.NewTree()}
}

// grow adds records, which differ by what they say.
func (l *log) grow(n int, says string) *log {
	for range n {
		l.tree.Append(fmt.Appendf(nil, "%s %d", says, l.tree.Size()))
	}
	return l
}

// fork returns a copy that goes its own way.
func (l *log) fork() *log { return &log{l.t, l.origin, l.tree.Clone()} }

func (l *log) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: l.origin, Size: l.tree.Size(), Root: l.tree.Root()}
}

func (l *log) sign(signers ...journal.Signer) []byte {
	l.t.Helper()
	msg, err := journal.SignCheckpoint(l.checkpoint(), signers...)
	if err != nil {
		l.t.Fatal(err)
	}
	return msg
}

// request asks for a cosignature of the log as it is, with the proof from a size.
func (l *log) request(from uint64) []byte {
	l.t.Helper()
	house, _, _ := testKey(l.t, testHouse)
	proof, err := journal.ProveTree(from, l.tree.Size(), journal.NewReader(l.tree, nil))
	if err != nil {
		l.t.Fatal(err)
	}
	return Request{Old: from, Proof: proof, Checkpoint: l.sign(house)}.Marshal()
}

func testWatch(t testing.TB) *Watch {
	_, _, house := testKey(t, testHouse)
	return NewWatch(house)
}

// must has a request cosigned.
func must(t testing.TB, w *Watch, request []byte) {
	t.Helper()
	s, err := w.Judge(request)
	if err != nil {
		t.Fatal(err)
	}
	w.Keep(s)
}
