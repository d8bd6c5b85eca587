package verify

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// callNames are the calls of a ticket by their number in the journal.
var callNames = [...]string{1: "heads", 2: "tails", 3: "evens"}

// call returns the call of a game, counted from 0: one serves every game.
func (b *bet) call(game uint32) byte {
	if len(b.calls) > 1 {
		return b.calls[game]
	}
	return b.calls[0]
}

// A grader works out the prizes of one game from the numbers drawn, the
// rulebook's schedule and the tickets. It passes over the tickets once for each
// reduction of major prizes that the rulebook knows, and once more if one of
// them bites.
type grader struct {
	terms   *terms
	game    *game
	as      *game // as of which the play under way plays: game, or one played along
	series  *series
	counter *wayCounter

	lo, hi     uint64                 // the numbers drawn, as lines have theirs
	factor     int64                  // the multiplier of the numbers drawn
	races      map[*betRules][][]byte // how each race ended
	promotions []*promotion           // that the game plays for
	pools      map[uint8]*pool        // the jackpots that can be won

	// reductions has one for each policy of the rulebook that was looked at, nil
	// where it reduces nothing.
	reductions []*reduction

	// The state of a pass: the policy whose majors it gathers, what the game came
	// to so far, and the play under way.
	next *rulebook.Prorating
	out  *outcome
	play winner
	// expect is how many plays win if the record is right, to make room for them.
	expect uint64
}

// A winner is a play with a prize.
type winner struct {
	seq   uint64      // place of its ticket
	claim record.Hash // of its ticket
	cents money.Amount
	ways  uint64       // that won
	major money.Amount // of it, prizes of ways that are paid otherwise
	paid  money.Amount // of it, so far
	by    uint64       // 1 + the place of the last payment; 0 while unpaid
}

// left returns what of a prize is still owed. Where a result was corrected more may have
// been paid than was won, and nothing is owed then.
func (p *winner) left() money.Amount { return max(p.cents-p.paid, 0) }

// outcome is what a game comes to.
type outcome struct {
	winners     []winner
	winningWays uint64       // with those whose prizes are carried
	prizes      money.Amount // payable
	// kept is what rounding kept back, exactly.
	kept *big.Rat
	// majors and majorsLeft are the major prizes as won and after reduction,
	// before rounding.
	majors, majorsLeft *big.Rat
	// reducible are the major prizes of the reduction that is being prepared.
	reducible []major

	carried []carry
	unwon   money.Amount // of a void game: stakes that ran through void games alone
	wins    []jackpotWin // whose prizes are not among the others yet
	// promoted are ways that met the conditions of promotions, not paid yet.
	promoted []promoWin
}

// A carry is a prize that becomes the stake of the next game.
type carry struct {
	record.Carried
	bet  *bet
	into uint32 // that game, counted from 0
}

// newGrader prepares the grading of a game under the terms with which it opened.
func newGrader(s *series, g *game, c *wayCounter) *grader {
	w := &grader{terms: g.terms, game: g, series: s, counter: c, races: map[*betRules][][]byte{},
		pools: map[uint8]*pool{}}
	for _, rate := range g.rates {
		w.pools[rate.Spots] = s.pools[rate.Spots]
	}
	for _, p := range s.promotions {
		if p.on(g.ordinal, g.succeeding) {
			w.promotions = append(w.promotions, p)
		}
	}
	w.lo, w.hi = bitsOf(g.numbers)
	w.factor = factorBy(g.terms.rules.book, g.numbers)
	return w
}

// factorBy returns the factor of numbers in the order drawn: that of their sum, or that
// of the slot of the wheel which is the place of their order among all orders of the same
// numbers (mi-club-keno wheel). It is 0 where there is none.
func factorBy(book *rulebook.Book, numbers []byte) int64 {
	if wheel := book.Wheel(); len(wheel) > 0 {
		place := orderOf(numbers)
		return int64(wheel[place.Mod(place, big.NewInt(int64(len(wheel)))).Int64()])
	}
	sum := 0
	for _, n := range numbers {
		sum += int(n)
	}
	return int64(book.Multiplier(sum))
}

