package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"drawhouse/check/verify"
	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// A batch is what is graded and kept at a time.
type batch struct {
	volume  uint16
	from    uint64
	records [][]byte
	tree    *journal.Tree // with the records
	// head is that of the volume, if the batch ends there, and newest says that it is
	// that of the journal.
	head   *store.Head
	newest bool
}

// take grades a batch and makes it durable. The caller holds the lock.
func (f *Follower) take(ctx context.Context, b *batch) error {
	root := b.tree.Root()
	altered := b.head != nil && root != b.head.Root
	if !altered {
		if err := f.fetch(ctx, b); err != nil {
			return err
		}
	}
	broken := f.grade(ctx, b)
	switch {
	case altered:
		d := otherRoot(*b.head, root, b.from)
		if broken != nil {
			d.Record, d.Kind = broken.Place.String(), kindName(broken.Kind)
			d.Reason += "; this is the first that does not fit: " + broken.Reason
		}
		return f.disagree(d)
	case broken != nil:
		return f.disagree(differenceOf(broken))
	}
	signed, err := f.signed(b)
	if err != nil {
		return f.disagree(&witness.Difference{Record: record.Place{Volume: b.volume, Seq: b.head.Size}.String(),
			Check: string(verify.CheckLog), Field: "checkpoint",
			House: strings.SplitN(string(b.head.Checkpoint), "\n", 2)[0], Witness: root.String(), Reason: err.Error()})
	}
	if err := f.keep(ctx, b, signed); err != nil {
		// What is in memory is ahead of the disk. Only a fresh start brings them together.
		return f.disagree(&witness.Difference{Check: "store",
			Reason: "the witness cannot keep what it has read: " + err.Error()})
	}
	return nil
}

// fetch reads the objects that the records pin, before they are graded: a house that
// is away for a moment is no house that is wrong.
func (f *Follower) fetch(ctx context.Context, b *batch) error {
	pending := map[string][]byte{}
	for _, data := range b.records {
		files, err := f.names.Of(data)
		if err != nil {
			files = nil // The grader says what is wrong with it.
		}
		for _, file := range files {
			name := strings.TrimPrefix(file, verify.ObjectsFolder)
			object, err := f.config.Source.Object(ctx, name)
			if errors.Is(err, store.ErrNotFound) {
				continue // The grader misses it.
			}
			if err != nil {
				return unread(err)
			}
			pending[name] = object
		}
	}
	f.objects.pending = pending
	return nil
}

// grade grades the records of a batch, and at the end of the journal the balances.
func (f *Follower) grade(ctx context.Context, b *batch) *verify.Failure {
	f.objects.ctx = ctx
	for _, data := range b.records {
		if err := f.grader.Add(data); err != nil {
			return f.grader.Failure()
		}
	}
	if b.newest && f.grader.Balances() != nil {
		return f.grader.Failure()
	}
	return nil
}

// signed returns the checkpoint at the end of a batch, verified. The end of a volume
// that is followed by another is stated there, and need not have one.
func (f *Follower) signed(b *batch) ([]byte, error) {
	if b.head == nil || !b.newest {
		return nil, nil
	}
	c, _, err := journal.OpenCheckpoint(b.head.Checkpoint, f.grader.HouseKey())
	if err != nil {
		return nil, fmt.Errorf("the house has not signed for the end of its journal: %w", err)
	}
	if own := f.grader.Checkpoint(); c != own {
		return nil, fmt.Errorf("the house signed for %d records with root %v, and they come to %v", c.Size, c.Root,
			own.Root)
	}
	return b.head.Checkpoint, nil
}

// keep makes a batch durable.
func (f *Follower) keep(ctx context.Context, b *batch, signed []byte) error {
	stored := store.Batch{
		Epoch: f.epoch, Volume: b.volume, From: b.from, Root: b.tree.Root(), Checkpoint: signed,
		Tiles:   b.tree.TakeTiles(),
		Entries: make([]store.Entry, len(b.records)),
	}
	for i, data := range b.records {
		about, err := subjectOf(data)
		if err != nil {
			return err
		}
		stored.Entries[i] = store.Entry{Data: data, About: about}
	}
	for name, data := range f.objects.pending {
		stored.Objects = append(stored.Objects, store.Object{Name: name, Data: data})
	}
	// Half a batch cannot be called back: the end of a request is not heeded.
	if err := f.config.Store.Append(context.WithoutCancel(ctx), stored); err != nil {
		return err
	}
	f.objects.pending = nil
	f.volume, f.trees[b.volume] = b.volume, b.tree
	return nil
}

// differenceOf returns a failure of the grader as what is told to both sides.
func differenceOf(failure *verify.Failure) *witness.Difference {
	d := &witness.Difference{Record: failure.Place.String(), Kind: kindName(failure.Kind), Check: string(failure.Check),
		Reason: failure.Reason}
	if values := failure.Differs; values != nil {
		d.Field, d.House, d.Witness = values.Field, values.Stated, values.Due
	}
	return d
}

func kindName(kind record.Kind) string {
	if kind == 0 {
		return ""
	}
	return kind.String()
}

// objects are those that the grader reads: fetched for the batch under way, or kept.
type objects struct {
	store   store.Reader
	pending map[string][]byte
	ctx     context.Context // of the grading under way
}

// Open implements verify.Source.
func (o *objects) Open(file string) (io.ReadCloser, error) {
	name := strings.TrimPrefix(file, verify.ObjectsFolder)
	if data, ok := o.pending[name]; ok {
		return io.NopCloser(bytes.NewReader(data)), nil
	}
	data, err := o.store.Object(o.ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w (%w)", verify.ErrAbsent, err)
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}
