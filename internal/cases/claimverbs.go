package cases

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"drawhouse/counter"
	"drawhouse/money"
	"drawhouse/record"
)

// This file has the verbs of claim forms: claim, note, copies, sign, decide, settle-claim;
// unfetched, which says what became of a prize; and tell, by which the holder of a card
// is told of prizes.

// LodgeClaim implements Counter.
func (c *Core) LodgeClaim(f counter.ClaimForm, tickets []Ticket) (uint32, error) {
	f.Series = series
	for _, t := range tickets {
		owed, err := c.onForm(t.Place)
		if err != nil {
			return 0, err
		}
		f.Tickets = append(f.Tickets, owed)
	}
	return c.Engine.LodgeClaim(c.tick(), f)
}

// onForm gathers what decides about a ticket that is not at a counter.
func (c *Core) onForm(place record.Place) (counter.Payment, error) {
	sold, err := c.sold(place)
	if err != nil {
		return counter.Payment{}, err
	}
	wins, err := c.wins(place, sold)
	return counter.Payment{Place: place, Sold: sold, Wins: wins}, err
}

// NoteClaim implements Counter.
func (c *Core) NoteClaim(b record.ClaimNoted) error { return c.Engine.NoteClaim(c.tick(), b) }

// SignClaim implements Counter.
func (c *Core) SignClaim(b record.ClaimSigned) error { return c.Engine.SignClaim(c.tick(), b) }

// DecideClaim implements Counter.
func (c *Core) DecideClaim(b record.ClaimDecided) error { return c.Engine.DecideClaim(c.tick(), b) }

// PayClaim implements Counter.
func (c *Core) PayClaim(b record.ClaimPaid) (money.Amount, error) {
	paid, err := c.Engine.PayClaim(c.tick(), b, nil)
	if err != nil {
		return 0, err
	}
	return paid.Cents, nil
}

// LodgeClaim implements Counter.
func (s *Served) LodgeClaim(f counter.ClaimForm, tickets []Ticket) (uint32, error) {
	var places []record.Place
	for _, t := range tickets {
		places = append(places, t.Place)
	}
	return s.house.LodgeClaim(s.tick(), f, places)
}

// NoteClaim implements Counter.
func (s *Served) NoteClaim(b record.ClaimNoted) error { return s.house.NoteClaim(s.tick(), b) }

// SignClaim implements Counter.
func (s *Served) SignClaim(b record.ClaimSigned) error { return s.house.SignClaim(s.tick(), b) }

// DecideClaim implements Counter.
func (s *Served) DecideClaim(b record.ClaimDecided) error { return s.house.DecideClaim(s.tick(), b) }

// PayClaim implements Counter.
func (s *Served) PayClaim(b record.ClaimPaid) (money.Amount, error) {
	paid, err := s.house.PayClaim(s.tick(), b, nil)
	if err != nil {
		return 0, err
	}
	return paid.Cents, nil
}

var claimPattern = regexp.MustCompile(`^([\w ]+?) (lost|unreadable|expired|retired|mail|estate|disputed)( with the original)?( by nobody| by another)?$`)

