package counter

import (
	"iter"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about player cards.
const (
	CardUnknown      refusal.Code = "card_unknown"   // there is no such card
	CardUnderAge     refusal.Code = "card_under_age" // the applicant is too young
	CardBarred       refusal.Code = "card_barred"    // the applicant may not play
	CardExcluded     refusal.Code = "card_excluded"  // the holder may not play
	CardShort        refusal.Code = "card_short"     // the card has not so much
	CardNone         refusal.Code = "card_none"      // these rules have no player cards
	CardDetailsWrong refusal.Code = "details_wrong"  // the hash of the details is missing
	NotTicketOfCard  refusal.Code = "not_its_ticket" // the card has not paid for the ticket
	CardUnheld       refusal.Code = "card_unheld"    // the register has forgotten its holder
)

// CardApplication is somebody who wants a player card. Who it is stands outside: Details
// commits to it, and Born and Barred are what the register says.
type CardApplication struct {
	Details record.Hash
	Born    day.Day
	Today   day.Day
	// Excluded says that the person is on a list of excluded people, and Staff that the
	// person works for the licensee.
	Excluded, Staff bool
	By              uint32
}

// RegisterCard gives a person a player card, who is of age on the day, not excluded, and
// not of the licensee's staff.
//
//rule:vic-keno-2015 6(a) 6(e)
func RegisterCard(s *state.State, book *rulebook.Book, a CardApplication) (*record.CardRegistered, error) {
	card, ok := book.Instrument(PlayerCard)
	who := book.Eligibility()
	least, ageClause := card.LeastAge(who)
	switch {
	case !ok:
		return nil, refuse(CardNone, "", "card", "There are no player cards under these rules.")
	case a.Details == (record.Hash{}):
		return nil, refuse(CardDetailsWrong, card.Quoted(), "details", "A card needs its holder's details.")
	case !OfAge(a.Born, a.Today, least):
		return nil, refuse(CardUnderAge, ageClause, "born", "A player must be %d years old.", least)
	case a.Staff:
		return nil, refuse(CardBarred, rulebook.Quoted(who.BarredClause), "person",
			"The person works for the licensee and may not play.")
	case a.Excluded:
		// No clause speaks of the list of excluded people.
		return nil, refuse(CardBarred, "", "person", "The person is excluded and may not play.")
	}
	next := uint32(1)
	if cards := s.Cards(); len(cards) > 0 {
		next = cards[len(cards)-1] + 1
	}
	return &record.CardRegistered{Card: next, Details: a.Details, By: a.By}, nil
}

// OfAge reports whether a person has had so many birthdays. One who is born on 29
// February has a birthday on 1 March of other years: a day later than the month-end
// rule would have it, so that nobody is taken for older than they are.
func OfAge(born, today day.Day, years int) bool {
	if !born.IsValid() {
		return false
	}
	birthday, err := born.AddMonths(12 * years)
	if err != nil {
		return false
	}
	_, _, dom := born.Date()
	if _, _, got := birthday.Date(); got != dom {
		birthday++
	}
	return birthday <= today
}

// SetCardStatus changes what a card can be used for. The holder excludes themselves at
// once; only somebody of the house lifts an exclusion, and not before its end: a card that
// was closed meanwhile stays excluded.
func SetCardStatus(s *state.State, c record.CardStatusSet, now record.Time) (*record.CardStatusSet, error) {
	card, ok := s.Card(c.Card)
	switch {
	case !ok:
		return nil, refuse(CardUnknown, "", "card", "There is no card %d.", c.Card)
	case c.Reason == "":
		return nil, refuse(CardDetailsWrong, "", "reason", "It needs a reason.")
	case card.Erased.Done() && c.Status != record.CardClosed:
		return nil, refuse(CardUnheld, "", "card", "Nobody knows any more who held card %d; it stays closed.", c.Card)
	case card.Excluded(now) && (c.Status == record.CardActive || c.Status == record.CardExcluded &&
		c.Until < card.Barred):
		return nil, refuse(CardExcluded, "", "card", "An exclusion is not ended before its time.")
	case c.Status == record.CardActive && c.By == 0:
		return nil, refuse(CardExcluded, "", "person", "A holder does not lift an exclusion.")
	case c.Status == record.CardClosed && card.Cents > 0:
		return nil, refuse(CardShort, "", "card", "The card still has %v.", card.Cents)
	}
	return &c, nil
}

// CheckCardStake checks that a card can pay: it is active, its holder may play, and it has
// that much. There is no credit.
//
//rule:vic-keno-2015 11(a)(v) 11(b)
func CheckCardStake(s *state.State, number uint32, cents money.Amount, now record.Time,
	clause string) (state.Card, error) {
	card, ok := s.Card(number)
	switch {
	case !ok:
		return card, refuse(CardUnknown, "", "card", "There is no card %d.", number)
	case card.Excluded(now) || card.Status == record.CardClosed:
		return card, refuse(CardExcluded, "", "card", "Card %d cannot be used.", number)
	case cents > card.Cents:
		return card, refuse(CardShort, clause, "card", "Card %d has %v, and no credit.", number, card.Cents)
	}
	return card, nil
}

// CardMovement is one line of a card's statement.
type CardMovement struct {
	Place   record.Place
	Time    record.Time
	Session uint32
	Cents   money.Amount // to the card when positive
	Funds   money.Amount // after it
	Tickets []record.Place
}

// CardStatement returns what happened on a card: a function of the records alone, which come
// in their order.
func CardStatement(card uint32, records iter.Seq2[record.Place, record.Record]) []CardMovement {
	var at record.Place
	var funds money.Amount
	var all []CardMovement
	for place, r := range records {
		switch b := r.Body.(type) {
		case *record.CardRegistered:
			if b.Card == card {
				at = place
			}
		case *record.SessionEnded:
			m := CardMovement{Place: place, Time: r.Time, Session: b.Session}
			for _, t := range b.Tenders {
				if t.Kind == record.TenderCard && t.Instrument == at {
					m.Cents -= t.Cents
				}
			}
			for _, f := range b.Funded {
				if f.Card == card {
					m.Tickets = append(m.Tickets, f.Ticket)
				}
			}
			for _, paid := range b.Spent {
				if paid.ID == PlayerCard && paid.Of == at {
					m.Tickets = append(m.Tickets, paid.Ticket)
				}
			}
			if m.Cents != 0 {
				funds += m.Cents
				m.Funds = funds
				all = append(all, m)
			}
		}
	}
	return all
}

// NotifyHolder says that a holder is told of prizes that wait, of tickets that the card has
// paid for: of no others does the registration say whose they are. A prize waits for nobody
// that was paid, is on a claim form or is stopped.
//
//rule:vic-keno-2015 22(a)
func NotifyHolder(s *state.State, card uint32, tickets []Payment, by uint32) (*record.CardNotified, error) {
	held, ok := s.Card(card)
	if !ok {
		return nil, refuse(CardUnknown, "", "card", "There is no card %d.", card)
	}
	if len(tickets) == 0 {
		return nil, refuse(CardDetailsWrong, "", "tickets", "Nothing waits for the holder.")
	}
	told := &record.CardNotified{Card: card, By: by}
	for _, ticket := range tickets {
		if !slices.ContainsFunc(s.Lots(ticket.Place),
			func(l state.Lot) bool { return l.ID == PlayerCard && l.Of == held.Place }) {
			return nil, refuse(NotTicketOfCard, "", "serials",
				"Card %d has not paid for ticket %v: its holder is not told of it.", card, ticket.Place)
		}
		ticket.OnlyPrizes = true
		if _, err := OwedOnForm(s, ticket); err != nil {
			return nil, err
		}
		told.Tickets = append(told.Tickets, ticket.Place)
	}
	return told, nil
}
