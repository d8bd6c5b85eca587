package store

import (
	"context"
	"errors"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// FirstLane is the lane of a house that has one. The lane is part of every key,
// so that a house may later spread its terminals over several journals; a Store
// is opened for one of them.
const FirstLane uint16 = 1

// FirstVolume is the volume of an empty journal. There is no volume 0, which is
// why the zero Place can mean no record at all.
const FirstVolume uint16 = 1

var (
	// ErrNotFound means that the record, tile or object is not stored.
	ErrNotFound = errors.New("not stored")

	// ErrFenced means that the head was not where the writer believed it to be:
	// another writer has taken over, or an earlier append of this one had an
	// unknown outcome. Nothing was written. It is fatal for the writer, which may
	// only take over again and learn from the head what landed.
	ErrFenced = errors.New("another writer has taken over the journal")

	// ErrBatch means that a batch contradicts itself or what is stored. Nothing
	// was written, and sending it again would fail again.
	ErrBatch = errors.New("the batch cannot be stored")

	// ErrCorrupt means that what is stored is not what was written: a hole, or a
	// value of the wrong form, or a damaged file.
	ErrCorrupt = errors.New("the store is damaged")

	// ErrUnsynced means that the disk has failed to make writes durable. What it has
	// of them nobody knows, and what one sync has failed to write the next may take for
	// written, so that this process must not write to the store any more.
	ErrUnsynced = errors.New("the disk has failed to make writes durable")

	// ErrAway means that the database cannot be reached now. Nothing was read, and the same call may be made
	// again once it is back.
	ErrAway = errors.New("the database cannot be reached")

	// ErrClosed means that the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// Head is how far the journal goes.
type Head struct {
	Epoch  uint64 // of the last takeover; 0 if there was none yet
	Volume uint16
	Size   uint64       // records in the volume
	Root   journal.Hash // over them
	// Checkpoint is the signed checkpoint that came with the last batch, or nil.
	Checkpoint []byte
}

// Entry is a record as it is stored.
type Entry struct {
	Data []byte
	// About is the earlier record that this one is about; the zero Place means
	// none. Reader.About finds the entry by it.
	About record.Place
}

// Object is a named value beside the journal, such as the winners file of a
// game. A record of the same batch pins its hash.
type Object struct {
	Name string
	Data []byte
}

// Batch is what one append makes durable. Neither the writer nor the store
// changes any of its bytes while the append is under way.
type Batch struct {
	Epoch uint64
	// Volume and From are the place of the first entry. A batch goes on where the
	// head is, or begins a later volume at 0.
	Volume  uint16
	From    uint64
	Entries []Entry
	// Root is the root of the volume with the entries, and Checkpoint, which may
	// be nil, the signed statement of it.
	Root       journal.Hash
	Checkpoint []byte
	// Tiles are the full tiles that the entries complete, all of them and no
	// others, in the order of their completion.
	Tiles []journal.Tile
	// Objects have names that were never used before.
	Objects []Object
}

// Reader reads what is durable. Any number of goroutines may use one at a time.
// Its methods return an error that wraps ErrNotFound, ErrCorrupt, ErrAway or ErrClosed
// where those apply, and that of the context if it ended; any other error is
// one of the storage engine, after which the same call may be made again.
// Byte slices that are returned belong to the caller.
type Reader interface {
	// Head returns how far the journal goes. Everything before it can be read.
	Head(ctx context.Context) (Head, error)

	// Volumes returns the head at which each earlier volume ended, ascending, and
	// as the last one Head. The epoch of an ended volume is that of its last
	// append.
	Volumes(ctx context.Context) ([]Head, error)

	// Record returns the record at a place.
	Record(ctx context.Context, place record.Place) ([]byte, error)

	// Records calls fn for every record of a volume from the sequence number from
	// to before to, in order, and stops at the first error, which it returns. If
	// it returns nil, fn has seen them all; a range that goes beyond the volume
	// ends with ErrNotFound after the last record there is.
	//
	// The data is fn's only until fn returns. Memory does not grow with the range,
	// and no transaction or connection is held while fn runs, so that fn may take
	// its time and may use the Reader.
	Records(ctx context.Context, volume uint16, from, to uint64, fn func(seq uint64, data []byte) error) error

	// Tile returns the data of a full tile of a volume, journal.TileBytes long.
	Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error)

	// Object returns the object with a name.
	Object(ctx context.Context, name string) ([]byte, error)

	// About returns the places of the records about a record, ascending. There
	// being none is not an error.
	About(ctx context.Context, place record.Place) ([]record.Place, error)
}

// Store is the journal of one lane.
type Store interface {
	Reader

	// TakeOver makes the caller the writer: it raises the epoch and returns the
	// head with it. It is durable when it returns. An append of an older epoch
	// either is in the returned head or will never be stored, whichever process
	// makes it.
	TakeOver(ctx context.Context) (Head, error)

	// Append stores a batch whole or not at all. It returns nil only when the
	// batch is durable: it survives the end of the process and of the machine.
	//
	// An error that wraps ErrFenced, ErrBatch, ErrClosed or the context's own
	// means that nothing was written. After any other error the outcome is
	// unknown: the batch may be stored now, or may turn out to be after a restart.
	// It must not be sent again, and Append answers ErrFenced until TakeOver has
	// told what landed.
	//
	// Append may be called by several goroutines; the calls are done one after
	// the other. The end of the context is heeded before anything is written and
	// not afterwards, since half a commit cannot be called back.
	Append(ctx context.Context, b Batch) error

	// Close waits for the calls under way and gives up all resources. What was
	// appended stays. Closing twice does nothing.
	Close() error
}

// Tiles returns the stored tiles of a volume in the form in which
// journal.Restore and journal.NewReader ask for them.
func Tiles(ctx context.Context, r Reader, volume uint16) journal.TileReader {
	return journal.TileReaderFunc(func(level uint8, index uint64) ([]byte, error) {
		return r.Tile(ctx, volume, level, index)
	})
}
