package odds

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// exactTail is the slow twin of tailOf: it adds the tickets up one by one, with
// rationals, over every total there can be.
func exactTail(majors []Major, n int, limit money.Amount) *big.Rat {
	none := ratio(1, 1)
	for _, m := range majors {
		none = new(big.Rat).Sub(none, m.Probability.Rat)
	}
	totals := map[money.Amount]*big.Rat{0: ratio(1, 1)}
	for range n {
		next := map[money.Amount]*big.Rat{}
		add := func(total money.Amount, p, q *big.Rat) {
			if next[total] == nil {
				next[total] = new(big.Rat)
			}
			next[total].Add(next[total], new(big.Rat).Mul(p, q))
		}
		for total, p := range totals {
			add(total, p, none)
			for _, m := range majors {
				add(total+m.PrizeCents, p, m.Probability.Rat)
			}
		}
		totals = next
	}
	tail := new(big.Rat)
	for total, p := range totals {
		if total > limit {
			tail.Add(tail, p)
		}
	}
	return tail
}

func TestTailAgreesWithExactTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var majors []Major
		for range rapid.IntRange(1, 3).Draw(t, "prizes") {
			prize := rapid.Int64Range(1, 12).Draw(t, "prize")
			p := big.NewRat(rapid.Int64Range(1, 300).Draw(t, "probability"), 1000)
			majors = append(majors, Major{PrizeCents: money.Amount(prize) * 100, Probability: Ratio{p}})
		}
		n := rapid.IntRange(1, 9).Draw(t, "tickets")
		limit := money.Amount(rapid.Int64Range(0, 4000).Draw(t, "cap"))
		got, err := tailOf(majors, n, limit)
		if err != nil {
			t.Fatal(err)
		}
		want := exactTail(majors, n, limit)
		if got.AtLeast.Cmp(want) > 0 || got.AtMost.Cmp(want) < 0 {
			t.Fatalf("tail between %v and %v, want %v", got.AtLeast, got.AtMost, want)
		}
		if !agree(got) {
			t.Fatalf("bounds %v and %v are far apart", got.AtLeast, got.AtMost)
		}
	})
}

// TestTailOfManyTickets meets a binomial tail that can be checked by hand: no prize
// may fall among n tickets if one passes the cap.
func TestTailOfManyTickets(t *testing.T) {
	p := ratio(1, 1000)
	majors := []Major{{PrizeCents: 5000, Probability: Ratio{p}}}
	got, err := tailOf(majors, 2000, 4999)
	if err != nil {
		t.Fatal(err)
	}
	none := new(big.Rat).SetFrac(
		new(big.Int).Exp(big.NewInt(999), big.NewInt(2000), nil), new(big.Int).Exp(big.NewInt(1000), big.NewInt(2000), nil))
	want := new(big.Rat).Sub(ratio(1, 1), none)
	if got.AtLeast.Cmp(want) > 0 || got.AtMost.Cmp(want) < 0 || want.FloatString(10) != got.AtLeast.FloatString(10) {
		t.Errorf("tail between %s and %s, want %s", got.AtLeast.FloatString(20), got.AtMost.FloatString(20),
			want.FloatString(20))
	}
}

func TestLiabilityOfVictoria(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	r := mustOf(t, book, Options{Schedule: "1"})
	eight := find(t, r, "schedule-1", "classic", 8, "")
	liability := func(b *Bet, sold Sold) *Tail {
		t.Helper()
		tail, err := Liability(book, b, sold)
		if err != nil {
			t.Fatal(err)
		}
		return tail
	}

	// 120 tickets at $1 make exactly the cap of $3,000,000, 121 pass it.
	for _, c := range []struct {
		tickets int
		want    *big.Rat
	}{{119, new(big.Rat)}, {120, new(big.Rat)}, {121, kenoDraw.Match(8, 8)}} {
		tail := liability(eight, Sold{Tickets: c.tickets, Stake: money.Dollar})
		wantRat(t, "same numbers", tail.Same.Rat, c.want)
		if len(tail.Majors) != 1 || tail.Majors[0].PrizeCents != 25000*money.Dollar {
			t.Errorf("majors %+v, want 8 of 8 alone: 7 of 8 pays $675", tail.Majors)
		}
	}
	// At $2 the 675 becomes a major of 1,350, and 2,223 of them pass the cap.
	tail := liability(eight, Sold{Tickets: 2223, Stake: 2 * money.Dollar})
	want := new(big.Rat).Add(kenoDraw.Match(8, 8), kenoDraw.Match(8, 7))
	wantRat(t, "same numbers at $2", tail.Same.Rat, want)
	if tail.Independent.AtMost.Cmp(ratio(1, 1_000_000)) > 0 {
		t.Errorf("independent tickets pass the cap with %v", scientific(tail.Independent.AtMost.Rat, 4, true))
	}
	// A major is more than $1,000, not $1,000: 40 spots, 10 times 100 would be one.
	six := find(t, r, "schedule-1", "classic", 6, "")
	if n := len(liability(six, Sold{Tickets: 1, Stake: money.Dollar}).Majors); n != 1 {
		t.Errorf("%d majors of 6 spots at $1, want 1", n)
	}
	// Calls win together; there is nothing independent about them.
	heads := find(t, r, "schedule-1", "heads_or_tails", 0, Heads)
	calls := liability(heads, Sold{Tickets: 2000, Stake: 1000 * money.Dollar})
	wantRat(t, "heads", calls.Same.Rat, heads.HitFrequency.Rat)
	if calls.Independent != nil {
		t.Error("calls have no numbers of their own")
	}
}

