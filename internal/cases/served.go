package cases

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Served is a running house behind its HTTP interface. Whatever a terminal or a
// player does goes over the interface. What the operator decides, and two persons want,
// is done through the house, whose routes for it package api tries itself; so are the
// steps of the timetable.
type Served struct {
	operator
	house   *house.House
	handler http.Handler
	store   store.Store
	script  *Script
	clock   *clock

	numbers map[uint32]uint64 // last request of each terminal
	state   *state.State      // what was read of the journal so far
	read    uint64
	visits  visits
	sold    map[record.Place]soldAnswer // what was answered to sales

	sessions map[uint32]*terminal.Session
}

// soldAnswer is the answer to a sale, which the terminal prints the ticket from.
type soldAnswer struct {
	terminal uint32
	answer   api.Sale
}

// clock is a clock that stands until it is moved.
type clock struct {
	mu  sync.Mutex // guards now
	now time.Time
}

// Now implements timetable.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// WaitUntil implements timetable.Clock: nobody waits.
func (c *clock) WaitUntil(context.Context, time.Time) error { return nil }

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// NewServed founds a house whose keys are in a directory and whose journal is in a store, which must be empty.
func NewServed(f Founding, dir string, in store.Store) (*Served, error) {
	s := &Served{
		script: NewScript(sha256.Sum256([]byte(f.Seed))), clock: &clock{now: f.Begin},
		store: in, numbers: map[uint32]uint64{}, state: state.New(),
		visits: newVisits(), sold: map[record.Place]soldAnswer{}, sessions: map[uint32]*terminal.Session{},
	}
	s.operator = operator{s}
	keys, err := house.OpenKeys(dir, "case.example", s.script)
	if err != nil {
		return nil, err
	}
	s.house, err = house.Open(context.Background(), house.Config{
		Store: s.store, Keys: keys, Clock: s.clock, Entropy: s.script, Draws: f.draws(),
		Founding: engine.Founding{
			House: "case.example", Build: "cases", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
			SerialKey: keys.SerialKey,
			Book:      f.Book, Text: f.Text, Bases: engine.BasisOf(f.Base), Series: "keno", Schedule: f.Schedule, Venues: venues(&f),
			Terminals: append(terminals(&f), f.Cards...),
			People:    people(&f),
		},
	})
	if err != nil {
		return nil, err
	}
	s.handler, err = api.New(s.house, api.Options{Version: "cases", Now: s.clock.Now})
	return s, err
}

// ServeHTTP answers a request as the house's interface does.
func (s *Served) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends the house.
func (s *Served) Close() error {
	ctx := context.Background()
	return errors.Join(s.house.CheckView(ctx), s.house.Close(ctx), s.store.Close())
}

// SetClock implements House.
func (s *Served) SetClock(t time.Time) { s.clock.set(t) }

// tick lets a second pass.
func (s *Served) tick() context.Context {
	s.clock.set(s.clock.Now().Add(time.Second))
	return context.Background()
}

// State implements House: it adds up what is stored.
func (s *Served) State() (*state.State, error) {
	ctx := context.Background()
	head, err := s.store.Head(ctx)
	if err != nil {
		return nil, err
	}
	err = s.store.Records(ctx, store.FirstVolume, s.read, head.Size, func(_ uint64, data []byte) error {
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		return s.state.Apply(r)
	})
	s.read = head.Size
	return s.state, err
}

