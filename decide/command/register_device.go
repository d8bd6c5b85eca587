package command

import (
	"fmt"

	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[RegisterDevice](act("operator", "register_device", "register-device", "/v1/operator/devices",
		"Ask for a drawing device to be entered into the register",
		"device_incomplete device_not_allowed device_registered"))
	register[ChooseDevice](act("operator", "choose_device", "choose-device", "/v1/operator/devices/chosen",
		"Ask for a device of the register to draw the games that open from now on",
		"device_draws_already device_failed device_unknown drawn_by_another"))
	register[InspectDevice](Row{
		Name: "inspect-device", Refuses: "device_failed device_unknown finding_missing part_unknown",
		Path: "/v1/operator/devices/{registered}/inspections",
		Says: "Note that a device of the register was inspected or tested, and what was found", Tag: "operator",
		Who: Who{Roles: staff.MayAct(record.KindDeviceInspected, false)},
	}.counted().
		alone("it says what a person has seen, and can only stop a device"))
	register[InspectDraw](Row{
		Name: "inspect-draw", Refuses: "finding_missing game_not_ready round_awaited",
		Path: "/v1/operator/games/{ordinal}/inspections",
		Says: "Note that an inspector has checked the central record of a draw, and what was found", Tag: "operator",
		Who: Who{Roles: staff.MayAct(record.KindDrawInspected, false)},
	}.counted().
		alone("it says what a person has seen, and changes nothing"))
}

// RegisterDevice enters a drawing device into the register.
type RegisterDevice struct {
	Device    string `json:"device" enum:"rng,witnessed,cage" doc:"What kind of device it is."`
	Maker     string `json:"maker"`
	Model     string `json:"model,omitempty"`
	Serial    string `json:"serial_number"`
	Site      string `json:"site" doc:"Where it stands."`
	Medium    string `json:"medium,omitempty" doc:"On which its draws are captured."`
	Reference string `json:"reference" doc:"Of the approval of the device, its site and its medium."`
}

// Words implements Act.
func (c RegisterDevice) Words() string {
	return fmt.Sprintf("Register the drawing device %s of %s, model %q, number %q, at %s, captured on %q, by approval %q.",
		c.Device, c.Maker, c.Model, c.Serial, c.Site, c.Medium, c.Reference)
}

// Decide implements Command.
func (c RegisterDevice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.RegisterDevice(s, record.DeviceRegistered{
		Series: e.Series, Device: record.Device(c.Device), Maker: c.Maker, Model: c.Model, Serial: c.Serial, Site: c.Site,
		Medium: c.Medium, Reference: c.Reference, By: e.By.Person,
	}))
}

// ChooseDevice says which device of the register draws.
type ChooseDevice struct {
	Number uint32 `json:"number" of:"device" doc:"Of the device in the register."`
}

// Words implements Act.
func (c ChooseDevice) Words() string {
	return fmt.Sprintf("Draw the games that open from now on by device %d of the register.", c.Number)
}

// Decide implements Command.
func (c ChooseDevice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.ChooseRegistered(s, e.Series, c.Number))
}

// InspectDevice says that a device of the register was inspected.
type InspectDevice struct {
	Device    uint32 `json:"-" path:"registered"`
	Part      string `json:"part" enum:"device,balls" doc:"Balls are those of a ball machine."`
	Sound     bool   `json:"sound" doc:"A device that is not sound draws no further game."`
	Finding   string `json:"finding" doc:"What was found. It stands in the journal for good: name nobody."`
	Authority string `json:"authority,omitempty" doc:"For which it was inspected; absent for the operator."`
	Reference string `json:"reference,omitempty" doc:"Of the report."`
	Directed  bool   `json:"directed,omitempty" doc:"An inspector has directed it."`
}

// Decide implements Command.
func (c InspectDevice) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.InspectDevice(s, record.DeviceInspected{
		Number: c.Device, Part: record.DevicePart(c.Part), Sound: c.Sound, Finding: c.Finding, Authority: c.Authority,
		Reference: c.Reference, Directed: c.Directed, By: e.By.Person,
	}))
}

// InspectDraw says that an inspector has checked the central record of a draw.
type InspectDraw struct {
	Ordinal   uint32 `json:"-" path:"ordinal"`
	Agrees    bool   `json:"agrees" doc:"The central record is what was drawn."`
	Witnessed bool   `json:"witnessed,omitempty" doc:"The inspector was present at the draw."`
	Finding   string `json:"finding" doc:"What was found. It stands in the journal for good: name nobody."`
	Reference string `json:"reference,omitempty" doc:"Of the report."`
}

// Decide implements Command.
func (c InspectDraw) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(game.InspectDraw(s, e.Series, c.Ordinal, record.DrawInspected{
		Agrees: c.Agrees, Witnessed: c.Witnessed, Finding: c.Finding, Reference: c.Reference, By: e.By.Person,
	}, e.Now))
}
