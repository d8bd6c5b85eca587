package books

import (
	"cmp"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Reconciled is one part of a jackpot over some days, as amounts that players have: what
// it opened with and what came in, less what was won, is what it closes with.
type Reconciled struct {
	Account ledger.Account // primary, secondary, waiting or set aside, or a level of a bingo room
	Unit    uint32         // the jackpot
	Opening money.Amount
	Stakes  money.Amount // from stakes of games and fees of bingo, less what went back for void ones
	Won     money.Amount
	Moved   money.Amount // opened with, lent, set aside, given or brought from another system
	Closing money.Amount
}

// pools are the accounts of jackpots.
var pools = []ledger.Account{ledger.JackpotPrimary, ledger.JackpotSecondary, ledger.JackpotWaiting, ledger.JackpotAside}

// Reconcile returns what went into each jackpot over some days and came out of it, from
// the postings of the records and not from what these say of the pools.
//
//rule:tas-keno-2023 7.7(a)
func Reconcile(days []*Book) []Reconciled {
	at := map[unit]*Reconciled{}
	for _, b := range days {
		for _, a := range b.Merged() {
			if !slices.Contains(pools, a.Account) && a.Account != ledger.HallJackpot {
				continue
			}
			u := unit{account: a.Account, unit: a.Unit}
			if at[u] == nil {
				at[u] = &Reconciled{Account: a.Account, Unit: a.Unit, Opening: -a.Opening}
			}
			at[u].add(&a)
		}
	}
	list := make([]Reconciled, 0, len(at))
	for _, r := range at {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Reconciled) int {
		bingo := func(r Reconciled) int { return max(0, cmp.Compare(r.Account, ledger.JackpotAside)) }
		return cmp.Or(bingo(a)-bingo(b), cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Account, b.Account))
	})
	return list
}

// add adds what a day did to the pool.
func (r *Reconciled) add(a *Balance) {
	r.Stakes -= a.flow(record.KindGameClosed, record.KindGameVoided, record.KindIssueClosed, record.KindFeesRefunded,
		record.KindBingoVoided)
	r.Won += a.flow(record.KindGameSettled, record.KindBingoSettled, record.KindOutcomeInvalidated)
	r.Closing = -a.Closing()
	r.Moved = r.Closing - r.Opening - r.Stakes + r.Won
}
