package verify

import (
	"strings"

	"drawhouse/journal/record"
)

// A runnerDispute is a dispute between a runner and a player.
type runnerDispute struct {
	venue, runner uint32
	decided       bool
}

// checkRunner checks that a session names a runner of the venue, and only where a runner brought an entry.
func (c *checker) checkRunner(e *ending) error {
	switch {
	case e.Runner == 0:
		return nil
	case !e.visit.runner:
		return fault(CheckPayments, "the session names person %d as its runner, and no entry came by one", e.Runner)
	case !c.runsAt(e.Runner, e.term.venue):
		return fault(CheckPayments, "the session names person %d as its runner, who is none at venue %d", e.Runner,
			e.term.venue)
	}
	return nil
}

func (c *checker) runnerDisputed(b *record.RunnerDisputed) error {
	switch {
	case int(b.Dispute) != len(c.disputes)+1:
		return fault(CheckPeople, "dispute %d with a runner comes behind %d others", b.Dispute, len(c.disputes))
	case !c.runsAt(b.Runner, b.Venue):
		return fault(CheckPeople, "dispute %d is with person %d, who is no runner of venue %d", b.Dispute, b.Runner, b.Venue)
	case strings.TrimSpace(b.Finding) == "":
		return fault(CheckPeople, "dispute %d with a runner is about nothing", b.Dispute)
	}
	c.disputes = append(c.disputes, runnerDispute{venue: b.Venue, runner: b.Runner})
	return nil
}

func (c *checker) runnerDecided(b *record.RunnerDisputeDecided) error {
	switch {
	case b.Dispute == 0 || int(b.Dispute) > len(c.disputes) || c.disputes[b.Dispute-1].decided ||
		c.disputes[b.Dispute-1].venue != b.Venue:
		return fault(CheckPeople, "dispute %d with a runner is decided, and is not open at venue %d", b.Dispute, b.Venue)
	case c.disputes[b.Dispute-1].runner == b.By:
		return fault(CheckPeople, "dispute %d is decided by its runner", b.Dispute)
	case strings.TrimSpace(b.Finding) == "":
		return fault(CheckPeople, "dispute %d with a runner is decided without a word", b.Dispute)
	}
	c.disputes[b.Dispute-1].decided = true
	return nil
}
