package verify

import "drawhouse/journal/record"

// placeKinds are the kinds of the places where people work. No money moves by them.
func placeKinds() []rower {
	return []rower{
		plain(CheckHouse, (*checker).operatorAdded).by(administrators).
			naming(func(c *checker, b *record.OperatorAdded) error { return c.checkPlaceName(b.Name) }),
		plain(CheckHouse, (*checker).venueOperated).by(administrators),
		plain(CheckHouse, (*checker).venueRenamed).by(administrators).
			naming(func(c *checker, b *record.VenueRenamed) error { return c.checkVenueName(b.Venue, b.Name) }),
		plain(CheckHouse, (*checker).hoursSet).by(administrators),
		plain(CheckHouse, (*checker).areaAdded).by(administrators).
			naming(func(c *checker, b *record.AreaAdded) error { return c.checkPlaceName(b.Name) }),
		plain(CheckHouse, (*checker).terminalPlaced).by(administrators),
		plain(CheckHouse, (*checker).displayReported).
			byAt(seniorRole, func(_ *checker, b *record.DisplayReported) uint32 { return b.Venue }).
			alone(takesNobody), // A display is silent.
		plain(CheckHouse, (*checker).terminalKeyed).by(administrators),
		plain(CheckHouse, (*checker).terminalRevoked).by(administrators),
	}
}

func (c *checker) operatorAdded(b *record.OperatorAdded) error {
	return c.once(c.people.operators, b.Operator, "operator", b.By)
}

func (c *checker) venueOperated(b *record.VenueOperated) error {
	return c.refers(b.By, c.hasVenue(b.Venue) && c.people.operators[b.Operator],
		"venue %d or operator %d was not added", b.Venue, b.Operator)
}

func (c *checker) venueRenamed(b *record.VenueRenamed) error {
	place, known := c.venues[b.Venue]
	if known {
		place.name = b.Name
		c.venues[b.Venue] = place
	}
	return c.refers(b.By, known, "venue %d was not added", b.Venue)
}

func (c *checker) hoursSet(b *record.HoursSet) error {
	c.people.hours[b.Venue] = b.Hours
	return c.refers(b.By, c.hasVenue(b.Venue), "venue %d was not added", b.Venue)
}

func (c *checker) areaAdded(b *record.AreaAdded) error {
	at := area{b.Venue, b.Area}
	_, known := c.people.areas[at]
	c.people.areas[at] = displays{}
	return c.refers(b.By, c.hasVenue(b.Venue) && !known, "area %d of venue %d", b.Area, b.Venue)
}

func (c *checker) terminalPlaced(b *record.TerminalPlaced) error {
	t := c.terminals[b.Terminal]
	if t == nil {
		return c.refers(b.By, false, "terminal %d was not added", b.Terminal)
	}
	_, known := c.people.areas[area{t.venue, b.Area}]
	t.area = b.Area
	return c.refers(b.By, known, "terminal %d in area %d", b.Terminal, b.Area)
}

func (c *checker) displayReported(b *record.DisplayReported) error {
	at := area{b.Venue, b.Area}
	shown, known := c.people.areas[at]
	if b.Screen == record.ScreenRace {
		shown.race = b.Working
	} else {
		shown.draw = b.Working
	}
	c.people.areas[at] = shown
	return c.refers(b.By, known, "area %d of venue %d was not added", b.Area, b.Venue)
}

// terminalKeyed checks that no two terminals sign with one key.
func (c *checker) terminalKeyed(b *record.TerminalKeyed) error {
	if other := c.people.holders[b.Key]; other != b.Terminal && c.people.keys[other] == b.Key {
		return fault(CheckPeople, "terminals %d and %d would sign with one key", other, b.Terminal)
	}
	delete(c.people.revoked, b.Terminal)
	c.people.keys[b.Terminal], c.people.holders[b.Key] = b.Key, b.Terminal
	return c.refers(b.By, c.terminals[b.Terminal] != nil, "terminal %d was not added", b.Terminal)
}

func (c *checker) terminalRevoked(b *record.TerminalRevoked) error {
	known := c.terminals[b.Terminal] != nil && !c.people.revoked[b.Terminal]
	c.people.revoked[b.Terminal] = true
	delete(c.people.keys, b.Terminal)
	return c.refers(b.By, known, "terminal %d was not added, or has no key any more", b.Terminal)
}
