package rngreport

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
)

// stream returns a sound generator with a seed.
func stream(seed string) *rand.ChaCha8 { return rand.NewChaCha8(sha256.Sum256([]byte(seed))) }

// sound draws a game with the selector of the devices.
func sound(t testing.TB, entropy io.Reader, g *Game) {
	t.Helper()
	none, err := ball.NewSequence(ball.Keno)
	if err != nil {
		t.Fatal(err)
	}
	selector, err := draw.NewSelector(none, entropy)
	if err != nil {
		t.Fatal(err)
	}
	var pick draw.Pick
	for i := range g {
		if err := selector.NextInto(&pick); err != nil {
			t.Fatal(err)
		}
		g[i] = uint8(pick.Number)
	}
}

func report(t testing.TB, draws int, next func(*Game)) *Report {
	t.Helper()
	tally := new(Tally)
	var g Game
	for range draws {
		next(&g)
		tally.Add(&g)
	}
	r, err := tally.Report()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStatisticsAreScaled: over many reports of a sound generator each statistic
// has the mean and the variance of a chi-square of its degrees of freedom. A
// wrong scale or wrong degrees of freedom show here, by far.
func TestStatisticsAreScaled(t *testing.T) {
	reports := 16
	if testing.Short() {
		reports = 6
	}
	sums := map[string][]float64{}
	freedom := map[string]int{}
	for i := range reports {
		entropy := stream(fmt.Sprint("scaled ", i))
		r := report(t, MinDraws, func(g *Game) { sound(t, entropy, g) })
		for _, test := range r.Tests {
			sums[test.Name] = append(sums[test.Name], test.Statistic)
			freedom[test.Name] = test.Freedom
			if test.Fail {
				t.Errorf("a sound generator fails: %+v", test)
			}
		}
	}
	if len(sums) != 8 {
		t.Fatalf("%d tests", len(sums))
	}
	for name, values := range sums {
		df, n := float64(freedom[name]), float64(len(values))
		mean, variance := moments(values)
		// A chi-square has the mean df and the variance 2 df; the bounds are five
		// standard errors.
		if math.Abs(mean-df) > 5*math.Sqrt(2*df/n) {
			t.Errorf("%s: the mean is %.1f, want %.0f", name, mean, df)
		}
		if ratio := variance / (2 * df); ratio > 1+5*math.Sqrt(2/n+12/(df*n)) {
			t.Errorf("%s: the variance is %.2f times what it should be", name, ratio)
		}
	}
}

func moments(values []float64) (mean, variance float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / float64(len(values)-1)
	}
	return mean, variance
}

// TestFaultsAreFound plants a fault in a sound generator and demands the tests
// that must find it. Others may find it too.
func TestFaultsAreFound(t *testing.T) {
	for what, c := range map[string]struct {
		fault func(r *rand.Rand, g, previous *Game)
		tests []string
	}{
		"a favoured number": {func(r *rand.Rand, g, _ *Game) {
			if r.IntN(100) == 0 {
				swapIn(g, r.IntN(take), 7)
			}
		}, []string{"numbers"}},
		"two numbers that like each other": {func(r *rand.Rand, g, _ *Game) {
			// 7 takes 8 along, and 8 without 7 goes: each is as frequent as before.
			if i := slices.Index(g[:], 7); i >= 0 && r.IntN(20) == 0 {
				swapIn(g, (i+1)%take, 8)
			} else if i := slices.Index(g[:], 8); i >= 0 && !slices.Contains(g[:], 7) && r.IntN(20) == 0 {
				swapIn(g, i, 9)
			}
		}, []string{"pairs"}},
		"sorted": {func(_ *rand.Rand, g, _ *Game) { slices.Sort(g[:]) }, []string{"positions", "follows"}},
		"a low number seldom comes last": {func(r *rand.Rand, g, _ *Game) {
			if g[19] < 10 && r.IntN(10) == 0 {
				g[19], g[3] = g[3], g[19]
			}
		}, []string{"positions"}},
		"numbers that come again": {func(r *rand.Rand, g, previous *Game) {
			if previous[0] != 0 && r.IntN(20) == 0 {
				swapIn(g, 0, previous[r.IntN(take)])
			}
		}, []string{"gaps", "overlap"}},
		"high draws follow high draws": {func(r *rand.Rand, g, previous *Game) {
			sum := func(g *Game) (s int) {
				for _, n := range g {
					s += int(n)
				}
				return s
			}
			// Mirrored, a low draw is a high one; each sum stays as likely.
			if previous[0] != 0 && r.IntN(10) == 0 && (sum(previous) > meanSum) != (sum(g) > meanSum) {
				for i := range g {
					g[i] = of + 1 - g[i]
				}
			}
		}, []string{"serial"}},
		"the next begins where the last ended": {func(r *rand.Rand, g, previous *Game) {
			if previous[0] != 0 && r.IntN(20) == 0 {
				swapIn(g, 0, previous[19]%of+1)
			}
		}, []string{"follows"}},
		"no middling sums": {func(r *rand.Rand, g, _ *Game) {
			for s := 0; s == 0; {
				for _, n := range g {
					s += int(n)
				}
				if s >= 800 && s < 820 && r.IntN(10) == 0 {
					perfect(r, g)
					s = 0
				}
			}
		}, []string{"sums"}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			random := rand.New(stream(what))
			var previous Game
			r := report(t, 2*MinDraws, func(g *Game) {
				perfect(random, g)
				c.fault(random, g, &previous)
				previous = *g
			})
			for _, name := range c.tests {
				if !slices.ContainsFunc(r.Failed(), func(test Test) bool { return test.Name == name }) {
					t.Errorf("%s does not find it:\n%s", name, r.AppendText(nil))
				}
			}
		})
	}
}

