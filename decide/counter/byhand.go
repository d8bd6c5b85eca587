package counter

import (
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about prizes that are paid by hand.
const (
	NotByHand      refusal.Code = "not_by_hand"      // the computer has taken the result of the game
	ByHandOnly     refusal.Code = "by_hand_only"     // it did not at first, and the next draw has not begun
	HandPayerOther refusal.Code = "hand_payer_other" // who is said to have paid does not work here
	HandCentsOther refusal.Code = "hand_cents_other" // the ticket has won another amount in the game
)

// Hand is a prize that was paid by hand after the computer did not take a result.
type Hand struct {
	Ordinal uint32       // of the game; 0 where the terminal itself pays
	Cents   money.Amount // that were paid
	PaidBy  uint32
}

// payers are the roles of those who may have paid by hand.
var payers = []record.Role{record.RoleWriter, record.RoleSenior, record.RoleSupervisor, record.RoleOperative}

// CheckHand refuses a payment by hand of a game whose result the computer took at once, and one
// by somebody who does not work here. It asks nothing of the ticket.
//
//rule:casino-keno-div2 11.7
func CheckHand(s *state.State, series *state.Series, h Hand) error {
	clause := rulebook.Quoted(series.Book.Draw().StandsClause)
	if !series.ByHand(h.Ordinal) {
		return refuse(NotByHand, clause, "ordinal",
			"The computer has taken the result of game %d of the series, so terminals pay its prizes.", h.Ordinal)
	}
	if person, ok := s.People().Person(h.PaidBy); !ok || person.Erased || !person.HasAny(payers...) {
		return refuse(HandPayerOther, clause, "paid_by", "Person %d is nobody who may pay prizes.", h.PaidBy)
	}
	if h.Cents <= 0 {
		return refuse(HandCentsOther, clause, "cents", "A payment by hand is of more than nothing.")
	}
	return nil
}

// agrees refuses a payment by hand that is not what the ticket has won in the game. Who paid too
// little pays the rest by hand as well, and what was paid too much is no prize.
func (h Hand) agrees(s *state.State, series *state.Series, owed due) error {
	if err := CheckHand(s, series, h); err != nil {
		return err
	}
	if won := owed.parts[0].Cents; won != h.Cents {
		return refuse(HandCentsOther, rulebook.Quoted(series.Book.Draw().StandsClause), "cents",
			"The ticket has won %v in game %d of the series, not %v.", won, h.Ordinal, h.Cents)
	}
	return nil
}

// exitByHand refuses to pay out, but by hand, the prizes of a game which the computer did not
// take at first: until the next draw begins they are paid by hand, and brought in after that.
// What was paid at a terminal meanwhile would be paid twice.
//
//rule:casino-keno-div2 11.7
func exitByHand(series *state.Series, ordinals ...uint32) error {
	for _, ordinal := range ordinals {
		if series != nil && series.OnlyByHand(ordinal) {
			return refuse(ByHandOnly, rulebook.Quoted(series.Book.Draw().StandsClause), "serial",
				"The computer did not take the result of game %d of the series: its prizes are paid by hand until the next draw begins, and each is brought in by two persons.", ordinal)
		}
	}
	return nil
}

// ordinalsOf returns the games of parts.
func ordinalsOf(parts []record.PaidPart) (all []uint32) {
	for _, p := range parts {
		all = append(all, p.Ordinal)
	}
	return all
}
