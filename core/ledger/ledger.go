// Package ledger is double entry for the house: a chart of accounts, postings
// that balance, and the balances that they add up to.
//
// Every record of the journal carries its postings, so the money of the house
// is never computed from anything else. A posting is a signed number of cents:
// a debit is positive, a credit negative, and the postings of one record add up
// to zero (Check). TestTrialBalanceIsAlwaysZero proves that balanced records
// keep the trial balance at zero.
//
// The package follows vic-keno-2015 2(a).prize-fund, tas-keno-2023 1.50 in that
// the players' part of receipts has an account of its own.
package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/money"
)

// Account is one line of the chart. Numbers are written into the journal and
// never change their meaning; a new account takes a new number.
type Account uint8

// The chart of accounts.
const (
	// Cash is money in the tills of a venue, by venue.
	Cash Account = 1
	// Unplayed is what players paid for games that have not closed: it is
	// theirs until then, for it can still be refunded.
	Unplayed Account = 2
	// PrizeFund is the players' part of the stakes of closed games, less the
	// prizes that were won.
	PrizeFund Account = 3
	// Prizes is what was won and not yet paid.
	Prizes Account = 4
	// Retained is the operator's part of the stakes of closed games.
	Retained Account = 5
	// Breakage is what rounding down kept back from prizes. It stays with the
	// players: it is shown apart from PrizeFund so that it can be seen.
	Breakage Account = 6
	// JackpotPrimary is what the next winner of a jackpot takes, by pool, and
	// JackpotSecondary what opens the one after it. Fractions of a cent that pools
	// carry are in the prize fund until they make a whole one.
	JackpotPrimary   Account = 7
	JackpotSecondary Account = 8
	// JackpotWaiting is players' money of a closed system that is added to a jackpot
	// in lots, and JackpotAside what is set aside for prizes of a jackpot, by pool.
	JackpotWaiting Account = 9
	JackpotAside   Account = 10
	// Operator is the operator's own money: seeds that were lent to jackpots, values to
	// which a pool returns, what a hall owes beyond its funds, and papers given away.
	Operator Account = 11
	// Jurisdictions is what others who share a jackpot are owed, or owe.
	Jurisdictions Account = 12
	// BonusPool is what has been put aside for bonus prizes and not yet offered.
	BonusPool Account = 13
	// Promotions is what promotions offer and nobody has won yet, by promotion.
	Promotions Account = 14
	// Refunds is what goes back to holders of tickets for void games.
	Refunds Account = 15
	// EntryFees is what players paid for sessions of bingo that have not begun, and
	// HallJackpot is each level of a hall's jackpot, by Pool of hall and level.
	// Fractions of a cent that levels carry are in Retained until they make a whole one.
	EntryFees   Account = 16
	HallJackpot Account = 17
	// HallPrizes is what was won at bingo and not yet paid, and HallRefunds what goes
	// back to players of bingo.
	HallPrizes  Account = 18
	HallRefunds Account = 19
	// CasinoDollars and SlotDollars are prizes that were paid in those, and Bank is what
	// left by cheque and transfer.
	CasinoDollars Account = 20
	SlotDollars   Account = 21
	Bank          Account = 22
	// Customer is what the customer at a terminal owes, or is owed, while a session
	// lasts, by terminal. It is nothing when the session has ended.
	Customer Account = 23
	// Instruments is what papers and cards stand for, by kind.
	Instruments Account = 24
	// Chips are chips of the casino in the tills of a venue, and SiteCheques what venues
	// have drawn on themselves for winners, by venue.
	Chips       Account = 25
	SiteCheques Account = 26
	// VenueLosses is what venues owe for tickets that their customers did not pay, by
	// venue.
	VenueLosses Account = 27
	// Treasurer and Crown are what is owed to them: unclaimed money, and prizes of
	// people who may not have them.
	Treasurer Account = 28
	Crown     Account = 29
	// Forfeited is the money of papers that have lapsed to the operator.
	Forfeited Account = 30
	// Safe is cash in the safe of a venue, by venue, and OverShort what counts of its
	// tills found too much or too little.
	Safe      Account = 31
	OverShort Account = 32
	// Unclaimed is prizes that left the system because nobody fetched them in time, and
	// are paid on a claim form, and ApprovedPurposes those that are lost to the players.
	Unclaimed        Account = 33
	ApprovedPurposes Account = 34
	// Overpaid is what the operator has lost by results that were corrected: prizes that
	// were paid and not won, and what jackpots lacked that others had won since.
	Overpaid Account = 35
	// Withheld is what tickets had brought into customer sessions and was not handed out at
	// their end, because payment on the ticket was stopped meanwhile. It is owed to the
	// holders of these tickets.
	Withheld Account = 36
	// OtherSystems is what is owed on open tickets of other systems, which were taken in with
	// the money for them and are paid on a claim form.
	OtherSystems Account = 37
	// Tax is what is owed to the State by the law that taxes the games, month by month.
	Tax Account = 38
	// VenueAccount is what a venue owes by its statements, less what it has paid, by venue. VenueFunds is the part of
	// the cash in the tills and the safe of a venue that is the venue's own, by venue: what it brought, and what its
	// statements have put on its account. Commission is what venues have earned by their agreements, by venue.
	VenueAccount Account = 39
	VenueFunds   Account = 40
	Commission   Account = 41
	// CommissionTax is the tax on commission that venues have charged by their statements, by venue: the tax office sets
	// it off. Guarantees is what venues have made up where a statement came to less than the least payment, by venue.
	CommissionTax Account = 42
	Guarantees    Account = 43
)

