package books

import (
	"fmt"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Ties returns what in a book does not tie: figures that are worked out on two ways and differ. A book of a house
// whose records are sound has no such fault. Books of the first form leave vouchers and bingo out of the cash of
// terminals, so that their cash is not compared.
func (b *Book) Ties() (faults []string) {
	check := func(what string, is, due money.Amount) {
		if is != due {
			faults = append(faults, fmt.Sprintf("%s: %v, and %v is due", what, is, due))
		}
	}
	b.tieAccounts(check)
	b.tieVenues(check)
	if b.Form != formOne {
		b.tieGames(check)
	}
	if b.Form != formOne && b.Closes() {
		b.tieCash(check)
		b.tieSafes(check)
		b.tieCounters(check)
		b.tieRooms(check)
	}
	slices.Sort(faults)
	return faults
}

// Follows returns the accounts of a book that do not go on where those of the book before it ended, for two books that
// close days of the house one after the other. There need be no book before it.
func (b *Book) Follows(before *Book) (faults []string) {
	closed := map[unit]money.Amount{}
	if before != nil {
		for i := range before.Accounts {
			l := &before.Accounts[i]
			closed[unit{l.Series, l.Account, l.Unit}] = l.Closing()
		}
	}
	for i := range b.Accounts {
		l := &b.Accounts[i]
		u := unit{l.Series, l.Account, l.Unit}
		if l.Opening != closed[u] {
			faults = append(faults, fmt.Sprintf("%s opens with %v, and had %v", l.name(), l.Opening, closed[u]))
		}
		delete(closed, u)
	}
	for u, left := range closed {
		if left != 0 {
			l := Balance{Series: u.series, Account: u.account, Unit: u.unit}
			faults = append(faults, fmt.Sprintf("%s had %v, and is gone", l.name(), left))
		}
	}
	slices.Sort(faults)
	return faults
}

// tieAccounts: each account is moved by what records of each kind did to it, and all balances of the house come to
// nothing.
func (b *Book) tieAccounts(check func(string, money.Amount, money.Amount)) {
	var opening, closing money.Amount
	for i := range b.Accounts {
		l := &b.Accounts[i]
		var debits, credits money.Amount
		for _, f := range l.Flows {
			debits, credits = debits+f.Debits, credits+f.Credits
		}
		check("debits of "+l.name(), l.Debits, debits)
		check("credits of "+l.name(), l.Credits, credits)
		opening, closing = opening+l.Opening, closing+l.Closing()
	}
	if b.Closes() {
		check("opening balances together", opening, 0)
		check("closing balances together", closing, 0)
	}
}

// name names an account for people.
func (b *Balance) name() string {
	name := b.Account.String()
	if unit := b.Account.UnitName(b.Unit); unit != "" {
		name += " of " + unit
	}
	if b.Series != theHouse {
		name += fmt.Sprintf(" by series %d", b.Series)
	}
	return name
}

// tieVenues: what was done at a venue is what was done at its terminals.
func (b *Book) tieVenues(check func(string, money.Amount, money.Amount)) {
	at := map[spot]*Tally{}
	for i := range b.Terminals {
		t := &b.Terminals[i]
		tallyOf(at, spotOf(t.Venue, t.Series)).Add(&t.Tally)
	}
	for i := range b.Venues {
		v := &b.Venues[i]
		due := tallyOf(at, spotOf(v.Venue, v.Series))
		check(fmt.Sprintf("sold at venue %d", v.Venue), v.Tally.Sold, due.Sold)
		check(fmt.Sprintf("paid at venue %d", v.Venue), v.Tally.Paid, due.Paid)
		check(fmt.Sprintf("cash at venue %d", v.Venue), v.Tally.Cash, due.Cash)
	}
}

// tieCash: the cash of a venue is moved by its terminals and its bingo rooms, by moves from and to its safe, and by
// counts.
func (b *Book) tieCash(check func(string, money.Amount, money.Amount)) {
	moved := map[uint32]money.Amount{}
	for _, l := range b.Accounts {
		if l.Account == ledger.Cash {
			moved[l.Unit] += l.Debits - l.Credits - l.flow(record.KindBankMoved, record.KindBankCounted)
		}
	}
	due := map[uint32]money.Amount{}
	for i := range b.Terminals {
		due[b.Terminals[i].Venue] += b.Terminals[i].Tally.Cash
	}
	for i := range b.Rooms {
		due[b.Rooms[i].Venue] += b.Rooms[i].Cash
	}
	for venue, cash := range moved {
		check(fmt.Sprintf("cash that came into the tills of venue %d", venue), due[venue], cash)
		delete(due, venue)
	}
	for venue, cash := range due {
		check(fmt.Sprintf("cash that came into the tills of venue %d", venue), cash, 0)
	}
}

// tieSafes: what tills had from a safe has left it, what was carried into a safe or out of it is money of the venue,
// and what venues banked for their accounts is what the bank of the operator got.
func (b *Book) tieSafes(check func(string, money.Amount, money.Amount)) {
	var banked money.Amount
	moved, carried := map[uint32]money.Amount{}, map[uint32]money.Amount{}
	for _, l := range b.Accounts {
		switch l.Account {
		case ledger.Cash:
			moved[l.Unit] += l.flow(record.KindBankMoved)
		case ledger.Safe:
			moved[l.Unit] += l.flow(record.KindBankMoved)
			carried[l.Unit] += l.flow(record.KindCashCarried)
		case ledger.VenueFunds:
			carried[l.Unit] += l.flow(record.KindCashCarried)
		case ledger.VenueAccount:
			banked -= l.flow(record.KindCashCarried)
		}
	}
	for venue, off := range moved {
		check(fmt.Sprintf("cash moved between the safe of venue %d and its tills", venue), off, 0)
	}
	for venue, off := range carried {
		check(fmt.Sprintf("cash carried into the safe of venue %d, less what it is owed for", venue), off, 0)
	}
	check("cash that venues banked", b.flow(ledger.Bank, record.KindCashCarried), banked)
}

// tieCounters: what a terminal sold, less what it paid, is what came in, or is on the account of its customer.
func (b *Book) tieCounters(check func(string, money.Amount, money.Amount)) {
	done := map[uint32]*Tally{}
	for i := range b.Terminals {
		tallyOf(done, b.Terminals[i].Terminal).Add(&b.Terminals[i].Tally)
	}
	for terminal, t := range done {
		customer := b.Unit(ledger.Customer, terminal)
		check(fmt.Sprintf("what came in at terminal %d", terminal), t.Cash+t.Other+customer.Debits-customer.Credits,
			t.Sold+t.Papers-t.Paid-t.GivenBack-t.Bonuses)
	}
}

// tieRooms: fees, prizes and payments of bingo rooms are what moved their accounts.
func (b *Book) tieRooms(check func(string, money.Amount, money.Amount)) {
	var all Room
	for i := range b.Rooms {
		m := &b.Rooms[i]
		all.Fees, all.Back, all.Paid, all.Won = all.Fees+m.Fees, all.Back+m.Back, all.Paid+m.Paid, all.Won+m.Won
	}
	check("fees of bingo", all.Fees, -b.flow(ledger.EntryFees, record.KindPlayerEntered))
	back := b.Account(ledger.HallRefunds)
	check("fees of bingo that were paid back", all.Back, back.Debits+b.flow(ledger.EntryFees, record.KindEntryUndone))
	offered := b.flow(ledger.Operator, record.KindOfferClaimed)
	paid := b.flow(ledger.HallPrizes, record.KindBingoPaid, record.KindDisputePaid)
	prizes := b.Account(ledger.HallPrizes)
	check("prizes of bingo that were paid", all.Paid, paid+offered)
	check("prizes of bingo", all.Won, paid-(prizes.Debits-prizes.Credits)+offered)
}

// tieGames: the stakes of the games of the day that count are what left the account of games ahead, less what came back
// for void games.
func (b *Book) tieGames(check func(string, money.Amount, money.Amount)) {
	var stakes money.Amount
	for i := range b.Games {
		stakes += b.Games[i].Staked()
	}
	check("stakes of games", stakes, b.Alone().Fund().Stakes)
}
