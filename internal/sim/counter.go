package sim

import (
	"context"
	"fmt"
	"math/rand/v2"

	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// up starts the house again if it is down. A person who was answered last may be ahead of
// the lane, which has yet to close its doors.
func (w *world) up() error {
	w.idle()
	select {
	case <-w.house.Done():
		return w.restart()
	default:
		return nil
	}
}

// free returns a terminal that waits for no answer.
func (w *world) free(r *rand.Rand) (*terminal, error) {
	t := w.terminals[r.IntN(len(w.terminals))]
	return t, w.resolve(t, r.IntN(2) == 0)
}

// newSale fills in a request for a ticket, which names its first game once in so many
// times.
func (w *world) newSale(r *rand.Rand, t *terminal, named int) (*ask, error) {
	c := w.customer(r)
	first := `"open"`
	switch open, ordinal := w.audit.newest(); {
	case len(w.audit.designated) > 0 && c.once(4), c.once(60):
		first = `"delayed"`
	case open != nil && c.once(named):
		g := open
		if c.once(4) && ordinal > 1 {
			g = w.audit.games[ordinal-2] // It is closed.
		}
		first = fmt.Sprintf(`{"day":%q,"game":%d}`, g.ref.Day, g.ref.Number)
	}
	way := c.entry(t.channel)
	text := c.form(first, way)
	order := t.order(c, way)
	if len(w.papers) > 0 && c.once(12) {
		old := w.papers[c.IntN(len(w.papers))]
		s, err := w.house.Serial(old.place)
		if err != nil {
			return nil, err
		}
		text = fmt.Sprintf(`{"v":1,"rulebook":%q,"first":"open","replay":%q,"bets":[]}`, w.book.ID(), s)
		order.Method = rulebook.MethodReplay
	}
	var err error
	if order.Ticket, err = keno.ParseRequest([]byte(text)); err != nil {
		return nil, fmt.Errorf("sim: the form %s: %w", text, err)
	}
	a := t.newAsk(Sell, text)
	a.order = order
	a.code = newCode(r)
	return a, nil
}

func newCode(r *rand.Rand) (code serial.ClaimCode) {
	for i := range code {
		code[i] = byte(r.Uint32())
	}
	return code
}

// sell lets somebody buy a ticket, over a network that loses and doubles things.
func (w *world) sell(r *rand.Rand) error {
	t, err := w.free(r)
	if err != nil {
		return err
	}
	a, err := w.newSale(r, t, 15)
	if err != nil {
		return err
	}
	if r.IntN(30) == 0 {
		a.expect = 1 // No ticket costs that little.
	}
	return w.deliver(r, a)
}

// deliver brings a request to the house, not always once and in order.
func (w *world) deliver(r *rand.Rand, a *ask) error {
	switch r.IntN(14) {
	case 0: // The answer is lost.
		w.figures["network: answers lost"]++
		if reply := send(context.Background(), w.house, a); codeOf(reply.err) == "" {
			a.terminal.open = a
			return w.resolve(a.terminal, r.IntN(2) == 0)
		}
		return nil
	case 1: // It arrives twice.
		w.figures["network: requests doubled"]++
		if err := w.ask(a); err != nil || a.terminal.open != nil {
			return err
		}
		return w.repeat(a)
	case 2: // The number is used again for something else.
		w.figures["network: numbers used twice"]++
		if err := w.ask(a); err != nil || a.terminal.open != nil {
			return err
		}
		other := *a
		other.request.Body[0]++
		return w.repeat(&other)
	case 3: // An earlier one arrives again, late.
		w.figures["network: requests out of order"]++
		if err := w.ask(a); err != nil || a.terminal.open != nil || a.request.Number < 2 {
			return err
		}
		late := *a
		late.request.Number--
		if w.foresee(&late).place == (record.Place{}) && w.audit.last[a.terminal.id].Number < a.request.Number {
			return nil // Neither was decided: it would be a first request.
		}
		return w.repeat(&late)
	}
	return w.ask(a)
}

// repeat sends something that was decided before. What it is answered with is no
// news to the terminal.
func (w *world) repeat(a *ask) error {
	if w.audit.last[a.request.Terminal].Number < a.request.Number {
		return nil // It was refused, which is no decision that lasts.
	}
	want := w.foresee(a)
	return want.check(send(context.Background(), w.house, a))
}

// someone returns a ticket, more often a new one.
func (w *world) someone(r *rand.Rand) *paper {
	n := len(w.papers)
	if r.IntN(2) == 0 {
		return w.papers[n-1-r.IntN(min(n, 30))]
	}
	return w.papers[r.IntN(n)]
}

// claim fills in a claim, now and then with a wrong code.
func (w *world) claim(r *rand.Rand, kind Kind, t *terminal, p *paper) *ask {
	a := t.newAsk(kind, p.place.String())
	a.paper, a.code, a.next = p, p.code, newCode(r)
	if r.IntN(15) == 0 {
		a.code = newCode(r)
	}
	return a
}

func (w *world) pay(r *rand.Rand) error {
	t, err := w.free(r)
	if err != nil || len(w.papers) == 0 {
		return err
	}
	return w.deliver(r, w.claim(r, Pay, t, w.someone(r)))
}

func (w *world) cancel(r *rand.Rand) error {
	t, err := w.free(r)
	if err != nil || len(w.papers) == 0 {
		return err
	}
	p := w.papers[len(w.papers)-1-r.IntN(min(len(w.papers), 12))]
	if r.IntN(4) > 0 {
		t = p.sale.terminal
		if err := w.resolve(t, true); err != nil {
			return err
		}
	}
	return w.deliver(r, w.claim(r, Cancel, t, p))
}

// look asks what became of a ticket, and for the proof that it was sealed.
func (w *world) look(r *rand.Rand) error {
	if len(w.papers) == 0 {
		return nil
	}
	if err := w.up(); err != nil {
		return err
	}
	p := w.someone(r)
	known := w.audit.tickets[p.place]
	ticket, err := w.house.Ticket(context.Background(), p.place)
	if err != nil {
		return breach("P1", "ticket %v cannot be looked up: %v", p.place, err)
	}
	for _, g := range ticket.Games {
		if prize, ok := w.audit.prize(p.place, known, g.Ordinal); ok && g.Prize+g.Refund != prize ||
			g.Paid != known.paid[g.Ordinal] {
			return breach("P7", "ticket %v is shown %v, refund %v and %v paid for game %d; it has won %v and was paid %v",
				p.place, g.Prize, g.Refund, g.Paid, g.Ordinal, prize, known.paid[g.Ordinal])
		}
		if !g.Sealed() {
			continue
		}
		_, err := w.house.Proof(context.Background(), p.place, g.Ref)
		if plays := w.audit.marked(g.Ordinal)[p.place]; plays != (err == nil) || err != nil &&
			codeOf(err) != house.NotInGame {
			return breach("P3", "the proof of ticket %v in game %v: %v", p.place, g.Ref, err)
		}
		w.figures["proofs made"]++
	}
	return nil
}
