package money

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// amounts draws amounts of every size, with the ends of the range among them.
func amounts() *rapid.Generator[Amount] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64(), func(n int64) Amount { return Amount(n) }),
		rapid.Map(rapid.Int64Range(-100_000, 100_000), func(n int64) Amount { return Amount(n) }),
		rapid.SampledFrom([]Amount{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}),
	)
}

func bigOf(a Amount) *big.Int { return big.NewInt(int64(a)) }

// agree fails unless got and err are what the exact integer want demands: the
// value itself, or ErrOverflow when no amount holds it.
func agree(t rapid.TB, what string, got Amount, err error, want *big.Int) {
	t.Helper()
	switch {
	case !want.IsInt64() && !errors.Is(err, ErrOverflow):
		t.Fatalf("%s = %v, %v; %v does not fit and must be ErrOverflow", what, got, err, want)
	case want.IsInt64() && (err != nil || got.Cents() != want.Int64()):
		t.Fatalf("%s = %d, %v; want %v", what, got, err, want)
	}
}

func TestString(t *testing.T) {
	for want, a := range map[string]Amount{
		"$0.00":                       0,
		"$0.01":                       Cent,
		"-$0.10":                      -10,
		"$1.00":                       Dollar,
		"$999.99":                     99_999,
		"$1,000.00":                   1000 * Dollar,
		"$1,234.50":                   123_450,
		"-$1,234,567.89":              -123_456_789,
		"$92,233,720,368,547,758.07":  math.MaxInt64,
		"-$92,233,720,368,547,758.08": math.MinInt64,
	} {
		if got := a.String(); got != want {
			t.Errorf("Amount(%d).String() = %q, want %q", a.Cents(), got, want)
		}
	}
}

func TestArithmeticAgreesWithIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := amounts().Draw(t, "a"), amounts().Draw(t, "b")
		x, y := bigOf(a), bigOf(b)

		sum, err := a.Add(b)
		agree(t, "a+b", sum, err, new(big.Int).Add(x, y))
		diff, err := a.Sub(b)
		agree(t, "a-b", diff, err, new(big.Int).Sub(x, y))
		product, err := a.Mul(int64(b))
		agree(t, "a*b", product, err, new(big.Int).Mul(x, y))
	})
}

func TestArithmeticAtTheEnds(t *testing.T) {
	const least, most = Amount(math.MinInt64), Amount(math.MaxInt64)
	for _, c := range []struct {
		name string
		call func() (Amount, error)
		want Amount
		err  error
	}{
		{"most+0", func() (Amount, error) { return most.Add(0) }, most, nil},
		{"most+1", func() (Amount, error) { return most.Add(1) }, 0, ErrOverflow},
		{"least+(-1)", func() (Amount, error) { return least.Add(-1) }, 0, ErrOverflow},
		{"least-1", func() (Amount, error) { return least.Sub(1) }, 0, ErrOverflow},
		{"0-least", func() (Amount, error) { return Amount(0).Sub(least) }, 0, ErrOverflow},
		{"-1-most", func() (Amount, error) { return Amount(-1).Sub(most) }, least, nil},
		{"least*-1", func() (Amount, error) { return least.Mul(-1) }, 0, ErrOverflow},
		{"least*1", func() (Amount, error) { return least.Mul(1) }, least, nil},
		{"most*-1", func() (Amount, error) { return most.Mul(-1) }, -most, nil},
		{"sum of none", func() (Amount, error) { return Sum() }, 0, nil},
		{"sum", func() (Amount, error) { return Sum(1, 2, -5, most) }, most - 2, nil},
		{"sum that wraps on the way", func() (Amount, error) { return Sum(most, 1, -1) }, 0, ErrOverflow},
	} {
		got, err := c.call()
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s = %v, %v; want %v, %v", c.name, got, err, c.want, c.err)
		}
	}
}
