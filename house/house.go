// Package house puts a running house together: the store that keeps the journal,
// the lane that writes it, the device that draws, the feed that the public
// follows, and the timetable's view of it all.
//
// It decides nothing. Commands go through the lane to the engine. What is now is read from
// the view that is published after each commit, what was from the history and the store. Only
// the sales of the day and the prizes that nobody has fetched are asked of the engine: they
// change with every ticket, and wait their turn in the lane. TestKilledInTheMiddle kills a
// house between two numbers and finds it going on where it was.
package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"drawhouse/check/witness/wire"
	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/house/live"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// Config is what a house is made of.
type Config struct {
	Store store.Store
	// Keys are those of the newest volume when the house is opened.
	Keys  Keys
	Clock timetable.Clock
	// Build names the program, one line, and Binary is the SHA-256 of its file. A house without
	// Binary does not say which program draws and settles.
	Build  string
	Binary record.Hash
	// Entropy is the random source of draws and picks.
	Entropy io.Reader
	// Draws is what draws the games that open from now on; empty leaves that as the
	// journal says, which is by a generator where it says nothing.
	Draws record.Device
	// DrawsOf says the same of single series of games, by number, and goes before Draws.
	DrawsOf map[uint8]record.Device
	// Device is the generator; nil is one inside the house, with the key in Keys.
	Device Device
	// Relays are addresses from which rounds of a public beacon are had.
	Relays []string
	// Witnesses cosign the seals of games before they are drawn.
	Witnesses Witnesses
	// KeysOf returns the keys of a volume that another program has begun, for a house that
	// goes on behind it; nil stands for Keys.
	KeysOf func(record.VolumeBegun) (Keys, error)
	// Founding is what the house begins with when its journal is empty.
	Founding engine.Founding
	// NextSerials makes the serial key of a further volume durable and returns the
	// keyring with it and what commits to it, as KeyDir.NextSerials does. A house
	// without it stays in its volume for ever.
	NextSerials func(volume uint16) (*serial.Keyring, record.Hash, error)
	// NextLog makes the key of a public log durable, by the name of the house and the number of the log, and returns it. A
	// house without it begins no log.
	NextLog func(house string, number uint16) (engine.LogKey, error)
	// FollowLog is the number of the public log that is to follow the one before it, because entries of that are lost or
	// its key is; 0 goes on with the log that there is.
	FollowLog uint16
	// Held are signed checkpoints of this journal that were kept elsewhere. A house
	// does not open on a journal that does not begin with all of them.
	Held [][]byte
	// Results is how many results the board shows.
	Results int
	// Log is told what readers can no longer follow; nil tells nobody.
	Log *slog.Logger
	// Alarms is the register of alarms; nil is a new one. A house that opens its journal
	// anew is given the register that it had.
	Alarms *Alarms
	// Snapshots are where what the records add up to is kept between two runs.
	Snapshots Snapshots
	// FreshGames is how many of the newest games stand in memory as they are; 0 is state.FreshGames. The
	// others are packed, and take longer to ask for.
	FreshGames int
	// OnGroup is told of everything that was committed, see [lane.Options].
	OnGroup func(lane.Group)
}

// House is a running house. Its methods may be called by any number of
// goroutines.
type House struct {
	config  Config
	lane    *lane.Lane[machine]
	hub     *live.Hub
	history *history
	device  atomic.Pointer[Device]
	lines   struct {
		mu  sync.Mutex // guards all
		all map[uint8]*Line
	}
	group *wire.Group
	signs witnessSigns
	waits waits
	rooms rooms
	ends  cosignedEnds

	current atomic.Pointer[Keys] // of the newest volume
	serials atomic.Pointer[serial.Keyring]
	winners winnersCache
	handed  otherFiles
	past    *past
	turning sync.Mutex // held while a volume is begun with a year
	looking sync.Mutex // held while the journal is read for a correction

	foreseen foreseen
	held     held // only while it is opened
	kept     *snapshots

	copies atomic.Pointer[copies] // what readers see
	public publicLog
	// follower keeps the engine of a house that does not write; nil for one that always
	// wrote.
	follower atomic.Pointer[Follower]
	rest     rest
	// anew counts how often the house began to write again, and others how often it did so
	// after another writer. What is kept of draws under way is of one such time.
	anew, others atomic.Uint64
	present      presence

	agreement agreement

	proofs sync.Map // what became of the last proof of a key that something else holds, by its use
}

