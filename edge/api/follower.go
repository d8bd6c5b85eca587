package api

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/journal/record"
)

const (
	// FollowsOnly: this process follows the journal and decides nothing; the writer
	// does.
	FollowsOnly refusal.Code = "follows_only"
	// Behind: what this process could show is too old.
	Behind refusal.Code = "behind"
)

// behindMost is how old the newest that a follower knows may be before it says that it
// is not well.
const behindMost = 10 * time.Second

// standing returns how a follower stands; false means that the house writes.
func (s *server) standing() (house.Standing, bool) {
	if s.follower == nil {
		return house.Standing{}, false
	}
	at := s.follower()
	return at, at.Follows
}

// onlyReads keeps a follower to what the public may know. It has neither the sessions of
// terminals nor those of people, which are the writer's, and decides nothing.
func (s *server) onlyReads(row command.Who,
	next func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	if s.follower == nil {
		return next
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		reads := row.Everybody && (r.Method == http.MethodGet || r.Method == http.MethodHead)
		if _, follows := s.standing(); follows && !reads {
			return s.elsewhere()
		}
		return next(w, r)
	}
}

// elsewhere refuses what only the writer can answer, and says where that is.
func (s *server) elsewhere() *Error {
	sentence := "This house only follows the journal. Who writes it is not known now."
	at, _ := s.standing()
	if at.Writer.Address != "" {
		sentence = fmt.Sprintf("This house only follows the journal. Ask the one that writes it, at %s.",
			at.Writer.Address)
	}
	e := refusedWith(&refusal.Refusal{Code: FollowsOnly, Sentence: sentence})
	e.Fault.Writer = at.Writer.Address
	return e
}

// Following is how far a follower is behind the journal.
type Following struct {
	Writer       string `json:"writer,omitempty" doc:"Where the writer takes commands, as it says itself."`
	Epoch        uint64 `json:"epoch,omitempty" doc:"Of the writer. It grows with every takeover."`
	LagRecords   uint64 `json:"lag_records" doc:"Records that are durable and not shown here yet."`
	LagMillis    int64  `json:"lag_ms" doc:"Milliseconds since everything durable was last known to be shown here."`
	lostContact  bool
	hasOtherPast error // or a newer program's records
}

// following describes how a follower stands; nil for a house that writes.
func (s *server) following() *Following {
	at, follows := s.standing()
	if !follows {
		return nil
	}
	return &Following{
		Writer: at.Writer.Address, Epoch: at.Writer.Epoch, LagRecords: at.Lag.Records,
		LagMillis:   at.Lag.Behind.Milliseconds(),
		lostContact: at.Lag.Behind > behindMost, hasOtherPast: at.Diverged,
	}
}

// check reports a follower that is not to be believed any more.
func (f *Following) check() error {
	switch {
	case f == nil:
		return nil
	case errors.Is(f.hasOtherPast, record.ErrNewer):
		return &refusal.Refusal{Code: Behind,
			Sentence: "A newer program writes this journal. Start that program here. Nothing more is shown until then."}
	case f.hasOtherPast != nil:
		return &refusal.Refusal{Code: Behind,
			Sentence: "The journal has another past than the one that was followed here. Nothing more is shown."}
	case f.lostContact:
		return &refusal.Refusal{Code: Behind,
			Sentence: fmt.Sprintf("The journal could not be followed for %d milliseconds.", f.LagMillis)}
	}
	return nil
}
