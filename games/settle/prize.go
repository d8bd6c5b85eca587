package settle

import (
	"fmt"
	"math/bits"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/jackpot"
)

// Game is a game that was settled, with what it takes to find a prize in it again.
type Game struct {
	Ordinal    uint32
	Numbers    ball.Sequence // the zero value: the game is void
	Terms      *Terms
	Reductions []Reduction
	Awards     []jackpot.Award // as far as they are known
	Offers     []OfferWon
	// Deferred are the void games whose plays were played along with this one.
	Deferred []uint32
	// Unwon says of a void game that a stake which ran into it and has won nothing before
	// goes back as a stake, and is not due as a prize.
	Unwon bool
}

// Prize is what a ticket won in a game.
type Prize struct {
	Payable money.Amount
	Carried money.Amount // into the next game
}

// PrizeIn returns what a play won in the last of some games, from the numbers drawn
// and the games' reductions alone. It is how a claim is held against the winners
// file: it shares the figures of [Terms] with the pass, but not its memory or its
// counting. A play with ways that run needs all its games up to the one in
// question, for that is how their stakes come about; any other play needs only
// that one.
func PrizeIn(p Play, games []Game) (Prize, error) {
	var sum Prize
	err := p.eachJudgement(games, func(_ int, j *judgement) error {
		into := &sum.Payable
		if j.carried {
			into = &sum.Carried
		}
		var err error
		*into, err = into.Add(j.prize)
		return err
	})
	return sum, err
}

// eachJudgement calls do for every prize of a play in the last of some games, with
// the index of its way.
func (p *Play) eachJudgement(games []Game, do func(way int, j *judgement) error) error {
	if err := p.checkGames(games); err != nil {
		return fmt.Errorf("settle: ticket %v: %w", p.Ticket, err)
	}
	drawn := make([]*result, len(games))
	for i := range games {
		g := &games[i]
		if !g.Numbers.IsValid() || i < len(games)-1 && !p.runs() {
			continue
		}
		var err error
		if drawn[i], err = resultOf(g.Terms, g.Numbers); err != nil {
			return fmt.Errorf("settle: game %d: %w", g.Ordinal, err)
		}
	}
	for i := range p.Ways {
		all, err := p.judge(&p.Ways[i], games, drawn)
		for k := range all {
			if err == nil {
				err = do(i, &all[k])
			}
		}
		if err != nil {
			return fmt.Errorf("settle: way %d: %w", i+1, err)
		}
	}
	return nil
}

// checkGames refuses games that do not tell what a play won.
func (p *Play) checkGames(games []Game) error {
	if len(games) == 0 {
		return fmt.Errorf("no game")
	}
	for i := range games {
		switch g := &games[i]; {
		case !p.isIn(g):
			return fmt.Errorf("game %d is none of its games, %d to %d", g.Ordinal, p.First, p.Last)
		case i > 0 && g.Ordinal != games[i-1].Ordinal+1:
			return fmt.Errorf("game %d stands after game %d", g.Ordinal, games[i-1].Ordinal)
		}
	}
	if p.runs() && games[0].Ordinal != p.First {
		return fmt.Errorf("a way runs from game %d on, and game %d is the first that is given", p.First,
			games[0].Ordinal)
	}
	return nil
}

// isIn reports whether a game is one of p's, or one of p's is played along with it.
func (p *Play) isIn(g *Game) bool {
	return slices.ContainsFunc(append([]uint32{g.Ordinal}, g.Deferred...), func(ordinal uint32) bool {
		return p.First <= ordinal && ordinal <= p.Last
	})
}

// runs reports whether a way of p runs.
func (p *Play) runs() bool {
	return slices.ContainsFunc(p.Ways, func(w Way) bool { return w.Run })
}

