package state

import (
	"drawhouse/journal/record"
)

// Registered is a drawing device of the register of the house.
type Registered struct {
	record.DeviceRegistered
	// Failed says that an inspection found the device unsound: it is out of service.
	Failed bool
	// Inspections counts the inspections, of which Last is the newest and At its time.
	Inspections uint32
	Last        record.DeviceInspected
	At          record.Time
}

// Registered returns the devices of the register, by number - 1. The caller must not change them.
func (s *State) Registered() []Registered { return s.register }

// RegisteredDevice returns a device of the register.
func (s *State) RegisteredDevice(number uint32) (Registered, bool) {
	if number == 0 || int(number) > len(s.register) {
		return Registered{}, false
	}
	return s.register[number-1], true
}

// DrawnBy returns the number in the register of what draws the games that open from now on; 0 where
// nobody has chosen one of the register.
func (s *Series) DrawnBy() uint32 { return s.devices.registered }

func (s *State) registerDevice(b *record.DeviceRegistered) error {
	if int(b.Number) != len(s.register)+1 {
		return cannot("device %d is registered behind %d others", b.Number, len(s.register))
	}
	s.register = append(s.register, Registered{DeviceRegistered: *b})
	s.noted.whole(allDevices)
	return nil
}

func (s *State) inspectDevice(b *record.DeviceInspected, at record.Time) error {
	if _, ok := s.RegisteredDevice(b.Number); !ok {
		return cannot("device %d is inspected, and the register has %d", b.Number, len(s.register))
	}
	d := &s.register[b.Number-1]
	d.Failed = d.Failed || b.Part == record.PartDevice && !b.Sound
	d.Inspections++
	d.Last, d.At = *b, at
	s.noted.whole(allDevices)
	return nil
}

// inspectDraw keeps nothing of a draw that was made: what an inspector has found stands in the journal and in the book
// of the day. Of a game that waits for its round it keeps that the round does not exist.
func (s *State) inspectDraw(b *record.DrawInspected) error {
	series, ok := s.series[b.Game.Series]
	if !ok {
		return cannot("series %d does not exist", b.Game.Series)
	}
	named, ok := series.games.named(b.Game)
	if !ok {
		return cannot("game %v, whose draw is inspected, does not exist", b.Game)
	}
	g, ok := series.Game(named.Ordinal)
	if ok && b.Revision == 0 && g.Phase == PhaseSealed && g.Round > 0 && len(g.Signature) == 0 && !b.Agrees {
		_, waiting, err := s.gameIn(b.Game, PhaseSealed)
		if err == nil {
			waiting.NoRound = true
		}
		return err
	}
	if !ok || g.Phase != PhaseSettled || g.Settled.Revision != b.Revision {
		return cannot("settlement %d of game %v is inspected, and is not the last one", b.Revision, b.Game)
	}
	return nil
}
