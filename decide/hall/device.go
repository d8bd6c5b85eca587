package hall

import (
	"slices"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// out finds an electronic card that was issued and has not come back.
func out(s *state.State, ref record.HallSession, device uint32) (room, *state.Session, error) {
	r, session, err := sessionOf(s, ref)
	if err != nil {
		return r, nil, err
	}
	if _, ok := session.Device(device); !ok {
		return r, nil, refuse(DeviceUnknown, "3.2.2", "device",
			"Electronic card %d is not out in session %d.", device, ref.Session)
	}
	return r, session, nil
}

// checkElectronic refuses as an electronic card what is no device of the venue of the room that
// shows and does not sell: it could show nothing to its holder, or is the house's own. And
// one that is out, in this room or another, has its holder. The path is that of the field
// that names it.
//
//rule:nsw-bingo-2019 3.2.2
func (r room) checkElectronic(s *state.State, device uint32, path string) error {
	post, ok := s.People().Post(device)
	if !ok || post.Venue != r.Opened.Venue {
		return refuse(DeviceUnknown, "3.2.2", path, "Electronic card %d is no terminal of the room's venue.", device)
	}
	if post.Channel != rulebook.ChannelDisplay {
		return refuse(DeviceUnknown, "3.2.2", path,
			"Terminal %d is a %s, and not a device for players.", device, post.Channel)
	}
	for id, h := range All(s) {
		for _, session := range h.Sessions {
			if _, out := session.Device(device); out {
				return refuse(DeviceOut, "3.2.2", path,
					"Electronic card %d is out in session %d of room %d.", device, session.Set.Session, id)
			}
		}
	}
	return nil
}

// HeldBy returns who holds an electronic card in a venue, and in which game: the one in
// play, or the last one of a session that is over.
//
//rule:nsw-bingo-2019 3.2.2
func HeldBy(s Reading, venue, device uint32) (ref record.BingoGame, player uint32, err error) {
	for id, h := range All(s) {
		if h.Opened.Venue != venue {
			continue
		}
		session, ok := InPlay(h)
		if !ok {
			continue
		}
		held, ok := session.Device(device)
		if !ok {
			continue
		}
		game, playing := session.Current()
		if !playing {
			game = &session.Games[len(session.Games)-1]
		}
		return record.BingoGame{Hall: id, Session: session.Set.Session, Game: game.Number}, held.Player, nil
	}
	return ref, 0, refuse(DeviceUnknown, "3.2.2", "terminal", "Electronic card %d is issued to nobody.", device)
}

// Fail says that an electronic card does not work: play stops until it is replaced.
//
//rule:nsw-bingo-2019 8.5
func Fail(s *state.State, f record.DeviceFailed) (*record.DeviceFailed, error) {
	_, session, err := out(s, f.Session, f.Device)
	if err != nil {
		return nil, err
	}
	if session.Halted != 0 {
		return nil, refuse(PlayHalted, "8.5", "device",
			"Play stands still already, because of electronic card %d.", session.Halted)
	}
	return &f, nil
}

// Replace puts another electronic card in the place of the one that failed. All
// numbers called are marked on it, so that its holder can still call on the last.
//
//rule:nsw-bingo-2019 8.5
func Replace(s *state.State, failed record.DeviceFailed, device uint32) (*record.DeviceReplaced, error) {
	r, session, err := out(s, failed.Session, failed.Device)
	if err != nil {
		return nil, err
	}
	if session.Halted != failed.Device {
		return nil, refuse(DeviceUnknown, "8.5", "device",
			"Electronic card %d has not failed: nothing replaces it.", failed.Device)
	}
	if err := r.checkElectronic(s, device, "with"); err != nil {
		return nil, err
	}
	replaced := &record.DeviceReplaced{Old: failed, Device: device}
	if game, ok := session.Current(); ok {
		replaced.Marked = slices.Clone(game.Calls)
	}
	return replaced, nil
}

// Return takes an electronic card back, or has a supervisor say that it is missing. Play waits for the replacement
// of a failed card so that its holder is not disadvantaged. A holder who is shut out plays no more: the failed
// card comes back, and play goes on.
//
//rule:nsw-bingo-2019 3.2.2 8.5
func Return(s *state.State, d record.DeviceReturned) (*record.DeviceReturned, error) {
	_, session, err := out(s, d.Session, d.Device)
	if err != nil {
		return nil, err
	}
	if d.Missing {
		if err := needRank(d.By, record.RankSupervisor, "3.2.2"); err != nil {
			return nil, err
		}
	}
	if _, playing := session.Current(); playing && session.Halted == d.Device && !session.IsHeldByBarred(d.Device) {
		return nil, refuse(PlayHalted, "8.5", "device", "Electronic card %d has failed; it is replaced.", d.Device)
	}
	return &d, nil
}
