package verify

import (
	"slices"

	"drawhouse/journal/record"
)

// This file has who may have done what a record says, by roles and venues, as the engine
// guards it since record.LevelGuarded.

var (
	venueRoles = []record.Role{record.RoleWriter, record.RoleSenior}
	staffRoles = append(slices.Clone(centralRoles), venueRoles...)
	seniorRole = append(slices.Clone(centralRoles), record.RoleSenior)
)

// anywhere stands for records that are of no venue: a role counts wherever it is had.
const anywhere = ^uint32(0)

// checkRole checks that a person has a role for a record of which the person is an actor.
func (c *checker) checkRole(id uint32, r record.Record) error {
	roles, venue, known := c.mayAct(id, r)
	m := c.people.persons[id]
	if known && slices.ContainsFunc(m.duties, func(d duty) bool {
		return slices.Contains(roles, d.role) && (d.venue == 0 || venue == anywhere || d.venue == venue)
	}) {
		return nil
	}
	return fault(CheckPeople, "it is by person %d, who has no role for it", id)
}

// mayAct returns the roles that a record takes of a person, and the venue where roles of
// venues must be had.
func (c *checker) mayAct(id uint32, r record.Record) (roles []record.Role, venue uint32, known bool) {
	if room, by, ok := r.InRoom(); ok {
		roles, venue = c.mayInRoom(r.Body, room, by)
		return roles, venue, true
	}
	row := rowFor(r.Body)
	roles, venue = row.roles, anywhere
	if row.rolesOf != nil {
		roles = row.rolesOf(c, id, r.Body)
	}
	if row.where != nil {
		venue = row.where(c, r.Body)
	}
	return roles, venue, row.roles != nil || row.rolesOf != nil
}

// mayBank returns who signs for a bank: somebody of the venue, and with them a senior or
// somebody of the central site.
func mayBank(second bool) []record.Role {
	if second {
		return seniorRole
	}
	return venueRoles
}

// venueAt returns the venue of a terminal.
func (c *checker) venueAt(id uint32) uint32 {
	if t := c.terminals[id]; t != nil {
		return t.venue
	}
	return 0
}

// ifSelf returns the roles of a person who acts on the own number, or those of others who do.
func ifSelf(self bool, own, others []record.Role) []record.Role {
	if self {
		return own
	}
	return others
}

// mayDecide returns who may decide on a request: those whom it names, and to withdraw it those who ask.
func (c *checker) mayDecide(b *record.ApprovalDecided) []record.Role {
	switch a := c.people.approvals[b.Approval]; {
	case a == nil:
		return nil
	case a.withdrawnBy(b):
		return partiesTo(a.action).ask
	default:
		return a.roles
	}
}

// mayUse returns who may do what two persons have agreed on.
func (c *checker) mayUse(b *record.ApprovalUsed) []record.Role {
	if a := c.people.approvals[b.Approval]; a != nil {
		return partiesTo(a.action).ask
	}
	return nil
}

// mayInRoom returns the roles that give a rank, and the venue of a bingo room.
func (c *checker) mayInRoom(body record.Body, room uint8, by record.By) ([]record.Role, uint32) {
	venue := c.halls.venueOf(room)
	if opened, ok := body.(*record.HallOpened); ok {
		venue = opened.Venue
	}
	switch {
	case by.Rank >= record.RankCasino:
		return centralRoles, venue
	case by.Rank == record.RankSupervisor:
		return seniorRole, venue
	}
	return staffRoles, venue
}
