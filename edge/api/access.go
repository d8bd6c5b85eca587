package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// The codes of who may do what.
const (
	// SignOnFirst: the operation takes somebody who has signed on, or a terminal.
	SignOnFirst refusal.Code = "sign_on_first"
	// RoleMissing: the person has no role for the operation.
	RoleMissing refusal.Code = "role_missing"
	// NotFromTerminal: the operation is not for terminals. Administration never is.
	NotFromTerminal refusal.Code = "not_from_terminal"
	// TerminalOnly: the operation is for terminals alone.
	TerminalOnly refusal.Code = "terminal_only"
	// TerminalOther: the terminal that sent the request is not the one it names.
	TerminalOther refusal.Code = "terminal_other"
	// TwoCredentials: a request is a terminal's or a person's and not both.
	TwoCredentials refusal.Code = "two_credentials"
)

// Who may use an operation that has no row in package command. An operation is registered with
// who may use it (handle, get), and TestAccess tries every operation as everybody.
var (
	everybody      = command.Who{Everybody: true}
	terminals      = command.Who{Terminals: true}
	signedOn       = command.Who{SignedOn: true}
	administrators = roles(record.RoleAdministrator)
	inspectors     = roles(record.RoleInspector)
	// offices are the central site and those who check it.
	offices = roles(append(staff.Central(), record.RoleInspector)...)
	// reporting is who reads the books; see reportFor for seniors.
	reporting = roles(append(staff.Central(), record.RoleInspector, record.RoleSenior)...)
	// employed is everybody who works for the house or at a venue.
	employed = roles(append(staff.Central(), record.RoleSenior, record.RoleWriter)...)
	// anyRole is everybody with a role; people of a venue see what is of that venue alone.
	anyRole = roles(append(staff.Central(), record.RoleInspector, record.RoleSenior, record.RoleWriter)...)
	// recorders are those of whom the house takes who records a ball machine.
	recorders = roles(command.Floor.Roles...)
)

func roles(list ...record.Role) command.Who { return command.Who{Roles: list} }

// caller is who sent a request: a terminal, a person, or nobody in particular.
type caller struct {
	terminal uint32
	person   state.Person
	session  *signOn
}

type callerKey struct{}

// callerOf returns who sent a request that has passed the guard.
func callerOf(r *http.Request) caller {
	c, _ := r.Context().Value(callerKey{}).(caller)
	return c
}

// guard lets a request pass that comes from somebody who may use its operation.
func (s *server) guard(row command.Who,
	f func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	if row.Everybody {
		return f
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		var c caller
		var err error
		if header := r.Header.Get(witness.AskHeader); header != "" && row.Witnesses {
			if err := s.checkWitness(header, r); err != nil {
				return err
			}
			return f(w, r)
		}
		if header := r.Header.Get(terminal.Header); header != "" {
			if _, claims := credential(r); claims {
				return &refusal.Refusal{Code: TwoCredentials,
					Sentence: "A request is a terminal's or a person's and not both."}
			}
			if !row.Terminals {
				return &refusal.Refusal{Code: NotFromTerminal, Sentence: "This cannot be done from a terminal."}
			}
			c.terminal, err = s.terminals.check(w, r, header)
			err = s.countSigned(r, c.terminal, err)
		} else {
			c.session, c.person, err = s.sessions.check(r)
		}
		if err != nil {
			return err
		}
		x := exchangeOf(r.Context())
		x.Terminal, x.Person = c.terminal, c.person.ID
		if err := permit(row, &c, r); err != nil {
			return err
		}
		if err := x.asked.by(r.Pattern, &c); err != nil {
			return err
		}
		return f(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	}
}

// permit holds a caller against a row.
func permit(row command.Who, c *caller, r *http.Request) error {
	switch {
	case row.Terminals && c.terminal == 0 && len(row.Roles) == 0:
		return &refusal.Refusal{Code: TerminalOnly, Sentence: "This is done at a terminal, which signs its requests."}
	case c.terminal != 0:
		if named := r.PathValue("terminal"); named != "" && named != fmt.Sprint(c.terminal) {
			return otherTerminal(c.terminal)
		}
		return nil
	case row.SignedOn, c.person.HasAny(row.Roles...):
		return nil
	}
	return &refusal.Refusal{Code: RoleMissing, Sentence: "Only " + roleNames(row.Roles) + " may do this."}
}

// roleNames names who has one of the roles: "an administrator or a supervisor".
func roleNames(roles []record.Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		article := "a "
		if strings.ContainsRune("aeiou", rune(role[0])) {
			article = "an "
		}
		names[i] = article + string(role)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return names[0]
}

func otherTerminal(signer uint32) error {
	return &refusal.Refusal{Code: TerminalOther, Path: "terminal",
		Sentence: fmt.Sprintf("The request is signed by terminal %d.", signer)}
}

// held is a body that the guard has read to check it.
type held struct {
	*bytes.Reader
	data []byte
}

// Close implements io.Closer.
func (held) Close() error { return nil }

// hold reads the body of a request and leaves it for the handler.
func hold(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	data, err := readBytes(w, r, maxBody)
	if err != nil {
		return nil, err
	}
	r.Body = held{bytes.NewReader(data), data}
	return data, nil
}

var _ io.ReadCloser = held{}

// mayUse returns the operations that somebody's roles allow, ascending, for a page that
// shows no button for what would be refused. What everybody may is not among them.
func (s *server) mayUse(p state.Person) []string {
	allowed := []string{}
	for id, row := range s.access {
		if !row.Everybody && (row.SignedOn || p.HasAny(row.Roles...)) {
			allowed = append(allowed, id)
		}
	}
	slices.Sort(allowed)
	return allowed
}

// rolesOf returns a person's roles, a list that is not nil.
func rolesOf(p state.Person) []state.Grant { return append([]state.Grant{}, p.Grants...) }
