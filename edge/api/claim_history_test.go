package api

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"drawhouse/core/serial"
	"drawhouse/decide/counter"
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

// TestThousandTerminalsClaimOneTicket has a thousand terminals claim one ticket over the
// interface at the same time, every other one in a customer session. One is paid, the
// others are told that it was, and an order of events explains all answers.
func TestThousandTerminalsClaimOneTicket(t *testing.T) {
	r := newRigOf(t, "vic-keno-2015", "hotel", "", claimants)
	r.openDay()
	won, code := r.winner()
	for id := range uint32(claimants) {
		r.session(id + 1) // Terminals are there before they hurry.
	}
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
			called := clock.Add(1)
			cents, ok := r.claim(uint32(i+1), won, code, i%2 == 1)
			returned := clock.Add(1)
			paid.Add(cents)
			mu.Lock()
			defer mu.Unlock()
			history = append(history, porcupine.Operation{ClientId: i, Call: called, Output: ok, Return: returned})
		})
	}
	close(begin)
	wait.Wait()
	if paid.Load() != won.Games[0].PrizeCents || len(history) != claimants {
		t.Errorf("%d cents were paid of %d, and %d terminals answered", paid.Load(), won.Games[0].PrizeCents, len(history))
	}
	if result := porcupine.CheckOperationsTimeout(claimModel, history, 20*time.Second); result != porcupine.Ok {
		t.Errorf("no order of events explains the answers: %s", result)
	}
}

// claim claims a ticket at a terminal until the house has room for the request, and
// returns what was paid and whether anything was.
func (r *rig) claim(terminal uint32, won Ticket, code serial.ClaimCode, inSession bool) (int64, bool) {
	path := fmt.Sprintf("/v1/terminals/%d/requests/1000/payment", terminal)
	body := fmt.Sprintf(`{"serial":%q,"claim_code":%q,"in_session":%v}`, won.Serial, code, inSession)
	answer := r.atTerminal(terminal, http.MethodPut, path, body)
	for answer.status == http.StatusServiceUnavailable {
		time.Sleep(time.Millisecond)
		answer = r.atTerminal(terminal, http.MethodPut, path, body)
	}
	if answer.status == http.StatusOK {
		var payment Payment
		answer.into(r.t, &payment)
		return payment.PaidCents, true
	}
	if fault := answer.fault(r.t); fault.Code != counter.AlreadyPaid {
		r.t.Errorf("terminal %d: %d %s", terminal, answer.status, answer.body)
	}
	return 0, false
}

// winner sells a ticket on each of sixty-one numbers, of which one wins whatever is
// drawn, plays the game and returns one that won.
func (r *rig) winner() (Ticket, serial.ClaimCode) {
	r.t.Helper()
	codes := map[string]serial.ClaimCode{}
	for n := range 61 {
		sold, code := r.sell(fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[%d],"stake_cents":100}]}`, n+1))
		codes[sold.Serial] = code
	}
	r.play()
	for number, code := range codes {
		var ticket Ticket
		r.send(http.MethodGet, "/v1/tickets/"+number, "").into(r.t, &ticket)
		if ticket.Games[0].PrizeCents > 0 {
			return ticket, code
		}
	}
	r.t.Fatal("no ticket has won")
	return Ticket{}, serial.ClaimCode{}
}
