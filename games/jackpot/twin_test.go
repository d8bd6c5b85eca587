package jackpot

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
)

// slowPool is a pool in the twin: dollars and cents as rational numbers of cents.
type slowPool struct {
	primary, secondary, owed, seed *big.Rat
	waiting                        *big.Rat
	came                           *big.Rat // of what waited, since the last win
}

// slowRules are the rules of one jurisdiction on one jackpot, with the figures of
// its text and not of its rulebook.
type slowRules interface {
	// split says which parts of a stake go to primary, secondary and operator in a
	// game that opens with this pool.
	split(p *slowPool) (primary, secondary, operator *big.Rat)
	// fixed is what winners share beside the pool: the fill, and the bonus jackpot.
	fixed(multiplier int) (fill, bonus *big.Rat)
	// next makes a won pool ready.
	next(p *slowPool)
}

func rat(n int64) *big.Rat         { return big.NewRat(n, 1) }
func percent(n int64) *big.Rat     { return big.NewRat(n, 100) }
func inDollars(n int64) *big.Rat   { return rat(n * 100) }
func plus(a, b *big.Rat) *big.Rat  { return new(big.Rat).Add(a, b) }
func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func smaller(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// wholeCents rounds down.
func wholeCents(x *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
}

// slowVictoria: 10% of the stakes; $750,000 and $2,900,000 on 10 spots, and so on,
// by schedule 1.
type slowVictoria struct{ spots int }

func (slowVictoria) split(*slowPool) (primary, secondary, operator *big.Rat) {
	return percent(10), rat(0), rat(0)
}

func (v slowVictoria) fixed(multiplier int) (fill, bonus *big.Rat) {
	fill, bonus = rat(0), rat(0)
	if v.spots == 10 {
		fill = inDollars(750_000)
	}
	switch multiplier {
	case 2, 3, 4, 5, 10:
		bonus = inDollars(map[int]int64{7: 7_000, 8: 38_000, 9: 180_000, 10: 2_900_000}[v.spots])
	}
	return fill, bonus
}

func (slowVictoria) next(*slowPool) {}

// slowTasmania: 10% on 7 and 8 spots; on 9 spots 15% below $50,000 and from there
// 10% and 5%; with a seed 10% and 10% below $100,000, else 6% and 14%.
type slowTasmania struct{ spots int }

func (r slowTasmania) split(p *slowPool) (primary, secondary, operator *big.Rat) {
	switch {
	case p.owed.Cmp(inDollars(100_000)) >= 0:
		return percent(6), rat(0), percent(14)
	case p.owed.Sign() > 0:
		return percent(10), rat(0), percent(10)
	case r.spots != 9:
		return percent(10), rat(0), rat(0)
	case p.primary.Cmp(inDollars(50_000)) < 0:
		return percent(15), rat(0), rat(0)
	}
	return percent(10), percent(5), rat(0)
}

func (slowTasmania) fixed(int) (fill, bonus *big.Rat) { return rat(0), rat(0) }

func (slowTasmania) next(p *slowPool) {
	p.primary, p.secondary = plus(p.primary, p.secondary), rat(0)
	lot := p.waiting
	if wholeCents(lot).Cmp(inDollars(250_000)) > 0 {
		lot = inDollars(250_000)
	}
	p.primary, p.waiting, p.came = plus(p.primary, lot), minus(p.waiting, lot), lot
}

// slowCasino: 3% on 6 spots from $1,500, 5% on 8 spots from $10,000.
type slowCasino struct{ spots int }

func (r slowCasino) split(*slowPool) (primary, secondary, operator *big.Rat) {
	return percent(map[int]int64{6: 3, 8: 5}[r.spots]), rat(0), rat(0)
}

func (slowCasino) fixed(int) (fill, bonus *big.Rat) { return rat(0), rat(0) }

func (r slowCasino) next(p *slowPool) {
	p.primary = plus(p.primary, inDollars(map[int]int64{6: 1_500, 8: 10_000}[r.spots]))
}

// contribute divides the stakes of a game. The operator takes no more than it is
// owed, and the rest is the players'.
func (p *slowPool) contribute(stakes money.Amount, primary, secondary, operator *big.Rat) {
	all := rat(stakes.Cents())
	instalment := times(all, operator)
	repaid := smaller(instalment, p.owed)
	p.primary = plus(p.primary, plus(times(all, primary), minus(instalment, repaid)))
	p.secondary = plus(p.secondary, times(all, secondary))
	p.owed = minus(p.owed, repaid)
	p.seed = smaller(p.seed, p.owed)
}

// win pays the winners one after the other and returns what each gets. Everybody,
// here and elsewhere, has a part of the pooled amount by stake.
func (p *slowPool) win(r slowRules, winners []Winner, multiplier int, e Elsewhere) []*big.Rat {
	here, bonused := rat(0), rat(0)
	for _, w := range winners {
		here = plus(here, rat(w.Stake.Cents()))
		if w.Bonus {
			bonused = plus(bonused, rat(w.Stake.Cents()))
		}
	}
	everywhere := plus(here, rat(e.Stakes.Cents()))
	if everywhere.Sign() == 0 {
		return nil
	}
	pooled := plus(wholeCents(p.primary), rat(e.Growth.Cents()))
	fill, bonus := r.fixed(multiplier)
	// What belongs to winners here and what they leave of it.
	left := wholeCents(times(pooled, new(big.Rat).Quo(here, everywhere)))
	if here.Sign() > 0 {
		left = plus(left, fill)
	}
	var prizes []*big.Rat
	for _, w := range winners {
		stake := rat(w.Stake.Cents())
		prize := plus(wholeCents(times(pooled, new(big.Rat).Quo(stake, everywhere))),
			wholeCents(times(fill, new(big.Rat).Quo(stake, here))))
		left = minus(left, prize)
		if w.Bonus {
			prize = plus(prize, wholeCents(times(bonus, new(big.Rat).Quo(stake, bonused))))
		}
		prizes = append(prizes, prize)
	}
	p.primary = plus(minus(p.primary, wholeCents(p.primary)), left)
	p.seed = rat(0)
	return prizes
}

// inParts returns a number of cents in ten-thousandths of a cent.
func inParts(t fataler, x *big.Rat) Exact {
	parts := times(x, rat(10_000))
	if !parts.IsInt() || !parts.Num().IsInt64() {
		t.Fatalf("%v cents are not exact", x)
	}
	return Exact(parts.Num().Int64())
}

// twins are a pool and its twin, with the books that the movements add up to.
type twins struct {
	*rapid.T
	terms *Terms
	rules slowRules
	fast  Pool
	slow  slowPool
	books Movement
	// in is every cent that came into pools, fills and bonus jackpots from stakes,
	// the operator and the fund, exactly; out is every cent that left.
	in, out *big.Rat
}

func newTwins(t *rapid.T) *twins {
	model := rapid.SampledFrom([]string{victoria, tasmania, casino}).Draw(t, "model")
	w := &twins{T: t, terms: newTerms(t, model), in: rat(0), out: rat(0)}
	spots := rapid.SampledFrom(w.terms.Spots()).Draw(t, "spots")
	switch model {
	case victoria:
		w.rules = slowVictoria{spots}
	case tasmania:
		w.rules = slowTasmania{spots}
	case casino:
		w.rules = slowCasino{spots}
	}
	w.slow = slowPool{rat(0), rat(0), rat(0), rat(0), rat(0), rat(0)}
	if model == casino {
		w.rules.next(&w.slow)
	}
	pool, move, err := w.terms.Open(1, spots)
	w.in = plus(w.in, rat(-move.Operator.Cents()))
	w.step(pool, move, err)
	return w
}

// step takes over what an operation returned and holds it against the twin.
func (w *twins) step(p Pool, m Movement, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	if m.sum() != 0 {
		w.Fatalf("movement %+v does not balance", m)
	}
	w.fast, w.books = p, w.books.plus(m)
	for _, c := range []struct {
		name string
		fast Exact
		slow *big.Rat
	}{
		{"primary", p.Primary, w.slow.primary}, {"secondary", p.Secondary, w.slow.secondary},
		{"owed", p.Owed, w.slow.owed}, {"seeded", p.Seeded, w.slow.seed}, {"waiting", p.Waiting, w.slow.waiting},
	} {
		if c.fast != inParts(w, c.slow) {
			w.Fatalf("%s is %v, its twin %v cents", c.name, c.fast, c.slow)
		}
	}
	if w.books.Primary != p.Primary.Cents() || w.books.Secondary != p.Secondary.Cents() ||
		w.books.Waiting != p.Waiting.Cents() {
		w.Fatalf("the books have %+v, the pool %+v", w.books, p)
	}
	if held := plus(w.slow.primary, plus(w.slow.secondary, w.slow.waiting)); held.Cmp(minus(w.in, w.out)) != 0 {
		w.Fatalf("%v cents came in and %v went out, and %v are there", w.in, w.out, held)
	}
}

func (w *twins) game() {
	opened := w.slow
	rate, err := w.terms.Rate(w.fast)
	if err != nil {
		w.Fatal(err)
	}
	if rapid.Bool().Draw(w.T, "a seed is lent while the game is open") {
		w.lend()
	}
	stakes := amount(0, 400_000).Draw(w.T, "stakes")
	primary, secondary, operator := w.rules.split(&opened)
	owed := w.slow.owed
	w.slow.contribute(stakes, primary, secondary, operator)
	all := times(rat(stakes.Cents()), plus(primary, plus(secondary, operator)))
	w.in = plus(w.in, all)
	w.out = plus(w.out, minus(owed, w.slow.owed))
	before := w.fast
	p, c, m, err := Contribute(w.fast, stakes, rate)
	w.step(p, m, err)
	if back, _, undone, err := TakeBack(p, c, 0); err != nil || back != before || undone.plus(m) != (Movement{}) {
		w.Fatalf("taken back %+v is %+v, was %+v, %v", p, back, before, err)
	}
	left := money.Amount(rapid.Int64Range(0, stakes.Cents()).Draw(w.T, "left"))
	lower, _, _, err := TakeBack(p, c, left)
	if direct, _, _, err2 := Contribute(before, left, rate); err != nil || err2 != nil || lower != direct {
		w.Fatalf("%v taken back is %+v, never staked %+v (%v, %v)", stakes-left, lower, direct, err, err2)
	}
}

func (w *twins) draw() {
	winners := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Winner {
		return Winner{Stake: amount(1, 9_999).Draw(t, "stake"), Bonus: rapid.Bool().Draw(t, "bonus")}
	}), 0, 5).Draw(w.T, "winners")
	multiplier := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 10}).Draw(w.T, "multiplier")
	var e Elsewhere
	if w.terms.policy.Pooled && rapid.Bool().Draw(w.T, "pooled") {
		e = Elsewhere{Growth: amount(0, 900_000).Draw(w.T, "growth"), Stakes: 10 * amount(0, 9_999).Draw(w.T, "elsewhere")}
	}
	showing, err := w.terms.Showing(w.fast, e.Growth)
	if err != nil {
		w.Fatal(err)
	}
	before := w.slow.primary
	prizes := w.slow.win(w.rules, winners, multiplier, e)
	w.out = plus(w.out, minus(before, w.slow.primary))
	won, err := w.terms.Win(w.fast, winners, multiplier, e)
	w.step(won.After, won.Move, err)
	var paid, taken money.Amount
	for i, winner := range winners {
		share, err := won.Share(winner)
		if err != nil || rat(share.Cents()).Cmp(prizes[i]) != 0 {
			w.Fatalf("winner %d gets %v, by the twin %v cents: %v", i, share, prizes[i], err)
		}
		paid += share
		w.explained(won, winner, share)
		for _, a := range won.Awards {
			if part, _ := a.Share(winner); a.Part != PartBonus {
				taken += part
			}
		}
	}
	if paid != won.Move.Winners || taken > showing {
		w.Fatalf("winners get %v, booked are %v; %v of the %v shown", paid, won.Move.Winners, taken, showing)
	}
	if won.After.Won {
		w.next()
	}
}

