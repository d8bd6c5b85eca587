package game

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// The codes with which a draw is refused. They say that the device, not a
// player, is at fault.
const (
	NumberNotPossible refusal.Code = "number_not_possible" // out of range, drawn already, or not what the bytes give
	NotWitnessed      refusal.Code = "not_witnessed"       // somebody who must cosign the seal has not
	DrawNotAttested   refusal.Code = "draw_not_attested"   // the device's note is not of these numbers under this seal
)

// Number takes the next number of a sealed game from the device. The bytes it
// was made from must give that number, so a device cannot report another one.
//
//rule:vic-keno-2015 18(a)(ii)
func Number(s *state.State, series uint8, ordinal uint32, number int, bytes []byte) (*record.NumberDrawn, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseSealed)
	if err != nil {
		return nil, err
	}
	if current.Paused {
		// A pause may come between the look at the timetable and the number of the device.
		// The device keeps the number, and gives it again when play goes on.
		return nil, &refusal.Refusal{Code: IsPaused, Sentence: "Sale and draws are stopped; no number is drawn."}
	}
	if err := checkWitnessed(s, game); err != nil {
		return nil, err
	}
	if err := CheckRectified(current, game); err != nil {
		return nil, err
	}
	of, count := current.Book.Numbers()
	remaining := ball.Full(ball.Universe(of))
	if game.Numbers.IsValid() {
		remaining = remaining.Minus(game.Numbers.Set())
	}
	if game.Numbers.Len() >= count {
		return nil, impossible(number, "all %d numbers are drawn", count)
	}
	if !ball.Universe(of).Has(number) || !remaining.Has(number) {
		return nil, impossible(number, "it is not among the %d numbers that are left", remaining.Len())
	}
	if err := checkByDevice(s, current, game, remaining, number, bytes); err != nil {
		return nil, err
	}
	return &record.NumberDrawn{Game: game.Ref, Draw: game.Draw, Number: uint8(number), Bytes: bytes}, nil
}

func impossible(number int, format string, args ...any) error {
	return &refusal.Refusal{
		Code: NumberNotPossible, Path: "number",
		Sentence: fmt.Sprintf("Number %d cannot be drawn: %s.", number, fmt.Sprintf(format, args...)),
	}
}

// Drawn accepts the device's signed statement of all numbers of a game.
//
//rule:vic-keno-2015 18(a)(i)(A)
func Drawn(s *state.State, series uint8, ordinal uint32, signed []byte) (*record.GameDrawn, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseSealed)
	if err != nil {
		return nil, err
	}
	house, device, err := verifiers(s, game)
	if err != nil {
		return nil, err
	}
	seal, err := journal.OpenSeal(game.Seal, house)
	if err != nil {
		return nil, err
	}
	result, _, err := draw.OpenResult(signed, device)
	if err != nil {
		return nil, &refusal.Refusal{Code: DrawNotAttested, Path: "note",
			Sentence: fmt.Sprintf("The device's note does not verify: %v.", err)}
	}
	if result.Device != string(game.Device) || result.Game != SealName(current, game.Ref) ||
		result.Revision != uint32(game.Draw) || result.Seal != seal.Body().Hash() || result.Numbers != game.Numbers {
		return nil, &refusal.Refusal{Code: DrawNotAttested, Path: "note",
			Sentence: "The device's note is of another device, game, seal or other numbers."}
	}
	return &record.GameDrawn{Game: game.Ref, Draw: game.Draw, Note: signed}, nil
}

// verifiers returns the key that a game was sealed with, which may be that of an
// earlier volume, and the key of the device that draws now.
func verifiers(s *state.State, game *state.Game) (house, device journal.Verifier, err error) {
	sealed, ok := s.VolumeOf(game.SealPlace.Volume)
	if !ok {
		return nil, nil, fmt.Errorf("game: the seal of %v is in no volume", game.Ref)
	}
	if house, err = journal.ParseVerifier(sealed.HouseKey); err != nil {
		return nil, nil, err
	}
	if device, err = journal.ParseVerifier(s.Volume().DeviceKey); err != nil {
		return nil, nil, err
	}
	return house, device, nil
}

// Witnessed records who has cosigned the seal of a game. That the signatures hold
// was found by the caller.
func Witnessed(s *state.State, series uint8, ordinal uint32, seal []byte, by []string) (*record.GameWitnessed, error) {
	_, game, err := gameIn(s, series, ordinal, state.PhaseSealed)
	if err != nil {
		return nil, err
	}
	if game.Numbers.Len() > 0 || len(by) == 0 {
		return nil, &refusal.Refusal{Code: GameNotReady, Path: "game",
			Sentence: fmt.Sprintf("Game %d is witnessed before its first number or not at all.", game.Ref.Number)}
	}
	return &record.GameWitnessed{Game: game.Ref, Seal: seal, By: by}, nil
}

// checkWitnessed refuses the first number of a game that somebody must still cosign.
func checkWitnessed(s *state.State, game *state.Game) error {
	for _, w := range s.Witnesses() {
		if w.Required && game.Numbers.Len() == 0 && !slices.Contains(game.WitnessedBy, w.Name) && !game.LogCosigned(w.Name) {
			return &refusal.Refusal{Code: NotWitnessed, Path: "game",
				Sentence: fmt.Sprintf("%s has not cosigned the seal of game %d.", w.Name, game.Ref.Number)}
		}
	}
	return nil
}
