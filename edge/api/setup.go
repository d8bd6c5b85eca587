package api

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"sync"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// SetUp is the body with which one of the first administrators is made.
type SetUp struct {
	Token    string `json:"token" doc:"What the program printed when it was started: one token for each of the two."`
	Name     string `json:"name"`
	Contact  string `json:"contact,omitempty"`
	Password string `json:"password"`
}

// Invitation lets a person set a password, once.
type Invitation struct {
	Token   string    `json:"token"`
	Expires time.Time `json:"expires"`
}

// Acceptance is the body with which an invitation is accepted.
type Acceptance struct {
	Token    string `json:"token"`
	Password string `json:"password"`
}

// invitations are those that wait. They are in memory: after a restart they are made
// anew.
type invitations struct {
	now func() time.Time

	mu  sync.Mutex // guards all
	all map[[sha256.Size]byte]invitation
}

type invitation struct {
	person, by uint32
	expires    time.Time
}

// make invites a person; an earlier invitation of the person is void.
func (i *invitations) make(person, by uint32) Invitation {
	token, expires := rand.Text()+rand.Text(), i.now().Add(staff.InvitationLife)
	i.mu.Lock()
	defer i.mu.Unlock()
	for key, old := range i.all {
		if old.person == person || !i.now().Before(old.expires) {
			delete(i.all, key)
		}
	}
	i.all[sha256.Sum256([]byte(token))] = invitation{person, by, expires}
	return Invitation{Token: token, Expires: expires}
}

// whom returns whom an invitation is for, or 0.
func (i *invitations) whom(token string) uint32 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.all[sha256.Sum256([]byte(token))].person
}

// take takes an invitation, which is gone then.
func (i *invitations) take(token string) (invitation, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	key := sha256.Sum256([]byte(token))
	found, ok := i.all[key]
	delete(i.all, key)
	return found, ok && i.now().Before(found.expires)
}

func (s *server) setUpRoutes() {
	s.serve(route{
		name: "set-up", method: http.MethodPost, path: "/v1/setup", says: "Make the first administrator",
		tag: "people", who: everybody,
		refuses: "details_wrong not_allowed password_weak token_wrong too_many_attempts", in: SetUp{},
		out: Numbered{},
	}, s.setUp)
	s.serve(route{
		name: "accept-invitation", method: http.MethodPost, path: "/v1/invitations",
		says: "Set a password by an invitation", tag: "people", who: everybody,
		refuses: "no_register not_invited password_weak person_locked token_wrong too_many_attempts",
		in:      Acceptance{}, out: Done{},
	}, s.acceptInvitation)
	s.serve(route{
		alone: "an inspector's password is the inspector's own",
		name:  "invite-person", method: http.MethodPost, path: "/v1/people/{person}/invitation",
		says: "Let a person set a password, once", tag: "people", who: administrators,
		refuses: "inspector_own not_invited person_unknown", out: Invitation{},
	}, s.invitePerson)
}

func tokenWrong() error {
	return &refusal.Refusal{Code: TokenWrong, Path: "token", Sentence: "The token is not one, or not any more."}
}

// setups are the tokens with which the first administrators are made. Each is good once.
type setups struct {
	mu  sync.Mutex // guards all
	all [][sha256.Size]byte
}

func newSetups(tokens []string) *setups {
	s := &setups{}
	for _, token := range tokens {
		s.back(token)
	}
	return s
}

// at returns where a token is, or -1. The caller holds the lock.
func (s *setups) at(token string) int {
	given, found := sha256.Sum256([]byte(token)), -1
	for i := range s.all {
		if subtle.ConstantTimeCompare(given[:], s.all[i][:]) == 1 {
			found = i
		}
	}
	return found
}

func (s *setups) has(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(token) >= 0
}

// take takes a token, which is gone then, and reports whether it was there.
func (s *setups) take(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.at(token)
	if i >= 0 {
		s.all = slices.Delete(s.all, i, i+1)
	}
	return i >= 0
}

// back puts a token back with which nobody was made.
func (s *setups) back(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, sha256.Sum256([]byte(token)))
}

// setUp makes one of the first administrators for anybody who has seen what the program printed.
func (s *server) setUp(w http.ResponseWriter, r *http.Request) error {
	var in SetUp
	err := s.read(w, r, field{name: "token", required: true, read: text(&in.Token)},
		field{name: "name", required: true, read: text(&in.Name)},
		field{name: "contact", read: anyText(&in.Contact)}, field{name: "password", required: true,
			read: text(&in.Password)})
	if err != nil {
		return err
	}
	if err := s.checkGuesser(r); err != nil {
		return err
	}
	if s.register == nil || !s.setups.has(in.Token) {
		s.wrongGuess(r)
		return tokenWrong()
	}
	if err := checkPassword(in.Password, in.Name); err != nil {
		return err
	}
	details, err := s.keepDetails(r, in.Name, in.Contact)
	if err != nil {
		return err
	}
	secret, err := s.newSecret(r, in.Password)
	if err != nil {
		return err
	}
	if !s.setups.take(in.Token) {
		return tokenWrong()
	}
	made, err := s.house.Do(r.Context(),
		command.Change{Command: staff.FirstAdministrator{Details: details, Secret: secret}}, record.By{})
	if err != nil {
		s.setups.back(in.Token)
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Numbered{Number: staff.NumberOf(made)})
	return nil
}

func (s *server) invitePerson(w http.ResponseWriter, r *http.Request) error {
	id, err := s.somebody(r)
	if err != nil {
		return err
	}
	// The record comes before the token: nobody holds an invitation of which the journal
	// does not know.
	if _, err := s.house.Do(r.Context(), command.Change{Command: staff.Invite{By: callerOf(r).person.ID, Person: id}},
		record.By{}); err != nil {
		return err
	}
	view := s.invited.make(id, callerOf(r).person.ID)
	view.Expires = view.Expires.In(s.zone)
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	var in Acceptance
	if err := s.read(w, r, field{name: "token", required: true, read: text(&in.Token)},
		field{name: "password", required: true, read: text(&in.Password)}); err != nil {
		return err
	}
	if s.register == nil {
		return command.WithoutRegister()
	}
	if err := s.checkGuesser(r); err != nil {
		return err
	}
	if err := checkPassword(in.Password, s.nameOf(r.Context(), s.invited.whom(in.Token))); err != nil {
		return err // The invitation stays good.
	}
	found, ok := s.invited.take(in.Token)
	if !ok {
		s.wrongGuess(r)
		return tokenWrong()
	}
	secret, err := s.newSecret(r, in.Password)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.SetPassword{By: found.by, Person: found.person, Secret: secret})
}
