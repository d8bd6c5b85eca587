package hall

import (
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// whole is all of something in hundredths of a percent.
const whole = int64(rulebook.Whole)

// contributions returns what fees bring to each level of the jackpot: all that is not
// the administration fee. Amounts are in parts of a cent and rounded down to such a
// part; the last level takes what is left, so that nothing is lost.
//
//rule:nsw-bingo-2019 3.3 3.3.1
func (r room) contributions(fees money.Amount) ([]record.Exact, error) {
	all, err := fees.Mul(whole - int64(r.rules.Session().Administration))
	if err != nil {
		return nil, err
	}
	parts, left := make([]record.Exact, len(r.Pools)), all
	for i := range parts[:len(parts)-1] {
		part, err := money.MulDiv(all, int64(r.Opened.Levels[i].Share), whole, money.Floor)
		if err != nil {
			return nil, err
		}
		parts[i] = record.Exact(part)
		left -= part
	}
	parts[len(parts)-1] = record.Exact(left)
	return parts, nil
}

// moved returns by how many whole cents a level changes.
func (r room) moved(level int, by record.Exact) money.Amount {
	return money.Amount((r.Pools[level-1]+by)/state.ExactPerCent) - r.PoolCents(level)
}

// contribute returns the postings of fees that go to the jackpot and the operator. The
// fractions of a cent that levels carry are with the operator until they make a
// whole one.
func (r room) contribute(fees money.Amount, parts []record.Exact) []ledger.Posting {
	postings := []ledger.Posting{ledger.Debit(ledger.EntryFees, 0, fees)}
	rest := fees
	for i, part := range parts {
		cents := r.moved(i+1, part)
		rest -= cents
		postings = append(postings, ledger.Credit(ledger.HallJackpot, r.Unit(i+1), cents))
	}
	return ledger.Merge(append(postings, ledger.Credit(ledger.Retained, 0, rest))...)
}

// takeBack returns what goes out of the jackpot when the fees of players go back, and the
// postings. Of each fee goes back what has not before. What the session brought is taken
// out as far as it is there and is not announced as a prize; the operator bears the rest,
// and gives back the administration fee. What of the fees went back before the operator
// bore, and has it back now; so it has what was forfeited.
//
//rule:nsw-bingo-2019 8.4.3 9.3.1
func (r room) takeBack(session *state.Session, players []*state.Player) ([]record.Exact, []ledger.Posting, error) {
	fees, err := session.Set.FeeCents.Mul(int64(len(players)))
	if err != nil {
		return nil, nil, err
	}
	var back money.Amount
	for _, p := range players {
		back += p.Back(p.Entered.FeeCents)
	}
	if session.Phase == state.SessionEntering {
		// No game was played, so nothing has gone back of these fees.
		return nil, []ledger.Posting{ledger.Debit(ledger.EntryFees, 0, fees),
			ledger.Credit(ledger.HallRefunds, 0, fees)}, nil
	}
	parts, err := r.contributions(fees)
	if err != nil {
		return nil, nil, err
	}
	administration, err := money.MulDiv(fees, int64(r.rules.Session().Administration), whole, money.Floor)
	if err != nil {
		return nil, nil, err
	}
	postings := []ledger.Posting{ledger.Credit(ledger.HallRefunds, 0, back),
		ledger.Debit(ledger.Retained, 0, administration)}
	rest := back - administration
	for i := range parts {
		parts[i] = max(0, min(parts[i], session.Contributed[i], r.Pools[i]-announced(session, i)))
		cents := -r.moved(i+1, -parts[i])
		rest -= cents
		postings = append(postings, ledger.Debit(ledger.HallJackpot, r.Unit(i+1), cents))
	}
	return parts, ledger.Merge(append(postings, ledger.Debit(ledger.Operator, 0, rest))...), nil
}

// announced returns what the game in play has announced of a level, which is not taken
// out before the game is over.
func announced(session *state.Session, level int) record.Exact {
	game, ok := session.Current()
	if !ok || level >= len(game.Announced.JackpotCents) {
		return 0
	}
	return record.Exact(game.Announced.JackpotCents[level]) * state.ExactPerCent
}

// mediumAccounts says from where each medium leaves the house.
var mediumAccounts = map[record.Medium]ledger.Account{
	record.MediumCash: ledger.Cash, record.MediumCheque: ledger.Bank, record.MediumTransfer: ledger.Bank,
	record.MediumCasinoDollars: ledger.CasinoDollars, record.MediumSlotDollars: ledger.SlotDollars,
}

// paid returns the postings of parts that leave the house, and their sum.
func (r room) paid(parts []record.MediumPart) ([]ledger.Posting, money.Amount, error) {
	var (
		postings []ledger.Posting
		sum      money.Amount
	)
	for _, p := range parts {
		account, ok := mediumAccounts[p.Medium]
		if !ok || p.Cents <= 0 {
			return nil, 0, refuse(MediumOther, "7.5", "parts", "%v in %q is no part of a prize.", p.Cents, p.Medium)
		}
		unit := uint32(0)
		if account.HasUnits() {
			unit = r.Opened.Venue
		}
		var err error
		if sum, err = sum.Add(p.Cents); err != nil {
			return nil, 0, err
		}
		postings = append(postings, ledger.Credit(account, unit, p.Cents))
	}
	return postings, sum, nil
}
