package cases

import (
	"fmt"
	"strings"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/rulebook"
)

// Play is a scenario in memory whose lines are not written down before: anybody who plays it
// looks at what came of one line, and finds the next.
type Play struct {
	*Core
	run  *run
	hall *hallRun
}

// NewPlay begins a scenario with its first line. One that begins with "hall" has a bingo
// room. The book may be another than the one that is built in under its id; nil stands for
// that one.
func NewPlay(id string, book *rulebook.Book, seed, first string) (*Play, error) {
	if strings.HasPrefix(first, "hall") {
		h := &hallRun{}
		if err := h.begin(Line{Operation: first}, seed); err != nil {
			return nil, err
		}
		return &Play{Core: h.Core, hall: h}, nil
	}
	p := &Play{run: &run{rulebook: id, book: book, tickets: map[string]Ticket{}, papers: map[string]Paper{}}}
	found := func(f Founding) (House, error) {
		f.Seed = seed
		var err error
		p.Core, err = NewCore(f)
		return p.Core, err
	}
	return p, p.run.begin(Line{Operation: first}, found, seed)
}

// Do runs a line and returns what came of it.
func (p *Play) Do(line string) (string, error) {
	verb, rest, _ := strings.Cut(line, " ")
	if p.hall != nil {
		do, ok := hallVerbs[verb]
		if !ok {
			return "", fmt.Errorf("no such verb: %s", line)
		}
		w := wordsOf(rest)
		got, err := do(p.hall, w)
		if err == nil {
			err = w.end()
		}
		return got, err
	}
	do, ok := verbs[verb]
	if !ok {
		return "", fmt.Errorf("no such verb: %s", line)
	}
	return do(p.run, strings.TrimSpace(rest))
}

// Shut takes the key of a terminal away.
func (p *Play) Shut(terminal uint32) error {
	return p.Staff(staff.RevokeTerminal{Terminal: terminal, Reason: "stolen"})
}

// Key gives a terminal a key, as one that was shut out needs it.
func (p *Play) Key(terminal uint32) error {
	return p.Staff(staff.KeyTerminal{Terminal: terminal, Key: [32]byte{byte(terminal), 1}})
}

// Unwind has two persons end the session that is open at a terminal which was shut out, for which
// the customer has paid an amount.
func (p *Play) Unwind(terminal uint32, paid money.Amount) error {
	err := approved(p.Core, command.UnwindSession{Terminal: terminal, Cents: paid.Cents(), Reason: "stolen"})
	t, _ := p.Engine.State().Terminal(terminal)
	p.numbers[terminal] = max(p.numbers[terminal], t.Last.Number) // The end has taken the next number of the terminal.
	return err
}

// Ticket returns a ticket by its name.
func (p *Play) Ticket(name string) (Ticket, bool) {
	t, ok := p.run.tickets[name]
	return t, ok
}

// Paper returns a paper by its name.
func (p *Play) Paper(name string) (Paper, bool) {
	paper, ok := p.run.papers[name]
	return paper, ok
}

// Room returns the bingo room, or nothing in a house without one.
func (p *Play) Room() *Room {
	if p.hall == nil {
		return nil
	}
	return p.hall.Room
}

// Entitled returns what a ticket has won in a game, by the winners files that stand.
func (c *Core) Entitled(t Ticket) (map[uint32]int64, error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return nil, err
	}
	wins, err := c.wins(t.Place, sold)
	if err != nil {
		return nil, err
	}
	all := map[uint32]int64{}
	for _, w := range wins {
		all[w.Ordinal] = w.Cents.Cents()
	}
	return all, nil
}

// Book returns the id of the rulebook.
func (p *Play) Book() string {
	if p.hall != nil {
		return p.hall.Book.ID()
	}
	return p.run.rulebook
}
