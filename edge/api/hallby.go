package api

import (
	"context"
	"fmt"
	"net/http"

	"drawhouse/core/refusal"
	"drawhouse/decide/hall"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// VenueOther: who asks is of another venue.
const VenueOther = staff.OtherVenue

// roomClause is the clause by which a room is worked and looked into from its own venue: the
// station is where its players are registered and its cards issued. The reading
// terminals-of-the-room says so.
const roomClause = "1.1.dealer-station"

func otherVenue(path, format string, args ...any) error {
	return &refusal.Refusal{Code: VenueOther, Clause: roomClause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}

// byOf finds out who does something in a bingo room, and in which rank. It is the person
// who has signed on, or who is on shift at the device that signed the request: nobody
// says it of another. A room that is not there yet is in no venue.
func (s *server) byOf(req *http.Request, room uint8) (record.By, error) {
	venue, err := s.venueOf(req.Context(), room)
	if err != nil {
		return record.By{}, err
	}
	c := callerOf(req)
	if c.terminal != 0 {
		post, err := s.postAt(c.terminal, venue)
		switch {
		case err != nil:
			return record.By{}, err
		case post.Person == 0:
			return record.By{}, staff.NobodyAt(c.terminal, "", "")
		}
		c.person, _ = s.house.People().Person(post.Person)
	}
	return ranked(c.person, venue)
}

// within refuses who reads of another venue's room what is not for everybody. Unlike what is
// done there (byOf) it takes nobody on shift at the device: the desk shows how it stands
// before its dealer has signed on. Of a room that is not there the reading says so itself.
func (s *server) within(req *http.Request, room uint8) error {
	venue, err := s.venueOf(req.Context(), room)
	if err != nil || venue == 0 {
		return err
	}
	if c := callerOf(req); c.terminal != 0 {
		_, err = s.postAt(c.terminal, venue)
	} else {
		_, err = ranked(c.person, venue)
	}
	return err
}

// postAt returns a device that stands in the venue of a room.
func (s *server) postAt(device, venue uint32) (state.Post, error) {
	post, _ := s.terminals.post(device)
	if venue != 0 && post.Venue != venue {
		return post, otherVenue("terminal", "Terminal %d stands in another venue than the room.", device)
	}
	return post, nil
}

// ranked returns a person with the rank that they have in the venue of a room.
func ranked(p state.Person, venue uint32) (record.By, error) {
	rank, ok := rankOf(p, venue)
	if !ok {
		return record.By{}, otherVenue("person", "Person %d has no role in the venue of the room.", p.ID)
	}
	return record.By{Person: p.ID, Rank: rank}, nil
}

// venueOf returns the venue of a room, or 0 if there is no such room.
func (s *server) venueOf(ctx context.Context, room uint8) (venue uint32, err error) {
	err = s.house.ReadHall(ctx, room, func(v *state.View, _ *hall.Kit) error {
		if found, ok := v.Hall(room); ok {
			venue = found.Opened.Venue
		}
		return nil
	})
	return venue, err
}

// rankOf returns the highest rank in which a person may act in a venue: the central site
// stands above the venue, its senior above those who deal.
func rankOf(p state.Person, venue uint32) (record.Rank, bool) {
	switch {
	case p.HasAny(staff.Central()...):
		return record.RankCasino, true
	case p.Has(record.RoleSenior, venue):
		return record.RankSupervisor, true
	case p.Has(record.RoleWriter, venue):
		return record.RankDealer, true
	}
	return 0, false
}
