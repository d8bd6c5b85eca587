package timetable

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestClockThatIsSet sets the machine's clock while the house runs. Small steps
// are followed; after a large one the time goes on evenly and waiting ends.
func TestClockThatIsSet(t *testing.T) {
	for name, c := range map[string]struct {
		by       time.Duration
		followed bool
	}{
		"a second":       {time.Second, true},
		"a second back":  {-time.Second, true},
		"a minute":       {time.Minute, true},
		"over a minute":  {time.Minute + time.Millisecond, false},
		"an hour back":   {-time.Hour, false},
		"a year":         {365 * 24 * time.Hour, false},
		"a century back": {-100 * 365 * 24 * time.Hour, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			clock := newSystemClock(time.Now)
			before := clock.Now()
			// That the past is moved back looks as if the clock were set forward.
			clock.told = before.Add(-c.by)
			now, want := clock.Now(), before
			if !c.followed {
				want = before.Add(-c.by)
			}
			if !now.Equal(want) {
				t.Errorf("%s: the clock says %v, want %v", name, now, want)
			}
			err := clock.WaitUntil(t.Context(), now.Add(3*time.Second))
			if errors.Is(err, ErrClock) == c.followed {
				t.Errorf("%s: waiting ended with %v", name, err)
			}
		})
	}
}

// TestClockBehindTheJournal starts a house on a machine whose clock is behind its
// newest record.
func TestClockBehindTheJournal(t *testing.T) {
	noon := time.Date(2026, 11, 15, 12, 0, 0, 0, melbourne)
	for behind, want := range map[time.Duration]error{0: errStopped, time.Minute: errStopped, time.Hour: ErrClock} {
		clock := &fakeClock{now: noon}
		views := 0
		house := &model{clock: clock, log: map[Step]int{}, stop: func(*model) bool { views++; return views > 2 }}
		house.view.Written = noon.Add(behind)
		if err := Run(t.Context(), threeMinutes, house, clock); !errors.Is(err, want) {
			t.Errorf("%v behind: %v", behind, err)
		}
	}
}