// explained holds the lines of an explanation to the share that they explain.
func (w *twins) explained(won Won, winner Winner, share money.Amount) {
	lines, err := w.terms.Explain(won.Awards, int(w.fast.Spots), winner)
	var sum money.Amount
	for _, l := range lines {
		sum += l.Amount
	}
	if err != nil || sum != share {
		w.Fatalf("explained are %v of %v: %v", sum, share, err)
	}
}

func (w *twins) next() {
	before := plus(w.slow.primary, plus(w.slow.secondary, w.slow.waiting))
	w.rules.next(&w.slow)
	w.in = plus(w.in, minus(plus(w.slow.primary, plus(w.slow.secondary, w.slow.waiting)), before))
	w.step(w.terms.Next(w.fast))
}

func (w *twins) lend() {
	if w.terms.policy.Seed == nil {
		return
	}
	lent := amount(1, 150_000).Draw(w.T, "seed")
	w.slow.primary = plus(w.slow.primary, rat(lent.Cents()))
	w.slow.owed = plus(w.slow.owed, rat(lent.Cents()))
	w.slow.seed = plus(w.slow.seed, rat(lent.Cents()))
	w.in = plus(w.in, rat(lent.Cents()))
	w.step(w.terms.Lend(w.fast, lent, Approval{Reference: "r"}))
}

