package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/games/keno"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// Order is a ticket that somebody wants to buy at a terminal.
type Order struct {
	Series   uint8 // of the games; 0 for the first series
	Terminal uint32
	Method   rulebook.Method
	Runner   bool
	Ticket   keno.Request
	// InSession says that the ticket is paid for at the end of the customer session.
	InSession bool
	Player    uint32 // number of a player who works in the house; 0 for another
}

// Quote says what an order would cost in the game that is on sale, or why it would not
// be sold: first what is wrong with the ticket, then who or what is missing where it is
// to be sold.
func (h *House) Quote(ctx context.Context, o Order) (counter.Quote, error) {
	offer, err := h.quote(ctx, h.viewed(), &o)
	if err != nil {
		return counter.Quote{}, err
	}
	series := o.series()
	floor := staff.Floor{People: h.People(), Book: h.line(series).Book(), OffsetSeconds: h.Hub().OffsetSeconds(series)}
	return offer, floor.CheckSale(h.now(), staff.SaleOf(o.Terminal, series, o.Player, &offer.Ticket))
}

// series returns the series of games that an order is for.
func (o *Order) series() uint8 { return cmp.Or(o.Series, FirstSeries) }

// quote prices an order by what readers were shown at one moment.
func (h *House) quote(ctx context.Context, seen *view, o *Order) (counter.Quote, error) {
	line := seen.line(o.series())
	now := &line.sale
	if now.book == nil {
		return counter.Quote{}, unknownSeries()
	}
	terminal, ok := seen.People().Post(o.Terminal)
	if !ok {
		return counter.Quote{}, &refusal.Refusal{Code: counter.TerminalUnknown, Path: "terminal",
			Sentence: fmt.Sprintf("There is no terminal %d.", o.Terminal)}
	}
	if now.ordinal == 0 {
		return counter.Quote{}, &refusal.Refusal{Code: counter.NotOnSale, Path: "first",
			Clause: now.book.Games().Quoted(), Sentence: "No game is on sale now."}
	}
	old, place, err := h.replayed(ctx, o.Ticket.Replay)
	if err != nil {
		return counter.Quote{}, err
	}
	venue, _ := seen.Venue(terminal.Venue)
	setting := keno.Setting{Open: now.game, Designated: now.designated, Entropy: h.config.Entropy, Old: old}
	env := keno.Envelope{Channel: terminal.Channel, Method: o.Method, Runner: o.Runner, Venue: venue.Listed,
		PoolGame: line.isPoolGame(now.ordinal, now.ordinal)}
	offer, err := counter.PrepareSale(now.desk, o.Ticket, setting, env)
	if err != nil {
		return counter.Quote{}, err
	}
	offer.Replays = place
	if !env.PoolGame && line.isPoolGame(now.ordinal, now.ordinal+uint32(offer.Ticket.Games)-1) {
		// A later game of the ticket plays for the bonus prize pool, and the least stake
		// of such games is that of the whole ticket.
		env.PoolGame = true
		offer.Price, err = now.desk.Quote(offer.Ticket, env)
	}
	return offer, err
}

// replayed finds the ticket that an order plays again, if it does. One that cannot
// be found is left to the resolver, which knows the rule that asks for it.
//
//rule:vic-keno-2015 2(a).replay
func (h *House) replayed(ctx context.Context, text string) (*keno.Ticket, record.Place, error) {
	if text == "" {
		return nil, record.Place{}, nil
	}
	place, err := h.Find(text)
	if err != nil {
		return nil, record.Place{}, err
	}
	if place, err = h.Resolve(ctx, place); err != nil {
		return nil, record.Place{}, err
	}
	old, _, err := h.soldAt(ctx, place)
	if err != nil {
		return nil, record.Place{}, err
	}
	ticket, err := keno.DecodeTicket(old.Ticket)
	return &ticket, place, err
}

// Paid is a payment that was made, when and where.
type Paid struct {
	Place   record.Place
	Time    record.Time
	Payment *record.TicketPaid
	Bonus   *record.BonusAllocated // that came with it, or nil
	// Continuation is the sheet with which the rest of the games go on; the zero place
	// where there is none.
	Continuation record.Place
}

// Holder is how somebody with a ticket wants to be served.
type Holder struct {
	Code serial.ClaimCode
	// InSession says that it is settled at the end of the customer session.
	InSession bool
	// Expect is what the terminal thinks that it comes to; nil if it does not say.
	Expect *money.Amount
	// Continuation is the claim of the ticket with which the rest of the games go on,
	// where the writer keeps the paper.
	Continuation serial.ClaimHash
}

// Pay pays what a ticket has won, once for each request.
func (h *House) Pay(ctx context.Context, r record.Request, place record.Place, holder Holder) (Paid, error) {
	return h.pay(ctx, r, place, holder, func(c counter.Payment) command.Request { return command.Pay{Payment: c} })
}

// PayByHand brings in a prize that was paid by hand, as two persons have agreed, once for each
// request.
func (h *House) PayByHand(ctx context.Context, r record.Request, place record.Place, holder Holder,
	approval uint32) (Paid, error) {
	return h.pay(ctx, r, place, holder, func(c counter.Payment) command.Request {
		return command.BringInPayment{Payment: c,
			Approval: approval}
	})
}

