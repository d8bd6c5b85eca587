package cases

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Machine has a ball machine draw the games that open from now on.
func (p *Play) Machine() error {
	return p.Engine.ChooseDevice(p.tick(), record.DeviceChosen{Series: series, Device: record.DeviceCage})
}

// Correct has two persons settle a game anew by the numbers that were drawn.
func (p *Play) Correct(ordinal uint32, numbers []int) error {
	if err := p.Take(); err != nil {
		return err
	}
	g, ok := p.series().Game(ordinal)
	if !ok {
		return fmt.Errorf("cases: there is no game %d", ordinal)
	}
	before := game.Pasts{}
	for _, at := range game.LooksBack(p.series().Game, ordinal) {
		var err error
		if before[at.Ordinal], err = engine.Before(at.Ref, func(yield func([]byte, error) bool) {
			for _, data := range p.Records {
				if !yield(data, nil) {
					return
				}
			}
		}); err != nil {
			return err
		}
	}
	act := command.CorrectResult{Ordinal: ordinal, Revision: g.Settled.Revision + 1, Numbers: numbers,
		Reason: "a ball was misread", Clause: "11.1"}
	return approved(past{p.Core, before}, act)
}

// past is the office of a house that knows the state before a game was settled.
type past struct {
	*Core
	before game.Pasts
}

func (p past) ask(by uint32, act command.Act) (uint32, error) {
	env := command.As(series, by)
	env.Before = p.before
	return p.Engine.Ask(p.tick(), env, act)
}

func (p past) operate(by, approval uint32) error {
	env := command.As(series, by)
	env.Before = p.before
	_, err := p.Engine.Operate(p.tick(), env, approval)
	return err
}

// recorders returns two persons who key balls, who come into the house when they are first needed.
func (c *Core) recorders() (two [2]uint32, err error) {
	for range 3 {
		found := slices.DeleteFunc(c.people().Persons(), func(p state.Person) bool { return !p.HasAny(record.RoleSupervisor) })
		if len(found) >= 2 {
			return [2]uint32{found[0].ID, found[1].ID}, nil
		}
		add := staff.AddPerson{Details: record.Hash{2, byte(len(found))},
			Grants: []state.Grant{{Role: record.RoleSupervisor}}}
		if err := c.Staff(add); err != nil {
			return two, err
		}
	}
	return two, fmt.Errorf("cases: nobody keys balls")
}

// byMachine has two persons key the balls of a game, and returns what gives the numbers out. Without
// numbers it takes some that no other game has.
func (c *Core) byMachine(g *state.Game, seal journal.Seal, numbers []int) (*draw.Draw, error) {
	two, err := c.recorders()
	if err != nil {
		return nil, err
	}
	numbers = c.fill(g.Ordinal, numbers)
	attend := func(act record.CageAct, balls uint8) error {
		_, err := c.Engine.AttendCage(c.tick(), record.CageAttended{Series: series, Act: act, Balls: balls, By: two[0]})
		return err
	}
	if err := attend(record.CageCounted, uint8(ball.Keno)); err != nil {
		return nil, err
	}
	if _, err := c.Engine.StartCage(c.tick(), series, g.Ordinal, two, two[0]); err != nil {
		return nil, err
	}
	for i, n := range numbers {
		for _, who := range two {
			if _, err := c.Engine.KeyBall(c.tick(), series, i+1, n, who); err != nil {
				return nil, err
			}
		}
	}
	if err := attend(record.CageAccepted, 0); err != nil {
		return nil, err
	}
	device, err := draw.NewCage(draw.Keys{Signer: c.signer, House: c.verifier})
	if err != nil {
		return nil, err
	}
	current := c.series()
	return device.Start(draw.KenoPlan(game.SealName(current, g.Ref), uint32(g.Draw)), seal, current.Cage(), g.Numbers,
		c.recent(g.Ordinal))
}

// fill adds numbers to those that are to be drawn until there are as many as a game draws.
func (c *Core) fill(ordinal uint32, numbers []int) []int {
	numbers = slices.Clone(numbers)
	r := rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, "balls of game ", ordinal))))
	for _, n := range r.Perm(int(ball.Keno)) {
		if len(numbers) < drawn && !slices.Contains(numbers, n+1) {
			numbers = append(numbers, n+1)
		}
	}
	return numbers[:drawn]
}
