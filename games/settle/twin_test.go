package settle

import (
	"cmp"
	"math/big"
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// slowRules is a rulebook as far as settlement reads it, and what is under way.
type slowRules struct {
	book      *rulebook.Book
	schedule  *rulebook.Schedule
	prorating []rulebook.Prorating
	wayCap    *big.Rat // nil: none
	step      money.Amount
	running   map[slowName]money.Amount // staked in the next game
}

// slowName names a way of a ticket.
type slowName struct {
	ticket record.Place
	way    int
}

func rulesOf(book *rulebook.Book, schedule string) *slowRules {
	s, _ := book.Schedule(schedule)
	step, _, _ := book.Rounding()
	r := &slowRules{book: book, schedule: s, prorating: book.Prorating(), step: step, running: map[slowName]money.Amount{}}
	if way, ok := s.WayCap(); ok {
		r.wayCap = rat(way)
	}
	return r
}

// rat returns an amount in cents as a rational number.
func rat(a money.Amount) *big.Rat { return big.NewRat(a.Cents(), 1) }

// slowWay is a prize of a way in a game as far as it is found.
type slowWay struct {
	slowName
	bet    string   // empty: the prize is not the bet's
	prize  *big.Rat // cents
	runs   bool     // into the next game
	paid   money.Amount
	staked money.Amount // of a run
	main   money.Amount // staked without features
	total  int          // spots of a total catch that wins a jackpot
	bonus  bool         // with a multiplier in this game
	share  money.Amount // of a jackpot
}

// slowOutcome is what the twin finds.
type slowOutcome struct {
	totals              Totals
	winningWays         uint64
	prizes, breakage    money.Amount
	majors, majorsAfter money.Amount
	winners             map[record.Place]money.Amount
	carried             map[slowName]money.Amount
	carriedOn           money.Amount
	paidRuns            int // that had been carried
	jackpots            []slowJackpot
	shares              money.Amount
}

// settle is the slow, readable twin of Pass: the rules, one after the other, for
// one way after the other. The numbers are in the order drawn; none at all: the
// game is void.
func (r *slowRules) settle(plays []Play, ordinal uint32, numbers []int, pots Pots) slowOutcome {
	out := slowOutcome{winners: map[record.Place]money.Amount{}, carried: map[slowName]money.Amount{}}
	var ways []*slowWay
	for _, p := range plays {
		if ordinal < p.First || ordinal > p.Last {
			continue
		}
		ways = append(ways, r.play(p, ordinal, numbers, &out)...)
	}
	before, after := new(big.Rat), new(big.Rat)
	for _, p := range r.prorating {
		majors := r.majors(ways, p)
		if len(numbers) == 0 {
			break
		}
		before.Add(before, sumOf(majors))
		if p.Cap != nil && sumOf(majors).Cmp(rat(p.Cap.Amount())) > 0 {
			slowReduce(majors, p)
		}
		after.Add(after, sumOf(majors))
	}
	out.majors, out.majorsAfter = slowFloor(before, 1), slowFloor(after, 1)
	if len(numbers) > 0 {
		r.shareJackpots(ways, slowMultiplier(r.book, numbers), pots, &out)
	}
	won := map[slowName]bool{}
	for _, w := range ways {
		w.paid = slowFloor(new(big.Rat).Add(w.prize, rat(w.share)), r.step)
		if len(numbers) == 0 {
			w.paid = w.staked // It goes through as it is.
			if !w.runs && r.running[w.slowName] == 0 {
				w.paid = 0 // It has won nothing and goes no further: a stake goes back, and no prize.
			}
		}
		switch {
		case w.paid == 0:
			continue
		case w.runs:
			out.carried[w.slowName] = w.paid
			out.carriedOn += w.paid
		default:
			out.winners[w.ticket] += w.paid
			out.prizes += w.paid
			if r.running[w.slowName] > 0 {
				out.paidRuns++
			}
		}
		won[w.slowName] = true
	}
	if len(numbers) > 0 {
		out.winningWays = uint64(len(won))
		out.breakage = slowFloor(sumOf(ways), 1) + out.shares - out.prizes - out.carriedOn
	}
	return out
}

// carry stakes in the next game what the game carries, and ends its other runs.
func (r *slowRules) carry(plays []Play, ordinal uint32, out slowOutcome) {
	for _, p := range plays {
		for i := range p.Ways {
			name := slowName{p.Ticket, i}
			if ordinal >= p.First && ordinal <= p.Last {
				delete(r.running, name)
			}
			if amount, ok := out.carried[name]; ok {
				r.running[name] = amount
			}
		}
	}
}

// play returns what a ticket that is in its span of games wins.
func (r *slowRules) play(p Play, ordinal uint32, numbers []int, out *slowOutcome) (ways []*slowWay) {
	game, in := int(ordinal-p.First), false
	for i, w := range p.Ways {
		s := &slowWay{slowName: slowName{p.Ticket, i}, bet: w.Bet, prize: new(big.Rat), main: w.Stake,
			bonus: game < w.Multiplier.Games}
		main, times := rat(w.Stake), 1
		switch {
		case w.Run && game == 0:
			s.staked = w.Stake + w.Multiplier.Stake
		case w.Run:
			if s.staked = r.running[s.slowName]; s.staked == 0 {
				continue // The run is over.
			}
			main = rat(s.staked)
			out.totals.Carried += s.staked
			if game < w.Multiplier.Games {
				// Half of it is for the multiplier.
				main.Quo(main, big.NewRat(2, 1))
				out.totals.Multiplier += s.staked / 2
			}
			out.totals.Stakes += s.staked
		}
		if !w.Run || game == 0 {
			out.totals.Stakes += w.Stake
			if game < w.Multiplier.Games {
				out.totals.Stakes += w.Multiplier.Stake
				out.totals.Multiplier += w.Multiplier.Stake
			}
			if game < w.LuckyLast.Games {
				out.totals.Stakes += w.LuckyLast.Stake
				out.totals.LuckyLast += w.LuckyLast.Stake
			}
		}
		in = true
		out.totals.Ways++
		s.runs = w.Run && ordinal < p.Last
		ways = append(ways, s)
		if len(numbers) == 0 {
			continue
		}
		if game < w.Multiplier.Games {
			times = slowMultiplier(r.book, numbers)
		}
		s.prize = r.capped(r.schedulePrize(w, game, numbers), main, big.NewRat(int64(times), 1))
		r.catchJackpot(w, numbers, s)
		if game < w.LuckyLast.Games && w.Spots.Has(numbers[19]) {
			var prize money.Amount
			if sizes, ok := r.schedule.Size("lucky_last"); ok {
				prize, _ = sizes.Prize(w.Spots.Len())
			} else if catches, ok := r.schedule.Catch("lucky_last"); ok {
				prize = catches.Prize(w.Spots.Len(), slowMatched(w, numbers))
			}
			ways = append(ways, &slowWay{slowName: s.slowName, prize: r.capped(prize, rat(w.LuckyLast.Stake), big.NewRat(1, 1))})
		}
	}
	if in {
		out.totals.Plays++
	}
	return ways
}

// slowMultiplier is the value assigned to the sum of the numbers, or that of the slot
// of the wheel which is the place of their order among all orders of the same numbers.
func slowMultiplier(book *rulebook.Book, numbers []int) int {
	if wheel := book.Wheel(); wheel != nil {
		place := new(big.Int)
		for k := range numbers {
			smaller := 0
			for _, before := range numbers[:k] {
				if before < numbers[k] {
					smaller++
				}
			}
			place.Mul(place, big.NewInt(int64(k+1))).Add(place, big.NewInt(int64(smaller)))
		}
		return wheel[place.Mod(place, big.NewInt(int64(len(wheel)))).Int64()]
	}
	sum := 0
	for _, n := range numbers {
		sum += n
	}
	return book.Multiplier(sum)
}

// capped is a prize for a dollar times the stake and the multiplier, within the cap
// on a way. Every table of the rulebooks is for a dollar.
func (r *slowRules) capped(dollar money.Amount, stake, times *big.Rat) *big.Rat {
	prize := rat(dollar)
	prize.Mul(prize, stake).Quo(prize, rat(money.Dollar)).Mul(prize, times)
	if r.wayCap != nil && prize.Cmp(r.wayCap) > 0 {
		prize.Set(r.wayCap)
	}
	return prize
}

// schedulePrize is what the schedule pays for a dollar.
func (r *slowRules) schedulePrize(w Way, game int, numbers []int) money.Amount {
	if w.Type != "" {
		if !slowRaceWon(w.Type, w.Rows[:], slowRace(numbers)) {
			return 0
		}
		table, _ := r.schedule.Outcome(w.Bet)
		prize, _ := table.Prize(w.Type)
		return prize
	}
	if w.Calls != nil {
		call := w.Calls[0]
		if len(w.Calls) > 1 {
			call = w.Calls[game]
		}
		if call.String() != slowCall(numbers) {
			return 0
		}
		table, _ := r.schedule.Outcome(w.Bet)
		prize, _ := table.Prize(call.String())
		return prize
	}
	table, _ := r.schedule.Catch(w.Bet)
	return table.Prize(w.Spots.Len(), slowMatched(w, numbers))
}

// slowMatched is how many of the numbers are spots of the way.
func slowMatched(w Way, numbers []int) (matched int) {
	for _, n := range numbers {
		if w.Spots.Has(n) {
			matched++
		}
	}
	return matched
}

// slowCall is heads with 11 or more numbers in 1 to 40, tails with 11 or more in 41
// to 80, and evens with ten of each.
func slowCall(numbers []int) string {
	low, high := 0, 0
	for _, n := range numbers {
		if n <= 40 {
			low++
		} else {
			high++
		}
	}
	switch {
	case low >= 11:
		return "heads"
	case high >= 11:
		return "tails"
	}
	return "evens"
}

// slowRace returns the place of each of the eight rows.
func slowRace(numbers []int) map[keno.Row]int {
	count, moment := map[int]int{}, map[int]int{}
	for i, n := range numbers {
		row := (n + 9) / 10
		count[row]++
		moment[row] = i // The count of now was reached now.
	}
	rows := []int{1, 2, 3, 4, 5, 6, 7, 8}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(moment[a], moment[b]))
	})
	places := map[keno.Row]int{}
	for i, row := range rows {
		places[keno.Row(row)] = i + 1
		if i >= 2 && count[rows[0]] == 10 && count[rows[1]] == 10 {
			places[keno.Row(row)] = 3
		}
	}
	return places
}

