package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

const (
	// fullControllers sell the tickets of a full house, each for fullEach terminals. One
	// further terminal claims.
	fullControllers = 4
	fullEach        = 256
	claimant        = fullControllers*fullEach + 1

	// certain is how many tickets on one number each are sold: of 20 numbers among 80, at
	// least one is among the first 61, so that some ticket of those wins in every game.
	certain = 61
)

// fullHouse is a house in this process with many tickets that still play.
type fullHouse struct {
	*laneHouse
	storage location
	code    serial.ClaimCode
	number  uint64 // last request of the claimant
	tickets int
	winners [certain + 1]record.Place // the ticket on each number
	claims  map[record.Place]bool     // those that were paid
}

// openFullHouse sells tickets of many games through the lane until so many are open.
func openFullHouse(ctx context.Context, place *site, tickets int, line statusLine) (_ *fullHouse, err error) {
	f := &fullHouse{tickets: tickets, claims: map[record.Place]bool{}}
	if f.storage, err = place.storage(ctx, "full"); err != nil {
		return nil, err
	}
	if f.code, err = serial.NewClaimCode(rand.Reader); err != nil {
		return nil, err
	}
	if f.laneHouse, err = openLaneHouse(ctx, f.storage, claimant, fullEach, longTickets(mixSize)); err != nil {
		return nil, err
	}
	if err := f.fill(ctx, line); err != nil {
		return nil, errors.Join(err, f.close(ctx))
	}
	return f, nil
}

// fill sells the tickets.
func (f *fullHouse) fill(ctx context.Context, line statusLine) error {
	for n := 1; n <= certain; n++ {
		if err := f.sellNumber(ctx, n); err != nil {
			return err
		}
	}
	var sold atomic.Int64
	sold.Store(certain)
	done := line.follow(func(time.Duration) string {
		return fmt.Sprintf("selling tickets: %s of %s", console.Counted(min(sold.Load(), int64(f.tickets))),
			console.Counted(f.tickets))
	})
	defer done()
	var group sync.WaitGroup
	faults := make([]error, fullControllers)
	for i, c := range f.controllers[:fullControllers] {
		group.Go(func() {
			for faults[i] == nil {
				// A controller takes as many as it can of those that are left.
				n := min(fullEach, int64(f.tickets)-sold.Add(fullEach)+fullEach)
				if n <= 0 {
					return
				}
				_, faults[i] = c.sell(ctx, int(n))
			}
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// sellNumber sells a ticket on one number.
func (f *fullHouse) sellNumber(ctx context.Context, n int) error {
	form := fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":%d,"bets":[{"bet":"classic","spots":[%d],"stake_cents":100}]}`, longGames, n)
	ticket, err := keno.ParseRequest([]byte(form))
	if err != nil {
		return err
	}
	f.number++
	order := house.Order{Terminal: claimant, Method: rulebook.MethodForm, Ticket: ticket}
	sold, err := f.house.Sell(ctx, record.Request{Terminal: claimant, Number: f.number}, order,
		f.code.Hash(claimant, f.number), 0)
	f.winners[n] = sold.Place
	return err
}

// claim has a ticket paid that has won in the newest settled game.
func (f *fullHouse) claim(ctx context.Context, g house.Game) error {
	for _, n := range g.Numbers.Numbers() {
		if n > certain || f.claims[f.winners[n]] {
			continue
		}
		f.number++
		f.claims[f.winners[n]] = true
		_, err := f.house.Pay(ctx, record.Request{Terminal: claimant, Number: f.number}, f.winners[n],
			house.Holder{Code: f.code})
		return err
	}
	return errors.New("every ticket that has won was paid before")
}

// verifyFull closes the house and asks for the second opinion on its journal, which
// must have the tickets that were sold.
func (f *fullHouse) verifyFull(ctx context.Context, place *site) (verified, error) {
	if err := f.close(ctx); err != nil {
		return verified{}, err
	}
	second, err := verifyJournal(ctx, f.storage, filepath.Join(place.dir, "export"))
	if err != nil {
		return verified{}, err
	}
	return verifiedOf(second.Report, uint64(f.tickets), second.took), nil
}