// kept says for what the balances of an account are kept apart.
type kept uint8

const (
	whole       kept = iota // the account has one balance
	byVenue                 // its unit is the number of a venue
	byPool                  // its unit is a Pool
	byLevel                 // its unit is a Pool of a bingo room and a level of its jackpot
	byPromotion             // its unit is the number of a promotion
	byTerminal              // its unit is the number of a terminal
	byKind                  // its unit is that of Paper
)

// Pool returns the unit of the jackpot of one number of spots in a series.
func Pool(series, spots uint8) uint32 { return uint32(series)<<8 | uint32(spots) }

// papers are the kinds of papers and cards, as rulebooks name them, in the order of
// their units from 1 on. A new kind is added at the end.
var papers = []string{
	"change_receipt", "gift_voucher", "prepaid_voucher", "player_card", "sst_receipt", "central_voucher",
	"approved_voucher",
}

// Paper returns the unit of a kind of paper or card, and whether there is one.
func Paper(id string) (uint32, bool) {
	i := slices.Index(papers, id)
	return uint32(i + 1), i >= 0
}

// UnitName returns for what one balance of an account is kept, in words; empty for an
// account that has one balance.
func (a Account) UnitName(unit uint32) string {
	if !a.IsValid() {
		return fmt.Sprint(unit)
	}
	kept := chart[a-1].kept
	if kept == byKind && unit >= 1 && int(unit) <= len(papers) {
		return papers[unit-1]
	}
	switch words := unitWords[kept]; strings.Count(words, "%d") {
	case 1:
		return fmt.Sprintf(words, unit)
	case 2:
		return fmt.Sprintf(words, unit>>8, unit&0xff)
	}
	return ""
}

// unitWords are the words for the units of accounts, with a place for the number or for the two numbers of a pool.
var unitWords = map[kept]string{
	byVenue: "venue %d", byPool: "series %d, %d spots", byLevel: "bingo room %d, level %d",
	byPromotion: "promotion %d", byTerminal: "terminal %d", byKind: "kind %d",
}

// example is a unit that is named where another one was meant.
var example = map[kept]uint32{byVenue: 7, byPool: Pool(1, 9), byLevel: Pool(1, 2), byPromotion: 7, byTerminal: 7,
	byKind: 2}

// ParseUnit reads the unit of an account in the words of UnitName, such as "venue 7".
func (a Account) ParseUnit(words string) (uint32, error) {
	if !a.HasUnits() {
		return 0, fmt.Errorf("ledger: %v is not kept apart for anything", a)
	}
	kept := chart[a-1].kept
	form := unitWords[kept]
	var unit uint32
	var err error
	if strings.Count(form, "%d") == 2 {
		var high, low uint8
		_, err = fmt.Sscanf(words, form, &high, &low)
		unit = Pool(high, low)
	} else {
		_, err = fmt.Sscanf(words, form, &unit)
	}
	if kept == byKind {
		if paper, ok := Paper(words); ok {
			return paper, nil
		}
	}
	if err != nil || unit == 0 || a.UnitName(unit) != words {
		return 0, fmt.Errorf("ledger: %v is not kept apart for %q, but for what is written as %q", a, words,
			a.UnitName(example[kept]))
	}
	return unit, nil
}

