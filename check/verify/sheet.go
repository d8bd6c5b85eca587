package verify

import (
	"crypto/sha256"
	"slices"

	"drawhouse/journal/record"
)

// actionReissue is the action of two persons on the sheet of a ticket.
const actionReissue = "reissue_sheet"

// sheets are the claims that open a ticket or paper which has another sheet than the first.
type sheets struct {
	open  []record.Hash
	first bool // the claim of the first sheet opens too
	goOn  bool // the newest is the one on which the games of a paid ticket go on
}

// opens reports whether an opening opens the claim of a sheet that still counts.
func (c *checker) opens(seq uint64, claim record.Hash, opening []byte) bool {
	hash := record.Hash(sha256.Sum256(opening))
	s, another := c.tills.sheets[seq]
	return hash == claim && (!another || s.first) || slices.Contains(s.open, hash)
}

// paperUndelivered checks who says that a ticket was not handed over.
func (c *checker) paperUndelivered(b *record.PaperUndelivered) error {
	if err := c.ofHouse(b.Paper); err != nil {
		return err
	}
	_, objection := c.reissues(b.Paper, b.Terminal)
	c.tills.undelivered[flat(b.Paper)] = true
	return c.guard(objection)
}

// paperReissued checks another sheet. A copy or a duplicate answers a request; a
// continuation is part of a payment. One person alone makes no more than a copy.
func (c *checker) paperReissued(b *record.PaperReissued) error {
	if err := c.ofHouse(b.Of); err != nil {
		return err
	}
	if b.Reason == record.ReissueContinuation {
		if c.tickets.lastPaid.ticket != b.Of || c.tickets.lastPaid.terminal != b.Request.Terminal {
			return fault(CheckPayments, "it does not follow a payment of ticket %v", b.Of)
		}
		if !c.tickets.lastPaid.goesOn(c.here()) {
			if err := c.guard(fault(CheckPayments,
				"something stands between it and the payment of ticket %v", b.Of)); err != nil {
				return err
			}
		}
		if !c.tickets.lastPaid.kept {
			if err := c.guard(fault(CheckPayments,
				"nobody keeps the paper of ticket %v, or none of its games is to come", b.Of)); err != nil {
				return err
			}
		}
		c.tickets.lastPaid.kept = false
		c.tills.sheets[flat(b.Of)] = sheets{open: []record.Hash{b.Claim}, goOn: true}
		return nil
	}
	agreed, objection := c.reissues(b.Of, b.Request.Terminal)
	if objection == nil && agreed != (b.Reason == record.ReissueDuplicate) {
		objection = fault(CheckPayments,
			"one person makes a copy of ticket %v, and two persons replace its sheets", b.Of)
	}
	if err := c.guard(objection); err != nil {
		return err
	}
	if !agreed && !c.tills.undelivered[flat(b.Of)] {
		return fault(CheckPayments, "%v was handed over", b.Of)
	}
	if _, err := c.request(CheckPayments, b.Request.Terminal, b.Request.Number); err != nil {
		return err
	}
	if err := c.checkKeyed(CheckPayments, b.Request.Terminal); err != nil {
		return err
	}
	c.newSheet(b)
	return nil
}

// newSheet takes a sheet in.
func (c *checker) newSheet(b *record.PaperReissued) {
	delete(c.tills.undelivered, flat(b.Of))
	if b.Reason == record.ReissueDuplicate {
		delete(c.tills.forms.lost, flat(b.Of))
	}
	s := sheets{}
	if b.Reason == record.ReissueCopy {
		var another bool
		if s, another = c.tills.sheets[flat(b.Of)]; !another {
			s.first = true
		}
	}
	s.open, s.goOn = append(slices.Clip(s.open), b.Claim), false
	c.tills.sheets[flat(b.Of)] = s
}

// reissues checks who does something to the sheet of a ticket: two persons, one of whom
// works at the terminal; or before the seal of the ticket's first game the person on shift
// at the terminal that sold it. Nobody does it to a ticket that was paid or given back.
func (c *checker) reissues(place record.Place, terminal uint32) (agreed bool, objection error) {
	seq := flat(place)
	used := c.people.lastUsed()
	agreed = used.before == c.here() && used.content == contentOf(actionReissue, place.String())
	s, t := c.playing(seq)
	_, held := c.tills.withheld[seq] // It is owed, on a sheet that a writer may have kept.
	switch {
	case (held || c.tills.forms.lost[seq] != 0) && agreed && c.worksAt(used.by, terminal):
		return agreed, nil // What was paid as lost was paid on a form, and no sheet of it was there.
	case c.tickets.givenBack.has(seq) && !(agreed && c.tills.undelivered[seq] && !c.tickets.allBack.has(seq)):
		return agreed, fault(CheckPayments, "ticket %v was cancelled, and its sheet is not printed again", place)
	case c.tickets.presented.has(seq) && !(agreed && c.tills.sheets[seq].goOn):
		return agreed, fault(CheckPayments, "ticket %v was paid, and its sheet is not printed again", place)
	case agreed && !c.worksAt(used.by, terminal):
		return agreed, fault(CheckPayments,
			"the sheet of ticket %v is printed at terminal %d by person %d, who is neither on shift there nor a senior of the venue", place, terminal, used.by)
	case agreed:
		return agreed, nil
	case t == nil || s.hasSealed(t.first):
		return agreed, fault(CheckPayments,
			"the first game of ticket %v is sealed, and no second person has agreed to do anything to its sheet", place)
	case t.terminal != terminal:
		return agreed, fault(CheckPayments,
			"ticket %v was sold at terminal %d, and one person does something to its sheet at terminal %d", place,
			t.terminal, terminal)
	case c.people.atPost(terminal) == 0:
		return agreed, fault(CheckPayments,
			"something is done to the sheet of ticket %v at terminal %d, where nobody is on shift", place, terminal)
	}
	return agreed, nil
}

// playing returns a ticket that has games to come, and its series.
func (c *checker) playing(seq uint64) (*series, *ticket) {
	for _, s := range c.series {
		if s != nil {
			if t := s.tickets.at(seq); t != nil {
				return s, t
			}
		}
	}
	return nil, nil
}

// hasSealed reports whether the game of an ordinal is sealed.
func (s *series) hasSealed(ordinal uint32) bool {
	return ordinal != 0 && uint64(ordinal) <= uint64(len(s.games)) && s.games[ordinal-1].stage >= stageSealed
}
