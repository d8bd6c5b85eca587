package house

import (
	"errors"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// NoDevice is the device of a house that is opened to write a record and not to play, such as on a machine that has no
// key of a device.
type NoDevice struct{}

// errNoDevice means that a game was to be drawn by a house that was opened without a device.
var errNoDevice = errors.New("house: it was opened without a draw device, and draws no game")

// Start draws nothing.
func (NoDevice) Start(draw.Plan, journal.Seal, ball.Sequence, []ball.Sequence) (Drawing, error) {
	return nil, errNoDevice
}
