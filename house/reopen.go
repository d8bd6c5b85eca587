package house

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// A house whose lane has stopped by itself rests: the storage failed, the outcome of a
// commit is unknown, or another writer has taken over. A commit that failed is never tried
// again. What was shown stays and is read; commands are refused. A house at rest is a
// follower of its own journal: the engine is taken up anew behind what was shown, because
// the old one may have decided what was never stored, and the house takes the journal over
// under another epoch. If another writer has done so first, the house follows that one.

// ErrRests means that the house cannot write its journal now, and decides nothing.
var ErrRests = errors.New("this house cannot write its journal now")

// rest is what is known of a house that does not write, though it did.
type rest struct {
	mu     sync.Mutex // guards what follows
	reason error      // why the house does not write; nil while it does or follows another
	since  time.Time
	// tried are the epochs that this house may have raised the journal to. A takeover that
	// failed on its way may have succeeded, and is no other writer's.
	tried map[uint64]bool
}

// Rest has a house whose lane has stopped refuse commands until Rejoin. It returns why the
// lane has stopped, or nil for a house that was closed and stays so.
func (h *House) Rest() error {
	reason := h.lane.Err()
	if reason == nil || !h.lane.Rest(fmt.Errorf("%w: %w", ErrRests, reason)) {
		return nil
	}
	h.restFor(reason)
	return reason
}

// restFor notes why the house rests.
func (h *House) restFor(reason error) {
	h.rest.mu.Lock()
	defer h.rest.mu.Unlock()
	if h.rest.reason == nil {
		h.rest.since = h.config.Clock.Now()
	}
	h.rest.reason = reason
	h.raiseRest(reason)
}

// Resting returns why the house rests and since when, or nil for one that writes or
// follows.
func (h *House) Resting() (since time.Time, reason error) {
	h.rest.mu.Lock()
	defer h.rest.mu.Unlock()
	return h.rest.since, h.rest.reason
}

// Standing returns how a house stands that follows; one that writes, or rests and is to
// write again, does not follow.
func (h *House) Standing() Standing {
	f := h.follower.Load()
	if _, reason := h.Resting(); f == nil || reason != nil {
		return Standing{Resting: reason}
	}
	return f.Standing()
}

// Follower returns the follower of a house that has never written, or that rests; nil
// before the house has read its journal again.
func (h *House) Follower() *Follower { return h.follower.Load() }

// Rejoin makes a house at rest the writer again, under a new epoch and behind what is
// durable. What it returns:
//
//   - store.ErrFenced: another writer has taken over. The house follows from now on, see
//     Follower.Run.
//   - ErrDiverged or store.ErrCorrupt: the journal is not the one that this house has
//     signed. It must not be gone on with.
//   - record.ErrNewer: a newer program writes the journal, and this one cannot read on.
//   - anything else: the storage does not answer, or not yet. Rejoin may be called again.
func (h *House) Rejoin(ctx context.Context) error {
	// A record that no program can read would panic each time, and the house goes on showing
	// what it has.
	err := h.Contain(PartStorage, "opening the journal again", func() error { return h.rejoin(ctx) })
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrFenced) {
		h.rest.mu.Lock()
		h.rest.reason = nil
		h.rest.mu.Unlock()
		h.Clear(PartStorage, alarmJournal)
		h.lane.Rest(ErrFollows)
		return err
	}
	h.lane.Rest(fmt.Errorf("%w: %w", ErrRests, err))
	h.restFor(err)
	return err
}

func (h *House) rejoin(ctx context.Context) error {
	f, err := h.resume(ctx)
	if err != nil {
		return err
	}
	if err := f.look(ctx); err != nil {
		if diverged(err) {
			f.diverge(err)
		}
		return err
	}
	if !f.wasOurs() {
		return fmt.Errorf("house: epoch %d: %w", f.epoch(), store.ErrFenced)
	}
	return f.TakeOver(ctx)
}

// diverged reports whether an error is that this house must not go on with the journal, which has another past or a
// newer program's records, and not that it cannot be reached.
func diverged(err error) bool {
	return errors.Is(err, ErrDiverged) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, record.ErrNewer)
}

// resume returns the follower of a house at rest, with an engine behind what was shown.
func (h *House) resume(ctx context.Context) (*Follower, error) {
	if f := h.follower.Load(); f != nil && !f.isHanded() {
		return f, nil
	}
	shared, ok := h.config.Store.(store.Shared)
	if !ok {
		return nil, fmt.Errorf("house: a %T cannot be opened again", h.config.Store)
	}
	now, err := moment(ctx, shared)
	if err != nil {
		return nil, err
	}
	shown, err := h.shown(ctx, now)
	if err != nil {
		return nil, err
	}
	m, err := h.engineAt(ctx, shown)
	if err != nil {
		return nil, err
	}
	h.publishAll(m)
	f := &Follower{house: h, shared: shared, keys: h.keysOf, engine: m, eager: true, head: shown.head(),
		heard: time.Now(), level: time.Now()}
	h.follower.Store(f)
	return f, nil
}

