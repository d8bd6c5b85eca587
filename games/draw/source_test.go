package draw

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"testing"
)

// repeating gives a block of bytes over and over.
type repeating struct {
	block []byte
	next  int
}

func (r *repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.block[r.next]
		r.next = (r.next + 1) % len(r.block)
	}
	return len(p), nil
}

func block(t testing.TB, n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(stream("block"), b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestStuckSourceDoesNotStart(t *testing.T) {
	counter := make([]byte, 256)
	for i := range counter {
		counter[i] = byte(i)
	}
	for what, b := range map[string][]byte{
		"zeros": {0}, "ones": {0xff}, "two bytes": {1, 2}, "counter": counter,
		"period 16": block(t, 16), "period 100": block(t, 100), "period 1000": block(t, 1000),
	} {
		if _, err := NewSource(&repeating{block: b}); !errors.Is(err, ErrStuck) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := NewSource(bytes.NewReader(block(t, startupBytes-1))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("too few bytes: %v", err)
	}
}

// A source that sticks after a good start is caught before it can decide a draw.
func TestSourceThatSticksLater(t *testing.T) {
	for what, b := range map[string][]byte{"zeros": {0}, "period 8": block(t, 8), "period 500": block(t, 500)} {
		source, err := NewSource(io.MultiReader(io.LimitReader(stream("good"), startupBytes+100), &repeating{block: b}))
		if err != nil {
			t.Fatal(err)
		}
		given := 0
		for err == nil && given < 5000 {
			_, err = source.Read(make([]byte, 1))
			given++
		}
		if !errors.Is(err, ErrStuck) {
			t.Fatalf("%s: %v after %d bytes", what, err, given)
		}
		if most := 100 + 2*len(b) + repeatBytes; given > most {
			t.Errorf("%s: caught after %d bytes, want at most %d", what, given, most)
		}
		// What has failed stays failed.
		if _, again := source.Read(make([]byte, 1)); !errors.Is(again, ErrStuck) || source.Err() == nil {
			t.Errorf("%s: the source goes on: %v", what, again)
		}
	}
}

func TestRepetitionCutoff(t *testing.T) {
	for n := 1; n <= repetitionCutoff; n++ {
		// The run begins with a byte unlike the one before it.
		source, err := NewSource(io.MultiReader(io.LimitReader(stream("run"), startupBytes), bytes.NewReader([]byte{1, 2}),
			&repeating{block: []byte{3}}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = source.Read(make([]byte, 2+n))
		if stuck := errors.Is(err, ErrStuck); stuck != (n >= repetitionCutoff) {
			t.Errorf("%d equal bytes: %v", n, err)
		}
	}
}

// proportionSource has a given byte often, but never in a run or a repeat.
func proportionStream(times int) []byte {
	b := make([]byte, proportionWindow)
	filler := stream("filler")
	for i := range b {
		for b[i] == 0 || b[i] == 7 {
			if _, err := io.ReadFull(filler, b[i:i+1]); err != nil {
				panic(err)
			}
		}
		if i%20 == 0 && i/20 < times {
			b[i] = 7
		}
	}
	return b
}

func TestProportionAlarm(t *testing.T) {
	for _, times := range []int{1, proportionCutoff - 1, proportionCutoff, proportionCutoff + 3} {
		start := io.LimitReader(stream("proportion"), startupBytes) // two whole windows
		source, err := NewSource(io.MultiReader(start, bytes.NewReader(proportionStream(times)), stream("after")))
		if err != nil {
			t.Fatal(err)
		}
		_, err = source.Read(make([]byte, proportionWindow))
		if stuck := errors.Is(err, ErrStuck); stuck != (times >= proportionCutoff) {
			t.Errorf("%d times in a window: %v", times, err)
		}
	}
}

// TestProportionCutoff computes the rate of false alarms exactly: that a byte
// with eight bits of entropy comes proportionCutoff-1 times or more among the
// other bytes of a window.
func TestProportionCutoff(t *testing.T) {
	tail := func(least int64) *big.Rat {
		const n = proportionWindow - 1
		sum := new(big.Rat)
		for k := least; k <= n; k++ {
			ways := new(big.Int).Binomial(n, k)
			ways.Mul(ways, new(big.Int).Exp(big.NewInt(255), big.NewInt(n-k), nil))
			sum.Add(sum, new(big.Rat).SetFrac(ways, new(big.Int).Exp(big.NewInt(256), big.NewInt(n), nil)))
		}
		return sum
	}
	rate := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 40))
	if tail(proportionCutoff-1).Cmp(rate) > 0 {
		t.Errorf("cutoff %d alarms more often than 2^-40", proportionCutoff)
	}
	if tail(proportionCutoff-2).Cmp(rate) <= 0 {
		t.Errorf("cutoff %d is later than 2^-40 asks for", proportionCutoff)
	}
}

func TestSoundSourcesPass(t *testing.T) {
	source, err := NewSource(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Read(make([]byte, 200_000)); err != nil {
		t.Error(err)
	}
	if _, err := source.Read(nil); err != nil {
		t.Error(err)
	}
}

// A thousand sources with different seeds start differently, and none is stopped.
func TestThousandSeeds(t *testing.T) {
	seen := make(map[Fingerprint]bool)
	first := make(map[string]bool)
	for i := range 1000 {
		source, err := NewSource(stream(fmt.Sprint("seed ", i)))
		if err != nil {
			t.Fatal(err)
		}
		seen[source.Fingerprint()] = true
		b := make([]byte, 32)
		if _, err := source.Read(b); err != nil {
			t.Fatal(err)
		}
		first[string(b)] = true
	}
	if len(seen) != 1000 || len(first) != 1000 {
		t.Errorf("%d fingerprints and %d streams of 1000", len(seen), len(first))
	}
}

// A generator with the same seed at every power-up is caught at the second, in
// each of a thousand boots.
func TestSameSeedAtEveryBoot(t *testing.T) {
	var earlier []Fingerprint
	for boot := range 1000 {
		source, err := NewSource(stream("the same"), earlier...)
		if boot == 0 {
			if err != nil {
				t.Fatal(err)
			}
			earlier = append(earlier, source.Fingerprint())
			continue
		}
		if !errors.Is(err, ErrStuck) {
			t.Fatalf("boot %d started: %v", boot, err)
		}
	}
	if _, err := NewSource(stream("another"), earlier...); err != nil {
		t.Errorf("another seed: %v", err)
	}
}

func TestSourceFailure(t *testing.T) {
	source, err := NewSource(io.LimitReader(stream("short"), startupBytes+10))
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 11)
	if n, err := source.Read(p); err == nil || n != 0 || !bytes.Equal(p, make([]byte, 11)) {
		t.Errorf("read %d bytes %x: %v", n, p, err)
	}
	if source.Err() == nil {
		t.Error("a failed source goes on")
	}
}
