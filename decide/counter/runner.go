package counter

import (
	"slices"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes of disputes between a runner and a player.
const (
	RunnerSubject refusal.Code = "runner_subject" // nobody could tell what the dispute is about, or how it was decided
	RunnerDecided refusal.Code = "runner_decided" // the dispute is decided, or there is none of the number at the venue
	RunnerOwn     refusal.Code = "runner_own"     // the runner decides nothing in the own dispute
)

// checkRunner refuses a runner who brought no entry of the session, or who does not work at the venue.
//
//rule:casino-keno-div2 3.6
//rule:vic-keno-2015 10(a)
func (e *ending) checkRunner() error {
	switch {
	case e.Runner == 0:
		return nil
	case !e.open.Runner:
		return refuse(RunnerNone, "", "runner", "No entry of the session came by a runner.")
	case !runsAt(e.state, e.Runner, e.venue.ID):
		return refuse(RunnerUnknown, "", "runner", "Person %d is no runner of venue %d.", e.Runner, e.venue.ID)
	}
	return nil
}

// runsAt reports whether a person carries entries at a venue: a runner, or another person who works there.
func runsAt(s *state.State, person uint32, venue uint32) bool {
	who, ok := s.People().Person(person)
	return ok && !who.Erased && slices.ContainsFunc(who.Grants, func(g state.Grant) bool {
		return g.Role.AtVenue() && g.Venue == venue
	})
}

// DisputeRunner records a dispute between a runner and a player.
//
//rule:tas-keno-2023 6.3
//rule:vic-keno-2015 10(c)
func DisputeRunner(s *state.State, b record.RunnerDisputed) (*record.RunnerDisputed, error) {
	if !runsAt(s, b.Runner, b.Venue) {
		return nil, refuse(RunnerUnknown, "", "runner", "Person %d is no runner of venue %d.", b.Runner, b.Venue)
	}
	b.Dispute = uint32(len(s.RunnerDisputes())) + 1
	return &b, checkSubject(b.Finding)
}

// DecideRunner records how the senior person of the venue has decided.
//
//rule:tas-keno-2023 6.3
//rule:vic-keno-2015 10(c)
func DecideRunner(s *state.State, b record.RunnerDisputeDecided) (*record.RunnerDisputeDecided, error) {
	all := s.RunnerDisputes()
	switch {
	case b.Dispute == 0 || int(b.Dispute) > len(all) || all[b.Dispute-1].Venue != b.Venue || all[b.Dispute-1].Decided:
		return nil, refuse(RunnerDecided, "", "dispute", "Venue %d has no open dispute %d.", b.Venue, b.Dispute)
	case all[b.Dispute-1].Runner == b.By:
		return nil, refuse(RunnerOwn, "", "person", "The runner of a dispute does not decide it.")
	}
	return &b, checkSubject(b.Finding)
}

func checkSubject(text string) error {
	if strings.TrimSpace(text) == "" {
		return refuse(RunnerSubject, "", "text", "Say what it is about, and name no player.")
	}
	return nil
}