// Open opens the house on its store, founding it when the journal is empty. The
// context is that of opening; the house runs until Close.
func Open(ctx context.Context, c Config) (*House, error) {
	h, err := newHouse(c)
	if err != nil {
		return nil, err
	}
	h.group = h.newGroup()
	if err := h.newDevice(); err != nil {
		return nil, err
	}
	if h.lane, err = lane.Open(ctx, c.Store, h.buildPresent, h.laneOptions()); err != nil {
		return nil, err
	}
	if err := h.begin(ctx); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	if err := h.askStanding(ctx); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	if err := h.prepare(ctx); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	h.startAgreeing()
	h.startWitnessing()
	h.startSnapshots()
	return h, nil
}

// newHouse returns a house that has read nothing of its journal yet.
func newHouse(c Config) (*House, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Alarms == nil {
		c.Alarms = &Alarms{}
	}
	h := &House{config: c, kept: newSnapshots(c.Snapshots)}
	h.useKeys(c.Keys)
	h.remember(h.newMemory())
	h.agreement.wake = make(chan struct{}, 1)
	h.public.woken = make(chan struct{}, 1)
	var err error
	h.held, err = readHeld(c.Held)
	return h, err
}

// newDevice returns the device that draws, or makes one with its own key and source
// that draws under seals of a house key.
func newDevice(c Config, houseKey string) (Device, error) {
	if c.Device != nil {
		return c.Device, nil
	}
	keys, err := deviceKeys(c, houseKey)
	if err != nil {
		return nil, err
	}
	source, err := draw.NewSource(c.Entropy)
	if err != nil {
		return nil, fmt.Errorf("house: %w", err)
	}
	device, err := draw.NewDevice(draw.Config{Signer: keys.Signer, House: keys.House, Cosigners: keys.Cosigners,
		Required: keys.Required, Source: source})
	if err != nil {
		return nil, err
	}
	return DeviceOf(device), nil
}

// deviceKeys returns what a device inside the house signs with, and by which it knows
// the seals of a house key.
func deviceKeys(c Config, houseKey string) (draw.Keys, error) {
	if c.Keys.Device == nil {
		return draw.Keys{}, fmt.Errorf(
			"house: the device key %s is not at hand; restore its file, or begin a volume with another one",
			c.Keys.DeviceVerifier)
	}
	verifier, err := journal.ParseVerifier(houseKey)
	if err != nil {
		return draw.Keys{}, fmt.Errorf("house: %w", err)
	}
	keys := draw.Keys{Signer: c.Keys.Device, House: verifier}
	for _, m := range c.Witnesses.Members {
		keys.Cosigners = append(keys.Cosigners, m.Witness.OfSeals())
		if m.Policy == wire.Required {
			keys.Required = append(keys.Required, m.Witness.Name())
		}
	}
	return keys, nil
}

// build replays the journal, from a snapshot on if there is one, and holds the result
// against its root and against the checkpoints that were kept elsewhere. Nothing that
// goes wrong behind a snapshot counts until the whole journal has been replayed without.
func (h *House) build(ctx context.Context, head store.Head, stored store.Reader) (machine, error) {
	if recalled, ok := h.recall(ctx, stored); ok {
		m, err := h.buildFrom(ctx, recalled, head, stored)
		if err == nil || ctx.Err() != nil {
			return m, err
		}
		h.config.Log.Warn("the journal does not follow its snapshot, and is replayed as a whole", "file",
			h.config.Snapshots.File, "error", err)
		h.remember(h.newMemory())
	}
	return h.buildFrom(ctx, h.newEngine(h.keys()), head, stored)
}

