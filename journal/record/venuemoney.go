package record

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Whole is a rate of 100 percent in basis points.
const Whole = 10_000

// MostDaysToPay is the longest time that an agreement gives a venue to pay a statement.
const MostDaysToPay = 60

// VenueAgreed is the agreement of the operator with a venue about its money. It holds for every statement whose
// first day is From or later, until a later agreement does. Two persons have agreed to it.
type VenueAgreed struct {
	_     struct{} `cbor:",toarray"`
	Venue uint32   `is:"venue"`
	From  day.Day  `is:"day"` // the first day on which the agreement holds
	// SalesRate, PrizesRate and FeesRate are the venue's commission in basis points: on tickets sold less tickets given
	// back, on prizes paid, and on fees of bingo less fees paid back. Each is rounded down to a whole cent, once in a
	// statement.
	SalesRate, PrizesRate, FeesRate uint16
	// LeastCents is the least commission of a statement.
	LeastCents money.Amount `most:"amount"`
	// TaxRate is the tax on the commission in basis points, which the venue charges on top of it.
	TaxRate uint16
	// TaxRounding is how the tax of a statement is rounded to a whole cent; empty where the rate is 0.
	TaxRounding string `most:"9"`
	// FloorCents is what the venue pays at least for a statement; 0 for no such payment.
	FloorCents money.Amount `most:"amount"`
	WeekEnds   uint8        // weekday of the last day of a statement, from Sunday, which is 0
	DaysToPay  uint8        // from the last day of a statement to the last day on which it is paid in time
	Stops      bool         // nothing is sold at the venue while a payment is missed
	// Mandate is the reference of the mandate by which the operator collects. This and the two fields behind it are empty
	// where the venue pays by itself.
	Mandate string  `most:"35"`
	Account string  `most:"34"` // the account from which the operator collects
	Signed  day.Day // the day on which the mandate was signed
	By      uint32  `is:"person"`
}

func (a *VenueAgreed) check() error {
	switch {
	case a.SalesRate > Whole || a.PrizesRate > Whole || a.FeesRate > Whole:
		return fmt.Errorf("a commission of %d, %d and %d basis points", a.SalesRate, a.PrizesRate, a.FeesRate)
	case a.TaxRate > Whole || (a.TaxRate == 0) != (a.TaxRounding == ""):
		return fmt.Errorf("a tax of %d basis points, rounded as %q", a.TaxRate, a.TaxRounding)
	case a.LeastCents < 0 || a.FloorCents < 0:
		return fmt.Errorf("a least commission of %v and a least payment of %v", a.LeastCents, a.FloorCents)
	case a.WeekEnds > 6 || a.DaysToPay > MostDaysToPay:
		return fmt.Errorf("weeks that end on weekday %d, and %d days to pay", a.WeekEnds, a.DaysToPay)
	case (a.Mandate == "") != (a.Account == "") || (a.Mandate == "") != (a.Signed == day.None):
		return errors.New("a mandate needs a reference, an account and the day of its signature")
	}
	return nil
}

// CashMove is how cash comes into the safe of a venue from outside of the house, or leaves it.
type CashMove string

// The moves of cash between the safe of a venue and what is outside of the house.
const (
	CashBrought CashMove = "brought" // the venue puts its own money into the safe
	CashTaken   CashMove = "taken"   // the venue takes money that is its own out of the safe
	CashBanked  CashMove = "banked"  // cash of the safe is paid into the bank of the operator, for the venue's account
)

// CashMoves returns all of them.
func CashMoves() []CashMove { return []CashMove{CashBrought, CashTaken, CashBanked} }

// CashCarried is cash that came into the safe of a venue or left it. A person of the central site asks for the record,
// and a senior of the venue signs: the senior has handed over cash that was brought or banked, and has received cash
// that was taken.
type CashCarried struct {
	_         struct{}     `cbor:",toarray"`
	Venue     uint32       `is:"venue"`
	Move      CashMove     // from where to where the cash went
	Cents     money.Amount `is:"amount" most:"amount"` // the cash
	Reference string       `is:"reference"`            // of the slip
	By        uint32       `is:"person"`
	With      uint32       `is:"person"` // the senior of the venue
}

func (c *CashCarried) check() error {
	if c.Cents < 0 || !slices.Contains(CashMoves(), c.Move) {
		return fmt.Errorf("there is no move %q of %v", c.Move, c.Cents)
	}
	return nil
}

// RemittanceReceived is money that a venue has paid into the bank of the operator by itself. It pays the oldest
// statement first. Two persons have agreed to it.
type RemittanceReceived struct {
	_         struct{}     `cbor:",toarray"`
	Venue     uint32       `is:"venue"`
	Cents     money.Amount `is:"amount" most:"amount"` // what was received
	Reference string       `is:"reference"`            // of the bank
	By        uint32       `is:"person"`
}

