package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/money"
)

// Place names a record: its volume and its sequence number. It never changes.
type Place struct {
	_      struct{} `cbor:",toarray"`
	Volume uint16   // volume of the record
	Seq    uint64   // number of the record in its volume, from 0
}

// String returns the place for people, such as 1:20417.
func (p Place) String() string { return fmt.Sprintf("%d:%d", p.Volume, p.Seq) }

// ParsePlace reads a place as String writes it and refuses every other spelling.
func ParsePlace(text string) (Place, error) {
	volume, seq, ok := strings.Cut(text, ":")
	v, err1 := strconv.ParseUint(volume, 10, 16)
	s, err2 := strconv.ParseUint(seq, 10, 64)
	p := Place{Volume: uint16(v), Seq: s}
	if !ok || err1 != nil || err2 != nil || p.String() != text {
		return Place{}, fmt.Errorf("record: %q is no place in a journal, such as 1:20417", text)
	}
	return p, nil
}

// Before reports whether a place comes before another.
func (p Place) Before(q Place) bool {
	return p.Volume < q.Volume || p.Volume == q.Volume && p.Seq < q.Seq
}

// Request names what a terminal asked: numbers rise, and Body is the start of
// the SHA-256 of what was asked, so that the same number with another body can
// be told from a repeat.
type Request struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32   // terminal that sent the request
	Number   uint64   // number of the request at its terminal
	Body     [16]byte // first half of the SHA-256 of what the request asked for
}

func (r Request) check() error {
	if r.Terminal == 0 || r.Number == 0 {
		return fmt.Errorf("request %d of terminal %d", r.Number, r.Terminal)
	}
	return nil
}

// TenderKind is a kind of payment. Numbers stay what they are for ever.
type TenderKind uint8

// The tenders.
const TenderCash TenderKind = 1

// Tender is one payment, to the house when positive and from it when negative.
type Tender struct {
	_     struct{}     `cbor:",toarray"`
	Kind  TenderKind   // what the money is
	Cents money.Amount // what the customer gave; negative for what the customer got
}

// TicketSold is a ticket and the money for it. Serial, receipt and every play
// follow from the record's place.
type TicketSold struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	// Number of the customer session of the terminal. A sale with tenders is a session by itself; one without is
	// settled with others by the end of the session.
	Session uint32
	Method  string // how the particulars were given
	Runner  bool   // whether a runner brought the entry
	// The ticket whose numbers were played again; none otherwise.
	Replays Place
	// Series and Ordinal name the first game; Ticket, the resolved ticket as
	// package keno encodes it, says its day and number and how many games follow.
	Series  uint8
	Ordinal uint32 // number in the series of the first game
	// The ticket as the interface takes it: bets, numbers, first game and how many games follow.
	Ticket    cbor.RawMessage `most:"note"`
	Ways      uint32          // ways that the ticket plays in each game
	CostCents money.Amount    `most:"amount"` // what the ticket costs: the stakes of all its games
	// Hash of the claim code, which only the paper has.
	Claim   Hash
	Tenders []Tender // how it was paid, if the sale is a session by itself
}

func (t *TicketSold) check() error {
	if err := t.Request.check(); err != nil {
		return err
	}
	if t.Series == 0 || t.Ordinal == 0 || t.Session == 0 || t.Ways == 0 || t.CostCents <= 0 || len(t.Ticket) == 0 {
		return errors.New("a ticket needs a session, a first game, ways, a cost and its bets")
	}
	return checkTenders(t.Tenders, t.CostCents)
}

// PaidPart is the prize of one game of a ticket.
type PaidPart struct {
	_ struct{} `cbor:",toarray"`
	// The game, by its number in the series; none for what the end of an earlier session withheld, whole.
	Ordinal uint32
	Cents   money.Amount // what is paid of the game
}

// TicketPaid is a payment of prizes of one ticket, game by game.
type TicketPaid struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Session uint32 `is:"session"` // number of the customer session of the terminal
	Ticket  Place  `is:"ticket"`
	// Hash of the claim code that was presented. It opens the claim of the ticket.
	Opening Hash
	Series  uint8      `is:"series"`
	Parts   []PaidPart `is:"parts"` // what is paid, ascending by game
	// What of the parts are stakes of void games.
	RefundCents money.Amount
	Tenders     []Tender // how it was paid, if the payment is a session by itself
	// What of the parts are prizes of ways that the rulebook calls major, where it pays these otherwise.
	MajorCents money.Amount
	// Number of the person who had paid the prize by hand before this record, because the computer did not take the
	// result; none where the terminal pays.
	PaidBy uint32 `later:"true"`
	// Clause of the rulebook on prizes that were paid by hand; none where the terminal pays.
	Clause string `later:"true"`
}

