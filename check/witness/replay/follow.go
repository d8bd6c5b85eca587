package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/check/witness"
	"drawhouse/core/contain"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// A Source is the journal of a house as a Follower reads it. A Remote is one, and so is
// any store.
type Source interface {
	Volumes(ctx context.Context) ([]store.Head, error)
	Records(ctx context.Context, volume uint16, from, to uint64, fn func(seq uint64, data []byte) error) error
	Object(ctx context.Context, name string) ([]byte, error)
}

// Config is what a Follower is made of.
type Config struct {
	Source Source
	// Store keeps what was agreed to. It belongs to the follower alone.
	Store store.Store
	// HouseKeys are the verifier keys of the house as the witness knows them from
	// elsewhere, and Rulebooks the hashes of rulebooks.
	HouseKeys []string
	Rulebooks []record.Hash
	// HasClause, if not nil, says whether a rulebook has a clause (verify.Options).
	HasClause func(id, clause string) bool
	Log       *slog.Logger // nil tells nobody
}

// chunk is how many records are held in memory before they are graded and kept.
const chunk = 1 << 14

// A Follower follows a house. Any number of goroutines may use it.
type Follower struct {
	config Config

	mu         sync.Mutex // guards what follows
	epoch      uint64     // of the store
	volume     uint16     // the newest that is kept; 0 before the first record
	trees      map[uint16]*journal.Tree
	grader     *verify.Grader
	names      *export.Names
	objects    *objects
	difference *witness.Difference // the first, which is final
	broken     error               // a panic left the rest half done; final, too
	sweep      record.Place        // where the next reading again begins
}

