package house

import (
	"sync"
	"testing"
	"time"

	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// TestSaleNeverStops asks for a price all the time while games close and open: a
// close, its seal and the next opening are one, and no reader may see between them.
func TestSaleNeverStops(t *testing.T) {
	b := newBench(t)
	request, err := keno.ParseRequest([]byte(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[7],"stake_cents":100}]}`))
	must(t, err)
	b.run(func(time.Time) error { return errEnough }) // The first game is on sale.

	stop, asked := make(chan struct{}), 0
	var group sync.WaitGroup
	group.Go(func() {
		for ; ; asked++ {
			select {
			case <-stop:
				return
			default:
				if _, err := b.house.Quote(t.Context(),
					Order{Terminal: 1, Method: rulebook.MethodVerbal, Ticket: request}); err != nil {
					t.Errorf("after %d prices: %v", asked, err)
					return
				}
			}
		}
	})
	b.run(func(until time.Time) error {
		if until.Sub(start) > 2*time.Hour {
			return errEnough
		}
		return nil
	})
	close(stop)
	group.Wait()
	if games := b.house.First().Games(100); len(games) < 30 || asked < 1000 {
		t.Errorf("%d games and %d prices are too few to tell", len(games), asked)
	}
}
