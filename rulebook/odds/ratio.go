package odds

import (
	"math/big"
	"strconv"

	"drawhouse/core/figure"
)

// Ratio is an exact number. In JSON it is a text of two integers in lowest terms,
// "3/4"; the zero value is no number and must not be used.
type Ratio struct{ *big.Rat }

// MarshalText returns numerator/denominator, also for whole numbers.
func (r Ratio) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Decimal returns the number rounded to the given decimals, halves away from zero.
// The rounding is of the exact number, once.
func (r Ratio) Decimal(places int) string { return r.FloatString(places) }

// Percent returns the number as a percentage rounded to four decimals, without
// the sign: 3/4 is "75.0000".
func (r Ratio) Percent() string { return r.percent(4) }

func (r Ratio) percent(places int) string {
	return new(big.Rat).Mul(r.Rat, big.NewRat(100, 1)).FloatString(places)
}

// OneIn returns a probability as people say it, "1 in 8,911,711.18": two decimals
// where they tell something, none from a thousand million on, "never" for zero.
func (r Ratio) OneIn() string {
	if r.Sign() == 0 {
		return "never"
	}
	n := new(big.Rat).Inv(r.Rat)
	places := 2
	if n.Cmp(big.NewRat(1_000_000_000, 1)) >= 0 {
		places = 0
	}
	return "1 in " + figure.Grouped(n.FloatString(places))
}

// scientific returns a number that is not negative with the given significant
// digits, "1.234e-15", rounded up or down.
func scientific(r *big.Rat, digits int, up bool) string {
	if r.Sign() == 0 {
		return "0"
	}
	// The exponent of the leading digit: the difference in length is it or one
	// more.
	exponent := len(r.Num().String()) - len(r.Denom().String())
	if r.Cmp(powerOfTen(exponent)) < 0 {
		exponent--
	}
	scaled := new(big.Rat).Mul(r, powerOfTen(digits-1-exponent))
	n := floorDiv(scaled.Num(), scaled.Denom())
	if up {
		n = ceilDiv(scaled.Num(), scaled.Denom())
	}
	text := n.String()
	if len(text) > digits { // rounded up to the next power of ten
		text, exponent = text[:digits], exponent+1
	}
	if digits > 1 {
		text = text[:1] + "." + text[1:]
	}
	return text + "e" + strconv.Itoa(exponent)
}

// powerOfTen returns ten to the n-th power, n of either sign.
func powerOfTen(n int) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	r := new(big.Rat).SetInt(power)
	if n < 0 {
		r.Inv(r)
	}
	return r
}