func (w *twins) reallocate() {
	whole := w.fast.Secondary.Cents()
	if whole == 0 {
		return
	}
	moved := money.Amount(rapid.Int64Range(1, whole.Cents()).Draw(w.T, "moved"))
	w.slow.primary = plus(w.slow.primary, rat(moved.Cents()))
	w.slow.secondary = minus(w.slow.secondary, rat(moved.Cents()))
	w.step(w.terms.Reallocate(w.fast, moved, Approval{Reference: "r"}))
}

func (w *twins) migrate() {
	if w.terms.migration == nil || w.fast.Spots != 9 {
		return
	}
	old := Pool{Series: 9, Spots: 8, Primary: Exact(amount(0, 400_000).Draw(w.T, "old primary"))*perCent + 1234}
	old.Owed = old.Primary / 2
	old.Seeded = old.Owed / 2
	players := minus(big.NewRat(int64(old.Primary), 10_000), big.NewRat(int64(old.Seeded), 10_000))
	w.in = plus(w.in, players)
	room, came := minus(inDollars(250_000), w.slow.came), inParts(w, w.slow.came)
	if w.slow.waiting.Sign() > 0 || room.Sign() < 0 {
		room = rat(0)
	}
	w.slow.waiting = plus(w.slow.waiting, players)
	lot := w.slow.waiting
	if wholeCents(lot).Cmp(wholeCents(room)) > 0 {
		lot = room
	}
	w.slow.primary, w.slow.waiting = plus(w.slow.primary, lot), minus(w.slow.waiting, lot)
	w.slow.came = plus(w.slow.came, lot)
	closed, p, m, err := w.terms.Migrate([]Pool{old}, w.fast, came)
	if err == nil && closed[0].Primary+closed[0].Secondary != 0 {
		w.Fatalf("left behind: %+v", closed[0])
	}
	m.Primary += old.Primary.Cents() // The old pool has books of its own.
	m.Fund -= old.Primary.Cents()
	w.step(p, m, err)
}