// Open takes up what was kept before, and grades all of it again: what is on the disk
// may have changed, and so may the program.
func Open(ctx context.Context, c Config) (*Follower, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	opts := verify.Options{Rulebooks: c.Rulebooks, HasClause: c.HasClause}
	if len(c.HouseKeys) > 0 {
		opts.HouseKey, opts.OtherKeys = c.HouseKeys[0], c.HouseKeys[1:]
	}
	f := &Follower{config: c, trees: map[uint16]*journal.Tree{}, names: export.NewNames(),
		objects: &objects{store: c.Store}}
	f.grader = verify.NewGrader(f.objects, opts)
	head, err := c.Store.TakeOver(ctx)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	f.epoch = head.Epoch
	volumes, err := c.Store.Volumes(ctx)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	for _, v := range volumes {
		if err := f.restore(ctx, v); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// restore grades a volume that was kept.
func (f *Follower) restore(ctx context.Context, v store.Head) error {
	if v.Size == 0 {
		return nil
	}
	tree := journal.NewTree()
	f.objects.ctx = ctx
	err := f.config.Store.Records(ctx, v.Volume, 0, v.Size, func(_ uint64, data []byte) error {
		tree.Append(data)
		tree.TakeTiles()
		if _, err := f.names.Of(data); err != nil {
			return err
		}
		return f.grader.Add(data)
	})
	if err == nil && tree.Root() != v.Root {
		err = fmt.Errorf("its records come to root %v, and %v was kept with them", tree.Root(), v.Root)
	}
	if err != nil {
		return fmt.Errorf("replay: what was kept of volume %d does not hold: %w", v.Volume, err)
	}
	f.volume, f.trees[v.Volume] = v.Volume, tree
	return nil
}

// Run follows the house until the context ends, so that what it sells is kept soon and
// not only when a game closes.
func (f *Follower) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	failing := false
	for {
		err := f.Follow(ctx)
		if failed := err != nil; failed != failing && ctx.Err() == nil && !isDifference(err) {
			failing = failed
			if failed {
				f.config.Log.Warn("the house cannot be followed", "error", err)
			} else {
				f.config.Log.Info("the house is followed again")
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func isDifference(err error) bool {
	var d *witness.Difference
	return errors.As(err, &d)
}

// Follow reads what is new, grades it and keeps it, up to the newest checkpoint of the
// house. The error is a [witness.Refusal].
func (f *Follower) Follow(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.follow(ctx)
}

func (f *Follower) follow(ctx context.Context) error {
	switch {
	case f.difference != nil:
		return disagrees(f.difference)
	case f.broken != nil:
		return f.broken
	}
	err := contain.Do("grading what the house has written", func() error { return f.followNews(ctx) })
	if p := new(contain.Panic); errors.As(err, &p) {
		// What it has graded may be half of something. It agrees to nothing more.
		f.broken = unread(fmt.Errorf("replay: start this witness again, and report the log: %w", err))
		f.config.Log.Error("a panic was caught; this witness signs nothing until it is started again", "panic", p.Value,
			"stack", string(p.Stack))
		return f.broken
	}
	return err
}

// followNews is follow for a follower that has agreed to everything so far.
func (f *Follower) followNews(ctx context.Context) error {
	heads, err := f.config.Source.Volumes(ctx)
	if err != nil {
		return unread(err)
	}
	if len(heads) == 0 {
		return unread(errors.New("replay: the house shows no volume"))
	}
	if newest := heads[len(heads)-1]; newest.Volume < f.volume {
		return f.disagree(lost(newest, record.Place{Volume: f.volume, Seq: f.size(f.volume)}))
	}
	for i, head := range heads {
		size := f.size(head.Volume)
		switch {
		case head.Volume < f.volume && size == head.Size:
			continue
		case head.Volume < f.volume || head.Size < size:
			return f.disagree(lost(head, record.Place{Volume: head.Volume, Seq: size}))
		}
		if err := f.pull(ctx, head, i == len(heads)-1); err != nil {
			return err
		}
	}
	return nil
}

// lost is that a house has fewer records than are kept of it.
func lost(has store.Head, kept record.Place) *witness.Difference {
	return &witness.Difference{
		Record: record.Place{Volume: has.Volume, Seq: has.Size}.String(), Check: string(verify.CheckLog), Field: "size",
		House: record.Place{Volume: has.Volume, Seq: has.Size}.String(), Witness: kept.String(),
		Reason: "the house has lost records that are kept here; it can be restored from them",
	}
}

func (f *Follower) size(volume uint16) uint64 {
	if tree := f.trees[volume]; tree != nil {
		return tree.Size()
	}
	return 0
}

// pull brings a volume up to its head, chunk by chunk. Where there are several, all
// records are hashed before the first is kept, so that nothing is kept that the house
// has not signed for.
func (f *Follower) pull(ctx context.Context, head store.Head, newest bool) error {
	from := f.size(head.Volume)
	if head.Size-from > chunk {
		if err := f.prove(ctx, head); err != nil {
			return err
		}
	}
	for ; from < head.Size; from = f.size(head.Volume) {
		to := min(head.Size, from+chunk)
		records, err := f.read(ctx, head.Volume, from, to)
		if err != nil {
			return err
		}
		b := &batch{volume: head.Volume, from: from, records: records, tree: f.grown(head.Volume, records)}
		if to == head.Size {
			b.head, b.newest = &head, newest
		}
		if err := f.take(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// read reads records into memory.
func (f *Follower) read(ctx context.Context, volume uint16, from, to uint64) ([][]byte, error) {
	records := make([][]byte, 0, to-from)
	err := f.config.Source.Records(ctx, volume, from, to, func(_ uint64, data []byte) error {
		records = append(records, append([]byte(nil), data...))
		return nil
	})
	if err != nil {
		return nil, unread(err)
	}
	return records, nil
}

// prove hashes what is new of a volume, and compares it with its head.
func (f *Follower) prove(ctx context.Context, head store.Head) error {
	tree := f.grown(head.Volume, nil)
	from := tree.Size()
	err := f.config.Source.Records(ctx, head.Volume, from, head.Size, func(_ uint64, data []byte) error {
		tree.Append(data)
		tree.TakeTiles()
		return nil
	})
	if err != nil {
		return unread(err)
	}
	if tree.Root() != head.Root {
		return f.disagree(otherRoot(head, tree.Root(), from))
	}
	return nil
}

// otherRoot is that records are not those that the house signed for.
func otherRoot(head store.Head, root journal.Hash, from uint64) *witness.Difference {
	return &witness.Difference{
		Record: record.Place{Volume: head.Volume, Seq: from}.String(), Check: string(verify.CheckLog), Field: "root",
		House: head.Root.String(), Witness: root.String(),
		Reason: fmt.Sprintf("the records from here to %v are not those of the house's checkpoint: one was changed, dropped, added or moved", record.Place{Volume: head.Volume, Seq: head.Size - 1}),
	}
}

// grown returns the tree of a volume with further records.
func (f *Follower) grown(volume uint16, records [][]byte) *journal.Tree {
	tree := journal.NewTree()
	if have := f.trees[volume]; have != nil {
		tree = have.Clone()
	}
	for _, data := range records {
		tree.Append(data)
	}
	return tree
}

// Difference returns the first thing on which house and witness differ, or nil.
func (f *Follower) Difference() *witness.Difference {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.difference
}

// Kept returns behind which record nothing is kept yet.
func (f *Follower) Kept() record.Place {
	f.mu.Lock()
	defer f.mu.Unlock()
	return record.Place{Volume: f.volume, Seq: f.size(f.volume)}
}

// disagree keeps a difference, tells of it and refuses. The caller holds the lock.
func (f *Follower) disagree(d *witness.Difference) error {
	f.difference = d
	f.config.Log.Error("the house and its witness disagree", "record", d.Record, "kind", d.Kind, "check", d.Check,
		"field", d.Field,
		"house", d.House, "witness", d.Witness, "reason", d.Reason)
	return disagrees(d)
}

func disagrees(d *witness.Difference) error {
	return &witness.Refusal{Code: witness.Disagrees, Err: d}
}

func unread(err error) error { return &witness.Refusal{Code: witness.Unread, Err: err} }
