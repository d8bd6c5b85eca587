package api

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// A device in a browser makes its own key, which nobody can read out of it. The office
// gives the person who stands in front of the device a code, by telephone or on paper, and with
// the code the device brings the public half of its key. The code is good once and for a
// quarter of an hour; what the journal has of it is that somebody gave the terminal
// another key.

// enrolmentLife is how long a code is good.
const enrolmentLife = 15 * time.Minute

// enrolments are the codes that wait. They are in memory: after a restart they are made
// anew.
type enrolments struct {
	now func() time.Time

	mu  sync.Mutex // guards all
	all map[[sha256.Size]byte]enrolment
}

type enrolment struct {
	terminal, by uint32
	expires      time.Time
}

// make returns a code for a terminal; an earlier one is void.
func (e *enrolments) make(terminal, by uint32, life time.Duration) (string, time.Time) {
	text := rand.Text()[:16]
	code := strings.Join([]string{text[:4], text[4:8], text[8:12], text[12:]}, "-")
	expires := e.now().Add(life)
	e.mu.Lock()
	defer e.mu.Unlock()
	for key, old := range e.all {
		if old.terminal == terminal || !e.now().Before(old.expires) {
			delete(e.all, key)
		}
	}
	e.all[keyOf(code)] = enrolment{terminal, by, expires}
	return code, expires
}

// keyOf returns the key of a code as people type it.
func keyOf(code string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))))
}

// take takes a code, which is gone then.
func (e *enrolments) take(code string) (enrolment, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := keyOf(code)
	found, ok := e.all[key]
	delete(e.all, key)
	return found, ok && e.now().Before(found.expires)
}

// Enrolment lets a device bring its key, once.
type Enrolment struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires"`
}

// EnrolmentRequest is the body with which a device brings its key.
type EnrolmentRequest struct {
	Code string `json:"code" doc:"Code that the office has given, with or without hyphens."`
	Key  string `json:"key" doc:"Its Ed25519 public key, base64."`
}

// Enrolled says which device it is.
type Enrolled struct {
	Terminal uint32 `json:"terminal"`
}

func (s *server) enrolmentRoutes() {
	s.serve(route{
		alone: "what it sells it answers for",
		name:  "allow-enrolment", method: http.MethodPost, path: "/v1/terminals/{terminal}/enrolment",
		says: "Let a device bring its key, once", tag: "places", who: administrators, refuses: "terminal_unknown",
		out: Enrolment{},
	}, s.allowEnrolment)
	s.serve(route{
		name: "enrol", method: http.MethodPost, path: "/v1/enrolments", says: "Bring the key of a device",
		tag: "terminal", who: everybody, refuses: "key_wrong token_wrong too_many_attempts", in: EnrolmentRequest{},
		out: Enrolled{},
	}, s.enrol)
}

func (s *server) allowEnrolment(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "terminal")
	if err != nil {
		return err
	}
	if _, ok := s.terminals.post(id); !ok {
		return &refusal.Refusal{Code: staff.TerminalUnknown, Path: "terminal", Sentence: "There is no such terminal."}
	}
	code, expires := s.enrolling.make(id, callerOf(r).person.ID, enrolmentLife)
	s.writeJSON(w, r, http.StatusOK, Enrolment{Code: code, Expires: expires.In(s.zone)})
	return nil
}

func (s *server) enrol(w http.ResponseWriter, r *http.Request) error {
	var code string
	var key staff.PublicKey
	if err := s.read(w, r, field{name: "code", required: true, read: text(&code)},
		field{name: "key", required: true, read: into("key", &key)}); err != nil {
		return err
	}
	if err := s.checkGuesser(r); err != nil {
		return err
	}
	found, ok := s.enrolling.take(code)
	if !ok {
		s.wrongGuess(r)
		return &refusal.Refusal{Code: TokenWrong, Path: "code",
			Sentence: "The code is wrong, used or expired. Ask the office for another."}
	}
	if _, err := s.house.Do(r.Context(),
		command.Change{Command: staff.KeyTerminal{By: found.by, Terminal: found.terminal, Key: key}},
		record.By{}); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Enrolled{found.terminal})
	return nil
}

// AllowEnrolment returns a code for a terminal that is good for some time, for a program
// that lets the devices of a demonstration in: nobody has signed on there who could ask
// for one.
func (s *Server) AllowEnrolment(terminal uint32, life time.Duration) string {
	code, _ := s.server.enrolling.make(terminal, 0, life)
	return code
}
