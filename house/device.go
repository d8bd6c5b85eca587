package house

import (
	"context"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// A Device draws the numbers of games: the generator inside the house, or one in a
// process of its own (package games/draw/remote).
type Device interface {
	// Start begins a draw, or takes up one behind the numbers that are recorded, as
	// [draw.Device.Start] says.
	Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (Drawing, error)
}

// A Drawing is the draw of one game, see [draw.Draw].
type Drawing interface {
	Next(place int) (draw.Pick, error)
	Drawn() ball.Sequence
	Sign() ([]byte, error)
}

// starter is a device whose draws have a type of their own.
type starter[D Drawing] interface {
	Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (D, error)
}

// DeviceOf makes a device of one whose draws have a type of their own.
func DeviceOf[D Drawing](s starter[D]) Device { return deviceOf[D]{s} }

type deviceOf[D Drawing] struct{ starter starter[D] }

func (d deviceOf[D]) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence,
	recent []ball.Sequence) (Drawing, error) {
	r, err := d.starter.Start(plan, seal, drawn, recent)
	if err != nil {
		return nil, err // and not a Drawing that holds nothing
	}
	return r, nil
}

// Ping reports whether the device answers, if it is one that can be asked.
func (d deviceOf[D]) Ping(ctx context.Context) error {
	if p, ok := d.starter.(interface{ Ping(context.Context) error }); ok {
		return p.Ping(ctx)
	}
	return nil
}
