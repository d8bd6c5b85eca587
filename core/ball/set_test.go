package ball

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestSetAgreesWithMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := universes().Draw(t, "u")
		a, b := draws(u).Draw(t, "a"), draws(u).Draw(t, "b")
		s, v := MustOf(u, a...), MustOf(u, b...)
		x, y := slowOf(a), slowOf(b)

		same := func(what string, got Set, want slowSet) {
			t.Helper()
			if got.Universe() != u || !slices.Equal(got.Numbers(), want.numbers()) {
				t.Fatalf("%s = %v of %v, want %v", what, got, got.Universe(), want)
			}
		}
		same("of", s, x)
		same("union", s.Union(v), x.union(y))
		same("intersect", s.Intersect(v), x.intersect(y))
		same("minus", s.Minus(v), x.minus(y))
		n := rapid.IntRange(1, int(u)).Draw(t, "n")
		same("with", s.With(n), x.with(n))

		equal(t, "has", s.Has(n), x.has(n))
		equal(t, "overlap", s.Overlap(v), len(x.intersect(y)))
		equal(t, "disjoint", s.Disjoint(v), len(x.intersect(y)) == 0)
		equal(t, "contains", s.Contains(v), len(y.minus(x)) == 0)
		equal(t, "compare", Compare(s, v), slowCompare(x, y))
		equal(t, "==", s == v, slowCompare(x, y) == 0)
		equal(t, "len", s.Len(), len(x))
		equal(t, "sum", s.Sum(), x.fold(func(sum, n int) int { return sum + n }))
		equal(t, "max", s.Max(), x.fold(func(_, n int) int { return n }))
		equal(t, "min", s.Min(), x.fold(func(first, n int) int {
			if first != 0 {
				return first
			}
			return n
		}))
		equal(t, "string", s.String(), x.String())
	})
}

// TestRanges reads ranges back: each begins behind a gap, and together they are the set.
func TestRanges(t *testing.T) {
	for numbers, want := range map[string]string{"": "", "7": "7", "1 2": "1 to 2", "1-10 15 20 40": "1 to 10, 15, 20, 40",
		"79 80": "79 to 80"} {
		equal(t, numbers, strings.Join(MustParse(Keno, numbers).Ranges(), ", "), want)
	}
	rapid.Check(t, func(t *rapid.T) {
		u := universes().Draw(t, "u")
		s := MustOf(u, draws(u).Draw(t, "numbers")...)
		again, before := Empty(u), -1
		for _, text := range s.Ranges() {
			part := MustParse(u, strings.ReplaceAll(text, " to ", "-"))
			if part.Min() <= before+1 {
				t.Fatalf("%q of %v does not begin behind a gap", text, s)
			}
			again, before = again.Union(part), part.Max()
		}
		equal(t, "set", again, s)
	})
}

func equal[T comparable](t rapid.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
}

func TestSetReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := universes().Draw(t, "u")
		s := MustOf(u, draws(u).Draw(t, "numbers")...)
		if got, err := Parse(u, s.String()); err != nil || got != s {
			t.Fatalf("Parse(%q) = %v, %v", s.String(), got, err)
		}
		lo, hi := s.Bits()
		if got, err := FromBits(u, lo, hi); err != nil || got != s {
			t.Fatalf("FromBits(%#x, %#x) = %v, %v; want %v", lo, hi, got, err, s)
		}
		if got := string(s.AppendTo([]byte("drawn: "))); got != "drawn: "+s.String() {
			t.Fatalf("AppendTo wrote %q", got)
		}
	})
}

func TestZeroSetIsInvalid(t *testing.T) {
	var zero Set
	if zero.IsValid() || zero.Universe() != 0 || zero.Len() != 0 || zero.String() != "" {
		t.Errorf("zero Set: valid %v, universe %v, numbers %q", zero.IsValid(), zero.Universe(), zero)
	}
	for _, u := range []Universe{Keno, Bingo} {
		empty, full := Empty(u), Full(u)
		if !empty.IsValid() || empty == zero || empty.Len() != 0 || empty.Min() != 0 || empty.Max() != 0 {
			t.Errorf("Empty(%v) = %#v", u, empty)
		}
		if full.Len() != int(u) || full.Min() != 1 || full.Max() != int(u) || full.Minus(full) != empty {
			t.Errorf("Full(%v) = %v", u, full)
		}
		if Compare(zero, empty) != -1 || Compare(empty, full) != -1 || Compare(full, full) != 0 {
			t.Errorf("%v: zero, empty and full are out of order", u)
		}
	}
	if Empty(Keno) == Empty(Bingo) || Compare(Full(Keno), Empty(Bingo)) != -1 {
		t.Error("sets of two universes are not told apart")
	}
	if size := unsafe.Sizeof(zero); size != 16 {
		t.Errorf("a Set takes %d bytes, want 16", size)
	}
}

