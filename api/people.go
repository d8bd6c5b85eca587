package api

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"drawhouse/person"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
)

// DetailsWrong: a name or a contact cannot be kept.
const DetailsWrong refusal.Code = "details_wrong"

// Person is somebody who works in the house.
type Person struct {
	Number      uint32    `json:"number"`
	Name        string    `json:"name,omitempty" doc:"Empty for a person whom the register has forgotten."`
	Contact     string    `json:"contact,omitempty"`
	Grants      []Grant   `json:"grants"`
	HasPassword bool      `json:"has_password"`
	LockedUntil time.Time `json:"locked_until,omitzero"`
	Erased      bool      `json:"erased,omitempty"`
	Duty        *Duty     `json:"duty,omitempty"`
}

// Duty is a shift.
type Duty struct {
	Person   uint32    `json:"person"`
	Role     string    `json:"role"`
	Venue    uint32    `json:"venue,omitempty"`
	Terminal uint32    `json:"terminal,omitempty"`
	Since    time.Time `json:"since"`
	Leaves   bool      `json:"leaves,omitempty"`
}

// People is everybody.
type People struct {
	People []Person `json:"people"`
}

// OnDuty is who is on duty.
type OnDuty struct {
	Duty []Duty `json:"duty"`
}

// NewPerson is the body with which a person is added.
type NewPerson struct {
	Name    string  `json:"name"`
	Contact string  `json:"contact,omitempty"`
	Grants  []Grant `json:"grants,omitempty"`
}

// Locking is the body with which a person is locked or unlocked.
type Locking struct {
	Locked bool   `json:"locked"`
	Reason string `json:"reason"`
}

// Erasure is the body with which a person is erased, as approved.
type Erasure struct {
	Reason   string `json:"reason"`
	Approval uint32 `json:"approval"`
}

// personRoutes registers what is done about people.
func (s *server) personRoutes() {
	one := personParam()
	s.handle(s.operation("list-people", http.MethodGet, "/v1/people", "Everybody who works in the house", "people", nil, nil, People{}), s.listPeople)
	s.handle(s.operation("add-person", http.MethodPost, "/v1/people", "Bring somebody into the house", "people", nil, NewPerson{}, Numbered{}), s.addPerson)
	s.handle(s.operation("grant-role", http.MethodPost, "/v1/people/{person}/grants", "Give a person a role", "people", one, Grant{}, Done{}), s.grantRole)
	s.handle(s.operation("withdraw-role", http.MethodPost, "/v1/people/{person}/withdrawals", "Take a role from a person", "people", one, Grant{}, Done{}), s.withdrawRole)
	s.handle(s.operation("lock-person", http.MethodPut, "/v1/people/{person}/lock", "Lock or unlock a person", "people", one, Locking{}, Done{}), s.lockPerson)
	s.handle(s.operation("erase-person", http.MethodPost, "/v1/people/{person}/erasure", "Have the register forget a person, as approved", "people", one, Erasure{}, Done{}), s.erasePerson)
	s.handle(s.operation("get-duty", http.MethodGet, "/v1/duty", "Who is on duty", "people", nil, nil, OnDuty{}), s.getDuty)
	s.handle(s.operation("begin-duty", http.MethodPost, "/v1/duty", "Go on duty, at a venue or the central site", "people", nil, Grant{}, Done{}), s.beginDuty)
	s.handle(s.operation("leave-duty", http.MethodPost, "/v1/duty/leave", "Say that one will leave: the game that runs is the last", "people", nil, nil, Done{}), s.leaveDuty)
	s.handle(s.operation("end-duty", http.MethodDelete, "/v1/duty", "Go off duty", "people", nil, nil, Done{}), s.endDuty)
	s.handle(s.operation("send-home", http.MethodDelete, "/v1/people/{person}/duty", "Take a person off duty", "people", one, nil, Done{}), s.sendHome)
}

// read reads the form of a request.
func (s *server) read(w http.ResponseWriter, r *http.Request, fields ...field) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	return readForm(body, fields...)
}

// staff has a change made and answers how many records came of it.
func (s *server) staff(w http.ResponseWriter, r *http.Request, c staff.Command) error {
	bodies, err := s.house.Staff(r.Context(), c)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Done{len(bodies)})
	return nil
}

