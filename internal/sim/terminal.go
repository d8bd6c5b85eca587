package sim

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// terminal sells and pays at a venue. It numbers its requests, has one of them under
// way at a time, and holds on to one whose answer it has not seen.
type terminal struct {
	id, venue uint32
	channel   rulebook.Channel
	number    uint64
	open      *ask // whose answer is not known
	// taken is the cash that customers have left here, as far as the terminal knows.
	taken money.Amount
}

// paper is a ticket as its holder has it.
type paper struct {
	place record.Place
	code  serial.ClaimCode
	sale  *ask
}

// ask is a request of a terminal.
type ask struct {
	kind     Kind // Sell, Pay or Cancel
	terminal *terminal
	request  record.Request
	order    house.Order // of a sale
	code     serial.ClaimCode
	expect   money.Amount
	paper    *paper // to be paid or cancelled
	// next is the code of the ticket that goes on, where the writer keeps the paper.
	next serial.ClaimCode
}

// reply is what a terminal is told.
type reply struct {
	place record.Place
	cents money.Amount // that the customer pays, or gets if it is negative
	err   error
}

// newAsk returns the next request of a terminal. The body stands for all that the
// request says.
func (t *terminal) newAsk(kind Kind, body string) *ask {
	t.number++
	hash := sha256.Sum256(fmt.Append(nil, kind, body))
	return &ask{kind: kind, terminal: t,
		request: record.Request{Terminal: t.id, Number: t.number, Body: [16]byte(hash[:16])}}
}

// send puts a request to a house and waits for what it says.
func send(ctx context.Context, h *house.House, a *ask) reply {
	switch a.kind {
	case Pay:
		paid, err := h.Pay(ctx, a.request, a.paper.place,
			house.Holder{Code: a.code, Continuation: a.next.Hash(a.request.Terminal, a.request.Number)})
		if err != nil {
			return reply{err: err}
		}
		cents := -paid.Payment.Amount()
		if paid.Bonus != nil {
			cents -= paid.Bonus.Cents
		}
		return reply{place: paid.Place, cents: cents}
	case Cancel:
		done, err := h.Cancel(ctx, a.request, a.paper.place, house.Holder{Code: a.code})
		if err != nil {
			return reply{err: err}
		}
		return reply{place: done.Place, cents: -(done.Cancellation.RefundCents + done.Cancellation.CarriedCents)}
	}
	sold, err := h.Sell(ctx, a.request, a.order, a.code.Hash(a.request.Terminal, a.request.Number), a.expect)
	if err != nil {
		return reply{err: err}
	}
	return reply{place: sold.Place, cents: sold.Sale.CostCents}
}

