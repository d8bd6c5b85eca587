package money

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name    string
		total   Amount
		weights []int64
		shares  []Amount
		residue Amount
	}{
		{"even", 100, []int64{1, 1}, []Amount{50, 50}, 0},
		{"odd cents are nobody's", 100, []int64{1, 1, 1}, []Amount{33, 33, 33}, 1},
		{"pro rata", 1000, []int64{5, 3, 2}, []Amount{500, 300, 200}, 0},
		{"no weight, no share", 7, []int64{0, 2, 0}, []Amount{0, 7, 0}, 0},
		{"nothing to share", 0, []int64{3, 4}, []Amount{0, 0}, 0},
		{"a loss is shared down as well", -100, []int64{1, 1, 1}, []Amount{-34, -34, -34}, 2},
		{"the largest total", math.MaxInt64, []int64{math.MaxInt64}, []Amount{math.MaxInt64}, 0},
	} {
		shares, residue, err := Split(c.total, c.weights)
		if err != nil || residue != c.residue || !slices.Equal(shares, c.shares) {
			t.Errorf("%s: Split(%v, %v) = %v, %v, %v; want %v, %v",
				c.name, c.total, c.weights, shares, residue, err, c.shares, c.residue)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights []int64
		want    error
	}{
		{"no weights", nil, ErrWeights},
		{"only zeros", []int64{0, 0}, ErrWeights},
		{"a negative weight", []int64{3, -1}, ErrWeights},
		{"weights beyond counting", []int64{math.MaxInt64, 1}, ErrOverflow},
	} {
		if shares, residue, err := Split(100, c.weights); !errors.Is(err, c.want) || shares != nil || residue != 0 {
			t.Errorf("%s: got %v, %v, %v; want %v", c.name, shares, residue, err, c.want)
		}
	}
}

func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := amounts().Draw(t, "total")
		weights := rapid.SliceOfN(rapid.Int64Range(0, math.MaxInt64/20), 1, 20).Draw(t, "weights")
		if slices.Max(weights) == 0 {
			weights[0] = 1
		}
		shares, residue, err := Split(total, weights)
		if err != nil {
			t.Fatal(err)
		}
		whole, sum, positive := new(big.Int), bigOf(residue), 0
		for _, w := range weights {
			whole.Add(whole, big.NewInt(w))
			if w > 0 {
				positive++
			}
		}
		for i, w := range weights {
			exact := new(big.Rat).SetFrac(new(big.Int).Mul(bigOf(total), big.NewInt(w)), whole)
			agree(t, "share", shares[i], nil, slowRound(exact, Floor))
			sum.Add(sum, bigOf(shares[i]))
		}
		if sum.Cmp(bigOf(total)) != 0 {
			t.Fatalf("shares and residue make %v of %d", sum, total)
		}
		if residue < 0 || residue >= Amount(positive) {
			t.Fatalf("residue %d with %d positive weights", residue, positive)
		}
	})
}
