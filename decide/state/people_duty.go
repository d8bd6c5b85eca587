package state

import (
	"slices"

	"drawhouse/journal/record"
)

// duties are how many persons are on duty at a venue, by role.
type duties struct{ roles []duty }

// duty is how many persons are on duty in a role, and how many of them stay.
type duty struct {
	role        record.Role
	on, staying int
}

// in returns how many are on duty in a role. Nobody is where nobody ever was.
func (d *duties) in(role record.Role) duty {
	if d != nil {
		for _, of := range d.roles {
			if of.role == role {
				return of
			}
		}
	}
	return duty{role: role}
}

// count changes how many persons are on duty, and how many of them stay.
func (p *People) count(at Grant, on, staying int) {
	if p.duty.get(at.Venue) == nil {
		p.duty.put(at.Venue, &duties{})
	}
	d := p.duty.change(at.Venue)
	now := d.in(at.Role)
	now.on, now.staying = now.on+on, now.staying+staying
	d.roles = slices.DeleteFunc(slices.Clone(d.roles), func(of duty) bool { return of.role == at.Role })
	if now.on > 0 {
		d.roles = append(d.roles, now)
	}
}

// beginShift puts a person on duty. A person has one shift at a time, and so has a
// terminal.
func (p *People) beginShift(b *record.ShiftBegun, at record.Time) error {
	person, grant := p.persons.change(b.Person), Grant{b.Role, b.Venue}
	if person == nil || person.Shift.On() || !slices.Contains(person.Grants, grant) {
		return cannot("person %d begins a shift as %s at venue %d", b.Person, b.Role, b.Venue)
	}
	if b.Terminal != 0 {
		post := p.terminals.change(b.Terminal)
		if post == nil || post.Venue != b.Venue || post.Person != 0 {
			return cannot("person %d begins a shift at terminal %d", b.Person, b.Terminal)
		}
		post.Person = b.Person
	}
	person.Shift = Shift{Grant: grant, Terminal: b.Terminal, Since: at}
	p.count(grant, 1, 1)
	return nil
}

func (p *People) announceEnd(b *record.ShiftEnding) error {
	person := p.persons.change(b.Person)
	if person == nil || !person.Shift.On() || person.Shift.Ending {
		return cannot("person %d leaves and is not on duty", b.Person)
	}
	person.Shift.Ending = true
	p.count(person.Shift.Grant, 0, -1)
	return nil
}

func (p *People) endShift(b *record.ShiftEnded) error {
	person := p.persons.change(b.Person)
	if person == nil || !person.Shift.On() {
		return cannot("person %d ends a shift and is not on duty", b.Person)
	}
	stayed := 1
	if person.Shift.Ending {
		stayed = 0
	}
	p.count(person.Shift.Grant, -1, -stayed)
	if post := p.terminals.change(person.Shift.Terminal); post != nil {
		post.Person = 0
	}
	person.Shift = Shift{}
	return p.checkBy(b.By)
}

func (p *People) requestApproval(b *record.ApprovalRequested, at record.Time) error {
	if p.approvals.get(b.Approval) != nil || b.Expires <= at {
		return cannot("approval %d is requested twice, or too late", b.Approval)
	}
	asked := *b
	asked.Roles = slices.Clone(b.Roles)
	p.approvals.put(b.Approval, &Approval{ApprovalRequested: asked})
	return p.checkBy(b.By)
}

// decideApproval takes in a decision. That it is another person's, and about the
// very thing that was asked, is the meaning of it.
func (p *People) decideApproval(b *record.ApprovalDecided, at record.Time) error {
	approval := p.approvals.change(b.Approval)
	if approval != nil && b.By == approval.By && !b.Granted {
		return p.withdraw(approval, b, at)
	}
	if approval == nil || approval.Decided || at >= approval.Expires {
		return cannot("approval %d is not open", b.Approval)
	}
	if b.By == approval.By || b.Content != approval.Content {
		return cannot("approval %d is decided by who asked for it, or is of something else", b.Approval)
	}
	approval.Decided, approval.Granted, approval.Decider = true, b.Granted, b.By
	return p.checkBy(b.By)
}

// withdraw takes in that who asked does not want it any more, before or after the consent.
func (p *People) withdraw(approval *Approval, b *record.ApprovalDecided, at record.Time) error {
	if approval.Used || approval.Decided && !approval.Granted || at >= approval.Expires ||
		b.Content != approval.Content {
		return cannot("approval %d is withdrawn and over already, or is of something else", b.Approval)
	}
	approval.Decided, approval.Granted, approval.Decider = true, false, b.By
	return p.checkBy(b.By)
}

func (p *People) useApproval(b *record.ApprovalUsed) error {
	approval := p.approvals.change(b.Approval)
	if approval == nil || !approval.Granted || approval.Used {
		return cannot("approval %d was not given, or was used", b.Approval)
	}
	approval.Used = true
	return p.checkBy(b.By)
}
