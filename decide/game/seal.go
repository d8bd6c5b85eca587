package game

import (
	"fmt"
	"slices"

	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Sealed is what the sealing of a game makes: the record, and the bitmaps that
// proofs are made from, by volume.
type Sealed struct {
	Record  *record.GameSealed
	Bitmaps map[uint16]*journal.Bitmap
}

// Seal signs what was sold in a closed game, as of the checkpoint that ends with
// the close itself, so that no play can be added or taken away unseen.
//
//rule:vic-keno-2015 5 17(b)
func Seal(s *state.State, series uint8, ordinal uint32, at journal.Checkpoint, signer journal.Signer) (Sealed, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseClosed)
	if err != nil {
		return Sealed{}, err
	}
	bitmaps, err := playBitmaps(current, ordinal)
	if err != nil {
		return Sealed{}, err
	}
	body := journal.SealBody{
		Checkpoint:  at,
		Game:        SealName(current, game.Ref),
		Plays:       game.Closed.Plays + game.Closed.DeferredPlays,
		StakesCents: (game.Closed.StakesCents + game.Closed.DeferredStakesCents).Cents(),
	}
	for volume := uint16(1); volume <= s.Next().Volume; volume++ {
		if bitmap, ok := bitmaps[volume]; ok {
			body.Open = append(body.Open, bitmap.Span(volume))
		}
	}
	signed, err := journal.SignSeal(body, signer)
	if err != nil {
		return Sealed{}, fmt.Errorf("game: seal of %v: %w", game.Ref, err)
	}
	return Sealed{Record: &record.GameSealed{Game: game.Ref, Seal: signed}, Bitmaps: bitmaps}, nil
}

// SealName returns the name by which seals and draws call a game.
func SealName(series *state.Series, ref record.Game) journal.Game {
	return series.SealName(ref)
}

// span is the tickets of a game in one volume.
type span struct {
	volume      uint16
	first, last uint64
	builder     *journal.BitmapBuilder
}

// spans are those of a game. There are a million tickets and a few volumes, and tickets
// of one volume come one after the other: so the span of the ticket before is asked
// first.
type spans struct {
	list []span
	last int
}

// of returns the span of a ticket, which it begins if there is none.
func (s *spans) of(place record.Place) *span {
	if s.last < len(s.list) && s.list[s.last].volume == place.Volume {
		return &s.list[s.last]
	}
	s.last = slices.IndexFunc(s.list, func(known span) bool { return known.volume == place.Volume })
	if s.last < 0 {
		s.last = len(s.list)
		s.list = append(s.list, span{volume: place.Volume, first: place.Seq, last: place.Seq})
	}
	return &s.list[s.last]
}

// playBitmaps marks the tickets that play in a game, volume by volume.
func playBitmaps(series *state.Series, ordinal uint32) (map[uint16]*journal.Bitmap, error) {
	var all spans
	for place := range series.Open.AllTickets(ordinal) {
		s := all.of(place)
		s.first, s.last = min(s.first, place.Seq), max(s.last, place.Seq)
	}
	for i := range all.list {
		s := &all.list[i]
		var err error
		if s.builder, err = journal.NewBitmapBuilder(s.first, s.last-s.first+1); err != nil {
			return nil, err
		}
	}
	for place := range series.Open.AllTickets(ordinal) {
		if err := all.of(place).builder.Set(place.Seq); err != nil {
			return nil, err
		}
	}
	bitmaps := make(map[uint16]*journal.Bitmap, len(all.list))
	for i := range all.list {
		bitmaps[all.list[i].volume] = all.list[i].builder.Build()
	}
	return bitmaps, nil
}
