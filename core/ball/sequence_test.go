package ball

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSequenceAgreesWithSlice compares a sequence with its twin, a plain slice
// of what was drawn.
func TestSequenceAgreesWithSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := universes().Draw(t, "u")
		nums := draws(u).Draw(t, "numbers")
		q, err := NewSequence(u, nums...)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "universe", q.Universe(), u)
		equal(t, "len", q.Len(), len(nums))
		equal(t, "numbers", slices.Equal(q.Numbers(), nums), true)
		equal(t, "set", q.Set(), MustOf(u, nums...))
		equal(t, "sum", q.Sum(), q.Set().Sum())
		equal(t, "string", q.String(), join(nums))
		equal(t, "append to", string(q.AppendTo([]byte("x"))), "x"+join(nums))
		for i, n := range nums {
			equal(t, "at", q.At(i), n)
		}
		last, ok := q.Last()
		equal(t, "any drawn", ok, len(nums) > 0)
		if ok {
			equal(t, "last", last, nums[len(nums)-1])
		}

		k := rapid.IntRange(0, len(nums)).Draw(t, "k")
		short, err := NewSequence(u, nums[:k]...)
		if err != nil || q.Prefix(k) != short {
			t.Fatalf("Prefix(%d) = %v, want %v, %v", k, q.Prefix(k), short, err)
		}
	})
}

func TestAppendLeavesTheReceiver(t *testing.T) {
	q, err := NewSequence(Keno, 5)
	if err != nil {
		t.Fatal(err)
	}
	longer, err := q.Append(9)
	if err != nil || longer.String() != "5 9" || q.String() != "5" {
		t.Errorf("after Append(9) to %v: %v, %v", q, longer, err)
	}
}

func TestAppendRefuses(t *testing.T) {
	q, err := NewSequence(Keno, 42, 3, 17)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    Sequence
		n    int
		want error
		text string
	}{
		{q, 3, ErrRepeat, "ball: number repeated: 3 was drawn as number 2"},
		{q, 81, ErrRange, "ball: number out of range: 81 is not one of 1 to 80"},
		{q, 0, ErrRange, "ball: number out of range: 0 is not one of 1 to 80"},
		{Sequence{}, 1, ErrUniverse, "ball: unknown universe: 0"},
	} {
		got, err := c.q.Append(c.n)
		if !errors.Is(err, c.want) || err.Error() != c.text || got.IsValid() {
			t.Errorf("Append(%d) = %v, %v; want %s", c.n, got, err, c.text)
		}
	}
	if _, err := NewSequence(81, 1); !errors.Is(err, ErrUniverse) {
		t.Errorf("NewSequence of no universe: %v", err)
	}
}

func TestZeroSequenceIsInvalid(t *testing.T) {
	var zero Sequence
	if zero.IsValid() || zero.Set().IsValid() || zero.Len() != 0 || zero.String() != "" {
		t.Errorf("zero Sequence: %#v", zero)
	}
	if _, ok := zero.Last(); ok {
		t.Error("the zero Sequence has a last number")
	}
}

func TestSequencePanics(t *testing.T) {
	q, err := NewSequence(Bingo, 90, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(){
		"at 2":      func() { q.At(2) },
		"at -1":     func() { q.At(-1) },
		"prefix 3":  func() { q.Prefix(3) },
		"prefix -1": func() { q.Prefix(-1) },
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
