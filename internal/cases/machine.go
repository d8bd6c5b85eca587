package cases

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// draws returns what draws the games of a house; nothing for the device that it has.
func (f *Founding) draws() record.Device {
	if f.Balls {
		return record.DeviceCage
	}
	return ""
}

// Machine has a ball machine draw the games that open from now on.
func (c *Core) Machine() error {
	return c.Engine.ChooseDevice(c.tick(), record.DeviceChosen{Series: series, Device: record.DeviceCage})
}

// Correct implements House.
func (c *Core) Correct(ordinal uint32, numbers []int) error {
	if err := c.Take(); err != nil {
		return err
	}
	act, err := correction(c, ordinal, numbers)
	if err != nil {
		return err
	}
	before := game.Pasts{}
	for _, at := range game.LooksBack(c.series().Game, ordinal) {
		var err error
		if before[at.Ordinal], err = engine.Before(at.Ref, func(yield func([]byte, error) bool) {
			for _, data := range c.Records {
				if !yield(data, nil) {
					return
				}
			}
		}); err != nil {
			return err
		}
	}
	return approved(past{c, before}, act)
}

// Correct implements House.
func (s *Served) Correct(ordinal uint32, numbers []int) error {
	act, err := correction(s, ordinal, numbers)
	if err != nil {
		return err
	}
	return approved(s, act)
}

// correction is the act by which the result of a game is corrected.
func correction(o office, ordinal uint32, numbers []int) (act command.CorrectResult, err error) {
	all, err := o.State()
	if err != nil {
		return act, err
	}
	current, _ := all.Series(series)
	g, ok := current.Game(ordinal)
	if !ok {
		return act, fmt.Errorf("cases: there is no game %d", ordinal)
	}
	return command.CorrectResult{Ordinal: ordinal, Revision: g.Settled.Revision + 1, Numbers: numbers,
		Reason: "a ball was misread", Clause: "11.1"}, nil
}

// AtMachine implements House.
func (c *Core) AtMachine(says record.CageAct, reason string) (cage.Step, error) {
	first, second, err := machinists(c)
	if err != nil {
		return cage.Step{}, err
	}
	act := record.CageAttended{Series: series, Act: says, Reason: reason, By: first}
	asked, _, err := c.Engine.AskCage(c.tick(), act)
	if err != nil {
		return cage.Step{}, err
	}
	if err := c.Staff(consents(asked, second)); err != nil {
		return cage.Step{}, err
	}
	act.Approval = asked.Approval
	return c.Engine.AttendCage(c.tick(), act)
}

// AtMachine implements House.
func (s *Served) AtMachine(says record.CageAct, reason string) (cage.Step, error) {
	first, second, err := machinists(s)
	if err != nil {
		return cage.Step{}, err
	}
	act := record.CageAttended{Act: says, Reason: reason, By: first}
	asked, _, err := s.house.First().RequestCage(s.tick(), act)
	if err != nil {
		return cage.Step{}, err
	}
	if err := s.Staff(consents(asked, second)); err != nil {
		return cage.Step{}, err
	}
	act.Approval = asked.Approval
	return s.house.First().AttendCage(s.tick(), act)
}

// machinists returns two persons who decide on something at the ball machine.
func machinists(o office) (first, second uint32, err error) {
	two, err := recorders(o)
	return two[0], two[1], err
}

func consents(asked *record.ApprovalRequested, by uint32) staff.Consent {
	return staff.Consent{By: by, Approval: asked.Approval, Content: asked.Content, Granted: true}
}

func init() { verbs["machine"] = (*run).machine }

var machinePattern = regexp.MustCompile(`^(\w+) (.+)$`)

// machine has two persons decide on something at the ball machine: machine ACT REASON.
func (r *run) machine(text string) (string, error) {
	words, err := phrase(machinePattern, text, "ACT REASON")
	if err != nil {
		return "", err
	}
	step, err := r.house.AtMachine(record.CageAct(words[0]), words[1])
	return string(step.Outcome), err
}

// past is the office of a house that knows the state before a game was settled.
type past struct {
	*Core
	before game.Pasts
}

func (p past) ask(by uint32, act command.Act) (uint32, error) {
	env := command.As(series, by)
	env.Before = p.before
	tell(act)
	return p.Engine.Ask(p.tick(), env, act)
}

func (p past) operate(by, approval uint32) error {
	env := command.As(series, by)
	env.Before = p.before
	_, err := p.Engine.Operate(p.tick(), env, approval)
	return err
}

// recorders returns two persons who key balls, who come into the house when they are first needed.
func recorders(o office) (two [2]uint32, err error) {
	for range 3 {
		found := slices.DeleteFunc(o.people().Persons(),
			func(p state.Person) bool { return !p.HasAny(record.RoleSupervisor) })
		if len(found) >= 2 {
			return [2]uint32{found[0].ID, found[1].ID}, nil
		}
		add := staff.AddPerson{Details: record.Hash{2, byte(len(found))},
			Grants: []state.Grant{{Role: record.RoleSupervisor}}}
		if err := o.staff(add); err != nil {
			return two, err
		}
	}
	return two, fmt.Errorf("cases: nobody keys balls")
}

// byMachine has two persons key the balls of a game, and returns what gives the numbers out. Without
// numbers it takes some that no other game has.
func (c *Core) byMachine(g *state.Game, seal journal.Seal, numbers []int) (*draw.Draw, error) {
	two, err := recorders(c)
	if err != nil {
		return nil, err
	}
	numbers = fill(g.Ordinal, numbers)
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
func fill(ordinal uint32, numbers []int) []int {
	numbers = slices.Clone(numbers)
	r := rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, "balls of game ", ordinal))))
	for _, n := range r.Perm(int(ball.Keno)) {
		if len(numbers) < drawn && !slices.Contains(numbers, n+1) {
			numbers = append(numbers, n+1)
		}
	}
	return numbers[:drawn]
}

// keyBalls has two persons key the balls of a game, and accept them.
func (s *Served) keyBalls(g *state.Game, numbers []int) error {
	two, err := recorders(s)
	if err != nil {
		return err
	}
	counted := record.CageAttended{Act: record.CageCounted, Balls: uint8(ball.Keno), By: two[0]}
	if _, err := s.house.First().AttendCage(s.tick(), counted); err != nil {
		return err
	}
	if _, err := s.house.First().StartCage(s.tick(), two, two[0]); err != nil {
		return err
	}
	for i, n := range fill(g.Ordinal, numbers) {
		for _, who := range two {
			if _, err := s.house.First().KeyBall(s.tick(), i+1, n, who); err != nil {
				return err
			}
		}
	}
	_, err = s.house.First().AttendCage(s.tick(), record.CageAttended{Act: record.CageAccepted, By: two[0]})
	return err
}

func init() { verbs["correct"] = (*run).correct }

var correctPattern = regexp.MustCompile(`^game (\d+) to (.+)$`)

// correct has two persons settle a game of the ball machine anew: correct game N to NUMBERS.
func (r *run) correct(text string) (string, error) {
	words, err := phrase(correctPattern, text, "game N to NUMBERS")
	if err != nil {
		return "", err
	}
	ordinal, err := strconv.ParseUint(words[0], 10, 32)
	if err != nil {
		return "", err
	}
	numbers, err := Numbers(strings.Fields(words[1]))
	if err != nil {
		return "", err
	}
	return "corrected", r.house.Correct(uint32(ordinal), numbers)
}
