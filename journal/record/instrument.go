package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// IssueReason is why a paper that stands for money was issued.
type IssueReason string

// The reasons.
const (
	IssuedForMoney    IssueReason = "sold"     // somebody bought it
	IssuedAsChange    IssueReason = "change"   // for what another paper left
	IssuedForWinnings IssueReason = "winnings" // in place of cash
	IssuedAsRefund    IssueReason = "refund"   // for a cancelled ticket that vouchers had paid for
	IssuedByOperator  IssueReason = "operator" // at the operator's expense
)

// InstrumentIssued is a paper that stands for money. Its serial follows from the
// record's place.
type InstrumentIssued struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Session uint32       `is:"session"` // number of the customer session of the terminal
	Series  uint8        `is:"series"`
	ID      string       `is:"name"`                 // kind of the paper, by its name in the rulebook's list
	Cents   money.Amount `is:"amount" most:"amount"` // what the paper stands for
	Day     day.Day      `is:"day"`                  // day of the issue
	// The last day on which the paper can be used; none if it never expires.
	LastDay day.Day
	// The last day on which its money is kept for it; none if it never expires.
	Kept    day.Day
	Claim   Hash        `is:"claim"` // hash of the claim code of the paper
	Reason  IssueReason // why the paper was issued
	For     Place       // the ticket or paper that it is for; none otherwise
	Tenders []Tender
	// Particulars commits to the payee of a paper that names one, as a cheque does.
	Particulars []byte `later:"true"`
	// GameType is the type of game that it pays for, by the id of a bet; empty for any.
	GameType string `later:"true"`
	// Replaces names the earlier paper whose money it gives back, if it does.
	Replaces []Place `later:"true"`
}

// Replaced returns the earlier paper whose money it gives back, or the zero place.
func (i *InstrumentIssued) Replaced() Place {
	if len(i.Replaces) == 0 {
		return Place{}
	}
	return i.Replaces[0]
}

func (i *InstrumentIssued) check() error {
	if i.LastDay != 0 && (i.LastDay < i.Day || i.Kept < i.LastDay) {
		return fmt.Errorf("a paper of %v is good to %v and kept to %v", i.Day, i.LastDay, i.Kept)
	}
	switch i.Reason {
	case IssuedForMoney, IssuedAsChange, IssuedForWinnings, IssuedAsRefund, IssuedByOperator:
	default:
		return fmt.Errorf("there is no reason %q", i.Reason)
	}
	if len(i.Particulars) != 0 && len(i.Particulars) != len(Hash{}) {
		return fmt.Errorf("%d bytes commit to a payee", len(i.Particulars))
	}
	if len(i.Replaces) > 1 || len(i.Replaces) > 0 && i.Reason != IssuedAsRefund {
		return errors.New("one paper is replaced, where money goes back")
	}
	return checkTenders(i.Tenders, i.Cents)
}

// checkTenders reports tenders that do not come to an amount. Without any, the
// amount is settled at the end of the session.
func checkTenders(tenders []Tender, amount money.Amount) error {
	var sum money.Amount
	for _, tender := range tenders {
		var err error
		if sum, err = sum.Add(tender.Cents); err != nil {
			return err
		}
	}
	if len(tenders) > 0 && sum != amount {
		return fmt.Errorf("tenders of %v for %v", sum, amount)
	}
	return nil
}

// Expired is a paper whose time is over, and what it was worth.
type Expired struct {
	_          struct{}     `cbor:",toarray"`
	Instrument Place        // the paper whose time is over
	Cents      money.Amount // what the paper was worth
}

// InstrumentsExpired takes the money of papers that nobody has used in time to where
// the rulebook says.
type InstrumentsExpired struct {
	_      struct{}  `cbor:",toarray"`
	Series uint8     `is:"series"`
	Day    day.Day   `is:"day"`         // day on which it is done
	ID     string    `is:"name"`        // kind of the papers, by its name in the rulebook's list
	To     string    `is:"destination"` // where the money goes, as the rulebook names it
	List   []Expired `is:"list"`        // the papers
}

func (e *InstrumentsExpired) check() error {
	for i, x := range e.List {
		if x.Instrument.Volume == 0 || x.Cents <= 0 {
			return fmt.Errorf("paper %d: %v is worth %v", i+1, x.Instrument, x.Cents)
		}
	}
	return nil
}

// ReissueReason is why a ticket or paper has another sheet.
type ReissueReason string

// The reasons.
const (
	ReissueDuplicate    ReissueReason = "duplicate"    // two persons have replaced the sheets before it
	ReissueContinuation ReissueReason = "continuation" // the writer has kept the first, and games are to come
	// one person has printed it before the seal; the sheets before it still open
	ReissueCopy ReissueReason = "copy"
)

// PaperReissued is another sheet for a ticket or paper. Its serial follows from the
// record's place. The claim codes of the sheets before it open nothing any more, unless
// it is a copy: one person alone takes nothing from the holder of an earlier sheet.
type PaperReissued struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Of      Place // the ticket or paper that has another sheet
	Claim   Hash
	Reason  ReissueReason // why it has another sheet
	By      uint32        // number of the person on shift at the terminal; none where nobody has to be
}

func (r ReissueReason) isKnown() bool {
	return r == ReissueDuplicate || r == ReissueContinuation || r == ReissueCopy
}

func (p *PaperReissued) check() error {
	if p.Of.Volume == 0 || p.Claim == (Hash{}) || !p.Reason.isKnown() {
		return errors.New("another sheet needs a first one, a claim and a reason")
	}
	return nil
}

// CardRegistered is a player card. Who holds it stands in a register outside the
// journal; Details is the hash of what that says, with a random salt.
type CardRegistered struct {
	_       struct{} `cbor:",toarray"`
	Card    uint32   `is:"card"` // number of the player card
	Details Hash     `is:"hash"` // hash of the register's entry of the holder, with a random salt
	By      uint32
}

func (*CardRegistered) check() error { return nil }

// CardStatus is what a card can be used for.
type CardStatus string

// The states of a card.
const (
	CardActive   CardStatus = "active"
	CardExcluded CardStatus = "excluded" // the holder may not play; funds can be fetched
	CardClosed   CardStatus = "closed"
)

// CardStatusSet changes what a card can be used for, at once. By is 0 where the
// holder did it.
type CardStatusSet struct {
	_      struct{} `cbor:",toarray"`
	Card   uint32
	Status CardStatus // what the card can be used for from now on
	Until  Time       // when an exclusion ends
	Reason string
	By     uint32 // number of the person who did it; none where the holder did it
}

func (c *CardStatusSet) check() error {
	if c.Card == 0 || c.Reason == "" || c.Until < 0 || (c.Until != 0) != (c.Status == CardExcluded) {
		return errors.New("a state needs a card and a reason, and an exclusion an end")
	}
	if c.Status != CardActive && c.Status != CardExcluded && c.Status != CardClosed {
		return fmt.Errorf("there is no state %q", c.Status)
	}
	return nil
}

// CardNotified says that a holder was told of prizes that wait.
type CardNotified struct {
	_       struct{} `cbor:",toarray"`
	Card    uint32   `is:"card"`
	Tickets []Place  `is:"tickets"` // the tickets with prizes of which the holder was told
	By      uint32
}

func (*CardNotified) check() error { return nil }