func (r *RemittanceReceived) check() error {
	if r.Cents < 0 {
		return fmt.Errorf("a remittance of %v", r.Cents)
	}
	return nil
}

// SameReference reports whether two references name one payment: letters count alike in both cases, characters that
// are one in another shape or width count alike (NFKC), and white space and invisible characters not at all.
func SameReference(a, b string) bool {
	bare := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) {
				return -1
			}
			least := r
			for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
				least = min(least, other)
			}
			return least
		}, norm.NFKC.String(text))
	}
	return bare(a) == bare(b)
}

// VenueStated is the statement of a venue, and its invoice. It follows the opening of the first Keno Day after the
// last day of the statement, and holds all records since the statement before it, or since the venue has an
// agreement.
type VenueStated struct {
	_      struct{} `cbor:",toarray"`
	Venue  uint32   `is:"venue"`
	Number uint32   `is:"number"` // counts the statements of the venue
	From   day.Day  `is:"day"`    // the first day of the statement
	To     day.Day  `is:"day"`    // the last day of the statement
	Due    day.Day  `is:"day"`    // the last day on which it is paid in time
	// What was done at the terminals of the venue: tickets sold, tickets given back, papers sold for money, prizes
	// paid, and stakes of void games paid back.
	SoldCents, BackCents, PapersCents, PrizesCents, RefundsCents money.Amount
	// What was done in the bingo rooms of the venue: fees taken, and fees paid back.
	FeesCents, FeesBackCents money.Amount
	// TakingsCents is what the venue holds for the operator. It is the venue's own money from now on, and the venue
	// owes it on its account.
	TakingsCents    money.Amount
	CommissionCents money.Amount // what the venue has earned by its agreement
	TaxCents        money.Amount // the tax on the commission, which the venue charges on top of it
	// FloorCents is what the venue makes up, because takings less commission and tax are less than the least payment.
	FloorCents money.Amount
	// OpeningCents is what the venue owed after the statement before, ReceivedCents what it has paid since, less what
	// banks have called back, and ClosingCents what it owes now; below zero the operator owes it.
	OpeningCents, ReceivedCents, ClosingCents money.Amount
}

func (v *VenueStated) check() error {
	if v.To < v.From || v.Due < v.To {
		return fmt.Errorf("a statement from %v to %v that is due on %v", v.From, v.To, v.Due)
	}
	if v.ClosingCents != v.OpeningCents-v.ReceivedCents+v.Adds() {
		return fmt.Errorf("a statement that closes with %v", v.ClosingCents)
	}
	return nil
}

// Adds returns what a statement adds to what the venue owes.
func (v *VenueStated) Adds() money.Amount {
	return v.TakingsCents - v.CommissionCents - v.TaxCents + v.FloorCents
}

// CreditorNamed says to whom direct debits are paid from now on. Two persons have agreed to it.
type CreditorNamed struct {
	_        struct{} `cbor:",toarray"`
	Name     string   `is:"name" most:"70"`     // the name of the operator as the bank has it
	Account  string   `is:"account" most:"34"`  // the account of the operator
	Creditor string   `is:"creditor" most:"35"` // the identifier that the bank has given
	Scheme   string   `most:"4"`                // of SEPA, such as CORE or B2B; empty for another
	By       uint32   `is:"person"`
}

func (*CreditorNamed) check() error { return nil }

// DebitsOrdered is a file of direct debits for the bank of the operator. It holds all that the file says, so that
// the file can be written again. Two persons have agreed to it.
type DebitsOrdered struct {
	_        struct{} `cbor:",toarray"`
	File     uint32   `is:"number"`             // counts the files
	Collect  day.Day  `is:"day"`                // on which the bank collects
	Name     string   `is:"name" most:"70"`     // the name of the operator as the bank has it
	Account  string   `is:"account" most:"34"`  // the account of the operator
	Creditor string   `is:"creditor" most:"35"` // the identifier that the bank has given
	Scheme   string   `most:"4"`                // of SEPA, such as CORE or B2B; empty for another
	Currency string   `is:"currency" most:"3"`  // of the amounts, such as EUR
	Debits   []Debit  `is:"debits" most:"1024"` // by venue and statement
	By       uint32   `is:"person"`
	// House makes the ids of the file those of this house alone: eight digits of the hash of the key of the house. Files
	// that were ordered before there was this field have ids without it.
	House string `later:"true" most:"8"`
}

// MostDebits is how many debits a file has at most.
const MostDebits = 1024

// Debit collects what is left to pay of a statement.
type Debit struct {
	_         struct{} `cbor:",toarray"`
	Venue     uint32
	Statement uint32       // the number of the statement
	Cents     money.Amount `most:"amount"` // what is collected
	Name      string       `most:"200"`    // of the venue
	Mandate   string       `most:"35"`     // the reference of the mandate
	Account   string       `most:"34"`     // the account from which the bank collects
	Signed    day.Day      // the day on which the mandate was signed
}

