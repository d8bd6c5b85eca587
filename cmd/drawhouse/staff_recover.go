package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/house/timetable"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// staffRecoverCmd lets an administrator in again on the machine of a house that does not
// run: the way back into a house whose administrators are all kept out.
type staffRecoverCmd struct {
	storageFlags
	Person       uint32 `arg:"" help:"Number of an administrator."`
	Reason       string `arg:"" help:"Why, for the journal."`
	PasswordFile string `name:"password-file" type:"existingfile" placeholder:"FILE" help:"File with the new password; without it you are asked."`
}

// Help says what it leaves behind.
func (*staffRecoverCmd) Help() string {
	return `Stop the house first. The administrator is not locked any more and has the new password.
The journal says so, and drawhouse verify lists it for the inspector to ask about. For a
day all persons whom the machine has let in count as one: they do not consent to one
another's requests.`
}

// Run implements the command.
func (c *staffRecoverCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	register, err := c.openRegister(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = register.Close() }()
	h, err := c.openHouse(ctx, st)
	if err != nil {
		return err
	}
	if err := errors.Join(c.recover(ctx, h, register), h.Close(ctx)); err != nil {
		return err
	}
	fmt.Fprintf(out, "person %d can sign on with the new password; drawhouse verify lists this recovery\n", c.Person)
	return nil
}

// openHouse opens the house without a draw device, whose key may be in a process of its own: nothing is drawn.
func (c *staffRecoverCmd) openHouse(ctx context.Context, st store.Store) (*house.House, error) {
	t, err := openTurn(ctx, c.storageFlags, st)
	if err != nil {
		return nil, err
	}
	keys, err := t.keys.For(t.last())
	if err != nil {
		return nil, err
	}
	return house.Open(ctx, house.Config{Build: build(), Store: st, Keys: keys, Clock: timetable.NewSystemClock(),
		Entropy: rand.Reader, Device: house.NoDevice{}})
}

func (c *staffRecoverCmd) recover(ctx context.Context, h *house.House, register *person.Register) error {
	known, _ := h.People().Person(c.Person)
	name := ""
	if details, err := register.Details(ctx, known.Details); err == nil {
		name = details.Name
	}
	password, err := readPassword(c.PasswordFile, "New password: ")
	if err != nil {
		return err
	}
	if err := person.CheckPassword(password, name); err != nil {
		return misused("--password-file", err)
	}
	secret, err := person.NewSecret(password, person.DefaultCost, rand.Reader)
	if err != nil {
		return err
	}
	if err := register.PutSecret(ctx, secret); err != nil {
		return err
	}
	_, err = h.Do(ctx, command.Change{Command: staff.Recover{Person: c.Person, Secret: secret.Hash(),
		Reason: c.Reason}}, record.By{})
	return err
}
