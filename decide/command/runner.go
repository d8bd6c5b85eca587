package command

import (
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[DisputeRunner](Row{
		Name: "dispute-runner", Refuses: "no_writer not_allowed runner_subject runner_unknown venue_other",
		Path: "/v1/venues/{venue}/runner-disputes",
		Says: "Note a dispute between a runner and a player, for the senior person of the venue", Tag: "places",
		Who: Floor,
	}.numbered(
		func(b record.Body) uint32 { return b.(*record.RunnerDisputed).Dispute })) //nolint:errcheck // What DisputeRunner decides.
	register[DecideRunner](Row{
		Name: "decide-runner", Refuses: "not_allowed runner_decided runner_own runner_subject venue_other",
		Path: "/v1/venues/{venue}/runner-disputes/{dispute}/decision",
		Says: "Decide a dispute between a runner and a player", Tag: "places",
		Who: Who{Roles: staff.MayAct(record.KindRunnerDisputeDecided, false)},
	}.counted().
		alone("the rules name one person: who is senior at the venue"))
}

// DisputeRunner says that a runner and a player disagree.
type DisputeRunner struct {
	OfVenue `json:"-"`
	Runner  uint32 `json:"runner" of:"person" doc:"Number of the person."`
	Text    string `json:"text" doc:"What it is about. It stands in the journal for good: name no player."`
}

// Decide implements Command.
func (c DisputeRunner) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.DisputeRunner(s,
		record.RunnerDisputed{Venue: c.Venue, Runner: c.Runner, Finding: c.Text, By: e.By.Person}))
}

// DecideRunner says how a dispute between a runner and a player was decided.
type DecideRunner struct {
	OfVenue `json:"-"`
	Dispute uint32 `json:"-" path:"dispute"`
	Text    string `json:"text" doc:"What was decided. It stands in the journal for good: name no player."`
}

// Decide implements Command.
func (c DecideRunner) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.DecideRunner(s,
		record.RunnerDisputeDecided{Venue: c.Venue, Dispute: c.Dispute, Finding: c.Text, By: e.By.Person}))
}
