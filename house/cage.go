package house

import (
	"context"
	"errors"
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/house/timetable"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// startCage begins to give out what was entered at the ball machine. A game whose result
// is not entered waits for it.
func (l *Line) startCage(g *sealed) (Drawing, error) {
	keys, err := deviceKeys(l.configNow(), g.houseKey)
	if err != nil {
		return nil, err
	}
	device, err := draw.NewCage(keys)
	if err != nil {
		return nil, err
	}
	drawing, err := device.Start(g.plan(), g.seal, g.Cage, g.Drawn, g.recent)
	if errors.Is(err, draw.ErrNotEntered) {
		return nil, fmt.Errorf("house: %w: %w", timetable.ErrNotYet, err)
	}
	if err != nil {
		return nil, err
	}
	return drawing, nil
}

// Cage is how the ball machine stands, and the game that it is for.
type Cage struct {
	State cage.State
	// Waits is the sealed game that is to be drawn by it; Ordinal 0 for none.
	Waits state.Game
}

// Cage returns how the ball machine stands as of the last commit.
func (l *Line) Cage(context.Context) (Cage, error) { return l.seen().cage, nil }

// waitsForCage returns the sealed game that the ball machine is to draw, or nil.
func waitsForCage(series *state.Series) *state.Game {
	for _, g := range series.Unsettled() {
		if g.Device == record.DeviceCage && g.Phase == state.PhaseSealed {
			return g
		}
	}
	return nil
}

// StartCage sets the ball machine going for the game that waits for it.
func (l *Line) StartCage(ctx context.Context, recorders [2]uint32, by uint32) (cage.Step, error) {
	return lane.DoSoon(ctx, l.lane, func(m machine) (cage.Step, error) {
		series, _ := m.State().Series(l.id)
		g := waitsForCage(series)
		if g == nil {
			return cage.Step{}, &refusal.Refusal{Code: game.GameNotReady, Path: "game",
				Sentence: "No game waits for the ball machine."}
		}
		if err := l.checkLogWitnessed(g); err != nil {
			return cage.Step{}, err
		}
		return m.StartCage(l.now(), l.id, g.Ordinal, recorders, by)
	})
}

// KeyBall takes a ball as one of the two recorders keyed it.
func (l *Line) KeyBall(ctx context.Context, place, number int, by uint32) (cage.Step, error) {
	return lane.DoSoon(ctx, l.lane, func(m machine) (cage.Step,
		error) {
		return m.KeyBall(l.now(), l.id, place, number, by)
	})
}

// AttendCage takes an act at the ball machine beside the balls.
func (l *Line) AttendCage(ctx context.Context, act record.CageAttended) (cage.Step, error) {
	if err := l.draws.take(ctx); err != nil {
		return cage.Step{}, err
	}
	defer l.draws.give()
	act.Series = l.id
	return lane.DoSoon(ctx, l.lane, func(m machine) (cage.Step, error) { return m.AttendCage(l.now(), act) })
}

// RequestCage asks another person to consent to an act at the ball machine. It returns
// the request, which says what it is for, and what would come of the act.
func (l *Line) RequestCage(ctx context.Context, act record.CageAttended) (*record.ApprovalRequested, []string, error) {
	act.Series = l.id
	var effects []string
	asked, err := lane.DoSoon(ctx, l.lane, func(m machine) (asked *record.ApprovalRequested, err error) {
		asked, effects, err = m.AskCage(l.now(), act)
		return asked, err
	})
	return asked, effects, err
}