// first returns the first record of a decision, which is of the kind that its command
// makes.
func first[T record.Body](bodies []record.Body, err error) (made T, _ error) {
	if err != nil {
		return made, err
	}
	made, ok := bodies[0].(T)
	if !ok {
		return made, fmt.Errorf("api: a %T was made and not a %T", bodies[0], made)
	}
	return made, nil
}

// somebody returns the person whom a path names.
func (s *server) somebody(r *http.Request) (uint32, error) {
	id, err := number32(r, "person")
	if err != nil {
		return 0, err
	}
	if found, ok := s.house.People().Person(id); !ok || found.Erased {
		return 0, &refusal.Refusal{Code: staff.PersonUnknown, Path: "person", Sentence: fmt.Sprintf("There is no person %d.", id)}
	}
	return id, nil
}

// keepDetails keeps who somebody is and returns the hash for the journal.
func (s *server) keepDetails(r *http.Request, name, contact string) (record.Hash, error) {
	if s.register == nil {
		return record.Hash{}, noRegister()
	}
	details, err := person.NewDetails(name, contact, rand.Reader)
	if err != nil {
		return record.Hash{}, unfit(err, "")
	}
	return details.Hash(), s.register.Put(r.Context(), details)
}

func (s *server) listPeople(w http.ResponseWriter, r *http.Request) error {
	all := s.house.People().Persons()
	view := People{People: make([]Person, 0, len(all))}
	for _, p := range all {
		one := Person{Number: p.ID, Grants: rolesOf(p), HasPassword: p.Secret != (record.Hash{}), Erased: p.Erased, Duty: s.viewDuty(p)}
		if p.Locked > record.Of(s.now()) && p.Locked != record.Forever {
			one.LockedUntil = s.time(p.Locked)
		} else if p.Locked == record.Forever {
			one.LockedUntil = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
		}
		if s.register != nil && !p.Erased {
			details, err := s.register.Details(r.Context(), p.Details)
			if err != nil && !errors.Is(err, person.ErrUnknown) {
				return err
			}
			one.Name, one.Contact = details.Name, details.Contact
		}
		view.People = append(view.People, one)
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) viewDuty(p state.Person) *Duty {
	if !p.Shift.On() {
		return nil
	}
	return &Duty{Person: p.ID, Role: string(p.Shift.Role), Venue: p.Shift.Venue, Terminal: p.Shift.Terminal, Since: s.time(p.Shift.Since), Leaves: p.Shift.Ending}
}

func (s *server) addPerson(w http.ResponseWriter, r *http.Request) error {
	var in NewPerson
	var grants []state.Grant
	err := s.read(w, r, field{name: "name", required: true, read: text(&in.Name)}, field{name: "contact", read: anyText(&in.Contact)},
		field{name: "grants", read: grantList(&grants)})
	if err != nil {
		return err
	}
	details, err := s.keepDetails(r, in.Name, in.Contact)
	if err != nil {
		return err
	}
	bodies, err := s.house.Staff(r.Context(), staff.AddPerson{By: callerOf(r).person.ID, Details: details, Grants: grants})
	if err != nil {
		return s.unkept(r.Context(), err, details)
	}
	s.writeJSON(w, r, http.StatusOK, Numbered{staff.NumberOf(bodies)})
	return nil
}

// grantList reads a list of roles.
func grantList(to *[]state.Grant) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var grants []Grant
		if json.Unmarshal(value, &grants) != nil {
			return errors.New("a list of roles such as {\"role\":\"writer\",\"venue\":1}")
		}
		for _, g := range grants {
			*to = append(*to, state.Grant{Role: record.Role(g.Role), Venue: g.Venue})
		}
		return nil
	}
}

// readGrant reads the body of a role.
func (s *server) readGrant(w http.ResponseWriter, r *http.Request) (state.Grant, error) {
	var g Grant
	err := s.read(w, r, field{name: "role", required: true, read: text(&g.Role)}, field{name: "venue", read: whole(&g.Venue, 1)})
	return state.Grant{Role: record.Role(g.Role), Venue: g.Venue}, err
}

func (s *server) grantRole(w http.ResponseWriter, r *http.Request) error {
	id, err := s.somebody(r)
	if err != nil {
		return err
	}
	grant, err := s.readGrant(w, r)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.GrantRole{By: callerOf(r).person.ID, Person: id, Grant: grant})
}