// codeOf returns the code of a refusal, or "".
func codeOf(err error) refusal.Code {
	var r *refusal.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// ask puts a request to the house and judges the answer against what was foreseen.
func (w *world) ask(a *ask) error {
	want := w.foresee(a)
	r := send(context.Background(), w.house, a)
	if err := want.check(r); err != nil {
		return err
	}
	return w.told(a, r)
}

// told is a terminal that has an answer.
func (w *world) told(a *ask, r reply) error {
	t, what := a.terminal, a.kind.String()
	switch {
	case r.err == nil:
		t.open = nil
		if err := w.acknowledged(a, r); err != nil {
			return err
		}
		w.figures[what]++
	case codeOf(r.err) != "":
		t.open = nil
		w.figures[what+" refused"]++
		w.figures["refusal "+string(codeOf(r.err))]++
	case errors.Is(r.err, lane.ErrUnknown):
		t.open = a
		w.figures["answers unknown"]++
	case errors.Is(r.err, lane.ErrStopped), errors.Is(r.err, lane.ErrBusy), errors.Is(r.err, context.Canceled):
		// Nothing happened, and nothing will.
		if place, ok := w.audit.requests[requestKey{t.id, a.request.Number}]; ok && t.open == nil {
			return breach("P2", "request %d of terminal %d was not accepted, and stands at %v", a.request.Number, t.id,
				place)
		}
		w.figures["requests not accepted"]++
	default:
		return breach("answer", "%s is answered with %v", what, r.err)
	}
	return nil
}

// acknowledged holds an answer against the journal: what was acknowledged is there,
// is the answer to this request, and says the same.
func (w *world) acknowledged(a *ask, r reply) error {
	at, ok := w.audit.requests[requestKey{a.request.Terminal, a.request.Number}]
	if !ok || at != r.place {
		return breach("P1", "%v at %v is acknowledged; the journal has %v for its request", a.kind, r.place, at)
	}
	a.terminal.taken += r.cents
	if a.kind != Sell {
		w.exchange(a)
		return nil
	}
	t, ok := w.audit.tickets[r.place]
	if !ok || t.sold.Request != a.request || t.sold.CostCents != r.cents {
		return breach("P1", "the ticket at %v is acknowledged and is another one in the journal", r.place)
	}
	if first := a.order.Ticket.First; first.Kind == keno.FirstNamed && first.Game != t.ticket.First {
		return breach("answer", "a ticket from game %v is asked for, and one from %v is sold", first.Game,
			t.ticket.First)
	}
	return w.print(a, r.place)
}

// exchange gives the holder of a ticket the sheet that it goes on with, if the writer
// has kept the first.
func (w *world) exchange(a *ask) {
	if a.kind == Pay && w.audit.tickets[a.paper.place].opens(a.next) {
		a.paper.code = a.next
		w.figures["papers kept by the writer"]++
	}
}

// print hands a ticket to the customer. Its serial is the ticket's alone, and names
// it in whichever house process asks.
func (w *world) print(a *ask, place record.Place) error {
	s, err := w.house.Serial(place)
	if err != nil {
		return err
	}
	if before, ok := w.serials[s]; ok && before != place {
		return breach("P2", "tickets %v and %v have the same serial %v", before, place, s)
	}
	w.serials[s] = place
	if found, err := w.house.Find(s.String()); err != nil || found != place {
		return breach("P1", "serial %v of ticket %v finds %v (%v)", s, place, found, err)
	}
	w.papers = append(w.papers, &paper{place: place, code: a.code, sale: a})
	return nil
}

// resolve finds out what became of a request whose answer was lost: by asking again
// with the same number, or by giving the number up.
func (w *world) resolve(t *terminal, again bool) error {
	for tries := 0; t.open != nil; tries++ {
		if tries == 20 {
			return breach("P1", "request %d of terminal %d cannot be resolved", t.open.request.Number, t.id)
		}
		if err := w.up(); err != nil {
			return err
		}
		a := t.open
		if again {
			if err := w.ask(a); err != nil {
				return err
			}
			continue
		}
		if err := w.abandon(a); err != nil {
			return err
		}
	}
	return nil
}

// abandon asks what became of a request, and burns its number if nothing did.
func (w *world) abandon(a *ask) error {
	key := requestKey{a.request.Terminal, a.request.Number}
	before, decided := w.audit.requests[key]
	burned := w.audit.last[a.request.Terminal].burned // By an earlier try whose answer was lost.
	place, r, err := w.house.Abandon(context.Background(), a.request.Terminal, a.request.Number)
	if isDown(err) {
		return nil // Asked again.
	}
	if err != nil {
		return breach("P2", "request %d of terminal %d cannot be given up: %v", a.request.Number, a.request.Terminal,
			err)
	}
	if decided && place != before || w.audit.requests[key] != place {
		return breach("P2", "request %d of terminal %d was decided at %v, and %v is told", a.request.Number,
			a.request.Terminal, before, place)
	}
	a.terminal.open = nil
	w.figures["requests given up"]++
	switch b := r.Body.(type) {
	case *record.TicketSold:
		a.terminal.taken += b.CostCents
		return w.print(a, place)
	case *record.TicketPaid:
		a.terminal.taken -= b.Amount() + w.audit.bonuses[place]
		w.exchange(a)
	case *record.TicketCancelled:
		a.terminal.taken -= b.RefundCents + b.CarriedCents
	case *record.RequestBurned:
		if decided && !burned {
			return breach("P2", "request %d of terminal %d was decided at %v and is burned", a.request.Number,
				a.request.Terminal, before)
		}
	}
	return nil
}

// checkCash holds what terminals have taken against the books.
func (w *world) checkCash() error {
	taken := map[uint32]money.Amount{}
	for _, t := range w.terminals {
		taken[t.venue] += t.taken
	}
	for venue, cents := range taken {
		if booked := w.audit.balances[account{ledger.Cash, venue}]; booked != cents {
			return breach("P6", "venue %d has %v in cash, and its customers left %v there", venue, booked, cents)
		}
	}
	return nil
}

// order begins an order that is entered in a way.
func (t *terminal) order(c customer, way rulebook.EntryWay) house.Order {
	runner := way.TakesRunner() && c.once(4) || c.once(60)
	return house.Order{Terminal: t.id, Method: way.Method, Runner: runner}
}
