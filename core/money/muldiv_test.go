package money

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// slowMulDivTo is the readable twin of MulDivTo: rational arithmetic without
// any limit of size, and each rounding in the words of its definition.
func slowMulDivTo(a Amount, num, den int64, step Amount, r Rounding) *big.Int {
	exact := new(big.Rat).SetFrac(
		new(big.Int).Mul(bigOf(a), big.NewInt(num)),
		new(big.Int).Mul(big.NewInt(den), bigOf(step)))
	return new(big.Int).Mul(slowRound(exact, r), bigOf(step))
}

func slowRound(x *big.Rat, r Rounding) *big.Int {
	// Div is Euclidean: for a positive divisor it rounds to minus infinity.
	down := new(big.Int).Div(x.Num(), x.Denom())
	if x.IsInt() {
		return down
	}
	up := new(big.Int).Add(down, big.NewInt(1))
	fraction := new(big.Rat).Sub(x, new(big.Rat).SetInt(down))
	side := fraction.Cmp(big.NewRat(1, 2))
	switch {
	case r == Floor:
		return down
	case r == Ceil:
		return up
	case side < 0:
		return down
	case side > 0:
		return up
	case r == HalfUp:
		return up
	case down.Bit(0) == 0:
		return down
	}
	return up
}

var allRoundings = []Rounding{Floor, Ceil, HalfUp, HalfEven}

// factors draws multipliers and divisors of every size.
func factors() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-50, 50),
		rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 80, 100, 1_000_000}))
}

func divisors() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.Int64Range(1, 50),
		rapid.SampledFrom([]int64{1, 2, math.MaxInt64}))
}

func TestMulDivToAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, num, den := amounts().Draw(t, "a"), factors().Draw(t, "num"), divisors().Draw(t, "den")
		step := Amount(divisors().Draw(t, "step"))
		r := rapid.SampledFrom(allRoundings).Draw(t, "rounding")

		got, err := MulDivTo(a, num, den, step, r)
		agree(t, "MulDivTo", got, err, slowMulDivTo(a, num, den, step, r))
		got, err = MulDiv(a, num, den, r)
		agree(t, "MulDiv", got, err, slowMulDivTo(a, num, den, Cent, r))
	})
}

// TestMulDivToExhaustively covers every sign, every tie and every step of small
// numbers, where random draws may miss a corner.
func TestMulDivToExhaustively(t *testing.T) {
	const limit = 9
	for a := Amount(-limit); a <= limit; a++ {
		for num := int64(-3); num <= 3; num++ {
			for den := int64(1); den <= 6; den++ {
				for step := Amount(1); step <= 5; step++ {
					for _, r := range allRoundings {
						got, err := MulDivTo(a, num, den, step, r)
						agree(t, "MulDivTo", got, err, slowMulDivTo(a, num, den, step, r))
					}
				}
			}
		}
	}
}

// TestMulDivToCarries has the numbers whose intermediate results cross from one
// machine word into the next, which chance does not find.
func TestMulDivToCarries(t *testing.T) {
	for _, c := range []struct {
		name     string
		a        Amount
		num, den int64
		step     Amount
		r        Rounding
	}{
		// 2^64 / (2^63-1) is just over 2, the half of 4; the fraction's
		// numerator is the first that needs a second word.
		{"fraction", 1 << 32, 1 << 32, math.MaxInt64, 4, HalfUp},
		// (2^65-1) / 2 rounds up to 2^64, one more than a word holds.
		{"quotient", 31 * 8191, 145_295_143_558_111, 2, 1, Ceil},
	} {
		got, err := MulDivTo(c.a, c.num, c.den, c.step, c.r)
		agree(t, c.name, got, err, slowMulDivTo(c.a, c.num, c.den, c.step, c.r))
	}
}

