package house

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// BeginVolume ends the volume of a running house and begins the next, with the same
// keys but for that of the serials. Sale goes on: what waits is decided in the new
// volume.
func (h *House) BeginVolume(ctx context.Context, reason record.VolumeReason) error {
	now, ok := h.history.newestVolume()
	if !ok || h.config.NextSerials == nil {
		return fmt.Errorf("house: there is no volume to end, or no key for the next one")
	}
	// The key is durable before anything is sold under it, and known before the first
	// ticket of the volume is answered.
	serials, commitment, err := h.config.NextSerials(now.Volume + 1)
	if err != nil {
		return err
	}
	h.serials.Store(serials)
	keys := *h.keys()
	_, err = lane.DoBetween(ctx, h.lane, func(m machine) (struct{}, error) {
		return struct{}{}, m.BeginVolume(h.now(), engine.NextVolume{
			Volume: now.Volume + 1, Reason: reason, Build: now.Build,
			House: keys.House, HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier, SerialKey: commitment,
			Previous: h.past.signed(), // Everything before is durable and was shown.
		})
	})
	if err == nil {
		keys.Serials, keys.SerialKey = serials, commitment
		h.useKeys(keys)
	}
	return err
}

// turnYear begins a volume with the first Keno Day of a year. A volume that was begun
// in that year already, for whatever reason, goes on.
func (h *House) turnYear(ctx context.Context, d day.Day, offsetSeconds int32) error {
	h.turning.Lock() // Several series may open the first day of a year.
	defer h.turning.Unlock()
	now, ok := h.history.newestVolume()
	if !ok || h.config.NextSerials == nil {
		return nil
	}
	year, _, _ := d.Date()
	if now.begunAt.Time().Add(time.Duration(offsetSeconds)*time.Second).Year() >= year {
		return nil
	}
	h.config.Log.Info("the journal begins a volume with the year", "year", year, "volume", now.Volume+1)
	return h.BeginVolume(ctx, record.ReasonYear)
}

// Turn is how a volume is ended by somebody and not by the running house.
type Turn struct {
	Reason record.VolumeReason
	Build  string
	// Volume is the number of the next one. It must never have been used, which Begin
	// knows of the numbers in the journal and in Held only; 0 is the first above these.
	// Only a restore may leave numbers out, and names them as abandoned.
	Volume uint16
	// Next returns the keys of the next volume.
	Next func(volume uint16) (Keys, error)
	// Previous is the last checkpoint of the journal, where the store has none because
	// it was restored; nil is the store's.
	Previous []byte
	// Held are checkpoints that others hold of this journal. Those that go beyond its
	// end are named as abandoned; the others must agree with it.
	Held [][]byte
}

// Turned is what came of it.
type Turned struct {
	Begun     record.VolumeBegun
	Ended     journal.Checkpoint
	Abandoned []journal.Checkpoint
	// Handed says that the key of the volume that ended signed for the new one.
	Handed bool
}

// Begin ends the volume of a house that does not run, and begins the next, with other
// keys or after a restore. It takes the journal over: a house that does run rests
// meanwhile, and goes on behind it.
// The keys in c are those of the volume that ends; its house key may be lost.
func Begin(ctx context.Context, c Config, t Turn) (Turned, error) {
	h, err := newHouse(c)
	if err != nil {
		return Turned{}, err
	}
	if h.held, err = readHeld(t.Held); err != nil {
		return Turned{}, err
	}
	head, err := c.Store.TakeOver(ctx)
	if err != nil {
		return Turned{}, err
	}
	defer h.leave(context.WithoutCancel(ctx), head.Epoch)
	defer h.whilePresent(head.Epoch)()
	m, err := h.replay(ctx, h.newEngine(&c.Keys), head, c.Store)
	if err != nil {
		return Turned{}, err
	}
	if t.Previous == nil {
		if err := h.checkHead(head, m.Root()); err != nil {
			return Turned{}, err
		}
		t.Previous = head.Checkpoint
	}
	next, err := h.nextVolume(m, t)
	if err != nil {
		return Turned{}, err
	}
	before := m.State().Volume()
	if err := m.BeginVolume(h.now(), next); err != nil {
		return Turned{}, err
	}
	batch, err := m.Take()
	if err != nil {
		return Turned{}, err
	}
	batch.Epoch = head.Epoch
	if err := c.Store.Append(ctx, batch); err != nil {
		return Turned{}, fmt.Errorf("house: volume %d may have begun and may not: %w", next.Volume, err)
	}
	return turned(m.State().Volume(), before)
}

