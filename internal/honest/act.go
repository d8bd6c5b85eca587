package honest

import (
	"fmt"
	"time"

	"drawhouse/core/money"
)

// Form is what money looks like: when it comes in it is an origin, when it goes out it is
// a way of payment.
type Form string

// The forms of all four rulebooks.
const (
	Cash           Form = "cash"
	Chips          Form = "chips"
	Card           Form = "player card"
	Gift           Form = "gift voucher"
	Prepaid        Form = "prepaid voucher"
	OtherVoucher   Form = "other approved voucher"
	Receipt        Form = "change receipt" // Tasmania calls it an SST receipt
	CentralVoucher Form = "central site voucher"
	SiteCheque     Form = "site cheque voucher"
	Cheque         Form = "cheque"
	Transfer       Form = "electronic transfer"
	CasinoDollars  Form = "casino dollars"
	SlotDollars    Form = "slot dollars"
	// Withheld is what the end of a visit keeps for a ticket on which payment was stopped
	// since. It waits for its holder like a receipt.
	Withheld Form = "withheld money"
	// Unpaid is what the player of a visit did not pay before leaving.
	Unpaid Form = "unpaid"
	// Winning is the tender of a winning ticket, in place of collecting its prize.
	Winning Form = "winning ticket"
	// Prize is only an origin: nobody hands a prize over the counter to pay with it.
	Prize Form = "prize"
	// Stake is only a way out: the money can buy an entry.
	Stake Form = "stake"
)

// bound reports whether money of this origin may never turn into cash.
func (f Form) bound() bool {
	switch f {
	case Gift, Prepaid, OtherVoucher, CasinoDollars, SlotDollars:
		return true
	}
	return false
}

// voucher reports whether the form is a paper that only buys entries.
func (f Form) voucher() bool { return f == Gift || f == Prepaid || f == OtherVoucher }

// Desk is the kind of place where an act happens.
type Desk string

// The desks. The zero value is a writer.
const (
	Writer       Desk = ""
	CasinoWriter Desk = "writer in a casino" // Tasmania has other ways of payment there
	SelfService  Desk = "self-service terminal"
	HeadOffice   Desk = "head office"
)

func (d Desk) String() string {
	if d == Writer {
		return "writer"
	}
	return string(d)
}

// Place is where an act happens.
type Place struct {
	Venue string
	Desk  Desk
}

// Shown is what was there when money went out: papers that were handed in, and persons who
// looked on.
type Shown uint

// What can be shown. The text names each of them for some payment.
const (
	ClaimForm Shown = 1 << iota
	PayeeNamed
	AccountNamed // of a transfer, by the payee
	ExclusionChecked
	Operative  // state-wide gaming operative
	Inspector  // government inspector
	Supervisor // gaming services supervisor
	Scrutineer
)

// Part is one form of money within a tender or a payment.
type Part struct {
	Form Form
	// Paper names the voucher, the receipt, the card or the winning ticket. What is
	// issued by a payment gets its name here too.
	Paper  string
	Amount money.Amount
	// Replaces names the voucher that this new one stands for, and Expires is its last
	// day as printed. They are for replacement vouchers only.
	Replaces string
	Expires  Date
	// Plays is the type of game that a new voucher is for.
	Plays Bet
	// More says that the paper was begun by the part before, with other money.
	More bool
	// Of is the ticket for which money is withheld.
	Of string
}

// AnyVoucher as what a part replaces stands for a voucher that is not named: one of its
// form whose money is in the pot.
const AnyVoucher = "any voucher"

// GamePrize is what a payment pays for one game.
type GamePrize struct {
	Game   int
	Amount money.Amount
}

// Kind is what happened.
type Kind string

