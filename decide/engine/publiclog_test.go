package engine

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// logKey makes the key of a public log.
func (r *rig) logKey(origin string) LogKey {
	r.t.Helper()
	private, verifier, err := journal.GenerateKey(r.random, origin)
	must(r.t, err)
	signer, err := journal.ParseSigner(private)
	must(r.t, err)
	return LogKey{Signer: signer, Verifier: verifier}
}

// published returns every entry of the public log, from the full bundles that are stored and from memory.
func (r *rig) published() (entries [][]byte) {
	r.t.Helper()
	view := r.engine.Public().View()
	for i := range view.Size / public.BundleWidth {
		data, ok := r.objects[public.ObjectName(view.Number, public.BundlePath(i, 0))]
		if !ok {
			r.t.Fatalf("bundle %d of %s is not stored", i, view.Origin)
		}
		bundle, err := public.SplitBundle(data)
		must(r.t, err)
		entries = append(entries, bundle...)
	}
	return append(entries, view.Entries...)
}

// followed reads the public log from its first entry on, and checks its root and its stored tiles.
func (r *rig) followed(known string) *public.Chain {
	r.t.Helper()
	chain, tree := public.NewChain(known), journal.NewTree()
	for _, data := range r.published() {
		if _, err := chain.Take(data); err != nil {
			r.t.Fatal(err)
		}
		tree.Append(data)
	}
	view := r.engine.Public().View()
	if tree.Root() != view.Root || tree.Size() != view.Size {
		r.t.Fatalf("the log has %d entries with root %v, and its entries come to %d with root %v", view.Size, view.Root,
			tree.Size(), tree.Root())
	}
	for _, tile := range tree.TakeTiles() {
		if !bytes.Equal(r.objects[public.ObjectName(view.Number, public.TilePath(tile.Level, tile.Index, 0))], tile.Data) {
			r.t.Errorf("tile %d/%d of %s is not stored as it is", tile.Level, tile.Index, view.Origin)
		}
	}
	return chain
}

// logged opens a house with a public log, plays some games over two days and a change of keys, and returns it.
func logged(t *testing.T, games int) (*rig, LogKey) {
	t.Helper()
	r := newRig(t, "public log")
	key := r.logKey("rig.example/log")
	must(t, r.engine.BeginLog(r.tick(), key, nil))
	r.take()
	r.openDay("2026-11-15")
	for range games {
		r.sell(1, 1, `{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100}`)
		r.play()
	}
	r.rotate()
	r.sell(1, 1, `{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100}`)
	r.play()
	r.take()
	return r, key
}

// endDay plays the game that is on sale and ends the Keno Day.
func (r *rig) endDay() {
	r.t.Helper()
	must(r.t, r.engine.CloseGame(r.tick(), series))
	current, _ := r.engine.State().Series(series)
	r.drawAndSettle(current.Newest().Ordinal)
	must(r.t, r.engine.CloseDay(r.tick(), series))
}

// TestPublicLogHolds follows the log of a house that plays, turns its volume with new keys, and plays on. The log
// fills more than a bundle.
func TestPublicLogHolds(t *testing.T) {
	r, key := logged(t, 70)
	chain := r.followed(key.Verifier)
	if chain.Size() <= public.BundleWidth {
		t.Fatalf("the log has %d entries, and no bundle is full", chain.Size())
	}
	if named := chain.Named(); named.Origin != "rig.example/v2" {
		t.Errorf("the log names %s at last", named.Origin)
	}
	first, _ := r.engine.State().VolumeOf(1)
	if again := r.followed(first.HouseKey); again.Size() != chain.Size() {
		t.Error("with the key of the house the log has another length")
	}
	again, err := replay(r.batches)
	must(t, err)
	if a, b := again.Public().View(), r.engine.Public().View(); a.Root != b.Root || a.Size != b.Size ||
		!slices.EqualFunc(a.Entries, b.Entries, bytes.Equal) {
		t.Error("the same records give another log")
	}
}

// TestPublicLogBegins shows when a log begins, and that a second one names the end of the first.
func TestPublicLogBegins(t *testing.T) {
	r, key := logged(t, 1)
	second := r.logKey("rig.example/log2")
	if err := r.engine.BeginLog(r.tick(), second, nil); !errors.Is(err, ErrDayOpen) {
		t.Errorf("a log begins on an open day: %v", err)
	}
	before := r.engine.Public().View()
	r.endDay()
	r.take()
	if err := r.engine.BeginLog(r.tick(), LogKey{}, nil); err == nil {
		t.Error("a log begins without a key")
	}
	if err := r.engine.BeginLog(r.tick(), key, nil); err == nil {
		t.Error("a log begins with the key of the log before")
	}
	elsewhere := journal.Checkpoint{Origin: before.Origin, Size: before.Size}
	if err := r.engine.BeginLog(r.tick(), second, &elsewhere); !errors.Is(err, ErrEndedHere) {
		t.Errorf("a log follows another end, and nothing was restored: %v", err)
	}
	end := r.engine.Public().View()
	if end.Size <= before.Size {
		t.Error("the end of a day brought nothing to the log")
	}
	must(t, r.engine.BeginLog(r.tick(), second, nil))
	r.take()
	r.now += 24 * 60 * 60 * 1000
	r.openDay("2026-11-16")
	chain := r.followed(second.Verifier)
	if b := chain.Body().Before; b == nil || *b != end.Checkpoint() {
		t.Errorf("the second log follows %v, and the first ended with %v", b, end.Checkpoint())
	}
	if origin, _ := r.engine.State().PublicLog(); origin != "rig.example/log2" {
		t.Errorf("the log is %s", origin)
	}
}

// TestPublicLogBeginsLate begins the log of a house that has played before.
func TestPublicLogBeginsLate(t *testing.T) {
	r := newRig(t, "late")
	r.turnVolume()
	key := r.logKey("rig.example/log")
	must(t, r.engine.BeginLog(r.tick(), key, nil))
	r.take()
	r.openDay("2026-11-15")
	r.play()
	chain := r.followed(key.Verifier)
	if ended := chain.Body().Ended; len(ended) != 1 || ended[0].Origin != "rig.example/v1" {
		t.Errorf("the log says that these volumes ended: %v", ended)
	}
}

// TestLogWitnessed takes cosignatures of the log in order only.
func TestLogWitnessed(t *testing.T) {
	r, key := logged(t, 1)
	must(t, r.engine.NameWitnesses(r.tick(), record.WitnessesNamed{Witnesses: []record.Witness{{Name: "w.example", Key: "w.example+01020304+BA=="}}}))
	view := r.engine.Public().View()
	note, err := journal.SignCheckpoint(view.Checkpoint(), key.Signer)
	must(t, err)
	must(t, r.engine.WitnessLog(r.tick(), note, []string{"w.example"}))
	if got, kept := r.engine.State().LogWitnessed(); got != view.Size || !bytes.Equal(kept, note) {
		t.Errorf("%d entries are witnessed, want %d", got, view.Size)
	}
}