// TestMajorThreshold tries the two ways of stating a major prize below, at and
// above the amount.
func TestMajorThreshold(t *testing.T) {
	amount := rulebook.Dollars(1000)
	over, from := rulebook.Prorating{MajorOver: &amount}, rulebook.Prorating{MajorFrom: &amount}
	for _, c := range []struct {
		prize      money.Amount
		over, from bool
	}{{999, false, false}, {1000, false, true}, {1001, true, true}} {
		if isMajor(c.prize, over) != c.over || isMajor(c.prize, from) != c.from {
			t.Errorf("%v: over %v, from %v", c.prize, isMajor(c.prize, over), isMajor(c.prize, from))
		}
	}
}

// TestMultipliedLiability: with the multiplier every ticket of the game shares one
// factor, so that the tail is the mean over factors of the tails with it.
func TestMultipliedLiability(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	r := mustOf(t, book, Options{Schedule: "1"})
	six := find(t, r, "schedule-1", "classic", 6, "")
	const tickets = 400
	tail, err := Liability(book, six, Sold{Tickets: tickets, Stake: 10 * money.Dollar, Multiplied: true})
	if err != nil {
		t.Fatal(err)
	}
	least := new(big.Rat)
	for _, f := range r.Multiplier.Factors {
		var majors []Major
		for _, tier := range six.Tiers {
			if prize := tier.PrizeCents * 10 * money.Amount(f.Factor); prize > 1000*money.Dollar {
				majors = append(majors, Major{PrizeCents: prize, Probability: tier.Probability})
			}
		}
		b, err := tailOf(majors, tickets, 3_000_000*money.Dollar)
		if err != nil {
			t.Fatal(err)
		}
		least.Add(least, new(big.Rat).Mul(b.AtLeast.Rat, f.Probability.Rat))
	}
	if scientific(tail.Independent.AtLeast.Rat, 10, false) != scientific(least, 10, false) || least.Sign() == 0 {
		t.Errorf("tail %s, want %s", scientific(tail.Independent.AtLeast.Rat, 10, false), scientific(least, 10, false))
	}
}

// TestMultipliedLiabilityOfCalls: a call and the sum go together, so that the tail of
// a call with the multiplier is taken from both at once.
func TestMultipliedLiabilityOfCalls(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	r := mustOf(t, book, Options{Schedule: "1", Bet: "heads_or_tails"})
	lower := kenoDraw.Joint(sequence(40))
	for call, came := range map[string]func(lower int) bool{
		Heads: func(n int) bool { return n > 10 },
		Tails: func(n int) bool { return n < 10 },
		Evens: func(n int) bool { return n == 10 },
	} {
		b := find(t, r, "schedule-1", "heads_or_tails", 0, call)
		const tickets, stake = 100, 9_999 * money.Dollar
		tail, err := Liability(book, b, Sold{Tickets: tickets, Stake: stake, Multiplied: true})
		if err != nil {
			t.Fatal(err)
		}
		pays := money.Amount(2)
		if call == Evens {
			pays = 4
		}
		want, mean := new(big.Rat), new(big.Rat)
		for n := range 21 {
			for sum := 210; came(n) && sum <= 1410; sum++ {
				p := lower.Probability(n, sum)
				total := stake * pays * money.Amount(book.Multiplier(sum)) * tickets
				if total > 3_000_000*money.Dollar {
					want.Add(want, p)
				}
				mean.Add(mean, new(big.Rat).Mul(p, big.NewRat(total.Cents(), 1)))
			}
		}
		wantRat(t, call, tail.Same.Rat, want)
		wantRat(t, call+" on average", tail.MeanCents.Rat, mean)
	}
}