// orderOf returns which of all orders of some numbers theirs is, counted from 0. The
// last number is the one that tells first: as many numbers as are smaller than it could
// have been last in its place, each after every order of the numbers without it.
func orderOf(numbers []byte) *big.Int {
	if len(numbers) < 2 {
		return new(big.Int)
	}
	before, last := numbers[:len(numbers)-1], numbers[len(numbers)-1]
	smaller := int64(0)
	for _, n := range before {
		if n < last {
			smaller++
		}
	}
	place := orderOf(before)
	place.Mul(place, big.NewInt(int64(len(numbers))))
	return place.Add(place, big.NewInt(smaller))
}

// grade returns what the game comes to, without what jackpots bring.
func (w *grader) grade() (*outcome, error) {
	reduced := false
	var out *outcome
	var err error
	policies := w.terms.rules.prorate
	for i := range policies {
		if out, err = w.pass(&policies[i]); err != nil {
			return nil, err
		}
		r := newReduction(&policies[i], out.reducible)
		reduced = reduced || r != nil
		w.reductions = append(w.reductions, r)
	}
	if out == nil || reduced {
		return w.pass(nil)
	}
	return out, nil
}

// pass grades every play of the game under the reductions known so far and
// gathers the major prizes that the next one, if any, may reduce.
func (w *grader) pass(next *rulebook.Prorating) (*outcome, error) {
	out := &outcome{kept: new(big.Rat), majors: new(big.Rat), majorsLeft: new(big.Rat)}
	if w.out != nil {
		out.winners = w.out.winners[:0] // Those of a pass before this one are of no use.
	} else {
		out.winners = make([]winner, 0, w.expect)
	}
	w.next, w.out = next, out
	err := w.series.eachPlay(w.game, func(t *ticket, as *game) error {
		w.as, w.play.ways = as, 0
		if err := w.gradeTicket(t); err != nil || w.play.ways == 0 {
			return err
		}
		return w.out.add(w.play)
	})
	if err != nil {
		return nil, err
	}
	w.out.inOrder()
	return w.out, nil
}

// inOrder sorts the winners by place, and joins a ticket's play with those that were
// played along.
func (o *outcome) inOrder() {
	bySeq := func(a, b winner) int { return cmp.Compare(a.seq, b.seq) }
	if slices.IsSortedFunc(o.winners, bySeq) && !o.twice() {
		return
	}
	slices.SortStableFunc(o.winners, bySeq)
	joined := o.winners[:0]
	for _, won := range o.winners {
		if n := len(joined); n > 0 && joined[n-1].seq == won.seq {
			last := &joined[n-1]
			last.cents += won.cents // No more than all prizes.
			last.ways += won.ways
			last.major += won.major
			continue
		}
		joined = append(joined, won)
	}
	o.winners = joined
}

// twice reports whether a ticket stands among the winners twice.
func (o *outcome) twice() bool {
	for i := 1; i < len(o.winners); i++ {
		if o.winners[i].seq == o.winners[i-1].seq {
			return true
		}
	}
	return false
}

// gradeTicket adds the prizes of a ticket's bets to its play.
func (w *grader) gradeTicket(t *ticket) error {
	if t.isLines() {
		return w.gradeLines(t)
	}
	w.play = winner{seq: t.seq, claim: t.claim}
	at := position{ticket: t, game: w.as.ordinal - t.first}
	for k := range t.bets {
		b := &t.bets[k]
		if b.plays(at.game) {
			if err := w.gradeBet(b, at); err != nil {
				return fmt.Errorf("ticket %v, bet %d: %w", placeOf(t.seq), k+1, err)
			}
		}
		at.way += b.ways
		if b.has(fieldRun) {
			at.run++
		}
	}
	return nil
}

// A position is where a bet stands in its ticket: the game, counted from 0, and how
// many ways and runs come before it.
type position struct {
	ticket *ticket
	game   uint32
	way    uint64
	run    uint8
}

// add counts a play that won.
func (o *outcome) add(play winner) error {
	sum, err := o.prizes.Add(play.cents)
	if err != nil {
		return err
	}
	o.prizes = sum
	o.winningWays += play.ways
	o.winners = append(o.winners, play)
	return nil
}

