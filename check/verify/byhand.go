package verify

import (
	"slices"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Prizes of a result that the computer did not take at first are paid by hand
// (casino-keno-div2 11.7, reading manual-payments). Each is brought in with two persons, for
// such a game and by somebody who may pay; and until the next draw begins, by whatever device, no
// terminal pays any of that game.

// untaken notes the game at whose machine the computer does not take the result, and forgets it
// if its draw turns out void.
func (s *series) untaken(b *record.CageAttended) {
	m := &s.cage
	switch {
	case b.Act == record.CageNotAccepted:
		m.untaken = true
		s.byHand = append(s.byHand, m.game)
	case m.untaken && m.state == cageWorthless && len(s.byHand) > 0 && s.byHand[len(s.byHand)-1] == m.game:
		s.byHand = s.byHand[:len(s.byHand)-1]
	}
}

// checkByHand checks one part of what is paid out, by hand or not.
func (c *checker) checkByHand(id uint8, ordinal uint32, by uint32, clause string) error {
	s := c.series[id]
	if s == nil || ordinal == 0 || int(ordinal) > len(s.games) {
		return nil // It is no prize of a game, or a fault of its own.
	}
	g := s.games[ordinal-1]
	hand := slices.Contains(s.byHand, g.name)
	switch {
	case by == 0 && hand && s.cage.untaken && s.cage.at(g) && !s.drawnAfter(ordinal):
		return fault(CheckPayments,
			"the computer did not take the result of game %v, and a prize of it is paid, not by hand, before the next draw",
			g.name)
	case by != 0 && !hand:
		return fault(CheckPayments, "a prize of game %v is paid by hand, and the computer took its result", g.name)
	case by != 0 && !c.holds(by, []record.Role{record.RoleWriter, record.RoleSenior, record.RoleSupervisor,
		record.RoleOperative}):
		return fault(CheckPayments, "person %d has paid by hand, and is nobody who may", by)
	case by != 0 && clause != rulebook.Quoted(s.rulesNow().book.Draw().StandsClause):
		return fault(CheckPayments, "a payment by hand is under clause %q", clause)
	}
	return nil
}

// checkParts checks all parts of what is paid out at a terminal.
func (c *checker) checkParts(id uint8, parts []record.PaidPart, by uint32, clause string) error {
	for _, part := range parts {
		if err := c.checkByHand(id, part.Ordinal, by, clause); err != nil {
			return err
		}
	}
	return nil
}

// drawnAfter reports whether a game behind one has a number, or had one in a draw that does not count.
func (s *series) drawnAfter(ordinal uint32) bool {
	return slices.ContainsFunc(s.games[ordinal:], func(g *game) bool { return len(g.numbers) > 0 || g.voided > 0 })
}
