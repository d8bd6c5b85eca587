package state

import (
	"slices"

	"drawhouse/journal/record"
)

// peopleFolds are about people.
func peopleFolds() []folding {
	return []folding{
		atPeople((*People).beginShift),
		onPeople((*People).announceEnd),
		onPeople((*People).endShift),
		atPeople((*People).requestApproval),
		atPeople((*People).decideApproval),
		onPeople((*People).useApproval),
		atPeople((*People).keyRequest),
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
