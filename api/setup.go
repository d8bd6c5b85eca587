package api

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/person"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
)

// SetUp is the body with which the first administrator is made.
type SetUp struct {
	Token    string `json:"token" doc:"What the program printed when it was started."`
	Name     string `json:"name"`
	Contact  string `json:"contact,omitempty"`
	Password string `json:"password"`
}

// Numbered is the number of what was added.
type Numbered struct {
	Number uint32 `json:"number"`
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

// invitationLife is how long an invitation is good.
const invitationLife = 24 * time.Hour

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
	token, expires := rand.Text()+rand.Text(), i.now().Add(invitationLife)
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
	s.handle(s.operation("set-up", http.MethodPost, "/v1/setup", "Make the first administrator", "people", nil, SetUp{}, Numbered{}), s.setUp)
	s.handle(s.operation("accept-invitation", http.MethodPost, "/v1/invitations", "Set a password by an invitation", "people", nil, Acceptance{}, Done{}), s.acceptInvitation)
	s.handle(s.operation("invite-person", http.MethodPost, "/v1/people/{person}/invitation", "Let a person set a password, once", "people", personParam(), nil, Invitation{}), s.invitePerson)
}

func personParam() []*huma.Param {
	return []*huma.Param{{Name: "person", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeInteger}}}
}

func tokenWrong() error {
	return &refusal.Refusal{Code: TokenWrong, Path: "token", Sentence: "The token is not one, or not any more."}
}

// setUp makes the first administrator for whoever has seen what the program printed.
func (s *server) setUp(w http.ResponseWriter, r *http.Request) error {
	var in SetUp
	err := s.read(w, r, field{name: "token", required: true, read: text(&in.Token)}, field{name: "name", required: true, read: text(&in.Name)},
		field{name: "contact", read: anyText(&in.Contact)}, field{name: "password", required: true, read: text(&in.Password)})
	if err != nil {
		return err
	}
	if err := s.guessesFrom.check(networkOf(r)); err != nil {
		return err
	}
	given, want := sha256.Sum256([]byte(in.Token)), sha256.Sum256([]byte(s.setup))
	if s.setup == "" || s.register == nil || subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		s.guessesFrom.wrong(networkOf(r))
		return tokenWrong()
	}
	details, err := s.keepDetails(r, in.Name, in.Contact)
	if err != nil {
		return err
	}
	secret, err := s.newSecret(r.Context(), in.Password)
	if err != nil {
		return err
	}
	bodies, err := s.house.Staff(r.Context(), staff.FirstAdministrator{Details: details, Secret: secret})
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Numbered{staff.NumberOf(bodies)})
	return nil
}

func (s *server) invitePerson(w http.ResponseWriter, r *http.Request) error {
	id, err := s.somebody(r)
	if err != nil {
		return err
	}
	var p state.Person
	s.house.People(func(all *state.People) { p, _ = all.Person(id) })
	if err := staff.CheckInvited(p); err != nil {
		return err
	}
	view := s.invited.make(id, callerOf(r).person.ID)
	view.Expires = view.Expires.In(s.zone)
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	var in Acceptance
	if err := s.read(w, r, field{name: "token", required: true, read: text(&in.Token)}, field{name: "password", required: true, read: text(&in.Password)}); err != nil {
		return err
	}
	if s.register == nil {
		return noRegister()
	}
	if err := s.guessesFrom.check(networkOf(r)); err != nil {
		return err
	}
	if n := len([]rune(in.Password)); n < person.LeastPassword || n > person.MostPassword {
		_, err := s.newSecret(r.Context(), in.Password) // It says why, and the invitation stays good.
		return err
	}
	found, ok := s.invited.take(in.Token)
	if !ok {
		s.guessesFrom.wrong(networkOf(r))
		return tokenWrong()
	}
	secret, err := s.newSecret(r.Context(), in.Password)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.SetPassword{By: found.by, Person: found.person, Secret: secret})
}