func (t *TicketPaid) check() error {
	if t.RefundCents < 0 || t.RefundCents > t.Amount() || t.MajorCents < 0 || t.MajorCents > t.Amount() {
		return fmt.Errorf("refunds of %v in a payment of %v", t.RefundCents, t.Amount())
	}
	if (t.PaidBy == 0) != (t.Clause == "") || t.PaidBy != 0 && (len(t.Parts) != 1 || len(t.Tenders) == 0) {
		return errors.New("a payment by hand needs who made it, a clause, one game and a tender")
	}
	sum, err := addParts(t.Parts)
	if err != nil {
		return err
	}
	return checkTenders(t.Tenders, -sum)
}

// Amount returns what the payment comes to.
func (t *TicketPaid) Amount() money.Amount {
	var sum money.Amount
	for _, part := range t.Parts {
		sum += part.Cents
	}
	return sum
}

// Withheld returns what of the payment an earlier session had withheld. It was won, given
// back and counted there.
func (t *TicketPaid) Withheld() money.Amount { return withheldOf(t.Parts) }

// withheldOf returns the part that is of no game. It stands first.
func withheldOf(parts []PaidPart) money.Amount {
	if len(parts) > 0 && parts[0].Ordinal == 0 {
		return parts[0].Cents
	}
	return 0
}

// TicketCancelled ends a ticket before its time. Kept is the last game that it
// still plays: the one before its first if it plays none. What its prizes that
// were running on had come to is a prize of the game before, and paid.
type TicketCancelled struct {
	_       struct{} `cbor:",toarray"`
	Request Request
	Session uint32 // number of the customer session of the terminal
	Ticket  Place
	Opening Hash // hash of the claim code that was presented
	Series  uint8
	// The last game that the ticket still plays, by its number in the series; the one before its first if it plays
	// none.
	Kept uint32
	// Stakes that go back.
	RefundCents money.Amount
	// What had been won and was staked in the next game, and goes back.
	CarriedCents money.Amount
	Tenders      []Tender // how it was given back, if the cancellation is a session by itself
	// The stakes that no longer count against what all tickets together may put on one outcome of a game.
	Released []Release
	// UnwonCents is what of the stakes had run through void games alone.
	UnwonCents money.Amount `later:"true"`
}

// Release is a stake on one outcome in the games from First to Last. The outcome is
// the bet's name, a slash and the outcome's, such as heads_or_tails/heads.
type Release struct {
	_       struct{}     `cbor:",toarray"`
	Outcome string       // the outcome of a game
	First   uint32       // number in the series of the first game
	Last    uint32       // number in the series of the last game
	Cents   money.Amount // stakes on the outcome in each game
}

func (t *TicketCancelled) check() error {
	if t.Session == 0 || t.Ticket.Volume == 0 || t.Series == 0 || t.RefundCents < 0 || t.CarriedCents < 0 ||
		t.UnwonCents < 0 || t.UnwonCents > t.RefundCents {
		return errors.New("a cancellation needs a session, a ticket, a series and amounts")
	}
	for i, r := range t.Released {
		if r.Outcome == "" || r.First == 0 || r.Last < r.First || r.Cents <= 0 {
			return fmt.Errorf("release %d: %v on %q in games %d to %d", i, r.Cents, r.Outcome, r.First, r.Last)
		}
	}
	sum, err := t.RefundCents.Add(t.CarriedCents)
	if err != nil {
		return err
	}
	return checkTenders(t.Tenders, -sum)
}

// RequestBurned answers a terminal that asked about a request which never
// arrived: the number will not be decided any more.
type RequestBurned struct {
	_        struct{} `cbor:",toarray"`
	Terminal uint32
	Number   uint64
}

func (r *RequestBurned) check() error {
	return Request{Terminal: r.Terminal, Number: r.Number}.check()
}
