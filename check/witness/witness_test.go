package witness

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/journal"
)

func TestALogThatGrows(t *testing.T) {
	w, l := testWatch(t), newLog(t)
	must(t, w, l.request(0)) // empty
	for _, n := range []int{1, 1, 5, 0, 93, 100} {
		from := l.tree.Size()
		must(t, w, l.grow(n, "record").request(from))
		if !w.IsLatest(l.checkpoint()) {
			t.Errorf("%+v is not kept", l.checkpoint())
		}
	}
}

// TestForkIsRefused has a house with two journals. Whatever the sizes, the witness
// signs for one of them and not for the other.
func TestForkIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, least, most int) int { return rapid.IntRange(least, most).Draw(t, label) }
		common := newLog(rigOf(t)).grow(draw("common", 0, 40), "both")
		one := common.fork().grow(draw("one", 1, 40), "one")
		other := common.fork().grow(draw("other", 1, 40), "other")
		w := testWatch(rigOf(t))
		must(rigOf(t), w, common.request(0))
		must(rigOf(t), w, one.request(common.tree.Size()))
		kept := one.checkpoint()

		house, _, _ := testKey(rigOf(t), testHouse)
		signed := other.sign(house)
		for _, proof := range []journal.TreeProof{
			nil,
			proofOf(t, other, min(common.tree.Size(), other.tree.Size()), other.tree.Size()),
			proofOf(t, other, min(kept.Size, other.tree.Size()), other.tree.Size()),
		} {
			for _, old := range []uint64{0, common.tree.Size(), kept.Size} {
				if s, err := w.Judge(Request{Old: old, Proof: proof, Checkpoint: signed}.Marshal()); err == nil {
					t.Fatalf("the fork %+v was accepted after %+v", s.Checkpoint, kept)
				}
			}
		}
		if !w.IsLatest(kept) {
			t.Fatal("a refusal changed what the witness knows")
		}
	})
}

// rigOf lets the rig fail a random case.
func rigOf(t *rapid.T) testing.TB { return rapidTB{t: t} }

type rapidTB struct {
	testing.TB
	t *rapid.T
}

func (r rapidTB) Helper()           {}
func (r rapidTB) Fatal(args ...any) { r.t.Fatal(args...) }

