package settle

import (
	"math/big"
	"slices"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
	"drawhouse/rulebook"
)

// slowJackpot is a jackpot that was won, as the twin finds it.
type slowJackpot struct {
	spots int
	ways  []*slowWay
	after *big.Rat // what is left in the pool, in cents
	bonus bool     // there was a bonus jackpot prize
}

// catchJackpot finds out whether a way wins a jackpot: it is of a size and a bet that
// has one, and all its numbers are drawn. Where the jackpot is paid instead of the
// schedule's prize, that is gone, and is no prize of the game any more.
func (r *slowRules) catchJackpot(w Way, numbers []int, s *slowWay) {
	policy, ok := r.book.Jackpots()
	if !ok || w.Type != "" || w.Calls != nil || !slices.Contains(policy.Bets, w.Bet) {
		return
	}
	for _, n := range w.Spots.Numbers() {
		if !slices.Contains(numbers, n) {
			return
		}
	}
	for _, pool := range policy.Pools {
		if pool.Spots == w.Spots.Len() {
			s.total = pool.Spots
			if policy.Pays == rulebook.PaysSubstitution {
				s.prize = new(big.Rat)
			}
		}
	}
}

// shareJackpots divides every jackpot among the ways that have won it: what is in
// the pool, with what others have paid in, among all of them here and elsewhere, the
// fill among those here, and the bonus jackpot prize among those here with the
// multiplier if that is high enough; each by their stakes without features and
// rounded down to the cent. If the others are not heard of yet, the pool waits. What
// is left of our part of the pool and of the fill is the pool of the next game.
func (r *slowRules) shareJackpots(ways []*slowWay, multiplier int, pots Pots, out *slowOutcome) {
	policy, _ := r.book.Jackpots()
	for _, pool := range pots.Pools {
		j := slowJackpot{spots: int(pool.Spots), after: big.NewRat(int64(pool.Primary), 10_000)}
		var bonus []*slowWay
		for _, w := range ways {
			if w.total == j.spots {
				j.ways = append(j.ways, w)
				if w.bonus {
					bonus = append(bonus, w)
				}
			}
		}
		elsewhere := pots.Elsewhere[pool.Spots]
		if j.ways == nil && elsewhere.Stakes == 0 {
			continue
		}
		if !pots.Pooled {
			ours := slowFloor(j.after, 1)
			whole := ours + elsewhere.Growth
			stakes := slowStakes(j.ways)
			part := new(big.Rat).Mul(rat(whole), stakes)
			kept := slowFloor(part.Quo(part, stakes.Add(stakes, rat(elsewhere.Stakes))), 1)
			paid := slowShare(j.ways, whole, elsewhere.Stakes)
			j.after.Add(j.after, rat(kept-paid-ours))
			out.shares += paid
		}
		if j.ways != nil {
			fill := r.schedule.Fill(j.spots)
			paid := slowShare(j.ways, fill, 0)
			j.after.Add(j.after, rat(fill-paid))
			out.shares += paid
		}
		if policy.BonusFrom > 0 && multiplier >= policy.BonusFrom && bonus != nil {
			table, _ := r.schedule.Size(rulebook.UseBonusJackpot)
			prize, _ := table.Prize(j.spots)
			out.shares += slowShare(bonus, prize, 0)
			j.bonus = true
		}
		out.jackpots = append(out.jackpots, j)
	}
}

// slowStakes is what is staked on ways without features.
func slowStakes(ways []*slowWay) *big.Rat {
	all := new(big.Rat)
	for _, w := range ways {
		all.Add(all, rat(w.main))
	}
	return all
}

// slowShare divides an amount among ways here, and others, by their stakes, and
// returns how much of it the ways get.
func slowShare(ways []*slowWay, amount, elsewhere money.Amount) (paid money.Amount) {
	all := slowStakes(ways)
	all.Add(all, rat(elsewhere))
	for _, w := range ways {
		share := new(big.Rat).Quo(rat(w.main), all)
		cents := slowFloor(share.Mul(share, rat(amount)), 1)
		w.share += cents
		paid += cents
	}
	return paid
}

// checkWon holds the jackpots of an outcome against the twin's, gives the game its
// awards, and finds every prize again from its parts.
func checkWon(t rapid.TB, game *Game, out *Outcome, want slowOutcome) {
	t.Helper()
	if len(out.Won) != len(want.jackpots) || out.Jackpots != want.shares {
		t.Fatalf("game %d: jackpots %+v of %v\nwant %+v of %v", game.Ordinal, out.Won, out.Jackpots, want.jackpots,
			want.shares)
	}
	wins := map[slowName]*slowWay{}
	for i, won := range out.Won {
		j := want.jackpots[i]
		if int(won.Before.Spots) != j.spots || big.NewRat(int64(won.After.Primary), 10_000).Cmp(j.after) != 0 {
			t.Fatalf("game %d: %+v\nwant %+v", game.Ordinal, won, j)
		}
		game.Awards = append(game.Awards, won.Awards...)
		for _, w := range j.ways {
			wins[w.slowName] = w
		}
	}
	if len(wins) != len(out.JackpotWins) {
		t.Fatalf("game %d: %d ways win jackpots, want %d", game.Ordinal, len(out.JackpotWins), len(wins))
	}
	for i, got := range out.JackpotWins {
		if i > 0 && compareWins(out.JackpotWins[i-1], got) >= 0 {
			t.Fatalf("game %d: %+v stands after %+v", game.Ordinal, got, out.JackpotWins[i-1])
		}
		checkJackpotWin(t, game, got, wins[slowName{got.Ticket, got.Way}])
	}
}

func compareWins(a, b JackpotWin) int {
	if a.Ticket != b.Ticket {
		if a.Ticket.Volume < b.Ticket.Volume || a.Ticket.Volume == b.Ticket.Volume && a.Ticket.Seq < b.Ticket.Seq {
			return -1
		}
		return 1
	}
	return a.Way - b.Way
}

func checkJackpotWin(t rapid.TB, game *Game, got JackpotWin, w *slowWay) {
	t.Helper()
	if w == nil || int(got.Spots) != w.total || got.Winner != (jackpot.Winner{Stake: w.main, Bonus: w.bonus}) ||
		got.Schedule != slowFloor(w.prize, 1) {
		t.Fatalf("game %d: %+v wins a jackpot, want %+v", game.Ordinal, got, w)
	}
	if payable, err := game.Terms.Payable(got, game.Awards); err != nil || payable != w.paid {
		t.Fatalf("game %d: %+v gets %v, want %v (%v)", game.Ordinal, got, payable, w.paid, err)
	}
}
