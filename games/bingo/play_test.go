package bingo

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
)

// twin is the slow and readable play: nothing but the strips and the numbers called.
type twin struct {
	patterns *Patterns
	strips   []Strip
	called   ball.Set
}

// completed looks at a box as a person does, pattern by pattern.
func (w *twin) completed(box int, called ball.Set) (c Completed) {
	for i := range w.patterns.Len() {
		if slowComplete(w.patterns.At(i).file, w.strips[box/StripBoxes][box%StripBoxes], called) {
			c |= 1 << i
		}
	}
	return c
}

// turn goes from one set of called numbers to another and returns what is gained, or
// what is lost.
func (w *twin) turn(to ball.Set) (gained, lost []Change) {
	for box := range len(w.strips) * StripBoxes {
		before, after := w.completed(box, w.called), w.completed(box, to)
		if c := after &^ before; c != 0 {
			gained = append(gained, Change{box, c})
		}
		if c := before &^ after; c != 0 {
			lost = append(lost, Change{box, c})
		}
	}
	w.called = to
	return gained, lost
}

// follow takes play and twin through calls, of which some may not be allowed. It returns the
// first difference.
func follow(patterns *Patterns, strips []Strip, calls []int) error {
	play, err := NewPlay(patterns, strips)
	if err != nil {
		return err
	}
	slow := &twin{patterns, strips, ball.Empty(ball.Bingo)}
	for _, n := range calls {
		got, err := play.Call(n, nil)
		if allowed := n >= 1 && n <= Numbers && !slow.called.Has(n); (err == nil) != allowed {
			return fmt.Errorf("call %d: allowed %v, error %w", n, allowed, err)
		} else if !allowed {
			continue
		}
		want, none := slow.turn(slow.called.With(n))
		if !slices.Equal(got, want) || len(none) > 0 || play.Calls().Set() != slow.called {
			return fmt.Errorf("call %d: %v, want %v", n, got, want)
		}
	}
	return nil
}

func TestPlayAgreesWithTwin(t *testing.T) {
	patterns, made := nswPatterns(t), strips(t, "twin", 40)
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(0, len(made)-3).Draw(t, "first strip")
		calls := rapid.Permutation(numbers()).Draw(t, "calls")[:rapid.IntRange(0, Numbers).Draw(t, "count")]
		for range rapid.IntRange(0, 5).Draw(t, "repeats") {
			if len(calls) > 0 {
				at := rapid.IntRange(0, len(calls)-1).Draw(t, "after")
				calls = slices.Insert(slices.Clone(calls), at+1, rapid.SampledFrom(calls).Draw(t, "again"))
			}
		}
		if err := follow(patterns, made[first:first+3], calls); err != nil {
			t.Fatal(err)
		}
	})
}

func numbers() (all []int) {
	for n := 1; n <= Numbers; n++ {
		all = append(all, n)
	}
	return all
}

// FuzzPlay takes two strips through any calls.
func FuzzPlay(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0x82, 2})
	f.Add([]byte("a game of bingo, with numbers called and called again"))
	f.Add([]byte{0, 91, 0x80, 90, 90})
	patterns, made := nswPatterns(f), strips(f, "fuzz", 2)
	f.Fuzz(func(t *testing.T, data []byte) {
		var calls []int
		for _, b := range data {
			calls = append(calls, int(int8(b)))
		}
		if err := follow(patterns, made, calls); err != nil {
			t.Fatal(err)
		}
	})
}

