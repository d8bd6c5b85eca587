package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"drawhouse/check/witness"
)

// newest is the newest checkpoint of a log that was cosigned here, as monitors get it.
type newest struct {
	signed witness.Signed
	at     int64  // time of the cosignature; 0 in a book that has none
	line   []byte // the cosignature; nil until somebody asks, after a restart
}

// Standing is how far a log is cosigned here.
type Standing struct {
	Origin  string
	Entries uint64
	At      int64 // time of the cosignature, in seconds; 0 in a book that has none
	Forked  bool  // a checkpoint that contradicts it is in the book
}

// Standings returns how far each log is cosigned that was cosigned here, in the order of their origins.
func (s *Server) Standings() []Standing {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Standing
	for _, n := range s.newest {
		c := n.signed.Checkpoint
		list = append(list, Standing{Origin: c.Origin, Entries: c.Size, At: n.at, Forked: s.forked[c.Origin]})
	}
	slices.SortFunc(list, func(a, b Standing) int { return strings.Compare(a.Origin, b.Origin) })
	return list
}

// BookErr returns why the witness could not write down what it signs.
func (s *Server) BookErr() error { return s.book.Err() }

// originHash is how C2SP tlog-witness names a log in an address.
func originHash(origin string) string {
	sum := sha256.Sum256([]byte(origin))
	return hex.EncodeToString(sum[:])
}

// sign keeps a cosignature that was given out.
func (s *Server) sign(log string, at int64, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.newest[log]; n != nil && n.at == at {
		n.line = line
	}
}

// monitor answers with the newest checkpoint of a log, as C2SP tlog-witness has it: with the signatures of the log,
// and with the cosignature that was given out for it. After a restart the cosignature is made again for the time that
// the book has, and a second signature of the same is the first one.
func (s *Server) monitor(w http.ResponseWriter, r *http.Request) {
	log := r.PathValue("log")
	s.mu.Lock()
	var n newest
	if known := s.newest[log]; known != nil {
		if known.at == 0 {
			known.at = s.config.Now().Unix()
		}
		n = *known
	}
	s.mu.Unlock()
	if n.signed.Note == nil {
		http.Error(w, "no checkpoint of that log was cosigned here", http.StatusNotFound)
		return
	}
	if n.line == nil {
		var err error
		if n.line, err = s.config.Cosigner.CosignText(n.signed.Text, n.at); err != nil {
			s.refuse(w, err)
			return
		}
		s.sign(log, n.at, n.line)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(slices.Concat(n.signed.Note, n.line)) // A client that is gone asks again.
}

// addLog lets a house introduce its public log, so that nobody must tell its witnesses one more key.
func (s *Server) addLog(w http.ResponseWriter, r *http.Request) {
	note, err := body(r, witness.MaxRequest)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	origin, err := s.introduce(note)
	if err != nil {
		s.refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, origin+"\n") // A client that is gone asks again.
}

// introduce decides on a log and makes the decision durable.
func (s *Server) introduce(note []byte) (origin string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	log, err := s.config.Watch.Introduce(note)
	if err != nil {
		if refused := new(witness.Refusal); errors.As(err, &refused) && refused.Code == witness.Forked {
			s.config.Log.Error("a house introduces another log", "error", err)
		}
		return "", err
	}
	if log.Known() {
		return log.Origin, nil
	}
	if err := s.append(entry{Log: string(note)}); err != nil {
		return "", err
	}
	s.config.Watch.Meet(log)
	s.config.Log.Info("the house has introduced its public log", "origin", log.Origin)
	return log.Origin, nil
}

// What a key says by its cosignature.
const (
	saysGrowth = "growth" // the log only grew
	saysReplay = "replay" // its records were graded, too
)

// kind is what the key of this witness says.
func (s *Server) kind() string {
	if s.config.Agree != nil {
		return saysReplay
	}
	return saysGrowth
}

// checkKind refuses a key that has said something else before: a reader of its cosignatures could not tell which.
func (s *Server) checkKind(kind string) error {
	s.marked = true
	if kind == s.kind() {
		return nil
	}
	return fmt.Errorf("the key of %s has cosigned for %q and is now to cosign for %q; a replaying witness has a name and a key of its own",
		s.config.Cosigner.Name(), kind, s.kind())
}

// mark writes into a book without a mark what its key says.
func (s *Server) mark() error {
	if s.marked {
		return nil
	}
	return s.append(entry{Kind: s.kind()})
}
