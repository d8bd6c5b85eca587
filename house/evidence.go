package house

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/core/refusal"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// hasAll reports whether all custodians are among some names.
func hasAll(names []string, custodians []record.Custodian) bool {
	return !slices.ContainsFunc(custodians, func(c record.Custodian) bool { return !slices.Contains(names, c.Name) })
}

// cosignSealed has all custodians of before the public log cosign the journal with the seal of
// a game in it, which is what they give links for, and records that they have. A game of a
// Keno Day that opened before the house had a log waits for them.
func (l *Line) cosignSealed(ctx context.Context, g *sealed) error {
	found, ok := l.history.byOrdinal(l.id, g.ordinal)
	if !ok || found.custody.witnessed.Volume == 0 {
		return fmt.Errorf("house: %w: the seal of game %v is not cosigned", timetable.ErrNotYet, g.Name)
	}
	if found.custody.cosigned != nil {
		return nil
	}
	if err := l.cosignEnds(ctx); err != nil {
		return fmt.Errorf("house: %w: %w", timetable.ErrNotYet, err)
	}
	at := found.custody.witnessed
	checkpoint, err := l.checkpointAt(ctx, at.Volume, at.Seq+1)
	if err != nil {
		return err
	}
	cosigned, err := l.group.Cosign(ctx, checkpoint)
	if hasAll(cosigned.Names(), g.Custodians) {
		return l.do(ctx, func(m machine) error { return m.WitnessJournal(l.now(), cosigned.Checkpoint, cosigned.Names()) })
	}
	for _, missing := range cosigned.Missing {
		if errors.Is(missing.Err, wire.ErrAhead) {
			// That custodian has cosigned something later meanwhile. What all can
			// cosign is behind a further record of the same cosignatures.
			err = errors.Join(err, l.do(ctx, func(m machine) error {
				return m.WitnessGame(l.now(), l.id, g.ordinal, g.seal.Signed(), signersOf(g.seal, g.verifier))
			}))
			break
		}
	}
	return notCosigned(g.Name, g.Custodians, cosigned, errors.Join(err, missingOf(cosigned)))
}

// notCosigned names the custodians whose cosignature a game waits for. Where nothing went wrong
// with any of those that the house asks, it asks one of them no more.
func notCosigned(name journal.Game, custodians []record.Custodian, c wire.Cosigned, why error) error {
	var lacking []string
	for _, custodian := range custodians {
		if !slices.Contains(c.Names(), custodian.Name) {
			lacking = append(lacking, custodian.Name)
		}
	}
	if why == nil {
		why = errors.New("this house was not told where to ask, see --witness")
	}
	return fmt.Errorf("house: %w: %s has not cosigned the journal with the seal of %v: %w", timetable.ErrNotYet,
		strings.Join(lacking, ", "), name, why)
}

func missingOf(c wire.Cosigned) error {
	var errs []error
	for _, m := range c.Missing {
		errs = append(errs, m.Err)
	}
	return errors.Join(errs...)
}

func signersOf(seal journal.Seal, house journal.Verifier) []string {
	names := slices.DeleteFunc(seal.Signers(), func(name string) bool { return name == house.Name() })
	slices.Sort(names)
	return names
}

// cosignedEnds are the volumes whose former end custodians have cosigned.
type cosignedEnds struct {
	mu  sync.Mutex // guards all
	all map[uint16]bool
}

func (e *cosignedEnds) has(volume uint16) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.all[volume]
}

func (e *cosignedEnds) add(volume uint16) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all == nil {
		e.all = map[uint16]bool{}
	}
	e.all[volume] = true
}

// cosignEnds has the ends of earlier volumes cosigned, once for each: a custodian follows
// the journal from volume to volume. A custodian that has cosigned more than a restored
// journal has says so, and the journal names what was abandoned.
func (h *House) cosignEnds(ctx context.Context) error {
	for _, v := range h.history.volumesIn(0, math.MaxUint16) {
		if v.ended.Origin == "" || h.ends.has(v.Volume) {
			continue
		}
		cosigned, _ := h.group.CosignNote(ctx, v.ended, v.Previous)
		var waiting []error
		for _, m := range cosigned.Missing {
			if _, custodian := h.custodian(m.Name); custodian && !errors.Is(m.Err, wire.ErrAhead) {
				waiting = append(waiting, fmt.Errorf("the end of volume %s is not cosigned: %w", v.ended.Origin, m.Err))
			}
		}
		if len(waiting) > 0 {
			return errors.Join(waiting...)
		}
		h.ends.add(v.Volume)
	}
	return nil
}

