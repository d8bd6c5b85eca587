package odds

import (
	"math/big"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/core/money"
)

// TestClubKenoPublished holds the odds of Club Keno against what the Michigan Lottery publishes: the chance
// of any prize of each number of spots, and the chances of The Kicker.
func TestClubKenoPublished(t *testing.T) {
	r := mustOf(t, loadBook(t, "mi-club-keno"), Options{})
	for spots, want := range map[int]string{10: "9.05", 9: "6.53", 8: "9.77", 7: "4.23", 6: "6.19", 5: "10.34",
		4: "3.86"} {
		b := find(t, r, "published", "club_keno", spots, "")
		if got := new(big.Rat).Inv(b.HitFrequency.Rat).FloatString(2); got != want {
			t.Errorf("%d spots win 1 in %s, published is 1 in %s", spots, got, want)
		}
	}
	places := map[int]int{1: 1, 2: 1} // of decimals that are published
	multiplied := new(big.Rat)
	for i, want := range []struct {
		factor int
		oneIn  string
	}{{1, "2.3"}, {2, "2.5"}, {3, "16"}, {4, "16"}, {5, "27"}, {10, "80"}} {
		f := r.Multiplier.Factors[i]
		oneIn := new(big.Rat).Inv(f.Probability.Rat)
		got := oneIn.FloatString(places[want.factor])
		if want.factor == 1 {
			got = oneIn.FloatString(2)[:3] // 2.35 is published as 2.3
		}
		if f.Factor != want.factor || got != want.oneIn {
			t.Errorf("x%d comes 1 in %s, published is x%d 1 in %s", f.Factor, got, want.factor, want.oneIn)
		}
		if f.Factor > 1 {
			multiplied.Add(multiplied, f.Probability.Rat)
		}
	}
	if got := multiplied.Inv(multiplied).FloatString(2); got != "1.74" || len(r.Multiplier.Factors) != 6 {
		t.Errorf("1 in %s of %d numbers multiplies, published is 1 in 1.74 of 6", got, len(r.Multiplier.Factors))
	}
	if got := r.Multiplier.Mean.RatString(); got != "79/40" {
		t.Errorf("The Kicker is %s on average", got)
	}
}

// TestClubKenoReturns pins the exact returns, and shows that with a wheel the numbers do not matter: the return with
// The Kicker is that without it times the mean of the wheel over two stakes.
func TestClubKenoReturns(t *testing.T) {
	book := loadBook(t, "mi-club-keno")
	r := mustOf(t, book, Options{})
	for spots, want := range clubKenoReturns {
		b := find(t, r, "published", "club_keno", spots, "")
		if b.RTP.Percent() != want[0] || b.Multiplied.RTP.Percent() != want[1] || b.Multiplied.Basis != BasisAny {
			t.Errorf("%d spots return %s%%, with The Kicker %s%% (%s), want %v", spots, b.RTP.Percent(),
				b.Multiplied.RTP.Percent(), b.Multiplied.Basis, want)
		}
		mean := new(big.Rat).Mul(b.RTP.Rat, big.NewRat(79, 80))
		if mean.Cmp(b.Multiplied.RTP.Rat) != 0 {
			t.Errorf("%d spots: %v with The Kicker, want %v", spots, b.Multiplied.RTP, mean)
		}
	}
	given := mustOf(t, book, Options{Spots: ball.MustParse(ball.Keno, "1-6")}).Bets[0]
	if any := find(t, r, "published", "club_keno", 6, ""); given.Multiplied.RTP.Cmp(any.Multiplied.RTP.Rat) != 0 ||
		given.Multiplied.Basis != BasisAny {
		t.Errorf("1 to 6 return %v with The Kicker, and any six numbers %v", given.Multiplied.RTP, any.Multiplied.RTP)
	}
}

