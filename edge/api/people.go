package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// DetailsWrong: a name or a contact cannot be kept.
const DetailsWrong refusal.Code = "details_wrong"

// Person is somebody who works in the house.
type Person struct {
	Number      uint32        `json:"number"`
	Name        string        `json:"name,omitempty" doc:"Empty for a person whom the register has forgotten."`
	Contact     string        `json:"contact,omitempty"`
	Grants      []state.Grant `json:"grants"`
	HasPassword bool          `json:"has_password"`
	LockedUntil time.Time     `json:"locked_until,omitzero"`
	Erased      bool          `json:"erased,omitempty"`
	Duty        *Duty         `json:"duty,omitempty"`
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
	Name    string        `json:"name"`
	Contact string        `json:"contact,omitempty"`
	Grants  []state.Grant `json:"grants,omitempty"`
}

// Erasure is the body with which a person is erased, as approved.
type Erasure struct {
	Reason   string `json:"reason"`
	Approval uint32 `json:"approval"`
}

// personRoutes registers what is done about people.
func (s *server) personRoutes() {
	s.serve(route{
		name: "list-people", path: "/v1/people", says: "Everybody who works in the house", tag: "people",
		who: offices, out: People{},
	}, s.listPeople)
	s.serve(route{
		alone: "an inspector takes two",
		name:  "add-person", method: http.MethodPost, path: "/v1/people", says: "Bring somebody into the house",
		tag: "people", who: administrators, refuses: "details_wrong inspector_by_two role_unknown", in: NewPerson{},
		out: Numbered{}, again: s.showAdded,
	}, s.addPerson)
	s.commandRoute(command.RowOf[command.LockPerson](), s.lockPerson)
	s.serve(route{
		alone: "it uses an approval",
		name:  "erase-person", method: http.MethodPost, path: "/v1/people/{person}/erasure",
		says: "Have the register forget a person, as approved", tag: "people", who: administrators,
		refuses: "approval_not_given approval_other approval_unknown last_of_role on_shift person_unknown", in: Erasure{}, out: Done{},
	}, s.erasePerson)
	s.serve(route{
		name: "get-duty", path: "/v1/duty", says: "Who is on duty", tag: "people", who: reporting, out: OnDuty{},
	}, s.getDuty)
}

// read reads the form of a request.
func (s *server) read(w http.ResponseWriter, r *http.Request, fields ...field) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	return readForm(body, fields...)
}

// staff has a change made and answers whether something came of it.
func (s *server) staff(w http.ResponseWriter, r *http.Request, c staff.Command) error {
	made, err := s.house.Do(r.Context(), command.Change{Command: c}, record.By{})
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, command.DoneBy(made))
	return nil
}

// somebody returns the person whom a path names.
func (s *server) somebody(r *http.Request) (uint32, error) {
	id, err := number32(r, "person")
	if err != nil {
		return 0, err
	}
	if found, ok := s.house.People().Person(id); !ok || found.Erased {
		return 0, &refusal.Refusal{Code: staff.PersonUnknown, Path: "person",
			Sentence: fmt.Sprintf("There is no person %d.", id)}
	}
	return id, nil
}

// keepDetails keeps who somebody is and returns the hash for the journal.
func (s *server) keepDetails(r *http.Request, name, contact string) (record.Hash, error) {
	if s.register == nil {
		return record.Hash{}, command.WithoutRegister()
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
		one := Person{Number: p.ID, Grants: rolesOf(p), HasPassword: p.Secret != (record.Hash{}), Erased: p.Erased,
			Duty: s.viewDuty(p)}
		if p.Locked > record.Of(s.now()) && p.Locked != record.Forever {
			one.LockedUntil = s.time(p.Locked)
		} else if p.Locked == record.Forever {
			one.LockedUntil = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
		}
		if s.register != nil && !p.Erased {
			details, err := s.register.Details(r.Context(), p.Details)
			if err != nil && !cannotShow(err) {
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
	return &Duty{Person: p.ID, Role: string(p.Shift.Role), Venue: p.Shift.Venue, Terminal: p.Shift.Terminal,
		Since: s.time(p.Shift.Since), Leaves: p.Shift.Ending}
}

func (s *server) addPerson(w http.ResponseWriter, r *http.Request) error {
	var in NewPerson
	var grants []state.Grant
	err := s.read(w, r, field{name: "name", required: true, read: text(&in.Name)},
		field{name: "contact", read: anyText(&in.Contact)},
		field{name: "grants", read: grantList(&grants)})
	if err != nil {
		return err
	}
	details, err := s.keepDetails(r, in.Name, in.Contact)
	if err != nil {
		return err
	}
	made, err := s.house.Do(r.Context(),
		command.Change{Command: staff.AddPerson{By: callerOf(r).person.ID, Details: details, Grants: grants}},
		record.By{})
	if err != nil {
		return s.unkept(r.Context(), err, []record.Hash{details})
	}
	return s.showAdded(w, r, made)
}

// showAdded answers with the number of somebody who was brought in.
func (s *server) showAdded(w http.ResponseWriter, r *http.Request, made record.Body) error {
	s.writeJSON(w, r, http.StatusOK, Numbered{Number: staff.NumberOf(made)})
	return nil
}

// grantList reads a list of roles.
func grantList(to *[]state.Grant) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		if json.Unmarshal(value, to) != nil {
			return errors.New("a list of roles such as {\"role\":\"writer\",\"venue\":1}")
		}
		return nil
	}
}

// lockPerson locks or unlocks a person. Who is let in again begins anew with wrong passwords.
func (s *server) lockPerson(ctx context.Context, line *house.Line, c command.Command,
	by record.By) (record.Body, error) {
	done, err := s.house.DoIn(ctx, line.ID(), c, by)
	if lock, ok := c.(command.LockPerson); ok && err == nil && !lock.Locked {
		s.guesses.right(fmt.Sprint(lock.Person))
	}
	return done, err
}

// erasePerson records the erasure and then has the register forget. A house that is
// killed in between has the record, and anybody who erases again makes up for it.
func (s *server) erasePerson(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "person")
	if err != nil {
		return err
	}
	var in Erasure
	if err := s.read(w, r, field{name: "reason", required: true, read: text(&in.Reason)},
		field{name: "approval", required: true, read: whole(&in.Approval, 1)}); err != nil {
		return err
	}
	p, _ := s.house.People().Person(id)
	var erased record.Body
	if !p.Erased {
		var err error
		erased, err = s.house.Do(r.Context(),
			command.Change{Command: staff.Erase{By: callerOf(r).person.ID, Person: id, Reason: in.Reason,
				Approval: in.Approval}}, record.By{})
		if err != nil {
			return err
		}
	}
	if s.register != nil {
		if err := s.register.Forget(r.Context(), p.Details, p.Secret); err != nil {
			return err
		}
	}
	s.writeJSON(w, r, http.StatusOK, command.DoneBy(erased))
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