// slowRaceWon goes by the words of the rules for each type.
func slowRaceWon(kind string, rows []keno.Row, place map[keno.Row]int) bool {
	a, b, c := place[rows[0]], place[rows[1]], place[rows[2]]
	switch kind {
	case "win":
		return a == 1
	case "place":
		return a == 1 || a == 2 || a == 3
	case "quinella":
		return a == 1 && b == 2 || a == 2 && b == 1
	case "exact_quinella":
		return a == 1 && b == 2
	case "trio":
		places := []int{a, b, c}
		slices.Sort(places)
		return slices.Equal(places, []int{1, 2, 3})
	case "trifecta":
		return a == 1 && b == 2 && c == 3
	}
	panic("no such type: " + kind)
}

// majors returns the ways whose prizes are major. Without a cap nothing is counted.
func (r *slowRules) majors(ways []*slowWay, p rulebook.Prorating) (majors []*slowWay) {
	for _, w := range ways {
		switch {
		case p.Cap == nil, w.prize.Sign() == 0, w.bet == "", p.Bets != nil && !slices.Contains(p.Bets, w.bet):
		case p.MajorOver != nil && w.prize.Cmp(rat(p.MajorOver.Amount())) > 0,
			p.MajorFrom != nil && w.prize.Cmp(rat(p.MajorFrom.Amount())) >= 0:
			majors = append(majors, w)
		}
	}
	return majors
}

