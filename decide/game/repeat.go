package game

import (
	"fmt"
	"iter"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/draw/cage"
	"drawhouse/journal/record"
)

// RecentResults is how many results back a house looks for a repeated one. A sound device
// repeats one of them once in 3.5*10^15 games, so that a repeat is first of all a sign of a
// device that is stuck, of a result that was keyed twice, or of an old one sent again.
const RecentResults = 1000

// The codes of repeated results.
const (
	ResultRepeated    refusal.Code = "result_repeated"     // two persons must decide whether it stands
	ResultNotRepeated refusal.Code = "result_not_repeated" // there is nothing to confirm
)

// recentGames yields the games before one that have results, newest first, as far as a
// repeat of them is looked for.
func recentGames(series *state.Series, ordinal uint32) iter.Seq[*state.Game] {
	return func(yield func(*state.Game) bool) {
		for o, left := ordinal-1, RecentResults; o > 0 && left > 0; o-- {
			g, ok := series.Game(o)
			if !ok || g.Phase != state.PhaseDrawn && g.Phase != state.PhaseSettled {
				continue
			}
			if left--; !yield(g) {
				return
			}
		}
	}
}

// Recent returns the results of the games before one, newest first, as far as a repeat of
// them is looked for.
func Recent(series *state.Series, ordinal uint32) []ball.Sequence {
	var results []ball.Sequence
	for g := range recentGames(series, ordinal) {
		results = append(results, g.Numbers)
	}
	return results
}

// repeats returns the recent game that had the same numbers, in whatever order, or nil.
func repeats(series *state.Series, g *state.Game, numbers ball.Sequence) *state.Game {
	set := numbers.Set()
	for earlier := range recentGames(series, g.Ordinal) {
		if earlier.Numbers.Set() == set {
			return earlier
		}
	}
	return nil
}

// checkRepeat refuses a complete result that equals a recent one, unless two persons have
// confirmed that it stands.
func checkRepeat(series *state.Series, g *state.Game, numbers ball.Sequence) error {
	earlier := repeats(series, g, numbers)
	if earlier == nil || series.Confirmed(g) {
		return nil
	}
	where := ""
	if series.AtCage(g) {
		where = " at the ball machine" // Where draws/void sends the person who asks for it.
	}
	return &refusal.Refusal{Code: ResultRepeated, Path: "game", Sentence: fmt.Sprintf(
		"Game %v (id %d, draw %d) has the same numbers as game %v (id %d). Two persons confirm that the result stands, or declare the draw void%s.",
		g.Ref, g.Ordinal, g.Draw, earlier.Ref, earlier.Ordinal, where)}
}

// GuardRepeat refuses the record that completes a result which equals a recent one: the
// statement of a device, and the act by which a result of the ball machine is entered, after
// which its numbers would be shown.
func GuardRepeat(s *state.State, r record.Record) error {
	switch b := r.Body.(type) {
	case *record.GameDrawn:
		series, ok := s.Series(b.Game.Series)
		if !ok {
			return nil
		}
		for _, g := range series.Unsettled() {
			if g.Ref == b.Game {
				return checkRepeat(series, g, g.Numbers)
			}
		}
	case *record.CageAttended:
		if b.Act != record.CageAccepted {
			return nil
		}
		series, g, err := atCage(s, b.Series)
		if err != nil {
			return nil //nolint:nilerr // The act is refused for that.
		}
		return checkRepeat(series, g, series.Cage().Drawn())
	}
	return nil
}

// ConfirmResult decides that a result which equals a recent one stands. Two persons have
// looked at the device.
func ConfirmResult(s *state.State, series uint8, ordinal uint32, v Void) (*record.ResultConfirmed, error) {
	current, g, err := gameIn(s, series, ordinal, state.PhaseSealed)
	if err != nil {
		return nil, err
	}
	if err := v.check(); err != nil {
		return nil, err
	}
	numbers := g.Numbers
	if at := current.Cage(); g.Device == record.DeviceCage && current.AtCage(g) && at.Phase() == cage.Complete {
		numbers = at.Drawn()
	}
	if _, all := s.BookOf(g).Numbers(); numbers.Len() < all {
		return nil, &refusal.Refusal{Code: GameNotReady, Path: "ordinal",
			Sentence: fmt.Sprintf("Game id %d has no complete result.", ordinal)}
	}
	earlier := repeats(current, g, numbers)
	if earlier == nil || current.Confirmed(g) {
		return nil, &refusal.Refusal{Code: ResultNotRepeated, Path: "ordinal",
			Sentence: fmt.Sprintf("The result of game id %d needs no confirmation.", ordinal)}
	}
	return &record.ResultConfirmed{Game: g.Ref, Draw: g.Draw, Repeats: earlier.Ref, Reason: v.Reason,
		Approval: v.Approval}, nil
}
