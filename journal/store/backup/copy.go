package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// ErrOther means that what a copy would go on with is not the beginning of the
// source.
var ErrOther = errors.New("it has another journal")

// ErrDamaged means that what was read is not what its root, or its hash, says.
var ErrDamaged = errors.New("it is damaged")

// ErrNothing means that there is no journal to copy.
var ErrNothing = errors.New("there is no journal")

const (
	// batchRecords and batchBytes bound a batch of a copy by its records; the objects
	// go along in proportion.
	batchRecords = 2000
	batchBytes   = 4 << 20
)

// Target is a store that a journal can be copied into and read back from.
type Target interface {
	store.Store
	store.Source
}

// Progress is told how much of the work is done, in records.
type Progress func(done, total uint64)

// Summary is what was copied.
type Summary struct {
	Volumes []store.Head
	Records uint64 // in all volumes
	Objects int
	Copied  uint64 // records that the target did not have yet
}

// Copy copies the journal of a source into a target that is empty or has an earlier
// copy of it, and reads it back. It takes the target over, so that no house that
// writes there goes on.
func Copy(ctx context.Context, to Target, from store.Source, progress Progress) (Summary, error) {
	contents, err := from.Contents(ctx)
	if err != nil {
		return Summary{}, err
	}
	summary, err := summarise(contents)
	if err != nil {
		return Summary{}, err
	}
	c := &copier{to: to, from: from, progress: progress, total: 2 * summary.Records,
		newest: contents.Volumes[len(contents.Volumes)-1].Volume}
	if err := c.begin(ctx, contents, summary.Records); err != nil {
		return Summary{}, err
	}
	for _, head := range contents.Volumes {
		if err := c.volume(ctx, head); err != nil {
			return Summary{}, fmt.Errorf("volume %d: %w", head.Volume, err)
		}
	}
	summary.Copied = c.copied
	return summary, c.readBack(ctx, contents)
}

func summarise(c store.Contents) (Summary, error) {
	s := Summary{Volumes: c.Volumes, Objects: len(c.Objects)}
	for _, head := range c.Volumes {
		s.Records += head.Size
	}
	if s.Records == 0 {
		return Summary{}, ErrNothing
	}
	return s, nil
}

// copier is a copy under way.
type copier struct {
	to       Target
	from     store.Source
	progress Progress
	done     uint64 // records copied or passed over, and then those read back
	total    uint64

	epoch  uint64
	newest uint16 // volume of the source
	// there is how far the target's volumes went when the copy began.
	there []store.Head
	// missing are the names of the objects that the target lacks, and fresh are the
	// records it lacks: as many of the former go along as the latter suggest.
	missing      []string
	names        int // missing at the beginning
	fresh        uint64
	copied       uint64
	batch        store.Batch
	batchedBytes int
}

func (c *copier) tell() {
	if c.done++; c.progress != nil && (c.done%256 == 0 || c.done == c.total) {
		c.progress(c.done, c.total)
	}
}

// begin takes the target over and finds out what it lacks. It looks before it takes
// over, too: who names the wrong target should not stop the house there.
func (c *copier) begin(ctx context.Context, contents store.Contents, records uint64) error {
	if err := c.look(ctx, contents, records); err != nil {
		return err
	}
	if err := c.sameHouse(ctx); err != nil {
		return err
	}
	head, err := c.to.TakeOver(ctx)
	if err != nil {
		return err
	}
	c.epoch = head.Epoch
	return c.look(ctx, contents, records)
}

// sameHouse compares the first records, which name a house and its keys.
func (c *copier) sameHouse(ctx context.Context) error {
	if c.there[0].Size == 0 {
		return nil
	}
	first := record.Place{Volume: c.there[0].Volume}
	want, err := c.from.Record(ctx, first)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOther, err)
	}
	got, err := c.to.Record(ctx, first)
	if err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("it begins with another record: %w", ErrOther)
	}
	return err
}

// look finds out what the target has and what it lacks.
func (c *copier) look(ctx context.Context, contents store.Contents, records uint64) error {
	there, err := c.to.Contents(ctx)
	if err != nil {
		return err
	}
	c.there, c.fresh, c.missing = there.Volumes, records, nil
	for _, have := range there.Volumes {
		if have.Size > c.fresh {
			return fmt.Errorf("the target has more records than the source: %w", ErrOther)
		}
		c.fresh -= have.Size
	}
	has := make(map[string]bool, len(there.Objects))
	for _, name := range there.Objects {
		has[name] = true
	}
	for _, name := range contents.Objects {
		if !has[name] {
			c.missing = append(c.missing, name)
		}
		delete(has, name)
	}
	if len(has) > 0 {
		return fmt.Errorf("the target has %d objects that the source lacks: %w", len(has), ErrOther)
	}
	c.names = len(c.missing)
	return nil
}

