package cases

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// This file has the verbs of what does not go as planned, and of promotions.

// Irregular is what an operator does when a game does not go as planned, and what it
// offers beyond the schedules.
type Irregular interface {
	// Begin draws the first numbers of a sealed game and leaves it there.
	Begin(ordinal uint32, numbers []int) error
	VoidDraw(ordinal uint32, v game.Void) error
	VoidGame(ordinal uint32, v game.Void) error
	// Correct has two persons settle a game of the ball machine anew by the numbers that were drawn.
	Correct(ordinal uint32, numbers []int) error
	// AtMachine has two persons decide on something at the ball machine, for a reason.
	AtMachine(act record.CageAct, reason string) (cage.Step, error)
	Pause(reason string) error
	Resume() error
	// AnnounceClosure tells players that trading ends so long from now.
	AnnounceClosure(after time.Duration) error
	// ShutDay closes the Keno Day by hand. The second person is one of two administrators, or
	// has a role.
	ShutDay(second uint32) error
	BeginPromotion(record.PromotionBegun) error
	ChangePromotion(record.PromotionChanged) error
}

// manager is the person who does all of it.
const manager = 1

// Begin implements House.
func (c *Core) Begin(ordinal uint32, numbers []int) error {
	current := c.series()
	g, ok := current.Game(ordinal)
	if !ok {
		return fmt.Errorf("cases: there is no game %d", ordinal)
	}
	seal, err := journal.OpenSeal(g.Seal, c.verifier)
	if err != nil {
		return err
	}
	if err := c.Script.Order(numbers); err != nil {
		return err
	}
	drawing, err := c.device.Start(draw.KenoPlan(game.SealName(current, g.Ref), uint32(g.Draw)), seal, g.Numbers,
		c.recent(ordinal))
	if err != nil {
		return err
	}
	for range numbers {
		pick, err := drawing.Next(drawing.Drawn().Len() + 1)
		if err != nil {
			return err
		}
		if err := c.number(ordinal, pick); err != nil {
			return err
		}
	}
	return nil
}

// Pause implements House.
func (c *Core) Pause(reason string) error {
	return command.Outcome(c.DoesAs(manager, command.Pause{Reason: reason}))
}

// Resume implements House.
func (c *Core) Resume() error {
	return command.Outcome(c.DoesAs(manager, command.Resume{}))
}

// Begin implements House.
func (s *Served) Begin(ordinal uint32, numbers []int) error {
	if err := s.script.Order(numbers); err != nil {
		return err
	}
	for range numbers {
		if err := s.house.First().DrawNumber(s.tick(), ordinal); err != nil {
			s.script.Forget()
			return err
		}
	}
	return nil
}

// Pause implements House.
func (s *Served) Pause(reason string) error {
	return command.Outcome(s.house.Do(s.tick(), command.Pause{Reason: reason}, record.By{Person: manager}))
}

// Resume implements House.
func (s *Served) Resume() error {
	return command.Outcome(s.house.Do(s.tick(), command.Resume{}, record.By{Person: manager}))
}

var beginPattern = regexp.MustCompile(`^game (\d+) with ([\d -]+)$`)

// beginDraw draws some numbers of a closed game.
func (r *run) beginDraw(text string) (string, error) {
	words, err := phrase(beginPattern, text, "game N with NUMBERS")
	if err != nil {
		return "", err
	}
	numbers, err := Numbers(strings.Fields(words[1]))
	if err != nil {
		return "", err
	}
	return "drawn", r.house.Begin(uint32(number(words[0])), numbers)
}

var voidPattern = regexp.MustCompile(
	`^(draw of )?game (\d+)( without approval| without reason| with no further game)?$`)

// void declares that a draw, or a game, does not count.
func (r *run) void(text string) (string, error) {
	words, err := phrase(voidPattern, text, "[draw of] game N")
	if err != nil {
		return "", err
	}
	clause, err := rules.First(r.rulebook)
	if err != nil {
		return "", err
	}
	v := game.Void{Reason: "a ball broke", Clause: clause, Approval: 1}
	switch words[2] {
	case " without approval":
		v.Approval = 0
	case " without reason":
		v.Reason = ""
	case " with no further game":
		v.Refund, v.Clause = true, cmp.Or(r.clause, clause) // A play is of no clause.
	}
	ordinal := uint32(number(words[1]))
	if words[0] != "" {
		return "void", r.house.VoidDraw(ordinal, v)
	}
	return "void", r.house.VoidGame(ordinal, v)
}

