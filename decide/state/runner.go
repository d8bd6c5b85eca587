package state

import "drawhouse/journal/record"

// RunnerDispute is a dispute between a runner and a player.
type RunnerDispute struct {
	Venue, Runner uint32
	Decided       bool
}

// RunnerDisputes returns the disputes between runners and players, by number - 1. The caller must not change
// them.
func (s *State) RunnerDisputes() []RunnerDispute { return s.disputes }

func (s *State) disputeRunner(b *record.RunnerDisputed) error {
	if int(b.Dispute) != len(s.disputes)+1 {
		return cannot("dispute %d with a runner behind %d others", b.Dispute, len(s.disputes))
	}
	s.disputes = append(s.disputes, RunnerDispute{Venue: b.Venue, Runner: b.Runner})
	return nil
}

func (s *State) decideRunner(b *record.RunnerDisputeDecided) error {
	if int(b.Dispute) > len(s.disputes) || s.disputes[b.Dispute-1].Decided || s.disputes[b.Dispute-1].Venue != b.Venue {
		return cannot("dispute %d with a runner is decided, which is not open", b.Dispute)
	}
	s.disputes[b.Dispute-1].Decided = true
	return nil
}