func (d *DebitsOrdered) check() error {
	if d.House != "" && (len(d.House) != houseDigits || strings.Trim(d.House, "0123456789ABCDEF") != "") {
		return fmt.Errorf("%q in the ids of a file of direct debits", d.House)
	}
	for i := range d.Debits {
		x := &d.Debits[i]
		if x.Venue == 0 || x.Statement == 0 || x.Cents <= 0 || x.Name == "" || x.Mandate == "" || x.Account == "" ||
			x.Signed == day.None {
			return fmt.Errorf("debit %d needs a venue, a statement, an amount and a mandate", i)
		}
		if i > 0 && !d.Debits[i-1].before(x) {
			return fmt.Errorf("debit %d is not after the one before it", i)
		}
		if id := EndToEnd(d.House, d.File, x.Venue, x.Statement); len(id) > mostID {
			return fmt.Errorf("the id %s has more than %d characters", id, mostID)
		}
	}
	return nil
}

func (d *Debit) before(other *Debit) bool {
	return d.Venue < other.Venue || d.Venue == other.Venue && d.Statement < other.Statement
}

// Banks take ids of messages and of payments of 35 characters at most (Max35Text of ISO 20022).
const mostID = 35

// houseDigits is how many digits of its hash stand for a house in the ids of its direct debits.
const houseDigits = 8

// BankMark returns what stands for a house in the ids of its direct debits, by the key of the house.
func BankMark(houseKey string) string {
	hash := sha256.Sum256([]byte(houseKey))
	return fmt.Sprintf("%X", hash[:houseDigits/2])
}

// DebitFileID returns the id of the message that is a file of direct debits, by which a bank names the file.
func DebitFileID(house string, file uint32) string { return fmt.Sprintf("DH%s-%d", house, file) }

// EndToEnd returns the id by which a bank answers about a debit of a file.
func EndToEnd(house string, file, venue, statement uint32) string {
	return fmt.Sprintf("%s-%d-%d", DebitFileID(house, file), venue, statement)
}

// DebitAnswered is the answer of the bank to a debit: it was paid, or it was returned, which may follow a payment.
// Two persons have agreed to the answer.
type DebitAnswered struct {
	_         struct{}     `cbor:",toarray"`
	File      uint32       `is:"number"` // the number of the file
	Venue     uint32       `is:"venue"`
	Statement uint32       `is:"statement"` // the number of the statement
	Paid      bool         // false: returned
	Cents     money.Amount `is:"amount" most:"amount"` // what was collected or returned
	Code      string       // why it was returned, as the bank says it
	By        uint32       `is:"person"`
	// Bank is the reference of the bank for what it booked or returned; empty where the bank gives none.
	Bank string `later:"true" most:"35" line:"true"`
}

func (d *DebitAnswered) check() error {
	if d.Cents < 0 || d.Paid && d.Code != "" {
		return errors.New("a debit that was paid has a positive amount and no reason of a return")
	}
	return nil
}

// DebitsWithdrawn takes a file of direct debits back: the bank collects none of those about which it has said nothing.
// Their statements are owed again as if the file had not been ordered. Two persons have agreed to it, or to an answer
// in which the bank rejects the whole file.
type DebitsWithdrawn struct {
	_      struct{} `cbor:",toarray"`
	File   uint32   `is:"number"` // the number of the file
	Reason string   `is:"reason"` // why the file is taken back, or the code of the bank
	By     uint32   `is:"person"`
}

func (*DebitsWithdrawn) check() error { return nil }

// VenuePaid says that the operator has paid a venue what it owed the venue on its account. Two persons say so.
type VenuePaid struct {
	_         struct{}     `cbor:",toarray"`
	Venue     uint32       `is:"venue"`
	Cents     money.Amount `is:"amount" most:"amount"` // what was paid
	Reference string       `is:"reference"`            // of the bank
	By        uint32       `is:"person"`
}

func (v *VenuePaid) check() error {
	if v.Cents < 0 {
		return fmt.Errorf("a payment of %v", v.Cents)
	}
	return nil
}

// VenuePaymentReversed takes back what an earlier record said of a payment that was not made so: of a venue to the
// operator, or of the operator to a venue. Two persons have agreed to it. What was in fact paid is recorded anew.
type VenuePaymentReversed struct {
	_         struct{}     `cbor:",toarray"`
	Of        Place        `is:"record"` // the record of the payment
	Venue     uint32       `is:"venue"`
	Cents     money.Amount `most:"amount"`  // of the payment; below zero where the operator had paid
	Reference string       `is:"reference"` // of the payment
	Reason    string       `is:"reason"`    // why it is taken back
	By        uint32       `is:"person"`
}

func (v *VenuePaymentReversed) check() error {
	if v.Cents == 0 {
		return errors.New("a payment that is taken back needs an amount")
	}
	return nil
}
