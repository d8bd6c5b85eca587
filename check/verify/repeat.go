package verify

import "drawhouse/journal/record"

// repeatWindow is how many results back a house looks for a repeated one.
const repeatWindow = 1000

// checkRepeat lists a result that equals an earlier one of the series. By chance that
// happens less than once in 10^15 games, but it may happen, and the journal holds all the
// same. From the level at which a house refuses such a result on, one within the window must
// have been confirmed by two persons.
func (c *checker) checkRepeat(s *series, g *game) error {
	set := g.drawn.set()
	former, ok := s.results[set]
	s.results[set] = g.name
	if !ok || former == g.name {
		return nil
	}
	if s.drewLately(g, set) && g.confirmed != g.draw() {
		return c.guard(fault(CheckDraw,
			"game %v has the numbers of game %v, and no two persons have confirmed them", g.name, former))
	}
	c.find(fault(CheckDraw, "game %v has the numbers of game %v", g.name, former))
	return nil
}

// drewLately reports whether one of the games before has drawn a set of numbers, within the
// window.
func (s *series) drewLately(g *game, set [4]uint64) bool {
	left := repeatWindow
	for i := int(g.ordinal) - 2; i >= 0 && left > 0; i-- {
		earlier := s.games[i]
		if earlier.stage != stageDrawn && earlier.stage != stageSettled {
			continue
		}
		if earlier.drawn.set() == set {
			return true
		}
		left--
	}
	return false
}

// checkEntered objects to a result of the ball machine that equals a recent one and is
// entered without being confirmed: its numbers are shown from then on.
func (c *checker) checkEntered(s *series, b *record.CageAttended) error {
	g := s.byName[s.cage.game]
	if b.Act != record.CageAccepted || g == nil || g.confirmed == g.draw() {
		return nil
	}
	var entered drawnNumbers
	for _, n := range s.cage.agreed {
		entered[n] = true
	}
	if !s.drewLately(g, entered.set()) {
		return nil
	}
	return c.guard(fault(CheckDraw,
		"the numbers entered for game %v are those of a recent game, and no two persons have confirmed them", g.name))
}

// resultConfirmed checks that there is a repeat to confirm: of a draw that counts and is
// complete, whether at the ball machine or in the journal.
func (c *checker) resultConfirmed(b *record.ResultConfirmed) error {
	s, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	drawn := g.drawn
	if len(g.numbers) == 0 && s.cage.at(g) {
		for _, n := range s.cage.agreed {
			drawn[n] = true
		}
	}
	count := 0
	for _, is := range drawn {
		if is {
			count++
		}
	}
	earlier := s.byName[b.Repeats]
	switch {
	case b.Draw != g.draw() || count != g.terms.rules.draw:
		return fault(CheckDraw, "draw %d of game %v is confirmed; %d is the one that counts, with %d numbers", b.Draw,
			g.name, g.draw(), count)
	case g.confirmed == g.draw():
		return fault(CheckDraw, "draw %d of game %v is confirmed twice", b.Draw, g.name)
	case earlier == nil || earlier.ordinal >= g.ordinal || earlier.drawn.set() != drawn.set() ||
		!s.drewLately(g, drawn.set()):
		return fault(CheckDraw, "game %v is confirmed as a repeat of game %v, and it is none", g.name, b.Repeats)
	}
	g.confirmed = b.Draw
	return nil
}
