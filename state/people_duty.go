package state

import (
	"slices"

	"drawhouse/record"
)

// beginShift puts a person on duty. A person has one shift at a time, and so has a
// terminal.
func (p *People) beginShift(b *record.ShiftBegun, at record.Time) error {
	person, ok := p.persons[b.Person]
	grant := Grant{b.Role, b.Venue}
	if !ok || person.Shift.On() || !slices.Contains(person.Grants, grant) {
		return cannot("person %d begins a shift as %s at venue %d", b.Person, b.Role, b.Venue)
	}
	if b.Terminal != 0 {
		post, ok := p.terminals[b.Terminal]
		if !ok || post.Venue != b.Venue || post.Person != 0 {
			return cannot("person %d begins a shift at terminal %d", b.Person, b.Terminal)
		}
		post.Person = b.Person
	}
	person.Shift = Shift{Grant: grant, Terminal: b.Terminal, Since: at}
	p.duty[grant]++
	p.staying[grant]++
	return nil
}

func (p *People) announceEnd(b *record.ShiftEnding) error {
	person, ok := p.persons[b.Person]
	if !ok || !person.Shift.On() || person.Shift.Ending {
		return cannot("person %d leaves and is not on duty", b.Person)
	}
	person.Shift.Ending = true
	decrement(p.staying, person.Shift.Grant)
	return nil
}

func (p *People) endShift(b *record.ShiftEnded) error {
	person, ok := p.persons[b.Person]
	if !ok || !person.Shift.On() {
		return cannot("person %d ends a shift and is not on duty", b.Person)
	}
	decrement(p.duty, person.Shift.Grant)
	if !person.Shift.Ending {
		decrement(p.staying, person.Shift.Grant)
	}
	if post := p.terminals[person.Shift.Terminal]; post != nil {
		post.Person = 0
	}
	person.Shift = Shift{}
	return p.checkBy(b.By)
}

func decrement(counts map[Grant]int, at Grant) {
	if counts[at]--; counts[at] == 0 {
		delete(counts, at)
	}
}

func (p *People) requestApproval(b *record.ApprovalRequested, at record.Time) error {
	if _, ok := p.approvals[b.Approval]; ok || b.Expires <= at {
		return cannot("approval %d is requested twice, or too late", b.Approval)
	}
	asked := *b
	asked.Roles = slices.Clone(b.Roles)
	p.approvals[b.Approval] = &Approval{ApprovalRequested: asked}
	return p.checkBy(b.By)
}

// decideApproval takes in a decision. That it is another person's, and about the
// very thing that was asked, is the meaning of it.
func (p *People) decideApproval(b *record.ApprovalDecided, at record.Time) error {
	approval, ok := p.approvals[b.Approval]
	if ok && b.By == approval.By && !b.Granted {
		return p.withdraw(approval, b, at)
	}
	if !ok || approval.Decided || at >= approval.Expires {
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
	if approval.Used || approval.Decided && !approval.Granted || at >= approval.Expires || b.Content != approval.Content {
		return cannot("approval %d is withdrawn and over already, or is of something else", b.Approval)
	}
	approval.Decided, approval.Granted, approval.Decider = true, false, b.By
	return p.checkBy(b.By)
}

func (p *People) useApproval(b *record.ApprovalUsed) error {
	approval, ok := p.approvals[b.Approval]
	if !ok || !approval.Granted || approval.Used {
		return cannot("approval %d was not given, or was used", b.Approval)
	}
	approval.Used = true
	return p.checkBy(b.By)
}