// perfect draws a game without the package under test.
func perfect(r *rand.Rand, g *Game) {
	for i, n := range r.Perm(of)[:take] {
		g[i] = uint8(n + 1)
	}
}

// swapIn puts a number at a place, if it is not in the game.
func swapIn(g *Game, place int, n uint8) {
	if !slices.Contains(g[:], n) {
		g[place] = n
	}
}

// TestTooEven: a machine that deals all numbers in turn is as bad as one that
// favours some.
func TestTooEven(t *testing.T) {
	random := rand.New(stream("even"))
	var deck []int
	r := report(t, MinDraws, func(g *Game) {
		if len(deck) == 0 {
			deck = random.Perm(of)
		}
		for i := range g {
			g[i] = uint8(deck[i] + 1)
		}
		deck = deck[take:]
	})
	numbers := r.Tests[0]
	if !numbers.Fail || numbers.P < 1-Alarm {
		t.Errorf("%s", r.AppendText(nil))
	}
}

// TestModuloBias: the mistake of leaving out the rejection of values.
func TestModuloBias(t *testing.T) {
	entropy := stream("modulo")
	r := report(t, MinDraws, func(g *Game) {
		var remaining []uint8
		for n := range of {
			remaining = append(remaining, uint8(n+1))
		}
		for i := range g {
			at := int(byte(entropy.Uint64())) % len(remaining)
			g[i] = remaining[at]
			remaining = slices.Delete(remaining, at, at+1)
		}
	})
	if failed := r.Failed(); len(failed) < 3 {
		t.Errorf("%s", r.AppendText(nil))
	}
}

// TestTallyAgreesWithCounting holds the tally against plain counting.
func TestTallyAgreesWithCounting(t *testing.T) {
	random := rand.New(stream("counting"))
	var games []Game
	tally := new(Tally)
	for range 500 {
		var g Game
		perfect(random, &g)
		tally.Add(&g)
		games = append(games, g)
	}
	var pairs [of + 1][of + 1]uint32
	var sums [take*of + 1]int64
	var overlaps [take + 1]int64
	var products [lags]int64
	var came, had [ages + 1]int64
	sum := func(g Game) (s int64) {
		for _, n := range g {
			s += int64(n)
		}
		return s
	}
	for i, g := range games {
		sums[sum(g)]++
		for a := range g {
			for b := a + 1; b < take; b++ {
				pairs[g[a]][g[b]]++
			}
		}
		if i > 0 {
			common := 0
			for _, n := range g {
				if slices.Contains(games[i-1][:], n) {
					common++
				}
			}
			overlaps[common]++
		}
		for lag := 1; lag <= min(lags, i); lag++ {
			products[lag-1] += (sum(g) - meanSum) * (sum(games[i-lag]) - meanSum)
		}
		for n := uint8(1); n <= of; n++ {
			for age := 1; age <= min(ages, i); age++ {
				if slices.Contains(games[i-age][:], n) {
					had[age]++
					if slices.Contains(g[:], n) {
						came[age]++
					}
					break
				}
			}
		}
	}
	if tally.pairs != pairs || tally.sums != sums || tally.overlaps != overlaps || tally.products != products {
		t.Error("the tally counts pairs, sums, overlaps or products otherwise")
	}
	if tally.gaps.came != came || tally.gaps.had != had {
		t.Errorf("gaps %v of %v, want %v of %v", tally.gaps.came, tally.gaps.had, came, had)
	}
	if _, err := tally.Report(); err == nil {
		t.Error("500 draws were judged")
	}
}

// TestReportForms: the report as text, JSON and picture.
func TestReportForms(t *testing.T) {
	random := rand.New(stream("forms"))
	r := report(t, MinDraws, func(g *Game) { perfect(random, g) })
	text := string(r.AppendText(nil))
	for _, want := range []string{"100000 draws of 20 of 80", "numbers ", "pairs ", "positions ", "sums ", "gaps ",
		"serial ", "follows ", "overlap "} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
	}
	picture, err := r.PlotSVG()
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(picture, new(struct{})); err != nil {
		t.Errorf("the picture is not XML: %v", err)
	}
	for _, want := range []string{"counts of the numbers", "Sum of the 20 numbers",
		"Numbers that the previous draw had too"} {
		if !bytes.Contains(picture, []byte(want)) {
			t.Errorf("the picture has no %q", want)
		}
	}
	failing := newTest("gaps", "nothing", math.MaxFloat64, 20)
	if _, err := json.Marshal(failing); err != nil || !failing.Fail || failing.P != 0 {
		t.Errorf("%+v: %v", failing, err)
	}
	for p, want := range map[float64]string{0.5: "0.5000", 0.0001: "0.0001", 1e-9: "1.0e-09", 0.99999: "> 0.9999"} {
		if got := formatP(p); got != want {
			t.Errorf("p %g is written %s, want %s", p, got, want)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	random := rand.New(stream("bench"))
	games := make([]Game, 1000)
	for i := range games {
		perfect(random, &games[i])
	}
	tally := new(Tally)
	for i := 0; b.Loop(); i++ {
		tally.Add(&games[i%len(games)])
	}
}
