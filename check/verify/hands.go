package verify

import (
	"slices"
	"strings"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// aDay is for how long two persons count as one after one of them had the other in hand,
// and for how long an invitation is good.
const aDay = record.Time(86_400_000)

// A grip says that somebody brought in, appointed, invited or set the password of another
// person. The machine of the house, which lets administrators in again, is number 0.
type grip struct {
	by, of uint32
	at     record.Time
}

// gripped takes in who had whom in hand, at every level. The founding puts nobody into a hand. Later the
// house itself is the machine.
func (c *checker) gripped(by, of uint32) {
	if by != of && (by != 0 || c.people.settled && c.administered()) {
		c.people.grips = append(c.people.grips, grip{by, of, c.now})
	}
}

// checkFounding checks that the house itself does at its founding alone what persons answer
// for. The founding is over when the house has an administrator, and a person has brought in
// another, or appointed or invited somebody when two founders were there.
func (c *checker) checkFounding(r record.Record) error {
	p := &c.people
	if !r.ByNobody() || !p.settled && (!p.appointed || p.founders < 2) || !c.administered() {
		return nil
	}
	if may := rowFor(r.Body).byHouse; may != nil && may(r.Body) {
		return nil
	}
	return fault(CheckPeople, "the house itself does it after its founding, and names nobody who did")
}

// breaks notes that a person's word ended here: what the person has consented to before counts no
// more, for good.
func (c *checker) breaks(person uint32) {
	if m := c.people.persons[person]; m != nil {
		m.broken = c.here()
	}
}

// stands reports whether a consent stands: who gave it was not locked or let in anew by
// another since, and has not lost a role that it may have come by.
func (m *member) stands(a *approval) bool {
	for _, role := range a.roles {
		if m.dismissed[role] > a.place {
			return false
		}
	}
	return m.broken <= a.place
}

// areTwo reports whether two persons count as two: nobody reaches both, going from who had
// somebody in hand within the last day to whom.
func (c *checker) areTwo(a, b uint32) bool {
	if a == b {
		return false
	}
	c.people.grips = slices.DeleteFunc(c.people.grips, func(g grip) bool { return c.now-g.at >= aDay })
	// reach has, for everybody, who of the two is reached: 1 for the first, 2 for the second.
	reach := map[uint32]uint8{a: 1, b: 2}
	for grew := true; grew; {
		grew = false
		for _, g := range c.people.grips {
			if now := reach[g.by] | reach[g.of]; now != reach[g.by] {
				reach[g.by], grew = now, true
			}
		}
	}
	for _, r := range reach {
		if r == 3 {
			return false
		}
	}
	return true
}

// checkPersons holds a record against those who did it: that they could act, that those who
// must be two are, and that somebody is left who can run the house. These guards stand since
// record.LevelGuarded.
func (c *checker) checkPersons(r record.Record) error {
	if err := c.guard(c.checkFounding(r)); err != nil {
		return err
	}
	if err := c.guard(c.checkActing(r)); err != nil {
		return err
	}
	if err := c.guard(c.checkServed(r)); err != nil {
		return err
	}
	if err := c.guard(c.checkPairs(r.Body)); err != nil {
		return err
	}
	return c.guard(c.checkKept(r.Body))
}

// stoppedAt reports whether a person is locked by somebody, now. The house by itself keeps
// out who guesses and stops nobody who is at work.
func (m *member) stoppedAt(now record.Time) bool { return m.stopped > now }

// checkActing checks that those who act are there, not locked and have a role.
func (c *checker) checkActing(r record.Record) error {
	for _, id := range r.Actors() {
		m := c.people.persons[id]
		if m == nil || m.erased {
			return fault(CheckPeople, "it is by person %d, who was not added, or was erased", id)
		}
		switch b := r.Body.(type) {
		case *record.ShiftEnding:
			continue // Everybody may go home.
		case *record.ShiftEnded:
			if b.Person == id {
				continue
			}
		}
		if m.stoppedAt(c.now) {
			return fault(CheckPeople, "it is by person %d, who is locked", id)
		}
		if set, ok := r.Body.(*record.PasswordSet); len(m.duties) == 0 && !(ok && set.Person == id) {
			return fault(CheckPeople, "it is by person %d, who has no role", id)
		} else if ok && set.Person == id {
			continue
		}
		if err := c.checkRole(id, r); err != nil {
			return err
		}
	}
	return c.checkNamed(r.Body)
}

// checkNamed checks whom and what a record names.
func (c *checker) checkNamed(body record.Body) error {
	if check := rowFor(body).named; check != nil {
		return check(c, body)
	}
	return nil
}

// usedNamed checks that who consented could still consent when an approval is used.
func (c *checker) usedNamed(b *record.ApprovalUsed) error {
	if a := c.people.approvals[b.Approval]; a != nil && a.granted {
		if m := c.people.persons[a.decider]; m.stoppedAt(c.now) || !m.stands(a) || !c.holds(a.decider, a.roles) {
			return fault(CheckPeople,
				"approval %d is used, and person %d, who gave it, was locked or given another password since, or has no role for it any more", b.Approval, a.decider)
		}
	}
	return nil
}

// passwordNamed checks that a password which somebody else set came by an invitation.
func (c *checker) passwordNamed(b *record.PasswordSet) error {
	m := c.people.persons[b.Person]
	if b.By != 0 && b.By != b.Person && m != nil && (m.invitedBy != b.By || c.now-m.invitedAt >= aDay) {
		return fault(CheckPeople, "person %d sets the password of person %d without an invitation", b.By, b.Person)
	}
	return nil
}

// holidayNamed checks that somebody named the public holidays.
func (*checker) holidayNamed(b *record.HolidaysNamed) error {
	if b.By == 0 {
		return fault(CheckPayments, "public holidays are named by nobody")
	}
	return nil
}

// checkVenue checks that a venue is of a kind that rules speak of, and has a name of its own.
// By the kind the rules say what is paid there and how, and by the name people find it.
func (c *checker) checkVenue(b *record.VenueAdded) error {
	if !slices.Contains(rulebook.VenueKinds(), b.Kind) {
		return fault(CheckHouse, "venue %d is of the kind %q, which no rulebook knows", b.Venue, b.Kind)
	}
	return c.checkVenueName(b.Venue, b.Name)
}

// checkVenueName checks that no other venue has a name, and that people can read it.
func (c *checker) checkVenueName(venue uint32, name string) error {
	for id, other := range c.venues {
		if id != venue && strings.EqualFold(other.name, name) {
			return fault(CheckHouse, "venues %d and %d have one name", min(id, venue), max(id, venue))
		}
	}
	return c.checkPlaceName(name)
}

// checkPlaceName checks that a name is one that people can read.
func (*checker) checkPlaceName(name string) error {
	if err := record.CheckName(name); err != nil {
		return fault(CheckHouse, "the name %q: %v", name, err)
	}
	return nil
}

// checkServed checks that nobody is served at a terminal where somebody works who is locked.
func (c *checker) checkServed(r record.Record) error {
	id, ok := r.Terminal()
	switch b := r.Body.(type) {
	case *record.BankMoved, *record.BankCounted:
		return nil // Those who sign are checked.
	case *record.PaperReissued:
		id, ok = b.Request.Terminal, true
	case *record.PrizeForfeited:
		id, ok = b.Request.Terminal, true // No cash is moved.
	}
	if !ok {
		return nil
	}
	if m := c.people.persons[c.people.posts[id]]; m != nil && m.stoppedAt(c.now) {
		return fault(CheckRequests, "it is done at terminal %d, where person %d is on shift, who is locked", id,
			c.people.posts[id])
	}
	return nil
}

// checkPairs checks that those who must be two are not one hand.
func (c *checker) checkPairs(body record.Body) error {
	if check := rowFor(body).two; check != nil {
		return check(c, body)
	}
	return nil
}

func (c *checker) decidedByTwo(b *record.ApprovalDecided) error {
	if a := c.people.approvals[b.Approval]; a != nil && b.Granted {
		return c.pair(a.by, b.By)
	}
	return nil
}

func (c *checker) claimDecidedByTwo(b *record.ClaimDecided) error {
	f, _, err := c.form(b.Claim)
	if err != nil {
		return nil //nolint:nilerr // The check of the claim says so.
	}
	return c.pair(f.lodged.By, b.By)
}

func (c *checker) claimPaidByTwo(b *record.ClaimPaid) error {
	f, _, err := c.form(b.Claim)
	if err != nil {
		return nil //nolint:nilerr // The check of the claim says so.
	}
	return c.pair(f.decider, b.By)
}

func (c *checker) reviewedByTwo(b *record.DisputeMoved) error {
	first, known := c.halls.deciderOf(b.Hall, b.Dispute)
	if !known || b.Step != record.StepReviewed {
		return nil
	}
	second := b.By.Person
	if first == second {
		return hallFault("dispute %d is decided and reviewed by person %d", b.Dispute, first)
	}
	return c.pair(first, second)
}

// pair checks that two persons are not one hand. That they are not the same person is
// checked with what they did.
func (c *checker) pair(first, second uint32) error {
	if first == 0 || second == 0 || first == second || c.areTwo(first, second) {
		return nil
	}
	return fault(CheckPeople, "it takes two persons, and persons %d and %d were one hand within the day before", first,
		second)
}

// signedByTwo checks that those who sign a claim for different parties are not one hand.
func (c *checker) signedByTwo(b *record.ClaimSigned) error {
	f, _, err := c.form(b.Claim)
	if err != nil {
		return nil //nolint:nilerr // The check of the claim says so.
	}
	for party, signed := range f.signed {
		if party == b.Party {
			continue
		}
		if err := c.pair(signed.Person, b.Person); err != nil {
			return err
		}
	}
	return nil
}

// disqualifiedByTwo checks that those who disqualify for different parties are not one hand.
func (c *checker) disqualifiedByTwo(b *record.TicketDisqualified) error {
	for i, d := range b.Deciders {
		for _, other := range b.Deciders[:i] {
			if other.Person == d.Person {
				continue
			}
			if err := c.pair(other.Person, d.Person); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkKept checks that nobody is kept out, dismissed or erased without whom nobody could
// run the house: the last administrator, and the last of those who watch over games.
func (c *checker) checkKept(body record.Body) error {
	if check := rowFor(body).kept; check != nil {
		return check(c, body)
	}
	return nil
}

func (c *checker) lockKept(b *record.LockSet) error {
	if b.By == 0 || b.Until <= c.now {
		return nil
	}
	for _, s := range c.series {
		if s == nil {
			continue
		}
		if err := c.keeps(b.Person, filledBy[s.rulesNow().staffing.Game]); err != nil {
			return err
		}
	}
	return c.keeps(b.Person, administrators)
}

func (c *checker) withdrawnKept(b *record.RoleWithdrawn) error {
	if b.Role == record.RoleAdministrator {
		return c.keeps(b.Person, administrators)
	}
	return nil
}

func (c *checker) erasedKept(b *record.PersonErased) error { return c.keeps(b.Person, administrators) }

// keeps checks that somebody else has one of some roles, is not locked and, if the person
// could sign on, can sign on.
func (c *checker) keeps(id uint32, roles []record.Role) error {
	gone := c.people.persons[id]
	if gone == nil || !c.holds(id, roles) || gone.stoppedAt(c.now) {
		return nil
	}
	for other, m := range c.people.persons {
		if other != id && c.holds(other, roles) && !m.stoppedAt(c.now) && (m.password || !gone.password) {
			return nil
		}
	}
	return fault(CheckPeople, "person %d is the last who is %v and not locked", id, roles)
}
