package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// staffCmd keeps people and places of a running house over its interface, signed on
// as a person who may: nothing is done to a journal behind the house's back.
type staffCmd struct {
	List     staffListCmd     `cmd:"" help:"Everybody who works in the house."`
	Add      staffAddCmd      `cmd:"" help:"Bring somebody in; prints a one-time token to set a password with."`
	Grant    staffGrantCmd    `cmd:"" help:"Give a person a role."`
	Withdraw staffWithdrawCmd `cmd:"" help:"Take a role from a person."`
	Lock     staffLockCmd     `cmd:"" help:"Keep a person from signing on."`
	Unlock   staffUnlockCmd   `cmd:"" help:"Let a locked person sign on again."`
	Accept   staffAcceptCmd   `cmd:"" help:"Set one's password with a one-time token."`
	Recover  staffRecoverCmd  `cmd:"" help:"Let an administrator in again, on the machine of a house that does not run."`
	Terminal staffTerminalCmd `cmd:"" help:"Add a terminal with its key, or revoke one."`
}

// signOnFlags are who does it. The password is asked for, or read from a file; on the
// line everybody on the machine could read it.
type signOnFlags struct {
	houseFlag
	As           uint32 `required:"" env:"DRAWHOUSE_PERSON" placeholder:"N" help:"Your number."`
	PasswordFile string `name:"password-file" env:"DRAWHOUSE_PASSWORD_FILE" type:"existingfile" placeholder:"FILE" help:"File with your password; without it you are asked."`
}

// password reads a password from the file, or from the terminal without an echo.
func readPassword(file, prompt string) (string, error) {
	if file != "" {
		data, err := os.ReadFile(file)
		return strings.TrimRight(string(data), "\r\n"), err
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return "", misused("--password-file", errors.New("there is nobody to ask for the password"))
	}
	if _, err := fmt.Fprint(os.Stderr, prompt); err != nil {
		return "", err
	}
	data, err := term.ReadPassword(int(os.Stdin.Fd()))
	_, _ = fmt.Fprintln(os.Stderr) // The line that was not echoed.
	return string(data), err
}

// signedOn is a session with a house.
type signedOn struct {
	house, token string
}

// with signs on, does something and signs off.
func (f signOnFlags) with(do func(ctx context.Context, s *signedOn) error) error {
	password, err := readPassword(f.PasswordFile, "Password: ")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), asking)
	defer cancel()
	s := &signedOn{house: strings.TrimSuffix(f.House, "/")}
	var on api.SignedOn
	if err := s.ask(ctx, http.MethodPost, "/v1/session", api.SignOn{Person: f.As, Password: password, Bearer: true},
		&on); err != nil {
		return err
	}
	s.token = on.Token
	err = do(ctx, s)
	return errors.Join(err, s.ask(ctx, http.MethodDelete, "/v1/session", nil, new(api.Done)))
}

// ask sends a request and reads the answer, which is JSON.
func (s *signedOn) ask(ctx context.Context, method, path string, body, answer any) error {
	data, err := s.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, answer)
}

// send sends a request and returns the answer; a refusal is an error.
func (s *signedOn) send(ctx context.Context, method, path string, body any) ([]byte, error) {
	var reader io.Reader = http.NoBody
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.house+path, reader)
	if err != nil {
		return nil, misused("--house", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no answer of the house at %s, which --house or DRAWHOUSE_HOUSE names: %w", s.house, err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, 8<<20))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		var refused api.Error
		if json.Unmarshal(data, &refused) != nil || refused.Fault.Code == "" {
			return nil, fmt.Errorf("the house answers %s", response.Status)
		}
		return nil, fmt.Errorf("%s (%s)", refused.Error(), refused.Fault.Code)
	}
	return data, nil
}

type staffListCmd struct{ signOnFlags }

// Run implements the command.
func (c *staffListCmd) Run(out *bytes.Buffer) error {
	return c.with(func(ctx context.Context, s *signedOn) error {
		var all api.People
		if err := s.ask(ctx, http.MethodGet, "/v1/people", nil, &all); err != nil {
			return err
		}
		rows := bytes.NewBufferString("number\tname\troles\tstands\n")
		for _, p := range all.People {
			fmt.Fprintf(rows, "%d\t%s\t%s\t%s\n", p.Number, p.Name, roleNames(p.Grants), standing(p))
		}
		return writeColumns(out, rows)
	})
}

