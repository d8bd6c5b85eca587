package state

import (
	"maps"
	"slices"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// This file has the places of work: operators, venues, areas with their displays, and terminals.

// placeFolds are about places. A venue and a terminal are added by houseFolds.
func placeFolds() []folding {
	return []folding{
		onPeople((*People).addOperator),
		onPeople((*People).operate),
		onPeople((*People).setHours),
		onPeople((*People).addArea),
		onPeople((*People).placeTerminal),
		onPeople((*People).reportDisplay),
		onPeople((*People).keyTerminal),
		onPeople((*People).revokeTerminal),
	}
}

// Operator is a firm that runs the house or a venue.
type Operator struct {
	ID            uint32
	Name, Licence string
}

// Premises are a venue as a place of work.
type Premises struct {
	ID       uint32
	Kind     rulebook.VenueKind
	Name     string
	Operator uint32 // 0 where nobody has said
	// Hours are when the venue trades; HasHours is false for one that never said, and
	// that one trades whenever there is a game.
	HasHours bool
	Hours    []record.Trading
}

// Closed reports whether the venue has said that it never trades.
func (p *Premises) Closed() bool { return p.HasHours && len(p.Hours) == 0 }

// areaKey returns the number of an area among those of all venues.
func areaKey(venue uint32, area uint16) uint64 { return uint64(venue)<<16 | uint64(area) }

// Area is a part of a venue. Draw and Race say whether its displays work.
type Area struct {
	Venue      uint32
	ID         uint16
	Name       string
	Draw, Race bool
}

// Shows reports whether the area's display of a screen works.
func (a Area) Shows(screen record.Screen) bool {
	if screen == record.ScreenRace {
		return a.Race
	}
	return a.Draw
}

// Post is a terminal as a place of work.
type Post struct {
	Terminal uint32
	Venue    uint32
	Channel  rulebook.Channel
	Area     uint16 // 0 for none
	// Key verifies what the terminal signs; it is zero for one that never had a key
	// and for one whose key was taken away.
	Key     [32]byte
	Revoked bool
	Person  uint32 // who is on shift there; 0 for nobody
}

// Operator returns an operator.
func (p *People) Operator(id uint32) (Operator, bool) {
	o, ok := p.operators[id]
	return o, ok
}

// Premises returns a venue. The caller must not change its hours.
func (p *People) Premises(id uint32) (Premises, bool) { return valueOf(p.venues.get(id)) }

// Area returns an area of a venue.
func (p *People) Area(venue uint32, area uint16) (Area, bool) {
	return valueOf(p.areas.get(areaKey(venue, area)))
}

// Post returns a terminal.
func (p *People) Post(terminal uint32) (Post, bool) { return valueOf(p.terminals.get(terminal)) }

// KeyHolder returns the terminal that signs with a key.
func (p *People) KeyHolder(key [32]byte) (terminal uint32, ok bool) {
	for number, post := range p.terminals.all() {
		if post.Key == key && !post.Revoked {
			return number, true
		}
	}
	return 0, false
}

// Posts returns all terminals, by number.
func (p *People) Posts() []Post { return p.terminals.values() }

// Venues returns all venues, by number.
func (p *People) Venues() []Premises { return p.venues.values() }

// Areas returns the areas of a venue, by number.
func (p *People) Areas(venue uint32) []Area {
	var found []Area
	for _, area := range p.areas.all() {
		if area.Venue == venue {
			found = append(found, *area)
		}
	}
	return found
}

// NextTerminal returns the number of the next terminal.
func (p *People) NextTerminal() uint32 { return p.terminals.next() }

// NextVenue returns the number of the next venue.
func (p *People) NextVenue() uint32 { return p.venues.next() }

func (p *People) addOperator(b *record.OperatorAdded) error {
	if _, ok := p.operators[b.Operator]; ok {
		return cannot("operator %d is added twice", b.Operator)
	}
	p.operators = maps.Clone(p.operators)
	p.operators[b.Operator] = Operator{b.Operator, b.Name, b.Licence}
	return p.checkBy(b.By)
}

func (p *People) operate(b *record.VenueOperated) error {
	venue := p.venues.change(b.Venue)
	if _, known := p.operators[b.Operator]; venue == nil || !known {
		return cannot("operator %d for venue %d", b.Operator, b.Venue)
	}
	venue.Operator = b.Operator
	return p.checkBy(b.By)
}

func (p *People) setHours(b *record.HoursSet) error {
	venue := p.venues.change(b.Venue)
	if venue == nil {
		return cannot("there is no venue %d", b.Venue)
	}
	venue.HasHours, venue.Hours = true, slices.Clone(b.Hours)
	return p.checkBy(b.By)
}

func (p *People) addArea(b *record.AreaAdded) error {
	key := areaKey(b.Venue, b.Area)
	if p.venues.get(b.Venue) == nil || p.areas.get(key) != nil {
		return cannot("area %d of venue %d", b.Area, b.Venue)
	}
	p.areas.put(key, &Area{Venue: b.Venue, ID: b.Area, Name: b.Name})
	return p.checkBy(b.By)
}

func (p *People) placeTerminal(b *record.TerminalPlaced) error {
	post := p.terminals.change(b.Terminal)
	if post == nil || p.areas.get(areaKey(post.Venue, b.Area)) == nil {
		return cannot("terminal %d in area %d", b.Terminal, b.Area)
	}
	post.Area = b.Area
	return p.checkBy(b.By)
}

func (p *People) reportDisplay(b *record.DisplayReported) error {
	area := p.areas.change(areaKey(b.Venue, b.Area))
	if area == nil {
		return cannot("there is no area %d of venue %d", b.Area, b.Venue)
	}
	if b.Screen == record.ScreenRace {
		area.Race = b.Working
	} else {
		area.Draw = b.Working
	}
	return p.checkBy(b.By)
}

func (p *People) keyTerminal(b *record.TerminalKeyed) error {
	post := p.terminals.change(b.Terminal)
	if post == nil {
		return cannot("there is no terminal %d", b.Terminal)
	}
	post.Key, post.Revoked = b.Key, false
	return p.checkBy(b.By)
}

func (p *People) revokeTerminal(b *record.TerminalRevoked) error {
	post := p.terminals.change(b.Terminal)
	if post == nil || post.Revoked {
		return cannot("terminal %d is revoked", b.Terminal)
	}
	post.Key, post.Revoked = [32]byte{}, true
	return p.checkBy(b.By)
}
