package game

import (
	"fmt"

	"drawhouse/journal"
	"drawhouse/record"
	"drawhouse/state"
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

// playBitmaps marks the tickets that play in a game, volume by volume.
func playBitmaps(series *state.Series, ordinal uint32) (map[uint16]*journal.Bitmap, error) {
	type span struct{ first, last uint64 }
	spans := map[uint16]span{}
	for place := range series.Open.AllTickets(ordinal) {
		if known, ok := spans[place.Volume]; ok {
			spans[place.Volume] = span{min(known.first, place.Seq), max(known.last, place.Seq)}
		} else {
			spans[place.Volume] = span{place.Seq, place.Seq}
		}
	}
	builders := map[uint16]*journal.BitmapBuilder{}
	for volume, s := range spans {
		builder, err := journal.NewBitmapBuilder(s.first, s.last-s.first+1)
		if err != nil {
			return nil, err
		}
		builders[volume] = builder
	}
	for place := range series.Open.AllTickets(ordinal) {
		if err := builders[place.Volume].Set(place.Seq); err != nil {
			return nil, err
		}
	}
	bitmaps := make(map[uint16]*journal.Bitmap, len(builders))
	for volume, builder := range builders {
		bitmaps[volume] = builder.Build()
	}
	return bitmaps, nil
}