// pay pays a ticket by a command.
func (h *House) pay(ctx context.Context, r record.Request, place record.Place, holder Holder,
	by func(counter.Payment) command.Request) (Paid, error) {
	place, err := h.Resolve(ctx, place)
	if err != nil {
		return Paid{}, err
	}
	ticket, err := h.Ticket(ctx, place)
	if err != nil {
		return Paid{}, err
	}
	if err := h.checkRecord(ctx, place, ticket.Leaf); err != nil {
		return Paid{}, err
	}
	entropy := make([]byte, counter.BonusBytes)
	if _, err := io.ReadFull(h.config.Entropy, entropy); err != nil {
		return Paid{}, fmt.Errorf("house: random bytes for a bonus: %w", err)
	}
	answer, err := h.request(ctx, by(counter.Payment{
		Request: r, Place: place, Sold: ticket.Sale, Code: holder.Code, Wins: ticket.wins, Entropy: entropy,
		InSession: holder.InSession,
		Expect:    holder.Expect, Continuation: record.Hash(holder.Continuation), Disputed: h.disputed(),
	}))
	if err != nil {
		return Paid{}, err
	}
	body, at, err := answered[*record.TicketPaid](ctx, h, answer)
	if err != nil {
		return Paid{}, err
	}
	paid := Paid{Place: answer.Place, Time: at, Payment: body}
	return paid, h.addFollowing(ctx, &paid)
}

// addFollowing reads what came with a payment: a bonus that fell on the ticket, and the
// sheet with which its games go on, stand just behind it.
func (h *House) addFollowing(ctx context.Context, paid *Paid) error {
	for at := paid.Place; ; {
		at.Seq++
		data, err := h.config.Store.Record(ctx, at)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if kind, ok := record.KindOf(data); !ok || kind != record.KindBonusAllocated &&
			kind != record.KindPaperReissued {
			return nil
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		switch b := r.Body.(type) {
		case *record.BonusAllocated:
			if b.Ticket != paid.Payment.Ticket || paid.Bonus != nil {
				return nil
			}
			paid.Bonus = b
		case *record.PaperReissued:
			if b.Request == paid.Payment.Request {
				paid.Continuation = at
			}
			return nil
		}
	}
}

// Cancelled is a cancellation that was made, when and where.
type Cancelled struct {
	Place        record.Place
	Time         record.Time
	Cancellation *record.TicketCancelled
}

// Cancel gives back what a ticket has paid for games that have not closed, once for
// each request.
func (h *House) Cancel(ctx context.Context, r record.Request, place record.Place, holder Holder) (Cancelled, error) {
	place, err := h.Resolve(ctx, place)
	if err != nil {
		return Cancelled{}, err
	}
	sold, data, err := h.soldAt(ctx, place)
	if err != nil {
		return Cancelled{}, err
	}
	if err := h.checkRecord(ctx, place, journal.LeafHash(data)); err != nil {
		return Cancelled{}, err
	}
	return h.cancelled(ctx, command.Cancel{Cancellation: counter.Cancellation{
		Request: r, Place: place, Sold: sold, Code: holder.Code, InSession: holder.InSession, Expect: holder.Expect,
	}})
}

// request does a command of a terminal, once for each request.
func (h *House) request(ctx context.Context, c command.Request) (engine.Answer, error) {
	return lane.DoSoon(ctx, h.lane, func(m machine) (engine.Answer, error) { return m.Request(h.now(), c, command.Env{}) })
}

// cancelled does a command that cancels a ticket, and reads the cancellation.
func (h *House) cancelled(ctx context.Context, c command.Request) (Cancelled, error) {
	answer, err := h.request(ctx, c)
	if err != nil {
		return Cancelled{}, err
	}
	body, at, err := answered[*record.TicketCancelled](ctx, h, answer)
	if err != nil {
		return Cancelled{}, err
	}
	return Cancelled{Place: answer.Place, Time: at, Cancellation: body}, nil
}

// answered reads the record that answers a request, which may have been written
// long ago. One of another kind means that the number was used for something else.
func answered[T record.Body](ctx context.Context, h *House, answer engine.Answer) (body T, at record.Time, err error) {
	data := answer.Data
	if data == nil {
		if data, err = h.config.Store.Record(ctx, answer.Place); err != nil {
			return body, 0, err
		}
	}
	r, err := record.Decode(data)
	if err != nil {
		return body, 0, err
	}
	body, ok := r.Body.(T)
	if !ok {
		err = somethingElse()
	}
	return body, r.Time, err
}

func somethingElse() error {
	return &refusal.Refusal{Code: engine.RequestBodyOther, Path: "request",
		Sentence: "The request was something else. Use a new number."}
}

// Abandon says what became of a request and burns it if it was not decided. The
// record is the sale, the payment or the burning.
func (h *House) Abandon(ctx context.Context, terminal uint32, number uint64) (record.Place, record.Record, error) {
	answer, err := lane.Do(ctx, h.lane, func(m machine) (engine.Answer,
		error) {
		return m.Abandon(h.now(), terminal, number)
	})
	if err != nil {
		return record.Place{}, record.Record{}, err
	}
	data, err := h.config.Store.Record(ctx, answer.Place)
	if err != nil {
		return record.Place{}, record.Record{}, err
	}
	r, err := record.Decode(data)
	return answer.Place, r, err
}
