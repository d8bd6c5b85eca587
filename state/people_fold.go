package state

import (
	"maps"
	"slices"

	"drawhouse/record"
	"drawhouse/rulebook"
)

// Apply adds a record about people or places; it passes over those of other kinds.
// It reports whether the record was one.
func (p *People) Apply(r record.Record) (bool, error) {
	switch b := r.Body.(type) {
	case *record.OperatorAdded:
		return true, p.addOperator(b)
	case *record.VenueAdded:
		p.venues.put(b.Venue, &Premises{ID: b.Venue, Kind: rulebook.VenueKind(b.Kind), Name: b.Name})
		return true, nil
	case *record.VenueOperated:
		return true, p.operate(b)
	case *record.HoursSet:
		return true, p.setHours(b)
	case *record.AreaAdded:
		return true, p.addArea(b)
	case *record.TerminalAdded:
		p.terminals.put(b.Terminal, &Post{Terminal: b.Terminal, Venue: b.Venue, Channel: rulebook.Channel(b.Channel)})
		return true, nil
	case *record.TerminalPlaced:
		return true, p.placeTerminal(b)
	case *record.DisplayReported:
		return true, p.reportDisplay(b)
	case *record.TerminalKeyed:
		return true, p.keyTerminal(b)
	case *record.TerminalRevoked:
		return true, p.revokeTerminal(b)
	case *record.ShiftBegun:
		return true, p.beginShift(b, r.Time)
	case *record.ShiftEnding:
		return true, p.announceEnd(b)
	case *record.ShiftEnded:
		return true, p.endShift(b)
	case *record.ApprovalRequested:
		return true, p.requestApproval(b, r.Time)
	case *record.ApprovalDecided:
		return true, p.decideApproval(b, r.Time)
	case *record.ApprovalUsed:
		return true, p.useApproval(b)
	}
	return p.applyPerson(r)
}

// applyPerson adds what changes a person.
func (p *People) applyPerson(r record.Record) (bool, error) {
	switch b := r.Body.(type) {
	case *record.PersonAdded:
		if p.persons.get(b.Person) != nil {
			return true, cannot("person %d is added twice", b.Person)
		}
		p.persons.put(b.Person, &Person{ID: b.Person, Details: b.Details})
		p.settled = p.settled || b.By != 0
		p.holdBy(b.By, b.Person, r.Time)
		return true, p.checkBy(b.By)
	case *record.PersonErased:
		return true, p.change(b.Person, b.By, func(q *Person) error {
			q.Erased, q.Secret = true, record.Hash{}
			return nil
		})
	case *record.RoleGranted:
		if p.holdBy(b.By, b.Person, r.Time); b.By == 0 && b.Role == record.RoleAdministrator {
			p.founders++
		}
		p.appointed = p.appointed || b.By != 0
		return true, p.change(b.Person, b.By, func(q *Person) error { return p.grant(q, Grant{b.Role, b.Venue}) })
	case *record.RoleWithdrawn:
		p.lapse(b.Person, func(a *Approval) bool { return slices.Contains(a.Roles, b.Role) })
		return true, p.change(b.Person, b.By, func(q *Person) error { return withdraw(q, Grant{b.Role, b.Venue}) })
	case *record.PasswordSet:
		return true, p.setPassword(b, r.Time)
	case *record.LockSet:
		return true, p.setLock(b, r.Time)
	case *record.PersonInvited:
		return true, p.invite(b, r.Time)
	case *record.PersonRecovered:
		return true, p.recover(b, r.Time)
	}
	return false, nil
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
