package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
)

// stream returns the bytes of a generator with a seed, as tests need them. It is
// ChaCha8 and not what a house draws with.
func stream(seed string) io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte(seed))) }

// TestEveryNumberIsEquallyLikely enumerates: for every number of remaining
// numbers, each has equally many of the 256 values of a byte, and the rest is
// rejected.
func TestEveryNumberIsEquallyLikely(t *testing.T) {
	for m := 1; m <= 90; m++ {
		selector, err := NewSelector(mustSequence(t, ball.Bingo), stream("remaining"))
		if err != nil {
			t.Fatal(err)
		}
		for range 90 - m {
			if _, err := selector.Next(); err != nil {
				t.Fatal(err)
			}
		}
		remaining := selector.Remaining()
		counts, rejected := make(map[int]int), 0
		for b := range 256 {
			n, err := NumberFromBytes(remaining, []byte{byte(b)})
			if err != nil {
				rejected++
				continue
			}
			counts[n]++
		}
		if rejected != 256%m || len(counts) != m {
			t.Errorf("%d remain: %d values rejected, %d numbers possible", m, rejected, len(counts))
		}
		for n, c := range counts {
			if c != 256/m || !remaining.Has(n) {
				t.Errorf("%d remain: number %d has %d values, want %d", m, n, c, 256/m)
			}
		}
	}
}

// TestEveryIndexIsEquallyLikely enumerates tries of two bytes.
func TestEveryIndexIsEquallyLikely(t *testing.T) {
	for _, n := range []uint32{257, 1000, 40_000, 65_536} {
		counts := make([]int, n)
		for v := range 1 << 16 {
			if i, ok := tryIndex(n, []byte{byte(v >> 8), byte(v)}); ok {
				counts[i]++
			}
		}
		for i, c := range counts {
			if c != (1<<16)/int(n) {
				t.Fatalf("index %d below %d has %d values, want %d", i, n, c, (1<<16)/int(n))
			}
		}
	}
}

func TestIndexWidth(t *testing.T) {
	for n, want := range map[uint32]int{1: 1, 2: 1, 255: 1, 256: 1, 257: 2, 1 << 16: 2,
		1<<16 + 1: 3, 1 << 24: 3, 1<<24 + 1: 4, 1<<32 - 1: 4} {
		if got := indexWidth(n); got != want {
			t.Errorf("an index below %d takes %d bytes, want %d", n, got, want)
		}
	}
}

func TestRejection(t *testing.T) {
	full := ball.Full(ball.Keno) // 256 mod 80 is 16: values from 240 are rejected
	selector, err := NewSelector(mustSequence(t, ball.Keno), bytes.NewReader([]byte{255, 240, 239, 7}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := selector.Next()
	if err != nil || p.Number != 80 || !bytes.Equal(p.Bytes, []byte{255, 240, 239}) {
		t.Errorf("picked %+v: %v, want 80 from three bytes", p, err)
	}
	for _, c := range []struct {
		read []byte
		want int
	}{
		{[]byte{0}, 1}, {[]byte{79}, 80}, {[]byte{80}, 1}, {[]byte{239}, 80}, {[]byte{240, 5}, 6},
		{nil, 0}, {[]byte{240}, 0}, {[]byte{239, 0}, 0}, {[]byte{255, 3, 3}, 0},
	} {
		got, err := NumberFromBytes(full, c.read)
		if got != c.want || (err != nil) != (c.want == 0) || err != nil && !errors.Is(err, ErrBytes) {
			t.Errorf("bytes %v give %d: %v, want %d", c.read, got, err, c.want)
		}
	}
	if _, err := NumberFromBytes(ball.Empty(ball.Keno), []byte{0}); !errors.Is(err, ErrBytes) {
		t.Errorf("a number of none: %v", err)
	}
	if _, err := IndexFromBytes(1000, []byte{1, 2, 3}); !errors.Is(err, ErrBytes) {
		t.Errorf("one try and a half: %v", err)
	}
}

func TestIndexRefuses(t *testing.T) {
	if _, _, err := Index(stream("x"), 0); err == nil {
		t.Error("an index below 0")
	}
	if _, _, err := Index(bytes.NewReader(nil), 5); !errors.Is(err, io.EOF) {
		t.Errorf("no entropy: %v", err)
	}
	if _, _, err := Index(bytes.NewReader([]byte{1}), 500); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a try: %v", err)
	}
	if _, _, err := Index(bytes.NewReader(bytes.Repeat([]byte{255}, 1000)), 80); !errors.Is(err, ErrStuck) {
		t.Errorf("a source whose every try is rejected: %v", err)
	}
}

func mustSequence(t testing.TB, u ball.Universe, nums ...int) ball.Sequence {
	t.Helper()
	q, err := ball.NewSequence(u, nums...)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// Whatever was drawn can be mapped again from the recorded bytes.
func TestRecordedBytesGiveTheNumbers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		u := rapid.SampledFrom([]ball.Universe{ball.Keno, ball.Bingo}).Draw(rt, "universe")
		seed := rapid.String().Draw(rt, "seed")
		selector, err := NewSelector(mustSequence(t, u), stream(seed))
		if err != nil {
			rt.Fatal(err)
		}
		for range int(u) {
			remaining := selector.Remaining()
			p, err := selector.Next()
			if err != nil {
				rt.Fatal(err)
			}
			if n, err := NumberFromBytes(remaining, p.Bytes); err != nil || n != p.Number {
				rt.Fatalf("bytes %x give %d: %v, drawn was %d", p.Bytes, n, err, p.Number)
			}
		}
		if selector.Drawn().Len() != int(u) || selector.Remaining().Len() != 0 {
			rt.Fatalf("%d of %d numbers drawn", selector.Drawn().Len(), u)
		}
		if _, err := selector.Next(); err == nil {
			rt.Fatal("a number after the last")
		}
	})
	if _, err := NewSelector(ball.Sequence{}, stream("x")); !errors.Is(err, ball.ErrUniverse) {
		t.Errorf("a selector of no universe: %v", err)
	}
}

