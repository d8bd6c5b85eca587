package draw

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"drawhouse/ball"
	"drawhouse/journal"
)

// rngDevice is the name of the generator device in results.
const rngDevice = "rng"

// The errors of a device, each wrapped with the particulars.
var (
	// ErrSeal: there is no seal of this game that the device accepts.
	ErrSeal = errors.New("no valid seal of the game")
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
	// result. With 1,000 recent results a sound source is stopped once in
	// 3.5*10^15 games.
	comparedNumbers = 20

	// rememberedDraws is how many draws a device remembers: several days.
	rememberedDraws = 4096
)

// A Plan says what is to be drawn.
type Plan struct {
	Game journal.Game
	// Revision is 1 for the first draw of the game, and one more for each draw
	// made again after people declared the one before it void.
	Revision uint32
	Universe ball.Universe
	// Least and Most bound how many numbers make a result. Keno draws 20; bingo
	// calls until the game is won.
	Least, Most int
}

// KenoPlan returns the plan of a keno game: 20 of 80 numbers.
//
//rule:casino-keno-div2 7.5
//rule:tas-keno-2023 1.15
func KenoPlan(game journal.Game, revision uint32) Plan {
	return Plan{Game: game, Revision: revision, Universe: ball.Keno, Least: 20, Most: 20}
}

// BingoPlan returns the plan of a bingo game: 90 numbers, as many as are needed.
func BingoPlan(game journal.Game, revision uint32) Plan {
	return Plan{Game: game, Revision: revision, Universe: ball.Bingo, Least: 1, Most: 90}
}

// Check reports what is wrong with the plan, if anything.
func (p Plan) Check() error {
	if err := p.Game.Check(); err != nil {
		return err
	}
	if p.Revision == 0 {
		return fmt.Errorf("draw: %v: revisions count from 1", p.Game)
	}
	if _, err := ball.NewSequence(p.Universe); err != nil {
		return fmt.Errorf("draw: %v: %w", p.Game, err)
	}
	if p.Least < 1 || p.Most < p.Least || p.Most > int(p.Universe) {
		return fmt.Errorf("draw: %v: %d to %d numbers cannot be drawn of %d", p.Game, p.Least, p.Most, p.Universe)
	}
	return nil
}

// Config is what a Device is made of.
type Config struct {
	// Signer is the device's own key.
	Signer journal.Signer
	// House verifies seals. Cosigners verify further signatures on them, and
	// every cosigner whose name is in Required must have signed.
	House     journal.Verifier
	Cosigners []journal.Verifier
	Required  []string
	// Source gives the random bytes.
	Source *Source
}

