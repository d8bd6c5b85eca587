package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// foundCmd founds a house that is meant to stay: with keys that nobody else knows, and
// with no venue, terminal or person yet. An administrator brings those in once it runs.
type foundCmd struct {
	storageFlags
	Name     string `arg:"" help:"Name of the house, such as keno.example: a domain that is yours. Its keys, seals and checkpoints bear it for good."`
	Rulebook string `required:"" placeholder:"ID" help:"Rulebook of its games; drawhouse rulebook list has them."`
	Schedule string `placeholder:"ID" help:"Schedule of prizes to begin with; the first of the rulebook if absent."`
}

// Help says what a founding is.
func (*foundCmd) Help() string {
	return `It makes the keys of the house in the folder keys of the data directory, and the first
records of its journal: the rulebook, the series of games and their jackpots. There is no
way to do it over, but to begin with an empty place.`
}

// Run implements the command.
func (c *foundCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	book, err := c.check()
	if err != nil {
		return err
	}
	st, err := c.create(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	if err := os.Chmod(c.Data, 0o700); err != nil { // It may have been there before.
		return misused("--data", err)
	}
	keys, err := c.newKeys(ctx, st)
	if err != nil {
		return err
	}
	h, err := house.Open(ctx, house.Config{
		Build: build(),
		Store: st, Keys: keys, Clock: timetable.NewSystemClock(), Entropy: rand.Reader,
		Founding: keys.Founding(c.Name, build(), book, c.Schedule),
	})
	if err != nil {
		return err
	}
	if err := h.Close(ctx); err != nil {
		return err
	}
	c.write(out, keys)
	return nil
}

// check returns the rulebook, and settles which of its schedules is meant. It says what
// is wrong with the line before there is anything to remove again.
func (c *foundCmd) check() (*rulebook.Book, error) {
	if _, err := journal.VerifierKey(c.Name, make(ed25519.PublicKey, ed25519.PublicKeySize)); err != nil {
		return nil, misused("NAME", err)
	}
	book, err := kenoBook(c.Rulebook)
	if err != nil {
		return nil, err
	}
	if c.Schedule == "" {
		c.Schedule = book.Schedules()[0].ID()
	}
	if _, ok := book.Schedule(c.Schedule); !ok {
		var known []string
		for _, s := range book.Schedules() {
			known = append(known, s.ID())
		}
		return nil, misused("--schedule",
			fmt.Errorf("%s has no schedule %q; it has %s", c.Rulebook, c.Schedule, strings.Join(known, ", ")))
	}
	return book, nil
}

// newKeys makes the keys of a house that has no record yet. Those of a founding that was
// broken off are taken up, if they bear the same name.
func (c *foundCmd) newKeys(ctx context.Context, st store.Store) (house.Keys, error) {
	head, err := st.Head(ctx)
	if err != nil {
		return house.Keys{}, err
	}
	if head.Size > 0 {
		return house.Keys{}, misused("NAME",
			errors.New("there is a house already; another one is founded in an empty place"))
	}
	keys, err := house.OpenKeys(c.keysOf(), c.Name, rand.Reader)
	if err != nil {
		return house.Keys{}, misused("NAME", err)
	}
	if name, _, _ := strings.Cut(keys.HouseVerifier, "+"); name != c.Name {
		return house.Keys{}, misused("NAME", fmt.Errorf("%s has the keys of %s", c.keysOf(), name))
	}
	return keys, nil
}

// write says what there is now, and what the operator has to do.
func (c *foundCmd) write(out *bytes.Buffer, keys house.Keys) {
	fmt.Fprintf(out, `%s is founded, by %s with %s.
house key  %s
device key %s

What is left to do:
1. Give both keys to inspectors and witnesses, by another way than the house itself.
2. Back the keys up: drawhouse keys backup DIR.
3. Start the house: drawhouse serve. It prints two links, for two persons who become its administrators. They add venues, people and terminals.
`, c.Name, c.Rulebook, c.Schedule, keys.HouseVerifier, keys.DeviceVerifier)
}
