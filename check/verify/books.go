package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// postings are the movements that a record must have.
type postings []ledger.Posting

// books adds up the postings of all records. The balance of every account is
// kept apart from the house's own arithmetic.
type books struct {
	accounts map[bookKey]*account
	recent   [16]recentAccount // by the account's number, roughly
	trial    money.Amount      // of all accounts together
}

// An account has a balance, and what moved it since the last close of a day, in all and by
// kind of record. What sales moved is kept apart from the rest of the kinds: there are far
// more of them.
type account struct {
	balance, opening, debits, credits money.Amount
	bySales                           bookFlow
	byKind                            map[record.Kind]*bookFlow
	moved                             bool
}

// flow returns what records of a kind did to the account.
func (a *account) flow(kind record.Kind) *bookFlow {
	if kind == record.KindTicketSold {
		a.bySales.Kind = kind
		return &a.bySales
	}
	if a.byKind == nil {
		a.byKind = make(map[record.Kind]*bookFlow)
	}
	if a.byKind[kind] == nil {
		a.byKind[kind] = &bookFlow{Kind: kind}
	}
	return a.byKind[kind]
}

// flows returns what moved the account, by kind.
func (a *account) flows() []bookFlow {
	var list []bookFlow
	if a.bySales.Kind != 0 {
		list = append(list, a.bySales)
	}
	for _, f := range a.byKind {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(x, y bookFlow) int { return cmp.Compare(x.Kind, y.Kind) })
	return list
}

// move moves an account and reports whether it can.
func (a *account) move(kind record.Kind, cents money.Amount) error {
	balance, err := a.balance.Add(cents)
	if err != nil {
		return err
	}
	flow := a.flow(kind)
	moved, part := &a.debits, &flow.Debits
	if cents <= 0 {
		moved, part, cents = &a.credits, &flow.Credits, -cents
	}
	sum, err := moved.Add(cents)
	if err != nil {
		return err
	}
	*part += cents // It is no more than the sum.
	a.balance, *moved, a.moved = balance, sum, true
	return nil
}

// day returns what the accounts have come to since the last close, those that moved or
// have a balance, by account and unit.
func (b *books) day() []bookAccount {
	var list []bookAccount
	for _, k := range b.keys() {
		if a := b.accounts[k]; a.moved || a.balance != 0 {
			list = append(list, bookAccount{Account: k.account, Unit: k.unit, Opening: a.opening, Debits: a.debits,
				Credits: a.credits, Flows: a.flows()})
		}
	}
	return list
}

// nextDay opens the accounts anew.
func (b *books) nextDay() {
	for _, a := range b.accounts {
		*a = account{balance: a.balance, opening: a.balance}
	}
}

type bookKey struct {
	account ledger.Account
	unit    uint32
}

// maxPostings bounds what is compared with what: no record needs more.
const maxPostings = 128

// check compares the postings of a record with those that it must have: each
// account must move by exactly as much. How a movement is split does not matter.
func (b *books) check(got []ledger.Posting, want postings) error {
	if len(got) > maxPostings {
		return fmt.Errorf("it has %d postings, and none needs more than %d", len(got), maxPostings)
	}
	for _, list := range [2][]ledger.Posting{got, want} {
		for _, p := range list {
			moved, due := movement(got, p), movement(want, p)
			if moved != due {
				name := accountName(p.Account, p.Unit)
				return differs("posting to "+name, moved, due, "it moves %v on %s, and %v is right", moved, name, due)
			}
		}
	}
	return nil
}

// movement adds up what the postings do to the account of p. A record has a
// handful of postings, so two loops are the quickest way.
func movement(list []ledger.Posting, p ledger.Posting) money.Amount {
	var sum money.Amount
	for _, q := range list {
		if q.Account == p.Account && q.Unit == p.Unit {
			sum += q.Cents
		}
	}
	return sum
}

func accountName(account ledger.Account, unit uint32) string {
	if unit == 0 {
		return account.String()
	}
	return fmt.Sprintf("%v of %s", account, account.UnitName(unit))
}

// post applies the postings and checks that the trial balance is zero.
func (b *books) post(kind record.Kind, list []ledger.Posting) error {
	for _, p := range list {
		if err := b.account(p.Account, p.Unit).move(kind, p.Cents); err != nil {
			return fmt.Errorf("the balance of %s: %w", accountName(p.Account, p.Unit), err)
		}
		b.trial += p.Cents
	}
	if b.trial != 0 {
		return fmt.Errorf("debits and credits of all accounts differ by %v", b.trial)
	}
	return nil
}

// A recentAccount is one that moved lately and will move again: sale after sale is
// booked to the cash of a venue and to unplayed.
type recentAccount struct {
	key  bookKey
	kept *account
}

// account returns where the balance of an account is kept.
func (b *books) account(name ledger.Account, unit uint32) *account {
	key := bookKey{name, unit}
	recent := &b.recent[int(name)%len(b.recent)]
	if recent.key != key || recent.kept == nil {
		*recent = recentAccount{key, b.find(key)}
	}
	return recent.kept
}

func (b *books) find(key bookKey) *account {
	kept := b.accounts[key]
	if kept == nil {
		if b.accounts == nil {
			b.accounts = make(map[bookKey]*account)
		}
		kept = new(account)
		b.accounts[key] = kept
	}
	return kept
}

// of returns the balance of an account that is not kept by units.
func (b *books) of(account ledger.Account) money.Amount {
	if kept := b.accounts[bookKey{account, 0}]; kept != nil {
		return kept.balance
	}
	return 0
}

// keys returns the accounts in their order.
func (b *books) keys() []bookKey {
	return slices.SortedFunc(maps.Keys(b.accounts), func(x, y bookKey) int {
		return cmp.Or(cmp.Compare(x.account, y.account), cmp.Compare(x.unit, y.unit))
	})
}

// balances returns every balance, by account and venue.
func (b *books) balances() []Balance {
	keys := b.keys()
	list := make([]Balance, len(keys))
	for i, k := range keys {
		list[i] = Balance{Account: k.account.String(), For: k.account.UnitName(k.unit), Cents: b.accounts[k].balance}
		switch k.account {
		case ledger.Cash, ledger.Safe, ledger.Chips, ledger.SiteCheques, ledger.VenueLosses, ledger.OverShort:
			list[i].Venue = k.unit
		case ledger.JackpotPrimary, ledger.JackpotSecondary, ledger.JackpotWaiting, ledger.JackpotAside,
			ledger.HallJackpot:
			list[i].Series, list[i].Spots = uint8(k.unit>>8), uint8(k.unit)
		}
	}
	return list
}

// unit returns the balance of one unit of an account.
func (b *books) unit(account ledger.Account, unit uint32) money.Amount {
	if balance := b.accounts[bookKey{account, unit}]; balance != nil {
		return balance.balance
	}
	return 0
}
