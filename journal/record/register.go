package record

import (
	"errors"
	"fmt"
)

// DeviceRegistered enters a drawing device into the register of the house. Two persons enter it, by
// the approval of the device outside the house, which Reference names.
type DeviceRegistered struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"` // the series in which two persons agreed on the device
	Number uint32   `is:"number"` // number of the device in the register of the house
	Device Device   // kind of the device
	Maker  string   // maker of the device
	Model  string   // model of the device
	Serial string   // serial number of the device
	Site   string   // where the device stands
	Medium string   // medium on which its draws are captured; a ball machine may have none
	// Reference of the approval of the device.
	Reference string
	By        uint32 `is:"person"`
}

func (d *DeviceRegistered) check() error {
	switch d.Device {
	case DeviceGenerator, DeviceWitnessed, DeviceCage:
	default:
		return fmt.Errorf("there is no device %q", d.Device)
	}
	if d.Maker == "" || d.Serial == "" || d.Site == "" || d.Reference == "" {
		return errors.New("a registered device needs a maker, a serial number, a site and the reference of its approval")
	}
	return nil
}

// DevicePart is what of a drawing device was inspected.
type DevicePart string

// The parts.
const (
	PartDevice DevicePart = "device" // the device itself; one that is not sound draws no further game
	PartBalls  DevicePart = "balls"  // those of a ball machine; a faulty ball is replaced at the machine
)

// DeviceParts returns all parts.
func DeviceParts() []DevicePart { return []DevicePart{PartDevice, PartBalls} }

// DeviceInspected says that a person has inspected or tested a device of the register, and what was
// found. A device that was found unsound is out of service. It comes back if two persons register
// it again.
type DeviceInspected struct {
	_       struct{}   `cbor:",toarray"`
	Number  uint32     `is:"number"` // number of the device in the register of the house
	Part    DevicePart // what was inspected
	Sound   bool       // whether it is sound
	Finding string     `is:"finding" most:"2000" line:"true"` // what was found
	// For whom it was inspected, such as a testing facility; empty for the operator.
	Authority string
	Reference string // reference of the report, if there is one
	Directed  bool   // whether an inspector has directed it
	By        uint32 `is:"person"`
}

func (d *DeviceInspected) check() error {
	if d.Part != PartDevice && d.Part != PartBalls {
		return fmt.Errorf("there is no part %q of a device", d.Part)
	}
	return nil
}

// DrawInspected says that an inspector has held the central record of a draw against what happened,
// and what was found. It changes nothing else: another result takes a correction. Of a game whose round does not exist
// it lets two persons end the game.
type DrawInspected struct {
	_    struct{} `cbor:",toarray"`
	Game Game
	// Number of the settlement that was checked; 0 of a game that waits for the round of a beacon, which does not exist.
	Revision  uint8
	Agrees    bool   // whether the central record is what was drawn
	Witnessed bool   // whether the inspector was present at the draw
	Finding   string `is:"finding" most:"2000" line:"true"` // what was found
	Reference string // reference of the report, if there is one
	By        uint32 `is:"person"`
}

func (d *DrawInspected) check() error {
	if d.Revision == 0 && d.Agrees {
		return errors.New("a draw that agrees has no settlement")
	}
	return nil
}
