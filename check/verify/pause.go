package verify

import "drawhouse/journal/record"

// playPaused stops sale and draws of a series.
func (c *checker) playPaused(b *record.PlayPaused) error {
	s := c.series[b.Series]
	if s == nil || s.paused {
		return fault(CheckGames, "series %d has not begun, or is paused already", b.Series)
	}
	s.paused = true
	return nil
}

// playResumed lets sale and draws go on.
func (c *checker) playResumed(b *record.PlayResumed) error {
	s := c.series[b.Series]
	if s == nil || !s.paused {
		return fault(CheckGames, "series %d is not paused", b.Series)
	}
	s.paused = false
	return nil
}

// owesGame reports whether a further game is owed although trading was announced to have ended: to players of a void
// game, to those who hold tickets on the last day of the series, or for a game that was announced.
func (s *series) owesGame() bool {
	return len(s.designated) > 0 || len(s.deferred) > 0 || s.playsOn() != nil
}

// closureAnnounced checks that players are told in time that trading ends early
// (casino-keno-div2 10.0, reading notice-of-closure).
func (c *checker) closureAnnounced(b *record.ClosureAnnounced) error {
	s := c.series[b.Series]
	if s == nil || !s.dayOpen {
		return fault(CheckGames, "series %d has no day that is open", b.Series)
	}
	policy := s.termsAt(uint32(len(s.games)) + 1).rules.games.EarlyClosure
	if notice := b.At - c.now; notice < record.Time(policy.NoticeMinutes)*60_000 {
		return fault(CheckGames, "trading ends after %d minutes, and %d minutes' notice is needed (%s)", notice/60_000,
			policy.NoticeMinutes, policy.Clause)
	}
	s.closure = b.At
	return nil
}
