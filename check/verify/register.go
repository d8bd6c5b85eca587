package verify

import (
	"slices"
	"strings"

	"drawhouse/journal/record"
)

// A registered device is one that two persons have entered into the register.
type registered struct {
	kind                 record.Device
	maker, model, serial string
	failed               bool // an inspection found it unsound
}

// registeredDevice returns a device of the register, or nil.
func (c *checker) registeredDevice(number uint32) *registered {
	if number == 0 || int(number) > len(c.register) {
		return nil
	}
	return c.register[number-1]
}

// deviceRegistered checks that a device is entered under the next number, with all that the register
// keeps, and not beside itself.
func (c *checker) deviceRegistered(b *record.DeviceRegistered) error {
	s := c.series[b.Series]
	if s == nil {
		return fault(CheckDraw, "a device is registered for series %d, which has not begun", b.Series)
	}
	if int(b.Number) != len(c.register)+1 {
		return fault(CheckDraw, "device %d is registered, and the next number is %d", b.Number, len(c.register)+1)
	}
	for _, text := range []string{b.Maker, b.Serial, b.Site, b.Reference} {
		if strings.TrimSpace(text) == "" {
			return fault(CheckDraw, "device %d has no maker, serial number, site or approval", b.Number)
		}
	}
	if !slices.Contains(s.rulesNow().book.Draw().Devices, string(b.Device)) {
		return fault(CheckDraw, "device %d is %s, by which the rulebook does not draw", b.Number, b.Device)
	}
	for i, d := range c.register {
		if !d.failed && d.maker == b.Maker && d.model == b.Model && d.serial == b.Serial {
			return fault(CheckDraw, "device %d is device %d, which is in service", b.Number, i+1)
		}
	}
	c.register = append(c.register, &registered{kind: b.Device, maker: b.Maker, model: b.Model, serial: b.Serial})
	return nil
}

// agreedDevice reports whether a device is entered as two persons agreed.
func agreedDevice(_ *checker, b *record.DeviceRegistered, a *approval) bool {
	return a.by == b.By && a.says.Device == string(b.Device) && a.says.Maker == b.Maker && a.says.Model == b.Model &&
		a.says.SerialNumber == b.Serial && a.says.Site == b.Site && a.says.Medium == b.Medium &&
		a.says.Reference == b.Reference
}

// deviceInspected follows what was found of a device that is in service.
func (c *checker) deviceInspected(b *record.DeviceInspected) error {
	d := c.registeredDevice(b.Number)
	switch {
	case d == nil:
		return fault(CheckDraw, "device %d is inspected, and the register has %d", b.Number, len(c.register))
	case d.failed:
		return fault(CheckDraw, "device %d is inspected, and is out of service", b.Number)
	case b.Part == record.PartBalls && d.kind != record.DeviceCage:
		return fault(CheckDraw, "the balls of device %d are inspected, which is %s", b.Number, d.kind)
	case strings.TrimSpace(b.Finding) == "":
		return fault(CheckDraw, "device %d is inspected, and nothing is said of what was found", b.Number)
	}
	d.failed = b.Part == record.PartDevice && !b.Sound
	return nil
}

// inspectors returns who may say what was found: of the balls of a machine employees, and of a device the
// central site or inspectors.
func inspectors(_ *checker, _ uint32, b *record.DeviceInspected) []record.Role {
	if b.Part == record.PartBalls {
		return append(slices.Clone(staffRoles), record.RoleInspector)
	}
	return overseerRoles
}

// drawInspected checks that an inspector looked at the last settlement of a game that has one.
func (c *checker) drawInspected(b *record.DrawInspected) error {
	s := c.series[b.Game.Series]
	if s != nil && s.byName[b.Game] != nil && s.byName[b.Game].stage == stageSealed && s.byName[b.Game].round.number > 0 {
		return c.noRound(s.byName[b.Game], b)
	}
	if s == nil || s.byName[b.Game] == nil || s.byName[b.Game].stage != stageSettled {
		return fault(CheckDraw, "the draw of game %v is inspected, and the game is not settled", b.Game)
	}
	if last := s.byName[b.Game].settled.revision; b.Revision != last {
		return fault(CheckDraw, "settlement %d of game %v is inspected, and the last one is %d", b.Revision, b.Game, last)
	}
	if strings.TrimSpace(b.Finding) == "" {
		return fault(CheckDraw, "the draw of game %v is inspected, and nothing is said of what was found", b.Game)
	}
	return nil
}

// chosenOf checks which device of the register is chosen. Once one of them draws, the rulebook may not let
// a device draw that is none of them.
func (c *checker) chosenOf(s *series, b *record.DeviceChosen) error {
	d := c.registeredDevice(b.Registered)
	switch {
	case b.Registered != 0 && d == nil:
		return fault(CheckDraw, "games are drawn by device %d, and the register has %d", b.Registered, len(c.register))
	case d != nil && (d.kind != b.Device || d.failed):
		return fault(CheckDraw, "games are drawn by device %d as %s, which is %s or out of service", b.Registered, b.Device,
			d.kind)
	case d == nil && s.device.registered != 0 && s.rulesNow().book.Draw().Registered:
		return fault(CheckDraw, "games are drawn by %s, which is not in the register, after device %d of it", b.Device,
			s.device.registered)
	}
	return nil
}

// choosesAmong reports whether a record exchanges the device and keeps its kind, which two persons do. What
// kind of device draws is part of how a house is set up.
func choosesAmong(c *checker, b *record.DeviceChosen, using *approval) bool {
	s := c.series[b.Series]
	if using != nil || s == nil {
		return using != nil
	}
	kind := s.device.kind
	if kind == "" {
		kind = record.DeviceGenerator
	}
	return b.Registered != 0 && (s.device.registered == 0 || kind == b.Device && s.device.registered != b.Registered)
}
