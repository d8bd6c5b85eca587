package house

import (
	"fmt"
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// volume is a volume of the journal, as its first record has it.
type volume struct {
	record.VolumeBegun
	begunAt record.Time
	// ended is where the volume before this one ended, and lost how far beyond that,
	// by volume, records are known or must be feared to have been.
	ended journal.Checkpoint
	lost  map[uint16]lostRange
}

// lostRange are the sequence numbers of a volume that a restore has lost.
type lostRange struct{ from, to uint64 }

// lostRoom is how far beyond what is known to be lost a ticket may have stood: as many
// records as no house writes between two checkpoints that it gives away. A guessed
// serial comes to such a place once in fifty million times.
const lostRoom = 20_000_000

// newVolume reads what the first record of a volume says of those before it. The
// engine has verified it.
func newVolume(b *record.VolumeBegun, at record.Time, before []volume) (volume, error) {
	v := volume{VolumeBegun: *b, begunAt: at}
	if len(before) == 0 {
		return v, nil
	}
	last := before[len(before)-1]
	body, err := b.Statement(&last.VolumeBegun)
	if err != nil {
		return volume{}, fmt.Errorf("house: volume %d: %w", b.Volume, err)
	}
	v.ended = body.Previous
	if b.Reason != record.ReasonRestore {
		return v, nil
	}
	v.lost = map[uint16]lostRange{}
	for number := last.Volume; number < b.Volume; number++ {
		v.lost[number] = lostRange{to: lostRoom}
	}
	v.lost[last.Volume] = lostRange{from: v.ended.Size, to: v.ended.Size + lostRoom}
	for _, c := range body.Abandoned {
		if _, number, err := journal.ParseOrigin(c.Origin); err == nil {
			v.lost[number] = lostRange{from: v.lost[number].from, to: c.Size + lostRoom}
		}
	}
	return v, nil
}

// volume returns a volume. The lock of the history is not held.
func (x *history) volume(number uint16) (volume, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, v := range x.volumes {
		if v.Volume == number {
			return v, nil
		}
	}
	return volume{}, fmt.Errorf("house: there is no volume %d", number)
}

// newestVolume returns the volume that is being written.
func (x *history) newestVolume() (volume, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if len(x.volumes) == 0 {
		return volume{}, false
	}
	return x.volumes[len(x.volumes)-1], true
}

// volumesIn returns the volumes from one number to another.
func (x *history) volumesIn(from, to uint16) []volume {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var found []volume
	for _, v := range x.volumes {
		if v.Volume >= from && v.Volume <= to {
			found = append(found, v)
		}
	}
	return found
}

// houseKey returns the key that signed the checkpoints and seals of a volume.
func (x *history) houseKey(number uint16) (journal.Verifier, error) {
	v, err := x.volume(number)
	if err != nil {
		return nil, err
	}
	return journal.ParseVerifier(v.HouseKey)
}

// deviceKey returns the key that signed the draws of a volume.
func (x *history) deviceKey(number uint16) (journal.Verifier, error) {
	v, err := x.volume(number)
	if err != nil {
		return nil, err
	}
	return journal.ParseVerifier(v.DeviceKey)
}

// lost reports whether a restore has lost, or may have lost, the record at a place,
// and when the journal was restored.
func (x *history) lost(place record.Place) (at record.Time, lost bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, v := range x.volumes {
		if r, ok := v.lost[place.Volume]; ok && place.Seq >= r.from && place.Seq < r.to {
			return v.begunAt, true
		}
	}
	return 0, false
}

// TicketLost refuses a ticket whose record a restore of the journal has lost. It was
// sold, or may have been, and is nobody else's.
const TicketLost refusal.Code = "ticket_lost"

func lostTicket(at record.Time) error {
	return &refusal.Refusal{
		Code: TicketLost, Path: "serial",
		Sentence: fmt.Sprintf("The record of this ticket was lost before the house was restored on %s. It is decided by claim form.", at.Time().Format("2 January 2006, 15:04 MST")),
	}
}

// abandoned reports whether a volume has named a checkpoint as one of what was lost.
func (x *history) abandoned(c journal.Checkpoint) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.ContainsFunc(x.volumes, func(v volume) bool { return v.names(c) })
}

// names reports whether a checkpoint is within what the volume says was lost.
func (v *volume) names(c journal.Checkpoint) bool {
	h, err := journal.OpenVolume(v.Handover, v.HouseKey)
	return err == nil && slices.ContainsFunc(h.Body.Abandoned, func(a journal.Checkpoint) bool {
		return a.Origin == c.Origin && a.Size >= c.Size
	})
}
