package draw

import (
	"errors"
	"fmt"
	"sync"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// The errors of a device, each wrapped with the particulars. ErrSeal is another.
var (
	// ErrContradiction: the numbers given are not those that the device drew.
	ErrContradiction = errors.New("the device drew other numbers in this draw")
	// ErrRepeated: the result equals a recent one.
	ErrRepeated = errors.New("the result equals a recent one")
	// ErrTurn: a number was asked for out of turn.
	ErrTurn = errors.New("not the next number")
)

const (
	// comparedNumbers is how many numbers of a result must be drawn before it is
	// compared with recent ones, which is done as sets. For keno it is the whole
	// result. With 1,000 recent results a sound source repeats one once in
	// 3.5*10^15 games.
	comparedNumbers = 20

	// rememberedDraws is how many draws a device remembers: several days.
	rememberedDraws = 4096
)

// A desk is what the devices that draw by themselves have in common: it accepts
// seals, remembers draws, trips its wires and signs results.
type desk struct {
	kind string
	keys Keys

	mu     sync.Mutex // guards what follows, and the progress of draws
	err    error
	memory memory[drawName, *progress]
}

// newDesk returns the desk of a kind of device.
func newDesk(kind string, keys Keys) (*desk, error) {
	if err := keys.Check(); err != nil {
		return nil, err
	}
	return &desk{kind: kind, keys: keys, memory: newMemory[drawName, *progress](rememberedDraws)}, nil
}

// Err returns what stopped the device, if anything.
func (d *desk) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// stop makes an error final. The caller holds the lock.
func (d *desk) stop(err error) error {
	if d.err == nil {
		d.err = err
	}
	return err
}

// A drawName tells draws apart.
type drawName struct {
	game     journal.Game
	revision uint32
}

func (n drawName) String() string { return fmt.Sprintf("%v, revision %d", n.game, n.revision) }

// A progress is how far a draw has come. All handles of one draw share it.
type progress struct {
	universe ball.Universe
	seal     journal.Hash
	picks    []Pick // those taken up from the record have no bytes
	signed   bool   // no further number may follow
}

// drawn returns the numbers of the picks.
func (p *progress) drawn() ball.Sequence {
	numbers := make([]int, len(p.picks))
	for i, pick := range p.picks {
		numbers[i] = pick.Number
	}
	q, err := ball.NewSequence(p.universe, numbers...)
	if err != nil {
		panic(err) // The selector and recall let no other numbers in.
	}
	return q
}

// start begins a draw or takes up one, and lets next draw its numbers.
func (d *desk) start(plan Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence,
	next nextFunc) (*Draw, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	hash, err := d.keys.verifySeal(plan, seal)
	if err != nil {
		return nil, err
	}
	if drawn.IsValid() && (drawn.Universe() != plan.Universe || drawn.Len() > plan.Most) {
		return nil, fmt.Errorf("draw: %v: %d of %d numbers were drawn, the plan is %d of %d", plan.Game, drawn.Len(),
			drawn.Universe(), plan.Most, plan.Universe)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, fmt.Errorf("draw: the device has stopped: %w", d.err)
	}
	p, err := d.recall(plan, hash, drawn)
	if err != nil {
		return nil, d.stop(err)
	}
	return &Draw{desk: d, plan: plan, next: next, recent: firstSets(plan.Universe, recent), progress: p}, nil
}

// recall joins the recorded numbers of a draw with those that the device
// remembers. The caller holds the lock.
func (d *desk) recall(plan Plan, seal journal.Hash, drawn ball.Sequence) (*progress, error) {
	name := drawName{plan.Game, plan.Revision}
	p, known := d.memory.get(name)
	if !known {
		p = &progress{universe: plan.Universe, seal: seal}
		d.memory.put(name, p)
	}
	if p.seal != seal || p.universe != plan.Universe {
		return nil, fmt.Errorf("draw: %v was begun under another seal or of other numbers: %w", name, ErrContradiction)
	}
	for i := range drawn.Len() {
		switch {
		case i == len(p.picks):
			p.picks = append(p.picks, Pick{Number: drawn.At(i)})
		case p.picks[i].Number != drawn.At(i):
			return nil, fmt.Errorf("draw: %v: number %d is recorded as %d, the device drew %d: %w",
				name, i+1, drawn.At(i), p.picks[i].Number, ErrContradiction)
		}
	}
	return p, nil
}
