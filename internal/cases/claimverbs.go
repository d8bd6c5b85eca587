package cases

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// This file has the verbs of claim forms: claim, note, copies, sign, decide, settle-claim;
// unfetched, which says what became of a prize; and tell, by which the holder of a card
// is told of prizes.

// Claimed implements Counter.
func (c *Core) Claimed(t Ticket) (counter.Payment, error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return counter.Payment{}, err
	}
	r, err := record.Decode(c.Records[t.Place.Seq])
	if err != nil {
		return counter.Payment{}, err
	}
	wins, err := c.wins(t.Place, sold)
	return counter.Payment{Place: t.Place, Sold: sold, SoldAt: r.Time, Wins: wins}, err
}

// Claimed implements Counter.
func (s *Served) Claimed(t Ticket) (counter.Payment, error) { return s.house.Won(s.tick(), t.Place) }

var claimPattern = regexp.MustCompile(
	`^([\w ]+?) (lost|unreadable|expired|retired|mail|estate|disputed)( with the original)?( by nobody| by another)?(?: born (\S+))?$`)

// claim has somebody claim tickets and papers on one form and says its number and amount.
// Who takes it in is not who decides it.
func (r *run) claim(text string) (string, error) {
	words, err := phrase(claimPattern, text, "NAME ... REASON [with the original] [by nobody|by another] [born DATE]")
	if err != nil {
		return "", err
	}
	form := command.LodgeClaim{Reason: words[1], Original: words[2] != "", Who: new(Visit).payee()}
	switch words[3] {
	case " by nobody":
		form.Who = record.Hash{}
	case " by another":
		form.Who = (&Visit{Other: true}).payee()
	}
	form.Claimant.Born = words[4]
	s, err := r.house.State()
	if err != nil {
		return "", err
	}
	for _, name := range strings.Fields(words[0]) {
		if _, other := s.OtherTicket(name); other {
			form.Others = append(form.Others, name)
		} else if t, ok := r.tickets[name]; ok {
			won, err := r.house.Claimed(t)
			if err != nil {
				return "", err
			}
			form.Tickets = append(form.Tickets, won)
		} else if p, ok := r.papers[name]; ok {
			form.Papers = append(form.Papers, p.Place)
		} else {
			return "", fmt.Errorf("there is no ticket or paper %s", name)
		}
	}
	made, err := r.house.DoesAs(Payer, form)
	if err != nil {
		return "", err
	}
	if s, err = r.house.State(); err != nil {
		return "", err
	}
	lodged, _ := made.(*record.ClaimLodged)
	kept, _ := s.ClaimForm(lodged.Claim)
	return fmt.Sprintf("claim %d of %v", lodged.Claim, kept.Amount()), nil
}

var notePattern = regexp.MustCompile(`^(\d+) (\w+)(?: by (\w+))?$`)

// note has somebody of the operator, or of the role that is named, put a paper to a claim.
func (r *run) note(text string) (string, error) {
	words, err := phrase(notePattern, text,
		"CLAIM evidence|representative|received|sent|dispute|copied|erased [by ROLE]")
	if err != nil {
		return "", err
	}
	by := r.operator()
	if words[2] != "" {
		by = r.personOf(record.Role(words[2]))
	}
	of := command.OfForm{Claim: uint32(number(words[0]))}
	var noted command.Command = command.NoteClaim{OfForm: of, Note: words[1], Content: record.Hash{2}}
	switch record.ClaimNote(words[1]) {
	case record.NoteCopied:
		noted = command.CopyClaim{OfForm: of}
	case record.NoteErased:
		noted = command.EraseClaimant{OfForm: of}
	}
	return "noted", command.Outcome(r.house.DoesAs(by, noted))
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
	told := command.NotifyHolder{Card: uint32(number(words[0]))}
	for _, name := range strings.Fields(words[1]) {
		t, ok := r.tickets[name]
		if !ok {
			return "", fmt.Errorf("there is no ticket %s", name)
		}
		won, err := r.house.Claimed(t)
		if err != nil {
			return "", err
		}
		told.Tickets = append(told.Tickets, won)
	}
	return "told", command.Outcome(r.house.DoesAs(r.operator(), told))
}

var signPattern = regexp.MustCompile(`^(\d+) as (\w+)(?: by (\w+))?( not satisfied)?$`)

// sign has a person of a role sign a claim for a party, whose role is the party's own
// unless another is named.
func (r *run) sign(text string) (string, error) {
	words, err := phrase(signPattern, text, "CLAIM as PARTY [by ROLE] [not satisfied]")
	if err != nil {
		return "", err
	}
	by := r.operator()
	if words[1] == "inspector" {
		by = r.personOf(record.RoleInspector)
	}
	if words[2] != "" {
		by = r.personOf(record.Role(words[2]))
	}
	sign := command.SignClaim{OfForm: command.OfForm{Claim: uint32(number(words[0]))}, Party: words[1],
		Satisfied: words[3] == ""}
	if !sign.Satisfied {
		sign.Reason = "the details do not agree"
	}
	return "signed", command.Outcome(r.house.DoesAs(by, sign))
}

var decidePattern = regexp.MustCompile(`^(\d+) (allowed|refused|referred)( without a reason)?( by who lodged)?$`)

// decide has a claim decided by another person than took it in, or by that one.
func (r *run) decide(text string) (string, error) {
	words, err := phrase(decidePattern, text, "CLAIM allowed|refused|referred [without a reason] [by who lodged]")
	if err != nil {
		return "", err
	}
	decide, by := command.DecideClaim{OfForm: command.OfForm{Claim: uint32(number(words[0]))}, Outcome: words[1],
		Reason: "the details were compared"}, r.operator()
	if words[2] != "" {
		decide.Reason = ""
	}
	if words[3] != "" {
		by = Payer
	}
	return words[1], command.Outcome(r.house.DoesAs(by, decide))
}

var settleClaimPattern = regexp.MustCompile(`^(\d+) by (\w+)(?: at venue (\d+))?( by who decided)?( without account)?$`)

// settleClaim has a claim paid by another person than decides claims, or by that one.
func (r *run) settleClaim(text string) (string, error) {
	words, err := phrase(settleClaimPattern, text, "CLAIM by MEANS [at venue N] [by who decided] [without account]")
	if err != nil {
		return "", err
	}
	pay, by := command.PayClaim{
		OfForm: command.OfForm{Claim: uint32(number(words[0]))}, Means: words[1], Reference: "000417",
		Venue: uint32(number(words[2])), AccountGiven: words[4] == "",
	}, uint32(Payer)
	if words[3] != "" {
		by = r.operator()
	}
	made, err := r.house.DoesAs(by, pay)
	if err != nil {
		return "", err
	}
	paid, _ := made.(*record.ClaimPaid)
	return paid.Cents.String(), nil
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
	if err != nil {
		return "", err
	}
	if int(game.Ordinal-t.Ordinal) >= len(won) {
		return "", fmt.Errorf("ticket %s has no prize in game %s", words[0], words[1])
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
