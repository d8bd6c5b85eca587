package state

import (
	"maps"
	"slices"

	"drawhouse/journal/record"
)

// OneHand is for how long two persons are one hand after one of them has brought in the
// other, given the other a role, invited the other or set the other's password: the first
// could act as the second. A person who finds that the password does not work any more has
// so long to say so.
const OneHand = record.Time(24 * 60 * 60 * 1000)

// machine stands for the machine of the house among persons, where nobody signs on.
const machine uint32 = 0

// hand says that a person, or the machine, had another person in hand.
type hand struct {
	holder, held uint32
	at           record.Time
}

// hold takes in that somebody had a person in hand. What is over is forgotten.
func (p *People) hold(holder, held uint32, at record.Time) {
	if holder == held {
		return
	}
	p.hands = slices.DeleteFunc(slices.Clone(p.hands),
		func(h hand) bool { return h.held == held && h.holder == holder || at-h.at >= OneHand })
	p.hands = append(p.hands, hand{holder, held, at})
}

// holdBy is hold by a person. What the house itself did at its founding puts nobody into
// anybody's hand. Whom it brings in, appoints or gives a password later is in the hand of
// the machine, as who is recovered: anybody who can write there could be all of them.
func (p *People) holdBy(by, held uint32, at record.Time) {
	if by != 0 || p.settled && p.administered() {
		p.hold(by, held, at)
	}
}

// Founded reports whether the founding is over: the house has an administrator, and a person
// has brought in another, or two founders are there and a person has appointed or invited
// somebody. From then on persons bring in, appoint and dismiss, and the house itself does not.
func (p *People) Founded() bool {
	const both = 2
	return (p.settled || p.appointed && p.founders >= both) && p.administered()
}

// administered reports whether the house has an administrator.
func (p *People) administered() bool {
	for _, person := range p.persons.all() {
		if !person.Erased && person.Has(record.RoleAdministrator, 0) {
			return true
		}
	}
	return false
}

// InOneHand reports whether somebody could act as both of two persons: one of them, or a
// third who had both in hand, be it by way of others. A person whom two others had in hand
// does not make those two one hand.
func (p *People) InOneHand(a, b uint32, now record.Time) bool {
	ofA, ofB := p.holders(a, now), p.holders(b, now)
	return slices.ContainsFunc(ofA, func(id uint32) bool { return slices.Contains(ofB, id) })
}

// holders returns who could act as a person: the person, those who had the person in hand,
// those who had one of those in hand, and so on.
func (p *People) holders(of uint32, now record.Time) []uint32 {
	all := []uint32{of}
	for i := 0; i < len(all); i++ {
		for _, h := range p.hands {
			if h.held == all[i] && now-h.at < OneHand && !slices.Contains(all, h.holder) {
				all = append(all, h.holder)
			}
		}
	}
	return all
}

// Invited is who invited a person last, and when. The zero value is nobody.
type Invited struct {
	By uint32
	At record.Time
}

// invite takes in that a person may set a password.
func (p *People) invite(b *record.PersonInvited, at record.Time) error {
	p.holdBy(b.By, b.Person, at)
	p.appointed = true
	return p.change(b.Person, b.By, func(q *Person) error {
		q.Invited = Invited{b.By, at}
		return nil
	})
}

// setPassword takes in another password. An invitation is good once.
func (p *People) setPassword(b *record.PasswordSet, at record.Time) error {
	p.holdBy(b.By, b.Person, at)
	if b.By != b.Person {
		p.lapse(b.Person, always)
	}
	return p.change(b.Person, b.By, func(q *Person) error {
		q.Secret = b.Secret
		if b.By != b.Person {
			q.Invited = Invited{}
		}
		return nil
	})
}

// recover takes in that the machine has let an administrator in.
func (p *People) recover(b *record.PersonRecovered, at record.Time) error {
	p.hold(machine, b.Person, at)
	p.lapse(b.Person, always)
	return p.change(b.Person, 0, func(q *Person) error {
		q.Secret, q.Locked, q.Stopped, q.Invited = b.Secret, 0, 0, Invited{}
		p.noteStopped(q)
		return nil
	})
}

// lapse ends the consents of a person that are not used yet. A person who locked the person,
// dismissed the person or let the person in anew has looked at none of them, so they do not
// come back when the person does.
func (p *People) lapse(decider uint32, which func(*Approval) bool) {
	for id, a := range p.approvals.all() {
		if a.Decider == decider && a.Granted && !a.Used && which(a) {
			p.approvals.change(id).Lapsed = true
		}
	}
}

func always(*Approval) bool { return true }

// noteStopped keeps who has a lock that a person has set.
func (p *People) noteStopped(q *Person) {
	p.stopped = maps.Clone(p.stopped)
	if q.Stopped == 0 {
		delete(p.stopped, q.ID)
	} else {
		p.stopped[q.ID] = true
	}
}

// setLock takes in a lock. The house by itself keeps out new sign-ons alone and stops
// nothing: anybody can make it do so, with wrong passwords.
func (p *People) setLock(b *record.LockSet, at record.Time) error {
	if b.By != 0 && b.Until > at {
		p.lapse(b.Person, always)
	}
	return p.change(b.Person, b.By, func(q *Person) error {
		q.Locked = b.Until
		if b.By == 0 {
			q.Stopped = min(q.Stopped, b.Until)
		} else {
			q.Stopped = b.Until
		}
		p.noteStopped(q)
		return nil
	})
}