func turned(begun, before record.VolumeBegun) (Turned, error) {
	body, err := begun.Statement(&before)
	if err != nil {
		return Turned{}, err
	}
	ended, handed, err := begun.Follows(&before)
	return Turned{Begun: begun, Ended: ended, Abandoned: body.Abandoned, Handed: handed}, err
}

// nextVolume decides the number of a volume and what it names as lost.
func (h *House) nextVolume(m machine, t Turn) (engine.NextVolume, error) {
	end := m.State().Next()
	beyond, err := h.held.verify(h.history, end)
	if err != nil {
		return engine.NextVolume{}, err
	}
	if len(beyond) > 0 && t.Reason != record.ReasonRestore {
		return engine.NextVolume{}, fmt.Errorf("house: %w: %s had %d records", ErrOlder, beyond[0].Origin,
			beyond[0].Size)
	}
	number, abandoned := end.Volume+1, farthest(beyond)
	for _, c := range abandoned {
		number = max(number, c.volume+1)
	}
	if t.Volume != 0 && t.Volume < number {
		return engine.NextVolume{}, fmt.Errorf("house: volume %d has been used; %d is the first that has not", t.Volume,
			number)
	}
	if t.Volume > number && t.Reason != record.ReasonRestore {
		return engine.NextVolume{}, fmt.Errorf(
			"house: the next volume is %d; only a restore leaves numbers out, and not up to %d", number, t.Volume)
	}
	number = max(number, t.Volume)
	keys, err := t.Next(number)
	if err != nil {
		return engine.NextVolume{}, err
	}
	next := engine.NextVolume{
		Volume: number, Reason: t.Reason, Build: t.Build, House: keys.House, HouseKey: keys.HouseVerifier,
		DeviceKey: keys.DeviceVerifier, SerialKey: keys.SerialKey, Previous: t.Previous,
	}
	next.Abandoned, err = named(m.State().Volume(), number, abandoned, keys.House)
	return next, err
}

// named returns the checkpoints that a volume names as abandoned: those that others hold,
// and an empty one for each number before it of which nobody holds any.
func named(before record.VolumeBegun, number uint16, held []heldCheckpoint,
	house journal.Signer) (list [][]byte, err error) {
	if int(number)-int(before.Volume) > journal.MaxAbandoned+1 {
		return nil, fmt.Errorf("house: volume %d leaves out more than %d numbers after volume %d", number,
			journal.MaxAbandoned, before.Volume)
	}
	for volume := before.Volume; volume < number; volume++ {
		if i := slices.IndexFunc(held, func(c heldCheckpoint) bool { return c.volume == volume }); i >= 0 {
			list = append(list, held[i].signed)
			continue
		}
		if volume == before.Volume {
			continue
		}
		if house == nil {
			return nil, command.ErrNoKey
		}
		signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin(before.House, volume),
			Root: journal.EmptyRoot()}, house)
		if err != nil {
			return nil, err
		}
		list = append(list, signed)
	}
	return list, nil
}

// farthest returns, for each volume, the checkpoint that goes furthest.
func farthest(beyond []heldCheckpoint) []heldCheckpoint {
	slices.SortFunc(beyond, func(a, b heldCheckpoint) int {
		return cmp.Or(cmp.Compare(a.volume, b.volume), cmp.Compare(b.Size, a.Size))
	})
	return slices.CompactFunc(beyond, func(a, b heldCheckpoint) bool { return a.volume == b.volume })
}
