// Package house puts a running house together: the store that keeps the journal,
// the lane that writes it, the device that draws, the feed that the public
// follows, and the timetable's view of it all.
//
// It decides nothing. Commands go through the lane to the engine; what is read is
// read from what is durable, never from the engine. TestKilledInTheMiddle kills a
// house between two numbers and finds it going on where it was.
package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"

	"drawhouse/draw"
	"drawhouse/engine"
	"drawhouse/journal"
	"drawhouse/lane"
	"drawhouse/live"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/store"
	"drawhouse/timetable"
	"drawhouse/witness/wire"
)

// Series is the number of the one series of games that a house runs.
const Series = 1

// Config is what a house is made of.
type Config struct {
	Store store.Store
	Keys  Keys
	Clock timetable.Clock
	// Entropy is the random source of draws and picks.
	Entropy io.Reader
	// Device draws; nil is a generator inside the house, with the key in Keys.
	Device Device
	// Witnesses cosign the seals of games before they are drawn.
	Witnesses Witnesses
	// Founding is what the house begins with when its journal is empty.
	Founding engine.Founding
	// Results is how many results the board shows.
	Results int
	// Log is told what readers can no longer follow; nil tells nobody.
	Log *slog.Logger
}

// House is a running house. Its methods may be called by any number of
// goroutines.
type House struct {
	config Config
	lane   *lane.Lane[machine]
	hub    *live.Hub
	index  *index
	device Device
	draws  draws
	group  *wire.Group

	winners winnersCache
	past    past
}

// Open opens the house on its store, founding it when the journal is empty. The
// context is that of opening; the house runs until Close.
func Open(ctx context.Context, c Config) (*House, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	h := &House{config: c, index: newIndex(), hub: live.NewHub(live.Options{Results: c.Results, Source: c.Store, Now: c.Clock.Now})}
	h.group = h.newGroup()
	var err error
	if h.device, err = newDevice(c); err != nil {
		return nil, err
	}
	if h.lane, err = lane.Open(ctx, c.Store, h.build, lane.Options{OnCommit: h.committed}); err != nil {
		return nil, err
	}
	if err := h.begin(ctx); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	if err := h.nameWitnesses(ctx); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

// newDevice returns the device that draws, or makes one with its own key and source.
func newDevice(c Config) (Device, error) {
	if c.Device != nil {
		return c.Device, nil
	}
	verifier, err := journal.ParseVerifier(c.Keys.HouseVerifier)
	if err != nil {
		return nil, fmt.Errorf("house: %w", err)
	}
	source, err := draw.NewSource(c.Entropy)
	if err != nil {
		return nil, fmt.Errorf("house: %w", err)
	}
	config := draw.Config{Signer: c.Keys.Device, House: verifier, Source: source}
	for _, m := range c.Witnesses.Members {
		config.Cosigners = append(config.Cosigners, m.Witness.OfSeals())
		if m.Policy == wire.Required {
			config.Required = append(config.Required, m.Witness.Name())
		}
	}
	device, err := draw.NewDevice(config)
	if err != nil {
		return nil, err
	}
	return DeviceOf(device), nil
}

// build replays the journal and holds the result against its root.
func (h *House) build(ctx context.Context, head store.Head, stored store.Reader) (machine, error) {
	e := engine.New(h.config.Keys.House)
	err := stored.Records(ctx, head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		if err := e.Replay(data); err != nil {
			return err
		}
		return h.follow(record.Place{Volume: head.Volume, Seq: seq}, [][]byte{data})
	})
	if err != nil {
		return machine{}, err
	}
	if err := h.checkHead(head, e.Root()); err != nil {
		return machine{}, err
	}
	h.past.sign(head.Checkpoint)
	return machine{e}, nil
}

