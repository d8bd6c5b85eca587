package verify

import (
	"slices"

	"drawhouse/record"
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
	switch b := r.Body.(type) {
	case *record.OperatorAdded, *record.VenueOperated, *record.HoursSet, *record.AreaAdded, *record.TerminalPlaced, *record.TerminalKeyed, *record.TerminalRevoked,
		*record.PersonAdded, *record.PersonErased, *record.PersonInvited, *record.RoleGranted, *record.HolderErased, *record.PayeeErased:
		return administrators, anywhere, true
	case *record.RoleWithdrawn, *record.PasswordSet, *record.LockSet, *record.ShiftBegun, *record.ShiftEnding, *record.ShiftEnded:
		return mayToPerson(id, r.Body), anywhere, true
	case *record.ApprovalRequested, *record.ApprovalDecided, *record.ApprovalUsed:
		return c.mayApprove(r.Body), anywhere, true
	case *record.PlayPaused, *record.PlayResumed, *record.ClosureAnnounced, *record.NoticeShown, *record.HolidaysNamed,
		*record.PaymentReleased, *record.TicketReinstated, *record.TicketInvalidated, *record.AnonymitySet, *record.VenueLimitSet, *record.CardNotified,
		*record.ClaimDecided, *record.ClaimPaid:
		return centralRoles, anywhere, true
	case *record.LinkReleased, *record.LinkGiven, *record.PaymentFrozen, *record.TicketDisqualified, *record.ClaimNoted, *record.ClaimSigned:
		return overseerRoles, anywhere, true
	case *record.CageStarted, *record.BallKeyed, *record.CageAttended, *record.ClaimLodged:
		return staffRoles, anywhere, true
	case *record.CardRegistered, *record.CardStatusSet:
		return seniorRole, anywhere, true
	case *record.DisplayReported:
		return seniorRole, b.Venue, true
	case *record.PaperReissued:
		return venueRoles, c.venueAt(b.Request.Terminal), true
	case *record.ChequeHanded:
		return staffRoles, c.tills.cheques.due[flat(b.Cheque)].venue, true
	case *record.BankMoved:
		return mayBank(id == b.With), c.venueAt(b.Terminal), true
	case *record.BankCounted:
		return mayBank(id == b.With), c.venueAt(b.Terminal), true
	}
	return nil, 0, false
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

// mayToPerson returns who may change a person: an administrator, and of some things the
// central site, or the person.
func mayToPerson(id uint32, body record.Body) []record.Role {
	switch b := body.(type) {
	case *record.RoleWithdrawn:
		if b.Person == id {
			return append(slices.Clone(administrators), record.RoleInspector)
		}
		return administrators
	case *record.PasswordSet:
		if b.Person == id {
			return record.Roles()
		}
		return administrators
	case *record.LockSet:
		if b.Person == id {
			return overseerRoles
		}
		return centralRoles
	case *record.ShiftEnded:
		if b.Person == id {
			return record.Roles()
		}
		return centralRoles
	}
	return record.Roles() // Everybody goes on duty by themselves; in which role is checked there.
}

// mayApprove returns who may ask for, decide on and do what two persons must want.
func (c *checker) mayApprove(body record.Body) []record.Role {
	switch b := body.(type) {
	case *record.ApprovalRequested:
		return partiesTo(b.Action).ask
	case *record.ApprovalDecided:
		if a := c.people.approvals[b.Approval]; a != nil && a.withdrawnBy(b) {
			return partiesTo(a.action).ask
		} else if a != nil {
			return a.roles
		}
	case *record.ApprovalUsed:
		if a := c.people.approvals[b.Approval]; a != nil {
			return partiesTo(a.action).ask
		}
	}
	return nil
}

// mayInRoom returns the roles that give a rank, and the venue of a bingo room.
func (c *checker) mayInRoom(body record.Body, room uint8, by record.By) ([]record.Role, uint32) {
	venue := uint32(0)
	if opened, ok := body.(*record.HallOpened); ok {
		venue = opened.Venue
	} else if r := c.halls.rooms[room]; r != nil {
		venue = r.opened.Venue
	}
	switch {
	case by.Rank >= record.RankCasino:
		return centralRoles, venue
	case by.Rank == record.RankSupervisor:
		return seniorRole, venue
	}
	return staffRoles, venue
}