// claim has somebody claim tickets and papers on one form and says its number and amount.
// Who takes it in is not who decides it.
func (r *run) claim(text string) (string, error) {
	words, err := phrase(claimPattern, text, "NAME ... REASON [with the original] [by nobody|by another]")
	if err != nil {
		return "", err
	}
	f := counter.ClaimForm{Reason: record.ClaimReason(words[1]), Original: words[2] != "", Claimant: new(Visit).payee(), By: Payer}
	switch words[3] {
	case " by nobody":
		f.Claimant = record.Hash{}
	case " by another":
		f.Claimant = (&Visit{Other: true}).payee()
	}
	var tickets []Ticket
	for _, name := range strings.Fields(words[0]) {
		if t, ok := r.tickets[name]; ok {
			tickets = append(tickets, t)
		} else if p, ok := r.papers[name]; ok {
			f.Papers = append(f.Papers, p.Place)
		} else {
			return "", fmt.Errorf("there is no ticket or paper %s", name)
		}
	}
	number, err := r.house.LodgeClaim(f, tickets)
	if err != nil {
		return "", err
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	form, _ := s.ClaimForm(number)
	return fmt.Sprintf("claim %d of %v", number, form.Amount()), nil
}

var notePattern = regexp.MustCompile(`^(\d+) (\w+)(?: by (\w+))?$`)

// note has somebody of the operator, or of the role that is named, put a paper to a claim.
func (r *run) note(text string) (string, error) {
	words, err := phrase(notePattern, text, "CLAIM evidence|representative|received|sent|dispute|copied|erased [by ROLE]")
	if err != nil {
		return "", err
	}
	by := r.operator()
	if words[2] != "" {
		by = r.personOf(record.Role(words[2]))
	}
	return "noted", r.house.NoteClaim(record.ClaimNoted{Claim: uint32(number(words[0])), Note: record.ClaimNote(words[1]), Content: record.Hash{2}, By: by})
}

var copiesPattern = regexp.MustCompile(`^(\d+)$`)

// copies says whether the inspector lacks a copy of a cheque or letter of a claim.
func (r *run) copies(text string) (string, error) {
	words, err := phrase(copiesPattern, text, "CLAIM")
	if err != nil {
		return "", err
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	form, err := counter.FindClaim(s, uint32(number(words[0])))
	if err != nil {
		return "", err
	}
	if book, _ := s.Series(form.Series); counter.CopiesDue(form, book.Book) {
		return "due", nil
	}
	return "given", nil
}

var tellPattern = regexp.MustCompile(`^(\d+) of ([\w ]+)$`)

// tellHolder has the holder of a card be told of tickets.
func (r *run) tellHolder(text string) (string, error) {
	words, err := phrase(tellPattern, text, "CARD of NAME ...")
	if err != nil {
		return "", err
	}
	var tickets []record.Place
	for _, name := range strings.Fields(words[1]) {
		t, ok := r.tickets[name]
		if !ok {
			return "", fmt.Errorf("there is no ticket %s", name)
		}
		tickets = append(tickets, t.Place)
	}
	return "told", r.house.NotifyCard(uint32(number(words[0])), tickets, r.operator())
}

// NotifyCard implements Counter.
func (c *Core) NotifyCard(card uint32, tickets []record.Place, by uint32) error {
	var owed []counter.Payment
	for _, place := range tickets {
		ticket, err := c.onForm(place)
		if err != nil {
			return err
		}
		owed = append(owed, ticket)
	}
	return c.Engine.NotifyCard(c.tick(), card, owed, by)
}

// NotifyCard implements Counter.
func (s *Served) NotifyCard(card uint32, tickets []record.Place, by uint32) error {
	return s.house.NotifyCard(s.tick(), card, tickets, by)
}

var signPattern = regexp.MustCompile(`^(\d+) as (\w+)(?: by (\w+))?( not satisfied)?$`)

// sign has a person of a role sign a claim for a party, whose role is the party's own
// unless another is named.
func (r *run) sign(text string) (string, error) {
	words, err := phrase(signPattern, text, "CLAIM as PARTY [by ROLE] [not satisfied]")
	if err != nil {
		return "", err
	}
	b := record.ClaimSigned{Claim: uint32(number(words[0])), Party: words[1], Person: r.operator(), Satisfied: words[3] == ""}
	if words[1] == "inspector" {
		b.Person = r.personOf(record.RoleInspector)
	}
	if words[2] != "" {
		b.Person = r.personOf(record.Role(words[2]))
	}
	if !b.Satisfied {
		b.Reason = "the details do not agree"
	}
	return "signed", r.house.SignClaim(b)
}

var decidePattern = regexp.MustCompile(`^(\d+) (allowed|refused|referred)( without a reason)?( by who lodged)?$`)

// decide has a claim decided by another person than took it in, or by that one.
func (r *run) decide(text string) (string, error) {
	words, err := phrase(decidePattern, text, "CLAIM allowed|refused|referred [without a reason] [by who lodged]")
	if err != nil {
		return "", err
	}
	b := record.ClaimDecided{Claim: uint32(number(words[0])), Outcome: record.ClaimOutcome(words[1]), Reason: "the details were compared", By: r.operator()}
	if words[2] != "" {
		b.Reason = ""
	}
	if words[3] != "" {
		b.By = Payer
	}
	return words[1], r.house.DecideClaim(b)
}

var settleClaimPattern = regexp.MustCompile(`^(\d+) by (\w+)(?: at venue (\d+))?( by who decided)?( without account)?$`)

// settleClaim has a claim paid by another person than decides claims, or by that one.
func (r *run) settleClaim(text string) (string, error) {
	words, err := phrase(settleClaimPattern, text, "CLAIM by MEANS [at venue N] [by who decided] [without account]")
	if err != nil {
		return "", err
	}
	b := record.ClaimPaid{Claim: uint32(number(words[0])), Means: words[1], Reference: "000417", Venue: uint32(number(words[2])), By: Payer, Account: words[4] == ""}
	if words[3] != "" {
		b.By = r.operator()
	}
	cents, err := r.house.PayClaim(b)
	return cents.String(), err
}

var unfetchedPattern = regexp.MustCompile(`^(\w+) in game (\d+)$`)

// unfetched says what of the prize of a ticket in a game nobody has fetched, where it is,
// since when and by which clause, and where it goes next; and of a void game the stake that
// goes back.
func (r *run) unfetched(text string) (string, error) {
	words, err := phrase(unfetchedPattern, text, "NAME in game ORDINAL")
	if err != nil {
		return "", err
	}
	t, ok := r.tickets[words[0]]
	if !ok {
		return "", fmt.Errorf("there is no ticket %s", words[0])
	}
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	current, _ := s.Series(series)
	game, ok := current.Game(uint32(number(words[1])))
	if !ok {
		return "", fmt.Errorf("there is no game %s", words[1])
	}
	won, err := r.house.Won(t)
	if err != nil || int(game.Ordinal-t.Ordinal) >= len(won) {
		return "", fmt.Errorf("ticket %s has no prize in game %s: %w", words[0], words[1], err)
	}
	u, left, err := counter.FindUnfetched(s, current, game, t.Place, won[game.Ordinal-t.Ordinal].Payable)
	if err != nil {
		return "", err
	}
	back := ""
	for _, b := range counter.UnfetchedStakes(s, current, game) {
		if b.Ticket == t.Place {
			back = "stake " + b.Cents.String()
		}
	}
	if !left {
		return cmp.Or(back, "nothing"), nil
	}
	if back != "" {
		back = ", " + back
	}
	said := u.Cents.String() + " with " + cmp.Or(u.At, "venues")
	if u.Since.IsValid() {
		said += fmt.Sprintf(" since %v by %s", u.Since, u.Clause)
	}
	if u.Claim != 0 {
		said += fmt.Sprintf(", claim %d", u.Claim)
	}
	if u.Next != "" {
		said += fmt.Sprintf(", to %s from %v", u.Next, u.From)
	}
	return said + back, nil
}
