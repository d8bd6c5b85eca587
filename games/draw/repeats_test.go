package draw

import (
	"bytes"
	"io"
	"testing"

	"pgregory.net/rapid"
)

// searchRepeat is the slow twin of repeats: it searches the last startupBytes
// bytes for the string they end with.
func searchRepeat(stream []byte) (distance int) {
	recent := stream[max(0, len(stream)-startupBytes):]
	if len(recent) <= repeatBytes {
		return 0
	}
	last := recent[len(recent)-repeatBytes:]
	if i := bytes.LastIndex(recent[:len(recent)-1], last); i >= 0 {
		return len(recent) - repeatBytes - i
	}
	return 0
}

// checkRepeats holds repeats against the search over a stream, up to and with its
// first repeat.
func checkRepeats(t interface{ Fatalf(string, ...any) }, stream []byte) (found bool) {
	r := new(repeats)
	for i, b := range stream {
		want := searchRepeat(stream[:i+1])
		if got := r.add(b); got != want {
			t.Fatalf("after %d bytes the string came %d bytes before, the search says %d", i+1, got, want)
		}
		if want != 0 {
			return true
		}
	}
	return false
}

func TestRepeatsAgreeWithSearch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// Few values of a byte and copies of earlier strings make repeats likely
		// at every distance.
		values := rapid.IntRange(1, 256).Draw(rt, "values")
		filler := stream(rapid.String().Draw(rt, "seed"))
		bent := make([]byte, rapid.IntRange(1, 3*startupBytes).Draw(rt, "length"))
		if _, err := io.ReadFull(filler, bent); err != nil {
			rt.Fatal(err)
		}
		for i := range bent {
			bent[i] = byte(int(bent[i]) % values)
		}
		from := rapid.IntRange(0, len(bent)-1).Draw(rt, "from")
		to := rapid.IntRange(0, len(bent)-1).Draw(rt, "to")
		copy(bent[to:], bytes.Clone(bent[from:min(from+repeatBytes, len(bent))]))
		checkRepeats(rt, bent)
	})
}

// TestRepeatDistance: a string is found again from the next byte on to the last
// place where the bytes that are looked at still hold it whole.
func TestRepeatDistance(t *testing.T) {
	for _, c := range []struct {
		distance int
		found    bool
	}{
		{1, true}, {2, true}, {repeatBytes, true}, {500, true},
		{startupBytes - repeatBytes, true}, {startupBytes - repeatBytes + 1, false}, {startupBytes, false},
	} {
		stream := append(block(t, 3000), make([]byte, repeatBytes)...)
		for i := range repeatBytes {
			stream[3000+i] = stream[3000+i-c.distance]
		}
		if got := checkRepeats(t, stream); got != c.found {
			t.Errorf("%d bytes before: found %v, want %v", c.distance, got, c.found)
		}
	}
}

func BenchmarkSource(b *testing.B) {
	source, err := NewSource(stream("bench"))
	if err != nil {
		b.Fatal(err)
	}
	p := make([]byte, 4096)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		if _, err := source.Read(p); err != nil {
			b.Fatal(err)
		}
	}
}