// The acts.
const (
	Venue   Kind = "venue" // the house states the limits of a venue
	Open    Kind = "open"  // a visit begins
	End     Kind = "end"   // a visit ends, In and Out settle it
	Sell    Kind = "sell"
	Cancel  Kind = "cancel"
	Close   Kind = "close" // no more entries; nothing drawn yet
	Draw    Kind = "draw"  // the first number is drawn
	Void    Kind = "void"
	Refund  Kind = "refund"  // the stakes of void games go back
	Carry   Kind = "carry"   // the stake of a void game goes to the game To
	RunOn   Kind = "run on"  // the prize of Game is the stake of To
	Win     Kind = "win"     // the house says what a game won
	Correct Kind = "correct" // the result of Game was another, and the ticket has won Amount
	// Record says that the wins of Game are recorded anew, because a result was corrected.
	Record Kind = "record"
	Pay    Kind = "pay"
	// Bonus is a prize that falls at random on a ticket which is presented, or falls not: then it has no Amount.
	Bonus   Kind = "bonus"
	Issue   Kind = "issue"
	Redeem  Kind = "redeem" // a paper is turned into other money
	Deposit Kind = "deposit"
	// Withdraw takes money out of a card.
	Withdraw    Kind = "withdraw"
	Lodge       Kind = "lodge" // a claim
	Decide      Kind = "decide"
	PayClaim    Kind = "pay claim"
	Stop        Kind = "stop" // frozen or disqualified
	Release     Kind = "release"
	PayLate     Kind = "pay late" // what visits left unpaid that have sold Things
	Forfeit     Kind = "forfeit"
	Undelivered Kind = "undelivered"
	Reprint     Kind = "reprint"
	DayEnd      Kind = "day end"
	Expire      Kind = "expire" // the house gives the money up to a fund
	// The acts of bingo.
	Fee        Kind = "fee"
	Announce   Kind = "announce" // the prize of a game
	Seed       Kind = "seed"     // money that a jackpot has from elsewhere
	Abandon    Kind = "abandon"  // the session cannot be completed
	Invalidate Kind = "invalidate"
	CloseEarly Kind = "close early"
	VoidFee    Kind = "void fee"
	Promotion  Kind = "promotion"
)

// Act is one thing that the house accepted. Most fields are for some kinds only.
type Act struct {
	Kind Kind
	Day  Date // the keno day; the zero value is the day of the act before
	At   Place
	// Session names the visit that the act is part of; without one it stands alone.
	Session string
	Ticket  string // a receipt ticket or a bingo book
	Games   []int
	Game    int
	To      int
	Stake   money.Amount // per game
	Ways    int          // combinations or ways of one entry; 0 is a plain entry
	Bet     Bet
	// Plays are the types of game that an entry is of, or the one that a paper is for. Without
	// one it is the plain game.
	Plays  []Bet
	Amount money.Amount
	// Way is the largest prize of one single way; without it the prize is one way.
	Way     money.Amount
	In, Out []Part
	// Prizes says for which games a payment is, where the house says so.
	Prizes  []GamePrize
	Paper   string // voucher, receipt or card
	Things  []string
	Form    Form // what kind of paper is issued
	Free    bool // nobody paid for the voucher
	Set     bool // of an entry: it is a set bet
	Expires Date
	Claim   string
	Lost    bool // the claim is for a lost paper, not for one that cannot be read
	// Original says that the ticket or paper comes with the claim.
	Original bool
	Grant    bool
	Shown    Shown
	NewID    string // of a reprint
	Round    string // a bingo session
	Jackpot  bool
	Partial  bool // of a fee: what goes back may be a part of it
	Notice   int  // minutes
	LastRun  bool // no further game is possible on this day

	// Limit is the most cash of a venue; Least and Most bound the stake where the text
	// leaves them to the operator. Zero is no limit.
	Limit, Least, Most money.Amount
}

// Bet is the kind of an entry where the text gives it limits of its own.
type Bet string

// The kinds of entries.
const (
	Plain        Bet = ""
	HeadsOrTails Bet = "heads or tails"
	// AnyGame is what a paper is for that names no type of game.
	AnyGame Bet = "any game"
)

// Date is a keno day.
type Date struct{ Year, Month, Day int }

func (d Date) isZero() bool   { return d == Date{} }
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// After reports whether d is later than e.
func (d Date) After(e Date) bool {
	if d.Year != e.Year {
		return d.Year > e.Year
	}
	if d.Month != e.Month {
		return d.Month > e.Month
	}
	return d.Day > e.Day
}

// AddDays returns the date n days later.
func (d Date) AddDays(n int) Date {
	t := time.Date(d.Year, time.Month(d.Month), d.Day+n, 0, 0, 0, 0, time.UTC)
	return Date{t.Year(), int(t.Month()), t.Day()}
}

// AddMonths returns the same day n months later, or the last day of a month that is too
// short for it: a period of months never runs into a further month.
func (d Date) AddMonths(n int) Date {
	first := time.Date(d.Year, time.Month(d.Month+n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return Date{first.Year(), int(first.Month()), min(d.Day, last)}
}

// total adds the parts up.
func total(parts []Part) money.Amount {
	var sum money.Amount
	for _, p := range parts {
		sum += p.Amount
	}
	return sum
}

// totalOf adds up the parts of the given forms.
func totalOf(parts []Part, forms ...Form) money.Amount {
	var sum money.Amount
	for _, p := range parts {
		for _, f := range forms {
			if p.Form == f {
				sum += p.Amount
			}
		}
	}
	return sum
}
