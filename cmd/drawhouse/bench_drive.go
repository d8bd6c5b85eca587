package main

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// seller does one thing after the other, each as soon as the last is answered.
type seller interface {
	// sell returns the code of a refusal, or "" if it sold. An error ends the
	// measurement.
	sell(ctx context.Context) (code string, err error)
}

// lap is what sellers came to in one round.
type lap struct {
	sold    int
	elapsed time.Duration
	waits   []time.Duration // ascending; those of refusals included
	refused map[string]int  // by code
}

func (l lap) rate() float64 { return float64(l.sold) / l.elapsed.Seconds() }

// wait returns the time within which a part of the answers came.
func (l lap) wait(percent int) time.Duration {
	if len(l.waits) == 0 {
		return 0
	}
	return l.waits[(len(l.waits)-1)*percent/100]
}

// drive lets sellers sell for a time and counts in sold while they do. A sale
// that is under way at the end is waited for and counts, and so does its time.
func drive[S seller](ctx context.Context, sellers []S, length time.Duration, sold *atomic.Int64) (lap, error) {
	laps, faults := make([]lap, len(sellers)), make([]error, len(sellers))
	begin := time.Now()
	var group sync.WaitGroup
	for i, s := range sellers {
		group.Go(func() { laps[i], faults[i] = driveOne(ctx, s, begin.Add(length), sold) })
	}
	group.Wait()
	total := lap{elapsed: time.Since(begin), refused: map[string]int{}}
	for _, l := range laps {
		total.sold += l.sold
		total.waits = append(total.waits, l.waits...)
		for code, n := range l.refused {
			total.refused[code] += n
		}
	}
	slices.Sort(total.waits)
	// One fault tells enough: what stops one seller stops them all.
	return total, cmp.Or(cmp.Or(faults...), ctx.Err())
}

func driveOne(ctx context.Context, s seller, until time.Time, sold *atomic.Int64) (lap, error) {
	l := lap{refused: map[string]int{}}
	for begin := time.Now(); begin.Before(until) && ctx.Err() == nil; {
		code, err := s.sell(ctx)
		if err != nil {
			return l, err
		}
		end := time.Now()
		l.waits = append(l.waits, end.Sub(begin))
		begin = end
		if code != "" {
			l.refused[code]++
			continue
		}
		l.sold++
		sold.Add(1)
	}
	return l, nil
}
