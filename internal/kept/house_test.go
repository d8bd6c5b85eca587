package kept

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"drawhouse/check/verify/export"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook"
)

// TestHouseGoesOn opens a running house on a copy of every kept journal whose games a generator draws, as far as the
// key of its device was kept. The house sells, draws, settles and pays, in the last series that goes on, and the
// journal verifies after that.
func TestHouseGoesOn(t *testing.T) {
	journals, err := All()
	if err != nil {
		t.Fatal(err)
	}
	went := 0
	for _, j := range journals {
		if j.Device == nil {
			continue
		}
		var of uint8 // the last series
		s := replay(t, j).State()
		for series := range s.AllSeries() {
			of = max(of, series.ID)
		}
		series, _ := s.Series(of)
		if by := series.Chosen().Device; by != "" && by != record.DeviceGenerator {
			continue // It takes people or custodians to draw.
		}
		terminal, _ := s.Terminal(1)
		went++
		t.Run(j.Name, func(t *testing.T) {
			t.Parallel()
			a := &answers{t: t, journal: j}
			a.houseGoesOn(of, terminal.Last.Number)
		})
	}
	if went < 8 {
		t.Errorf("a house went on with %d journals", went)
	}
}

// rhythm is that of the house that goes on.
var rhythm = timetable.Config{
	Interval: 3 * time.Minute, Lead: 5 * time.Second, Ball: 3 * time.Second, DayStart: 6 * time.Hour,
	Zone: time.FixedZone("", 11*60*60), Numbers: 20,
}

var errEnough = errors.New("enough")

// houseGoesOn has a house go on with a copy of the journal for some games of a series. Last is the number of the last
// request of terminal 1.
func (a *answers) houseGoesOn(of uint8, last uint64) {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, a.t.TempDir(), 1)
	a.must(err)
	defer func() { a.must(st.Close()) }()
	volume := a.fill(ctx, st)
	clock := &jumping{now: a.newest().Add(time.Second)}
	h, err := house.Open(ctx, house.Config{
		Store: st, Clock: clock, Entropy: rand.NewChaCha8([32]byte{2}), Build: "drawhouse kept",
		Keys: house.Keys{
			House: a.journal.Key, HouseVerifier: volume.HouseKey, Device: a.journal.Device, DeviceVerifier: volume.DeviceKey,
			Serials: &serial.Keyring{}, SerialKey: volume.SerialKey,
		},
	})
	a.must(err)
	line, err := h.Line(of)
	a.must(err)
	var sold []house.Sold
	code := func(number uint64) serial.ClaimCode { return serial.ClaimCode{byte(number >> 8), byte(number)} }
	clock.wait = func(time.Time) error {
		const games = 3
		settled := 0
		for _, g := range line.Games(2 * games) {
			if len(sold) > 0 && g.Ordinal >= sold[0].Sale.Ordinal && g.IsSettled() {
				settled++
			}
		}
		if settled == games {
			return errEnough
		}
		for _, series := range h.Hub().Board().Series {
			if series.Series != of || series.Open == nil ||
				len(sold) > 0 && series.Open.Ordinal == sold[len(sold)-1].Sale.Ordinal {
				continue
			}
			ticket, err := keno.ParseRequest(cases.Complete(series.Rulebook.ID, formOf(series.Rulebook.ID)))
			a.must(err)
			last++
			one, err := h.Sell(ctx, record.Request{Terminal: 1, Number: last}, house.Order{Series: of, Terminal: 1,
				Method: rulebook.MethodForm, Ticket: ticket}, code(last).Hash(1, last), 0)
			a.must(err)
			sold = append(sold, one)
		}
		return nil
	}
	if err := timetable.Run(ctx, rhythm, line, clock); !errors.Is(err, errEnough) {
		a.t.Fatal(err)
	}
	paid := 0
	for _, one := range sold {
		last++
		_, err := h.Pay(ctx, record.Request{Terminal: 1, Number: last}, one.Place,
			house.Holder{Code: code(one.Sale.Request.Number)})
		if refused := new(refusal.Refusal); err != nil && !errors.As(err, &refused) {
			a.t.Fatal(err)
		}
		if err == nil {
			paid++
		}
	}
	if paid == 0 {
		a.t.Error("none of its tickets was paid")
	}
	a.must(h.Close(ctx))
	head, err := st.Head(ctx)
	a.must(err)
	files := export.Memory{}
	a.must(export.Write(ctx, files, a.journal.House, head.Checkpoint, st))
	check(a.t, files)
}

// formOf is a ticket of three games that wins a quarter of them.
func formOf(id string) string {
	bet := "standard"
	if id == "vic-keno-2015" {
		bet = "classic"
	}
	return `{"first":"open","games":3,"bets":[{"bet":"` + bet + `","spots":[1],"stake_cents":100}]}`
}

// jumping is a clock that jumps to whatever time is waited for, after its customers had their turn.
type jumping struct {
	wait func(time.Time) error

	mu  sync.Mutex // guards now
	now time.Time
}

func (c *jumping) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *jumping) WaitUntil(_ context.Context, until time.Time) error {
	if err := c.wait(until); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.now) {
		c.now = until
	}
	return nil
}
