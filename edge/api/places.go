package api

import (
	"encoding/base64"
	"net/http"

	"drawhouse/decide/command"
)

// Venue is a place that sells.
type Venue struct {
	Number   uint32          `json:"number"`
	Kind     string          `json:"kind"`
	Name     string          `json:"name"`
	Operator uint32          `json:"operator,omitempty"`
	Hours    []command.Hours `json:"hours,omitempty" doc:"When it trades; absent if it never said, and then always."`
	Areas    []Area          `json:"areas,omitempty"`
}

// Area is a part of a venue.
type Area struct {
	Number uint16 `json:"number"`
	Name   string `json:"name"`
	Draw   bool   `json:"draw" doc:"Its draw display works."`
	Race   bool   `json:"race" doc:"Its race display works."`
}

// Venues are all venues.
type Venues struct {
	Venues []Venue `json:"venues"`
}

// Terminal is a terminal as a place of work.
type Terminal struct {
	Number  uint32 `json:"number"`
	Venue   uint32 `json:"venue"`
	Channel string `json:"channel"`
	Area    uint16 `json:"area,omitempty"`
	Key     string `json:"key,omitempty" doc:"Its Ed25519 public key, base64; absent if it has none."`
	Revoked bool   `json:"revoked,omitempty"`
	Person  uint32 `json:"person,omitempty" doc:"Who is on shift there."`
}

// Terminals are all terminals.
type Terminals struct {
	Terminals []Terminal `json:"terminals"`
}

// placeRoutes registers what is done about venues and terminals.
func (s *server) placeRoutes() {
	s.serve(route{
		name: "list-venues", path: "/v1/venues", says: "All venues", tag: "places", who: signedOn, out: Venues{},
	}, s.listVenues)
	s.serve(route{
		name: "list-terminals", path: "/v1/terminals", says: "All terminals", tag: "places", who: offices,
		out: Terminals{},
	}, s.listTerminals)
}

func (s *server) listVenues(w http.ResponseWriter, r *http.Request) error {
	view := Venues{Venues: []Venue{}}
	p := s.house.People()
	for _, v := range p.Venues() {
		one := Venue{Number: v.ID, Kind: string(v.Kind), Name: v.Name, Operator: v.Operator}
		for _, h := range v.Hours {
			one.Hours = append(one.Hours, command.Hours{Weekday: h.Weekday, From: h.From, To: h.To})
		}
		for _, a := range p.Areas(v.ID) {
			one.Areas = append(one.Areas, Area{a.ID, a.Name, a.Draw, a.Race})
		}
		view.Venues = append(view.Venues, one)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) listTerminals(w http.ResponseWriter, r *http.Request) error {
	view := Terminals{Terminals: []Terminal{}}
	for _, t := range s.house.People().Posts() {
		one := Terminal{Number: t.Terminal, Venue: t.Venue, Channel: string(t.Channel), Area: t.Area,
			Revoked: t.Revoked, Person: t.Person}
		if t.Key != [32]byte{} {
			one.Key = base64.StdEncoding.EncodeToString(t.Key[:])
		}
		view.Terminals = append(view.Terminals, one)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}
