package api

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/staff"
)

// Venue is a place that sells.
type Venue struct {
	Number   uint32  `json:"number"`
	Kind     string  `json:"kind"`
	Name     string  `json:"name"`
	Operator uint32  `json:"operator,omitempty"`
	Hours    []Hours `json:"hours,omitempty" doc:"When it trades; absent if it never said, and then always."`
	Areas    []Area  `json:"areas,omitempty"`
}

// Hours is a time at which a venue trades every week.
type Hours struct {
	Weekday uint8  `json:"weekday" doc:"0 is Sunday."`
	From    uint16 `json:"from" doc:"First minute of the local day."`
	To      uint16 `json:"to" doc:"The minute after the last; over 1440 is in the next day."`
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

// NewOperator is the body with which an operator is added.
type NewOperator struct {
	Number  uint32 `json:"number"`
	Name    string `json:"name"`
	Licence string `json:"licence,omitempty"`
}

// NewVenue is the body with which a venue is added.
type NewVenue struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Operator uint32 `json:"operator,omitempty"`
}

// HoursList is the body with which hours are set.
type HoursList struct {
	Hours []Hours `json:"hours"`
}

// NewArea is the body with which an area is added.
type NewArea struct {
	Number uint16 `json:"number"`
	Name   string `json:"name"`
}

// DisplayReport is the body with which somebody reports a display.
type DisplayReport struct {
	Screen  string `json:"screen" enum:"draw,race"`
	Working bool   `json:"working"`
	Reason  string `json:"reason,omitempty"`
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

// NewTerminal is the body with which a terminal is added.
type NewTerminal struct {
	Venue   uint32 `json:"venue"`
	Channel string `json:"channel" enum:"writer,sst,display"`
	Area    uint16 `json:"area,omitempty"`
	Key     string `json:"key,omitempty" doc:"Its Ed25519 public key, base64. Absent for a device that brings its key by itself (allow-enrolment)."`
}

// NewKey is the body with which a terminal gets another key.
type NewKey struct {
	Key string `json:"key"`
}

// TerminalArea is the body with which a terminal is placed.
type TerminalArea struct {
	Area uint16 `json:"area" doc:"Number of an area of the venue in which the terminal stands."`
}

// Reason is the body of what needs a reason.
type Reason struct {
	Reason string `json:"reason"`
}

// placeRoutes registers what is done about venues and terminals.
func (s *server) placeRoutes() {
	param := func(names ...string) (list []*huma.Param) {
		for _, name := range names {
			list = append(list, &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeInteger}})
		}
		return list
	}
	s.handle(s.operation("list-venues", http.MethodGet, "/v1/venues", "All venues", "places", nil, nil, Venues{}), s.listVenues)
	s.handle(s.operation("add-operator", http.MethodPost, "/v1/operators", "Add an operator", "places", nil, NewOperator{}, Done{}), s.addOperator)
	s.handle(s.operation("add-venue", http.MethodPost, "/v1/venues", "Add a venue", "places", nil, NewVenue{}, Numbered{}), s.addVenue)
	s.handle(s.operation("set-hours", http.MethodPut, "/v1/venues/{venue}/hours", "Say when a venue trades", "places", param("venue"), HoursList{}, Done{}), s.setHours)
	s.handle(s.operation("add-area", http.MethodPost, "/v1/venues/{venue}/areas", "Add an area", "places", param("venue"), NewArea{}, Done{}), s.addArea)
	s.handle(s.operation("report-display", http.MethodPut, "/v1/venues/{venue}/areas/{area}/display", "Say whether a display works", "places", param("venue", "area"), DisplayReport{}, Done{}), s.reportDisplay)
	s.handle(s.operation("list-terminals", http.MethodGet, "/v1/terminals", "All terminals", "places", nil, nil, Terminals{}), s.listTerminals)
	s.handle(s.operation("add-terminal", http.MethodPost, "/v1/terminals", "Add a terminal", "places", nil, NewTerminal{}, Numbered{}), s.addTerminal)
	s.handle(s.operation("place-terminal", http.MethodPut, "/v1/terminals/{terminal}/area", "Place a terminal in an area of its venue", "places", param("terminal"), TerminalArea{}, Done{}), s.placeTerminal)
	s.handle(s.operation("key-terminal", http.MethodPut, "/v1/terminals/{terminal}/key", "Give a terminal another key", "places", param("terminal"), NewKey{}, Done{}), s.keyTerminal)
	s.handle(s.operation("revoke-terminal", http.MethodPost, "/v1/terminals/{terminal}/revocation", "Take a terminal's key away", "places", param("terminal"), Reason{}, Done{}), s.revokeTerminal)
}

