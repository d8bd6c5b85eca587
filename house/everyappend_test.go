package house

import (
	"cmp"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
	"drawhouse/rulebook"
)

// TestDiesAtEveryAppend plays games with sales and payments, and counts its
// durable writes. Then it plays again, once for each of them and each side of it: the house
// dies just before the write, or just after it and before anybody was told. Another one is
// opened on what is stored and plays on. What was answered is there, a request that was not
// answered makes one ticket when it is sent again, and the journal verifies.
func TestDiesAtEveryAppend(t *testing.T) {
	t.Parallel()
	whole := dying{t: t, at: -1}
	whole.play()
	if whole.appends < 30 || whole.paid == 0 {
		t.Fatalf("%d durable writes with %d payments are too few to tell", whole.appends, whole.paid)
	}
	points, paid := 0, 0
	for at := range whole.appends {
		for _, fault := range []storetest.Fault{storetest.BeforeCommit, storetest.AfterCommit} {
			d := dying{t: t, at: at, fault: fault}
			d.play()
			if !d.died {
				t.Errorf("the house did not die at write %d", at)
			}
			paid += d.paid
			points++
		}
	}
	if paid < points {
		t.Errorf("%d payments at %d points", paid, points)
	}
	t.Logf("%d points of %d, %d payments", points, 2*whole.appends, paid)
}

// dying is a house that dies at one of its durable writes.
type dying struct {
	t       *testing.T
	b       *bench
	at      int // the write at which it dies
	fault   storetest.Fault
	appends int
	died    bool
	paid    int
	pending *attempt // a sale that was not answered
	ticket  string   // what is sold; "" for oftenWins
}

// attempt is a sale that may have to be sent again.
type attempt struct {
	request record.Request
	order   Order
	code    serial.ClaimCode
}

// plan counts the appends and says which fails.
func (d *dying) plan(store.Batch) storetest.Fault {
	n := d.appends
	d.appends++
	if n == d.at {
		d.died = true
		return d.fault
	}
	return storetest.NoFault
}

// open opens the house, as often as it takes.
func (d *dying) open() {
	d.t.Helper()
	for range 3 {
		st, err := sqlite.Open(d.t.Context(), d.b.dir, store.FirstLane)
		must(d.t, err)
		d.t.Cleanup(func() { _ = st.Close() })
		keys, err := KeysOf(d.t.Context(), st, filepath.Join(d.b.dir, "keys"), "bench.example", d.b.random)
		must(d.t, err)
		if err = d.b.openHouse(storetest.NewFaulty(st, d.plan), keys); err == nil {
			return
		}
		if !errors.Is(err, storetest.ErrFault) {
			d.t.Fatal(err)
		}
	}
	d.t.Fatal("the house does not open")
}

// play plays until two games are settled; anybody who finds the house dead opens another.
func (d *dying) play() {
	d.t.Helper()
	d.b = closedBench(d.t)
	d.open()
	customers := 0
	for len(d.b.settled(4)) < 2 {
		d.b.clock.wait = func(time.Time) error {
			if len(d.b.settled(4)) >= 2 {
				return errEnough
			}
			customers++
			if customers%5 == 0 {
				return d.sell()
			}
			return nil
		}
		if err := runUntilStopped(d.b); !errors.Is(err, errEnough) {
			if !d.died {
				d.t.Fatal(err)
			}
			d.open()
			must(d.t, d.send())
		}
	}
	for _, sold := range d.b.sold {
		if _, err := d.b.house.Ticket(d.t.Context(), sold.Place); err != nil {
			d.t.Errorf("death at write %d (%v): ticket %v is lost: %v", d.at, d.fault, sold.Place, err)
		}
	}
	d.pay()
	if report := d.b.verify(); !report.OK() {
		d.t.Errorf("death at write %d (%v): the second opinion differs: %+v", d.at, d.fault, report.Failure)
	}
}

// oftenWins is a ticket on single numbers, of which some come in nearly every game.
const oftenWins = `{"v":1,"rulebook":"vic-keno-2015","first":"open","games":2,"bets":[
	{"bet":"classic","spots":[3],"stake_cents":100}, {"bet":"classic","spots":[14],"stake_cents":100}, {"bet":"classic","spots":[25],"stake_cents":100},
	{"bet":"classic","spots":[36],"stake_cents":100}, {"bet":"classic","spots":[47],"stake_cents":100}, {"bet":"classic","spots":[58],"stake_cents":100}]}`

// sell makes a sale, and sends it.
func (d *dying) sell() error {
	d.b.number++
	ticket, err := keno.ParseRequest([]byte(cmp.Or(d.ticket, oftenWins)))
	must(d.t, err)
	code, err := serial.NewClaimCode(d.b.random)
	must(d.t, err)
	d.pending = &attempt{record.Request{Terminal: 1, Number: d.b.number},
		Order{Terminal: 1, Method: rulebook.MethodVerbal, Ticket: ticket}, code}
	return d.send()
}

// send sends the sale that was not answered, if there is one, under its number.
func (d *dying) send() error {
	p := d.pending
	if p == nil {
		return nil
	}
	sold, err := d.b.house.Sell(d.t.Context(), p.request, p.order, p.code.Hash(1, p.request.Number), 0)
	if err == nil {
		d.pending = nil
		d.b.sold = append(d.b.sold, sold)
		d.b.codes[sold.Place] = p.code
	}
	return err
}

// pay claims every ticket, and claims again under the same number where the house dies.
func (d *dying) pay() {
	d.t.Helper()
	for _, sold := range d.b.sold {
		d.b.number++
		r, holder := record.Request{Terminal: 1, Number: d.b.number}, Holder{Code: d.b.codes[sold.Place]}
		_, err := d.b.house.Pay(d.t.Context(), r, sold.Place, holder)
		if d.died && err != nil && !errors.As(err, new(*refusal.Refusal)) {
			d.open()
			_, err = d.b.house.Pay(d.t.Context(), r, sold.Place, holder)
		}
		switch {
		case err == nil:
			d.paid++
		case !errors.As(err, new(*refusal.Refusal)):
			d.t.Fatalf("death at write %d (%v): claiming %v: %v", d.at, d.fault, sold.Place, err)
		}
	}
}