// had returns how much of a volume the target had.
func (c *copier) had(volume uint16) store.Head {
	for _, have := range c.there {
		if have.Volume == volume {
			return have
		}
	}
	return store.Head{Volume: volume}
}

// volume copies a volume up to its head. The records that the target has are hashed
// all the same: they must be the same ones.
func (c *copier) volume(ctx context.Context, head store.Head) error {
	had, tree := c.had(head.Volume), journal.NewTree()
	if had.Size > head.Size {
		return fmt.Errorf("the target has %d records, the source %d: %w", had.Size, head.Size, ErrOther)
	}
	err := store.Entries(ctx, c.from, head.Volume, 0, head.Size, func(seq uint64, e store.Entry) error {
		tree.Append(e.Data)
		c.tell()
		switch {
		case seq+1 < had.Size:
			return nil
		case seq < had.Size:
			tree.TakeTiles()
			return sameRoot(tree.Root(), had)
		}
		return c.add(ctx, head, tree, seq, e)
	})
	if err == nil && tree.Root() != head.Root {
		err = fmt.Errorf("the source's %d records come to root %v, its head says %v: %w", head.Size, tree.Root(),
			head.Root, ErrDamaged)
	}
	return err
}

// sameRoot compares what the source's records come to with what the target has.
func sameRoot(root journal.Hash, had store.Head) error {
	if root != had.Root {
		return fmt.Errorf("its first %d records are not those of the source: %w", had.Size, ErrOther)
	}
	return nil
}

// add adds an entry to the batch, and stores it when it is full or the last.
func (c *copier) add(ctx context.Context, head store.Head, tree *journal.Tree, seq uint64, e store.Entry) error {
	if len(c.batch.Entries) == 0 {
		c.batch = store.Batch{Epoch: c.epoch, Volume: head.Volume, From: seq, Entries: c.batch.Entries[:0]}
		c.batchedBytes = 0
	}
	e.Data = bytes.Clone(e.Data)
	c.batch.Entries = append(c.batch.Entries, e)
	c.batchedBytes += len(e.Data)
	last := seq+1 == head.Size
	if !last && len(c.batch.Entries) < batchRecords && c.batchedBytes < batchBytes {
		return nil
	}
	c.batch.Root, c.batch.Tiles = tree.Root(), tree.TakeTiles()
	if last {
		// A copy that does not come to the source's root is not ended with its
		// checkpoint, and opens no house.
		if c.batch.Root != head.Root {
			return fmt.Errorf("the source's %d records come to root %v, its head says %v: %w", head.Size, c.batch.Root,
				head.Root, ErrDamaged)
		}
		// Nor does one that breaks off between two volumes: the first record of the
		// later one has the checkpoint of the one before.
		if head.Volume == c.newest {
			c.batch.Checkpoint = head.Checkpoint
		}
	}
	return c.flush(ctx)
}

// flush stores the batch, with its share of the objects.
func (c *copier) flush(ctx context.Context) error {
	c.copied += uint64(len(c.batch.Entries))
	left := int(uint64(c.names) * (c.fresh - c.copied) / c.fresh)
	for len(c.missing) > left {
		data, err := c.from.Object(ctx, c.missing[0])
		if err != nil {
			return err
		}
		c.batch.Objects = append(c.batch.Objects, store.Object{Name: c.missing[0], Data: data})
		c.missing = c.missing[1:]
	}
	if err := c.to.Append(ctx, c.batch); err != nil {
		return err
	}
	c.batch.Entries = c.batch.Entries[:0]
	return nil
}

// readBack reads the copy and compares it with the source, records by their root and
// objects by their bytes.
func (c *copier) readBack(ctx context.Context, contents store.Contents) error {
	for _, head := range contents.Volumes {
		tree := journal.NewTree()
		err := c.to.Records(ctx, head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
			tree.Append(data)
			c.tell()
			return nil
		})
		if err == nil && tree.Root() != head.Root {
			err = fmt.Errorf("the copy's records come to root %v, the source's to %v: %w", tree.Root(), head.Root,
				ErrDamaged)
		}
		if err != nil {
			return fmt.Errorf("reading volume %d of the copy: %w", head.Volume, err)
		}
	}
	for _, name := range contents.Objects {
		want, err := c.from.Object(ctx, name)
		if err != nil {
			return err
		}
		got, err := c.to.Object(ctx, name)
		if err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("object %q of the copy: %w", name, errors.Join(err, ErrDamaged))
		}
	}
	return nil
}
