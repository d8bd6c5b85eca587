package api

import (
	"net/http"
	"time"

	"drawhouse/decide/staff"
)

// RunnerDispute is a dispute between a runner and a player that the senior person of the venue is to decide.
type RunnerDispute struct {
	Dispute    uint32    `json:"dispute" doc:"Its number."`
	Venue      uint32    `json:"venue"`
	VenueName  string    `json:"venue_name"`
	Runner     uint32    `json:"runner" doc:"Number of the person."`
	RunnerName string    `json:"runner_name,omitempty" doc:"Absent where the register has forgotten it."`
	By         uint32    `json:"by" doc:"Number of the person who noted the dispute."`
	ByName     string    `json:"by_name,omitempty" doc:"Absent where the register has forgotten it."`
	At         time.Time `json:"at" doc:"When the dispute was noted."`
	Text       string    `json:"text" doc:"What it is about."`
}

// RunnerDisputes are those that nobody has decided, the oldest first.
type RunnerDisputes struct {
	Disputes []RunnerDispute `json:"disputes"`
}

// disputeRoutes registers the question about disputes between runners and players.
func (s *server) disputeRoutes() {
	s.serve(route{
		name: "list-runner-disputes", path: "/v1/runner-disputes", tag: "places", who: anyRole, out: RunnerDisputes{},
		says: "The disputes between runners and players that wait for the senior person of a venue",
	}, s.listRunnerDisputes)
}

// listRunnerDisputes lists the open disputes: to the central site and inspectors everywhere, to others at the venues
// where they work.
func (s *server) listRunnerDisputes(w http.ResponseWriter, r *http.Request) error {
	view := RunnerDisputes{Disputes: []RunnerDispute{}}
	person := callerOf(r).person
	for _, d := range s.house.OpenDisputes() {
		if !staff.WorksAt(person, d.Venue) {
			continue
		}
		venue, _ := s.house.People().Premises(d.Venue)
		view.Disputes = append(view.Disputes, RunnerDispute{
			Dispute: d.Number, Venue: d.Venue, VenueName: venue.Name,
			Runner: d.Runner, RunnerName: s.nameOf(r.Context(), d.Runner),
			By: d.By, ByName: s.nameOf(r.Context(), d.By), At: s.time(d.At), Text: d.Text,
		})
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}
