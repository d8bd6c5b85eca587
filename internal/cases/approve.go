package cases

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
)

// office is the central site of a house: what its operator does, two persons want.
type office interface {
	people() *state.People
	staff(staff.Command) error
	ask(by uint32, act command.Act) (uint32, error)
	operate(by, approval uint32) error
	State() (*state.State, error)
	clockNow() time.Time
}

// approved does what two persons want.
func approved(o office, act command.Act) error { return wanted(o, act, true) }

// wanted does something that one person asks for, and another consents to or not.
func wanted(o office, act command.Act, consent bool) error {
	first, second, err := pair(o)
	if err != nil {
		return err
	}
	if !consent {
		second = 0
	}
	return agreed(o, act, first, second)
}

// agreed does something that the first person asks for, and the second consents to if there
// is one.
func agreed(o office, act command.Act, first, second uint32) error {
	number, err := o.ask(first, act)
	if err != nil {
		return err
	}
	if second != 0 {
		asked, _ := o.people().Approval(number)
		if slices.Equal(asked.Roles, []record.Role{record.RoleInspector}) && !strings.Contains(asked.Says, alone) {
			second = inspector // The rules let nobody else consent.
		}
		if slices.Equal(asked.Roles, []record.Role{record.RoleSenior}) {
			if second, err = seniorOf(o, asked.Says); err != nil {
				return err
			}
		}
		if err := o.staff(staff.Consent{By: second, Approval: number, Content: command.Content(1, act),
			Granted: true}); err != nil {
			return err
		}
	}
	return o.operate(first, number)
}

// seniorOf returns a senior of the venue of a request, who comes into the house when first needed.
func seniorOf(o office, says string) (uint32, error) {
	var about struct{ Venue uint32 }
	if err := json.Unmarshal([]byte(says), &about); err != nil {
		return 0, err
	}
	for range 2 {
		for _, p := range o.people().Persons() {
			if p.Has(record.RoleSenior, about.Venue) {
				return p.ID, nil
			}
		}
		add := staff.AddPerson{Details: record.Hash{1}, Grants: []state.Grant{{Role: record.RoleSenior, Venue: about.Venue}}}
		if err := o.staff(add); err != nil {
			return 0, err
		}
	}
	return 0, fmt.Errorf("cases: venue %d has no senior", about.Venue)
}

// Agree has two administrators do an act, or an administrator and whom else the act takes.
func (c *Core) Agree(act command.Act) error {
	first, second, err := pair(c)
	if err != nil {
		return err
	}
	return agreed(c, act, first, second)
}

// given lets two persons agree on a paper at the operator's expense, which a terminal then
// issues, and returns the number of what they agreed on.
func given(o office, act command.GivePaper) (uint32, error) {
	first, second, err := pair(o)
	if err != nil {
		return 0, err
	}
	number, err := o.ask(first, act)
	if err != nil {
		return 0, err
	}
	return number, o.staff(staff.Consent{By: second, Approval: number, Content: command.Content(1, act), Granted: true})
}

// pair returns two administrators, who come into the house when they are first needed.
func pair(o office) (first, second uint32, err error) {
	for range 3 {
		found := slices.DeleteFunc(o.people().Persons(),
			func(p state.Person) bool { return !p.HasAny(record.RoleAdministrator) })
		if len(found) >= 2 {
			return found[0].ID, found[1].ID, nil
		}
		add := staff.AddPerson{Details: record.Hash{1}, Grants: []state.Grant{{Role: record.RoleAdministrator}}}
		if err := o.staff(add); err != nil {
			return 0, 0, err
		}
	}
	return first, second, nil
}

func (c *Core) people() *state.People { return c.Engine.State().People() }

func (c *Core) clockNow() time.Time { return c.now }

func (c *Core) staff(command staff.Command) error { return c.Staff(command) }

func (c *Core) ask(by uint32, act command.Act) (uint32, error) {
	tell(act)
	return c.Engine.Ask(c.tick(), command.As(c.of, by), act)
}

func (c *Core) operate(by, approval uint32) error {
	_, err := c.Engine.Operate(c.tick(), command.As(c.of, by), approval)
	return err
}

func (s *Served) people() *state.People { return s.house.People() }

func (s *Served) clockNow() time.Time { return s.clock.Now() }

func (s *Served) staff(command staff.Command) error { return s.Staff(command) }

func (s *Served) ask(by uint32, act command.Act) (uint32, error) {
	return s.house.First().Ask(s.tick(), by, act)
}

func (s *Served) operate(by, approval uint32) error {
	_, err := s.house.Operate(s.tick(), by, approval)
	return err
}

// operator is the operator of a house, for Core and Served alike.
type operator struct{ office office }

// ChangeTerms implements House.
func (o operator) ChangeTerms(t record.TermsChanged) error {
	return approved(o.office, command.ChangeTerms{From: t.From, Rulebook: hex.EncodeToString(t.Rulebook[:]),
		Schedule: t.Schedule, Reference: t.Approval})
}

// Designate implements House.
func (o operator) Designate(ordinal uint32) error {
	return approved(o.office, command.DesignateGame{Ordinal: ordinal})
}