// A Device draws numbers from a random source. Any number of goroutines may use
// it and its draws.
//
// A tripwire stops the device: from then on it starts nothing, draws nothing
// and signs nothing. Err tells why.
type Device struct {
	config Config

	mu     sync.Mutex // guards what follows, the source, and the progress of draws
	err    error
	memory map[drawName]*progress
	order  []drawName // of memory, oldest first
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

// NewDevice returns a device that has drawn nothing yet.
func NewDevice(c Config) (*Device, error) {
	if c.Signer == nil || c.House == nil || c.Source == nil {
		return nil, errors.New("draw: a device needs a key, the house's verifier and a source")
	}
	for _, name := range c.Required {
		if !slices.ContainsFunc(c.Cosigners, func(v journal.Verifier) bool { return v.Name() == name }) {
			return nil, fmt.Errorf("draw: the required cosigner %s has no verifier", name)
		}
	}
	return &Device{config: c, memory: make(map[drawName]*progress)}, nil
}

// Err returns what stopped the device, if anything.
func (d *Device) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// stop makes an error final. The caller holds the lock.
func (d *Device) stop(err error) error {
	if d.err == nil {
		d.err = err
	}
	return err
}

// A Draw is the draw of one game.
type Draw struct {
	device   *Device
	plan     Plan
	recent   []ball.Set
	progress *progress
}

// Start begins a draw, or takes up one that was interrupted: drawn are the
// numbers of this game and revision that are recorded, the zero Sequence if
// there are none. They stand, and the device draws on behind them. A device
// that has itself drawn further in this game than is recorded yields those
// numbers again; one that has drawn others, or under another seal, stops.
//
// The seal must be of the plan's game, and signed by the house and by every
// required cosigner; the device verifies it with its own keys. Recent are the
// results of recent games, and the device stops if this one equals one of them.
//
//rule:tas-keno-2023 9.4
//rule:vic-keno-2015 18(d)
func (d *Device) Start(plan Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (*Draw, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	hash, err := d.verifySeal(plan, seal)
	if err != nil {
		return nil, err
	}
	if drawn.IsValid() && (drawn.Universe() != plan.Universe || drawn.Len() > plan.Most) {
		return nil, fmt.Errorf("draw: %v: %d of %d numbers were drawn, the plan is %d of %d", plan.Game, drawn.Len(), drawn.Universe(), plan.Most, plan.Universe)
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
	r := &Draw{device: d, plan: plan, recent: firstSets(plan.Universe, recent), progress: p}
	if err := r.compare(); err != nil {
		return nil, d.stop(err)
	}
	return r, nil
}

// verifySeal verifies the seal with the device's keys and returns its hash.
func (d *Device) verifySeal(plan Plan, seal journal.Seal) (journal.Hash, error) {
	if seal.IsZero() {
		return journal.Hash{}, fmt.Errorf("draw: %v: there is no seal: %w", plan.Game, ErrSeal)
	}
	verified, err := journal.OpenSeal(seal.Signed(), d.config.House, d.config.Cosigners...)
	if err != nil {
		return journal.Hash{}, fmt.Errorf("draw: %v: %w: %w", plan.Game, ErrSeal, err)
	}
	body := verified.Body()
	if body.Game != plan.Game {
		return journal.Hash{}, fmt.Errorf("draw: %v: the seal is of %v: %w", plan.Game, body.Game, ErrSeal)
	}
	for _, name := range d.config.Required {
		if !slices.Contains(verified.Signers(), name) {
			return journal.Hash{}, fmt.Errorf("draw: %v: %s has not signed the seal: %w", plan.Game, name, ErrSeal)
		}
	}
	return body.Hash(), nil
}

// recall joins the recorded numbers of a draw with those that the device
// remembers. The caller holds the lock.
func (d *Device) recall(plan Plan, seal journal.Hash, drawn ball.Sequence) (*progress, error) {
	name := drawName{plan.Game, plan.Revision}
	p, known := d.memory[name]
	if !known {
		p = &progress{universe: plan.Universe, seal: seal}
		d.remember(name, p)
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

// remember keeps the progress of a new draw and forgets the oldest when there
// are too many. The caller holds the lock.
func (d *Device) remember(name drawName, p *progress) {
	d.memory[name] = p
	d.order = append(d.order, name)
	if len(d.order) > rememberedDraws {
		delete(d.memory, d.order[0])
		d.order = slices.Delete(d.order, 0, 1)
	}
}

// firstSets returns the first numbers, as sets, of those recent results that can
// be compared.
func firstSets(u ball.Universe, recent []ball.Sequence) []ball.Set {
	var sets []ball.Set
	for _, r := range recent {
		if r.Universe() == u && r.Len() >= comparedNumbers {
			sets = append(sets, r.Prefix(comparedNumbers).Set())
		}
	}
	return sets
}

// Next draws the number at a place, counted from 1. It must be the one after the
// last; asked for an earlier one it gives that again, even when it has stopped,
// so that a question whose answer was lost can be put again. A number taken up
// from the record has no bytes here.
//
// If the result turns out to equal a recent one, Next returns the number and
// ErrRepeated: it was drawn and is to be recorded, but the device has stopped.
//
//rule:vic-keno-2015 18(a)(i)(A)
//rule:tas-keno-2023 9.3
func (r *Draw) Next(place int) (Pick, error) {
	d, drawn := r.device, &r.progress.picks
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case place >= 1 && place <= len(*drawn):
		return (*drawn)[place-1].clone(), nil
	case d.err != nil:
		return Pick{}, fmt.Errorf("draw: the device has stopped: %w", d.err)
	case place != len(*drawn)+1 || place > r.plan.Most:
		return Pick{}, fmt.Errorf("draw: %v: number %d is asked for, %d of %d are drawn: %w", r.plan.Game, place, len(*drawn), r.plan.Most, ErrTurn)
	case r.progress.signed:
		return Pick{}, fmt.Errorf("draw: %v: number %d is asked for, the result is signed: %w", r.plan.Game, place, ErrTurn)
	}
	return r.draw()
}

// draw draws the next number. The caller holds the lock.
func (r *Draw) draw() (Pick, error) {
	d := r.device
	selector, err := NewSelector(r.progress.drawn(), d.config.Source)
	if err != nil {
		return Pick{}, err
	}
	pick, err := selector.Next()
	if err != nil {
		return Pick{}, d.stop(fmt.Errorf("draw: %v: %w", r.plan.Game, err))
	}
	r.progress.picks = append(r.progress.picks, pick)
	if err := r.compare(); err != nil {
		return pick.clone(), d.stop(err)
	}
	return pick.clone(), nil
}

// compare looks for the first numbers drawn among the recent results.
func (r *Draw) compare() error {
	if len(r.progress.picks) < comparedNumbers {
		return nil
	}
	first := r.progress.drawn().Prefix(comparedNumbers)
	if slices.Contains(r.recent, first.Set()) {
		return fmt.Errorf("draw: %v: %v: %w", r.plan.Game, first, ErrRepeated)
	}
	return nil
}

// Drawn returns the numbers drawn so far, in order.
func (r *Draw) Drawn() ball.Sequence {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	return r.progress.drawn()
}

// Sign signs the result, once enough numbers are drawn. It ends the draw: no
// further number follows, and signing again signs the same.
//
//rule:casino-keno-div2 7.8
func (r *Draw) Sign() ([]byte, error) {
	d := r.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, fmt.Errorf("draw: the device has stopped: %w", d.err)
	}
	if len(r.progress.picks) < r.plan.Least {
		return nil, fmt.Errorf("draw: %v: %d of %d numbers are drawn", r.plan.Game, len(r.progress.picks), r.plan.Least)
	}
	result := Result{Device: rngDevice, Game: r.plan.Game, Revision: r.plan.Revision, Seal: r.progress.seal, Numbers: r.progress.drawn()}
	if err := result.Check(); err != nil {
		return nil, err
	}
	msg, err := journal.SignNote(result.Marshal(), d.config.Signer)
	if err != nil {
		return nil, err
	}
	r.progress.signed = true
	return msg, nil
}