// amount draws an amount of up to so many dollars, often near an edge.
func amount(least, dollars int64) *rapid.Generator[money.Amount] {
	return rapid.Custom(func(t *rapid.T) money.Amount {
		edges := []int64{least, 50_000_00, 100_000_00, 250_000_00, dollars * 100}
		at := rapid.SampledFrom(edges).Draw(t, "edge") + rapid.Int64Range(-2, 2).Draw(t, "beside")
		if rapid.Bool().Draw(t, "anywhere") {
			at = rapid.Int64Range(least, dollars*100).Draw(t, "cents")
		}
		return money.Amount(min(max(at, least), dollars*100))
	})
}

// agree plays a random run of games with pool and twin.
func agree(t *rapid.T) {
	w := newTwins(t)
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		switch rapid.SampledFrom([]string{"game", "game", "game", "draw", "lend", "reallocate", "migrate"}).Draw(t, "step") {
		case "game":
			w.game()
		case "draw":
			w.draw()
		case "lend":
			w.lend()
		case "reallocate":
			w.reallocate()
		case "migrate":
			w.migrate()
		}
	}
}

// TestTwin compares pools with the twin over random games: to the exact fraction,
// with nothing lost, and with books that balance and have what the pools have.
func TestTwin(t *testing.T) { rapid.Check(t, agree) }

func FuzzTwin(f *testing.F) { f.Fuzz(rapid.MakeFuzz(agree)) }