// NameParticipants implements House.
func (o operator) NameParticipants(p record.ParticipantsNamed) error {
	return approved(o.office, command.NameParticipants{From: p.From, Names: p.Names})
}

// Report implements House.
func (o operator) Report(ordinal uint32, spots uint8, r jackpot.Report) error {
	return approved(o.office, command.ReportJackpot{
		Ordinal: ordinal, Spots: spots, Jurisdiction: r.Jurisdiction, GrowthCents: r.Growth.Cents(),
		StakesCents: r.Stakes.Cents(),
	})
}

// ShareJackpots implements House.
func (o operator) ShareJackpots(ordinal uint32) error {
	return approved(o.office, command.ShareJackpots{Ordinal: ordinal})
}

// MovePool implements House.
func (o operator) MovePool(spots uint8, move string, amount money.Amount, approval string) error {
	return approved(o.office, command.MovePool{Spots: spots, Move: move, Cents: amount.Cents(), Reference: approval})
}

// VoidDraw implements House.
func (o operator) VoidDraw(ordinal uint32, v game.Void) error {
	act := command.VoidDraw{Ordinal: ordinal, Reason: v.Reason, Clause: v.Clause}
	s, err := o.office.State()
	if err != nil {
		return err
	}
	current, _ := s.Series(series)
	if g, ok := current.Game(ordinal); ok {
		act.Draw = g.Draw
	}
	return wanted(o.office, act, v.Approval != 0)
}

// VoidGame implements House.
func (o operator) VoidGame(ordinal uint32, v game.Void) error {
	act := command.VoidGame{Ordinal: ordinal, Reason: v.Reason, Clause: v.Clause}
	if v.Refund {
		act.Fate = game.FateRefund
	}
	return wanted(o.office, act, v.Approval != 0)
}

// AnnounceClosure implements House. The notice that players get counts from when it is done:
// it is asked for, consented to and done, each a tick after the other.
func (o operator) AnnounceClosure(after time.Duration) error {
	if _, _, err := pair(o.office); err != nil {
		return err
	}
	const steps = 3 * time.Second
	return approved(o.office, command.AnnounceClosure{At: o.office.clockNow().Add(steps +
		after).UTC().Format(time.RFC3339Nano)})
}

// ShutDay implements House.
func (o operator) ShutDay(second uint32) error {
	first, other, err := pair(o.office)
	if err != nil {
		return err
	}
	s, err := o.office.State()
	if err != nil {
		return err
	}
	current, _ := s.Series(series)
	return agreed(o.office, command.CloseDay{Day: current.Day.String()}, first, cmp.Or(second, other))
}

// BeginPromotion implements House.
func (o operator) BeginPromotion(b record.PromotionBegun) error {
	return approved(o.office, promotion(b))
}

// promotion returns the act that begins a promotion.
func promotion(b record.PromotionBegun) command.BeginPromotion {
	act := command.BeginPromotion{
		Name: b.Name, From: b.From, Last: b.Last, Cents: b.AmountCents.Cents(), Reference: b.Approval,
		Bet: b.Bet, Spots: b.Spots, Matched: b.Matched, LeastCents: b.LeastCents.Cents(), Item: b.Item, Den: b.Den,
	}
	for _, p := range b.Prizes {
		act.Prizes = append(act.Prizes, command.BonusPrize{Cents: p.Cents.Cents(), Num: p.Num, Count: p.Count})
	}
	return act
}

// ChangePromotion implements House.
func (o operator) ChangePromotion(p record.PromotionChanged) error {
	return approved(o.office, command.ChangePromotion{Number: p.Number, Paused: p.Paused, Ended: p.Ended,
		Reference: p.Approval})
}

// Release implements Counter.
func (o operator) Release(places []record.Place, reason string, paid money.Amount) error {
	act := command.ReleasePayment{Reason: reason, Cents: paid.Cents()}
	for _, place := range places {
		act.Places = append(act.Places, place.String())
	}
	return approved(o.office, act)
}

// Disqualify implements Counter. Those who are named must be all who are asked by the rules;
// where that is one person, another of the central site consents.
func (o operator) Disqualify(t Ticket, reason string, persons []uint32) error {
	s, err := o.office.State()
	if err != nil {
		return err
	}
	current, _ := s.Series(series)
	if _, err := counter.Disqualify(s, current.Book, t.Place, reason, persons); err != nil {
		return err
	}
	_, second, err := pair(o.office)
	if err != nil {
		return err
	}
	if len(persons) > 1 {
		second = persons[1]
	}
	return agreed(o.office, command.Disqualify{Ticket: t.Place.String(), Reason: reason}, persons[0], second)
}

// Reinstate implements Counter.
func (o operator) Reinstate(t Ticket, reason string) error {
	return approved(o.office, command.Reinstate{Ticket: t.Place.String(), Reason: reason})
}

// Invalidate implements Counter.
func (o operator) Invalidate(t Ticket, reason string) error {
	return approved(o.office, command.Invalidate{Ticket: t.Place.String(), Reason: reason})
}