// TestKinoPublished holds KINO against what OPAP publishes: for each type how many of its results win, the least and
// the greatest prize for half a euro, and two examples with KINO BONUS.
func TestKinoPublished(t *testing.T) {
	r := mustOf(t, loadBook(t, "gr-kino-bonus"), Options{})
	all := 0
	for spots, want := range map[int]struct {
		wins        int
		least, most money.Amount // for half a euro
	}{
		12: {8, 200, 50_000_000}, 11: {8, 50, 25_000_000}, 10: {7, 100, 5_000_000}, 9: {6, 50, 2_000_000},
		8: {5, 100, 750_000}, 7: {5, 50, 250_000},
		6: {4, 50, 80_000}, 5: {3, 100, 22_500}, 4: {3, 50, 5_000}, 3: {2, 125, 1_250}, 2: {2, 50, 250}, 1: {1, 125, 125},
	} {
		b := find(t, r, "published", "kino", spots, "")
		wins, least, most := 0, money.Amount(1<<62), money.Amount(0)
		for _, tier := range b.Tiers {
			if tier.PrizeCents > 0 {
				wins++
				least, most = min(least, tier.PrizeCents/2), max(most, tier.PrizeCents/2)
			}
		}
		if all += wins; wins != want.wins || least != want.least || most != want.most {
			t.Errorf("type %d has %d prizes from %v to %v, published are %+v", spots, wins, least, most, want)
		}
	}
	if all != 54 {
		t.Errorf("%d prizes in all, published are 54", all)
	}
	bonus := find(t, r, "published", "lucky_last", 6, "")
	main := find(t, r, "published", "kino", 6, "")
	if five, one := main.Tiers[5].PrizeCents+bonus.Tiers[5].PrizeCents, main.Tiers[1].PrizeCents+
		bonus.Tiers[1].PrizeCents; five != 300_00 || one != 2_00 {
		t.Errorf("6 numbers with the bonus number win %v with 5 matches and %v with 1, published are 300 and 2 times the stake", five, one)
	}
}

// TestKinoReturns pins the exact returns, and works out those of KINO BONUS by counting: the last number is one of the
// numbers in spots/80 of all draws, and then the other nineteen are drawn from the 79 others.
func TestKinoReturns(t *testing.T) {
	r := mustOf(t, loadBook(t, "gr-kino-bonus"), Options{})
	others, err := NewDraw(79, 19)
	if err != nil {
		t.Fatal(err)
	}
	for spots, want := range kinoReturns {
		main, bonus := find(t, r, "published", "kino", spots, ""), find(t, r, "published", "lucky_last", spots, "")
		with := new(big.Rat).Add(main.RTP.Rat, bonus.RTP.Rat)
		with.Quo(with, big.NewRat(2, 1))
		if got := (Ratio{with}).Percent(); main.RTP.Percent() != want[0] || got != want[1] {
			t.Errorf("%d numbers return %s%%, with KINO BONUS %s%%, want %v", spots, main.RTP.Percent(), got, want)
		}
		counted, sum := new(big.Rat), new(big.Rat)
		for _, tier := range bonus.Tiers {
			sum.Add(sum, tier.Probability.Rat)
			if tier.Matched == 0 {
				continue
			}
			p := others.Match(spots-1, tier.Matched-1)
			p.Mul(p, big.NewRat(int64(spots), 80))
			if p.Cmp(tier.Probability.Rat) != 0 {
				t.Errorf("%d of %d with the last number: %v, want %v", tier.Matched, spots, tier.Probability, p)
			}
			counted.Add(counted, p.Mul(p, big.NewRat(tier.PrizeCents.Cents(), 100)))
		}
		if counted.Cmp(bonus.RTP.Rat) != 0 || sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%d numbers: KINO BONUS returns %v, counted %v; probabilities come to %v", spots, bonus.RTP, counted, sum)
		}
	}
}

// The returns in percent: without the feature, and of both stakes with it.
var (
	clubKenoReturns = map[int][2]string{
		1:  {"50.0000", "49.3750"},
		2:  {"66.1392", "65.3125"},
		3:  {"65.2142", "64.3990"},
		4:  {"64.9439", "64.1321"},
		5:  {"64.9951", "64.1827"},
		6:  {"64.7920", "63.9821"},
		7:  {"65.2984", "64.4822"},
		8:  {"64.7475", "63.9382"},
		9:  {"64.8069", "63.9968"},
		10: {"63.6694", "62.8735"},
	}
	kinoReturns = map[int][2]string{
		1:  {"62.5000", "62.5000"},
		2:  {"68.0380", "67.8006"},
		3:  {"69.3768", "69.6689"},
		4:  {"69.1966", "69.2538"},
		5:  {"69.9933", "69.9635"},
		6:  {"69.0743", "68.9870"},
		7:  {"69.9557", "69.9035"},
		8:  {"69.0009", "68.9632"},
		9:  {"69.7778", "69.7582"},
		10: {"69.3053", "69.2668"},
		11: {"69.1223", "69.1643"},
		12: {"69.7821", "69.7412"},
	}
)
