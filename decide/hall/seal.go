package hall

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Seals and draws of one hall are told apart by what stands behind its name.
const (
	jackpotSuffix   = "-jackpot"
	promotionSuffix = "-promotion"
)

// gamesPerSession is how far apart the numbers of two sessions' games are in seals.
const gamesPerSession = 100

// SealName returns the name by which seals and draws call a draw of a game: the
// hall, the day of the session, and 1203 for game 3 of session 12.
func SealName(h *state.Hall, session *state.Session, game uint8, draw record.BingoDraw) journal.Game {
	name := h.Opened.Name
	if draw == record.DrawJackpot {
		name += jackpotSuffix
	}
	return journal.Game{Series: name, Day: session.Set.Day.String(),
		Number: session.Set.Session*gamesPerSession + uint32(game)}
}

// Sealed is a seal and what proofs of it are made from.
type Sealed struct {
	Signed  []byte
	Bitmaps map[uint16]*journal.Bitmap // by volume
}

// Seal signs who plays in a game, before the first number of a draw: a note over the
// journal, which has the serials in play and the prizes, with a bitmap of the records
// by which the players entered.
//
//rule:nsw-bingo-2019 4.3 4.5
func Seal(s *state.State, ref record.BingoGame, draw record.BingoDraw, at journal.Checkpoint,
	signer journal.Signer) (*record.BingoSealed, Sealed, error) {
	need := state.BingoAnnounced
	if draw == record.DrawJackpot {
		need = state.BingoWaiting
	}
	r, session, game, err := gameIn(s, ref, need)
	if err != nil {
		return nil, Sealed{}, err
	}
	if draw == record.DrawJackpot {
		if err := checkTurn(session, game); err != nil {
			return nil, Sealed{}, err
		}
		if session.Set.Games[ref.Game-1].JackpotNumbers == 0 {
			return nil, Sealed{}, refuse(GameNotReady, "6.5.1", "game",
				"Game %d does not play for the jackpot.", ref.Game)
		}
	}
	var places []record.Place
	var fees money.Amount
	for i := range session.Players {
		if p := &session.Players[i]; !p.Barred {
			places = append(places, p.Place)
			fees += p.Entered.FeeCents
		}
	}
	body := journal.SealBody{Checkpoint: at, Game: SealName(r.Hall, session, ref.Game, draw),
		Plays: uint64(len(places)), StakesCents: fees.Cents()}
	sealed, err := seal(body, places, s.Next().Volume, signer)
	return &record.BingoSealed{Game: ref, Draw: draw, Seal: sealed.Signed}, sealed, err
}

// seal signs a body with the bitmaps of places.
func seal(body journal.SealBody, places []record.Place, volumes uint16, signer journal.Signer) (Sealed, error) {
	bitmaps, err := bitmapsOf(places)
	if err != nil {
		return Sealed{}, err
	}
	for volume := uint16(1); volume <= volumes; volume++ {
		if bitmap, ok := bitmaps[volume]; ok {
			body.Open = append(body.Open, bitmap.Span(volume))
		}
	}
	signed, err := journal.SignSeal(body, signer)
	if err != nil {
		return Sealed{}, fmt.Errorf("hall: seal of %v: %w", body.Game, err)
	}
	return Sealed{Signed: signed, Bitmaps: bitmaps}, nil
}

// bitmapsOf marks places, volume by volume.
func bitmapsOf(places []record.Place) (map[uint16]*journal.Bitmap, error) {
	type span struct{ first, last uint64 }
	spans := map[uint16]span{}
	for _, p := range places {
		known, ok := spans[p.Volume]
		if !ok {
			known = span{p.Seq, p.Seq}
		}
		spans[p.Volume] = span{min(known.first, p.Seq), max(known.last, p.Seq)}
	}
	builders := map[uint16]*journal.BitmapBuilder{}
	for volume, s := range spans {
		builder, err := journal.NewBitmapBuilder(s.first, s.last-s.first+1)
		if err != nil {
			return nil, err
		}
		builders[volume] = builder
	}
	for _, p := range places {
		if err := builders[p.Volume].Set(p.Seq); err != nil {
			return nil, err
		}
	}
	bitmaps := make(map[uint16]*journal.Bitmap, len(builders))
	for volume, builder := range builders {
		bitmaps[volume] = builder.Build()
	}
	return bitmaps, nil
}

// checkTurn reports whether a game is the next to be played.
func checkTurn(session *state.Session, game *state.BingoGame) error {
	current, ok := session.Current()
	if !ok || current.Number != game.Number {
		return refuse(GameNotReady, "4.1", "game", "Game %d is not the next one.", game.Number)
	}
	if session.Halted != 0 {
		return refuse(PlayHalted, "8.5", "game", "Electronic card %d is being replaced.", session.Halted)
	}
	return nil
}