// chart describes every account once; Accounts and the checks read it. A new account takes a class, and a code of its
// own in the thousands of that class (TestClasses).
var chart = []struct {
	account Account
	name    string
	kept    kept
	class   Class
	code    string
}{
	{Cash, "cash", byVenue, Asset, "1000"},
	{Unplayed, "unplayed", whole, Liability, "2000"},
	{PrizeFund, "prize_fund", whole, Liability, "2100"},
	{Prizes, "prizes", whole, Liability, "2400"},
	{Retained, "retained", whole, Income, "4000"},
	{Breakage, "breakage", whole, Liability, "2110"},
	{JackpotPrimary, "jackpot_primary", byPool, Liability, "2200"},
	{JackpotSecondary, "jackpot_secondary", byPool, Liability, "2210"},
	{JackpotWaiting, "jackpot_waiting", byPool, Liability, "2220"},
	{JackpotAside, "jackpot_aside", byPool, Liability, "2230"},
	{Operator, "operator", whole, Expense, "5000"},
	{Jurisdictions, "jurisdictions", whole, Liability, "2700"},
	{BonusPool, "bonus_pool", whole, Liability, "2300"},
	{Promotions, "promotions", byPromotion, Liability, "2310"},
	{Refunds, "refunds", whole, Liability, "2430"},
	{EntryFees, "entry_fees", whole, Liability, "2010"},
	{HallJackpot, "hall_jackpot", byLevel, Liability, "2240"},
	{HallPrizes, "hall_prizes", whole, Liability, "2410"},
	{HallRefunds, "hall_refunds", whole, Liability, "2440"},
	{CasinoDollars, "casino_dollars", whole, Liability, "2610"},
	{SlotDollars, "slot_dollars", whole, Liability, "2620"},
	{Bank, "bank", whole, Asset, "1020"},
	{Customer, "customer", byTerminal, Asset, "1110"},
	{Instruments, "instruments", byKind, Liability, "2500"},
	{Chips, "chips", byVenue, Asset, "1030"},
	{SiteCheques, "site_cheques", byVenue, Liability, "2600"},
	{VenueLosses, "venue_losses", byVenue, Asset, "1100"},
	{Treasurer, "treasurer", whole, Liability, "2800"},
	{Crown, "crown", whole, Liability, "2810"},
	{Forfeited, "forfeited", whole, Income, "4100"},
	{Safe, "safe", byVenue, Asset, "1010"},
	{OverShort, "over_short", byVenue, Expense, "5200"},
	{Unclaimed, "unclaimed", whole, Liability, "2450"},
	{ApprovedPurposes, "approved_purposes", whole, Liability, "2460"},
	{Overpaid, "overpaid", whole, Expense, "5100"},
	{Withheld, "withheld", whole, Liability, "2420"},
	{OtherSystems, "other_systems", whole, Liability, "2470"},
	{Tax, "tax", whole, Liability, "2820"},
	{VenueAccount, "venue_account", byVenue, Asset, "1120"},
	{VenueFunds, "venue_funds", byVenue, Liability, "2630"},
	{Commission, "commission", byVenue, Expense, "5300"},
	{CommissionTax, "commission_tax", byVenue, Asset, "1130"},
	{Guarantees, "guarantees", byVenue, Income, "4200"},
}

// Accounts returns the chart in its order.
func Accounts() []Account {
	all := make([]Account, len(chart))
	for i, line := range chart {
		all[i] = line.account
	}
	return all
}

// String returns the account's name.
func (a Account) String() string {
	if int(a) >= 1 && int(a) <= len(chart) {
		return chart[a-1].name
	}
	return fmt.Sprintf("account %d", uint8(a))
}

// IsValid reports whether the account is in the chart.
func (a Account) IsValid() bool { return a >= 1 && int(a) <= len(chart) }

// HasUnits reports whether the account is kept for each venue, pool, terminal or the like.
func (a Account) HasUnits() bool { return a.IsValid() && chart[a-1].kept != whole }

// Posting moves cents on one account. Unit is the venue, pool, promotion, terminal or
// kind of paper on an account that is kept by them, and zero elsewhere. It is
// encoded as an array of three.
type Posting struct {
	_       struct{} `cbor:",toarray"`
	Account Account
	Unit    uint32
	Cents   money.Amount
}

// Debit returns a posting that adds to an asset or takes from what is owed.
func Debit(a Account, unit uint32, cents money.Amount) Posting {
	return Posting{Account: a, Unit: unit, Cents: cents}
}

// Credit returns a posting that takes from an asset or adds to what is owed.
func Credit(a Account, unit uint32, cents money.Amount) Posting {
	return Posting{Account: a, Unit: unit, Cents: -cents}
}

// ErrUnbalanced reports postings whose debits and credits differ.
var ErrUnbalanced = errors.New("ledger: debits and credits differ")

