// Package engine is the house in memory: the state, the Merkle tree of its
// journal, and one method for every command.
//
// A method decides (in packages counter, game, hall, staff and cage), encodes the record, adds
// it to the tree and to the state, and keeps it as pending. Take hands over what
// is pending as one batch to be made durable; until that has happened nobody may
// be told. There is no way back: when a batch cannot be stored the engine is
// thrown away and another one replays the journal as far as it was stored.
//
// The engine takes the time as an argument and reads nothing but its arguments,
// so the same commands give the same bytes on every machine (TestSameBytes).
package engine

import (
	"fmt"

	"drawhouse/books"
	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// Engine is owned by one goroutine.
type Engine struct {
	house  journal.Signer `snapshot:"-"`
	state  *state.State
	tree   *journal.Tree
	origin string // of the volume, once it has begun
	books  *books.Fold
	public *public.Fold // the public log

	from    uint64           // size of the journal at the last Take
	entries []Entry          `snapshot:"-"`
	objects []command.Object `snapshot:"-"`
	tied    *Tied            `snapshot:"-"` // of the book that was made last; nil once it was taken
}

// Entry is a record that is not yet durable.
type Entry struct {
	Place record.Place
	Data  []byte
	Leaf  journal.Hash
	About record.Place // the ticket that the record is about; the zero place for none
}

// Pending is what must become durable together.
type Pending struct {
	Volume     uint16
	From       uint64 // the sequence number of the first entry
	Entries    []Entry
	Objects    []command.Object
	Tiles      []journal.Tile
	Size       uint64
	Root       journal.Hash
	Checkpoint []byte // signed
}

// New returns the engine of a house without records. The signer holds the key of
// checkpoints and seals; where it is lost, nil, the engine can do no more than
// replay a journal and begin a volume with another one.
func New(house journal.Signer) *Engine {
	return &Engine{house: house, state: state.New(), tree: journal.NewTree(), books: books.NewFold(),
		public: public.NewFold()}
}

// SignWith gives the engine the key of checkpoints and seals, where it has replayed a
// journal without it.
func (e *Engine) SignWith(house journal.Signer) { e.house = house }

// State returns the state, for reading between commands.
func (e *Engine) State() *state.State { return e.state }

// Size returns how many records the journal has, pending ones included.
func (e *Engine) Size() uint64 { return e.tree.Size() }

// Root returns the root of the journal, pending records included.
func (e *Engine) Root() journal.Hash { return e.tree.Root() }

// Tree returns a copy of the journal's tree as it stands.
func (e *Engine) Tree() *journal.Tree { return e.tree.Clone() }

// Replay adds a record that is already durable.
func (e *Engine) Replay(data []byte) error {
	r, err := record.Decode(data)
	if err != nil {
		return fmt.Errorf("engine: record %v: %w", e.state.Next(), record.WrittenBy(err, e.state.Build()))
	}
	return e.ReplayDecoded(r, journal.LeafHash(data))
}

// ReplayDecoded is Replay for a record that was decoded and hashed already.
func (e *Engine) ReplayDecoded(r record.Record, leaf journal.Hash) error {
	if len(e.entries) > 0 {
		return fmt.Errorf("engine: %d records are pending", len(e.entries))
	}
	if err := e.checkEnd(r); err != nil {
		return err
	}
	entry, err := e.public.Make(e.placeOf(r), r, e.standing())
	if err != nil {
		return fmt.Errorf("engine: record %v: %w", e.state.Next(), err)
	}
	if err := e.state.Apply(r); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	e.publish(entry) // What it completes is durable as well.
	e.turn(r)
	seq := e.tree.AppendLeaf(leaf)
	e.tree.TakeTiles() // They are durable as well.
	e.from = e.tree.Size()
	return e.keep(record.Place{Volume: e.state.Next().Volume, Seq: seq}, r)
}

// Take hands over what is pending, with a checkpoint signed over it. It reports
// false when nothing is.
func (e *Engine) Take() (Pending, bool, error) {
	if len(e.entries) == 0 {
		return Pending{}, false, nil
	}
	checkpoint := e.checkpoint()
	if e.house == nil {
		return Pending{}, false, command.ErrNoKey
	}
	signed, err := journal.SignCheckpoint(checkpoint, e.house)
	if err != nil {
		return Pending{}, false, fmt.Errorf("engine: checkpoint at %d: %w", checkpoint.Size, err)
	}
	pending := Pending{
		Volume: e.state.Next().Volume, From: e.from,
		Entries: e.entries, Objects: e.objects, Tiles: e.tree.TakeTiles(),
		Size: checkpoint.Size, Root: checkpoint.Root, Checkpoint: signed,
	}
	e.entries, e.objects, e.from = nil, nil, checkpoint.Size
	return pending, true, nil
}

func (e *Engine) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: e.origin, Size: e.tree.Size(), Root: e.tree.Root()}
}

// append makes a decided record part of the journal. The time of a record never
// falls: a clock that is set back holds it still.
func (e *Engine) append(now record.Time, body record.Body, postings []ledger.Posting) (Entry, error) {
	r := record.Record{Time: max(now, e.state.Now()), Postings: postings, Body: body}
	if err := r.CheckBlank(); err != nil {
		return Entry{}, unsound(err)
	}
	data, err := record.Encode(r)
	if err != nil {
		return Entry{}, unsound(err)
	}
	if err := e.room(r); err != nil {
		return Entry{}, err
	}
	if err := e.guard(r); err != nil {
		return Entry{}, err
	}
	public, err := e.public.Make(e.placeOf(r), r, e.standing())
	if err != nil {
		return Entry{}, unsound(err)
	}
	if err := e.state.Apply(r); err != nil {
		// A decision that its own state refuses is a mistake of this program. The
		// state may be half changed, so nothing may follow.
		panic(fmt.Sprintf("engine: decided a record that cannot follow: %v", err))
	}
	for _, full := range e.publish(public) {
		e.objects = append(e.objects, command.Object{Name: full.Name, Data: full.Data})
	}
	e.turn(r)
	seq, leaf := e.tree.Append(data)
	entry := Entry{Place: record.Place{Volume: e.state.Next().Volume, Seq: seq}, Data: data, Leaf: leaf}
	entry.About, _ = r.Subject()
	if err := e.keep(entry.Place, r); err != nil {
		panic(fmt.Sprintf("engine: decided a record that the books cannot take: %v", err)) // As above.
	}
	e.entries = append(e.entries, entry)
	return entry, nil
}

// standing is where the journal stands before the next record.
func (e *Engine) standing() public.Journal { return public.Journal{Origin: e.origin, Tree: e.tree} }

// placeOf returns the place that the next record will have.
func (e *Engine) placeOf(r record.Record) record.Place {
	if begun, ok := r.Body.(*record.VolumeBegun); ok {
		return record.Place{Volume: begun.Volume}
	}
	return e.state.Next()
}

// publish adds what a record brings to the public log, before the record enters the tree, and returns the parts
// of the log that are complete with it.
func (e *Engine) publish(n public.Next) []public.Full {
	full := e.public.Put(n)
	if n.Names() {
		e.tree.Mark()
	}
	return full
}

// Public returns the public log as it stands.
func (e *Engine) Public() *public.Fold { return e.public }

// keep adds a record to the books. The close of a Keno Day is the first record of
// the next trading day, so the book of the day is closed before it.
func (e *Engine) keep(place record.Place, r record.Record) error {
	if closed, ok := r.Body.(*record.DayClosed); ok {
		e.books.End(closed.Series)
	}
	return e.books.Add(place, r)
}
