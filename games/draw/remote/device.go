package remote

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/logbook"
)

// ErrRedraw: a game was drawn, and nobody at the device has allowed another draw.
var ErrRedraw = errors.New(
	"the game has a result, and no further draw was allowed at the device (drawhouse device --allow-redraw)")

// rememberedStarts is how many starts back a source is compared with.
const rememberedStarts = 1000

// Config is what a device is made of.
type Config struct {
	Keys    draw.Keys
	Key     string    // verifier key of Keys.Signer
	Entropy io.Reader // the random source
	Book    string    // path of the logbook
	// Redraws are the games of which a person at the device allows a further draw.
	Redraws []journal.Game
}

// A Device is a generator with a memory that outlives it. Any number of goroutines may
// use it.
type Device struct {
	config Config
	book   *logbook.Book
	device *draw.Device

	mu       sync.Mutex // guards what follows
	past     *past
	drawings map[drawName]*drawing // begun since the device started
	err      error                 // what stopped the device
}

// drawing is a draw that goes on.
type drawing struct {
	*draw.Draw
	plan     draw.Plan
	progress *progress
	unsigned *unsigned // the last number, if the key did not sign it
}

// unsigned is a number that was drawn and that nobody has seen, because the key of the device did not sign it.
type unsigned struct {
	pick draw.Pick
	err  error // what the draw said of it
}

// Open opens the logbook and starts the device.
func Open(c Config) (*Device, error) {
	verifier, err := journal.ParseVerifier(c.Key)
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	d := &Device{config: c, past: newPast(verifier), drawings: make(map[drawName]*drawing)}
	if d.book, err = logbook.Open(c.Book, d.past.restore); err != nil {
		return nil, err
	}
	if err := d.start(); err != nil {
		return nil, errors.Join(err, d.book.Close())
	}
	return d, nil
}

// start tests the source, also against its former starts, and writes this one down.
func (d *Device) start() error {
	starts := d.past.starts
	source, err := draw.NewSource(d.config.Entropy, starts[max(0, len(starts)-rememberedStarts):]...)
	if err != nil {
		return err
	}
	k := d.config.Keys
	if d.device, err = draw.NewDevice(draw.Config{Signer: k.Signer, House: k.House, Cosigners: k.Cosigners,
		Required: k.Required, Others: k.Others, Source: source}); err != nil {
		return err
	}
	fingerprint := source.Fingerprint()
	return d.append(line{Started: hex.EncodeToString(fingerprint[:])})
}

func (d *Device) append(l line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return d.book.Append(text)
}

// Close gives up the logbook.
func (d *Device) Close() error { return d.book.Close() }

// Key returns the device's verifier key.
func (d *Device) Key() string { return d.config.Key }

// Err returns what stopped the device, if anything.
func (d *Device) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(d.err, d.device.Err())
}

// BookErr returns why the device could not write down what it draws.
func (d *Device) BookErr() error { return d.book.Err() }

// stop makes an error final. The caller holds the lock.
func (d *Device) stop(err error) error {
	if d.err == nil {
		d.err = err
	}
	return err
}

// Start begins a draw, or takes up one behind what the logbook has of it. Drawn are
// the numbers that the house has recorded; each must be one that the device signed.
func (d *Device) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) error {
	if err := plan.Check(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return fmt.Errorf("remote: the device has stopped: %w", d.err)
	}
	name := drawName{plan.Game, plan.Revision}
	if err := d.allowed(name); err != nil {
		return err
	}
	known := d.past.draws[name]
	if known == nil {
		known = &progress{universe: plan.Universe}
	}
	own, err := known.drawn()
	if err != nil {
		return err
	}
	if err := signedBefore(name, own, drawn); err != nil {
		return d.stop(err)
	}
	started, err := d.device.Start(plan, seal, own, recent)
	if err != nil {
		return err
	}
	hash := seal.Body().Hash()
	if len(known.picks) > 0 && known.seal != hash {
		return d.stop(fmt.Errorf("remote: %v was begun under another seal: %w", name, draw.ErrContradiction))
	}
	if before := d.drawings[name]; before != nil && before.unsigned != nil {
		if before.progress.seal != hash || before.plan != plan {
			return d.stop(fmt.Errorf("remote: %v was begun otherwise: %w", name, draw.ErrContradiction))
		}
		return nil // The number that was drawn stays, or a draw could be made anew by taking the key away.
	}
	known.seal = hash
	d.drawings[name] = &drawing{Draw: started, plan: plan, progress: known}
	return nil
}

