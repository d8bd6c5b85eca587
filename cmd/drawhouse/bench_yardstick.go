package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"drawhouse/day"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/keno"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/serial"
	"drawhouse/store"
)

// laneTerminal sells in this process, by a call of the house: the same decisions,
// lane and storage without HTTP and JSON.
type laneTerminal struct {
	house   *house.House
	id      uint32
	number  uint64
	tickets []keno.Request
}

// sell implements seller. The house in this process has one open game and knows
// every terminal, so that a refusal is a fault.
func (t *laneTerminal) sell(ctx context.Context) (string, error) {
	_, err := t.sold(ctx)
	return "", err
}

func (t *laneTerminal) sold(ctx context.Context) (house.Sold, error) {
	t.number++
	ticket := t.tickets[(uint64(t.id)*7919+t.number)%uint64(len(t.tickets))]
	order := house.Order{Terminal: t.id, Method: rulebook.MethodForm, Ticket: ticket}
	return t.house.Sell(ctx, record.Request{Terminal: t.id, Number: t.number}, order, serial.ClaimHash{}, 0)
}

// laneHouse is a house in this process with a game on sale.
type laneHouse struct {
	store     store.Store
	house     *house.House
	terminals []*laneTerminal
}

func openLaneHouse(ctx context.Context, storage storageFlags, terminals int, forms []string) (*laneHouse, error) {
	c := serveCmd{serveFlags{storageFlags: storage, Demo: true, Terminals: terminals, Interval: benchInterval, Lead: benchLead, Ball: benchBall}}
	st, err := c.openStore(ctx)
	if err != nil {
		return nil, err
	}
	l := &laneHouse{store: st}
	if l.house, _, err = c.openHouse(ctx, st, slog.New(slog.DiscardHandler), nil); err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	today, err := day.Of(now.Year(), int(now.Month()), now.Day())
	if err != nil {
		return nil, err
	}
	if err := l.house.OpenDay(ctx, today, 0); err != nil {
		return nil, err
	}
	if err := l.house.OpenGame(ctx, now.Add(time.Hour)); err != nil {
		return nil, err
	}
	tickets := make([]keno.Request, len(forms))
	for i, form := range forms {
		if tickets[i], err = keno.ParseRequest([]byte(form)); err != nil {
			return nil, err
		}
	}
	for id := uint32(1); id <= uint32(terminals); id++ {
		l.terminals = append(l.terminals, &laneTerminal{house: l.house, id: id, tickets: tickets})
	}
	return l, nil
}

// close ends the house. What it wrote is thrown away.
func (l *laneHouse) close(ctx context.Context) error {
	return errors.Join(l.house.Close(ctx), l.store.Close())
}

// sample sells a ticket and returns its record.
func (l *laneHouse) sample(ctx context.Context) ([]byte, error) {
	sold, err := l.terminals[0].sold(ctx)
	if err != nil {
		return nil, err
	}
	return l.store.Record(ctx, sold.Place)
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

func openCommitter(ctx context.Context, storage storageFlags, data []byte) (*committer, error) {
	st, err := storage.create(ctx)
	if err != nil {
		return nil, err
	}
	head, err := st.TakeOver(ctx)
	if err != nil {
		return nil, fmt.Errorf("take over: %w", err)
	}
	return &committer{store: st, epoch: head.Epoch, tree: journal.NewTree(), data: data}, nil
}

// sell implements seller.
func (c *committer) sell(ctx context.Context) (string, error) {
	from, _ := c.tree.Append(c.data)
	return "", c.store.Append(ctx, store.Batch{
		Epoch: c.epoch, Volume: store.FirstVolume, From: from, Entries: []store.Entry{{Data: c.data}},
		Root: c.tree.Root(), Tiles: c.tree.TakeTiles(),
	})
}
