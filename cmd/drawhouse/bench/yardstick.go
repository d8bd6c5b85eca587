package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// laneController sells in this process for some terminals, by a call of the house: the
// same decisions, lane and storage without HTTP and JSON.
type laneController struct {
	house       *house.House
	first, last uint32 // its terminals
	at          uint32 // the one that has the next customer
	number      uint64
	tickets     []keno.Request
}

// most implements seller.
func (c *laneController) most() int { return int(c.last - c.first + 1) }

// sell implements seller. The house in this process has one open game and knows every
// terminal, so that a refusal is a fault.
func (c *laneController) sell(ctx context.Context, n int) ([]string, error) { //nolint:unparam // Other sellers refuse.
	_, err := c.sold(ctx, n)
	return nil, err
}

func (c *laneController) sold(ctx context.Context, n int) (place record.Place, err error) {
	sales := make([]house.Sale, n)
	for i := range sales {
		if c.at++; c.at < c.first || c.at > c.last {
			c.at = c.first
			c.number++
		}
		ticket := c.tickets[(uint64(c.at)*7919+c.number)%uint64(len(c.tickets))]
		sales[i] = house.Sale{
			Request: record.Request{Terminal: c.at, Number: c.number},
			Order:   house.Order{Terminal: c.at, Method: rulebook.MethodForm, Ticket: ticket},
		}
	}
	for _, result := range c.house.SellAll(ctx, sales) {
		place, err = result.Place, errors.Join(err, result.Err)
	}
	return place, err
}

// laneHouse is a house in this process with a game on sale.
type laneHouse struct {
	store       store.Store
	house       *house.House
	controllers []*laneController
}

func openLaneHouse(ctx context.Context, storage location, terminals, each int, forms []string,
	told ...func(*house.Config)) (*laneHouse, error) {
	st, err := storage.open(ctx)
	if err != nil {
		return nil, err
	}
	l := &laneHouse{store: st}
	if l.house, err = storage.house(ctx, st, terminals, storage.snapshots(0), told...); err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	today, err := day.Of(now.Year(), int(now.Month()), now.Day())
	if err != nil {
		return nil, err
	}
	if err := l.house.First().OpenDay(ctx, today, 0); err != nil {
		return nil, err
	}
	if err := l.house.First().OpenGame(ctx, now.Add(time.Hour)); err != nil {
		return nil, err
	}
	tickets := make([]keno.Request, len(forms))
	for i, form := range forms {
		if tickets[i], err = keno.ParseRequest([]byte(form)); err != nil {
			return nil, err
		}
	}
	for first := 1; first <= terminals; first += each {
		l.controllers = append(l.controllers, &laneController{
			house: l.house, number: 1, first: uint32(first), last: uint32(min(first+each-1, terminals)),
			tickets: tickets,
		})
	}
	return l, nil
}

// close ends the house. What it wrote is thrown away.
func (l *laneHouse) close(ctx context.Context) error {
	return errors.Join(l.house.Close(ctx), l.store.Close())
}

// sampleSale sells a ticket in a house of its own and returns its record.
func sampleSale(ctx context.Context, storage location, forms []string) (_ []byte, err error) {
	l, err := openLaneHouse(ctx, storage, 1, 1, forms)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	return l.sample(ctx)
}

// sample sells a ticket and returns its record.
func (l *laneHouse) sample(ctx context.Context) ([]byte, error) {
	place, err := l.controllers[0].sold(ctx, 1)
	if err != nil {
		return nil, err
	}
	return l.store.Record(ctx, place)
}

// committer makes one record durable after the other, each by a transaction of
// its own, on the storage that the house uses: what selling would cost if every
// ticket were a commit.
type committer struct {
	store store.Store
	epoch uint64
	tree  *journal.Tree
	data  []byte
}

func openCommitter(ctx context.Context, storage location, data []byte) (*committer, error) {
	st, err := storage.open(ctx)
	if err != nil {
		return nil, err
	}
	head, err := st.TakeOver(ctx)
	if err != nil {
		return nil, fmt.Errorf("take over: %w", err)
	}
	return &committer{store: st, epoch: head.Epoch, tree: journal.NewTree(), data: data}, nil
}

// most implements seller.
func (c *committer) most() int { return 1 }

// sell implements seller.
func (c *committer) sell(ctx context.Context, _ int) ([]string, error) { //nolint:unparam // Other sellers refuse.
	from, _ := c.tree.Append(c.data)
	return nil, c.store.Append(ctx, store.Batch{
		Epoch: c.epoch, Volume: store.FirstVolume, From: from, Entries: []store.Entry{{Data: c.data}},
		Root: c.tree.Root(), Tiles: c.tree.TakeTiles(),
	})
}
