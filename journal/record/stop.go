package record

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// PaymentFrozen stops payment on tickets and papers. What they play they play on:
// nobody else's share changes.
type PaymentFrozen struct {
	_      struct{} `cbor:",toarray"`
	Places []Place  // the tickets and papers on which nothing is paid
	Reason string
	Clause string
	By     uint32 // 0 where the house did it by itself
}

func (p *PaymentFrozen) check() error { return checkStop(p.Places, p.Reason) }

func checkStop(places []Place, reason string) error {
	if len(places) == 0 || reason == "" {
		return errors.New("it needs tickets or papers and a reason")
	}
	for i, p := range places {
		if p.Volume == 0 {
			return fmt.Errorf("paper %d has no place", i+1)
		}
		if slices.Contains(places[:i], p) {
			return fmt.Errorf("paper %v is named twice", p)
		}
	}
	return nil
}

// PaymentReleased lets tickets and papers be paid again.
type PaymentReleased struct {
	_      struct{} `cbor:",toarray"`
	Places []Place  // the tickets and papers that are paid again
	Reason string
	By     uint32
	// What customers have paid late, into the safes of the venues, for tickets and papers that their sessions ended
	// without paying for.
	PaidCents money.Amount `later:"true"`
}

func (p *PaymentReleased) check() error {
	if p.PaidCents < 0 {
		return errors.New("a late payment comes to the house")
	}
	return checkStop(p.Places, p.Reason)
}

// Decider is somebody whose opinion disqualifies an entry: a party that the rulebook
// names, by a person of the house or, where the person is none, by a reference.
type Decider struct {
	_         struct{} `cbor:",toarray"`
	Party     string   // whom the rulebook asks, as it names the party
	Person    uint32   // number of the person who decided; none for a person outside the house
	Reference string   // reference of the decision
}

// TicketDisqualified says that no claim on a ticket is admitted.
type TicketDisqualified struct {
	_        struct{} `cbor:",toarray"`
	Ticket   Place    `is:"ticket"`
	Reason   string   `is:"reason"`
	Clause   string
	Deciders []Decider `is:"deciders"` // who decided it
}

func (*TicketDisqualified) check() error { return nil }

// TicketReinstated takes a disqualification back.
type TicketReinstated struct {
	_      struct{} `cbor:",toarray"`
	Ticket Place    `is:"ticket"`
	Reason string   `is:"reason"`
	By     uint32   `is:"person"`
}

func (*TicketReinstated) check() error { return nil }

// TicketInvalidated says that a change of the rules has made a ticket invalid in the
// games that have not closed. Its holder chooses between a refund and a new entry.
type TicketInvalidated struct {
	_      struct{} `cbor:",toarray"`
	Ticket Place    `is:"ticket"`
	Reason string   `is:"reason"`
	By     uint32   `is:"person"`
}

func (*TicketInvalidated) check() error { return nil }

// PaperUndelivered says that a ticket or paper is recorded and was not handed over,
// as when a printer fails.
type PaperUndelivered struct {
	_        struct{} `cbor:",toarray"`
	Paper    Place    `is:"paper"` // the ticket or paper that did not reach the customer
	Terminal uint32   `is:"terminal"`
	Reason   string   `is:"reason"`
}

func (*PaperUndelivered) check() error { return nil }

// PrizeForfeited takes prizes from somebody who may not have them, game by game.
type PrizeForfeited struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Ticket  Place      `is:"ticket"`
	Series  uint8      `is:"series"`
	Parts   []PaidPart `is:"parts"` // the prizes that are forfeited, by game
	Reason  string     `is:"reason"`
	Clause  string
}

func (p *PrizeForfeited) check() error {
	_, err := addParts(p.Parts)
	return err
}

// Amount returns what is forfeited.
func (p *PrizeForfeited) Amount() money.Amount {
	sum, _ := addParts(p.Parts)
	return sum
}

// Withheld returns what of the forfeit an earlier session had withheld.
func (p *PrizeForfeited) Withheld() money.Amount { return withheldOf(p.Parts) }

// addParts adds up prizes, ascending by game, each once. What was withheld comes first.
func addParts(parts []PaidPart) (sum money.Amount, err error) {
	for i, part := range parts {
		if part.Cents <= 0 || i > 0 && part.Ordinal <= parts[i-1].Ordinal {
			return 0, fmt.Errorf("part %d pays %v for game %d", i, part.Cents, part.Ordinal)
		}
		if sum, err = sum.Add(part.Cents); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// AnonymitySet says whether the winner of a ticket may be named in public.
type AnonymitySet struct {
	_         struct{} `cbor:",toarray"`
	Ticket    Place    `is:"ticket"`
	Anonymous bool     // whether the winner is not named in public
	By        uint32
}

func (*AnonymitySet) check() error { return nil }