func (s *server) withdrawRole(w http.ResponseWriter, r *http.Request) error {
	id, err := s.somebody(r)
	if err != nil {
		return err
	}
	grant, err := s.readGrant(w, r)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.WithdrawRole{By: callerOf(r).person.ID, Person: id, Grant: grant})
}

func (s *server) lockPerson(w http.ResponseWriter, r *http.Request) error {
	id, err := s.somebody(r)
	if err != nil {
		return err
	}
	var in Locking
	if err := s.read(w, r, field{name: "locked", required: true, read: flag(&in.Locked)}, field{name: "reason", required: true, read: text(&in.Reason)}); err != nil {
		return err
	}
	c := staff.Lock{By: callerOf(r).person.ID, Person: id, Reason: in.Reason}
	if in.Locked {
		c.Until = record.Forever
	}
	bodies, err := s.house.Staff(r.Context(), c)
	if err != nil {
		return err
	}
	if !in.Locked {
		s.guesses.right(fmt.Sprint(id))
	}
	s.writeJSON(w, r, http.StatusOK, Done{len(bodies)})
	return nil
}

// erasePerson records the erasure and then has the register forget. A house that is
// killed in between has the record, and whoever erases again makes up for it.
func (s *server) erasePerson(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "person")
	if err != nil {
		return err
	}
	var in Erasure
	if err := s.read(w, r, field{name: "reason", required: true, read: text(&in.Reason)}, field{name: "approval", required: true, read: whole(&in.Approval, 1)}); err != nil {
		return err
	}
	p, _ := s.house.People().Person(id)
	records := 0
	if !p.Erased {
		bodies, err := s.house.Staff(r.Context(), staff.Erase{By: callerOf(r).person.ID, Person: id, Reason: in.Reason, Approval: in.Approval})
		if err != nil {
			return err
		}
		records = len(bodies)
	}
	if s.register != nil {
		if err := s.register.Forget(r.Context(), p.Details, p.Secret); err != nil {
			return err
		}
	}
	s.writeJSON(w, r, http.StatusOK, Done{records})
	return nil
}

func (s *server) getDuty(w http.ResponseWriter, r *http.Request) error {
	view := OnDuty{Duty: []Duty{}}
	all := s.house.People().Persons()
	for _, p := range all {
		if duty := s.viewDuty(p); duty != nil && staff.WorksAt(callerOf(r).person, duty.Venue) {
			view.Duty = append(view.Duty, *duty)
		}
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) beginDuty(w http.ResponseWriter, r *http.Request) error {
	grant, err := s.readGrant(w, r)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.Begin{Person: callerOf(r).person.ID, Grant: grant})
}

func (s *server) leaveDuty(w http.ResponseWriter, r *http.Request) error {
	return s.staff(w, r, staff.Leave{Person: callerOf(r).person.ID})
}

func (s *server) endDuty(w http.ResponseWriter, r *http.Request) error {
	id := callerOf(r).person.ID
	return s.staff(w, r, staff.End{By: id, Person: id})
}

func (s *server) sendHome(w http.ResponseWriter, r *http.Request) error {
	id, err := s.somebody(r)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.End{By: callerOf(r).person.ID, Person: id})
}

// publicKey reads an Ed25519 key in base64, of either alphabet and with or without
// padding.
func publicKey(to *[32]byte) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var given string
		if json.Unmarshal(value, &given) == nil {
			for _, form := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
				if key, err := form.DecodeString(given); err == nil && len(key) == len(to) {
					*to = [32]byte(key)
					return nil
				}
			}
		}
		return errors.New("an Ed25519 public key in base64")
	}
}

// list reads a list of texts.
func list(to *[]string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		const most = 16
		if json.Unmarshal(value, to) != nil || len(*to) == 0 || len(*to) > most {
			return errors.New("a list of texts")
		}
		return nil
	}
}

// hash reads 64 hexadecimal digits.
func hash(to *record.Hash) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var digits string
		if json.Unmarshal(value, &digits) == nil && len(digits) == hex.EncodedLen(len(to)) {
			if _, err := hex.Decode(to[:], []byte(digits)); err == nil {
				return nil
			}
		}
		return fmt.Errorf("%d hexadecimal digits", hex.EncodedLen(len(to)))
	}
}