func proofOf(t *rapid.T, l *log, from, to uint64) journal.TreeProof {
	proof, err := journal.ProveTree(from, to, journal.NewReader(l.tree, nil))
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

// TestRestoredBackup has a house that comes back with an older journal and sells
// on: the witness knows more than the house.
func TestRestoredBackup(t *testing.T) {
	w, l := testWatch(t), newLog(t).grow(10, "record")
	backup := l.fork()
	must(t, w, l.request(0))
	must(t, w, l.grow(5, "record").request(10))
	backup.grow(9, "after the restore")
	for _, from := range []uint64{10, 15} {
		if _, err := w.Judge(backup.request(from)); err == nil {
			t.Errorf("from %d: a history without five records was accepted", from)
		}
	}
}

// TestEveryStatus meets every refusal.
func TestEveryStatus(t *testing.T) {
	w, l := testWatch(t), newLog(t).grow(7, "record")
	house, _, _ := testKey(t, testHouse)
	stranger, _, _ := testKey(t, "stranger.example")
	must(t, w, l.request(0))
	seven := l.fork()
	l.grow(4, "record")
	grown, proof := l.sign(house), l.request(7)
	elsewhere := l.fork()
	elsewhere.origin = "other.example/v1"
	forged := &log{t, l.origin, l.tree}
	damaged := bytes.Replace(slices.Clone(grown), []byte("\n11\n"), []byte("\n12\n"), 1)
	for _, c := range []struct {
		name    string
		request []byte
		code    Code
	}{
		{"nothing", nil, Malformed},
		{"no checkpoint", []byte("old 7\n\n"), Malformed},
		{"a size with a zero", bytes.Replace(proof, []byte("old 7"), []byte("old 07"), 1), Malformed},
		{"a negative size", bytes.Replace(proof, []byte("old 7"), []byte("old -7"), 1), Malformed},
		{"no size", bytes.Replace(proof, []byte("old 7"), []byte("7"), 1), Malformed},
		{"a broken hash", bytes.Replace(proof, []byte("=\n"), []byte("\n"), 1), Malformed},
		{"a long proof", Request{Old: 7, Proof: make(journal.TreeProof, 64), Checkpoint: grown}.Marshal(), Malformed},
		{"the old size above the new", Request{Old: 12, Checkpoint: grown}.Marshal(), Malformed},
		{"no signature", Request{Old: 7, Checkpoint: []byte(l.checkpoint().Marshal())}.Marshal(), Malformed},
		{"an empty list of signatures", Request{Old: 7, Checkpoint: []byte(l.checkpoint().Marshal() + "\n")}.Marshal(),
			NotSigned},
		{"a stranger's signature", Request{Old: 7, Checkpoint: forged.sign(stranger)}.Marshal(), NotSigned},
		{"another size than was signed", Request{Old: 7, Checkpoint: damaged}.Marshal(), NotSigned},
		{"an unknown log", Request{Checkpoint: elsewhere.sign(house)}.Marshal(), UnknownLog},
		{"from the beginning", l.request(0), OtherSize},
		{"from another size", l.request(6), OtherSize},
		{"no proof", Request{Old: 7, Checkpoint: grown}.Marshal(), Inconsistent},
		{"a proof too many", bytes.Replace(proof, []byte("\n\n"), []byte("\n"+journal.EmptyRoot().String()+"\n\n"), 1),
			Inconsistent},
		{"two roots for one size", newLog(t).grow(7, "other").request(7), Forked},
		{"the same again with a proof", Request{Old: 7, Proof: make(journal.TreeProof, 1),
			Checkpoint: seven.sign(house)}.Marshal(), Inconsistent},
	} {
		_, err := w.Judge(c.request)
		refused := new(Refusal)
		if !errors.As(err, &refused) || refused.Code != c.code {
			t.Errorf("%s: %v, want code %d", c.name, err, c.code)
			continue
		}
		if c.code == OtherSize && refused.Size != 7 {
			t.Errorf("%s: the size told is %d", c.name, refused.Size)
		}
	}
	must(t, w, seven.request(7)) // The same again is no fault.
	must(t, w, l.request(7))
}

// TestStrangersMaySignToo: signatures by unknown keys are ignored.
func TestStrangersMaySignToo(t *testing.T) {
	w, l := testWatch(t), newLog(t).grow(3, "record")
	house, _, _ := testKey(t, testHouse)
	stranger, _, _ := testKey(t, "stranger.example")
	must(t, w, Request{Checkpoint: l.sign(stranger, house)}.Marshal())
}

// TestVolumesAreLogsOfTheirOwn: the key of a house is trusted for its volumes, each
// of which begins anew, and for no name that only begins like them.
func TestVolumesAreLogsOfTheirOwn(t *testing.T) {
	w, l := testWatch(t), newLog(t).grow(3, "record")
	must(t, w, l.request(0))
	second := newLog(t).grow(1, "second")
	second.origin = journal.VolumeOrigin(testHouse, 2)
	must(t, w, second.request(0))
	for _, origin := range []string{"keno.example.evil/v1", "keno.example/x/v1", "keno.exampl", "other.example"} {
		second.origin = origin
		if _, err := w.Judge(second.request(0)); err == nil {
			t.Errorf("%s was taken for a log of %s", origin, testHouse)
		}
	}
}

func TestRestore(t *testing.T) {
	l := newLog(t).grow(3, "record")
	house, _, _ := testKey(t, testHouse)
	stranger, _, _ := testKey(t, "stranger.example")
	three := l.sign(house)
	five := l.grow(2, "record").sign(house)
	w := testWatch(t)
	for _, msg := range [][]byte{three, five, five} {
		if _, err := w.Restore(msg); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Restore(three); err == nil || !strings.Contains(err.Error(), "after one of 5") {
		t.Errorf("going back: %v", err)
	}
	if _, err := w.Restore(l.sign(stranger)); err == nil {
		t.Error("a record of somebody else was taken")
	}
	if s, ok := w.Latest(l.origin); !ok || !bytes.Equal(s.Note, five) {
		t.Errorf("kept %s", s.Note)
	}
}

func FuzzParseRequest(f *testing.F) {
	f.Add(newLog(f).grow(11, "record").request(7))
	f.Add([]byte("old 0\n\nx\n0\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRequest(data)
		if err != nil {
			return
		}
		if again := r.Marshal(); !bytes.Equal(again, data) {
			t.Errorf("%q was read and is written %q", data, again)
		}
	})
}