// buildPresent is buildShown for a writer, which gives signs of life meanwhile: to replay a long
// journal takes its time, and nobody is to take the writer for gone.
func (h *House) buildPresent(ctx context.Context, head store.Head, stored store.Reader) (machine, error) {
	defer h.whilePresent(head.Epoch)()
	return h.buildShown(ctx, head, stored)
}

// buildShown is build for a house whose readers are shown what the engine knows, from
// before its first command on.
func (h *House) buildShown(ctx context.Context, head store.Head, stored store.Reader) (machine, error) {
	m, err := h.build(ctx, head, stored)
	if err == nil {
		h.publishAll(m)
	}
	return m, err
}

// buildFrom is build for an engine that has read a part of the journal, or nothing.
func (h *House) buildFrom(ctx context.Context, e *engine.Engine, head store.Head,
	stored store.Reader) (machine, error) {
	m, err := h.replay(ctx, e, head, stored)
	if err != nil {
		return machine{}, err
	}
	if n := m.State().Uncompared(); n > 0 {
		h.config.Log.Info("an earlier program wrote hashes of states in another form; these are not compared", "hashes", n)
	}
	if err := h.checkHead(head, m.Root()); err != nil {
		return machine{}, err
	}
	beyond, err := h.held.verify(h.history, m.State().Next())
	if err != nil {
		return machine{}, err
	}
	if len(beyond) > 0 {
		return machine{}, fmt.Errorf("house: %w: it ends at %v, and %s had %d records", ErrOlder, m.State().Next(),
			beyond[0].Origin, beyond[0].Size)
	}
	h.held = nil
	h.past.sign(head.Checkpoint)
	h.kept.built = m
	return m, nil
}

// checkHead holds what the records come to against what this house signed when
// it stored them. The store's word is not enough: anybody who can change its records
// can change its root, and the house would sign for a past that it did not have.
func (h *House) checkHead(head store.Head, root journal.Hash) error {
	if head.Size == 0 {
		return nil
	}
	if len(head.Checkpoint) == 0 {
		return fmt.Errorf("house: %w", ErrUnfinished)
	}
	verifier, err := h.history.houseKey(head.Volume)
	if err != nil {
		return err
	}
	signed, _, err := journal.OpenCheckpoint(head.Checkpoint, verifier)
	if err != nil {
		return fmt.Errorf("house: the journal does not end with a checkpoint of this house: %w", err)
	}
	if signed.Size != head.Size || signed.Root != root {
		return fmt.Errorf("house: the %d records come to root %v; %d were signed, with root %v", head.Size, root,
			signed.Size, signed.Root)
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
		if err := h.checkKeys(m.State()); err != nil {
			return err
		}
		if _, ok := m.State().Series(FirstSeries); !ok {
			return fmt.Errorf("house: the journal has no series %d", FirstSeries)
		}
		return nil
	})
}

// prepare writes what a writer writes before it takes commands: the level of the journal, the build,
// the witnesses and the device, where one of them is another one from now on.
func (h *House) prepare(ctx context.Context) error {
	if err := h.raiseLevel(ctx); err != nil {
		return err
	}
	return errors.Join(h.nameBuild(ctx), h.nameWitnesses(ctx), h.chooseDevices(ctx), h.beginLog(ctx, opening{}))
}

// nameBuild says which program writes from now on, where another one did before.
func (h *House) nameBuild(ctx context.Context) error {
	if h.config.Binary == (record.Hash{}) {
		return nil
	}
	return h.do(ctx, func(m machine) error {
		_, err := m.NameBuild(h.now(), record.BuildNamed{Build: h.config.Build, Binary: h.config.Binary})
		return err
	})
}

// BuildAt returns the program that wrote the record at a place, if one had said so by then.
func (h *House) BuildAt(place record.Place) (state.Build, bool) { return h.viewed().BuildAt(place) }

