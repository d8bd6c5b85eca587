package house

import (
	"context"
	"errors"
	"slices"
	"time"

	"drawhouse/check/proof"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// NoHouseKey refuses what a house signs that has no key at hand: one that only follows
// the journal of another.
const NoHouseKey refusal.Code = "no_house_key"

// Story returns everything that the journal has of a ticket as one signed file, for an
// inspector (package proof says what is in it).
func (h *House) Story(ctx context.Context, place record.Place) ([]byte, error) {
	if h.keys().House == nil {
		return nil, &refusal.Refusal{Code: NoHouseKey,
			Sentence: "This house has no key to sign with. Ask the one that writes the journal."}
	}
	place, err := h.Resolve(ctx, place)
	if err != nil {
		return nil, err
	}
	t, err := h.Ticket(ctx, place)
	if err != nil {
		return nil, err
	}
	number, err := h.Serial(place)
	if err != nil {
		return nil, err
	}
	places, err := h.storyPlaces(ctx, &t)
	if err != nil {
		return nil, err
	}
	signed, end, err := h.signedBehind(ctx, places[len(places)-1])
	if err != nil {
		return nil, err
	}
	s := &proof.Story{House: h.Name(), Serial: number.String(), Place: place.String(),
		Made: h.config.Clock.Now().UTC().Truncate(time.Second), Checkpoint: string(signed)}
	if err := h.storyEntries(ctx, s, places, end); err != nil {
		return nil, err
	}
	for i := range t.Games {
		g, err := h.storyGame(ctx, place, &t.Games[i])
		if err != nil {
			return nil, err
		}
		s.Games = append(s.Games, g)
	}
	return s.Sign(h.keys().House)
}

// storyPlaces returns the places of all records that tell of a ticket, ascending.
func (h *House) storyPlaces(ctx context.Context, t *Ticket) ([]record.Place, error) {
	about, err := h.config.Store.About(ctx, t.Place)
	if err != nil {
		return nil, err
	}
	places := append([]record.Place{{Volume: t.Place.Volume}, t.Place}, about...)
	places = append(places, h.history.stopsOf(t.Place)...)
	for _, g := range t.Games {
		places = append(places, g.records...)
	}
	slices.SortFunc(places, func(a, b record.Place) int {
		if a.Before(b) {
			return -1
		}
		if b.Before(a) {
			return 1
		}
		return 0
	})
	return slices.Compact(places), nil
}

// signedWithin is how long a record that readers see may wait for the checkpoint that
// comes with it.
const signedWithin = time.Second

// signedBehind returns the newest checkpoint, which covers a record.
func (h *House) signedBehind(ctx context.Context, last record.Place) ([]byte, journal.Checkpoint, error) {
	ctx, cancel := context.WithTimeout(ctx, signedWithin)
	defer cancel()
	for {
		signed := h.past.signed()
		end, err := journal.UnverifiedCheckpoint(signed) // It is our own.
		if err != nil {
			return nil, journal.Checkpoint{}, err
		}
		_, volume, err := journal.ParseOrigin(end.Origin)
		if err != nil || last.Before(record.Place{Volume: volume, Seq: end.Size}) {
			return signed, end, err
		}
		select {
		case <-ctx.Done():
			return nil, journal.Checkpoint{}, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// storyEntries adds the records, each with its path, and the volumes that lead to them.
func (h *House) storyEntries(ctx context.Context, s *proof.Story, places []record.Place, end journal.Checkpoint) error {
	_, newest, err := journal.ParseOrigin(end.Origin)
	if err != nil {
		return err
	}
	size := func(volume uint16) uint64 {
		if volume == newest {
			return end.Size
		}
		return h.past.size(volume)
	}
	read := func(place record.Place) ([]byte, journal.RecordProof, error) {
		data, err := h.config.Store.Record(ctx, place)
		if err != nil {
			return nil, nil, err
		}
		path, err := h.prove(ctx, place, size(place.Volume))
		return data, path, err
	}
	for _, v := range h.history.volumesIn(places[0].Volume+1, newest) {
		data, path, err := read(record.Place{Volume: v.Volume})
		if err != nil {
			return err
		}
		s.Volumes = append(s.Volumes, proof.NewStoryVolume(data, path))
	}
	for _, place := range places {
		data, path, err := read(place)
		if err != nil {
			return err
		}
		kind, _ := record.KindOf(data)
		s.Entries = append(s.Entries, proof.NewEntry(place, kind.String(), data, path))
	}
	return nil
}

// storyGame tells of one game of a ticket.
func (h *House) storyGame(ctx context.Context, place record.Place, g *TicketGame) (proof.Game, error) {
	told := proof.Game{
		Series: g.Ref.Series, Ordinal: g.Ordinal, Day: g.Ref.Day.String(), Number: g.Ref.Number,
		PrizeCents: g.Prize.Cents(), CarriedCents: g.Carried.Cents(), RefundCents: g.Refund.Cents(),
		PaidCents: g.Paid.Cents(),
	}
	if g.Sealed() {
		p, err := h.Proof(ctx, place, g.Ref)
		if refused := new(refusal.Refusal); errors.As(err, &refused) {
			return told, nil // It was given back before the seal.
		}
		if err != nil {
			return told, err
		}
		if told.Proof, err = proof.Encode(p.Record, p.Seal, p.Proof, p.Volumes); err != nil {
			return told, err
		}
	}
	for revision := uint8(1); revision <= g.Revision(); revision++ {
		data, err := h.config.Store.Object(ctx, game.WinnersName(g.Ref.Series, g.Ordinal, revision))
		if err != nil {
			return told, err
		}
		told.Winners = append(told.Winners, proof.WinnersFile(data))
	}
	for _, line := range g.Lines {
		told.Lines = append(told.Lines,
			proof.Line{Way: line.Way + 1, Text: line.Text, Clause: line.Clause, AmountCents: line.Amount.Cents(),
				Last: line.Last})
	}
	return told, nil
}
