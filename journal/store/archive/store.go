package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// Store is the store of a house with its archive.
type Store struct {
	House
	dir string

	mu     sync.Mutex               // guards what follows
	opened map[uint16]*sqlite.Store // archived volumes that were asked for
	pruned map[uint16]bool          // those that the database does not have any more
}

var (
	_ store.Shared   = (*Store)(nil)
	_ store.Source   = (*Store)(nil)
	_ store.Prunable = (*Store)(nil)
)

// With returns a store with an archive, whose directory need not be there yet.
func With(house House, dir string) *Store {
	return &Store{House: house, dir: dir, opened: map[uint16]*sqlite.Store{}, pruned: map[uint16]bool{}}
}

// Close closes the store and its archive.
func (s *Store) Close() error {
	err := s.House.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kept := range s.opened {
		err = errors.Join(err, kept.Close())
	}
	clear(s.opened)
	return err
}

// at returns where a volume is to be read: in the archive, if that has it and the
// database does not.
func (s *Store) at(ctx context.Context, volume uint16) (store.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.opened[volume]
	if !ok {
		if _, err := os.Stat(filepath.Join(folder(s.dir, volume), sqlite.FileName)); err != nil {
			return s.House, nil // There is no archive of it, or none that can be read.
		}
	}
	if !s.pruned[volume] {
		_, err := s.House.Record(ctx, record.Place{Volume: volume})
		if !errors.Is(err, store.ErrNotFound) {
			return s.House, err
		}
		s.pruned[volume] = true
	}
	if !ok {
		var err error
		if kept, err = open(ctx, s.dir, volume); err != nil {
			return nil, err
		}
		s.opened[volume] = kept
	}
	return kept, nil
}

// Record implements store.Reader. A record that was pruned, and that the archive does
// not have, is not one that never was.
func (s *Store) Record(ctx context.Context, place record.Place) ([]byte, error) {
	from, err := s.at(ctx, place.Volume)
	if err != nil {
		return nil, err
	}
	data, err := from.Record(ctx, place)
	if !errors.Is(err, store.ErrNotFound) {
		return data, err
	}
	heads, reading := s.Volumes(ctx)
	if reading != nil {
		return nil, reading
	}
	if slices.ContainsFunc(heads, func(v store.Head) bool { return v.Volume == place.Volume && place.Seq < v.Size }) {
		// The record may have been written, or its volume archived, since it was asked for.
		if from, err = s.at(ctx, place.Volume); err != nil {
			return nil, err
		}
		if data, err = from.Record(ctx, place); !errors.Is(err, store.ErrNotFound) {
			return data, err
		}
		return nil, fmt.Errorf(
			"archive: record %v is missing, and so is %s, where it is if its volume was archived: %w", place,
			folder(s.dir, place.Volume), store.ErrCorrupt)
	}
	return nil, err
}

// Records implements store.Reader. A volume that is pruned while it is read is read on
// in the archive.
func (s *Store) Records(ctx context.Context, volume uint16, from, to uint64,
	fn func(seq uint64, data []byte) error) error {
	for {
		source, err := s.at(ctx, volume)
		if err != nil {
			return err
		}
		var refused error
		err = source.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
			refused, from = fn(seq, data), seq+1
			return refused
		})
		if err == nil || refused != nil {
			return err
		}
		if again, changed := s.at(ctx, volume); changed != nil || again == source {
			return err
		}
	}
}

// Tile implements store.Reader.
func (s *Store) Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error) {
	from, err := s.at(ctx, volume)
	if err != nil {
		return nil, err
	}
	return from.Tile(ctx, volume, level, index)
}

// Abouts implements store.Source.
func (s *Store) Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	source, err := s.at(ctx, volume)
	if err != nil {
		return nil, err
	}
	return source.Abouts(ctx, volume, from, to)
}

// About implements store.Reader. A record may be about one of an earlier volume, so
// that the archives of its own and of all later volumes are asked, too.
func (s *Store) About(ctx context.Context, place record.Place) ([]record.Place, error) {
	places, err := s.House.About(ctx, place)
	if err != nil {
		return nil, err
	}
	head, err := s.Head(ctx)
	if err != nil {
		return nil, err
	}
	for volume := place.Volume; volume != 0 && volume < head.Volume; volume++ {
		from, err := s.at(ctx, volume)
		if err != nil {
			return nil, err
		}
		if from == store.Source(s.House) {
			continue
		}
		more, err := from.About(ctx, place)
		if err != nil {
			return nil, err
		}
		places = append(places, more...)
	}
	slices.SortFunc(places, func(a, b record.Place) int {
		return cmp.Or(cmp.Compare(a.Volume, b.Volume),
			cmp.Compare(a.Seq, b.Seq))
	})
	return slices.Compact(places), nil
}

// Probe returns why nothing could be written, of a database whose connection can be lost.
func (s *Store) Probe(ctx context.Context) error {
	if p, ok := s.House.(interface {
		Probe(ctx context.Context) error
	}); ok {
		return p.Probe(ctx)
	}
	return nil
}

// asking is how often a database that wakes nobody is asked.
const asking = 25 * time.Millisecond

// Changed waits until the journal's head is another than the one known. A database
// that can wake followers does, and another one is asked again and again.
func (s *Store) Changed(ctx context.Context, known store.Head) (store.Head, error) {
	if waker, ok := s.House.(interface {
		Changed(ctx context.Context, known store.Head) (store.Head, error)
	}); ok {
		return waker.Changed(ctx, known)
	}
	tick := time.NewTicker(asking)
	defer tick.Stop()
	for {
		head, err := s.Head(ctx)
		if err != nil || head.Epoch != known.Epoch || head.Volume != known.Volume || head.Size != known.Size {
			return head, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return store.Head{}, fmt.Errorf("archive: waiting for a change: %w", context.Cause(ctx))
		}
	}
}
