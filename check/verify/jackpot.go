package verify

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// A jackpotWin is a way that won the jackpot of its size.
type jackpotWin struct {
	ticket uint64
	claim  record.Hash
	way    uint64 // its place among the ways of the ticket
	spots  uint8
	stake  money.Amount
	bonus  bool
	// schedule is what the schedule gives the way, and lucky what it won on the last
	// number, before rounding.
	schedule, lucky *big.Rat
}

// winJackpot puts down ways that caught all their spots. What the schedule gives
// them is theirs beside the jackpot, or not at all where that is paid in its place
// (vic-keno-2015 15(c), tas-keno-2023 7.3, casino-keno-div2 5.11).
//
// Ways of one size may come in several parts. They are named with the first.
func (w *grader) winJackpot(b *bet, at position, won, lucky stakeTimes, ways waysOf, first bool) error {
	win := jackpotWin{ticket: at.ticket.seq, claim: at.ticket.claim, spots: uint8(ways.spots), stake: b.stake,
		bonus: at.game < b.bonus, schedule: new(big.Rat)}
	if w.terms.rules.jackpots.Pays == rulebook.PaysAddition {
		x, err := w.exactly(b.id, won, ways.count)
		if err != nil {
			return err
		}
		win.schedule = x
	}
	extra, err := w.onLast(lucky)
	if err != nil {
		return err
	}
	win.lucky = extra
	if !first {
		return nil
	}
	for _, place := range b.caught(ways.spots, &w.game.drawn) {
		win.way = at.way + place
		w.out.wins = append(w.out.wins, win)
	}
	return nil
}

// A report is what another jurisdiction says of a draw of a pooled jackpot.
type report struct {
	jurisdiction   string
	growth, stakes money.Amount
}

// wonSize is a jackpot that was won in a game: by stakes here, of which bonus with
// the multiplier, and by stakes elsewhere.
type wonSize struct {
	spots         uint8
	stakes, bonus money.Amount
	primary       record.Exact // that the draw is for
	waits         bool         // others have not reported yet
	reports       []report
	awards        []record.Award
}