// slowReduce brings major prizes down to the cap.
func slowReduce(majors []*slowWay, p rulebook.Prorating) {
	factor := new(big.Rat)
	if p.Method == rulebook.ProrateFormula {
		factor.Quo(rat(p.Cap.Amount()), sumOf(majors))
	} else {
		factor = slowLevel(majors, rat(p.Cap.Amount()), rat(p.Floor.Amount()))
	}
	for _, w := range majors {
		w.prize = slowReduced(w.prize, factor, rat(p.Floor.Amount()))
	}
}

// slowReduced is the prize times the factor, but not less than the floor, and not
// more than it was.
func slowReduced(prize, factor, floor *big.Rat) *big.Rat {
	reduced := new(big.Rat).Mul(prize, factor)
	if reduced.Cmp(floor) < 0 {
		reduced.Set(floor)
	}
	if reduced.Cmp(prize) > 0 {
		reduced.Set(prize)
	}
	return reduced
}

// slowLevel tries for every prize the factor that brings exactly this one down to
// the floor. The payout rises with the factor, so that the factor looked for lies
// between two neighbours of these, where the payout is a straight line.
func slowLevel(majors []*slowWay, limit, floor *big.Rat) *big.Rat {
	payout := func(factor *big.Rat) *big.Rat {
		sum := new(big.Rat)
		for _, w := range majors {
			sum.Add(sum, slowReduced(w.prize, factor, floor))
		}
		return sum
	}
	knots := []*big.Rat{new(big.Rat), big.NewRat(1, 1)}
	for _, w := range majors {
		if knot := new(big.Rat).Quo(floor, w.prize); knot.Cmp(knots[1]) < 0 {
			knots = append(knots, knot)
		}
	}
	slices.SortFunc(knots, func(a, b *big.Rat) int { return a.Cmp(b) })
	if payout(knots[0]).Cmp(limit) >= 0 {
		return knots[0]
	}
	k, _ := slices.BinarySearchFunc(knots, limit, func(knot, limit *big.Rat) int { return payout(knot).Cmp(limit) })
	low, high := knots[k-1], knots[k]
	// low + (high - low) x (limit - payout(low)) / (payout(high) - payout(low))
	factor := new(big.Rat).Sub(limit, payout(low))
	factor.Quo(factor, new(big.Rat).Sub(payout(high), payout(low)))
	factor.Mul(factor, new(big.Rat).Sub(high, low))
	return factor.Add(factor, low)
}

func sumOf(ways []*slowWay) *big.Rat {
	sum := new(big.Rat)
	for _, w := range ways {
		sum.Add(sum, w.prize)
	}
	return sum
}

// slowFloor rounds a number of cents down to a multiple of step.
func slowFloor(x *big.Rat, step money.Amount) money.Amount {
	steps := new(big.Rat).Quo(x, rat(step))
	return money.Amount(new(big.Int).Quo(steps.Num(), steps.Denom()).Int64()) * step
}

// sortedPlaces returns the winners in the order of their places.
func (o slowOutcome) sortedPlaces() []record.Place {
	var places []record.Place
	for place := range o.winners {
		places = append(places, place)
	}
	slices.SortFunc(places, func(a, b record.Place) int {
		return cmp.Or(cmp.Compare(a.Volume, b.Volume), cmp.Compare(a.Seq, b.Seq))
	})
	return places
}
