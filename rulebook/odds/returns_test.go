package odds

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// loadBook reads one of the rulebooks that are shipped.
func loadBook(tb testing.TB, id string) *rulebook.Book {
	tb.Helper()
	name := filepath.Join("..", "rules", id, "book.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	book, err := rulebook.Load(name, data)
	if err != nil {
		tb.Fatal(err)
	}
	return book
}

func mustOf(tb testing.TB, book *rulebook.Book, opts Options) *Report {
	tb.Helper()
	r, err := Of(book, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// find returns the one bet of a report with that schedule, id and size, call or type.
func find(tb testing.TB, r *Report, schedule, bet string, spots int, word string) *Bet {
	tb.Helper()
	for i := range r.Bets {
		b := &r.Bets[i]
		if b.Schedule == schedule && b.Bet == bet && b.Spots == spots && b.Pick+b.Type == word {
			return b
		}
	}
	tb.Fatalf("no %s %d %s in %s of %s", bet, spots, word, schedule, r.Rulebook)
	return nil
}

// TestPublishedReturns checks percentages that were computed elsewhere from the
// printed tables, to every digit stated.
func TestPublishedReturns(t *testing.T) {
	vic := mustOf(t, loadBook(t, "vic-keno-2015"), Options{})
	for spots, want := range map[int]string{
		1: "75.0000", 2: "72.1519", 3: "74.9270", 4: "75.3234", 5: "74.9915", 6: "75.2333", 7: "64.8751",
		8: "65.0077", 9: "66.9665", 10: "56.7410", 15: "74.9957", 20: "75.0589", 40: "74.9273",
	} {
		if got := find(t, vic, "schedule-1", "classic", spots, "").RTP.Percent(); got != want {
			t.Errorf("classic %d returns %s%%, want %s%%", spots, got, want)
		}
	}
	for call, want := range map[string]string{Heads: "79.6757", Tails: "79.6757", Evens: "81.2972"} {
		for _, schedule := range []string{"schedule-1", "schedule-2", "schedule-3"} {
			if got := find(t, vic, schedule, "heads_or_tails", 0, call).RTP.Percent(); got != want {
				t.Errorf("%s returns %s%%, want %s%%", call, got, want)
			}
		}
	}
	if got := vic.Multiplier.Mean.Decimal(6); got != "2.004790" {
		t.Errorf("mean multiplier %s, want 2.004790", got)
	}
	if got := find(t, vic, "schedule-1", "classic", 6, "").Multiplied; got.RTP.Percent() != "75.4135" ||
		got.Basis != BasisMean {
		t.Errorf("6 spots with the multiplier return %s%% (%s), want 75.4135%%", got.RTP.Percent(), got.Basis)
	}
}

func TestGivenSpotsMultiplied(t *testing.T) {
	spots := ball.MustParse(ball.Keno, "1-6")
	r := mustOf(t, loadBook(t, "vic-keno-2015"), Options{Schedule: "1", Spots: spots})
	if len(r.Bets) != 1 {
		t.Fatalf("%d bets, want the one of 6 spots", len(r.Bets))
	}
	m := r.Bets[0].Multiplied
	if m.RTP.Percent() != "75.4317" || m.Basis != BasisGiven {
		t.Errorf("spots %v with the multiplier return %s%% (%s), want 75.4317%%", spots, m.RTP.Percent(), m.Basis)
	}
	if got := r.Bets[0].RTP.Percent(); got != "75.2333" {
		t.Errorf("without the multiplier %s%%: the numbers must not matter", got)
	}
}

// TestRacingReturns: three quarters for every type, but for the dead heat.
func TestRacingReturns(t *testing.T) {
	r := mustOf(t, loadBook(t, "tas-keno-2023"), Options{Bet: "racing"})
	threeQuarters := ratio(3, 4)
	heat := new(big.Rat).SetFrac(big.NewInt(28), kenoDraw.Outcomes())
	if got := heat.FloatString(20); got != "0.00000000000000000792" {
		t.Errorf("probability of the dead heat %s, want 7.92e-18", got)
	}
	// What the dead heat adds, in multiples of its probability: prize x (given the heat - plainly).
	gain := map[string]*big.Rat{
		"win": ratio(0, 1), "quinella": ratio(0, 1), "exact_quinella": ratio(0, 1),
		"place": ratio(2*5, 8), "trio": ratio(42*5, 56), "trifecta": ratio(252*5, 336),
	}
	if len(r.Bets) != len(gain) {
		t.Errorf("%d types, want %d", len(r.Bets), len(gain))
	}
	for _, b := range r.Bets {
		want := new(big.Rat).Mul(gain[b.Type], heat)
		wantRat(t, b.Type, b.RTP.Rat, want.Add(want, threeQuarters))
	}
}

func TestLuckyLastReturns(t *testing.T) {
	r := mustOf(t, loadBook(t, "tas-keno-2023"), Options{Bet: "lucky_last"})
	if len(r.Bets) != 15 {
		t.Fatalf("%d sizes, want 15", len(r.Bets))
	}
	wantRat(t, "1 spot", r.Bets[0].RTP.Rat, ratio(60, 80))
	wantRat(t, "7 spots", r.Bets[6].RTP.Rat, ratio(850*7, 8000))
	wantRat(t, "14 spots", r.Bets[13].RTP.Rat, ratio(4*14, 80))
}

// TestReportsAreWhole checks, for every bet of every keno rulebook, what must hold
// of any bet.
func TestReportsAreWhole(t *testing.T) {
	for _, id := range kenoBooks {
		for _, b := range mustOf(t, loadBook(t, id), Options{}).Bets {
			total, mean := new(big.Rat), new(big.Rat)
			for _, tier := range b.Tiers {
				total.Add(total, tier.Probability.Rat)
				prize := big.NewRat(tier.PrizeCents.Cents(), b.PerCents.Cents())
				mean.Add(mean, prize.Mul(prize, tier.Probability.Rat))
			}
			wantRat(t, id+" probabilities", total, ratio(1, 1))
			wantRat(t, id+" return", b.RTP.Rat, mean)
			if b.RTP.Cmp(ratio(1, 1)) >= 0 || b.RTP.Cmp(ratio(2, 5)) < 0 {
				t.Errorf("%s: %s %d%s%s of %s returns %s%%", id, b.Bet, b.Spots, b.Pick, b.Type, b.Schedule, b.RTP.Percent())
			}
			if b.Variance.Sign() <= 0 || b.HitFrequency.Sign() <= 0 {
				t.Errorf("%s: %s has variance %v and hit frequency %v", id, b.Bet, b.Variance, b.HitFrequency)
			}
			// No game gives more than it takes, not even with all that its pools pay.
			if b.Jackpot == nil {
				continue
			}
			for _, c := range b.Jackpot.Contributions {
				if c.RTP.Cmp(ratio(4, 5)) > 0 {
					t.Errorf("%s: %s %d of %s returns %s%% with its jackpot", id, b.Bet, b.Spots, b.Schedule, c.RTP.Percent())
				}
			}
		}
	}
}

// kenoBooks are the shipped rulebooks that have odds.
var kenoBooks = []string{"vic-keno-2015", "casino-keno-div2", "tas-keno-2023"}

// TestMultipliedByEnumeration compares the multiplied return of given spots with a
// plain double loop over matched and sum.
func TestMultipliedByEnumeration(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	spots := ball.MustParse(ball.Keno, "5 18 33 41 60 72 79 80")
	b := mustOf(t, book, Options{Schedule: "schedule-2", Spots: spots}).Bets[0]
	schedule, _ := book.Schedule("schedule-2")
	table, _ := schedule.Catch("classic")
	j := kenoDraw.Joint(spots.Numbers())
	want, bonus := new(big.Rat), new(big.Rat)
	for matched := range 9 {
		for s := 210; s <= 1410; s++ {
			p := j.Probability(matched, s)
			x := big.NewRat(table.Prize(8, matched).Cents()*int64(book.Multiplier(s)), 200)
			want.Add(want, x.Mul(x, p))
			if matched == 8 && book.Multiplier(s) >= 2 {
				bonus.Add(bonus, p)
			}
		}
	}
	wantRat(t, "multiplied return", b.Multiplied.RTP.Rat, want)
	wantRat(t, "bonus jackpot", b.Multiplied.BonusJackpot.Probability.Rat, bonus)
	wantRat(t, "bonus jackpot return", b.Multiplied.BonusJackpot.RTP.Rat, bonus.Mul(bonus, ratio(44000, 2)))
}

// TestRuns checks a run of five games against the sum over all that can happen to
// it: it survives with probability p^5 and then pays 2^5.
func TestRuns(t *testing.T) {
	r := mustOf(t, loadBook(t, "vic-keno-2015"), Options{Schedule: "1", Bet: "heads_or_tails"})
	heads, tails := find(t, r, "schedule-1", "heads_or_tails", 0, Heads),
		find(t, r, "schedule-1", "heads_or_tails", 0, Tails)
	if len(heads.Runs) != 5 {
		t.Fatalf("%d runs, want 5", len(heads.Runs))
	}
	p := kenoDraw.Calls(Halves{40, 11})[Heads]
	want := ratio(1, 1)
	for i, run := range heads.Runs {
		want = new(big.Rat).Mul(want, p)
		pays := new(big.Rat).Mul(want, ratio(1<<(i+1), 1))
		wantRat(t, "run", run.RTP.Rat, pays)
	}
	if !heads.Multiplied.RunOnly {
		t.Error("the multiplier goes with a call only in a run")
	}
	// n -> 81-n swaps heads with tails and keeps every factor of this table.
	wantRat(t, "tails with the multiplier", tails.Multiplied.RTP.Rat, heads.Multiplied.RTP.Rat)
	independent := new(big.Rat).Mul(heads.RTP.Rat, r.Multiplier.Mean.Rat)
	if independent.Mul(independent, ratio(1, 2)); independent.Cmp(heads.Multiplied.RTP.Rat) == 0 {
		t.Error("the call and the sum must not be independent")
	}
	square := new(big.Rat).Mul(heads.Multiplied.RTP.Rat, heads.Multiplied.RTP.Rat)
	wantRat(t, "run of two with the multiplier", heads.Runs[1].MultipliedRTP.Rat, square)
	// The calls share out the mean multiplier between them.
	evens := find(t, r, "schedule-1", "heads_or_tails", 0, Evens)
	mean := new(big.Rat).Add(heads.Multiplied.RTP.Rat, tails.Multiplied.RTP.Rat)
	half := new(big.Rat).Mul(evens.Multiplied.RTP.Rat, ratio(1, 2))
	wantRat(t, "mean multiplier", mean.Add(mean, half), r.Multiplier.Mean.Rat)
}

// TestWayCap puts a cap on a way that only multiplied prizes pass: the return stays,
// the one with the multiplier falls by what is cut, and the report says so.
func TestWayCap(t *testing.T) {
	data, err := os.ReadFile("../rules/vic-keno-2015/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const line = "      current_from: 2015-03-01\n"
	book, err := rulebook.Load("capped", []byte(strings.Replace(string(data), line, line+
		"      way_cap: 500000\n      way_cap_clause: \"24(a)\"\n", 1)))
	if err != nil {
		t.Fatal(err)
	}
	capped, free := mustOf(t, book, Options{Schedule: "1"}),
		mustOf(t, loadBook(t, "vic-keno-2015"), Options{Schedule: "1"})
	for _, spots := range []int{6, 10} {
		c, f := find(t, capped, "schedule-1", "classic", spots, ""), find(t, free, "schedule-1", "classic", spots, "")
		wantRat(t, "return", c.RTP.Rat, f.RTP.Rat)
		want := new(big.Rat).Set(f.Multiplied.RTP.Rat)
		for _, factor := range free.Multiplier.Factors {
			if cut := int64(250_000*factor.Factor - 500_000); spots == 10 && cut > 0 {
				p := new(big.Rat).Mul(kenoDraw.Match(10, 10), factor.Probability.Rat)
				want.Sub(want, p.Mul(p, big.NewRat(cut, 2)))
			}
		}
		wantRat(t, "return with the multiplier", c.Multiplied.RTP.Rat, want)
	}
	if len(free.Notes) != 1 || len(capped.Notes) != 2 || free.Notes[0] != capped.Notes[1] ||
		!strings.Contains(capped.Notes[0], "at most $500,000.00 (rule 24(a))") {
		t.Errorf("notes %q and %q", free.Notes, capped.Notes)
	}
}

func TestJackpotParts(t *testing.T) {
	vic := mustOf(t, loadBook(t, "vic-keno-2015"), Options{})
	ten := find(t, vic, "schedule-1", "classic", 10, "").Jackpot
	if got := ten.Cycle.Decimal(4); got != "8911711.1765" {
		t.Errorf("cycle %s, want 8911711.1765", got)
	}
	if ten.TopWithFill.String() != "$1,000,000.00" {
		t.Errorf("top prize with fill %v, want a million", ten.TopWithFill)
	}
	// 56.7410 + 750000/8911711.1765 + 10
	if got := ten.Contributions[0].RTP.Percent(); got != "75.1569" {
		t.Errorf("10 spots with the jackpot return %s%%, want 75.1569%%", got)
	}
	if b := find(t, vic, "schedule-1", "classic", 6, ""); b.Jackpot != nil || b.Multiplied.BonusJackpot != nil {
		t.Error("6 spots play for no jackpot")
	}
	tas := mustOf(t, loadBook(t, "tas-keno-2023"), Options{})
	nine := find(t, tas, "settlement", "standard", 9, "").Jackpot
	if len(nine.Contributions) != 2 || nine.Contributions[0].Primary.Percent() != "15.0000" ||
		nine.Contributions[1].Secondary.Percent() != "5.0000" {
		t.Errorf("contributions of 9 spots are %+v", nine.Contributions)
	}
	wantRat(t, "both spans give 15%", nine.Contributions[0].RTP.Rat, nine.Contributions[1].RTP.Rat)
	if len(nine.SeedRepayments) != 2 || nine.SeedRepayments[1].Seed.Percent() != "14.0000" {
		t.Errorf("seed repayments are %+v", nine.SeedRepayments)
	}
	if find(t, tas, "settlement", "special", 9, "").Jackpot != nil {
		t.Error("the special bet is outside the jackpot")
	}
	if r := mustOf(t, loadBook(t, "tas-keno-2023"), Options{Pick: "7"}); len(r.Bets) != 4 {
		t.Errorf("%d bets on 7 spots, want standard, special, winner takes all and lucky last", len(r.Bets))
	}
	if len(tas.Notes) != 1 || !strings.Contains(tas.Notes[0], "17.1") || !strings.Contains(tas.Notes[0], "74.20%") {
		t.Errorf("notes are %q", tas.Notes)
	}
}

func TestFeatureSizesBindMultiplier(t *testing.T) {
	tas := mustOf(t, loadBook(t, "tas-keno-2023"), Options{Bet: "standard"})
	for _, b := range tas.Bets {
		if (b.Multiplied != nil) != (b.Spots <= 6) {
			t.Errorf("%d spots: multiplier %v", b.Spots, b.Multiplied)
		}
	}
}

func TestOfRefuses(t *testing.T) {
	book := loadBook(t, "vic-keno-2015")
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Schedule: "4"}, "schedule-1, schedule-2, schedule-3"},
		{Options{Schedule: "0"}, "schedule-1, schedule-2, schedule-3"},
		{Options{Bet: "racing"}, "classic, heads_or_tails"},
		{Options{Spots: ball.MustParse(ball.Keno, "1-11")}, `no spots "11"; it has 1, 2, 3`},
		{Options{Bet: "classic", Pick: "heads"}, "10, 15, 20, 40"},
		{Options{Bet: "heads_or_tails", Spots: ball.MustParse(ball.Keno, "1")}, "heads, tails, evens"},
	} {
		if _, err := Of(book, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Of(%+v): %v, want an error with %q", c.opts, err, c.want)
		}
	}
}

func BenchmarkRulebook(b *testing.B) {
	for _, id := range kenoBooks {
		book := loadBook(b, id)
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				mustOf(b, book, Options{})
			}
		})
	}
}
