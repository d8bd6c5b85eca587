package bench

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// seller sells tickets one handful after the other, each as soon as the last is
// answered.
type seller interface {
	// most is how many tickets it can have under way at once.
	most() int
	// sell sells n tickets, from 1 to most, and returns the codes of those that were
	// refused. An error ends the measurement.
	sell(ctx context.Context, n int) (refused []string, err error)
}

// lap is what sellers came to in one round.
type lap struct {
	sold    int
	elapsed time.Duration
	waits   []time.Duration // ascending; those of refusals included
	refused map[string]int  // by code
	left    int             // customers who went before anybody had time for them
}

func (l lap) rate() float64 { return float64(l.sold) / l.elapsed.Seconds() }

// wait returns the time within which a part of the answers came.
func (l lap) wait(percent int) time.Duration {
	if len(l.waits) == 0 {
		return 0
	}
	return l.waits[(len(l.waits)-1)*percent/100]
}

// crowd is how customers come: at a rate, each at a time of its own that does not wait
// for those before (an open model), or as many as can be served if the rate is 0.
type crowd struct {
	length time.Duration
	rate   float64 // customers a second, at all sellers together
	// patience is how long a customer waits for a seller before going away without
	// having asked for anything; 0 is for ever.
	patience time.Duration
}

// drive lets sellers serve a crowd and counts in sold while they do. A sale that is
// under way at the end is waited for and counts, and so does its time.
func drive[S seller](ctx context.Context, sellers []S, c crowd, sold *atomic.Int64) (lap, error) {
	laps, faults := make([]lap, len(sellers)), make([]error, len(sellers))
	begin := time.Now()
	c.rate /= float64(len(sellers))
	var group sync.WaitGroup
	for i, s := range sellers {
		group.Go(func() {
			queue := queueOf(c, begin, rand.New(rand.NewPCG(uint64(i), 0)))
			laps[i], faults[i] = attend(ctx, s, &queue, sold)
		})
	}
	group.Wait()
	total := lap{elapsed: time.Since(begin), refused: map[string]int{}}
	for _, l := range laps {
		total.sold += l.sold
		total.waits = append(total.waits, l.waits...)
		total.left += l.left
		for code, n := range l.refused {
			total.refused[code] += n
		}
	}
	slices.Sort(total.waits)
	// One fault tells enough: what stops one seller stops them all.
	return total, cmp.Or(cmp.Or(faults...), ctx.Err())
}

// queue are the customers of one seller.
type queue struct {
	until    time.Time
	gap      time.Duration // on average; 0 if there is always another customer
	patience time.Duration
	next     time.Time // when the next one comes
	random   *rand.Rand
	due      []time.Time // when those came who are served now
	left     int         // how many went away
}

func queueOf(c crowd, begin time.Time, random *rand.Rand) queue {
	q := queue{until: begin.Add(c.length), patience: c.patience, next: begin, random: random}
	if c.rate > 0 {
		q.gap = time.Duration(float64(time.Second) / c.rate)
		q.advance()
	}
	return q
}

// advance puts the next customer some time after the last. The gaps are those of
// people who do not know of one another.
func (q *queue) advance() {
	q.next = q.next.Add(time.Duration(q.random.ExpFloat64() * float64(q.gap)))
}

// wait returns when each of the customers came who are there now, at most so many,
// and waits for one if there is none. At the end there is none.
func (q *queue) wait(ctx context.Context, most int) []time.Time {
	q.due = q.due[:0]
	now := time.Now()
	if q.gap == 0 {
		for range most {
			if now.Before(q.until) && ctx.Err() == nil {
				q.due = append(q.due, now)
			}
		}
		return q.due
	}
	if q.next.After(now) && q.next.Before(q.until) {
		select {
		case <-time.After(q.next.Sub(now)):
		case <-ctx.Done():
			return nil
		}
		now = time.Now()
	}
	for q.patience > 0 && now.Sub(q.next) > q.patience && q.next.Before(q.until) {
		q.left++
		q.advance()
	}
	for len(q.due) < most && !q.next.After(now) && q.next.Before(q.until) {
		q.due = append(q.due, q.next)
		q.advance()
	}
	return q.due
}

// attend serves customers until there is none. The time of each is counted from when it
// came, not from when somebody had time for it.
func attend(ctx context.Context, s seller, q *queue, sold *atomic.Int64) (lap, error) {
	l := lap{refused: map[string]int{}}
	for due := q.wait(ctx, s.most()); len(due) > 0; due = q.wait(ctx, s.most()) {
		refused, err := s.sell(ctx, len(due))
		if err != nil {
			return l, err
		}
		end := time.Now()
		for _, came := range due {
			l.waits = append(l.waits, end.Sub(came))
		}
		for _, code := range refused {
			l.refused[code]++
		}
		l.sold += len(due) - len(refused)
		sold.Add(int64(len(due) - len(refused)))
	}
	l.left = q.left
	return l, nil
}
