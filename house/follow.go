package house

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

var (
	// ErrFollows means that the house follows a journal that another process writes,
	// and cannot decide anything.
	ErrFollows = errors.New("this house follows a journal that another one writes")

	// ErrDiverged means that the journal is not the one that was followed: it went
	// back, or its records do not come to what the house signed. Nothing more is
	// shown of it.
	ErrDiverged = errors.New("the journal has another past than the one that was followed")

	// ErrSilent means that the writer has given no sign of life for too long.
	ErrSilent = errors.New("the writer of the journal is silent")
)

// Follower is a house whose journal another process writes. Records are taken up as
// they become durable, and shown only after they were held against the checkpoint that
// the writer has signed over them. The engine takes them up, too, so that a follower
// that takes over has nothing to replay.
type Follower struct {
	house  *House
	shared store.Shared
	keys   func(record.VolumeBegun) (Keys, error)
	engine machine     // of the goroutine that follows
	handed atomic.Bool // the engine is the lane's

	// eager says that the follower has been the writer, and is to be it again once the one
	// that came after it has left in good order.
	eager bool

	mu       sync.Mutex // guards what follows
	head     store.Head // as it was last seen
	present  store.Presence
	heard    time.Time // when the writer last gave a sign of life
	level    time.Time // when everything that is durable was last shown
	writes   bool      // the follower has become the writer
	diverged error
}

