package cases

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file has the verbs of people and places: who is on duty, when a venue trades,
// and whether its display works.

func init() {
	for verb, do := range map[string]func(*run, string) (string, error){
		"on": (*run).on, "off": (*run).off, "leaves": (*run).leaves, "sell-to": (*run).sellTo,
		"hours": (*run).hours, "display": (*run).display, "turn": (*run).turn,
	} {
		verbs[verb] = do
	}
}

// staffed is a house whose people and places can be changed.
type staffed interface{ Staff(staff.Command) error }

// staff makes a change about people or places.
func (r *run) staff(c staff.Command) error {
	house, ok := r.house.(staffed)
	if !ok {
		return errors.New("cases: the people of this house cannot be changed")
	}
	return house.Staff(c)
}

// sellingTo is a house that sells to somebody who works in it.
type sellingTo struct {
	House
	player uint32
}

// Sell implements House.
func (s sellingTo) Sell(o Order) (Ticket, error) {
	o.Player = s.player
	return s.House.Sell(o)
}

// Staff implements staffed.
func (c *Core) Staff(change staff.Command) error {
	tell(change)
	_, err := c.Engine.Do(c.tick(), command.Change{Command: change}, command.Env{})
	return err
}

// Staff implements staffed. It goes to the house itself: who may ask for it is a matter
// of the interface and not of a clause.
func (s *Served) Staff(change staff.Command) error {
	s.tick()
	_, err := s.house.Do(context.Background(), command.Change{Command: change}, record.By{})
	return err
}

var rolePattern = regexp.MustCompile(`^(\w+)(?: at V(\d+))?(?: on T(\d+))?$`)

// grantOf reads a role: ROLE [at VENUE] [on TERMINAL].
func grantOf(text string) (g state.Grant, terminal uint32, err error) {
	words, err := phrase(rolePattern, text, "ROLE [at VENUE] [on TERMINAL]")
	if err != nil {
		return g, 0, err
	}
	return state.Grant{Role: record.Role(words[0]), Venue: uint32(number(words[1]))}, uint32(number(words[2])), nil
}

// on brings somebody into the house and puts the person on duty.
func (r *run) on(text string) (string, error) {
	grant, terminal, err := grantOf(text)
	if err != nil {
		return "", err
	}
	id, err := r.member(grant)
	if err != nil {
		return "", err
	}
	return "on duty", r.staff(staff.Begin{Person: id, Grant: grant, Terminal: terminal})
}

// member brings somebody with a role into the house. An inspector is there already: nobody
// makes one alone.
func (r *run) member(grant state.Grant) (uint32, error) {
	if grant.Role == record.RoleInspector {
		return inspector, nil
	}
	s, err := r.house.State()
	if err != nil {
		return 0, err
	}
	id := s.People().NextPerson()
	return id, r.staff(staff.AddPerson{Details: staff.Unnamed(id, grant.Role), Grants: []state.Grant{grant}})
}

// onDuty returns the first person on duty in a role.
func (r *run) onDuty(grant state.Grant, terminal uint32) (uint32, error) {
	s, err := r.house.State()
	if err != nil {
		return 0, err
	}
	all := s.People().Persons()
	i := slices.IndexFunc(all, func(p state.Person) bool {
		return p.Shift.On() && p.Shift.Grant == grant && (terminal == 0 || p.Shift.Terminal == terminal)
	})
	if i < 0 {
		return 0, fmt.Errorf("nobody is on duty as %v", grant)
	}
	return all[i].ID, nil
}

// off takes the first person in a role off duty.
func (r *run) off(text string) (string, error) {
	grant, terminal, err := grantOf(text)
	if err != nil {
		return "", err
	}
	id, err := r.onDuty(grant, terminal)
	if err != nil {
		return "", err
	}
	return "off duty", r.staff(staff.End{By: id, Person: id})
}

// leaves has the first person in a role say that they will go.
func (r *run) leaves(text string) (string, error) {
	grant, terminal, err := grantOf(text)
	if err != nil {
		return "", err
	}
	id, err := r.onDuty(grant, terminal)
	if err != nil {
		return "", err
	}
	return "leaves", r.staff(staff.Leave{Person: id})
}

var toPattern = regexp.MustCompile(`^(\w+(?: at V\d+)?)( on duty)?: (.*)$`)

// sellTo sells to somebody who works in the house: ROLE [at VENUE] [on duty]: SALE.
func (r *run) sellTo(text string) (string, error) {
	words, err := phrase(toPattern, text, "ROLE [at VENUE] [on duty]: SALE")
	if err != nil {
		return "", err
	}
	grant, _, err := grantOf(words[0])
	if err != nil {
		return "", err
	}
	player, err := r.member(grant)
	if err != nil {
		return "", err
	}
	if words[1] != "" {
		if err := r.staff(staff.Begin{Person: player, Grant: grant}); err != nil {
			return "", err
		}
	}
	seller := r.house
	r.house = sellingTo{seller, player}
	defer func() { r.house = seller }()
	return r.sell(words[2])
}

var hoursPattern = regexp.MustCompile(`^V(\d+) (\d\d):(\d\d)-(\d\d):(\d\d)$`)

// hours sets the hours of a venue, the same on every day: VENUE HH:MM-HH:MM.
func (r *run) hours(text string) (string, error) {
	if venue, closed := strings.CutSuffix(text, " never"); closed {
		return "set", r.staff(staff.SetHours{Venue: uint32(number(strings.TrimPrefix(venue, "V")))})
	}
	words, err := phrase(hoursPattern, text, "VENUE HH:MM-HH:MM")
	if err != nil {
		return "", err
	}
	minute := func(hours, minutes string) uint16 { return uint16(60*number(hours) + number(minutes)) }
	var week []record.Trading
	for weekday := range uint8(7) {
		week = append(week, record.Trading{Weekday: weekday, From: minute(words[1], words[2]),
			To: minute(words[3], words[4])})
	}
	return "set", r.staff(staff.SetHours{Venue: uint32(number(words[0])), Hours: week})
}

var displayPattern = regexp.MustCompile(`^(draw|race) at V(\d+) (works|fails)$`)

// display reports a display of a venue's one area: SCREEN at VENUE works|fails.
func (r *run) display(text string) (string, error) {
	words, err := phrase(displayPattern, text, "SCREEN at VENUE works|fails")
	if err != nil {
		return "", err
	}
	return words[2], r.staff(staff.ReportDisplay{Venue: uint32(number(words[1])), Area: 1,
		Screen: record.Screen(words[0]), Working: words[2] == "works"})
}

// turn closes the game on sale and opens the next.
func (r *run) turn(string) (string, error) { return "turned", r.house.TurnGame() }
