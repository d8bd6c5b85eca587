package record

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// SessionChanged sets a session anew that nobody has entered yet.
type SessionChanged struct {
	_    struct{} `cbor:",toarray"`
	Hall uint8
	Set  SessionSet // the session as it is from now on
	By   By
}

func (s *SessionChanged) check() error {
	if s.Hall != s.Set.Hall || s.By != s.Set.By {
		return errors.New("a session is changed in its own hall by who sets it")
	}
	return nil
}

// SessionCancelled ends a session that nobody has entered. Its prizes were promised to
// nobody and do not roll on.
type SessionCancelled struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Reason  string `is:"reason"`
	By      By
}

func (*SessionCancelled) check() error { return nil }

// EntryUndone undoes an entry before the serials issued are entered: the fee was handed
// back, and the books are back in the stock.
type EntryUndone struct {
	_       struct{} `cbor:",toarray"`
	Session HallSession
	Player  uint32 `is:"player"`
	Reason  string `is:"reason"`
	By      By
}

func (*EntryUndone) check() error { return nil }

// OutcomeInvalidated takes from claims what they won, because fraud affected the outcome.
// Within a game it comes before the record that voids it, and names claims alone. Of a game
// that is over, what they won rolls on, and their parts of the jackpot return to it, paid
// out or not.
type OutcomeInvalidated struct {
	_      struct{} `cbor:",toarray"`
	Game   BingoGame
	Reason string
	Clause string
	Claims []uint16       `most:"items"` // numbers of the claims whose prizes fall, ascending
	Rolled []PatternPrize // prizes that roll into the next game or session
	// What goes back to each level of the jackpot, in the order of the levels.
	Restored []money.Amount `each:"amount"`
	// What goes back to every player but those whose wager is forfeited.
	RefundCents money.Amount
	Forfeited   []uint32 // numbers of the players whose wager is forfeited
	By          By
	// More is what the others who won the prize or the level get of what fell, on top of the
	// share that the settlement gave.
	More []ClaimShare `later:"true"`
}

func (o *OutcomeInvalidated) check() error {
	for _, m := range o.More {
		if slices.Contains(o.Claims, m.Claim) || m.Claim == 0 || m.Cents < 0 || m.JackpotCents < 0 ||
			m.Cents+m.JackpotCents == 0 {
			return fmt.Errorf("claim %d gets %v and %v of the jackpot of what fell", m.Claim, m.Cents, m.JackpotCents)
		}
	}
	if o.Reason == "" || o.Clause == "" || len(o.Claims) == 0 || o.RefundCents < 0 || o.RefundCents == 0 &&
		len(o.Forfeited) > 0 {
		return errors.New("an outcome is invalidated for a reason, and it names the claims that fall")
	}
	for i, claim := range o.Claims {
		if claim == 0 || i > 0 && claim <= o.Claims[i-1] {
			return fmt.Errorf("claim %d is named out of order", claim)
		}
	}
	if slices.ContainsFunc(o.Restored, func(a money.Amount) bool { return a < 0 }) {
		return errors.New("less than nothing returns to the jackpot")
	}
	return checkPrizes(o.Rolled)
}

// DisputeAwarded says what the decision of a dispute awards altogether. Its postings owe
// what is more than was awarded before.
type DisputeAwarded struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Dispute uint32
	Cents   money.Amount `most:"amount"` // what is awarded
	By      By
}

func (d *DisputeAwarded) check() error {
	if d.Hall == 0 || d.Dispute == 0 || d.Cents < 0 {
		return fmt.Errorf("dispute %d awards %v", d.Dispute, d.Cents)
	}
	return nil
}

// DisputePaid hands over what a dispute awarded and was not paid.
type DisputePaid struct {
	_       struct{}     `cbor:",toarray"`
	Hall    uint8        `is:"hall"`
	Dispute uint32       `is:"dispute"`
	Parts   []MediumPart `is:"parts"` // how it is paid, in parts
	By      By
}

func (d *DisputePaid) check() error {
	return checkParts(d.Parts)
}
