package draw

import (
	"fmt"
	"math"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// resultForm is the first line of a result's body.
const resultForm = "drawhouse/draw/v1"

// A Result is what a device signs: the numbers of a game in the order drawn,
// and the seal they were drawn under.
type Result struct {
	// Device is the kind of device, such as rng.
	Device string
	Game   journal.Game
	// Revision counts the draws of the game from 1. A further one is made only
	// when people have declared the one before it void.
	Revision uint32
	Seal     journal.Hash // of the seal's body
	Numbers  ball.Sequence
}

// Check reports what is wrong with the result, if anything.
func (r Result) Check() error {
	if err := r.Game.Check(); err != nil {
		return err
	}
	switch {
	case !isWord(r.Device):
		return fmt.Errorf("draw: result of %v: device %q is not a word of lower-case letters", r.Game, r.Device)
	case r.Revision == 0:
		return fmt.Errorf("draw: result of %v: revisions count from 1", r.Game)
	case r.Numbers.Len() == 0:
		return fmt.Errorf("draw: result of %v: no numbers", r.Game)
	}
	return nil
}

func isWord(s string) bool {
	for _, c := range []byte(s) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return s != "" && len(s) <= 16
}

// Marshal returns the result's text.
func (r Result) Marshal() string {
	return journal.NewBody(resultForm).
		Text("device", r.Device).
		Text("series", r.Game.Series).
		Text("day", r.Game.Day).
		Uint("game", uint64(r.Game.Number)).
		Uint("revision", uint64(r.Revision)).
		Hash("seal", r.Seal).
		Uint("of", uint64(r.Numbers.Universe())).
		Text("numbers", r.Numbers.String()).
		String()
}

// ParseResult reads the text of a result. It refuses every other spelling of the
// same result.
func ParseResult(text string) (Result, error) {
	b := journal.ReadBody(text, resultForm)
	var r Result
	r.Device = b.Text("device")
	r.Game.Series = b.Text("series")
	r.Game.Day = b.Text("day")
	r.Game.Number = uint32(b.Uint("game", math.MaxUint32))
	r.Revision = uint32(b.Uint("revision", math.MaxUint32))
	r.Seal = b.Hash("seal")
	universe := ball.Universe(b.Uint("of", math.MaxUint8))
	numbers := b.Text("numbers")
	if err := b.Close(); err != nil {
		return Result{}, fmt.Errorf("draw: %w", err)
	}
	var err error
	if r.Numbers, err = ball.ParseSequence(universe, numbers); err != nil {
		return Result{}, fmt.Errorf("draw: result of %v: %w", r.Game, err)
	}
	if err := r.Check(); err != nil {
		return Result{}, err
	}
	if r.Marshal() != text {
		return Result{}, fmt.Errorf("draw: the result of %v is not in canonical form", r.Game)
	}
	return r, nil
}

// OpenResult verifies a signed result by the device's key and returns it with
// the names of those who verifiably signed it.
func OpenResult(msg []byte, device journal.Verifier, cosigners ...journal.Verifier) (Result, []string, error) {
	text, signers, err := journal.OpenNote(msg, device, cosigners...)
	if err != nil {
		return Result{}, nil, fmt.Errorf("draw: result: %w", err)
	}
	r, err := ParseResult(text)
	if err != nil {
		return Result{}, nil, err
	}
	return r, signers, nil
}
