package limit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestLimiter compares the limiter with a slow one that remembers every request: never
// are more let through in any stretch of time than the rate and the burst allow, and a
// caller who asks evenly is never refused.
func TestLimiter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(1, 50).Draw(t, "rate")
		now := time.Unix(1_800_000_000, 0)
		l := New(uint(rate), func() time.Time { return now })
		var taken []time.Time
		for range rapid.IntRange(1, 400).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "wait")) * time.Millisecond)
			if checked, wait := l.Check("a"), l.Take("a"); checked != wait {
				t.Fatalf("Check says %v, Take %v", checked, wait)
			} else if wait == 0 {
				taken = append(taken, now)
			}
		}
		for i := range taken {
			for j := i; j < len(taken); j++ {
				allowed := rate*Burst + 1 + int(taken[j].Sub(taken[i])*time.Duration(rate)/time.Second) + 1
				if n := j - i + 1; n > allowed {
					t.Fatalf("%d requests in %v at %d a second", n, taken[j].Sub(taken[i]), rate)
				}
			}
		}
	})
	now := time.Unix(1_800_000_000, 0)
	even := New(10, func() time.Time { return now })
	for range 1000 {
		now = now.Add(100 * time.Millisecond)
		if wait := even.Take("a"); wait != 0 {
			t.Fatal(wait)
		}
	}
	if wait := New(0, time.Now).Take("a"); wait != 0 {
		t.Errorf("without a limit: %v", wait)
	}
}

// TestLimiterForgets: callers without end do not take memory without end.
func TestLimiterForgets(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	l := New(1, func() time.Time { return now })
	for i := range 3 * MaxSeen {
		now = now.Add(time.Microsecond)
		l.Take(string(rune(i)))
	}
	if len(l.due) > MaxSeen {
		t.Errorf("%d callers are remembered", len(l.due))
	}
}
