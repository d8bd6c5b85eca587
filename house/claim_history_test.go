package house

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/games/keno"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store/storetest"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// claimants is how many terminals claim one ticket at the same time.
const claimants = 1000

// claimModel is a ticket: anybody who comes first is paid, and nobody else ever.
var claimModel = porcupine.Model{
	Init: func() any { return false },
	Step: func(state, _, output any) (bool, any) {
		paid, got := state.(bool), output.(bool)
		return got != paid, true
	},
}

// TestThousandTerminalsClaimOneTicket has a thousand terminals claim one ticket at the
// same time, some of them in a customer session. One is paid; the others are told that
// the ticket was paid; and their answers fit into one order of events.
func TestThousandTerminalsClaimOneTicket(t *testing.T) {
	h, place, code := houseWithWinner(t)
	var (
		mu      sync.Mutex // guards history
		history []porcupine.Operation
		wait    sync.WaitGroup
		clock   atomic.Int64
		paid    atomic.Int64
	)
	begin := make(chan struct{})
	for i := range claimants {
		wait.Go(func() {
			<-begin
			terminal := uint32(i + 1)
			called := clock.Add(1)
			request := record.Request{Terminal: terminal, Number: 2}
			got, err := h.Pay(t.Context(), request, place, Holder{Code: code, InSession: i%2 == 1})
			for errors.Is(err, lane.ErrBusy) {
				time.Sleep(time.Millisecond)
				got, err = h.Pay(t.Context(), request, place, Holder{Code: code, InSession: i%2 == 1})
			}
			returned := clock.Add(1)
			var refused *refusal.Refusal
			if err != nil && (!errors.As(err, &refused) || refused.Code != counter.AlreadyPaid) {
				t.Errorf("terminal %d: %v", terminal, err)
				return
			}
			if err == nil {
				paid.Add(int64(got.Payment.Amount()))
			}
			mu.Lock()
			defer mu.Unlock()
			history = append(history, porcupine.Operation{ClientId: i, Call: called, Output: err == nil, Return: returned})
		})
	}
	close(begin)
	wait.Wait()
	if paid.Load() != 300 || len(history) != claimants {
		t.Errorf("%d cents were paid to %d terminals", paid.Load(), len(history))
	}
	// Nobody is told that the ticket was paid before somebody was paid.
	if result := porcupine.CheckOperationsTimeout(claimModel, history, 20*time.Second); result != porcupine.Ok {
		t.Errorf("no order of events explains the answers: %s", result)
	}
}

// houseWithWinner returns a house of a thousand terminals with a ticket that has won.
func houseWithWinner(t *testing.T) (*House, record.Place, serial.ClaimCode) {
	t.Helper()
	random := rand.NewChaCha8(sha256.Sum256([]byte(t.Name())))
	keys, err := OpenKeys(filepath.Join(t.TempDir(), "keys"), "bench.example", random)
	must(t, err)
	book, err := rules.Book("vic-keno-2015")
	must(t, err)
	venues := []record.VenueAdded{{Venue: 1, Kind: "hotel", Name: "Corner Hotel"}}
	var terminals []record.TerminalAdded
	for i := range claimants {
		terminals = append(terminals, record.TerminalAdded{Terminal: uint32(i + 1), Venue: 1, Channel: "writer"})
	}
	clock := &jumpClock{now: start}
	h, err := Open(t.Context(), Config{
		Store: storetest.OpenMemory(storetest.NewDisk()), Keys: keys, Clock: clock, Entropy: &lockedReader{random: random},
		Founding: engine.Founding{
			House: "bench.example", Build: "test", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
			SerialKey: keys.SerialKey,
			Book:      book, Series: "vic-keno", Schedule: book.Schedules()[0].ID(),
			Venues: venues, Terminals: terminals, People: staff.Crew(book, venues, terminals, staff.Unnamed),
		},
	})
	must(t, err)
	t.Cleanup(func() { _ = h.Close(t.Context()) })
	ctx := t.Context()
	must(t, h.First().OpenDay(ctx, day.MustParse("2026-11-15"), 0))
	must(t, h.First().OpenGame(ctx, start.Add(time.Minute)))
	place, code := winnerOf(t, h)
	return h, place, code
}

// winnerOf sells a ticket on every number and plays the game; twenty of them win, and
// the first of those is returned.
func winnerOf(t *testing.T, h *House) (record.Place, serial.ClaimCode) {
	t.Helper()
	ctx := t.Context()
	codes := make([]serial.ClaimCode, 80)
	places := make([]record.Place, 80)
	for n := range places {
		form, err := keno.ParseRequest(fmt.Appendf(nil,
			`{"v":1,"rulebook":"vic-keno-2015","games":1,"bets":[{"bet":"classic","spots":[%d],"stake_cents":100}]}`, n+1))
		must(t, err)
		codes[n][0] = byte(n)
		request := record.Request{Terminal: uint32(n + 1), Number: 1}
		sold, err := h.Sell(ctx, request, Order{Terminal: request.Terminal, Method: rulebook.MethodForm, Ticket: form},
			codes[n].Hash(request.Terminal, 1), 0)
		must(t, err)
		places[n] = sold.Place
	}
	must(t, h.First().CloseGame(ctx))
	for range 20 {
		must(t, h.First().DrawNumber(ctx, 1))
	}
	must(t, h.First().FinishDraw(ctx, 1))
	must(t, h.First().SettleGame(ctx, 1))
	for n, place := range places {
		ticket, err := h.Ticket(ctx, place)
		must(t, err)
		if ticket.Games[0].Prize > 0 {
			return place, codes[n]
		}
	}
	t.Fatal("no ticket has won")
	return record.Place{}, serial.ClaimCode{}
}

// lockedReader lets many goroutines read one source.
type lockedReader struct {
	mu     sync.Mutex // guards random
	random *rand.ChaCha8
}

func (r *lockedReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.Read(p)
}