// Check reports what is wrong with the postings of one record, if anything.
func Check(postings []Posting) error {
	var sum money.Amount
	for i, p := range postings {
		if !p.Account.IsValid() {
			return fmt.Errorf("ledger: posting %d: %v is not in the chart", i, p.Account)
		}
		if p.Account.HasUnits() != (p.Unit != 0) {
			return fmt.Errorf("ledger: posting %d: %v with unit %d", i, p.Account, p.Unit)
		}
		if p.Cents == 0 {
			return fmt.Errorf("ledger: posting %d: %v moves nothing", i, p.Account)
		}
		var err error
		if sum, err = sum.Add(p.Cents); err != nil {
			return fmt.Errorf("ledger: posting %d: %w", i, err)
		}
	}
	if sum != 0 {
		return fmt.Errorf("%w by %v", ErrUnbalanced, sum)
	}
	return nil
}

// Merge adds up postings on the same account and unit, drops what moves nothing, and
// orders them by the chart: records that do the same to the books say so in the
// same way.
func Merge(postings ...Posting) []Posting {
	var merged []Posting
	for _, p := range postings {
		i, ok := slices.BinarySearchFunc(merged, p, func(a, b Posting) int {
			return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Unit, b.Unit))
		})
		if ok {
			if sum, err := merged[i].Cents.Add(p.Cents); err == nil {
				merged[i].Cents = sum
				continue
			}
		}
		// Two that do not add up to an amount stay apart, and Check refuses them.
		merged = slices.Insert(merged, i, p)
	}
	return slices.DeleteFunc(merged, func(p Posting) bool { return p.Cents == 0 })
}

// Balances are the sums of postings by account and unit. The zero value is
// empty and ready.
type Balances struct {
	sums map[key]money.Amount
}

type key struct {
	account Account
	unit    uint32
}

// Add applies the postings of one record, all or none.
func (b *Balances) Add(postings []Posting) error {
	if err := Check(postings); err != nil {
		return err
	}
	if b.sums == nil {
		b.sums = make(map[key]money.Amount)
	}
	for i, p := range postings {
		k := key{p.Account, p.Unit}
		sum, err := b.sums[k].Add(p.Cents)
		if err != nil {
			b.undo(postings[:i])
			return fmt.Errorf("ledger: balance of %v: %w", p.Account, err)
		}
		b.sums[k] = sum
	}
	return nil
}

// CheckRoom returns an error if the postings of one record would carry a balance further
// from zero than most. A balance that is further already, in a house from before the
// bound, may come back.
func (b *Balances) CheckRoom(postings []Posting, most money.Amount) error {
	if b.hasPlenty(postings, most) {
		return nil
	}
	for _, p := range Merge(postings...) {
		before := b.sums[key{p.Account, p.Unit}]
		after, err := before.Add(p.Cents)
		if err == nil && (p.Cents > 0) == (after > 0) {
			err = money.CheckWithin(after, most)
		}
		if err != nil {
			return fmt.Errorf("ledger: balance of %v: %w", p.Account, err)
		}
	}
	return nil
}

// hasPlenty reports whether all that the postings move could move any of their accounts and
// leave it within the bound, as nearly always.
func (b *Balances) hasPlenty(postings []Posting, most money.Amount) bool {
	var moved money.Amount
	for _, p := range postings {
		if p.Cents > most || p.Cents < -most {
			return false
		}
		sum, err := moved.Add(max(p.Cents, -p.Cents))
		if err != nil {
			return false
		}
		moved = sum
	}
	for _, p := range postings {
		if sum := b.sums[key{p.Account, p.Unit}]; sum > most-moved || sum < moved-most {
			return false
		}
	}
	return true
}

// undo takes back postings that Add applied; they fitted, so their negation does.
func (b *Balances) undo(postings []Posting) {
	for _, p := range postings {
		b.sums[key{p.Account, p.Unit}] -= p.Cents
	}
}

// Of returns the balance of an account over all its units: positive when debits
// prevail.
func (b *Balances) Of(a Account) money.Amount {
	var sum money.Amount
	for k, cents := range b.sums {
		if k.account == a {
			sum += cents
		}
	}
	return sum
}

// OfUnit returns the balance of one unit of an account.
func (b *Balances) OfUnit(a Account, unit uint32) money.Amount { return b.sums[key{a, unit}] }

// Line is one balance.
type Line struct {
	Account Account
	Unit    uint32
	Cents   money.Amount
}

// Lines returns every balance that is not zero, by account and unit.
func (b *Balances) Lines() []Line {
	var lines []Line
	for k, cents := range b.sums {
		if cents != 0 {
			lines = append(lines, Line{k.account, k.unit, cents})
		}
	}
	slices.SortFunc(lines, func(x, y Line) int {
		return cmp.Or(cmp.Compare(x.Account, y.Account), cmp.Compare(x.Unit, y.Unit))
	})
	return lines
}

// Trial returns the sum of all balances, which is zero.
func (b *Balances) Trial() money.Amount {
	var sum money.Amount
	for _, cents := range b.sums {
		sum += cents
	}
	return sum
}
