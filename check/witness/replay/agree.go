package replay

import (
	"bytes"
	"context"
	"fmt"

	"drawhouse/check/verify"
	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// rereadRecords is how many records are read again before a signature: as many of the
// newest, and as many more of those before, in turn. A house of fewer records is read
// again as a whole each time.
const rereadRecords = 1 << 14

// Agree reports whether everything under a checkpoint holds: it follows the house to
// its end, holds the checkpoint against what is kept, and reads again. It is the
// Agree of a [wire.ServerConfig]; the error is a [witness.Refusal].
func (f *Follower) Agree(ctx context.Context, c journal.Checkpoint) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.follow(ctx); err != nil {
		return err
	}
	if _, _, err := journal.ParseLogOrigin(c.Origin); err == nil {
		return f.agreeLog(c)
	}
	_, volume, err := journal.ParseOrigin(c.Origin)
	if err != nil {
		return unread(err)
	}
	tree := f.trees[volume]
	if tree == nil || tree.Size() < c.Size {
		return unread(fmt.Errorf("replay: the house has not shown all of the %d records of %s", c.Size, c.Origin))
	}
	root, err := journal.RootAt(c.Size, journal.NewReader(tree, store.Tiles(ctx, f.config.Store, volume)))
	if err != nil {
		return unread(err)
	}
	if root != c.Root {
		return f.disagree(otherRoot(store.Head{Volume: volume, Size: c.Size, Root: c.Root}, root, 0))
	}
	if err := f.sealed(ctx, volume, c.Size); err != nil {
		return err
	}
	return f.reread(ctx)
}

// agreeLog holds a checkpoint of the public log against the log that follows from the records, all of which were graded.
func (f *Follower) agreeLog(c journal.Checkpoint) error {
	log, root, ok := f.grader.PublicLog(c.Size)
	switch {
	case log.Origin != c.Origin:
		return unread(fmt.Errorf("replay: the records that the house has shown begin no log %s", c.Origin))
	case !ok:
		return unread(fmt.Errorf("replay: %s has %d entries by the records that the house has shown, and is to be cosigned with %d",
			c.Origin, log.Size, c.Size))
	case root != c.Root:
		return f.disagree(&witness.Difference{Check: string(verify.CheckPublicLog), Field: "root", House: c.Root.String(),
			Witness: root.String(),
			Reason:  fmt.Sprintf("%s with %d entries does not follow from the records", c.Origin, c.Size)})
	}
	return nil
}

// sealed makes sure that the seal of a game that closes with the last record under a
// checkpoint has been graded: the signature is going to stand under it.
func (f *Follower) sealed(ctx context.Context, volume uint16, size uint64) error {
	if size == 0 || size < f.size(volume) {
		return nil // What follows has been graded, the seal among it.
	}
	data, err := f.config.Store.Record(ctx, record.Place{Volume: volume, Seq: size - 1})
	if err != nil {
		return unread(err)
	}
	if kind, ok := record.KindOf(data); ok && kind == record.KindGameClosed {
		return unread(fmt.Errorf("replay: the house has not shown the seal of the game that closed with record %d:%d",
			volume, size-1))
	}
	return nil
}

// reread reads records again that are kept, and compares them.
func (f *Follower) reread(ctx context.Context) error {
	size := f.size(f.volume)
	newest := size - min(size, rereadRecords)
	if err := f.compare(ctx, f.volume, newest, size); err != nil {
		return err
	}
	for left := uint64(rereadRecords); left > 0; {
		if f.size(f.sweep.Volume) == 0 || f.sweep.Volume == f.volume && f.sweep.Seq >= newest {
			f.sweep = f.first()
			if f.sweep.Volume == f.volume && f.sweep.Seq >= newest {
				return nil // All of it is among the newest.
			}
		}
		end := f.size(f.sweep.Volume)
		if f.sweep.Volume == f.volume {
			end = newest
		}
		to := min(end, f.sweep.Seq+left)
		if err := f.compare(ctx, f.sweep.Volume, f.sweep.Seq, to); err != nil {
			return err
		}
		left -= min(left, to-f.sweep.Seq)
		if f.sweep.Seq = to; to == end {
			f.sweep = f.after(f.sweep.Volume)
			if f.sweep.Volume == 0 {
				return nil // Round: the next time begins anew.
			}
		}
	}
	return nil
}

// first returns the first record that is kept.
func (f *Follower) first() record.Place { return f.after(0) }

// after returns the first record of the next volume, or the zero place.
func (f *Follower) after(volume uint16) record.Place {
	next := record.Place{}
	for v := range f.trees {
		if v > volume && (next.Volume == 0 || v < next.Volume) {
			next.Volume = v
		}
	}
	return next
}

// compare reads records from the house and holds them against those that are kept.
func (f *Follower) compare(ctx context.Context, volume uint16, from, to uint64) error {
	if from >= to {
		return nil
	}
	theirs, err := f.read(ctx, volume, from, to)
	if err != nil {
		return err
	}
	var found *witness.Difference
	err = f.config.Store.Records(ctx, volume, from, to, func(seq uint64, ours []byte) error {
		if found == nil && !bytes.Equal(ours, theirs[seq-from]) {
			found = changed(record.Place{Volume: volume, Seq: seq}, theirs[seq-from], ours)
		}
		return nil
	})
	if err != nil {
		return unread(err)
	}
	if found != nil {
		return f.disagree(found)
	}
	return nil
}

// changed tells where a record of the house differs from the one that is kept.
func changed(place record.Place, house, kept []byte) *witness.Difference {
	d := &witness.Difference{Record: place.String(), Check: string(verify.CheckLog),
		Reason: "the record was changed in the house's store after it was witnessed"}
	if kind, ok := record.KindOf(kept); ok {
		d.Kind = kind.String()
	}
	d.Field, d.House, d.Witness = firstField(house, kept)
	return d
}