// judge finds the prizes of one way in the last of some games.
func (p *Play) judge(w *Way, games []Game, drawn []*result) ([]judgement, error) {
	last := len(games) - 1
	if w.Run {
		return p.follow(w, games, drawn)
	}
	if drawn[last] == nil {
		return nil, nil
	}
	g := &games[last]
	var all []judgement
	for _, ordinal := range append([]uint32{g.Ordinal}, g.Deferred...) {
		if ordinal < p.First || ordinal > p.Last {
			continue
		}
		s := staked{game: int(ordinal - p.First), stake: w.Stake}
		won, err := g.Terms.judge(w, s, drawn[last], g)
		if err != nil {
			return nil, err
		}
		all = append(all, won...)
	}
	return all, nil
}

// follow follows a way that runs through its games, and returns its prize in the
// last of those that are given. An amount goes through a void game as it is.
//
//rule:vic-keno-2015 2(a).let-it-run 11(g) 11(i)(i) 11(i)(ii)
func (p *Play) follow(w *Way, games []Game, drawn []*result) ([]judgement, error) {
	amount := w.Stake + w.Multiplier.Stake
	var won []judgement
	played := false // in a game that has a result
	for i := range games {
		s := staked{game: i, stake: amount, run: true, halved: w.Multiplier.in(i), last: games[i].Ordinal == p.Last}
		if drawn[i] == nil && s.last && !played && (i == 0 || games[i].Unwon) {
			return nil, nil // It has won nothing and goes no further: its stake goes back as such.
		}
		if drawn[i] == nil {
			won = []judgement{{staked: s, void: true, prize: amount, carried: !s.last}}
			continue
		}
		var err error
		won, err = games[i].Terms.judge(w, s, drawn[i], &games[i])
		if err != nil || len(won) == 0 || won[0].prize == 0 {
			return won, err
		}
		amount, played = won[0].prize, true
	}
	return won, nil
}

// staked is what stands on a way in a game.
type staked struct {
	game   int          // of its ticket, counted from 0
	stake  money.Amount // that wins; of a run also what is for the multiplier
	run    bool
	halved bool // half of the stake is for the multiplier
	last   bool // the run ends here
}

// halves returns the stake that wins, in half cents.
func (s *staked) halves() uint64 {
	if s.halved {
		return uint64(s.stake)
	}
	return 2 * uint64(s.stake)
}

// judgement is how a prize came about. Amounts are in units but for the last.
type judgement struct {
	staked
	rate     *rate
	won      string       // what was won: "3 of 4"
	stated   money.Amount // prize of the table
	schedule uint64       // by the table
	factor   uint64       // 0: not multiplied
	sum      int          // of the numbers drawn
	slot     int          // of the wheel that the order of the numbers has turned
	// multiplied is by the multiplier, and capped by the cap on a way.
	multiplied, capped uint64
	// reduced is what pro-rating left, rounded down; by is nil if there was none.
	reduced uint64
	by      *Reduction
	held    bool // at the floor
	void    bool // a run passes through a game without a result
	total   bool // a total catch has won a jackpot
	share   money.Amount
	parts   []jackpot.Line // of the share
	prize   money.Amount
	carried bool
	// offer is what the prize is of, if it is none of the schedule's.
	offer *OfferWon
}

