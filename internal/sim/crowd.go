package sim

import (
	"context"
	"math/rand/v2"
)

// crowd sends several requests that are decided as one batch: claims of one ticket at
// several terminals, sales, cancellations, some of them given up while they wait.
func (w *world) crowd(r *rand.Rand) error {
	for _, t := range w.terminals {
		if err := w.resolve(t, true); err != nil {
			return err
		}
	}
	asks, err := w.gather(r)
	if err != nil {
		return err
	}
	if r.IntN(3) == 0 {
		w.disk.plan(randomFault(r))
	}
	w.disk.shut()
	replies := make([]reply, len(asks))
	given := make([]context.CancelFunc, len(asks))
	for i, a := range asks {
		ctx, cancel := context.WithCancel(context.Background())
		given[i] = cancel
		go func() { replies[i] = send(ctx, w.house, a) }()
		w.idle()
	}
	if r.IntN(3) == 0 {
		given[r.IntN(len(given))]()
		w.idle()
	}
	closing := w.closeAmong(r)
	w.disk.open()
	w.idle()
	if err := <-closing; err != nil {
		return err
	}
	for i, a := range asks {
		given[i]()
		if err := w.told(a, replies[i]); err != nil {
			return err
		}
	}
	w.figures["crowds"]++
	return nil
}

// closeAmong closes the open game, now and then, while requests wait that were made
// before: the close goes first. It returns where the house says what came of it.
func (w *world) closeAmong(r *rand.Rand) <-chan error {
	done := make(chan error, 1)
	newest := w.house.First().Games(1)
	if r.IntN(2) == 0 || w.audit.onSale() == 0 || len(newest) == 0 {
		done <- nil
		return done
	}
	w.figures["crowds at the close"]++
	go func() {
		err := w.house.First().TurnGame(context.Background(), newest[0].Closes.Time().Add(rhythm.Interval))
		if isDown(err) || codeOf(err) != "" {
			err = nil // The timetable sees to it.
		}
		done <- err
	}()
	w.idle()
	return done
}

// gather lets everybody at the terminals want something at the same time.
func (w *world) gather(r *rand.Rand) ([]*ask, error) {
	var asks []*ask
	var same *paper
	if len(w.papers) > 0 {
		same = w.someone(r)
	}
	for _, t := range w.terminals {
		kind := []Kind{Sell, Pay, Pay, Cancel}[r.IntN(4)]
		if same == nil || kind == Sell {
			a, err := w.newSale(r, t, 2)
			if err != nil {
				return nil, err
			}
			asks = append(asks, a)
			continue
		}
		asks = append(asks, w.claim(r, kind, t, same))
	}
	return asks, nil
}
