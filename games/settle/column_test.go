package settle

import (
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
)

// TestCountAgreesWithSets compares a column with the sets that were put into it.
func TestCountAgreesWithSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := drawNumbers(t, drawn, "numbers")
		var planes [drawn]uint8
		for i, n := range numbers.Numbers() {
			planes[i] = uint8(n - 1)
		}
		var c column
		sets := make([]ball.Set, rapid.IntRange(1, 64).Draw(t, "ways"))
		for i := range sets {
			lo := rapid.Uint64().Draw(t, "lo") &^ 1
			hi := rapid.Uint64Range(0, 1<<17-1).Draw(t, "hi")
			s, err := ball.FromBits(ball.Keno, lo, hi)
			if err != nil {
				t.Fatal(err)
			}
			sets[i] = s
			c.put(i, spots{lo, hi}, uint32(i), uint16(2*i))
		}
		matched := c.count(&planes)
		for n := range 32 {
			lanes := matched.equal(n)
			for i, s := range sets {
				if got, want := lanes>>i&1 == 1, s.Overlap(numbers) == n; got != want {
					t.Fatalf("way %d, %v: matches %d is %v, want %v", i, s, n, got, want)
				}
			}
		}
		keep := rapid.Uint64().Draw(t, "keep")
		ways := c.take(keep)
		for i, s := range sets {
			lo, hi := s.Bits()
			if keep>>i&1 == 0 {
				lo, hi = 0, 0
			}
			if ways[i] != (spots{lo, hi}) {
				t.Fatalf("way %d came back as %x, want %x %x", i, ways[i], lo, hi)
			}
		}
		if c.planes != [ball.Keno]lanes{} {
			t.Fatal("the column is not empty")
		}
	})
}