// checkHead holds what the records come to against what this house signed when
// it stored them. The store's word is not enough: whoever can change its records
// can change its root, and the house would sign for a past that it did not have.
func (h *House) checkHead(head store.Head, root journal.Hash) error {
	if head.Size == 0 {
		return nil
	}
	verifier, err := journal.ParseVerifier(h.config.Keys.HouseVerifier)
	if err != nil {
		return fmt.Errorf("house: %w", err)
	}
	signed, _, err := journal.OpenCheckpoint(head.Checkpoint, verifier)
	if err != nil {
		return fmt.Errorf("house: the journal does not end with a checkpoint of this house: %w", err)
	}
	if signed.Size != head.Size || signed.Root != root {
		return fmt.Errorf("house: the %d records come to root %v; %d were signed, with root %v", head.Size, root, signed.Size, signed.Root)
	}
	return nil
}

// begin founds a house that has no records, and reads what it was founded with.
func (h *House) begin(ctx context.Context) error {
	return h.do(ctx, func(m machine) error {
		if m.Size() == 0 {
			if err := m.Found(h.now(), h.config.Founding); err != nil {
				return err
			}
		}
		if err := h.config.Keys.check(m.State().Volume()); err != nil {
			return err
		}
		if _, ok := m.State().Series(Series); !ok {
			return fmt.Errorf("house: the journal has no series %d", Series)
		}
		return nil
	})
}

// committed tells the readers what has become durable. They are told all of it,
// also when the feed has failed: proofs and games are still read.
func (h *House) committed(b store.Batch) {
	records := make([][]byte, len(b.Entries))
	for i, entry := range b.Entries {
		records[i] = entry.Data
	}
	from := record.Place{Volume: b.Volume, Seq: b.From}
	followed := h.hub.Err() == nil
	if err := h.follow(from, records); err != nil && followed {
		// The hub shows nothing more from here on, and says so to its clients.
		h.config.Log.Error("readers cannot follow the journal", "from", from, "error", err)
	}
	h.past.sign(b.Checkpoint)
}

// follow folds durable records into what readers see, all at once: between the
// close of a game and the opening of the next there is no moment without a game on
// sale. The feed comes last: who hears of a game from it can buy for it and look it
// up.
func (h *House) follow(from record.Place, records [][]byte) error {
	var facts []fact
	for i, data := range records {
		h.past.append(data)
		if kind, ok := record.KindOf(data); ok && !indexed(kind) {
			continue
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		facts = append(facts, fact{record.Place{Volume: from.Volume, Seq: from.Seq + uint64(i)}, r})
	}
	if err := h.index.add(facts); err != nil {
		return err
	}
	return h.hub.Committed(from, records)
}

// Close stops accepting commands and waits for those under way. The store stays
// open.
func (h *House) Close(ctx context.Context) error {
	h.hub.Close()
	return h.lane.Close(ctx)
}

// Done is closed when the lane has stopped, be it that it failed.
func (h *House) Done() <-chan struct{} { return h.lane.Done() }

// Err returns why the lane stopped by itself, if it did.
func (h *House) Err() error { return h.lane.Err() }

// Hub returns the public feed.
func (h *House) Hub() *live.Hub { return h.hub }

// Book returns the rulebook of the newest game, or before the first the one that
// the series began with.
func (h *House) Book() *rulebook.Book { return h.index.bookFor(Series, math.MaxInt32).Book }

func (h *House) now() record.Time { return record.Of(h.config.Clock.Now()) }

// machine is the engine in the form in which the lane takes batches from it.
type machine struct{ *engine.Engine }

// Take hands over what is pending.
func (m machine) Take() (store.Batch, error) {
	pending, ok, err := m.Engine.Take()
	if err != nil || !ok {
		return store.Batch{}, err
	}
	batch := store.Batch{
		Volume: pending.Volume, From: pending.From, Root: pending.Root,
		Checkpoint: pending.Checkpoint, Tiles: pending.Tiles,
		Entries: make([]store.Entry, len(pending.Entries)),
		Objects: make([]store.Object, len(pending.Objects)),
	}
	for i, entry := range pending.Entries {
		batch.Entries[i] = store.Entry{Data: entry.Data, About: entry.About}
	}
	for i, object := range pending.Objects {
		batch.Objects[i] = store.Object{Name: object.Name, Data: object.Data}
	}
	return batch, nil
}
