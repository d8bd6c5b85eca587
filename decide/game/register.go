package game

import (
	"fmt"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about the register of drawing devices.
const (
	DeviceUnknown      refusal.Code = "device_unknown"       // the register has no device of that number
	DeviceKnown        refusal.Code = "device_registered"    // the register has the device, and it is in service
	DeviceUnregistered refusal.Code = "device_unregistered"  // no device of the register would draw
	DeviceFailed       refusal.Code = "device_failed"        // an inspection found the device unsound
	DeviceIncomplete   refusal.Code = "device_incomplete"    // something is missing that the register keeps
	PartUnknown        refusal.Code = "part_unknown"         // a device has no such part
	FindingMissing     refusal.Code = "finding_missing"      // nobody could tell what was found
	DeviceDraws        refusal.Code = "device_draws_already" // the device was chosen before
)

// RegisterDevice enters a drawing device into the register. A device that is in service is not entered
// twice. A device that failed comes back under another number.
//
//rule:casino-keno-div2 2.1(a)
//rule:tas-keno-2023 9.3
//rule:vic-keno-2015 18(a)(i)(A) 18(a)(i)(B) 18(a)(ii)
func RegisterDevice(s *state.State, d record.DeviceRegistered) (*record.DeviceRegistered, error) {
	series, err := seriesOf(s, d.Series)
	if err != nil {
		return nil, err
	}
	for _, said := range [][2]string{{"maker", d.Maker}, {"serial_number", d.Serial}, {"site", d.Site},
		{"reference", d.Reference}} {
		if strings.TrimSpace(said[1]) == "" {
			return nil, &refusal.Refusal{Code: DeviceIncomplete, Path: said[0],
				Sentence: "Say the maker, the serial number, the site and the reference of the approval."}
		}
	}
	if err := checkAllowed(series.Book, d.Device); err != nil {
		return nil, err
	}
	for _, known := range s.Registered() {
		if !known.Failed && known.Maker == d.Maker && known.Model == d.Model && known.Serial == d.Serial {
			return nil, &refusal.Refusal{Code: DeviceKnown, Path: "serial_number",
				Sentence: fmt.Sprintf("The register has this device as number %d.", known.Number)}
		}
	}
	d.Number = uint32(len(s.Registered())) + 1
	return &d, nil
}

// ChooseRegistered says which device of the register draws the games that open from now on. It is of the kind that
// draws now: the kind is part of how the house is set up.
//
//rule:casino-keno-div2 2.1(a)
//rule:tas-keno-2023 9.3
//rule:vic-keno-2015 18(a)(i)(A)
func ChooseRegistered(s *state.State, series uint8, number uint32) (*record.DeviceChosen, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	known, err := registeredDevice(s, number)
	if err != nil {
		return nil, err
	}
	device, custodians := current.Device()
	switch {
	case known.Device != device:
		return nil, &refusal.Refusal{Code: DeviceOther, Path: "device",
			Sentence: fmt.Sprintf("Games are drawn by %s, and device %d is %s.", device, number, known.Device)}
	case known.Failed:
		return nil, failed(current.Book, known)
	case current.DrawnBy() == number:
		return nil, &refusal.Refusal{Code: DeviceDraws, Path: "device",
			Sentence: fmt.Sprintf("Device %d draws the games already.", number)}
	}
	return &record.DeviceChosen{Series: series, Device: device, Custodians: custodians, Registered: number}, nil
}

// InspectDevice records an inspection or a test of a device of the register.
//
//rule:casino-keno-div2 2.5
func InspectDevice(s *state.State, i record.DeviceInspected) (*record.DeviceInspected, error) {
	known, err := registeredDevice(s, i.Number)
	switch {
	case err != nil:
		return nil, err
	case i.Part != record.PartDevice && (i.Part != record.PartBalls || known.Device != record.DeviceCage):
		return nil, &refusal.Refusal{Code: PartUnknown, Path: "part",
			Sentence: fmt.Sprintf("Device %d is %s, and has no part %q.", i.Number, known.Device, i.Part)}
	case known.Failed:
		return nil, &refusal.Refusal{Code: DeviceFailed, Path: "device",
			Sentence: fmt.Sprintf("Device %d is out of service. Register it again before it is inspected.", i.Number)}
	}
	return &i, checkFinding(i.Finding)
}

// InspectDraw records that an inspector has checked the central record of a draw. The record that counts
// is the last settlement of the game. Of a game that waits for its round, the inspector finds that there is none.
//
//rule:tas-keno-2023 9.5
//rule:vic-keno-2015 18(a)(i)(C)
func InspectDraw(s *state.State, series uint8, ordinal uint32, i record.DrawInspected,
	now record.Time) (*record.DrawInspected, error) {
	if current, g, err := gameIn(s, series, ordinal, state.PhaseSealed); err == nil && g.Round > 0 {
		return findNoRound(current, g, i, now)
	}
	_, game, err := gameIn(s, series, ordinal, state.PhaseSettled)
	if err != nil {
		return nil, err
	}
	i.Game, i.Revision = game.Ref, game.Settled.Revision
	return &i, checkFinding(i.Finding)
}

func checkFinding(finding string) error {
	if strings.TrimSpace(finding) == "" {
		return &refusal.Refusal{Code: FindingMissing, Path: "finding", Sentence: "Say what was found."}
	}
	return nil
}

func registeredDevice(s *state.State, number uint32) (state.Registered, error) {
	known, ok := s.RegisteredDevice(number)
	if !ok {
		return known, &refusal.Refusal{Code: DeviceUnknown, Path: "device",
			Sentence: fmt.Sprintf("The register has no device %d.", number)}
	}
	return known, nil
}

// registeredAs returns which device of the register draws if the house is set up for another kind: the only
// one of the kind that is in service. Where no device of the register draws now, none need do so then.
func registeredAs(s *state.State, series *state.Series, device record.Device) (uint32, error) {
	if series.DrawnBy() == 0 {
		return 0, nil
	}
	found := uint32(0)
	for _, known := range s.Registered() {
		if known.Device != device || known.Failed {
			continue
		}
		if found != 0 {
			found = 0
			break
		}
		found = known.Number
	}
	if rule := series.Book.Draw(); found == 0 && rule.Registered {
		return 0, &refusal.Refusal{Code: DeviceUnregistered, Path: "device", Clause: rulebook.Quoted(rule.RegisteredClause),
			Sentence: fmt.Sprintf("The register does not have just one device of the kind %s in service.", device)}
	}
	return found, nil
}

// CheckService reports that the device which was chosen of the register is out of service, so that no further
// game opens until two persons choose another.
func CheckService(s *state.State, series uint8) error {
	current, err := seriesOf(s, series)
	if err != nil {
		return err
	}
	book, _ := s.Terms(current, nextOrdinal(current))
	return checkRegistered(s, current, book)
}

// checkRegistered refuses a game that a device would draw which is not in the register, or which failed. It asks
// once a device of the register was chosen.
func checkRegistered(s *state.State, series *state.Series, book *rulebook.Book) error {
	known, ok := s.RegisteredDevice(series.DrawnBy())
	if !ok || !book.Draw().Registered {
		return nil
	}
	if known.Failed {
		return failed(book, known)
	}
	return nil
}

func failed(book *rulebook.Book, known state.Registered) error {
	return &refusal.Refusal{Code: DeviceFailed, Path: "device", Clause: rulebook.Quoted(book.Draw().RegisteredClause),
		Sentence: fmt.Sprintf("An inspection found device %d unsound: %s.", known.Number, known.Last.Finding)}
}
