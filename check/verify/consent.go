package verify

import (
	"slices"

	"drawhouse/journal/record"
)

// parties are who may ask for something that two persons must want, and do it then, and
// who may consent to it.
type parties struct{ ask, consent []record.Role }

var (
	centralRoles  = []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative}
	counterRoles  = []record.Role{record.RoleWriter, record.RoleSenior}
	overseerRoles = append(slices.Clone(centralRoles), record.RoleInspector)
)

// partiesTo returns who may agree on an action. What runs the games, their terms and their
// money is the central site's, and an inspector may consent; what is done at a counter takes
// somebody of the venue.
func partiesTo(action string) parties {
	switch action {
	case "erase_person", "appoint_inspector", "dismiss_inspector", "lock_inspector":
		return parties{[]record.Role{record.RoleAdministrator}, overseerRoles}
	case "attend_cage":
		return parties{append(slices.Clone(centralRoles), record.RoleSenior),
			append(slices.Clone(overseerRoles), record.RoleSenior)}
	case actionVoid, actionReissue:
		return parties{counterRoles, []record.Role{record.RoleSenior, record.RoleSupervisor, record.RoleOperative}}
	case "carry_cash":
		return parties{centralRoles, []record.Role{record.RoleSenior}}
	case "move_bank", "count_bank":
		return parties{counterRoles, append(slices.Clone(centralRoles), record.RoleSenior)}
	}
	return parties{centralRoles, overseerRoles}
}

// holds reports whether a person who is there has one of some roles.
func (c *checker) holds(id uint32, roles []record.Role) bool {
	m := c.people.persons[id]
	return m != nil && !m.erased && slices.ContainsFunc(m.duties,
		func(d duty) bool { return slices.Contains(roles, d.role) })
}

// runsAt reports whether a person works at a venue and may carry entries there.
func (c *checker) runsAt(id, venue uint32) bool {
	m := c.people.persons[id]
	return m != nil && !m.erased && slices.ContainsFunc(m.duties, func(d duty) bool {
		return d.venue == venue && d.role.AtVenue()
	})
}

// venuesFor returns the venues that a request is of: that of the terminal that it names, that whose cash is carried, or
// those of who asked. One of the central site that names no terminal is of none.
func (c *checker) venuesFor(a *approval) []uint32 {
	if a.says != nil {
		if t := c.terminals[a.says.Terminal]; t != nil {
			return []uint32{t.venue}
		}
		if a.action == "carry_cash" {
			return []uint32{a.says.Venue}
		}
	}
	var venues []uint32
	if m := c.people.persons[a.by]; m != nil {
		for _, d := range m.duties {
			if d.venue == 0 {
				return nil
			}
			venues = append(venues, d.venue)
		}
	}
	return venues
}

// checkVenues checks that a person has one of some roles in the whole house, or at a venue
// that a request is of: who is senior at one venue is nobody at another.
func (c *checker) checkVenues(a *approval, id uint32, roles []record.Role) error {
	venues := c.venuesFor(a)
	if m := c.people.persons[id]; m != nil && slices.ContainsFunc(m.duties, func(d duty) bool {
		return slices.Contains(roles, d.role) && (d.venue == 0 || len(venues) == 0 || slices.Contains(venues, d.venue))
	}) {
		return nil
	}
	return fault(CheckPeople, "approval %d is of venue %v, where person %d has no role for it", a.number, venues, id)
}

// asks checks that who asks may, and that none is named to consent who may not.
func (c *checker) asks(b *record.ApprovalRequested) error {
	who := partiesTo(b.Action)
	if !c.holds(b.By, who.ask) {
		return fault(CheckPeople, "person %d asks for %s, and has no role for it", b.By, b.Action)
	}
	for _, role := range b.Roles {
		if !slices.Contains(who.consent, role) {
			return fault(CheckPeople, "a %s is to consent to %s, which is not for that role", role, b.Action)
		}
	}
	return c.guard(c.checkVenues(c.people.approvals[b.Approval], b.By, who.ask))
}

// consents checks that who decides on a request has a role that it names.
func (c *checker) consents(a *approval, by uint32) error {
	if !c.holds(by, a.roles) {
		return fault(CheckPeople, "person %d decides on %s, and has no role for it", by, a.action)
	}
	return c.guard(c.checkVenues(a, by, a.roles))
}

// worksAt reports whether a person is on shift at a terminal, or is a senior of its venue.
func (c *checker) worksAt(person, terminal uint32) bool {
	t, m := c.terminals[terminal], c.people.persons[person]
	if t == nil || m == nil || m.erased {
		return false
	}
	return c.people.posts[terminal] == person || slices.Contains(m.duties, duty{record.RoleSenior, t.venue})
}