func FuzzMulDivTo(f *testing.F) {
	f.Add(int64(1234), int64(7), int64(3), int64(5), uint8(Floor))
	f.Add(int64(math.MinInt64), int64(math.MinInt64), int64(math.MaxInt64), int64(10), uint8(HalfUp))
	f.Add(int64(-9), int64(1), int64(2), int64(1), uint8(HalfEven))
	f.Fuzz(func(t *testing.T, a, num, den, step int64, rounding uint8) {
		r := Rounding(rounding)
		got, err := MulDivTo(Amount(a), num, den, Amount(step), r)
		switch {
		case den <= 0 || step <= 0:
			if !errors.Is(err, ErrDivisor) {
				t.Fatalf("divisor %d, step %d: got %v, %v", den, step, got, err)
			}
		case !r.IsValid():
			if !errors.Is(err, ErrRounding) {
				t.Fatalf("%v: got %v, %v", r, got, err)
			}
		default:
			agree(t, "MulDivTo", got, err, slowMulDivTo(Amount(a), num, den, Amount(step), r))
		}
	})
}

// TestRoundings states each rounding by example, in half cents.
func TestRoundings(t *testing.T) {
	for _, c := range []struct {
		halfCents                   Amount
		floor, ceil, up, toEvenCent Amount
	}{
		{-5, -3, -2, -2, -2},
		{-4, -2, -2, -2, -2},
		{-3, -2, -1, -1, -2},
		{-1, -1, 0, 0, 0},
		{0, 0, 0, 0, 0},
		{1, 0, 1, 1, 0},
		{3, 1, 2, 2, 2},
		{5, 2, 3, 3, 2},
	} {
		for r, want := range map[Rounding]Amount{
			Floor: c.floor, Ceil: c.ceil, HalfUp: c.up, HalfEven: c.toEvenCent,
		} {
			if got, err := MulDiv(c.halfCents, 1, 2, r); err != nil || got != want {
				t.Errorf("%v of %d half cents = %d, %v; want %d", r, c.halfCents, got, err, want)
			}
		}
	}
}

// TestMulDivToRoundsOnce is the case where rounding to the cent on the way
// would change the answer.
func TestMulDivToRoundsOnce(t *testing.T) {
	if got, err := MulDivTo(9, 1, 2, 10, HalfUp); err != nil || got != 0 {
		t.Errorf("4.5 cents to the nearest ten = %v, %v; want $0.00", got, err)
	}
}

func TestMulDivRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		call func() (Amount, error)
		want error
	}{
		{"no divisor", func() (Amount, error) { return MulDiv(1, 1, 0, Floor) }, ErrDivisor},
		{"negative divisor", func() (Amount, error) { return MulDiv(1, 1, -2, Floor) }, ErrDivisor},
		{"no step", func() (Amount, error) { return MulDivTo(1, 1, 1, 0, Floor) }, ErrDivisor},
		{"negative step", func() (Amount, error) { return MulDivTo(1, 1, 1, -5, Floor) }, ErrDivisor},
		{"no rounding", func() (Amount, error) { return MulDiv(4, 1, 2, 0) }, ErrRounding},
		{"unknown rounding", func() (Amount, error) { return MulDiv(4, 1, 2, HalfEven+1) }, ErrRounding},
		{"too large", func() (Amount, error) { return MulDiv(math.MaxInt64, 3, 2, Floor) }, ErrOverflow},
		{"rounded beyond the end", func() (Amount, error) { return MulDivTo(math.MaxInt64, 1, 1, 100, Ceil) }, ErrOverflow},
	} {
		if got, err := c.call(); got != 0 || !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestRoundingNames(t *testing.T) {
	for _, r := range allRoundings {
		if got, err := ParseRounding(r.String()); err != nil || got != r {
			t.Errorf("ParseRounding(%q) = %v, %v", r.String(), got, err)
		}
	}
	for _, s := range []string{"", "Floor", "half up", "nearest", Rounding(0).String()} {
		if got, err := ParseRounding(s); err == nil || got.IsValid() {
			t.Errorf("ParseRounding(%q) = %v, %v; want an error", s, got, err)
		}
	}
}

func BenchmarkMulDivTo(b *testing.B) {
	var sink Amount
	for b.Loop() {
		got, err := MulDivTo(1_234_567, 877, 1_000, 10, HalfUp)
		if err != nil {
			b.Fatal(err)
		}
		sink += got
	}
	_ = sink
}