// gradeBet adds the prizes of a bet's ways to its play.
func (w *grader) gradeBet(b *bet, at position) error {
	rules, err := w.terms.betRules(b)
	if err != nil {
		return err
	}
	factor := int64(1)
	if at.game < b.bonus {
		if factor = w.factor; factor == 0 {
			return fmt.Errorf("the rulebook has no multiplier for the numbers of game %v", w.game.name)
		}
	}
	switch rules.form {
	case rulebook.FormCalls:
		return w.gradeCall(b, rules, at, factor)
	case rulebook.FormRace:
		return w.gradeRace(b, rules)
	}
	return w.gradeNumbers(b, rules, at, factor)
}

// gradeNumbers adds the prizes of the ways of a bet on numbers, by spots and
// matches (vic-keno-2015 20(a), tas-keno-2023 11.1, casino-keno-div2 8.1). A way
// that catches all its spots and plays for a jackpot waits for its share.
func (w *grader) gradeNumbers(b *bet, rules *betRules, at position, factor int64) error {
	table := w.terms.catches[rules.index]
	if table == nil {
		return fmt.Errorf("the schedule has no prizes of %s", b.id)
	}
	lucky, err := w.luckyPrize(b)
	if err != nil {
		return err
	}
	var named [ball.Keno + 1]bool // sizes whose winners of a jackpot are named
	for _, ways := range w.counter.count(b, &w.game.drawn) {
		w.meetPromotions(b, at, ways)
		won := stakeTimes{b.stake, factor, table.Prize(ways.spots, ways.matched), table.Per()}
		if ways.matched == ways.spots && rules.jackpot.Has(ways.spots) && w.pools[uint8(ways.spots)] != nil {
			if err := w.winJackpot(b, at, won, lucky, ways, !named[ways.spots]); err != nil {
				return err
			}
			named[ways.spots] = true
			continue
		}
		if err := w.pay(b.id, won, lucky, ways.count); err != nil {
			return err
		}
	}
	return nil
}

// luckyPrize returns what the stake on the last number wins, if the last number drawn
// is among the spots: by the number of spots (tas-keno-2023 21.1), or by how many of them
// were drawn (gr-kino-bonus bonus).
func (w *grader) luckyPrize(b *bet) (stakeTimes, error) {
	if b.lucky == 0 || !slices.Contains(b.spots, w.game.numbers[len(w.game.numbers)-1]) {
		return stakeTimes{}, nil
	}
	if table := w.terms.luckyCatches; table != nil {
		return stakeTimes{b.lucky, 1, table.Prize(len(b.spots), w.game.drawn.in(b.spots)), table.Per()}, nil
	}
	table := w.terms.lucky
	if table == nil {
		return stakeTimes{}, fmt.Errorf("the schedule has no prizes of the last number")
	}
	prize, ok := table.Prize(len(b.spots))
	if !ok {
		return stakeTimes{}, fmt.Errorf("the schedule has no prize of the last number for %d spots", len(b.spots))
	}
	return stakeTimes{b.lucky, 1, prize, table.Per()}, nil
}

// gradeCall adds the prize of a call that was right (vic-keno-2015
// 2(a).heads-or-tails, tas-keno-2023 21.2). One that runs on becomes the stake of
// the next game, unless there is none (2(a).let-it-run).
func (w *grader) gradeCall(b *bet, rules *betRules, at position, factor int64) error {
	call := callNames[b.call(at.game)]
	if call != w.called(rules.calls) {
		return nil
	}
	won, err := w.outcomePrize(b, rules, call, b.onWay(at.game), factor)
	if err != nil {
		return err
	}
	if !b.has(fieldRun) || w.as.ordinal == at.ticket.last {
		return w.pay(b.id, won, stakeTimes{}, 1)
	}
	cents, err := w.prize(b.id, won, stakeTimes{}, 1)
	if err != nil || cents == 0 {
		return err
	}
	w.out.winningWays++
	w.out.carried = append(w.out.carried, carry{record.Carried{
		Ticket: placeOf(at.ticket.seq), Run: at.run, Cents: cents}, b, at.game + 1})
	return nil
}

