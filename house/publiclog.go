package house

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"drawhouse/check/witness/wire"
	"drawhouse/core/day"
	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/store"
)

// publicLog is what readers see of the public log, and what has it cosigned.
type publicLog struct {
	// shown is the log as it is durable.
	shown atomic.Pointer[shownLog]
	group atomic.Pointer[wire.Group]
	asking
	waiters logWaiters
	// pending is the checkpoint that some have cosigned and others have not, and introduced what witnesses have answered
	// whom the house has told how the log begins. They are of the goroutine that asks.
	pending    pendingLog
	introduced map[string]error
}

// shownLog is the public log as of one commit. It never changes.
type shownLog struct {
	public.View
	signed    []byte // its checkpoint, signed by the log's key; nil where the key is not at hand
	cosigned  []byte // the newest checkpoint that the journal names as cosigned; nil before there is one
	witnessed uint64 // how many entries that has
	due       uint64 // how many entries there are up to the last one that is cosigned without delay
}

// opening is the Keno Day that is about to open in a series; the zero value is none.
type opening struct {
	series uint8
	day    day.Day
}

// beginLog begins the public log between two days, if there is none. A house that has a Keno Day open
// waits for its end. A log that follows another begins only if the operator says so, and with a Keno Day that is in no
// earlier log: links of such a day may be known, so that no custodian draws it again.
func (h *House) beginLog(ctx context.Context, next opening) error {
	number := uint16(1)
	if shown := h.public.shown.Load(); shown.exists() {
		if number = shown.Number + 1; h.config.FollowLog != number {
			return nil
		}
	}
	if h.config.NextLog == nil {
		return nil
	}
	key, err := h.config.NextLog(h.Name(), number)
	if err != nil {
		return err
	}
	var ended *journal.Checkpoint
	if number > 1 && !h.playing() {
		var missing [][]byte
		if ended, missing, err = h.endedElsewhere(ctx); err != nil {
			return err
		}
		if again := h.dayAgain(missing, next); again != "" {
			h.config.Log.Warn("the public log that follows begins with a later Keno Day: this one is in the entries that were lost, and no custodian draws it again",
				"day", again)
			return nil
		}
	}
	err = h.do(ctx, func(m machine) error {
		if begun, _ := m.Public().Stands(); begun >= number {
			return nil
		}
		return m.BeginLog(h.now(), key, ended)
	})
	switch {
	case errors.Is(err, engine.ErrDayOpen):
		h.config.Log.Info("the public log begins with the next Keno Day")
		return nil
	case err != nil:
		return fmt.Errorf("house: the public log: %w", err)
	}
	h.knowLog(key)
	return nil
}

// playing reports whether a Keno Day is open.
func (h *House) playing() bool {
	return slices.ContainsFunc(h.Lines(), func(l *Line) bool { return l.seen().course.DayOpen })
}

// endedElsewhere returns where the log ended that another one is to follow, if custodians have entries of it that this
// journal, which was restored, has not; nil where it ended here. The entries are read from them byte for byte.
func (h *House) endedElsewhere(ctx context.Context) (at *journal.Checkpoint, missing [][]byte, err error) {
	shown := h.public.shown.Load()
	key, err := journal.ParseVerifier(shown.Key)
	if err != nil {
		return nil, nil, err
	}
	var ended *journal.Checkpoint
	var of wire.Member
	for _, m := range h.config.Witnesses.Members {
		if !m.Custodian {
			continue
		}
		c, err := m.Copied(ctx, shown.Origin, key)
		if err != nil {
			return nil, nil, fmt.Errorf("house: %s may have entries of %s that this house has lost, and does not answer; leave it out of the witnesses if it is gone: %w",
				m.Witness.Name(), shown.Origin, err)
		}
		if c != nil && (ended == nil || c.Size > ended.Size) {
			ended, of = c, m
		}
	}
	if ended == nil || h.hasEntries(ctx, shown, *ended) {
		return nil, nil, nil // It ended here.
	}
	known := journal.Checkpoint{Origin: shown.Origin, Root: journal.EmptyRoot()}
	if shown.cosigned != nil {
		if known, err = journal.UnverifiedCheckpoint(shown.cosigned); err != nil {
			return nil, nil, err
		}
	}
	missing, err = of.Entries(ctx, known, *ended)
	if err != nil {
		return nil, nil, fmt.Errorf("house: the entries of %s at %s: %w", shown.Origin, of.Witness.Name(), err)
	}
	h.config.Log.Warn("the public log ended with entries that this journal has not", "log", shown.Origin, "at",
		of.Witness.Name(), "cosigned here", known.Size, "entries", ended.Size, "games sealed in them", sealedIn(missing))
	return ended, missing, nil
}

