package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// instant is a house whose sales are already durable, so that what is left to
// measure is the interface.
type instant struct {
	*house.House
	sold       house.Sold
	checkpoint []byte
}

func (i *instant) Sell(ctx context.Context, _ record.Request, o house.Order, _ serial.ClaimHash,
	_ money.Amount) (house.Sold, error) {
	_, err := i.Quote(ctx, o)
	return i.sold, err
}

func (i *instant) Checkpoint(context.Context) ([]byte, error) { return i.checkpoint, nil }

// BenchmarkInterface measures a sale from the request to the answer without the
// lane, the store and the network.
func BenchmarkInterface(b *testing.B) {
	r := newRig(b)
	r.openDay()
	sold, _ := r.sell(oneSpot)
	ticket, err := r.house.Ticket(context.Background(), record.Place(sold.Place))
	must(b, err)
	checkpoint, err := r.house.Checkpoint(context.Background())
	must(b, err)
	handler, err := New(&instant{r.house, house.Sold{Place: ticket.Place, Time: ticket.Time, Leaf: ticket.Leaf,
		Sale: ticket.Sale, Ticket: ticket.Ticket}, checkpoint}, Options{Now: r.clock.Now})
	must(b, err)
	r.handler, r.sessions = handler, map[uint32]*terminal.Session{}
	body, _ := r.saleBody(1, 2,
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":10,"bets":[{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100}]}`)
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r.signed(http.MethodPut, salePath(1, 2), body))
		if w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
}

// BenchmarkSale measures durable sales by many terminals through the interface,
// without the network.
func BenchmarkSale(b *testing.B) {
	r := newRig(b)
	r.openDay()
	for id := uint32(1); id <= benchTerminals; id++ {
		r.session(id) // They say hello once a day, and sell all day long.
	}
	b.ResetTimer()
	var terminals atomic.Uint32
	b.SetParallelism(benchTerminals / 2)
	b.RunParallel(func(pb *testing.PB) {
		terminal := terminals.Add(1)
		for number := uint64(1); pb.Next(); number++ {
			w := httptest.NewRecorder()
			body := `{"method":"verbal","ticket":` + oneSpot + `,"claim_hash":"` + zeroHash + `"}`
			r.handler.ServeHTTP(w, r.signed(http.MethodPut, salePath(terminal, number), body))
			if w.Code != http.StatusOK {
				b.Error(w.Code, w.Body)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sales/s")
}

const zeroHash = "0000000000000000000000000000000000000000000000000000000000000000"
