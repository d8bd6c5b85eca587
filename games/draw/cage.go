package draw

import (
	"errors"
	"fmt"

	"drawhouse/core/ball"
	"drawhouse/games/draw/cage"
	"drawhouse/journal"
)

// cageDevice is the name of the ball machine in results.
const cageDevice = "cage"

// ErrNotEntered: the result of a ball draw is not entered yet.
var ErrNotEntered = errors.New("the result of the ball draw is not entered")

// A Cage signs what two people have recorded at a ball machine. How the machine
// stands is a [cage.State], which the house adds up from its journal; the Cage holds
// the key, and gives numbers out only of a draw that is entered and under its seal.
// Any number of goroutines may use it.
//
// People may correct a record until its result is entered. So that nothing is shown
// which then turns out otherwise, the numbers go out one by one from then on, as
// those of other devices do.
type Cage struct{ *desk }

// NewCage returns the device of a ball machine.
func NewCage(keys Keys) (*Cage, error) {
	d, err := newDesk(cageDevice, keys)
	if err != nil {
		return nil, err
	}
	return &Cage{d}, nil
}

// Start begins to give out the result that was entered at the ball machine, or goes
// on behind the numbers that are recorded as drawn. The seal and recent results are
// as in [Device.Start]. Recorded numbers that are not those entered stop the device.
//
//rule:casino-keno-div2 7.7 11.1
func (c *Cage) Start(plan Plan, seal journal.Seal, attended cage.State, drawn ball.Sequence,
	recent []ball.Sequence) (*Draw, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	if plan != KenoPlan(plan.Game, plan.Revision) {
		return nil, fmt.Errorf("draw: %v: a cage draws %d of %d balls", plan.Game, cage.Numbers, cage.Balls)
	}
	if game, revision := attended.Game(); attended.Phase() != cage.Accepted || game != plan.Game ||
		revision != plan.Revision {
		return nil, fmt.Errorf("draw: %v, revision %d: the cage is %v in %v, revision %d: %w", plan.Game, plan.Revision,
			attended.Phase(), game, revision, ErrNotEntered)
	}
	entered := attended.Drawn()
	if err := c.compare(plan, entered, drawn); err != nil {
		return nil, err
	}
	return c.start(plan, seal, drawn, recent,
		func(drawn ball.Sequence) (Pick, error) { return Pick{Number: entered.At(drawn.Len())}, nil })
}

// compare holds recorded numbers against those entered.
func (c *Cage) compare(plan Plan, entered, drawn ball.Sequence) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range min(entered.Len(), drawn.Len()) {
		if entered.At(i) != drawn.At(i) {
			return c.stop(fmt.Errorf("draw: %v, revision %d: number %d is recorded as %d, and %d was entered: %w",
				plan.Game, plan.Revision, i+1, drawn.At(i), entered.At(i), ErrContradiction))
		}
	}
	return nil
}