// dayAgain returns the Keno Day that may open again though entries which this journal has not have games of it, or "".
func (h *House) dayAgain(missing [][]byte, next opening) string {
	days := map[string]day.Day{}
	for _, data := range missing {
		e, err := public.Parse(data)
		if err != nil || e.Kind != public.Opened && e.Kind != public.Sealed {
			continue
		}
		if of, err := day.Parse(e.Text("day")); err == nil {
			days[e.Text("series")] = max(days[e.Text("series")], of)
		}
	}
	for _, l := range h.Lines() {
		if lost := days[l.Name()]; l.seen().course.Day < lost && (l.id != next.series || next.day <= lost) {
			return lost.String()
		}
	}
	return ""
}

// hasEntries reports whether the log as it is here begins with a checkpoint.
func (h *House) hasEntries(ctx context.Context, shown *shownLog, c journal.Checkpoint) bool {
	if c.Size > shown.Size {
		return false
	}
	root, err := journal.RootAt(c.Size, journal.NewReader(shown.Tree, shown.logTiles(ctx, h.config.Store)))
	return err == nil && root == c.Root
}

// sealedIn names the games that are sealed in entries.
func sealedIn(entries [][]byte) (games []string) {
	for _, data := range entries {
		if e, err := public.Parse(data); err == nil && e.Kind == public.Sealed {
			games = append(games, e.Game().String())
		}
	}
	return games
}

// knowLog takes up the key of a log that has begun, and signs the log.
func (h *House) knowLog(key engine.LogKey) {
	keys := *h.keys()
	logs := map[string]journal.Signer{key.Verifier: key.Signer}
	for verifier, signer := range keys.Logs {
		logs[verifier] = signer
	}
	keys.Logs = logs
	h.useKeys(keys)
	h.signShown()
}

// signShown signs the log as it is shown, where it could not be signed when it grew.
func (h *House) signShown() {
	if shown := h.public.shown.Load(); shown.exists() && shown.signed == nil {
		next := *shown
		next.signed = h.signLog(shown.View)
		h.public.shown.CompareAndSwap(shown, &next)
		h.public.wake()
	}
}

// exists reports whether there is a log.
func (s *shownLog) exists() bool { return s != nil && s.Number > 0 }

// showLog shows readers the public log, which is durable, if the log has grown. The goroutine that owns the
// engine calls it.
func (h *House) showLog(m machine) {
	fold := m.Public()
	number, size := fold.Stands()
	if number == 0 {
		return
	}
	before := h.public.shown.Load()
	next := shownLog{}
	if next.witnessed, next.cosigned = m.State().LogWitnessed(); before.exists() && before.Number == number &&
		before.Size == size {
		if before.witnessed == next.witnessed {
			return
		}
		next.View, next.signed, next.due = before.View, before.signed, before.due
	} else {
		next.View = fold.View()
		next.signed = h.signLog(next.View)
		next.due = dueIn(before, next.View)
	}
	h.public.shown.Store(&next)
	h.public.waiters.moved()
	h.public.wake()
}

// signLog returns the signed checkpoint of the log, or nil where the key is not at hand.
func (h *House) signLog(view public.View) []byte {
	signer := h.keys().Logs[view.Key]
	if signer == nil {
		return nil
	}
	signed, err := journal.SignCheckpoint(view.Checkpoint(), signer)
	if err != nil {
		h.config.Log.Error("the public log is not signed", "error", err)
		if key := (heldKey{keyOfLog, signer, view.Key}); key.isHeld() {
			h.tellKey(key, err)
		}
		return nil
	}
	return signed
}

