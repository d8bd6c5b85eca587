package staff

import (
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Crew returns the records of the smallest crew that may play a rulebook's games at
// some venues, all on duty: one person at the central site, one in control of each
// venue, a writer at each writer terminal if tickets name one, and a working display
// where one is asked for. A demonstration is founded with it, and so are tests.
// Details commits to who a person is.
func Crew(book *rulebook.Book, venues []record.VenueAdded, terminals []record.TerminalAdded,
	details func(person uint32, role record.Role) record.Hash) []record.Body {
	c := crew{details: details}
	rule := book.Staffing()
	for _, role := range fills[rule.Game][:min(1, len(fills[rule.Game]))] {
		c.add(role, 0, 0)
	}
	for _, venue := range venues {
		for _, role := range fills[rule.Venue][:min(1, len(fills[rule.Venue]))] {
			c.add(role, venue.Venue, 0)
		}
		if rule.Display || rule.RaceDisplay {
			c.bodies = append(c.bodies,
				&record.AreaAdded{Venue: venue.Venue, Area: 1, Name: "Floor"},
				&record.DisplayReported{Venue: venue.Venue, Area: 1, Screen: record.ScreenDraw, Working: true},
				&record.DisplayReported{Venue: venue.Venue, Area: 1, Screen: record.ScreenRace, Working: true})
		}
	}
	for _, t := range terminals {
		if rule.Display || rule.RaceDisplay {
			c.bodies = append(c.bodies, &record.TerminalPlaced{Terminal: t.Terminal, Area: 1})
		}
		if t.Channel == string(rulebook.ChannelWriter) && book.NamesWriter() {
			c.add(record.RoleWriter, t.Venue, t.Terminal)
		}
	}
	return c.bodies
}

// Unnamed is the details of people whom no register knows, for tests.
func Unnamed(person uint32, role record.Role) record.Hash {
	return contentHash("unnamed", person, role)
}

type crew struct {
	details func(uint32, record.Role) record.Hash
	persons uint32
	bodies  []record.Body
}

// add brings in a person and puts the person on duty.
func (c *crew) add(role record.Role, venue, terminal uint32) {
	c.persons++
	c.bodies = append(c.bodies,
		&record.PersonAdded{Person: c.persons, Details: c.details(c.persons, role)},
		&record.RoleGranted{Person: c.persons, Role: role, Venue: venue},
		&record.ShiftBegun{Person: c.persons, Role: role, Venue: venue, Terminal: terminal})
}