func mustMove(t *testing.T, move func(int, []Change) ([]Change, error), n int) []Change {
	t.Helper()
	changes, err := move(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// TestEveryBoxIsCompleteAtLast: with all numbers called every box has everything,
// and each was reported once for each pattern.
func TestEveryBoxIsCompleteAtLast(t *testing.T) {
	patterns, made := nswPatterns(t), strips(t, "last", 200)
	play, err := NewPlay(patterns, made)
	if err != nil {
		t.Fatal(err)
	}
	have := make([]Completed, play.Boxes())
	for _, n := range numbers() {
		for _, c := range mustMove(t, play.Call, n) {
			if have[c.Box]&c.Patterns != 0 {
				t.Fatalf("box %d completes %b twice", c.Box, c.Patterns)
			}
			have[c.Box] |= c.Patterns
		}
		var toGo [BoxNumbers + 1]int
		for _, marks := range play.marks {
			toGo[BoxNumbers-bits.OnesCount16(uint16(marks&fullMask))]++
		}
		if got := play.ToGo(Bingo); !slices.Equal(got, toGo[:]) {
			t.Fatalf("after %d: %v to go, want %v", n, got, toGo)
		}
	}
	for box := range have {
		if have[box] != 1<<patterns.Len()-1 || play.Marks(box) != fullMask {
			t.Errorf("box %d has %b", box, have[box])
		}
	}
	if toGo := play.ToGo(Bingo); toGo[0] != play.Boxes() {
		t.Errorf("to go at the end: %v", toGo)
	}
}

func TestPlayNeedsBoxes(t *testing.T) {
	if _, err := NewPlay(nswPatterns(t), make([]Strip, 1)); err == nil {
		t.Error("a strip without boxes is played")
	}
	two := strips(t, "two", 2)
	two[0][3] = two[1][3]
	if _, err := NewPlay(nswPatterns(t), two[:1]); err == nil {
		t.Error("a strip that lacks numbers is played")
	}
	if play, err := NewPlay(nswPatterns(t), nil); err != nil || len(mustMove(t, play.Call, 1)) != 0 {
		t.Errorf("a game without cards: %v", err)
	}
}

// naiveScan is what a call costs without an index: every box is looked through for
// the number, and its patterns are compared. It shares the masks and tables of the
// patterns, so that the difference is the index alone.
func naiveScan(patterns *Patterns, boxes []Box, before, after ball.Set, changes []Change) []Change {
	for i := range boxes {
		was, is := patterns.Completed(boxes[i].Mask(before)), patterns.Completed(boxes[i].Mask(after))
		if gained := is &^ was; gained != 0 {
			changes = append(changes, Change{i, gained})
		}
	}
	return changes
}

const millionStrips = 166_667

// BenchmarkCall plays games of a million boxes, bingo and 28 patterns, and beside it
// the naive scan. The slowest call is that of the 90 whose fastest round is the
// slowest, so that what else the machine does is not counted.
func BenchmarkCall(b *testing.B) {
	patterns, made := nswPatterns(b), strips(b, "million", millionStrips)
	calls := numbers()
	for i := range calls { // an order without a pattern in it
		calls[i] = i*37%Numbers + 1
	}
	b.Run("index", func(b *testing.B) {
		play, err := NewPlay(patterns, made)
		if err != nil {
			b.Fatal(err)
		}
		changes := make([]Change, 0, play.Boxes())
		fastest := slices.Repeat([]time.Duration{time.Hour}, Numbers)
		for i := 0; b.Loop(); i++ {
			n := calls[i%Numbers]
			if i%Numbers == 0 && i > 0 {
				b.StopTimer()
				if play, err = NewPlay(patterns, made); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			start := time.Now()
			if changes, err = play.Call(n, changes[:0]); err != nil {
				b.Fatal(err)
			}
			fastest[i%Numbers] = min(fastest[i%Numbers], time.Since(start))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(play.Boxes()), "ns/box")
		if b.N >= Numbers {
			b.ReportMetric(float64(slices.Max(fastest).Microseconds())/1000, "slowest-ms")
		}
	})
	b.Run("naive", func(b *testing.B) {
		var boxes []Box
		for i := range made {
			boxes = append(boxes, made[i][:]...)
		}
		changes := make([]Change, 0, len(boxes))
		called := ball.Empty(ball.Bingo)
		for i := 0; b.Loop(); i++ {
			if i%Numbers == 0 {
				called = ball.Empty(ball.Bingo)
			}
			next := called.With(calls[i%Numbers])
			changes = naiveScan(patterns, boxes, called, next, changes[:0])
			called = next
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(boxes)), "ns/box")
	})
}
