package draw

import (
	"errors"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// rngDevice is the name of the generator device in results.
const rngDevice = "rng"

// Config is what a Device is made of.
type Config struct {
	// Signer is the device's own key.
	Signer journal.Signer
	// House verifies seals. Cosigners verify further signatures on them, and
	// every cosigner whose name is in Required must have signed.
	House     journal.Verifier
	Cosigners []journal.Verifier
	Required  []string
	// Others are further house keys, see [Keys].
	Others []journal.Verifier
	// Source gives the random bytes.
	Source *Source
}

// A Device draws numbers from a random source. Any number of goroutines may use
// it and its draws.
//
// A tripwire stops the device: from then on it starts nothing, draws nothing
// and signs nothing. Err tells why.
type Device struct {
	*desk
	source *Source
}

// NewDevice returns a device that has drawn nothing yet.
func NewDevice(c Config) (*Device, error) {
	if c.Source == nil {
		return nil, errors.New("draw: a generator needs a source")
	}
	d, err := newDesk(rngDevice, Keys{Signer: c.Signer, House: c.House, Cosigners: c.Cosigners, Required: c.Required,
		Others: c.Others})
	if err != nil {
		return nil, err
	}
	return &Device{desk: d, source: c.Source}, nil
}

// Start begins a draw, or takes up one that was interrupted: drawn are the
// numbers of this game and revision that are recorded, the zero Sequence if
// there are none. They stand, and the device draws on behind them. A device
// that has itself drawn further in this game than is recorded yields those
// numbers again; one that has drawn others, or under another seal, stops.
//
// The seal must be of the plan's game, and signed by the house and by every
// required cosigner; the device verifies it with its own keys. Recent are the
// results of recent games, and Next says so if this one equals one of them.
//
//rule:tas-keno-2023 9.4
//rule:vic-keno-2015 18(d)
func (d *Device) Start(plan Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (*Draw, error) {
	return d.start(plan, seal, drawn, recent, d.next)
}

// next draws a number behind those drawn. The caller holds the lock.
func (d *Device) next(drawn ball.Sequence) (Pick, error) {
	selector, err := NewSelector(drawn, d.source)
	if err != nil {
		return Pick{}, err
	}
	return selector.Next()
}