// send sends a request and reads the answer; one whose path names a terminal is
// signed by it. An answer that is an error becomes the refusal that it tells of.
func (s *Served) send(method, path string, body, answer any) error {
	var id uint32
	if _, err := fmt.Sscanf(path, "/v1/terminals/%d/", &id); err == nil {
		return s.sendAt(id, method, path, body, answer)
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.sendSigned("", method, path, data, answer)
}

// requestPath returns the path of a terminal's next request.
func (s *Served) requestPath(terminal uint32, operation string) string {
	s.numbers[terminal]++
	return fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", terminal, s.numbers[terminal], operation)
}

// Quote asks for the price of an order: its cost over all games, and its ways.
func (s *Served) Quote(o Order) (cost money.Amount, ways int, err error) {
	var price api.Price
	err = s.sendAt(o.Terminal, http.MethodPost, "/v1/quote", api.QuoteRequest{
		Terminal: o.Terminal, Method: api.EntryMethod(o.Method), Runner: o.Runner, Ticket: api.RequestForm(o.Form),
	}, &price)
	return money.Amount(price.CostCents), price.Ways, err
}

// Sell implements House.
func (s *Served) Sell(o Order) (Ticket, error) {
	code, err := serial.NewClaimCode(s.script)
	if err != nil {
		return Ticket{}, err
	}
	path := s.requestPath(o.Terminal, "sale")
	hash := code.Hash(o.Terminal, s.numbers[o.Terminal])
	var sold api.Sale
	err = s.send(http.MethodPut, path, api.SaleRequest{
		Method: api.EntryMethod(o.Method), Runner: o.Runner, Ticket: api.RequestForm(o.Form),
		ClaimHash: hex.EncodeToString(hash[:]),
		InSession: s.visits.open[o.Terminal], Player: o.Player,
	}, &sold)
	s.sold[record.Place(sold.Place)] = soldAnswer{o.Terminal, sold}
	return Ticket{
		Place: record.Place(sold.Place), Serial: sold.Serial, Code: code,
		Cost: money.Amount(sold.CostCents), Ordinal: sold.FirstGame.Ordinal,
	}, err
}

// Cancel implements House.
func (s *Served) Cancel(terminal uint32, t Ticket) (refund, carried money.Amount, err error) {
	var cancelled api.Cancellation
	err = s.send(http.MethodPut, s.requestPath(terminal, "cancellation"),
		api.CancellationRequest{Serial: t.Serial, ClaimCode: s.visits.code(t).String(),
			InSession: s.visits.open[terminal]}, &cancelled)
	return money.Amount(cancelled.RefundCents), money.Amount(cancelled.CarriedCents), err
}

// Pay implements House.
func (s *Served) Pay(terminal uint32, t Ticket) (money.Amount, error) {
	var paid api.Payment
	var before api.Ticket
	if err := s.send(http.MethodGet, "/v1/tickets/"+t.Serial, nil, &before); err != nil {
		return 0, err
	}
	path := s.requestPath(terminal, "payment")
	request := s.numberedAs(terminal)
	next := nextCode(request)
	err := s.send(http.MethodPut, path, api.PaymentRequest{
		Serial: t.Serial, ClaimCode: s.visits.code(t).String(), InSession: s.visits.open[terminal],
		ContinuationHash: hexOf(claimOf(next, request)),
	}, &paid)
	if err == nil && paid.Continuation != "" {
		s.visits.codes[t.Place] = next
	}
	if err == nil && paid.PaidCents != before.UnpaidCents {
		// What a ticket says can be fetched is what is paid for it.
		return 0, fmt.Errorf("cases: ticket %s is paid %d cents, and said before that %d can be fetched, %d are held and %d are late",
			t.Serial, paid.PaidCents, before.UnpaidCents, before.HeldCents, before.LateCents)
	}
	return money.Amount(paid.PaidCents), unfetchable(err, &before)
}

// unfetchable returns the refusal of a payment, or another error if the ticket said that
// something can be fetched which cannot.
func unfetchable(err error, before *api.Ticket) error {
	r, ok := errors.AsType[*refusal.Refusal](err)
	if !ok || before.UnpaidCents == 0 {
		return err
	}
	switch r.Code {
	case counter.AlreadyPaid, counter.TooLate, counter.HeldBack, counter.NoPrize, counter.NotDrawn,
		counter.TicketCancelled, counter.Frozen, counter.Disqualified, counter.UnderClaim:
		return fmt.Errorf("cases: %d cents can be fetched, says the ticket, and the payment is refused: %w",
			before.UnpaidCents, err)
	}
	return err
}

// Won implements House.
func (s *Served) Won(t Ticket) ([]Won, error) {
	var ticket api.Ticket
	if err := s.send(http.MethodGet, "/v1/tickets/"+t.Serial, nil, &ticket); err != nil {
		return nil, err
	}
	var all []Won
	for _, g := range ticket.Games {
		if g.Phase != api.PhaseSettled && g.Phase != api.PhaseVoid {
			break
		}
		won := Won{Ordinal: g.Ordinal, Payable: money.Amount(g.PrizeCents), Carried: money.Amount(g.CarriedCents)}
		for _, l := range g.Lines {
			won.Lines = append(won.Lines, l.Text)
		}
		all = append(all, won)
	}
	return all, nil
}

// OpenDay implements House.
func (s *Served) OpenDay(d day.Day) error { return s.house.First().OpenDay(s.tick(), d, offset) }

// CloseDay implements House.
func (s *Served) CloseDay() error { return s.house.First().CloseDay(s.tick()) }

func (s *Served) closes() time.Time { return s.clock.Now().Add(untilClose) }

// OpenGame implements House.
func (s *Served) OpenGame() error { return s.house.First().OpenGame(s.tick(), s.closes()) }

// CloseGame implements House.
func (s *Served) CloseGame() error { return s.house.First().CloseGame(s.tick()) }

// TurnGame implements House.
func (s *Served) TurnGame() error { return s.house.First().TurnGame(s.tick(), s.closes()) }

// Draw implements House.
func (s *Served) Draw(ordinal uint32, numbers []int) error {
	all, err := s.State()
	if err != nil {
		return err
	}
	current, _ := all.Series(series)
	g, ok := current.Game(ordinal)
	if !ok {
		return fmt.Errorf("cases: there is no game %d", ordinal)
	}
	switch {
	case g.Device == record.DeviceCage:
		err = s.keyBalls(g, numbers)
	case len(numbers) > 0:
		err = s.script.OrderOf(left(g), numbers)
	}
	if err != nil {
		return err
	}
	for range drawn - g.Numbers.Len() {
		if err := s.house.First().DrawNumber(s.tick(), ordinal); err != nil {
			s.script.Forget()
			return err
		}
	}
	if err := s.house.First().FinishDraw(s.tick(), ordinal); err != nil {
		return err
	}
	return s.house.First().SettleGame(s.tick(), ordinal)
}
