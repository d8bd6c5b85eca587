package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// ErrNotEmpty means that there is a journal where one is to be restored.
var ErrNotEmpty = errors.New("it has a journal already")

// Restore writes the journal of a backup into an empty store. The backup is read
// whole, and found sound, before anything is written; open returns a reader at its
// beginning each time.
//
// The checkpoints at the ends of the volumes are left out: without one no house opens,
// and a restored journal must not be gone on with where it ends, or where the restore
// was broken off, because its backup may lack what came after. A person who restores it
// begins the next volume, which names the last checkpoint; it is in the summary. Those
// of the volumes before are in the first records of the volumes after them.
func Restore(ctx context.Context, to store.Store, open func() io.Reader, progress Progress) (Summary, error) {
	summary, err := Read(open(), Visitor{})
	if err != nil {
		return Summary{}, err
	}
	if head, err := to.Head(ctx); err != nil || head.Size > 0 {
		return Summary{}, errors.Join(ErrNotEmpty, err)
	}
	head, err := to.TakeOver(ctx)
	if err != nil {
		return Summary{}, err
	}
	r := &restorer{to: to, epoch: head.Epoch, summary: summary, progress: progress}
	var stop func()
	r.object, stop = iter.Pull2(objects(open()))
	defer stop()
	if _, err := Read(open(), Visitor{Record: func(place record.Place,
		e store.Entry) error {
		return r.add(ctx, place, e)
	}}); err != nil {
		return Summary{}, err
	}
	return summary, r.compare(ctx, open())
}

// An object is one of a backup, or the error of reading it.
type object struct {
	store.Object
	err error
}

// errEnough ends a reading that nobody waits for.
var errEnough = errors.New("enough")

// objects are the objects of a backup, by their number.
func objects(from io.Reader) iter.Seq2[int, object] {
	return func(yield func(int, object) bool) {
		n := 0
		_, err := Read(from, Visitor{Object: func(name string, data []byte) error {
			if !yield(n, object{Object: store.Object{Name: name, Data: bytes.Clone(data)}}) {
				return errEnough
			}
			n++
			return nil
		}})
		if err != nil && !errors.Is(err, errEnough) {
			yield(n, object{err: err})
		}
	}
}

// restorer is a restore under way.
type restorer struct {
	to       store.Store
	epoch    uint64
	summary  Summary
	progress Progress
	object   func() (int, object, bool)

	tree    *journal.Tree
	done    uint64 // records
	objects int
	batch   store.Batch
	bytes   int
}

// add adds a record to the batch, and stores it when it is full or the volume ends.
func (r *restorer) add(ctx context.Context, place record.Place, e store.Entry) error {
	if place.Seq == 0 {
		r.tree = journal.NewTree()
	}
	if len(r.batch.Entries) == 0 {
		r.batch = store.Batch{Epoch: r.epoch, Volume: place.Volume, From: place.Seq}
		r.bytes = 0
	}
	e.Data = bytes.Clone(e.Data)
	r.tree.Append(e.Data)
	r.batch.Entries = append(r.batch.Entries, e)
	r.bytes += len(e.Data)
	if r.done++; r.progress != nil && (r.done%256 == 0 || r.done == r.summary.Records) {
		r.progress(r.done, r.summary.Records)
	}
	if last := r.ends(place); !last && len(r.batch.Entries) < batchRecords && r.bytes < batchBytes {
		return nil
	}
	r.batch.Root, r.batch.Tiles = r.tree.Root(), r.tree.TakeTiles()
	return r.flush(ctx)
}

// ends reports whether a record is the last of its volume.
func (r *restorer) ends(place record.Place) bool {
	return slices.ContainsFunc(r.summary.Volumes, func(head store.Head) bool {
		return head.Volume == place.Volume && head.Size == place.Seq+1
	})
}

// flush stores the batch, with its share of the objects.
func (r *restorer) flush(ctx context.Context) error {
	share := int(uint64(r.summary.Objects) * r.done / r.summary.Records)
	for ; r.objects < share; r.objects++ {
		_, o, ok := r.object()
		if !ok || o.err != nil {
			return fmt.Errorf("object %d: %w", r.objects, errors.Join(ErrDamaged, o.err))
		}
		r.batch.Objects = append(r.batch.Objects, o.Object)
	}
	if err := r.to.Append(ctx, r.batch); err != nil {
		return err
	}
	r.batch.Entries = nil
	return nil
}

// compare reads the store and compares it with the backup.
func (r *restorer) compare(ctx context.Context, from io.Reader) error {
	for _, head := range r.summary.Volumes {
		tree := journal.NewTree()
		err := r.to.Records(ctx, head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
			tree.Append(data)
			return nil
		})
		if err == nil && tree.Root() != head.Root {
			err = fmt.Errorf("its records come to root %v, those of the backup to %v: %w", tree.Root(), head.Root,
				ErrDamaged)
		}
		if err != nil {
			return fmt.Errorf("reading volume %d as restored: %w", head.Volume, err)
		}
	}
	_, err := Read(from, Visitor{Object: func(name string, data []byte) error {
		got, err := r.to.Object(ctx, name)
		if err != nil || !bytes.Equal(got, data) {
			return fmt.Errorf("object %q as restored: %w", name, errors.Join(err, ErrDamaged))
		}
		return nil
	}})
	return err
}
