package lane_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"drawhouse/journal/lane"
	"drawhouse/journal/store/storetest"
)

// flood sends commands until the lane refuses one as busy, and returns the accepted ones.
func flood(t *testing.T, what string, send func() <-chan answer) (accepted []<-chan answer) {
	t.Helper()
	for range 10_000 {
		answers := send()
		select {
		case a := <-answers:
			if !errors.Is(a.err, lane.ErrBusy) {
				t.Fatalf("%s: %+v, want busy", what, a)
			}
			return accepted
		default:
			accepted = append(accepted, answers)
		}
	}
	t.Fatalf("%s: nothing was refused", what)
	return nil
}

// TestFloodLeavesTheOwnerIn: neither a flood of ordinary commands nor one of those with
// reserved places takes a place of the owner's. The owner's commands wait, however many
// there are, run before everything else, and are never refused as busy.
func TestFloodLeavesTheOwnerIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		groups := [][3]int{}
		l := start(t, g, lane.Options{Queue: 100, Group: 50,
			OnGroup: func(group lane.Group) { groups = append(groups, group.By) }})
		one := func(c *counter) (int, error) { return c.add(0, 0, 1) }
		ordinary := flood(t, "ordinary commands", func() <-chan answer {
			return beside(func() (int, error) { return lane.Do(t.Context(), l, one) })
		})
		soon := flood(t, "commands with reserved places", func() <-chan answer {
			return beside(func() (int, error) { return lane.DoSoon(t.Context(), l, one) })
		})
		var owner []<-chan answer
		for range 200 { // far more than there are places
			owner = append(owner, beside(func() (int, error) { return lane.DoFirst(t.Context(), l, one) }))
		}
		for i, answers := range owner {
			unanswered(t, fmt.Sprint("the owner's command ", i), answers)
		}
		sums := [3]int{}
		for passed := 0; passed < len(ordinary)+len(soon)+len(owner); {
			passed += g.pass(storetest.NoFault)
		}
		for _, by := range groups {
			if by[lane.First] == 0 && by[lane.Soon] > 0 && sums[lane.First] < len(owner) {
				t.Errorf("%v were taken before the owner's, of which %d had run", by, sums[lane.First])
			}
			if by[lane.Ordinary] > 0 && sums[lane.Ordinary] > 0 && sums[lane.Soon]+by[lane.Soon] < len(soon) {
				t.Errorf("%v were taken before those with reserved places, of which %d had run", by, sums[lane.Soon])
			}
			for i := range by {
				sums[i] += by[i]
			}
		}
		if want := [3]int{len(owner), len(soon), len(ordinary)}; sums != want {
			t.Errorf("ran %v, want %v", sums, want)
		}
		for i, answers := range owner {
			if a := <-answers; a.err != nil {
				t.Errorf("the owner's command %d: %v", i, a.err)
			}
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestOwnerIsAnswered: an owner's command that waits for a place is answered when its
// context ends, when the lane fails and when the lane is closed.
func TestOwnerIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		l := start(t, g, lane.Options{})
		one := func(c *counter) (int, error) { return c.add(0, 0, 1) }
		committing := adding(t, l, 1)
		var waiting []<-chan answer
		for range 100 {
			waiting = append(waiting, beside(func() (int, error) { return lane.DoFirst(t.Context(), l, one) }))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		gone := beside(func() (int, error) { return lane.DoFirst(ctx, l, one) })
		unanswered(t, "the one with a deadline", gone)
		if err := l.Alive(30 * time.Second); err != nil {
			t.Errorf("the lane is slow and not stuck: %v", err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		expect(t, "the one with a deadline", gone, 0, context.DeadlineExceeded)
		if err := l.Alive(30 * time.Second); !errors.Is(err, lane.ErrStuck) {
			t.Errorf("a lane whose store hangs for a minute: %v", err)
		}
		g.pass(storetest.BeforeCommit)
		expect(t, "what failed", committing, 0, lane.ErrUnknown)
		for i, answers := range waiting {
			expect(t, fmt.Sprint("waiting ", i), answers, 0, lane.ErrStopped)
		}
		<-l.Done()
		expect(t, "after the end", beside(func() (int, error) { return lane.DoFirst(t.Context(), l, one) }), 0,
			lane.ErrStopped)
		if err := l.Alive(time.Hour); !errors.Is(err, lane.ErrStopped) {
			t.Errorf("a lane that has failed: %v", err)
		}
	})
}
