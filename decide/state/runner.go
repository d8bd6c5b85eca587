package state

import "drawhouse/journal/record"

// RunnerDispute is a dispute between a runner and a player. Of one that is decided only venue and runner are kept.
type RunnerDispute struct {
	Venue, Runner uint32
	Decided       bool
	By            uint32 // the person who noted the dispute
	At            record.Time
	Text          string
}

// OpenDispute is a dispute that nobody has decided, with its number.
type OpenDispute struct {
	Number uint32
	RunnerDispute
}

// openDisputes returns the disputes that nobody has decided, by number.
func (s *State) openDisputes() (open []OpenDispute) {
	for i, d := range s.disputes {
		if !d.Decided {
			open = append(open, OpenDispute{uint32(i + 1), d})
		}
	}
	return open
}

// OpenDisputes returns the disputes between runners and players that nobody has decided, by number. The caller must not
// change them.
func (v *View) OpenDisputes() []OpenDispute { return v.disputes }

// RunnerDisputes returns the disputes between runners and players, by number - 1. The caller must not change
// them.
func (s *State) RunnerDisputes() []RunnerDispute { return s.disputes }

func (s *State) disputeRunner(b *record.RunnerDisputed) error {
	if int(b.Dispute) != len(s.disputes)+1 {
		return cannot("dispute %d with a runner behind %d others", b.Dispute, len(s.disputes))
	}
	s.disputes = append(s.disputes, RunnerDispute{Venue: b.Venue, Runner: b.Runner, By: b.By, At: s.now, Text: b.Finding})
	s.noted.whole(allDisputes)
	return nil
}

func (s *State) decideRunner(b *record.RunnerDisputeDecided) error {
	if int(b.Dispute) > len(s.disputes) || s.disputes[b.Dispute-1].Decided || s.disputes[b.Dispute-1].Venue != b.Venue {
		return cannot("dispute %d with a runner is decided, which is not open", b.Dispute)
	}
	d := &s.disputes[b.Dispute-1]
	*d = RunnerDispute{Venue: d.Venue, Runner: d.Runner, Decided: true}
	s.noted.whole(allDisputes)
	return nil
}
