package lane_test

import (
	"context"
	"errors"
	"fmt"

	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/storetest"
)

// counter is the model engine: it adds up what clients send and remembers each
// client's last request with its answer, as the house does for its terminals.
type counter struct {
	journal *storetest.Journal
	entries []store.Entry
	total   int
	last    map[int]request
}

type request struct{ number, total int }

// errRefused is the refusal of the counter: it goes up only.
var errRefused = errors.New("refused: it goes up only")

// buildCounter replays the records that a store holds.
func buildCounter(ctx context.Context, head store.Head, stored store.Reader) (*counter, error) {
	journal, err := storetest.Resume(ctx, head, stored)
	if err != nil {
		return nil, err
	}
	c := &counter{journal: journal, last: map[int]request{}}
	err = stored.Records(ctx, head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		f, err := parseFact(data)
		if err == nil && f.total != c.total+f.add {
			err = fmt.Errorf("record %d: %d and %d make %d", seq, c.total, f.add, f.total)
		}
		c.apply(f)
		return err
	})
	return c, err
}

// fact is a record of the counter.
type fact struct{ client, number, add, total int }

func (f fact) encode() []byte {
	return fmt.Appendf(nil, "%d %d %d %d", f.client, f.number, f.add, f.total)
}

func parseFact(data []byte) (f fact, err error) {
	_, err = fmt.Sscan(string(data), &f.client, &f.number, &f.add, &f.total)
	return f, err
}

func (c *counter) apply(f fact) {
	c.total = f.total
	c.last[f.client] = request{f.number, f.total}
}

// add answers a client's request with the total; one that is asked again is
// answered as before.
func (c *counter) add(client, number, add int) (int, error) {
	if last := c.last[client]; number == last.number && number > 0 {
		return last.total, nil
	}
	if add <= 0 {
		return 0, errRefused
	}
	f := fact{client, number, add, c.total + add}
	c.entries = append(c.entries, store.Entry{Data: f.encode()})
	c.apply(f)
	return c.total, nil
}

// Take implements lane.Engine.
func (c *counter) Take() (store.Batch, error) {
	if len(c.entries) == 0 {
		return store.Batch{}, nil
	}
	b := c.journal.Batch(c.entries)
	c.entries = nil
	return b, nil
}

// add sends a request that is not repeated.
func add(ctx context.Context, l *lane.Lane[*counter], n int) (int, error) {
	return lane.Do(ctx, l, func(c *counter) (int, error) { return c.add(0, 0, n) })
}

// total asks for the total.
func total(ctx context.Context, l *lane.Lane[*counter]) (int, error) {
	return lane.Do(ctx, l, func(c *counter) (int, error) { return c.total, nil })
}

// storedTotal returns what the records of a disk add up to.
func storedTotal(ctx context.Context, disk *storetest.Disk) (int, error) {
	st := storetest.OpenMemory(disk)
	head, err := st.Head(ctx)
	if err != nil || head.Size == 0 {
		return 0, err
	}
	data, err := st.Record(ctx, record.Place{Volume: head.Volume, Seq: head.Size - 1})
	if err != nil {
		return 0, err
	}
	f, err := parseFact(data)
	return f.total, err
}
