package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"drawhouse/command"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/state"
	"drawhouse/terminal"
	"drawhouse/witness"
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

var (
	everybody = command.Who{Everybody: true}
	terminals = command.Who{Terminals: true}
	signedOn  = command.Who{SignedOn: true}
	central   = roles(staff.Central()...)
	// reporting is who reads the books; see reportFor for seniors.
	reporting = roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector, record.RoleSenior)
)

func roles(list ...record.Role) command.Who { return command.Who{Roles: list} }

// table is who may use which operation, by its id. An operation without a row cannot
// be registered (handle, get), and TestAccess tries every operation as everybody.
var table = withRows(map[string]command.Who{
	// What the public may know.
	"list-rulebooks": everybody, "get-rulebook": everybody, "list-clauses": everybody,
	"list-games": everybody, "get-game": everybody, "get-draw": everybody, "get-evidence": everybody, "get-ticket": everybody, "prove-ticket": everybody,
	"get-catalogue": everybody, "list-displays": everybody,
	"list-result-days": everybody, "get-results": everybody, "get-results-csv": everybody,
	"get-board": everybody, "follow-events": everybody, "get-checkpoint": everybody, "get-health": everybody, "get-readiness": everybody,

	// How one becomes somebody.
	"sign-on": everybody, "set-up": everybody, "accept-invitation": everybody, "enrol": everybody, "say-hello": everybody,
	"get-session": signedOn, "sign-off": signedOn, "change-password": signedOn,

	// What terminals do.
	"sell": terminals, "abandon": terminals, "quote": terminals, "session": terminals,
	"keep-payee": terminals, "begin-shift": terminals, "end-shift": terminals, "show-signs": terminals,
	"get-counter": terminals, "look-up": terminals, "look-up-card": terminals, "make-paper": terminals,

	// Whoever carries sales may: each is signed by its terminal.
	"sell-many": everybody,

	// What is read of bingo rooms.
	"list_halls": everybody, "bingo_room": everybody, "bingo_display": everybody, "bingo_game": everybody,
	"bingo_owed": {Terminals: true, Roles: []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter, record.RoleInspector}},
	"bingo_desk": command.Floor, "bingo_claims": command.Floor, "bingo_card": command.Floor, "bingo_print": command.Floor, "bingo_promotions": command.Floor,
	// An electronic card shows what is on it, to the device that it is.
	"held_card":       terminals,
	"check_promotion": command.Floor, "bingo_scorecard": command.Floor,

	"get-duty": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector, record.RoleSenior),

	// People.
	"list-people":   roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"add-person":    roles(record.RoleAdministrator),
	"invite-person": roles(record.RoleAdministrator),
	"erase-person":  roles(record.RoleAdministrator),

	// Places.
	"list-venues":     signedOn,
	"list-terminals":  roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"allow-enrolment": roles(record.RoleAdministrator),

	// Running the games. Nobody does it from a terminal, and what touches terms or money
	// is only asked for here: another person consents.
	"get-course":    roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"get-sales":     roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"list-jackpots": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"list-rules":    roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"compare-rules": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	"use-approval": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter),

	// The books. A venue's senior has what is of that venue alone.
	"list-reports":    reporting,
	"get-report":      reporting,
	"get-report-file": reporting,

	// The journal as a whole.
	"get-journal": witnessesOr(record.RoleInspector), "get-journal-contents": witnessesOr(record.RoleInspector),
	"read-journal": witnessesOr(record.RoleInspector), "read-object": witnessesOr(record.RoleInspector),
	"list-witnesses": everybody,
	"get-story":      roles(record.RoleInspector),
	"get-archive":    roles(record.RoleInspector),
	"list-alarms":    roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	// Draws by people and custodians. Who may record is decided by the house.
	"get-cage":         roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector, record.RoleSenior, record.RoleWriter),
	"start-cage":       roles(record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter),
	"key-ball":         roles(record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter),
	"attend-cage":      roles(record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter),
	"bring-link":       roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"bring-commitment": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	// Money of players and venues.
	"get-bank": roles(record.RoleWriter, record.RoleSenior, record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"get-card": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	"get-payee": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	// Cheques that customers wait for. Whoever works at a venue has its own alone.
	"list-cheques": roles(record.RoleWriter, record.RoleSenior, record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"get-holidays": roles(record.RoleWriter, record.RoleSenior, record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	// Claims on forms. A form is taken in at a venue or the central site; who signs and
	// decides is held against the rulebook by the house.
	"list-claims":        roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"get-claim":          roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"list-unclaimed":     roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),
	"get-unclaimed-file": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector),

	// What two persons must want.
	"list-approvals":   roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector, record.RoleSenior),
	"request-approval": roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter),
	"decide-approval":  roles(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative, record.RoleInspector, record.RoleSenior),
})

// withRows adds who may use the commands that have rows.
func withRows(all map[string]command.Who) map[string]command.Who {
	for _, row := range command.Rows() {
		all[row.Name] = row.Who
	}
	return all
}

// rowOf returns the row of an operation. That there is one is a matter of this
// program and not of a request.
func rowOf(operation string) command.Who {
	row, ok := table[operation]
	if !ok {
		panic(fmt.Sprintf("api: operation %s has no row in the table of access", operation))
	}
	return row
}

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

// guard lets a request pass that its operation's row allows.
func (s *server) guard(row command.Who, f func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
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
				return &refusal.Refusal{Code: TwoCredentials, Sentence: "A request is a terminal's or a person's and not both."}
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
	return &refusal.Refusal{Code: RoleMissing, Sentence: "This takes " + roleNames(row.Roles) + "."}
}

// roleNames names the roles that would do.
func roleNames(roles []record.Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = fmt.Sprint(role)
	}
	if len(names) == 1 {
		return "the role " + names[0]
	}
	return "one of the roles " + strings.Join(names, ", ")
}

func otherTerminal(signer uint32) error {
	return &refusal.Refusal{Code: TerminalOther, Path: "terminal", Sentence: fmt.Sprintf("The request is signed by terminal %d.", signer)}
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
	data, err := readBody(w, r, maxBody)
	if err != nil {
		return nil, err
	}
	r.Body = held{bytes.NewReader(data), data}
	return data, nil
}

var _ io.ReadCloser = held{}

// mayUse returns the operations that somebody's roles allow, ascending, for a page that
// shows no button for what would be refused. What everybody may is not among them.
func mayUse(p state.Person) []string {
	allowed := []string{}
	for id, row := range table {
		if !row.Everybody && (row.SignedOn || p.HasAny(row.Roles...)) {
			allowed = append(allowed, id)
		}
	}
	slices.Sort(allowed)
	return allowed
}

// rolesOf returns the names of a person's roles.
func rolesOf(p state.Person) []command.Grant {
	grants := make([]command.Grant, 0, len(p.Grants))
	for _, g := range p.Grants {
		grants = append(grants, command.Grant{Role: string(g.Role), Venue: g.Venue})
	}
	return slices.Clip(grants)
}