// judge finds the prizes of one way in a game, step by step. There are two if the
// last number wins too, and none if nothing does.
//
//rule:vic-keno-2015 20(a) 21(i) 24(b) 24(c)
//rule:casino-keno-div2 8.1 8.6 8.10A
//rule:tas-keno-2023 11.1
func (t *Terms) judge(w *Way, s staked, drawn *result, g *Game) (all []judgement, err error) {
	if w.Stake <= 0 || s.stake <= 0 {
		return nil, fmt.Errorf("%w: a stake of %v", money.ErrOverflow, w.Stake)
	}
	j := judgement{staked: s, sum: drawn.sum}
	var known bool
	switch w.form() {
	case formNumbers:
		known = t.judgeNumbers(w, drawn, &j)
	case formCalls:
		known = t.judgeCall(w, drawn, &j)
	case formRace:
		known = t.judgeRace(w, drawn, &j)
	}
	if !known || w.Run != s.run {
		return nil, fmt.Errorf("%s has no prizes for %v", t.schedule, w.row())
	}
	if w.Multiplier.in(s.game) {
		if !t.multiplies(w.Bet) {
			return nil, fmt.Errorf("%s has no multiplier for %v", t.schedule, w.row())
		}
		if drawn.factor == 0 {
			return nil, fmt.Errorf("the order of the numbers turns the wheel of %s and is not known", t.schedule)
		}
		j.factor, j.slot = drawn.factor, drawn.slot
	}
	if j.total {
		if err := t.share(w, &j, g.Awards); err != nil {
			return nil, err
		}
	}
	if j.stated > 0 || j.total {
		if err := t.finish(&j, g.Reductions); err != nil {
			return nil, err
		}
		all = append(all, j)
	}
	if w.LuckyLast.in(s.game) {
		if all, err = t.judgeLast(w, s, drawn, all); err != nil {
			return nil, err
		}
	}
	return t.judgeOffers(w, s, drawn, g.Offers, all)
}

// judgeOffers adds the shares of a way in promotions that it has won.
func (t *Terms) judgeOffers(w *Way, s staked, drawn *result, won []OfferWon, all []judgement) ([]judgement, error) {
	for i := range won {
		if !won[i].meets(w, drawn.set) {
			continue
		}
		prize, err := won[i].share(w.Stake, t)
		if err != nil {
			return nil, err
		}
		all = append(all, judgement{staked: staked{game: s.game, stake: w.Stake}, prize: prize, offer: &won[i]})
	}
	return all, nil
}

// judgeNumbers finds the prize of the table for the spots matched.
func (t *Terms) judgeNumbers(w *Way, drawn *result, j *judgement) (known bool) {
	table, size := t.tables[w.Bet], w.Spots.Len()
	if table == nil || !table.Spots().Has(size) {
		return false
	}
	matched := w.Spots.Overlap(drawn.set)
	j.rate, j.stated = &table.rate, table.Prize(size, matched)
	j.won = fmt.Sprintf("%d of %d", matched, size)
	j.total = t.jackpots != nil && t.jackpots.Wins(w.Bet, size, matched)
	return true
}

// share finds the parts of a jackpot that a way has won. Where the jackpot is paid
// instead of the schedule's prize, that it is not known must not look as if there
// were none.
//
//rule:vic-keno-2015 15(b) 15(c)(ii) 15(c)(iii) 24(d) 24(g) S.bonus-jackpot
//rule:tas-keno-2023 7.3 18.4
//rule:casino-keno-div2 5.10 5.11
func (t *Terms) share(w *Way, j *judgement, awards []jackpot.Award) (err error) {
	spots, winner := w.Spots.Len(), jackpot.Winner{Stake: w.Stake, Bonus: w.Multiplier.in(j.game)}
	if j.share, err = jackpot.ShareOf(awards, spots, winner); err != nil {
		return err
	}
	if j.parts, err = t.jackpots.Explain(awards, spots, winner); err != nil {
		return err
	}
	if t.jackpots.Substitutes() && len(j.parts) == 0 {
		return fmt.Errorf("%v has won a jackpot of which no award is given", w.row())
	}
	return nil
}

// judgeCall finds the prize of the table for a call that has come true.
//
//rule:vic-keno-2015 2(a).heads-or-tails
func (t *Terms) judgeCall(w *Way, drawn *result, j *judgement) (known bool) {
	table, call := t.calls[w.Bet], w.call(j.game)
	if table == nil || !call.IsValid() {
		return false
	}
	j.rate = &table.rate
	if call != drawn.calls[w.Bet] {
		return true
	}
	j.stated, _ = table.Prize(call.String())
	j.won = callWords(&table.Calls, call, drawn.set)
	return true
}

