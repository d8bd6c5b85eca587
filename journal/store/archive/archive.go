// Package archive keeps volumes of a journal that have ended in files, so that the
// database of a house need not grow for ever.
//
// An archived volume is a SQLite database of its own, volume-N/drawhouse.db in the
// directory of the archive, with the records and tiles of that volume: readable with
// SQL, like the store it came from, and by any key, so that tickets of long ago are
// found and paid. Objects (winners files, bitmaps) stay in the house's database: they
// are small, and claims read them.
//
// Write copies a volume and reads the copy back (package backup); Prune compares it
// once more with the journal and only then removes it there. Store is the store of a
// house with its archive: what was pruned it reads from the files, and everything else
// from the database. A file that is missing or was changed is found out by anybody who
// asks: a house replays all volumes and holds each against the end that the next one
// states, and pays on no record that is not under its tree.
//
// An archive opens no house: it has no checkpoint at its end.
//
// TestArchive proves it on both kinds of storage, and TestNotPruned what is refused.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
	"drawhouse/journal/store/sqlite"
)

// ErrNotArchived means that the archive does not have a volume as the journal has it.
var ErrNotArchived = errors.New("the volume is not archived")

// House is the store of a house as an archive needs it. Every driver's store is one.
type House interface {
	store.Shared
	store.Source
	store.Prunable
	store.Sized
}

// folder is where an archive keeps a volume.
func folder(dir string, volume uint16) string {
	return filepath.Join(dir, fmt.Sprintf("volume-%d", volume))
}

// oneVolume is a source that has nothing but one volume.
type oneVolume struct {
	store.Source
	head store.Head
}

// Contents implements store.Source.
func (o oneVolume) Contents(context.Context) (store.Contents, error) {
	return store.Contents{Volumes: []store.Head{o.head}}, nil
}

// ended returns where a volume ended.
func ended(ctx context.Context, from store.Reader, volume uint16) (store.Head, error) {
	heads, err := from.Volumes(ctx)
	if err != nil {
		return store.Head{}, err
	}
	for i, head := range heads {
		if head.Volume != volume {
			continue
		}
		if i == len(heads)-1 {
			return store.Head{}, fmt.Errorf("archive: volume %d has not ended", volume)
		}
		return head, nil
	}
	return store.Head{}, fmt.Errorf("archive: there is no volume %d", volume)
}

// Write copies a volume that has ended into an archive, and reads the copy back. The
// house may run meanwhile. A copy that was broken off is gone on with.
func Write(ctx context.Context, from store.Source, dir string, volume uint16,
	progress backup.Progress) (store.Head, error) {
	head, err := ended(ctx, from, volume)
	if err != nil {
		return store.Head{}, err
	}
	to, err := sqlite.Open(ctx, folder(dir, volume), store.FirstLane)
	if err != nil {
		return store.Head{}, err
	}
	copied := head
	copied.Checkpoint = nil // Without one it is no house.
	_, err = backup.Copy(ctx, to, oneVolume{from, copied}, progress)
	return head, errors.Join(err, to.Close())
}

// Prune removes from a journal a volume that its archive has, and returns how many
// records that were. The archive is read to its end first, and compared.
func Prune(ctx context.Context, from House, dir string, volume uint16) (uint64, error) {
	head, err := ended(ctx, from, volume)
	if err != nil {
		return 0, err
	}
	kept, err := open(ctx, dir, volume)
	if err != nil {
		return 0, err
	}
	err = compare(ctx, from, kept, head)
	if err := errors.Join(err, kept.Close()); err != nil {
		return 0, err
	}
	return from.Prune(ctx, volume)
}

// open opens what an archive has of a volume.
func open(ctx context.Context, dir string, volume uint16) (*sqlite.Store, error) {
	if _, err := os.Stat(filepath.Join(folder(dir, volume), sqlite.FileName)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("archive: %w: there is no %s", ErrNotArchived, folder(dir, volume))
	}
	return sqlite.Open(ctx, folder(dir, volume), store.FirstLane)
}

// comparing is how many records are compared at a time by what they are about.
const comparing = 8192

// compare holds an archived volume against the journal: its records by their root, its
// tiles by the hashes of these, and what records are about, which no root covers, one
// by one.
func compare(ctx context.Context, from, kept store.Source, head store.Head) error {
	tree := journal.NewTree()
	err := kept.Records(ctx, head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
		tree.Append(data)
		return nil
	})
	if err == nil && tree.Root() != head.Root {
		err = fmt.Errorf("its records come to root %v, those of the journal to %v", tree.Root(), head.Root)
	}
	for _, tile := range tree.TakeTiles() {
		if err != nil {
			break
		}
		var data []byte
		if data, err = kept.Tile(ctx, head.Volume, tile.Level, tile.Index); err == nil &&
			string(data) != string(tile.Data) {
			err = fmt.Errorf("tile %d/%d is another", tile.Level, tile.Index)
		}
	}
	for at := uint64(0); at < head.Size && err == nil; at += comparing {
		var want, have map[uint64]record.Place
		if want, err = from.Abouts(ctx, head.Volume, at, min(head.Size, at+comparing)); err != nil {
			return err
		}
		if have, err = kept.Abouts(ctx, head.Volume, at, min(head.Size, at+comparing)); err == nil &&
			!maps.Equal(want, have) {
			err = fmt.Errorf("what its records from %d on are about is another", at)
		}
	}
	if err != nil {
		return fmt.Errorf("archive: %w: volume %d: %w", ErrNotArchived, head.Volume, err)
	}
	return nil
}
