package export

import (
	"fmt"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// publicLog follows the public log of the journal that is exported, for its partial files: the full ones are stored.
type publicLog struct {
	fold   *public.Fold
	tree   *journal.Tree // of the volume
	origin string        // of the volume
	// cosigned is the newest checkpoint that the journal names as cosigned, and size how many entries that has.
	cosigned []byte
	size     uint64
}

func newPublicLog() *publicLog { return &publicLog{fold: public.NewFold(), tree: journal.NewTree()} }

// publish takes in a record and writes the files of the log that are full with it. Behind a record of which the log
// cannot be made there are none: to find fault with that is the verifier's part.
func (w *writer) publish(place record.Place, data []byte) error {
	if w.log == nil {
		return nil
	}
	kind, ok := record.KindOf(data)
	if ok && (public.Brings(kind) || kind == record.KindLogWitnessed) {
		r, err := record.Decode(data)
		if err != nil {
			w.log = nil
			return nil
		}
		if err := w.publishRecord(place, r); err != nil || w.log == nil {
			return err
		}
	}
	w.log.tree.Append(data)
	w.log.tree.TakeTiles() // They are stored.
	return nil
}

// publishRecord takes in a record that may bring an entry.
func (w *writer) publishRecord(place record.Place, r record.Record) error {
	l := w.log
	next, err := l.fold.Make(place, r, public.Journal{Origin: l.origin, Tree: l.tree})
	if err != nil {
		w.log = nil
		return nil
	}
	if _, begins := r.Body.(*record.LogBegun); begins {
		if err := w.endLog(); err != nil {
			return err
		}
	}
	for _, full := range l.fold.Put(next) {
		data, err := w.from.Object(w.ctx, full.Name)
		if err != nil {
			return fmt.Errorf("%s: %w", full.Name, err)
		}
		if err := w.file(full.Name, data); err != nil {
			return err
		}
	}
	if next.Names() {
		l.tree.Mark()
	}
	switch b := r.Body.(type) {
	case *record.VolumeBegun:
		l.origin, l.tree = b.Origin(), journal.NewTree()
		l.tree.Mark()
	case *record.LogWitnessed:
		if stated, err := journal.UnverifiedCheckpoint(b.Checkpoint); err == nil {
			l.cosigned, l.size = b.Checkpoint, stated.Size
		}
	}
	return nil
}

// endLog writes the partial files of the log as it stands, those of its newest cosigned checkpoint and that.
func (w *writer) endLog() error {
	l := w.log
	if l == nil {
		return nil
	}
	view := l.fold.View()
	if view.Number == 0 {
		return nil
	}
	if err := w.partial(view, view.Size); err != nil {
		return err
	}
	if l.cosigned == nil {
		return nil
	}
	if l.size < view.Size {
		if err := w.partial(view, l.size); err != nil {
			return err
		}
	}
	err := w.file(verify.LogFile(view.Number, verify.CheckpointFile), l.cosigned)
	l.cosigned, l.size = nil, 0
	return err
}

// partial writes the partial files of the log as it was with some entries, as far as the files that would be full there
// are not.
func (w *writer) partial(view public.View, size uint64) error {
	for level := uint8(0); view.Size>>(8*uint(level)) > 0; level++ {
		hashes := size >> (8 * uint(level))
		at, width := hashes/public.BundleWidth, int(hashes%public.BundleWidth)
		if width == 0 || at != view.Size>>(8*uint(level))/public.BundleWidth {
			continue
		}
		if level == 0 {
			bundle := public.Bundle(view.Entries[:width])
			if err := w.file(verify.LogFile(view.Number, public.BundlePath(at, width)), bundle); err != nil {
				return err
			}
		}
		row, err := view.Tree.Row(level, width)
		if err != nil {
			return fmt.Errorf("the public log: %w", err)
		}
		if err := w.file(verify.LogFile(view.Number, public.TilePath(level, at, width)), row); err != nil {
			return err
		}
	}
	return nil
}
