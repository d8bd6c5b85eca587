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
	"time"

	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// foundCmd founds a house that is meant to stay: with keys that nobody else knows, and
// with no venue, terminal or person yet. An administrator brings those in once it runs.
type foundCmd struct {
	storageFlags
	Name     string `arg:"" help:"Name of the house, such as keno.example: a domain that is yours. Its keys, seals and checkpoints bear it for good."`
	Rulebook string `required:"" placeholder:"ID|FILE" help:"Rulebook of its games: one of the program by its id (drawhouse rulebook list has them), or a file of your own."`
	// Reference must be there where the rules are the operator's own.
	Reference string `placeholder:"TEXT" help:"Reference of the decision that allows the rulebook. A rulebook of your own needs one."`
	Schedule  string `placeholder:"ID" help:"Schedule of prizes to begin with; the first of the rulebook if absent."`
	// Key has keys be taken from tokens that would be made as files.
	Key []string `sep:"none" placeholder:"KIND=pkcs11:..." help:"A key of the house that is in a token, of the kind house, device or log; drawhouse keys make makes it. May be given for each kind."`
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
	book, text, err := c.check()
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
	founding := keys.Founding(c.Name, build(), book, c.Schedule)
	founding.Text, founding.Reference, founding.Bases = text, c.Reference, basesOf(c.Rulebook, book)
	h, err := house.Open(ctx, house.Config{
		Build: build(),
		Store: st, Keys: keys, Clock: timetable.NewSystemClock(), Entropy: rand.Reader,
		Founding: founding,
	})
	if err != nil {
		return err
	}
	if err := h.Close(ctx); err != nil {
		return err
	}
	c.write(out, keys, book, text)
	return nil
}

// check returns the rulebook, with its text if it is the operator's, and settles which of its schedules is
// meant. It says what is wrong with the line before there is anything to remove again.
func (c *foundCmd) check() (*rulebook.Book, []byte, error) {
	if _, err := journal.VerifierKey(c.Name, make(ed25519.PublicKey, ed25519.PublicKeySize)); err != nil {
		return nil, nil, misused("NAME", err)
	}
	book, text, err := houseBook(c.Rulebook)
	if err != nil {
		return nil, nil, err
	}
	if err := rulebook.Sellable(book); err != nil {
		return nil, nil, misused("--rulebook", err)
	}
	if text != nil && c.Reference == "" {
		return nil, nil, misused("--reference",
			errors.New("a rulebook of your own needs the reference of the decision that allows it"))
	}
	if rule := record.CheckLine(c.Reference, mostReference); rule != "" {
		return nil, nil, misused("--reference", errors.New(rule))
	}
	if c.Schedule == "" || !book.Keno() && c.Schedule == record.NoSchedule {
		c.Schedule = house.FirstSchedule(book)
		return book, text, nil
	}
	if _, ok := book.Schedule(c.Schedule); !ok {
		var known []string
		for _, s := range book.Schedules() {
			known = append(known, s.ID())
		}
		if !book.Keno() {
			return nil, nil, misused("--schedule", fmt.Errorf("%s is of bingo, which has no schedules", c.Rulebook))
		}
		return nil, nil, misused("--schedule",
			fmt.Errorf("%s has no schedule %q; it has %s", c.Rulebook, c.Schedule, strings.Join(known, ", ")))
	}
	return book, text, nil
}

// mostReference is how long the reference of a decision may be, in characters.
const mostReference = 2_000

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
	given, err := inTokens(c.Key, house.HouseKey, house.DeviceKey, house.LogKey)
	if err != nil {
		return house.Keys{}, err
	}
	keys, err := house.OpenKeys(c.keysOf(), c.Name, rand.Reader, given)
	if err != nil {
		return house.Keys{}, misused("NAME", err)
	}
	if name, _, _ := strings.Cut(keys.HouseVerifier, "+"); name != c.Name {
		return house.Keys{}, misused("NAME", fmt.Errorf("%s has the keys of %s", c.keysOf(), name))
	}
	return keys, nil
}

// write says what there is now, and what the operator has to do.
func (c *foundCmd) write(out *bytes.Buffer, keys house.Keys, book *rulebook.Book, text []byte) {
	rules := book.ID()
	if text != nil {
		rules = fmt.Sprintf("your own rulebook %s (hash %v)", book.ID(), book.Hash())
	}
	for _, w := range cautions(book, time.Now()) {
		w.Message = "warning: " + w.Message
		fmt.Fprintln(out, w)
	}
	with, first := "with "+c.Schedule, ""
	if !book.Keno() {
		with = "for bingo alone"
		first = fmt.Sprintf("\n4. Open a bingo room in the office, or: drawhouse do open-hall hall=1 name=bingo venue=1 rulebook=%s levels='[{\"name\":\"jackpot\",\"share\":10000}]'", book.Hash())
	}
	fmt.Fprintf(out, `%s is founded, by %s %s.
house key  %s
device key %s

What is left to do:
1. Give both keys to inspectors and witnesses, by another way than the house itself.
2. Back the keys up: drawhouse keys backup DIR.
3. Start the house: drawhouse serve. It prints two links, for two persons who become its administrators. They add venues, people and terminals.%s
`, c.Name, rules, with, keys.HouseVerifier, keys.DeviceVerifier, first)
}
