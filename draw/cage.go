package draw

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"drawhouse/ball"
	"drawhouse/draw/cage"
	"drawhouse/journal"
)

// cageDevice is the name of the ball machine in results.
const cageDevice = "cage"

// A Cage is a ball machine that two people attend: the state machine of package
// cage with the key of a device. It begins no draw without the seal and signs what
// the two have recorded. Any number of goroutines may use it.
type Cage struct {
	keys Keys

	mu    sync.Mutex // guards what follows
	state cage.State
	err   error
}

// NewCage returns a cage, brought to where it stood by the events that were
// recorded, in their order.
func NewCage(keys Keys, recorded ...cage.Event) (*Cage, error) {
	if err := keys.Check(); err != nil {
		return nil, err
	}
	c := &Cage{keys: keys}
	for i, e := range recorded {
		var err error
		if c.state, _, err = c.state.Do(e); err != nil {
			return nil, fmt.Errorf("draw: event %d of the cage: %w", i+1, err)
		}
	}
	return c, nil
}

// Err returns what stopped the device, if anything.
func (c *Cage) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// State returns how the cage stands.
func (c *Cage) State() cage.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Start begins a draw. The seal must be of the plan's game, and signed by the
// house and by every required cosigner. The step holds the event to be recorded.
func (c *Cage) Start(plan Plan, seal journal.Seal, recorders [2]string, act cage.Act) (cage.Step, error) {
	if err := plan.Check(); err != nil {
		return cage.Step{}, err
	}
	if plan != KenoPlan(plan.Game, plan.Revision) {
		return cage.Step{}, fmt.Errorf("draw: %v: a cage draws %d of %d balls", plan.Game, cage.Numbers, cage.Balls)
	}
	hash, err := c.keys.verifySeal(plan, seal)
	if err != nil {
		return cage.Step{}, err
	}
	return c.do(cage.Started{Act: act, Game: plan.Game, Revision: plan.Revision, Seal: hash, Recorders: recorders})
}

// Do applies an event other than the start and the end of a draw, for which
// there are Start and Sign. The step is to be recorded.
func (c *Cage) Do(e cage.Event) (cage.Step, error) {
	switch e.(type) {
	case cage.Started:
		return cage.Step{}, errors.New("draw: a draw begins with its seal: use Start")
	case cage.ResultAccepted:
		return cage.Step{}, errors.New("draw: a draw ends with its signature: use Sign")
	}
	return c.do(e)
}

func (c *Cage) do(e cage.Event) (cage.Step, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return cage.Step{}, fmt.Errorf("draw: the device has stopped: %w", c.err)
	}
	next, step, err := c.state.Do(e)
	if err != nil {
		return cage.Step{}, err
	}
	c.state = next
	return step, nil
}

// Sign signs the result of a complete draw and ends it. The step is to be recorded
// with the result. Recent are the results of recent games, and the device stops if
// this one equals one of them. The result of a draw that was ended is signed again
// as it was.
//
//rule:casino-keno-div2 7.7 11.1
func (c *Cage) Sign(act cage.Act, recent []ball.Sequence) ([]byte, cage.Step, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, cage.Step{}, fmt.Errorf("draw: the device has stopped: %w", c.err)
	}
	next, step, err := c.state.Do(cage.ResultAccepted{Act: act})
	if c.state.Phase() == cage.Accepted {
		next, step, err = c.state, cage.Step{}, nil
	}
	if err != nil {
		return nil, cage.Step{}, err
	}
	if slices.Contains(firstSets(ball.Keno, recent), c.state.Drawn().Set()) {
		game, _ := c.state.Game()
		c.err = fmt.Errorf("draw: %v: %v: %w", game, c.state.Drawn(), ErrRepeated)
		return nil, cage.Step{}, c.err
	}
	msg, err := c.signState()
	if err != nil {
		return nil, cage.Step{}, err
	}
	c.state = next
	return msg, step, nil
}

// signState signs the numbers drawn. The caller holds the lock.
func (c *Cage) signState() ([]byte, error) {
	game, revision := c.state.Game()
	result := Result{Device: cageDevice, Game: game, Revision: revision, Seal: c.state.Seal(), Numbers: c.state.Drawn()}
	if err := result.Check(); err != nil {
		return nil, err
	}
	return journal.SignNote(result.Marshal(), c.keys.Signer)
}