// evidence returns what custodians of before the public log ask for before they give the
// link of a game.
func (h *House) evidence(ctx context.Context, ref record.Game) (witness.Evidence, error) {
	g, ok := h.history.byRef(ref)
	if !ok || g.custody.cosignedAt == (record.Place{}) {
		return witness.Evidence{}, &refusal.Refusal{Code: NotSealed, Path: "game",
			Sentence: fmt.Sprintf("Game %v has no seal that all custodians have cosigned.", ref)}
	}
	seal, err := h.Seal(ctx, g)
	if err != nil {
		return witness.Evidence{}, err
	}
	cosigned, err := h.cosignedNote(ctx, g)
	if err != nil {
		return witness.Evidence{}, err
	}
	e := witness.Evidence{Game: seal.Body().Game, Checkpoint: string(cosigned)}
	checkpoint, err := journal.UnverifiedCheckpoint(cosigned)
	if err != nil {
		return witness.Evidence{}, err
	}
	_, volume, err := journal.ParseOrigin(checkpoint.Origin)
	if err != nil {
		return witness.Evidence{}, err
	}
	sizes := map[uint16]uint64{volume: checkpoint.Size}
	places, err := h.evidencePlaces(g, volume, sizes)
	if err != nil {
		return witness.Evidence{}, err
	}
	for _, place := range places {
		if size := sizes[place.Volume]; place.Seq < size {
			proved, err := h.proved(ctx, place, size)
			if err != nil {
				return witness.Evidence{}, err
			}
			e.Records = append(e.Records, proved)
		}
	}
	return e, nil
}

// cosignedNote returns the note of the checkpoint that all custodians of a game cosigned. That of an old game is
// in the store.
func (h *House) cosignedNote(ctx context.Context, g Game) ([]byte, error) {
	if g.custody.cosigned != nil {
		return g.custody.cosigned, nil
	}
	data, err := h.recordAt(ctx, g.custody.cosignedAt)
	if err != nil {
		return nil, err
	}
	r, err := record.Decode(data)
	if err != nil {
		return nil, err
	}
	witnessed, ok := r.Body.(*record.JournalWitnessed)
	if !ok {
		return nil, fmt.Errorf("house: the record %v is no cosigned checkpoint: %w", g.custody.cosignedAt,
			store.ErrCorrupt)
	}
	return witnessed.Checkpoint, nil
}

// evidencePlaces returns the places of the records of evidence, and sets how many records
// the proofs of each volume are for.
func (h *House) evidencePlaces(g Game, volume uint16, sizes map[uint16]uint64) ([]record.Place, error) {
	places := h.history.evidence(g)
	oldest := volume
	for _, place := range places {
		oldest = min(oldest, place.Volume)
	}
	for volume > oldest {
		v, err := h.history.volume(volume)
		if err != nil {
			return nil, err
		}
		_, before, err := journal.ParseOrigin(v.ended.Origin)
		if err != nil {
			return nil, err
		}
		places = append(places, record.Place{Volume: volume})
		sizes[before] = v.ended.Size
		volume = before
	}
	slices.SortFunc(places, func(a, b record.Place) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
	return slices.Compact(places), nil
}

// mostBack is how many games evidence goes back for one that had links.
const mostBack = 256

// evidence returns where the journal has what custodians ask for: of the game, of the games
// of its Keno Day before it up to one that had links, and of the last game that had links.
func (x *history) evidence(g Game) []record.Place {
	x.mu.RLock()
	defer x.mu.RUnlock()
	games := x.gamesOf(g.Ref.Series)
	places := append([]record.Place{g.custody.opened}, g.custody.shown...)
	places = append(places, x.committed[kenoDay{g.Ref.Series, g.Ref.Day}]...)
	for back := 1; back <= mostBack && int(g.Ordinal)-1-back >= 0; back++ {
		before := games.at(g.Ordinal - uint32(back))
		places = append(places, before.custody.opened)
		if len(before.Links) == 0 && !before.IsVoid() {
			if before.Ref.Day != g.Ref.Day && before.Device != record.DeviceWitnessed {
				break
			}
			continue
		}
		places = append(places, before.custody.shown...)
		if len(before.Links) > 0 {
			places = append(places, x.committed[kenoDay{before.Ref.Series, before.Ref.Day}]...)
			break
		}
	}
	return places
}

// proved returns a record with the proof that it is among the first records of its volume.
func (h *House) proved(ctx context.Context, place record.Place, size uint64) (witness.ProvedRecord, error) {
	data, err := h.recordAt(ctx, place)
	if err != nil {
		return witness.ProvedRecord{}, err
	}
	proof, err := h.prove(ctx, place, size)
	return witness.ProvedRecord{Volume: place.Volume, Seq: place.Seq, Data: slices.Clone(data), Proof: proof}, err
}
