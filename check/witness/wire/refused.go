package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// Refused is what a custodian refused last of what its house has signed, and how often it has refused anything since
// its start.
type Refused struct {
	Why   string `json:"why"`
	At    int64  `json:"at"` // seconds since 1970 UTC
	Times uint64 `json:"times"`
}

// refusals are what a custodian has refused since its start. An honest house mends what it is told, and a dishonest one
// tells nobody: so the people of the custodian must hear it from their own program.
type refusals struct {
	mu   sync.Mutex
	last Refused
	told map[string]bool // causes of which the log has a line
}

// mostTold bounds how many causes are remembered.
const mostTold = 200

// refuses takes in that something which the house has signed was refused. The log has one line for each cause.
func (s *Server) refuses(cause error) {
	why := cause.Error()
	s.refusals.mu.Lock()
	s.refusals.last = Refused{Why: why, At: s.config.Now().Unix(), Times: s.refusals.last.Times + 1}
	known := s.refusals.told[why]
	if s.refusals.told == nil || len(s.refusals.told) >= mostTold {
		s.refusals.told = map[string]bool{}
	}
	s.refusals.told[why] = true
	s.refusals.mu.Unlock()
	if !known {
		s.config.Log.Warn("what the house has signed is refused", "reason", why)
	}
}

// Refused returns what was refused last, and whether anything was.
func (s *Server) Refused() (last Refused, ok bool) {
	s.refusals.mu.Lock()
	defer s.refusals.mu.Unlock()
	return s.refusals.last, s.refusals.last.Times > 0
}

// tellQuorum takes in a checkpoint with the cosignatures of the policy, of which a holder of shares tells before giving
// one: the house may never show it here. What it shows is durable before the answer.
func (s *Server) tellQuorum(w http.ResponseWriter, r *http.Request) {
	note, err := body(r, witness.MaxRequest)
	switch {
	case err == nil && s.config.Custody == nil:
		err = witness.ErrNoLinks
	case err == nil:
		err = s.learn(r.Context(), note)
	}
	switch {
	case err == nil:
		w.WriteHeader(http.StatusOK)
	case errors.Is(err, errNotDurable):
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		http.Error(w, err.Error(), http.StatusForbidden)
	}
}

// learn brings the copy to a checkpoint, if it is behind, and has the gate take in its cosignatures.
func (s *Server) learn(ctx context.Context, note []byte) error {
	ctx, cancel := context.WithTimeout(ctx, judgeWait)
	defer cancel()
	select {
	case s.judging <- struct{}{}:
		defer func() { <-s.judging }()
	case <-ctx.Done():
		return errBusy
	}
	return s.config.Custody.Gate.Learn(note, s.writeGate)
}

// TellQuorum tells a custodian of a checkpoint of the public log with the cosignatures of its policy. Its error says
// why the custodian has not taken it.
func (c *Client) TellQuorum(ctx context.Context, checkpoint []byte) error {
	if _, err := journal.UnverifiedCheckpoint(checkpoint); err != nil {
		return fmt.Errorf("wire: %w", err)
	}
	_, err := c.post(ctx, "/tell-quorum", checkpoint)
	return err
}