func (r *run) pause(text string) (string, error) { return "paused", r.house.Pause(text) }
func (r *run) resume(string) (string, error)     { return "resumed", r.house.Resume() }

var announcePattern = regexp.MustCompile(`^closure in (\S+)$`)

// announce tells players that trading ends early.
func (r *run) announce(text string) (string, error) {
	words, err := phrase(announcePattern, text, "closure in 20m0s")
	if err != nil {
		return "", err
	}
	after, err := time.ParseDuration(words[0])
	if err != nil {
		return "", err
	}
	return "announced", r.house.AnnounceClosure(after)
}

var shutPattern = regexp.MustCompile(`^(?:with (\w+))?$`)

// shut closes the Keno Day by hand: shut with inspector.
func (r *run) shut(text string) (string, error) {
	words, err := phrase(shutPattern, text, "[with ROLE]")
	if err != nil {
		return "", err
	}
	second := uint32(0)
	if words[0] != "" {
		second = r.personOf(record.Role(words[0]))
	}
	return "closed", r.house.ShutDay(second)
}

var promotePattern = regexp.MustCompile(
	`^(\S+) (\d+) of (\d+) for (\S+)(?: least (\S+))? from game (\d+)( without approval| without inspector)?$`)

// promote offers a prize beyond the schedules.
func (r *run) promote(text string) (string, error) {
	words, err := phrase(promotePattern, text, "BET N of N for AMOUNT [least AMOUNT] from game N")
	if err != nil {
		return "", err
	}
	b := record.PromotionBegun{
		Series: series, Name: "Promotion", Bet: words[0], Matched: uint8(number(words[1])),
		Spots: uint8(number(words[2])),
		From:  uint32(number(words[5])), Approval: reference(words[6]),
	}
	if b.AmountCents, err = money.Parse(words[3]); err != nil {
		return "", err
	}
	if words[4] != "" {
		if b.LeastCents, err = money.Parse(words[4]); err != nil {
			return "", err
		}
	}
	return "offered", r.house.BeginPromotion(b)
}

var promoteItemPattern = regexp.MustCompile(`^(\S+) (\d+) prizes? of (\S+) (\d+) in (\d+) from game (\d+)$`)

// promoteItem offers prizes that fall at random on winning tickets of the catalogue:
// so many of an amount, with a chance.
func (r *run) promoteItem(text string) (string, error) {
	words, err := phrase(promoteItemPattern, text, "ITEM COUNT prizes of AMOUNT N in N from game N")
	if err != nil {
		return "", err
	}
	each, err := money.Parse(words[2])
	if err != nil {
		return "", err
	}
	count := number(words[1])
	whole, err := each.Mul(int64(count))
	if err != nil {
		return "", err
	}
	return "offered", r.house.BeginPromotion(record.PromotionBegun{
		Series: series, Name: "Set Bet bonus", Item: words[0], AmountCents: whole, Den: uint32(number(words[4])),
		Prizes: []record.BonusPrize{{Cents: each, Num: uint32(number(words[3])), Count: uint32(count)}},
		From:   uint32(number(words[5])), Approval: approval,
	})
}

var promotionPattern = regexp.MustCompile(`^(\d+) (paused|on|ended)( without approval| without inspector)?$`)

// promotion changes one that is offered.
func (r *run) promotion(text string) (string, error) {
	words, err := phrase(promotionPattern, text, "N paused, on or ended")
	if err != nil {
		return "", err
	}
	c := record.PromotionChanged{Series: series, Number: uint32(number(words[0])), Paused: words[1] == "paused",
		Ended: words[1] == "ended", Approval: reference(words[2])}
	return strings.TrimSpace(words[1]), r.house.ChangePromotion(c)
}