func TestIndexIsMappedAgain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.Uint32Min(1).Draw(rt, "n")
		index, read, err := Index(stream(rapid.String().Draw(rt, "seed")), n)
		if err != nil {
			rt.Fatal(err)
		}
		if again, err := IndexFromBytes(n, read); err != nil || again != index || index >= n {
			rt.Fatalf("bytes %x give %d below %d: %v, drawn was %d", read, again, n, err, index)
		}
	})
}

// The mapping is fixed: these bytes gave these numbers when games were drawn.
func TestSelectionVectors(t *testing.T) {
	for _, v := range []struct {
		universe ball.Universe
		bytes    string
		numbers  string
	}{
		// The first 20 values without one to reject: the lowest remains each time.
		{ball.Keno, "0000000000000000000000000000000000000000", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"},
		// 80 mod 80 is the first, 79 mod 79 again, and so on down.
		{ball.Keno, "504f4e4d4c4b4a494847", "1 2 3 4 5 6 7 8 9 10"},
		{ball.Keno, "4f4e4d4c4b4a49484746", "80 79 78 77 76 75 74 73 72 71"},
		// SHA-256 of "drawhouse", mapped by a program in another language.
		{ball.Keno, "28088da983d6aa8315e813356efc453e95e5e8f045cbb6b99e71535420611c84", "41 9 66 17 59 70 25 64 24 22 61 48 2 76 21 6 15 73 80 47 71 34 37 45 57 40 35"},
		{ball.Bingo, "28088da983d6aa8315e813356efc453e95e5e8f045cbb6b99e71535420611c84", "41 9 56 86 48 47 3 54 24 79 22 63 37 82 74 90 84 69 45 53 21 58 18 23 42 43 36 8"},
	} {
		read, err := hex.DecodeString(v.bytes)
		if err != nil {
			t.Fatal(err)
		}
		selector, err := NewSelector(mustSequence(t, v.universe), bytes.NewReader(read))
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := selector.Next(); err != nil {
				break
			}
		}
		if got := selector.Drawn().String(); got != v.numbers {
			t.Errorf("%s gives %s, want %s", v.bytes, got, v.numbers)
		}
	}
}

// Uniform over many draws too, as a check of the whole path: each number of 80
// is drawn about equally often, and at each place.
func TestDrawsAreUniform(t *testing.T) {
	const games = 20_000
	entropy := stream("uniform")
	var total, last [81]int
	for range games {
		selector, err := NewSelector(mustSequence(t, ball.Keno), entropy)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			p, err := selector.Next()
			if err != nil {
				t.Fatal(err)
			}
			total[p.Number]++
		}
		n, _ := selector.Drawn().Last()
		last[n]++
	}
	for what, counts := range map[string][81]int{"drawn": total, "drawn last": last} {
		mean, chi2 := 0.0, 0.0
		for _, c := range counts[1:] {
			mean += float64(c) / 80
		}
		for _, c := range counts[1:] {
			chi2 += (float64(c) - mean) * (float64(c) - mean) / mean
		}
		// 79 degrees of freedom; 145 is exceeded once in 100,000. The counts of
		// 20 without replacement vary less than independent ones.
		if chi2 > 145 {
			t.Errorf("%s: chi-square %.1f over %d games", what, chi2, games)
		}
	}
}

func ExampleNumberFromBytes() {
	// Of the 80 numbers 42 is drawn. Then 79 remain: values from 237 are
	// rejected, and 41 is the index of 43, as 42 is gone.
	remaining := ball.Full(ball.Keno)
	first, _ := NumberFromBytes(remaining, []byte{41})
	remaining = remaining.Minus(ball.MustOf(ball.Keno, first))
	second, _ := NumberFromBytes(remaining, []byte{237, 41})
	fmt.Println(first, second)
	// Output: 42 43
}

func BenchmarkSelector(b *testing.B) {
	entropy := stream("bench")
	start := mustSequence(b, ball.Keno)
	var pick Pick
	for b.Loop() {
		selector, err := NewSelector(start, entropy)
		if err != nil {
			b.Fatal(err)
		}
		for range 20 {
			if err := selector.NextInto(&pick); err != nil {
				b.Fatal(err)
			}
		}
	}
}
