package house

import (
	"errors"
	"strings"
	"testing"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// TestFollowerOfNewer has a newer program take a journal over that this program follows, and raise its level. The
// follower says which program reads it, shows nothing more, does not call the journal another one, and does not take it
// over.
func TestFollowerOfNewer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.trade(4 * time.Minute)
	f := b.follow(t, true)
	f.look()
	shown := f.House().Hub().Newest()
	b.raisedByNewer()
	err := f.Run(t.Context(), 0)
	if !errors.Is(err, record.ErrNewer) || errors.Is(err, ErrDiverged) {
		t.Errorf("the follower says %v", err)
	}
	if err == nil || !strings.Contains(err.Error(), "drawhouse 9.1.0") {
		t.Errorf("it names no program: %v", err)
	}
	if !errors.Is(f.Standing().Diverged, record.ErrNewer) {
		t.Errorf("it stands %+v", f.Standing())
	}
	if f.House().Hub().Newest() != shown {
		t.Error("it shows more")
	}
	if err := f.TakeOver(t.Context()); !errors.Is(err, record.ErrNewer) {
		t.Errorf("it takes over: %v", err)
	}
	// The house that wrote finds that it was taken over from, follows, and says the same.
	b.sellOnce()
	if reason := b.house.Rest(); reason == nil {
		t.Fatal("the old writer goes on")
	}
	if err := b.house.Rejoin(t.Context()); !errors.Is(err, record.ErrNewer) || errors.Is(err, ErrDiverged) {
		t.Errorf("the old writer says %v", err)
	}
}

// sellOnce tries to sell a ticket, which a house that was taken over from cannot.
func (b *bench) sellOnce() {
	b.t.Helper()
	for b.house.Err() == nil {
		_ = b.house.do(b.t.Context(), func(m machine) error {
			_, err := m.NameBuild(b.house.now(), record.BuildNamed{Build: "drawhouse kept", Binary: record.Hash{byte(b.number), 1}})
			b.number++
			return err
		})
	}
}

// raisedByNewer takes the journal over and raises its level beyond what this program knows.
func (b *bench) raisedByNewer() {
	b.t.Helper()
	head, err := b.store.TakeOver(b.t.Context())
	must(b.t, err)
	known, err := record.Encode(record.Record{Time: record.Of(b.clock.Now().Add(time.Second)),
		Body: &record.LevelRaised{Level: record.Level, Build: "drawhouse 9.1.0"}})
	must(b.t, err)
	newer := []byte(strings.Replace(string(known), "\x82"+string(rune(record.Level)), "\x82"+string(rune(record.Level+1)), 1))
	tree := journal.NewTree()
	must(b.t, b.store.Records(b.t.Context(), head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
		tree.Append(data)
		return nil
	}))
	tree.TakeTiles() // They are in the store.
	tree.Append(newer)
	batch := store.Batch{Epoch: head.Epoch, Volume: head.Volume, From: head.Size,
		Entries: []store.Entry{{Data: newer}}, Root: tree.Root(), Tiles: tree.TakeTiles()}
	batch.Checkpoint, err = journal.SignCheckpoint(journal.Checkpoint{
		Origin: journal.VolumeOrigin("bench.example", head.Volume), Size: tree.Size(), Root: tree.Root()},
		b.house.keys().House)
	must(b.t, err)
	must(b.t, b.store.Append(b.t.Context(), batch))
}