// elsewhereStakes adds up what winners elsewhere staked.
func (s *wonSize) elsewhereStakes() (stakes, growth money.Amount, err error) {
	for _, r := range s.reports {
		if stakes, err = stakes.Add(r.stakes); err == nil {
			growth, err = growth.Add(r.growth)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return stakes, growth, nil
}

// wonSizes adds up the stakes of those who won each jackpot.
func (s *series) wonSizes(g *game, wins []jackpotWin, give bool) ([]*wonSize, error) {
	bySize := map[uint8]*wonSize{}
	for i := range wins {
		win := &wins[i]
		size := bySize[win.spots]
		if size == nil {
			size = &wonSize{spots: win.spots}
			bySize[win.spots] = size
		}
		sum, err := size.stakes.Add(win.stake)
		if err != nil {
			return nil, err
		}
		size.stakes = sum
		if win.bonus {
			size.bonus += win.stake
		}
	}
	var list []*wonSize
	for _, rate := range g.rates {
		size := bySize[rate.Spots]
		if size == nil {
			size = &wonSize{spots: rate.Spots}
		}
		names := s.sharedWith(g.ordinal)
		size.reports = g.settled.reports[rate.Spots]
		size.waits = len(size.reports) < len(names) || give || s.undecided(g.ordinal) != nil
		size.primary = s.pools[rate.Spots].at(g.ordinal)
		elsewhere, _, err := size.elsewhereStakes()
		if err != nil {
			return nil, err
		}
		if size.stakes > 0 || !size.waits && elsewhere > 0 {
			list = append(list, size)
		}
	}
	return list, nil
}

// award sets what the winners of a size share: the primary, all of it and with
// that of others where it is pooled; the fill, among those here; the bonus jackpot
// prize, among those here with the multiplier, where its factor brings it; and what
// was set aside (vic-keno-2015 15(b), (c), 24(d)-(g), 2(a).keno-bonus-jackpot-prize;
// tas-keno-2023 7.3, 7.5, 18.4; casino-keno-div2 5.10, 5.14).
func (w *grader) award(size *wonSize, g *game) error {
	add := func(part uint8, amount, stakes money.Amount) {
		if amount > 0 && stakes > 0 {
			size.awards = append(size.awards,
				record.Award{Spots: size.spots, Part: part, AmountCents: amount, StakesCents: stakes})
		}
	}
	if shared, ok := g.settled.shared[size.spots]; ok {
		size.awards = append(size.awards, shared)
	} else if !size.waits {
		stakes, growth, err := size.elsewhereStakes()
		if err == nil {
			stakes, err = stakes.Add(size.stakes)
		}
		if err == nil {
			growth, err = growth.Add(down(size.primary))
		}
		if err != nil {
			return err
		}
		add(record.PartPool, growth, stakes)
	}
	add(record.PartFill, w.terms.schedule.Fill(int(size.spots)), size.stakes)
	if from := w.terms.rules.jackpots.BonusFrom; from > 0 && w.factor >= int64(from) && w.terms.bonus != nil {
		if prize, ok := w.terms.bonus.Prize(int(size.spots)); ok {
			add(record.PartBonus, prize, size.bonus)
		}
	}
	for _, a := range g.settled.given {
		if a.Spots == size.spots {
			add(record.PartAside, a.AmountCents, a.StakesCents)
		}
	}
	return nil
}

// share returns the part of an award for a stake: in proportion, rounded down to
// the cent (reading share-residue).
func share(a record.Award, stake money.Amount) (money.Amount, error) {
	x := new(big.Rat).Mul(ratOf(a.AmountCents), ratOf(stake))
	return wholeCents(x.Quo(x, ratOf(a.StakesCents)))
}

// shares returns what a winning way gets of the awards.
func (win *jackpotWin) shares(awards []record.Award) (sum money.Amount, err error) {
	for _, a := range awards {
		if a.Spots != win.spots || a.Part == record.PartBonus && !win.bonus {
			continue
		}
		cents, err := share(a, win.stake)
		if err == nil {
			sum, err = sum.Add(cents)
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// paidOf adds up what all winning ways here get of an award.
func paidOf(a record.Award, wins []jackpotWin) (sum money.Amount, err error) {
	for i := range wins {
		cents, err := wins[i].shares([]record.Award{a})
		if err == nil {
			sum, err = sum.Add(cents)
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// payWins gives the ways that won a jackpot their prizes: what the schedule gave
// them and their shares, rounded once together (reading round-once), and what they won
// on the last number.
func (w *grader) payWins(wins []jackpotWin, awards []record.Award) (total money.Amount, err error) {
	for i := range wins {
		win := &wins[i]
		shares, err := win.shares(awards)
		if err != nil {
			return 0, err
		}
		cents, err := w.rounded(new(big.Rat).Add(win.schedule, ratOf(shares)), 1)
		if err == nil {
			total, err = total.Add(shares)
		}
		var extra money.Amount
		if err == nil {
			extra, err = w.rounded(win.lucky, 1)
		}
		if err == nil {
			cents, err = cents.Add(extra)
		}
		if err == nil && cents > 0 {
			err = w.out.addWin(win, cents, w.terms.rules.majorPay)
		}
		if err != nil {
			return 0, err
		}
	}
	return total, nil
}

// addWin adds the prizes of a winning way to its play, which may have others.
func (o *outcome) addWin(win *jackpotWin, cents, major money.Amount) error {
	won := o.playOf(win.ticket, win.claim)
	before := won.cents
	if err := won.add(cents, 1, major); err != nil {
		return err
	}
	o.winningWays++
	sum, err := o.prizes.Add(won.cents - before)
	o.prizes = sum
	return err
}

// playOf returns the play of a ticket among the winners.
func (o *outcome) playOf(ticket uint64, claim record.Hash) *winner {
	i, found := slices.BinarySearchFunc(o.winners, ticket,
		func(won winner, seq uint64) int { return cmp.Compare(won.seq, seq) })
	if !found {
		o.winners = slices.Insert(o.winners, i, winner{seq: ticket, claim: claim})
	}
	return &o.winners[i]
}

// checkWins compares the ways that the record says won a jackpot with those that
// did: in the order of tickets and ways.
func checkWins(stated []record.JackpotWin, wins []jackpotWin) error {
	sorted := slices.SortedFunc(slices.Values(wins), func(a, b jackpotWin) int {
		return cmp.Or(cmp.Compare(a.ticket, b.ticket), cmp.Compare(a.way, b.way))
	})
	for i := range sorted {
		win := &sorted[i]
		schedule, err := wholeCents(win.schedule)
		if err != nil {
			return err
		}
		due := record.JackpotWin{Ticket: placeOf(win.ticket), Way: uint32(win.way), Spots: win.spots,
			StakeCents: win.stake, Bonus: win.bonus, ScheduleCents: schedule}
		if i >= len(stated) {
			return fmt.Errorf("way %d of ticket %v won the jackpot of %d spots, and it does not say so", due.Way,
				due.Ticket, due.Spots)
		}
		if stated[i] != due {
			return sentence("it names %v where %v is the next winner of a jackpot", stated[i], due)
		}
	}
	if len(stated) > len(sorted) {
		return sentence("it names %v, which won no jackpot", stated[len(sorted)])
	}
	return nil
}