// allowed reports why a draw may not be made, if so. The caller holds the lock.
func (d *Device) allowed(name drawName) error {
	if name.revision == 1 {
		return nil
	}
	before := drawName{name.game, name.revision - 1}
	if d.past.draws[before] == nil {
		return fmt.Errorf("remote: %v: there was no draw before it: %w", name, ErrRedraw)
	}
	if d.past.draws[name] == nil && !slices.Contains(d.config.Redraws, name.game) {
		return fmt.Errorf("remote: %v: %w", name, ErrRedraw)
	}
	return nil
}

// signedBefore holds the numbers that the house has against those that the device
// signed: they are its first ones, or somebody else made them.
func signedBefore(name drawName, own, drawn ball.Sequence) error {
	for i := range drawn.Len() {
		if i >= own.Len() || own.At(i) != drawn.At(i) {
			return fmt.Errorf("remote: %v: number %d is recorded as %d, and the device has not signed that: %w", name,
				i+1, drawn.At(i), draw.ErrContradiction)
		}
	}
	return nil
}

// Next draws a number, or gives one again that was drawn. As [draw.Draw.Next] does,
// it may return a number and an error: that number is the last.
func (d *Device) Next(game journal.Game, revision uint32, place int) (draw.Pick, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, err := d.drawing(drawName{game, revision})
	if err != nil {
		return draw.Pick{}, err
	}
	if picks := r.progress.picks; place >= 1 && place <= len(picks) {
		return picks[place-1], nil
	}
	if r.progress.signed {
		return draw.Pick{}, fmt.Errorf("remote: %v: the result is signed: %w", game, draw.ErrTurn)
	}
	last := unsigned{}
	if r.unsigned != nil && place == len(r.progress.picks)+1 {
		last = *r.unsigned
	} else if last.pick, last.err = r.Next(place); last.pick.Number == 0 {
		return draw.Pick{}, last.err
	}
	lost := d.sign(r, entry{event: eventNumber, place: place, pick: last.pick})
	switch {
	case errors.Is(lost, journal.ErrUnsigned):
		r.unsigned = &last
		return draw.Pick{}, lost
	case lost != nil:
		return draw.Pick{}, d.stop(lost) // Nobody has seen the number, and nobody will.
	}
	r.unsigned = nil
	return last.pick, last.err
}

// drawing returns a draw that was started. The caller holds the lock.
func (d *Device) drawing(name drawName) (*drawing, error) {
	if d.err != nil {
		return nil, fmt.Errorf("remote: the device has stopped: %w", d.err)
	}
	r, ok := d.drawings[name]
	if !ok {
		return nil, fmt.Errorf("remote: %v: %w", name, ErrNotStarted)
	}
	return r, nil
}

// ErrNotStarted: the device was started anew, and the draw is to be started with its
// seal again.
var ErrNotStarted = errors.New("the draw was not started since the device was")

// sign signs an entry and makes it durable. The caller holds the lock.
func (d *Device) sign(r *drawing, e entry) error {
	e.name = drawName{r.plan.Game, r.plan.Revision}
	e.universe, e.seal, e.previous = r.plan.Universe, r.progress.seal, d.past.last
	note, err := journal.SignNote(e.marshal(), d.config.Keys.Signer)
	if err != nil {
		return err
	}
	if err := d.append(line{Note: string(note)}); err != nil {
		return err
	}
	d.past.draws[e.name] = r.progress
	return d.past.add(e, note)
}

// Sign ends a draw and signs its result; asked again it signs the same.
func (d *Device) Sign(game journal.Game, revision uint32) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, err := d.drawing(drawName{game, revision})
	if err != nil {
		return nil, err
	}
	msg, err := r.Sign()
	if err != nil {
		return nil, err
	}
	if !r.progress.signed {
		switch err := d.sign(r, entry{event: eventResult, place: len(r.progress.picks)}); {
		case errors.Is(err, journal.ErrUnsigned):
			return nil, err
		case err != nil:
			return nil, d.stop(err)
		}
	}
	return msg, nil
}