// called returns the result of the game: whichever half has the majority.
func (w *grader) called(rules rulebook.Calls) string {
	lower, upper := 0, 0
	for _, n := range w.game.numbers {
		if int(n) <= rules.LowerHalf {
			lower++
		} else {
			upper++
		}
	}
	switch {
	case lower >= rules.Majority:
		return "heads"
	case upper >= rules.Majority:
		return "tails"
	}
	return "evens"
}

// gradeRace adds the prizes of forecasts that came true (tas-keno-2023 21.3).
func (w *grader) gradeRace(b *bet, rules *betRules) error {
	order, ok := w.races[rules]
	if !ok {
		order = finish(rules.race, w.game.numbers)
		w.races[rules] = order
	}
	kind, ok := rules.race.Type(b.kind)
	if !ok {
		return fmt.Errorf("there is no bet %q on a race any more", b.kind)
	}
	count := uint64(0)
	for _, f := range b.combos {
		if f.right(&kind, order) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	won, err := w.outcomePrize(b, rules, b.kind, b.stake, 1)
	if err != nil {
		return err
	}
	return w.pay(b.id, won, stakeTimes{}, count)
}

// outcomePrize returns the prize of an outcome that a bet forecast.
func (w *grader) outcomePrize(b *bet, rules *betRules, outcome string, stake money.Amount,
	factor int64) (stakeTimes, error) {
	table := w.terms.results[rules.index]
	if table == nil {
		return stakeTimes{}, fmt.Errorf("the schedule has no prizes of %s", b.id)
	}
	prize, ok := table.Prize(outcome)
	if !ok {
		return stakeTimes{}, fmt.Errorf("the schedule has no prize of %s", outcome)
	}
	return stakeTimes{stake, factor, prize, table.Per()}, nil
}

// pay gives count ways of the play a prize each.
func (w *grader) pay(bet string, won, lucky stakeTimes, count uint64) error {
	if won.prize == 0 && lucky.prize == 0 {
		return nil
	}
	cents, err := w.prize(bet, won, lucky, count)
	if err != nil || cents == 0 {
		return err
	}
	return w.play.add(cents, count, w.terms.rules.majorPay)
}

// prize returns what each of count ways is paid: what it won by the schedule after
// the cap of a way and the reductions, rounded once (vic-keno-2015 21(i)), and on the
// last number, which is a prize of its own and no major prize.
func (w *grader) prize(bet string, won, lucky stakeTimes, count uint64) (money.Amount, error) {
	if lucky.prize == 0 {
		if cents, whole, err := won.whole(); err != nil || whole && w.plain(bet, cents) {
			return cents, err
		}
	}
	x, err := w.exactly(bet, won, count)
	if err != nil {
		return 0, err
	}
	cents, err := w.rounded(x, count)
	if err != nil || lucky.prize == 0 {
		return cents, err
	}
	extra, err := w.onLast(lucky)
	if err != nil {
		return 0, err
	}
	more, err := w.rounded(extra, count)
	if err != nil {
		return 0, err
	}
	return cents.Add(more)
}

// onLast returns what the stake on the last number wins, after the cap of a way.
func (w *grader) onLast(lucky stakeTimes) (*big.Rat, error) {
	extra, err := lucky.rat()
	if err == nil && w.terms.wayCap != nil {
		extra = minRat(extra, w.terms.wayCap)
	}
	return extra, err
}

// exactly returns what a way won by the schedule, after the cap of a way and the
// reductions, and counts major prizes.
func (w *grader) exactly(bet string, won stakeTimes, count uint64) (*big.Rat, error) {
	x, err := won.rat()
	if err != nil {
		return nil, err
	}
	if w.terms.wayCap != nil {
		x = minRat(x, w.terms.wayCap)
	}
	left, isMajor := w.reduce(bet, x, count)
	if isMajor {
		w.out.addMajor(x, left, count)
	}
	return new(big.Rat).Set(left), nil
}

// rounded rounds the prize of each of count ways, and keeps what that takes off.
func (w *grader) rounded(x *big.Rat, count uint64) (money.Amount, error) {
	cents, err := w.terms.rules.rounding.of(x)
	if err != nil {
		return 0, err
	}
	kept := new(big.Rat).Sub(x, ratOf(cents))
	w.out.kept.Add(w.out.kept, kept.Mul(kept, countRat(count)))
	return cents, nil
}

// plain reports whether a prize in whole cents is paid as it is: no major prize
// of any policy, not above the cap of a way, and a multiple of the rounding step.
// That is nearly every prize there is, and needs no fractions.
func (w *grader) plain(bet string, cents money.Amount) bool {
	if w.terms.wayCap != nil || cents%w.terms.rules.rounding.step != 0 {
		return false
	}
	for i := range w.terms.rules.prorate {
		p := &w.terms.rules.prorate[i]
		if p.Cap != nil && covers(p, bet) &&
			(p.MajorOver != nil && cents > p.MajorOver.Amount() || p.MajorFrom != nil &&
				cents >= p.MajorFrom.Amount()) {
			return false
		}
	}
	return true
}

// reduce returns what the reductions leave of a prize and whether it is major
// under one of them. A prize that the next one may reduce is put down for it.
func (w *grader) reduce(bet string, x *big.Rat, count uint64) (left *big.Rat, isMajor bool) {
	for i, r := range w.reductions {
		if p := &w.terms.rules.prorate[i]; covers(p, bet) && majorUnder(p, x) {
			isMajor = true
			x = r.reduce(x)
		}
	}
	if w.next != nil && covers(w.next, bet) && majorUnder(w.next, x) {
		isMajor = true
		w.out.reducible = append(w.out.reducible, major{x, count})
	}
	return x, isMajor
}

// addMajor counts major prizes as won and as reduced.
func (o *outcome) addMajor(won, left *big.Rat, count uint64) {
	o.majors.Add(o.majors, new(big.Rat).Mul(won, countRat(count)))
	o.majorsLeft.Add(o.majorsLeft, new(big.Rat).Mul(left, countRat(count)))
}

// add gives the play count prizes of so many cents. From an amount on, if there is
// one, they are major when they are paid.
func (p *winner) add(cents money.Amount, count uint64, major money.Amount) error {
	prizes, err := cents.Mul(int64(count))
	if err != nil {
		return err
	}
	sum, err := p.cents.Add(prizes)
	if err != nil {
		return err
	}
	p.cents = sum
	if major > 0 && cents >= major {
		p.major += prizes
	}
	p.ways += count
	return nil
}

// stakeTimes is the prize of the schedule for a stake: stake x multiplier x prize /
// per (vic-keno-2015 2(a).keno-bonus(a), tas-keno-2023 1.37). The zero value is no
// prize.
type stakeTimes struct {
	stake      money.Amount
	factor     int64
	prize, per money.Amount
}

// whole returns the prize if it is a whole number of cents.
func (s stakeTimes) whole() (cents money.Amount, ok bool, err error) {
	if s.prize == 0 {
		return 0, true, nil
	}
	if s.per <= 0 {
		return 0, false, fmt.Errorf("a table is for a stake of %v", s.per)
	}
	product, err := s.stake.Mul(s.factor)
	if err == nil {
		product, err = product.Mul(s.prize.Cents())
	}
	if err != nil {
		return 0, false, err
	}
	return product / s.per, product%s.per == 0, nil
}

// rat returns the prize exactly.
func (s stakeTimes) rat() (*big.Rat, error) {
	if s.prize == 0 {
		return new(big.Rat), nil
	}
	if s.per <= 0 {
		return nil, fmt.Errorf("a table is for a stake of %v", s.per)
	}
	x := new(big.Rat).Mul(ratOf(s.stake), ratOf(s.prize))
	x.Mul(x, new(big.Rat).SetInt64(s.factor))
	return x.Quo(x, ratOf(s.per)), nil
}

func covers(p *rulebook.Prorating, bet string) bool {
	return p.Bets == nil || slices.Contains(p.Bets, bet)
}

func ratOf(a money.Amount) *big.Rat { return new(big.Rat).SetInt64(a.Cents()) }
