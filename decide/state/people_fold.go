package state

import (
	"maps"
	"slices"

	"drawhouse/journal/record"
)

// peopleFolds are about people and places. A venue and a terminal are added by houseFolds.
func peopleFolds() []folding {
	return []folding{
		onPeople((*People).addOperator),
		onPeople((*People).operate),
		onPeople((*People).setHours),
		onPeople((*People).addArea),
		onPeople((*People).placeTerminal),
		onPeople((*People).reportDisplay),
		onPeople((*People).keyTerminal),
		onPeople((*People).revokeTerminal),
		atPeople((*People).beginShift),
		onPeople((*People).announceEnd),
		onPeople((*People).endShift),
		atPeople((*People).requestApproval),
		atPeople((*People).decideApproval),
		onPeople((*People).useApproval),
		atPeople((*People).addPerson),
		onPeople((*People).erasePerson),
		atPeople((*People).grantRole),
		onPeople((*People).withdrawRole),
		atPeople((*People).setPassword),
		atPeople((*People).setLock),
		atPeople((*People).invite),
		atPeople((*People).recover),
	}
}

// atPeople applies the records whose body has one type to the people.
func atPeople[B record.Body](apply func(*People, B, record.Time) error) folding {
	return at(func(s *State, b B, now record.Time) error {
		s.noted.whole(allPeople)
		return apply(s.people, b, now)
	})
}

func onPeople[B record.Body](apply func(*People, B) error) folding {
	return atPeople(func(p *People, b B, _ record.Time) error { return apply(p, b) })
}

func (p *People) addPerson(b *record.PersonAdded, now record.Time) error {
	if p.persons.get(b.Person) != nil {
		return cannot("person %d is added twice", b.Person)
	}
	p.persons.put(b.Person, &Person{ID: b.Person, Details: b.Details})
	p.settled = p.settled || b.By != 0
	p.holdBy(b.By, b.Person, now)
	return p.checkBy(b.By)
}

func (p *People) erasePerson(b *record.PersonErased) error {
	return p.change(b.Person, b.By, func(q *Person) error {
		q.Erased, q.Secret = true, record.Hash{}
		return nil
	})
}

func (p *People) grantRole(b *record.RoleGranted, now record.Time) error {
	if p.holdBy(b.By, b.Person, now); b.By == 0 && b.Role == record.RoleAdministrator {
		p.founders++
	}
	p.appointed = p.appointed || b.By != 0
	return p.change(b.Person, b.By, func(q *Person) error { return p.grant(q, Grant{b.Role, b.Venue}) })
}

func (p *People) withdrawRole(b *record.RoleWithdrawn) error {
	p.lapse(b.Person, func(a *Approval) bool { return slices.Contains(a.Roles, b.Role) })
	return p.change(b.Person, b.By, func(q *Person) error { return withdraw(q, Grant{b.Role, b.Venue}) })
}

// change changes a person who is not erased.
func (p *People) change(id, by uint32, do func(*Person) error) error {
	if person := p.persons.get(id); person == nil || person.Erased {
		return cannot("there is no person %d", id)
	}
	if err := p.checkBy(by); err != nil {
		return err
	}
	return do(p.persons.change(id))
}

// checkBy refuses a record by somebody whom the house does not have. Person 0 is
// the house itself.
func (p *People) checkBy(by uint32) error {
	if by != 0 && p.persons.get(by) == nil {
		return cannot("it is by person %d, who does not exist", by)
	}
	return nil
}

func (p *People) grant(q *Person, g Grant) error {
	if slices.Contains(q.Grants, g) {
		return cannot("person %d is %s already", q.ID, g.Role)
	}
	if g.Venue != 0 && p.venues.get(g.Venue) == nil {
		return cannot("there is no venue %d", g.Venue)
	}
	q.Grants = append(slices.Clone(q.Grants), g)
	return nil
}

func withdraw(q *Person, g Grant) error {
	i := slices.Index(q.Grants, g)
	if i < 0 || q.Shift.Grant == g {
		return cannot("person %d is not %s, or is so on duty", q.ID, g.Role)
	}
	q.Grants = slices.Delete(slices.Clone(q.Grants), i, i+1)
	return nil
}

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
