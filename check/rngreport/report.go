package rngreport

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// MinDraws is the fewest draws for which the chi-squares are good: the rarest
	// thing that is counted is then expected 15 times.
	MinDraws = 100_000

	// Alarm is the p-value from which a test fails, and 1-Alarm the one from
	// which it fails because the numbers are too even to be chance.
	Alarm = 1e-5
)

// Test is one statistic of the draws. Under chance alone it is a chi-square.
type Test struct {
	Name      string  `json:"name"`
	Says      string  `json:"says"` // what is compared
	Statistic float64 `json:"statistic"`
	Freedom   int     `json:"degrees_of_freedom"`
	// P is how often chance alone gives as much as the statistic or more.
	P    float64 `json:"p"`
	Fail bool    `json:"fail"`
}

// newTest judges a statistic.
func newTest(name, says string, statistic float64, freedom int) Test {
	p := distuv.ChiSquared{K: float64(freedom)}.Survival(statistic)
	return Test{Name: name, Says: says, Statistic: statistic, Freedom: freedom, P: p,
		Fail: !(p >= Alarm && p <= 1-Alarm)}
}

// Bar is a value beside the one that chance alone would give on average.
type Bar struct {
	At       int     `json:"at"`
	Expected float64 `json:"expected"`
	Counted  int64   `json:"counted"`
}

// Report is what the draws of a Tally look like.
type Report struct {
	Draws int64  `json:"draws"`
	Tests []Test `json:"tests"`
	// FalseAlarms is the most that the probability of any failure can be if the
	// numbers are chance alone.
	FalseAlarms float64 `json:"false_alarm_rate"`

	Numbers  []Bar `json:"numbers"`
	Sums     []Bar `json:"sums"`
	Overlaps []Bar `json:"overlaps"`
}

// Failed returns the tests that fail.
func (r *Report) Failed() []Test {
	var failed []Test
	for _, test := range r.Tests {
		if test.Fail {
			failed = append(failed, test)
		}
	}
	return failed
}

// Report tests the draws. It needs at least [MinDraws].
func (t *Tally) Report() (*Report, error) {
	if t.draws < MinDraws || t.draws > MaxDraws {
		return nil, fmt.Errorf("rngreport: %d draws: the tests are good for %d to %d", t.draws, int64(MinDraws),
			int64(MaxDraws))
	}
	sums, overlaps := t.sumBars(), t.overlapBars()
	tests := []Test{
		t.testNumbers(), t.testPairs(), t.testPositions(),
		testBars("sums", "the sum of the 20 numbers, 210 to 1410, with its exact distribution", sums),
		t.gaps.test(), t.testSerial(), t.testFollows(),
		testBars("overlap", "how many numbers the previous draw had too, with the exact distribution", overlaps),
	}
	return &Report{
		Draws: t.draws, Tests: tests, FalseAlarms: 2 * Alarm * float64(len(tests)),
		Numbers: t.numberBars(), Sums: sums, Overlaps: overlaps,
	}, nil
}

// AppendText appends the report as people read it.
func (r *Report) AppendText(out []byte) []byte {
	out = fmt.Appendf(out, "%d draws of %d of %d\n\n", r.Draws, take, of)
	out = fmt.Appendf(out, "%-10s %12s %6s %9s  %s\n", "TEST", "CHI-SQUARE", "DF", "P", "WHAT IS COMPARED")
	for _, test := range r.Tests {
		fail := ""
		if test.Fail {
			fail = "FAILS: "
		}
		out = fmt.Appendf(out, "%-10s %12s %6d %9s  %s%s\n", test.Name, formatStatistic(test.Statistic), test.Freedom,
			formatP(test.P), fail, test.Says)
	}
	out = fmt.Appendf(out, "\nA test fails if p is below %g, or above 1-%g because the numbers are too even.\n", Alarm,
		Alarm)
	return fmt.Appendf(out, "Sound numbers fail any of the %d tests in %.2g of such reports.\n", len(r.Tests),
		r.FalseAlarms)
}

// formatStatistic writes a statistic, also one that is beyond all bounds.
func formatStatistic(x float64) string {
	if x < 1e9 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// formatP writes a p-value so that a small one does not become zero.
func formatP(p float64) string {
	switch {
	case math.IsNaN(p) || p >= 0.0001 && p <= 0.9999:
		return fmt.Sprintf("%.4f", p)
	case p > 0.9999:
		return "> 0.9999"
	}
	return fmt.Sprintf("%.1e", p)
}