func (s *server) listVenues(w http.ResponseWriter, r *http.Request) error {
	view := Venues{Venues: []Venue{}}
	p := s.house.People()
	for _, v := range p.Venues() {
		one := Venue{Number: v.ID, Kind: string(v.Kind), Name: v.Name, Operator: v.Operator}
		for _, h := range v.Hours {
			one.Hours = append(one.Hours, Hours{h.Weekday, h.From, h.To})
		}
		for _, a := range p.Areas(v.ID) {
			one.Areas = append(one.Areas, Area{a.ID, a.Name, a.Draw, a.Race})
		}
		view.Venues = append(view.Venues, one)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) addOperator(w http.ResponseWriter, r *http.Request) error {
	c := staff.AddOperator{By: callerOf(r).person.ID}
	err := s.read(w, r, field{name: "number", required: true, read: whole(&c.Operator, 1)}, field{name: "name", required: true, read: text(&c.Name)}, field{name: "licence", read: text(&c.Licence)})
	if err != nil {
		return err
	}
	return s.staff(w, r, c)
}

func (s *server) addVenue(w http.ResponseWriter, r *http.Request) error {
	c := staff.AddVenue{By: callerOf(r).person.ID}
	err := s.read(w, r, field{name: "kind", required: true, read: text(&c.Kind)}, field{name: "name", required: true, read: text(&c.Name)}, field{name: "operator", read: whole(&c.Operator, 1)})
	if err != nil {
		return err
	}
	added, err := first[*record.VenueAdded](s.house.Staff(r.Context(), c))
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Numbered{added.Venue})
	return nil
}

func (s *server) setHours(w http.ResponseWriter, r *http.Request) error {
	venue, err := number32(r, "venue")
	if err != nil {
		return err
	}
	c := staff.SetHours{By: callerOf(r).person.ID, Venue: venue}
	err = s.read(w, r, field{name: "hours", required: true, read: func(value json.RawMessage) error {
		var hours []Hours
		if json.Unmarshal(value, &hours) != nil {
			return errors.New("a list such as {\"weekday\":1,\"from\":600,\"to\":1320}")
		}
		for _, h := range hours {
			c.Hours = append(c.Hours, record.Trading{Weekday: h.Weekday, From: h.From, To: h.To})
		}
		return nil
	}})
	if err != nil {
		return err
	}
	return s.staff(w, r, c)
}

func (s *server) addArea(w http.ResponseWriter, r *http.Request) error {
	venue, err := number32(r, "venue")
	if err != nil {
		return err
	}
	var number uint32
	c := staff.AddArea{By: callerOf(r).person.ID, Venue: venue}
	if err := s.read(w, r, field{name: "number", required: true, read: small(&number)}, field{name: "name", required: true, read: text(&c.Name)}); err != nil {
		return err
	}
	c.Area = uint16(number)
	return s.staff(w, r, c)
}

// small reads a number of an area.
func small(to *uint32) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		const most = 1<<16 - 1
		if whole(to, 1)(value) != nil || *to > most {
			return errors.New("a whole number from 1 to 65535")
		}
		return nil
	}
}

func (s *server) reportDisplay(w http.ResponseWriter, r *http.Request) error {
	venue, err := number32(r, "venue")
	if err != nil {
		return err
	}
	area, err := number32(r, "area")
	if err != nil {
		return err
	}
	c := staff.ReportDisplay{By: callerOf(r).person.ID, Venue: venue}
	if area < 1<<16 {
		c.Area = uint16(area)
	}
	err = s.read(w, r, field{name: "screen", required: true, read: text((*string)(&c.Screen))},
		field{name: "working", required: true, read: flag(&c.Working)}, field{name: "reason", read: text(&c.Reason)})
	if err != nil {
		return err
	}
	return s.staff(w, r, c)
}

func (s *server) listTerminals(w http.ResponseWriter, r *http.Request) error {
	view := Terminals{Terminals: []Terminal{}}
	for _, t := range s.house.People().Posts() {
		one := Terminal{Number: t.Terminal, Venue: t.Venue, Channel: string(t.Channel), Area: t.Area, Revoked: t.Revoked, Person: t.Person}
		if t.Key != [32]byte{} {
			one.Key = base64.StdEncoding.EncodeToString(t.Key[:])
		}
		view.Terminals = append(view.Terminals, one)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) addTerminal(w http.ResponseWriter, r *http.Request) error {
	var area uint32
	var channel string
	c := staff.AddTerminal{By: callerOf(r).person.ID}
	err := s.read(w, r, field{name: "venue", required: true, read: whole(&c.Venue, 1)}, field{name: "channel", required: true, read: text(&channel)},
		field{name: "area", read: small(&area)}, field{name: "key", read: publicKey(&c.Key)})
	if err != nil {
		return err
	}
	c.Channel, c.Area = rulebook.Channel(channel), uint16(area)
	added, err := first[*record.TerminalAdded](s.house.Staff(r.Context(), c))
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Numbered{added.Terminal})
	return nil
}

func (s *server) placeTerminal(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "terminal")
	if err != nil {
		return err
	}
	c := staff.PlaceTerminal{By: callerOf(r).person.ID, Terminal: id}
	var area uint32
	if err := s.read(w, r, field{name: "area", required: true, read: small(&area)}); err != nil {
		return err
	}
	c.Area = uint16(area)
	return s.staff(w, r, c)
}

func (s *server) keyTerminal(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "terminal")
	if err != nil {
		return err
	}
	c := staff.KeyTerminal{By: callerOf(r).person.ID, Terminal: id}
	if err := s.read(w, r, field{name: "key", required: true, read: publicKey(&c.Key)}); err != nil {
		return err
	}
	return s.staff(w, r, c)
}

func (s *server) revokeTerminal(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "terminal")
	if err != nil {
		return err
	}
	c := staff.RevokeTerminal{By: callerOf(r).person.ID, Terminal: id}
	if err := s.read(w, r, field{name: "reason", required: true, read: text(&c.Reason)}); err != nil {
		return err
	}
	return s.staff(w, r, c)
}