// TestMultipliedLiabilityOfGivenNumbers: tickets with the same numbers share what
// those numbers do to the sum; tickets with numbers of their own do not.
func TestMultipliedLiabilityOfGivenNumbers(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	spots := ball.MustParse(ball.Keno, "1-6")
	sold := Sold{Tickets: 200, Stake: 10 * money.Dollar, Multiplied: true}
	liability := func(opts Options) *Tail {
		t.Helper()
		r := mustOf(t, book, opts)
		tail, err := Liability(book, find(t, r, "schedule-1", "classic", 6, ""), sold)
		if err != nil {
			t.Fatal(err)
		}
		return tail
	}
	given, mean := liability(Options{Schedule: "1", Spots: spots}), liability(Options{Schedule: "1"})
	// 200 x $10 x $1,800 x 1 passes $3,000,000 already, 200 x $10 x $80 x 10 does not.
	wantRat(t, "same numbers on average", mean.Same.Rat, kenoDraw.Match(6, 6))
	wantRat(t, "given numbers", given.Same.Rat, kenoDraw.Match(6, 6))
	if given.MeanCents.Cmp(mean.MeanCents.Rat) == 0 {
		t.Error("which numbers they are makes no difference to the prizes with the multiplier")
	}
	wantRat(t, "numbers of their own", given.Independent.AtLeast.Rat, mean.Independent.AtLeast.Rat)
}

// TestSubstitutedJackpotIsOutside: a casino jackpot replaces the schedule prize and
// is not abated; partial catches of the same tickets are.
func TestSubstitutedJackpotIsOutside(t *testing.T) {
	book := loadBook(t, "casino-keno-div2")
	r := mustOf(t, book, Options{})
	for _, c := range []struct {
		bet  string
		want []int
	}{{"standard", []int{7}}, {"special", []int{7, 8}}} {
		b := find(t, r, "approved", c.bet, 8, "")
		tail, err := Liability(book, b, Sold{Tickets: 10, Stake: money.Dollar})
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, m := range tail.Majors {
			got = append(got, m.Matched)
		}
		if len(got) != len(c.want) || got[0] != c.want[0] {
			t.Errorf("%s: majors at %v matched, want %v", c.bet, got, c.want)
		}
	}
}

func TestLiabilityRefuses(t *testing.T) {
	book := loadBook(t, "tas-keno-2023")
	r := mustOf(t, book, Options{})
	standard := find(t, r, "settlement", "standard", 7, "")
	for _, c := range []struct {
		b    *Bet
		sold Sold
		want string
	}{
		{standard, Sold{Tickets: 0, Stake: 100}, "at least one"},
		{standard, Sold{Tickets: 1, Stake: 0}, "no stake"},
		{standard, Sold{Tickets: 1, Stake: 100, Multiplied: true}, "standard 7"},
		{find(t, r, "settlement", "racing", 0, "win"), Sold{Tickets: 1, Stake: 100}, "no cap"},
		{standard, Sold{Tickets: 1 << 62, Stake: 100}, "prizes of"},
	} {
		if _, err := Liability(book, c.b, c.sold); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.sold, err, c.want)
		}
	}
}

func TestScientific(t *testing.T) {
	for _, c := range []struct {
		r    *big.Rat
		up   bool
		want string
	}{
		{ratio(1, 1), false, "1.000e0"},
		{ratio(1, 3), false, "3.333e-1"},
		{ratio(1, 3), true, "3.334e-1"},
		{ratio(99999, 100), true, "1.000e3"},
		{ratio(12345, 1), false, "1.234e4"},
		{ratio(1, 1000), true, "1.000e-3"},
		{ratio(0, 1), true, "0"},
	} {
		if got := scientific(c.r, 4, c.up); got != c.want {
			t.Errorf("scientific(%v, up %v) = %s, want %s", c.r, c.up, got, c.want)
		}
	}
	b, err := json.Marshal(Bounds{Ratio{ratio(1, 3)}, Ratio{ratio(1, 3)}})
	if want := `{"at_least":"3.33333333333e-1","at_most":"3.33333333334e-1"}`; err != nil || string(b) != want {
		t.Errorf("bounds are %s, %v; want %s", b, err, want)
	}
}

func BenchmarkLiability(b *testing.B) {
	book := loadBook(b, "vic-keno-2015")
	eight := find(b, mustOf(b, book, Options{Schedule: "1"}), "schedule-1", "classic", 8, "")
	for b.Loop() {
		if _, err := Liability(book, eight, Sold{Tickets: 100_000, Stake: 2 * money.Dollar}); err != nil {
			b.Fatal(err)
		}
	}
}