func roleNames(grants []state.Grant) string {
	var names []string
	for _, g := range grants {
		name := string(g.Role)
		if g.Venue != 0 {
			name += " at venue " + strconv.Itoa(int(g.Venue))
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// forGood is the year of a lock that somebody has to take off.
const forGood = 9999

func standing(p api.Person) string {
	switch {
	case p.Erased:
		return "erased"
	case p.LockedUntil.Year() >= forGood:
		return "locked"
	case !p.LockedUntil.IsZero():
		return "locked until " + p.LockedUntil.Format(time.DateTime)
	case p.Duty != nil:
		return "on duty as " + p.Duty.Role
	case !p.HasPassword:
		return "has no password"
	}
	return ""
}

type staffAddCmd struct {
	signOnFlags
	Name    string   `arg:"" help:"Name of the person. It stays out of the journal."`
	Contact string   `placeholder:"TEXT" help:"How to reach the person."`
	Role    []string `placeholder:"ROLE[@VENUE]" help:"Roles, such as supervisor or writer@1."`
}

// Run implements the command.
func (c *staffAddCmd) Run(out *bytes.Buffer) error {
	body := api.NewPerson{Name: c.Name, Contact: c.Contact}
	for _, role := range c.Role {
		grant, err := parseGrant(role)
		if err != nil {
			return misused("--role", err)
		}
		body.Grants = append(body.Grants, grant)
	}
	return c.with(func(ctx context.Context, s *signedOn) error {
		var added api.Numbered
		if err := s.ask(ctx, http.MethodPost, "/v1/people", body, &added); err != nil {
			return err
		}
		var invited api.Invitation
		if err := s.ask(ctx, http.MethodPost, fmt.Sprintf("/v1/people/%d/invitation", added.Number), nil,
			&invited); err != nil {
			return err
		}
		fmt.Fprintf(out, "person %d\ntoken %s (once, until %s: drawhouse staff accept)\n", added.Number, invited.Token,
			invited.Expires.Format(time.DateTime))
		return nil
	})
}

// parseGrant reads a role such as writer@1.
func parseGrant(text string) (state.Grant, error) {
	role, venue, at := strings.Cut(text, "@")
	g := state.Grant{Role: record.Role(role)}
	if at {
		n, err := strconv.ParseUint(venue, 10, 32)
		if err != nil || n == 0 {
			return g, fmt.Errorf("%q is not a role such as writer@1", text)
		}
		g.Venue = uint32(n)
	}
	return g, nil
}

// grantFlags name a person and a role.
type grantFlags struct {
	signOnFlags
	Person uint32 `arg:"" help:"Number of the person."`
	Role   string `arg:"" help:"Role, such as supervisor or writer@1."`
}

func (f grantFlags) post(path string) error {
	grant, err := parseGrant(f.Role)
	if err != nil {
		return misused("ROLE", err)
	}
	return f.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodPost, fmt.Sprintf("/v1/people/%d/%s", f.Person, path), grant, new(api.Done))
	})
}

type staffGrantCmd struct{ grantFlags }

// Run implements the command.
func (c *staffGrantCmd) Run() error { return c.post("grants") }

type staffWithdrawCmd struct{ grantFlags }

// Run implements the command.
func (c *staffWithdrawCmd) Run() error { return c.post("withdrawals") }

// lockFlags name a person and a reason.
type lockFlags struct {
	signOnFlags
	Person uint32 `arg:"" help:"Number of the person."`
	Reason string `arg:"" help:"Why, for the journal."`
}

func (f lockFlags) put(locked bool) error {
	return f.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodPut, fmt.Sprintf("/v1/people/%d/lock", f.Person),
			command.LockPerson{Locked: locked, Reason: f.Reason}, new(api.Done))
	})
}

type staffLockCmd struct{ lockFlags }

// Run implements the command.
func (c *staffLockCmd) Run() error { return c.put(true) }

type staffUnlockCmd struct{ lockFlags }

// Run implements the command.
func (c *staffUnlockCmd) Run() error { return c.put(false) }

type staffAcceptCmd struct {
	houseFlag
	Token        string `arg:"" help:"The one-time token."`
	PasswordFile string `name:"password-file" env:"DRAWHOUSE_PASSWORD_FILE" type:"existingfile" placeholder:"FILE" help:"File with the new password; without it you are asked."`
}

// Run implements the command.
func (c *staffAcceptCmd) Run() error {
	password, err := readPassword(c.PasswordFile, "New password: ")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), asking)
	defer cancel()
	s := &signedOn{house: strings.TrimSuffix(c.House, "/")}
	return s.ask(ctx, http.MethodPost, "/v1/invitations", api.Acceptance{Token: c.Token, Password: password},
		new(api.Done))
}

type staffTerminalCmd struct {
	Add    staffTerminalAddCmd    `cmd:"" help:"Add a terminal."`
	Revoke staffTerminalRevokeCmd `cmd:"" help:"Take a terminal's key away."`
}

type staffTerminalAddCmd struct {
	signOnFlags
	Venue   uint32           `required:"" placeholder:"N" help:"Venue where it stands."`
	Channel rulebook.Channel `default:"writer" enum:"writer,sst,display" help:"Kind of terminal: writer, sst or display (${default})."`
	Area    uint16           `placeholder:"N" help:"Area of the venue."`
	Key     staff.PublicKey  `arg:"" help:"Its public key, as drawhouse terminal key printed it."`
}

// Run implements the command.
func (c *staffTerminalAddCmd) Run(out *bytes.Buffer) error {
	return c.with(func(ctx context.Context, s *signedOn) error {
		var added api.Numbered
		if err := s.ask(ctx, http.MethodPost, "/v1/terminals",
			staff.AddTerminal{Venue: c.Venue, Channel: c.Channel, Area: c.Area, Key: c.Key}, &added); err != nil {
			return err
		}
		fmt.Fprintf(out, "terminal %d\n", added.Number)
		return nil
	})
}

type staffTerminalRevokeCmd struct {
	signOnFlags
	Terminal uint32 `arg:"" help:"Number of the terminal."`
	Reason   string `arg:"" help:"Why, for the journal."`
}

// Run implements the command.
func (c *staffTerminalRevokeCmd) Run() error {
	return c.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodPost, fmt.Sprintf("/v1/terminals/%d/revocation", c.Terminal),
			staff.RevokeTerminal{Reason: c.Reason}, new(api.Done))
	})
}
