package house

import (
	"errors"
	"fmt"
	"math"

	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

var (
	// ErrOlder means that a checkpoint that was kept elsewhere goes further than the
	// journal, so that this is an older copy of it. To go on with it would give the
	// places of lost tickets to others. A new volume has to be begun (Begin).
	ErrOlder = errors.New("the journal is older than a checkpoint that was kept of it")

	// ErrOtherPast means that a checkpoint that was kept elsewhere contradicts the
	// journal: one of them is not of this house, or the house has two histories.
	ErrOtherPast = errors.New("the journal has another past than a checkpoint that was kept of it")

	// ErrUnfinished means that the journal has no checkpoint at its end: it is a copy
	// or a restore that was broken off.
	ErrUnfinished = errors.New("the journal does not end with a checkpoint: a copy or a restore was broken off")
)

// held are the checkpoints that were kept elsewhere, by the place behind their last
// record.
type held map[record.Place][]heldCheckpoint

type heldCheckpoint struct {
	journal.Checkpoint
	volume uint16
	signed []byte
}

// readHeld reads signed checkpoints, whose signatures are verified when the keys of
// their volumes are known.
func readHeld(signed [][]byte) (held, error) {
	all := held{}
	for _, msg := range signed {
		c, err := journal.UnverifiedCheckpoint(msg)
		if err != nil {
			return nil, fmt.Errorf("house: a checkpoint that was kept elsewhere: %w", err)
		}
		_, volume, err := journal.ParseOrigin(c.Origin)
		if err != nil {
			return nil, fmt.Errorf("house: a checkpoint that was kept elsewhere: %w", err)
		}
		behind := record.Place{Volume: volume, Seq: c.Size}
		all[behind] = append(all[behind], heldCheckpoint{c, volume, msg})
	}
	return all, nil
}

// check compares the journal, which has just come to a place, with the checkpoints
// that were kept of it there.
func (k held) check(e *engine.Engine) error {
	if len(k) == 0 {
		return nil
	}
	for _, c := range k[e.State().Next()] {
		if root := e.Root(); c.Root != root {
			return fmt.Errorf("house: %w: %s with %d records had root %v, here it is %v", ErrOtherPast, c.Origin,
				c.Size, c.Root, root)
		}
	}
	return nil
}

// before returns a place before another one of which a checkpoint is held.
func (k held) before(place record.Place) (record.Place, bool) {
	for at := range k {
		if at.Before(place) {
			return at, true
		}
	}
	return record.Place{}, false
}

// verify verifies the checkpoints that are within the journal and returns those that
// go beyond its end.
func (k held) verify(x *history, end record.Place) (beyond []heldCheckpoint, err error) {
	for _, list := range k {
		for _, c := range list {
			if newest, ok := x.newestVolume(); !ok || c.Origin != journal.VolumeOrigin(newest.House, c.volume) {
				return nil, fmt.Errorf("house: %w: it is of %s", ErrOtherPast, c.Origin)
			}
			if c.volume > end.Volume || c.volume == end.Volume && c.Size > end.Seq {
				beyond = append(beyond, c)
				continue
			}
			if err := c.verify(x); err != nil {
				return nil, err
			}
		}
	}
	return beyond, nil
}

// verify verifies a checkpoint of a volume that the journal has, or that it has lost
// and says so.
func (c *heldCheckpoint) verify(x *history) error {
	if x.abandoned(c.Checkpoint) {
		return nil
	}
	key, err := x.houseKey(c.volume)
	if err == nil {
		_, _, err = journal.OpenCheckpoint(c.signed, key)
	}
	if err != nil {
		return fmt.Errorf("house: %w: %s with %d records: %w", ErrOtherPast, c.Origin, c.Size, err)
	}
	if later := x.volumesIn(c.volume+1, math.MaxUint16); len(later) > 0 && c.Size > later[0].ended.Size {
		return fmt.Errorf("house: %w: %s had %d records, and ended with %d without naming the others as lost",
			ErrOtherPast, c.Origin, c.Size, later[0].ended.Size)
	}
	return nil
}