// judgeRace finds the prize of the table for a combination that has come true.
func (t *Terms) judgeRace(w *Way, drawn *result, j *judgement) (known bool) {
	table := t.races[w.Bet]
	if table == nil || drawn.races == nil {
		return false
	}
	kind, ok := table.race.Type(w.Type)
	if !ok || kind.Places != w.places() {
		return false
	}
	j.rate = &table.rate
	if order := drawn.races[w.Bet]; order.wins(&kind, w.Rows[:kind.Places]) {
		j.stated, _ = table.Prize(w.Type)
		j.won = order.words(max(kind.Places, kind.Within))
	}
	return true
}

// judgeLast adds the prize of the last number, if it is one of the spots.
//
//rule:tas-keno-2023 21.1(a)(i)
//rule:gr-kino-bonus bonus
func (t *Terms) judgeLast(w *Way, s staked, drawn *result, all []judgement) ([]judgement, error) {
	number, ok := drawn.last()
	if !ok || t.last == nil || !t.last.Allows(w.Bet) {
		return nil, fmt.Errorf("%s has no prizes for %v with the last number", t.schedule, w.row())
	}
	matched := w.Spots.Overlap(drawn.set)
	stated, ok := t.last.prize(w.Spots.Len(), matched)
	if !ok {
		return nil, fmt.Errorf("%s has no prizes for %v with the last number", t.schedule, w.row())
	}
	if !w.Spots.Has(number) || stated == 0 {
		return all, nil
	}
	j := judgement{
		staked: staked{game: s.game, stake: w.LuckyLast.Stake}, rate: &t.last.rate, stated: stated,
		won: fmt.Sprintf("the last number, %d, among %d spots", number, w.Spots.Len()),
	}
	if t.last.table != nil {
		j.won = fmt.Sprintf("the last number, %d, with %d of %d", number, matched, w.Spots.Len())
	}
	if err := t.finish(&j, nil); err != nil {
		return nil, err
	}
	return append(all, j), nil
}

// finish makes a prize of what the table states: times the stake and the
// multiplier, within the cap on a way, reduced if it is major, with what a jackpot
// adds, and rounded once.
//
//rule:vic-keno-2015 2(a).keno-bonus(a) 21(i) 24(b) 24(c) S.classic
//rule:tas-keno-2023 1.37(a) 21.4(a)
//rule:casino-keno-div2 8.6
func (t *Terms) finish(j *judgement, reductions []Reduction) error {
	hi, lo := bits.Mul64(j.halves(), j.rate.units(j.stated))
	hi2, lo2 := bits.Mul64(lo, max(j.factor, 1))
	if hi != 0 || hi2 != 0 {
		return fmt.Errorf("%w: a stake of %v", money.ErrOverflow, j.stake)
	}
	j.schedule, j.multiplied = lo/2, lo2/2
	j.capped = min(j.multiplied, t.wayCap)
	if j.substituted(t) {
		j.capped = 0
	}
	j.reduced = j.capped
	for i := range reductions {
		r := &reductions[i]
		if r.Limit < 0 || r.Limit >= len(t.limits) || r.Num >= r.Den {
			return fmt.Errorf("reduction %+v is none of these terms", *r)
		}
		if r.Limit == j.rate.limit && j.capped > 0 && j.capped >= j.rate.major {
			j.by = r
			j.reduced, j.held = t.limits[r.Limit].reduce(j.capped, *r)
		}
	}
	shared := t.inUnits(j.share)
	if shared == beyond {
		return fmt.Errorf("%w: a share of %v", money.ErrOverflow, j.share)
	}
	j.prize = money.Amount(t.round(j.reduced + shared))
	j.carried = j.run && !j.last
	return nil
}

// substituted reports whether a jackpot stands in the place of the schedule's prize.
func (j *judgement) substituted(t *Terms) bool { return j.total && t.jackpots.Substitutes() }