// raiseLevel raises the level of a journal that an earlier program began.
func (h *House) raiseLevel(ctx context.Context) error {
	return h.do(ctx, func(m machine) error {
		raised, err := m.RaiseLevel(h.now(), h.config.Build)
		if raised {
			h.config.Log.Info("the level of the journal is raised; an earlier program cannot go on with the journal",
				"level", record.Level)
		}
		return err
	})
}

// checkKeys holds the keys against those that the volumes name.
func (h *House) checkKeys(s *state.State) error {
	if err := errors.Join(h.keys().check(s.Volume()), h.checkWitnessKeys()); err != nil {
		return err
	}
	missing, err := h.keys().checkEarlier(s.EarlierVolumes())
	if len(missing) > 0 {
		h.config.Log.Error("serial keys are missing: tickets of these volumes cannot be found by their serials",
			"volumes", missing)
	}
	return err
}

// committed tells the readers what has become durable. They are told all of it,
// also when the feed has failed: proofs and games are still read.
func (h *House) committed(b store.Batch) {
	records := make([][]byte, len(b.Entries))
	for i, entry := range b.Entries {
		records[i] = entry.Data
	}
	h.tell(record.Place{Volume: b.Volume, Seq: b.From}, records)
	h.past.sign(b.Checkpoint)
	if slices.ContainsFunc(records, endsGame) {
		h.agreement.ended()
	}
	h.kept.committed(records)
}

// tell tells the readers of durable records. The log is told when readers can no longer
// follow: the hub shows nothing more from there on, and says so to its clients.
func (h *House) tell(from record.Place, records [][]byte) {
	followed := h.hub.Err() == nil
	if err := h.follow(from, records); err != nil && followed {
		h.config.Log.Error("readers cannot follow the journal", "from", from, "error", err)
	}
}

// endsGame reports whether a record settles a game or ends it without a result.
func endsGame(data []byte) bool {
	kind, ok := record.KindOf(data)
	return ok && (kind == record.KindGameSettled || kind == record.KindGameVoided || kind == record.KindBingoSettled)
}

// follow shows readers durable records: first what is now, as one view, so that there is no moment
// without a game on sale between the close of a game and the opening of the next, then what was.
func (h *House) follow(from record.Place, records [][]byte) error {
	h.past.append(from, records)
	h.publish()
	return h.show(h.copies.Load().engine.State(), from, records)
}

// show adds durable records to the history and the feed, behind which a state is. The feed
// comes last: who hears of a game from it can buy for it and look it up.
func (h *House) show(s *state.State, from record.Place, records [][]byte) error {
	var facts []fact
	for i, data := range records {
		if kind, ok := record.KindOf(data); ok && !isHistory(kind) {
			continue
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		facts = append(facts, fact{record.Place{Volume: from.Volume, Seq: from.Seq + uint64(i)}, r})
	}
	if err := h.history.add(facts, s); err != nil {
		return err
	}
	return h.hub.Committed(from, records)
}

// Close stops accepting commands and waits for those under way. The store stays
// open. What a house that has closed in good order knows is kept as a snapshot.
func (h *House) Close(ctx context.Context) error {
	h.hub.Close()
	h.stopAgreeing()
	h.stopWitnessing()
	err := h.lane.Close(ctx)
	_, resting := h.Resting()
	h.endSnapshots(err == nil && resting == nil)
	if err == nil && resting == nil {
		h.leave(ctx, h.lane.Epoch())
	}
	return err
}

// Done is closed when the lane has stopped, be it that it failed. A house that has rejoined
// its journal has another one.
func (h *House) Done() <-chan struct{} { return h.lane.Done() }

// Err returns why the lane stopped by itself, if it did.
func (h *House) Err() error { return h.lane.Err() }

// Hub returns the public feed.
func (h *House) Hub() *live.Hub { return h.hub }

// Book returns the rulebook of the newest game, or before the first the one that
// the series began with.
func (l *Line) Book() *rulebook.Book { return l.seen().sale.book }

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