// ErrNoLog means that the house has no public log yet, or nothing of the kind that was asked for.
var ErrNoLog = fmt.Errorf("house: the public log: %w", store.ErrNotFound)

// LogCheckpoint returns the newest checkpoint of the public log that everybody may rely on: where the house has
// witnesses, the newest one that they have cosigned.
func (h *House) LogCheckpoint() ([]byte, error) {
	note, _ := h.relied(h.public.shown.Load())
	if note == nil {
		return nil, ErrNoLog
	}
	return note, nil
}

// LogKey returns the verifier key of the public log; "" while there is none.
func (h *House) LogKey() string {
	shown := h.public.shown.Load()
	if !shown.exists() {
		return ""
	}
	return shown.Key
}

// LogPart returns a tile or a bundle of the public log. A partial one is answered while it is the newest.
func (h *House) LogPart(ctx context.Context, part public.Part) ([]byte, error) {
	shown := h.public.shown.Load()
	if !shown.exists() {
		return nil, ErrNoLog
	}
	return shown.part(ctx, h.config.Store, part)
}

// part reads a part of the log.
func (s *shownLog) part(ctx context.Context, stored store.Reader, part public.Part) ([]byte, error) {
	level := uint(0)
	if !part.Entries {
		level = 8 * uint(part.Level)
	}
	hashes := s.Size >> level // of the level; the entries of a log are as many as those of the lowest.
	full := hashes / public.BundleWidth
	switch {
	case part.Width == 0 && part.Index < full:
		data, err := stored.Object(ctx, public.ObjectName(s.Number, part.Path()))
		if err != nil {
			return nil, fmt.Errorf("house: %s of %s: %w", part.Path(), s.Origin, err)
		}
		return data, nil
	case part.Width == 0 || part.Index > full || part.Index == full && uint64(part.Width) > hashes%public.BundleWidth:
		return nil, ErrNoLog
	case part.Index < full: // A reader that began before the part was full.
		whole := part
		whole.Width = 0
		data, err := s.part(ctx, stored, whole)
		if err != nil {
			return nil, err
		}
		return cut(part, data)
	case part.Entries:
		return public.Bundle(s.Entries[:part.Width]), nil
	}
	return s.Tree.Row(part.Level, part.Width)
}

// cut returns the beginning of a full part.
func cut(part public.Part, data []byte) ([]byte, error) {
	if !part.Entries {
		return data[:part.Width*journal.HashBytes], nil
	}
	entries, err := public.SplitBundle(data)
	if err != nil {
		return nil, err
	}
	return public.Bundle(entries[:part.Width]), nil
}

// logTiles reads the full tiles of a log.
func (s *shownLog) logTiles(ctx context.Context, stored store.Reader) journal.TileReader {
	return journal.TileReaderFunc(func(level uint8, index uint64) ([]byte, error) {
		return stored.Object(ctx, public.ObjectName(s.Number, public.TilePath(level, index, 0)))
	})
}

// asking is a goroutine that asks whenever it is woken.
type asking struct {
	woken chan struct{} // has room for one
	stop  context.CancelFunc
	done  <-chan struct{}
}

// wake tells that there is something to ask for.
func (a *asking) wake() {
	select {
	case a.woken <- struct{}{}:
	default: // It will ask for the newest.
	}
}

// logGrowth proves that the public log only grew.
func (h *House) logGrowth(ctx context.Context, origin string) wire.Prover {
	return func(oldSize, newSize uint64) (journal.TreeProof, error) {
		shown := h.public.shown.Load()
		if !shown.exists() || shown.Origin != origin {
			return nil, fmt.Errorf("house: %s is not the log of this house", origin)
		}
		return journal.ProveTree(oldSize, newSize, journal.NewReader(shown.Tree, shown.logTiles(ctx, h.config.Store)))
	}
}