// TestNoNumberOutsideTheUniverse asks for numbers whose bits would be unused,
// the universe's tag, or beyond the words.
func TestNoNumberOutsideTheUniverse(t *testing.T) {
	for _, n := range []int{math.MinInt, -64, -1, 0, 81, 90, 91, 120, 124, 127, 128, 256, math.MaxInt} {
		if Full(Keno).Has(n) {
			t.Errorf("the full keno set has %d", n)
		}
		if s, err := Of(Keno, 1, n); !errors.Is(err, ErrRange) || s.IsValid() {
			t.Errorf("Of(Keno, 1, %d) = %v, %v; want ErrRange", n, s, err)
		}
	}
	if !Full(Bingo).Has(90) || Full(Bingo).Has(91) {
		t.Error("bingo does not end at 90")
	}
}

func TestOfRefuses(t *testing.T) {
	for _, c := range []struct {
		u    Universe
		nums []int
		want error
		text string
	}{
		{Keno, []int{7, 81}, ErrRange, "ball: number out of range: 81 is not one of 1 to 80"},
		{Bingo, []int{0}, ErrRange, "ball: number out of range: 0 is not one of 1 to 90"},
		{Keno, []int{7, 8, 7}, ErrRepeat, "ball: number repeated: 7"},
		{0, nil, ErrUniverse, "ball: unknown universe: 0"},
		{91, []int{1}, ErrUniverse, "ball: unknown universe: 91"},
	} {
		s, err := Of(c.u, c.nums...)
		if !errors.Is(err, c.want) || err.Error() != c.text || s.IsValid() {
			t.Errorf("Of(%d, %v) = %v, %v; want %s", c.u, c.nums, s, err, c.text)
		}
	}
}

func TestFromBitsRefuses(t *testing.T) {
	for _, c := range []struct {
		u      Universe
		lo, hi uint64
		want   error
	}{
		{Keno, 1, 0, ErrRange},
		{Keno, 0, 1 << (81 - 64), ErrRange},
		{Bingo, 0, 1 << (91 - 64), ErrRange},
		{Keno, 2, 1 << 63, ErrRange},
		{0, 2, 0, ErrUniverse},
	} {
		if s, err := FromBits(c.u, c.lo, c.hi); !errors.Is(err, c.want) || s.IsValid() {
			t.Errorf("FromBits(%d, %#x, %#x) = %v, %v; want %v", c.u, c.lo, c.hi, s, err, c.want)
		}
	}
}

func TestOverlapOfTwoUniverses(t *testing.T) {
	if got := Full(Keno).Overlap(Full(Bingo)); got != 80 {
		t.Errorf("keno and bingo share %d numbers, want 80", got)
	}
	if !Empty(Keno).Disjoint(Empty(Bingo)) || !Full(Bingo).Contains(Full(Keno)) || Full(Keno).Contains(Full(Bingo)) {
		t.Error("the tag of the universe is taken for numbers")
	}
}

func TestPanics(t *testing.T) {
	for name, call := range map[string]func(){
		"with 81":           func() { Empty(Keno).With(81) },
		"with on zero":      func() { Set{}.With(1) },
		"union of two":      func() { Empty(Keno).Union(Empty(Bingo)) },
		"intersect of two":  func() { Empty(Keno).Intersect(Empty(Bingo)) },
		"minus of two":      func() { Empty(Keno).Minus(Empty(Bingo)) },
		"empty of none":     func() { Empty(0) },
		"full of none":      func() { Full(1) },
		"must of a repeat":  func() { MustOf(Keno, 1, 1) },
		"must parse a word": func() { MustParse(Keno, "one") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			call()
		}()
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	for _, last := range []int{3, 70} {
		var got []int
		for n := range MustOf(Keno, 1, 3, 70, 80).All() {
			got = append(got, n)
			if n == last {
				break
			}
		}
		if got[len(got)-1] != last {
			t.Errorf("stopped at %v, want %d", got, last)
		}
	}
}

func BenchmarkOverlap(b *testing.B) {
	drawn := MustParse(Keno, "1-10 60-69")
	way := MustOf(Keno, 3, 17, 42, 61, 80)
	sum := 0
	for b.Loop() {
		sum += drawn.Overlap(way)
	}
	_ = sum
}

// BenchmarkOverlapPass is the shape of settlement: one draw against many ways
// in a row in memory.
func BenchmarkOverlapPass(b *testing.B) {
	const count = 1 << 16
	ways := make([]Set, count)
	for i := range ways {
		ways[i] = MustOf(Keno, 1+i%80, 1+(i+7)%80, 1+(i+31)%80)
	}
	drawn := MustParse(Keno, "1-10 60-69")
	b.SetBytes(count * int64(unsafe.Sizeof(Set{})))
	for b.Loop() {
		sum := 0
		for _, way := range ways {
			sum += way.Overlap(drawn)
		}
		if sum == 0 {
			b.Fatal("nothing matched")
		}
	}
}
