package lane_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"pgregory.net/rapid"

	"drawhouse/journal/lane"
	"drawhouse/journal/store"
	"drawhouse/journal/store/storetest"
)

// owner keeps a lane open on a store whose appends fail at random: when one has
// stopped it opens the next.
type owner struct {
	disk    *storetest.Disk
	options lane.Options
	percent int // of the appends fail
	failed  atomic.Int64
	mu      sync.Mutex // guards current
	current *lane.Lane[*counter]
}

func newOwner(percent int, options lane.Options) (*owner, error) {
	o := &owner{disk: storetest.NewDisk(), options: options, percent: percent}
	return o, o.open()
}

func (o *owner) open() (err error) {
	st := storetest.NewFaulty(storetest.OpenMemory(o.disk), func(store.Batch) storetest.Fault {
		if rand.IntN(4) == 0 {
			time.Sleep(rand.N(100 * time.Microsecond))
		}
		if rand.IntN(100) >= o.percent {
			return storetest.NoFault
		}
		o.failed.Add(1)
		return storetest.BeforeCommit + storetest.Fault(rand.IntN(2))
	})
	o.current, err = lane.Open(context.Background(), st, buildCounter, o.options)
	return err
}

// lane returns the lane that runs.
func (o *owner) lane() (*lane.Lane[*counter], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	select {
	case <-o.current.Done():
		err = o.open()
	default:
	}
	return o.current, err
}

func (o *owner) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.current.Close(context.Background())
}

// facts returns all records.
func (o *owner) facts(ctx context.Context) (facts []fact, err error) {
	st := storetest.OpenMemory(o.disk)
	head, err := st.Head(ctx)
	if err != nil {
		return nil, err
	}
	err = st.Records(ctx, 1, 0, head.Size, func(_ uint64, data []byte) error {
		f, err := parseFact(data)
		facts = append(facts, f)
		return err
	})
	return facts, err
}

// TestExactlyOnce lets clients ask each request again by its number until it is
// answered, while commits fail and callers lose patience. In the end every
// request was done once, in its client's order, with the answer that was given.
func TestExactlyOnce(t *testing.T) {
	var failures, requests int64
	rapid.Check(t, func(rt *rapid.T) {
		o, err := newOwner(rapid.IntRange(0, 30).Draw(rt, "percent"), lane.Options{
			Queue: rapid.IntRange(1, 10).Draw(rt, "queue"),
			Group: rapid.IntRange(1, 10).Draw(rt, "group"),
		})
		if err != nil {
			rt.Fatal(err)
		}
		clients := rapid.IntRange(1, 12).Draw(rt, "clients")
		each := rapid.IntRange(1, 30).Draw(rt, "requests")
		answers := make([][]int, clients)
		var wait sync.WaitGroup
		for client := range clients {
			wait.Go(func() {
				for number := 1; number <= each; number++ {
					total, err := o.insist(client, number)
					if err != nil {
						rt.Errorf("client %d, request %d: %v", client, number, err)
						return
					}
					answers[client] = append(answers[client], total)
				}
			})
		}
		wait.Wait()
		o.close()
		if err := o.audit(t.Context(), answers, clients*each); err != nil {
			rt.Fatal(err)
		}
		failures += o.failed.Load()
		requests += int64(clients * each)
	})
	t.Logf("%d requests done once each, %d failed commits", requests, failures)
}

// insist asks until it is answered.
func (o *owner) insist(client, number int) (int, error) {
	for {
		l, err := o.lane()
		if err != nil {
			return 0, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Microsecond+rand.N(20*time.Millisecond))
		total, err := lane.Do(ctx, l, func(c *counter) (int, error) { return c.add(client, number, client+1) })
		cancel()
		switch {
		case err == nil:
			return total, nil
		case errors.Is(err, lane.ErrBusy), errors.Is(err, lane.ErrStopped), errors.Is(err, lane.ErrUnknown),
			errors.Is(err, context.DeadlineExceeded):
			time.Sleep(rand.N(50 * time.Microsecond))
		default:
			return 0, err
		}
	}
}

// audit compares the records with the answers.
func (o *owner) audit(ctx context.Context, answers [][]int, want int) error {
	facts, err := o.facts(ctx)
	if err != nil {
		return err
	}
	if len(facts) != want {
		return fmt.Errorf("%d records for %d requests", len(facts), want)
	}
	done := make([]int, len(answers))
	total := 0
	for i, f := range facts {
		total += f.add
		done[f.client]++
		if f.number != done[f.client] || f.total != total || answers[f.client][f.number-1] != total {
			return fmt.Errorf("record %d is %+v, the total %d, the answer %d", i, f, total, answers[f.client][f.number-1])
		}
	}
	return nil
}

// operation is a call of a client: an addition, or a question if add is 0.
type operation struct{ add int }

// unknownTotal is the output of an operation whose outcome is unknown. It may
// take effect at any later time, or never.
const unknownTotal = -1

// register is the counter as one client after the other would see it.
var register = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		total := state.(int) + input.(operation).add
		return output.(int) == unknownTotal || output.(int) == total, total
	},
}

// TestLinearizable checks that what many clients were told, across failing
// commits and new lanes, is what one client after the other could have been told.
// Operations that were answered ErrBusy or ErrStopped are left out: they must not
// have happened.
func TestLinearizable(t *testing.T) {
	rounds, operations := 20, 0
	var failures int64
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		o, err := newOwner(2, lane.Options{Queue: 6, Group: 3})
		if err != nil {
			t.Fatal(err)
		}
		history := o.record(t, 8, 60)
		o.close()
		operations += len(history)
		failures += o.failed.Load()
		if result := porcupine.CheckOperationsTimeout(register, history, 20*time.Second); result != porcupine.Ok {
			t.Fatalf("round %d: a history of %d operations is %s", round, len(history), result)
		}
	}
	t.Logf("%d operations in %d rounds, %d failed commits", operations, rounds, failures)
}

// record lets clients work and returns what they saw.
func (o *owner) record(t *testing.T, clients, each int) []porcupine.Operation {
	var mu sync.Mutex // guards history
	var history []porcupine.Operation
	var wait sync.WaitGroup
	begin := time.Now()
	for client := range clients {
		wait.Go(func() {
			for range each {
				l, err := o.lane()
				if err != nil {
					t.Error(err)
					return
				}
				op := operation{add: rand.IntN(2) * (1 + rand.IntN(1<<30))}
				called := time.Since(begin).Nanoseconds()
				output, err := lane.Do(context.Background(), l, func(c *counter) (int, error) {
					if op.add == 0 {
						return c.total, nil
					}
					return c.add(client, 0, op.add)
				})
				returned := time.Since(begin).Nanoseconds()
				if errors.Is(err, lane.ErrUnknown) {
					output, returned = unknownTotal, math.MaxInt64
				} else if err != nil {
					time.Sleep(rand.N(200 * time.Microsecond))
					continue // Nothing happened.
				}
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: client, Input: op, Call: called, Output: output,
					Return: returned})
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return history
}