// keysOf returns the keys of a volume.
func (h *House) keysOf(v record.VolumeBegun) (Keys, error) {
	if h.config.KeysOf != nil {
		return h.config.KeysOf(v)
	}
	return *h.keys(), nil
}

// shown returns the journal as far as this house has shown it. A journal that does not
// begin with that is another one than the house has signed.
func (h *House) shown(ctx context.Context, now asOf) (asOf, error) {
	next, heads := h.past.next(), []store.Head(nil)
	for _, v := range now.heads {
		tree, err := h.past.tree(v.Volume)
		if v.Volume > next.Volume || err != nil {
			break
		}
		if v.Size < tree.Size() || v.Volume < next.Volume && (v.Size > tree.Size() || v.Root != tree.Root()) {
			return asOf{}, fmt.Errorf("house: %w: volume %d had %d records with root %v, and has %d with root %v",
				ErrDiverged, v.Volume, tree.Size(), tree.Root(), v.Size, v.Root)
		}
		if v.Volume == next.Volume {
			root, err := storedRoot(ctx, now, next)
			if err != nil {
				return asOf{}, err
			}
			if root != tree.Root() {
				return asOf{}, fmt.Errorf("house: %w: %d records of volume %d had root %v, and have %v", ErrDiverged,
					next.Seq, v.Volume, tree.Root(), root)
			}
			v.Size, v.Root, v.Checkpoint = next.Seq, root, h.past.signed()
			return asOf{now.Reader, append(heads, v)}, nil
		}
		heads = append(heads, v)
	}
	return asOf{}, fmt.Errorf("house: %w: there is no volume %d any more", ErrDiverged, next.Volume)
}

// engineAt returns an engine behind what was shown: the one of the lane, if that has
// decided nothing else, or one that is built as at a start.
func (h *House) engineAt(ctx context.Context, shown asOf) (machine, error) {
	head := shown.head()
	if m, whole := h.lane.Engine(); whole && m.Engine != nil &&
		m.State().Next() == (record.Place{Volume: head.Volume, Seq: head.Size}) && m.Root() == head.Root {
		return m, nil
	}
	c := h.configNow()
	c.Held = nil // They were looked at when the house was opened.
	aside, err := newHouse(c)
	if err != nil {
		return machine{}, err
	}
	return aside.build(ctx, head, shown)
}

// try notes that this house may raise the journal to an epoch.
func (r *rest) try(epoch uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tried == nil {
		r.tried = map[uint64]bool{}
	}
	r.tried[epoch] = true
}

// over notes that the house writes.
func (r *rest) over() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reason, r.tried = nil, nil
}

func (r *rest) triedAt(epoch uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tried[epoch]
}

// wasOurs reports whether the journal, as it was last seen, is in an epoch that this house
// has raised it to.
func (f *Follower) wasOurs() bool {
	epoch := f.epoch()
	return epoch == f.house.lane.Epoch() || f.house.rest.triedAt(epoch)
}

// epoch returns the epoch of the journal as it was last seen.
func (f *Follower) epoch() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head.Epoch
}

func (f *Follower) isHanded() bool { return f.handed.Load() }

// setAnew is done before a house that has rested or followed takes its first command. The
// drawings of bingo rooms are taken up behind what is recorded. Where another writer has
// drawn meanwhile, a device inside the house is another one: it would not go on behind
// numbers that it did not draw.
func (h *House) setAnew(ours bool) error {
	h.anew.Add(1)
	if ours && h.device.Load() != nil {
		return nil
	}
	h.others.Add(1)
	return h.newDevice()
}

// newDevice makes the device that draws from now on.
func (h *House) newDevice() error {
	c := h.configNow()
	device, err := newDevice(c, c.Keys.HouseVerifier)
	if err != nil {
		return err
	}
	h.device.Store(&device)
	return nil
}

// keys returns the keys of the newest volume. They are others once a volume has begun that
// another program began.
func (h *House) keys() *Keys { return h.current.Load() }

// useKeys takes up the keys of a volume.
func (h *House) useKeys(keys Keys) {
	h.current.Store(&keys)
	h.serials.Store(keys.Serials)
}

// configNow returns what the house is made of now.
func (h *House) configNow() Config {
	c := h.config
	c.Keys = *h.keys()
	return c
}