// Follow opens a house on a journal that another process writes. Keys are asked for
// whenever a volume begins: those of serials, by which tickets are found, and where the
// house is to take over all others, too. What is not at hand may be nil.
func Follow(ctx context.Context, c Config, keys func(record.VolumeBegun) (Keys, error)) (*Follower, error) {
	shared, ok := c.Store.(store.Shared)
	if !ok {
		return nil, fmt.Errorf("house: a %T cannot be followed", c.Store)
	}
	now, err := moment(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	volumes, err := Volumes(ctx, now)
	if err != nil {
		return nil, err
	}
	if len(volumes) == 0 {
		return nil, errors.New("house: the journal is empty, and there is nothing to follow")
	}
	if c.Keys, err = keys(volumes[len(volumes)-1]); err != nil {
		return nil, err
	}
	h, err := newHouse(c)
	if err != nil {
		return nil, err
	}
	h.lane = lane.Wait[machine](ErrFollows, h.laneOptions())
	f := &Follower{house: h, shared: shared, keys: keys, head: now.head(), heard: time.Now(), level: time.Now()}
	if f.engine, err = h.buildShown(ctx, f.head, now); err != nil {
		return nil, err
	}
	h.follower.Store(f)
	return f, h.nameMissing(f.engine.State().Volume(), f.engine.State().EarlierVolumes())
}

// House returns the house, which answers what is asked of the past and refuses
// commands with ErrFollows, until TakeOver.
func (f *Follower) House() *House { return f.house }

// asOf is a store as it was when its volumes were read. What is stored never changes,
// so everything else can be read while the writer goes on.
type asOf struct {
	store.Reader
	heads []store.Head
}

// moment returns a store as it is now.
func moment(ctx context.Context, stored store.Reader) (asOf, error) {
	heads, err := stored.Volumes(ctx)
	if err == nil && len(heads) == 0 {
		err = fmt.Errorf("house: no volumes: %w", store.ErrCorrupt)
	}
	return asOf{stored, heads}, err
}

// Volumes implements store.Reader.
func (a asOf) Volumes(context.Context) ([]store.Head, error) { return a.heads, nil }

func (a asOf) head() store.Head { return a.heads[len(a.heads)-1] }

// Lag is how far a follower is behind the journal.
type Lag struct {
	Records uint64        // that are durable and not shown yet, as far as is known
	Behind  time.Duration // since everything durable was last known to be shown
}

// Standing is how a follower stands.
type Standing struct {
	Follows bool // false once it has taken over
	Writer  store.Presence
	Lag     Lag
	// Diverged is why the follower shows nothing more, or nil: the journal is another one, or a newer program writes
	// it (record.ErrNewer).
	Diverged error
	// Resting is why a house that is to write cannot now, or nil.
	Resting error
}

// Standing returns how the follower stands.
func (f *Follower) Standing() Standing {
	next := f.house.past.next()
	f.mu.Lock()
	defer f.mu.Unlock()
	s := Standing{Follows: !f.writes, Writer: f.present, Diverged: f.diverged}
	if !s.Follows {
		return s
	}
	s.Lag.Behind = time.Since(f.level)
	switch {
	case f.head.Volume != next.Volume:
		s.Lag.Records = f.head.Size
	case f.head.Size > next.Seq:
		s.Lag.Records = f.head.Size - next.Seq
	}
	return s
}

// showing is how many records are shown at a time: games that close and open in one
// batch are seen to do so together, and catching up takes no more memory than that.
const showing = 4096

// advance takes up what has become durable, as of a moment.
func (f *Follower) advance(ctx context.Context, now asOf) error {
	if err := f.checkOnward(now.heads); err != nil {
		return err
	}
	for _, v := range now.heads {
		next := f.engine.State().Next()
		if v.Volume < next.Volume || v.Volume == next.Volume && v.Size == next.Seq {
			continue
		}
		from := uint64(0)
		if v.Volume == next.Volume {
			from = next.Seq
		}
		if err := f.confirm(ctx, v, from, v.Volume < now.head().Volume); err != nil {
			return err
		}
		if err := f.fold(ctx, v, from); err != nil {
			return err
		}
	}
	f.house.past.sign(now.head().Checkpoint)
	return nil
}

// checkOnward reports a journal that has become shorter.
func (f *Follower) checkOnward(heads []store.Head) error {
	next := f.engine.State().Next()
	for _, v := range heads {
		if v.Volume != next.Volume {
			continue
		}
		if v.Size < next.Seq {
			return fmt.Errorf("house: %w: volume %d had %d records and has %d", ErrDiverged, v.Volume, next.Seq, v.Size)
		}
		if v.Size == next.Seq && v.Root != f.engine.Root() {
			return fmt.Errorf("house: %w: volume %d with %d records had root %v and has %v", ErrDiverged, v.Volume,
				v.Size, f.engine.Root(), v.Root)
		}
		return nil
	}
	return fmt.Errorf("house: %w: there is no volume %d any more", ErrDiverged, next.Volume)
}

// confirm holds the records of a volume that are new, before any of them is shown,
// against the checkpoint that the house has signed behind them. A volume that has ended
// may have none, after a restore: then the first record of the next one states its end,
// and the engine compares.
func (f *Follower) confirm(ctx context.Context, v store.Head, from uint64, ended bool) error {
	if ended && len(v.Checkpoint) == 0 {
		return nil
	}
	tree := journal.NewTree()
	if from > 0 {
		var err error
		if tree, err = f.house.past.tree(v.Volume); err != nil {
			return err
		}
	}
	err := f.shared.Records(ctx, v.Volume, from, v.Size, func(_ uint64, data []byte) error {
		tree.Append(data)
		tree.TakeTiles() // They are in the store.
		return nil
	})
	if err != nil {
		return err
	}
	verifier, err := f.verifierOf(ctx, v.Volume, from)
	if err != nil {
		return err
	}
	signed, _, err := journal.OpenCheckpoint(v.Checkpoint, verifier)
	if err != nil {
		return fmt.Errorf("house: %w: the end of volume %d is not signed: %w", ErrDiverged, v.Volume, err)
	}
	if signed.Size != v.Size || signed.Root != tree.Root() {
		return fmt.Errorf("house: %w: %d records of volume %d come to root %v; %d were signed, with root %v",
			ErrDiverged, v.Size, v.Volume, tree.Root(), signed.Size, signed.Root)
	}
	return nil
}

// verifierOf returns the key that signs the checkpoints of a volume. The key of a
// volume that begins is taken only from the hand of the one before: anybody who can write
// to the store could begin a volume with a key of their own.
func (f *Follower) verifierOf(ctx context.Context, volume uint16, from uint64) (journal.Verifier, error) {
	if from > 0 {
		return f.house.history.houseKey(volume)
	}
	r, err := f.house.read(ctx, record.Place{Volume: volume})
	if err != nil {
		return nil, err
	}
	begun, ok := r.Body.(*record.VolumeBegun)
	if !ok {
		return nil, fmt.Errorf("house: %w: volume %d begins with a record of %v", ErrDiverged, volume, r.Kind())
	}
	before := f.engine.State().Volume()
	_, handed, err := begun.Follows(&before)
	if err != nil {
		return nil, fmt.Errorf("house: %w: volume %d: %w", ErrDiverged, volume, err)
	}
	if !handed {
		return nil,
			fmt.Errorf("house: %w: volume %d was begun without the key of volume %d; start the follower again if you know the new key %s",
				ErrDiverged, volume, before.Volume, begun.HouseKey)
	}
	return journal.ParseVerifier(begun.HouseKey)
}

// fold takes up and shows the records of a volume that are new.
func (f *Follower) fold(ctx context.Context, v store.Head, from uint64) error {
	for from < v.Size {
		var records [][]byte
		to := min(v.Size, from+showing)
		err := f.shared.Records(ctx, v.Volume, from, to, func(_ uint64, data []byte) error {
			records = append(records, append([]byte(nil), data...))
			return nil
		})
		if err != nil {
			return err
		}
		err = f.take(record.Place{Volume: v.Volume, Seq: from}, records)
		switch {
		case errors.Is(err, record.ErrNewer): // The house has signed it, and another program can read it.
			return fmt.Errorf("house: %w", err)
		case err != nil:
			return fmt.Errorf("%w: %w", ErrDiverged, err)
		}
		if from == 0 {
			if err := f.turned(); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// take takes up some records, and shows them.
func (f *Follower) take(from record.Place, records [][]byte) error {
	for _, data := range records {
		if err := f.engine.Replay(data); err != nil {
			return err
		}
	}
	f.house.tell(from, records)
	return nil
}

// turned takes up the keys of a volume that has begun.
func (f *Follower) turned() error {
	keys, err := f.keys(f.engine.State().Volume())
	if err != nil {
		return err
	}
	f.house.useKeys(keys)
	return f.house.nameMissing(f.engine.State().Volume(), f.engine.State().EarlierVolumes())
}

// nameMissing tells the log of which volumes the serial keys are not at hand.
func (h *House) nameMissing(now record.VolumeBegun, earlier []record.VolumeBegun) error {
	missing, err := h.keys().checkEarlier(append(earlier, now))
	if len(missing) > 0 {
		h.config.Log.Error("serial keys are missing: tickets of these volumes cannot be found by their serials; copy the keys here", "volumes", missing)
	}
	return err
}
