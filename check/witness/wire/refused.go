package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"drawhouse/check/witness"
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
// one: the house may never show it here. What it shows is durable before the answer, which this custodian signs.
func (s *Server) tellQuorum(w http.ResponseWriter, r *http.Request) {
	request, err := body(r, witness.MaxRequest)
	var line []byte
	switch {
	case err == nil && s.config.Custody == nil:
		err = witness.ErrNoLinks
	case err == nil:
		line, err = s.learn(r.Context(), request)
	}
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write(line) // A client that is gone asks again.
	case errors.Is(err, errNotDurable):
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		http.Error(w, err.Error(), http.StatusForbidden)
	}
}

// learn has the gate take in the cosignatures of a checkpoint, and signs that it has.
func (s *Server) learn(ctx context.Context, request []byte) ([]byte, error) {
	told, err := witness.ParseLinkRequest(request)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, judgeWait)
	defer cancel()
	select {
	case s.judging <- struct{}{}:
		defer func() { <-s.judging }()
	case <-ctx.Done():
		return nil, errBusy
	}
	if err := s.config.Custody.Gate.Learn(told, s.writeGate); err != nil {
		return nil, err
	}
	return s.config.Cosigner.CosignTold(told, s.config.Now().Unix())
}

// TellQuorum tells a custodian of a checkpoint of the public log with the cosignatures of its policy, above the seal of
// a game. Its error says why the custodian has not taken it, or that the answer does not have its signature.
func (c *Client) TellQuorum(ctx context.Context, r witness.LinkRequest) error {
	answer, err := c.post(ctx, "/tell-quorum", r.Marshal())
	if err != nil {
		return err
	}
	if err := c.Witness.CheckTold(r, answer); err != nil {
		return fmt.Errorf("wire: %w: %w", ErrAnswer, err)
	}
	return nil
}
