package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"drawhouse/engine"
	"drawhouse/journal"
	"drawhouse/keno"
	"drawhouse/lane"
	"drawhouse/money"
	"drawhouse/payout"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/sale"
	"drawhouse/serial"
	"drawhouse/store"
)

// Order is a ticket that somebody wants to buy at a terminal.
type Order struct {
	Terminal uint32
	Method   rulebook.Method
	Runner   bool
	Ticket   keno.Request
	// InSession says that the ticket is paid for at the end of the customer session.
	InSession bool
	Player    uint32 // number of a player who works in the house; 0 for another
}

// Quote says what an order would cost in the game that is on sale.
func (h *House) Quote(ctx context.Context, o Order) (sale.Offer, error) {
	terminal, ok := h.index.terminal(o.Terminal)
	if !ok {
		return sale.Offer{}, &refusal.Refusal{Code: sale.TerminalUnknown, Path: "terminal", Sentence: fmt.Sprintf("There is no terminal %d.", o.Terminal)}
	}
	open, ordinal, ok := h.onSale()
	if !ok {
		return sale.Offer{}, &refusal.Refusal{Code: sale.NotOnSale, Path: "first", Clause: h.Book().Games().Quoted(), Sentence: "No game is on sale now."}
	}
	setting := keno.Setting{Open: open, Entropy: h.config.Entropy}
	if ahead, ok := h.index.nextDesignated(Series); ok {
		setting.Designated = keno.GameRef{Day: ahead.Day, Game: int(ahead.Number)}
	}
	old, place, err := h.replayed(ctx, o.Ticket.Replay)
	if err != nil {
		return sale.Offer{}, err
	}
	setting.Old = old
	env := keno.Envelope{Channel: terminal.Channel, Method: o.Method, Runner: o.Runner, Venue: terminal.Listed, PoolGame: h.index.isPoolGame(Series, ordinal, ordinal)}
	desk := h.index.bookFor(Series, math.MaxInt32).desk
	offer, err := sale.Prepare(desk, o.Ticket, setting, env)
	if err != nil {
		return sale.Offer{}, err
	}
	offer.Replays = place
	if !env.PoolGame && h.index.isPoolGame(Series, ordinal, ordinal+uint32(offer.Ticket.Games)-1) {
		// A later game of the ticket plays for the bonus prize pool, and the least stake
		// of such games is that of the whole ticket.
		env.PoolGame = true
		offer.Price, err = desk.Quote(offer.Ticket, env)
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

// onSale returns the game that is on sale, as far as is durable.
func (h *House) onSale() (ref keno.GameRef, ordinal uint32, ok bool) {
	newest := h.index.newest(Series, 1)
	if len(newest) == 0 || newest[0].Sealed() {
		return keno.GameRef{}, 0, false
	}
	return keno.GameRef{Day: newest[0].Ref.Day, Game: int(newest[0].Ref.Number)}, newest[0].Ordinal, true
}

// Sold is a ticket that was sold, when and where.
type Sold struct {
	Place  record.Place
	Time   record.Time
	Leaf   journal.Hash
	Sale   *record.TicketSold
	Ticket keno.Ticket // which Sale has encoded
}

// Sell sells a ticket, once for each request.
func (h *House) Sell(ctx context.Context, r record.Request, o Order, claim serial.ClaimHash, expect money.Amount) (Sold, error) {
	offer, err := h.Quote(ctx, o)
	if err != nil {
		// A repeated request is answered as before, whatever has changed since.
		return h.soldBefore(ctx, r, err)
	}
	command := sale.Command{Request: r, Series: Series, Offer: offer, Claim: record.Hash(claim), Expect: expect, InSession: o.InSession, Player: o.Player}
	answer, err := lane.Do(ctx, h.lane, func(m machine) (engine.Answer, error) { return m.Sell(h.now(), command) })
	if err != nil {
		return Sold{}, err
	}
	if answer.Repeated {
		return h.sold(ctx, answer, nil)
	}
	return h.sold(ctx, answer, &offer.Ticket)
}

// soldBefore returns the ticket of a request that was decided, or why the request
// cannot be granted now.
func (h *House) soldBefore(ctx context.Context, r record.Request, refused error) (Sold, error) {
	answer, err := lane.Do(ctx, h.lane, func(m machine) (engine.Answer, error) { return m.Known(r) })
	if err != nil {
		return Sold{}, err
	}
	if !answer.Repeated {
		return Sold{}, refused
	}
	return h.sold(ctx, answer, nil)
}

// sold reads the sale that answers a request: of the offered ticket, or if that
// is nil of one that was sold before.
func (h *House) sold(ctx context.Context, answer engine.Answer, offered *keno.Ticket) (Sold, error) {
	data := answer.Data
	if data == nil {
		var err error
		if data, err = h.config.Store.Record(ctx, answer.Place); err != nil {
			return Sold{}, err
		}
	}
	r, err := record.Decode(data)
	if err != nil {
		return Sold{}, err
	}
	body, ok := r.Body.(*record.TicketSold)
	if !ok {
		return Sold{}, somethingElse()
	}
	ticket, err := h.ticketOf(body, offered)
	return Sold{Place: answer.Place, Time: r.Time, Leaf: journal.LeafHash(data), Sale: body, Ticket: ticket}, err
}

// ticketOf returns the ticket of a sale. That of an offer is what was offered,
// from the game that was open when it was sold: to decode it again would cost as
// much as to decide the sale.
func (h *House) ticketOf(sold *record.TicketSold, offered *keno.Ticket) (keno.Ticket, error) {
	first, ok := h.index.byOrdinal(sold.Series, sold.Ordinal)
	if offered == nil || !ok {
		return keno.DecodeTicket(sold.Ticket)
	}
	ticket := *offered
	ticket.First = keno.GameRef{Day: first.Ref.Day, Game: int(first.Ref.Number)}
	return ticket, nil
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
	// Continuation is the claim of the ticket with which the rest of the games go on,
	// where the writer keeps the paper.
	Continuation serial.ClaimHash
}

// Pay pays what a ticket has won, once for each request.
func (h *House) Pay(ctx context.Context, r record.Request, place record.Place, holder Holder) (Paid, error) {
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
	entropy := make([]byte, payout.BonusBytes)
	if _, err := io.ReadFull(h.config.Entropy, entropy); err != nil {
		return Paid{}, fmt.Errorf("house: random bytes for a bonus: %w", err)
	}
	command := payout.Command{Request: r, Place: place, Sold: ticket.Sale, Code: holder.Code, Wins: ticket.wins, Entropy: entropy, InSession: holder.InSession, Continuation: record.Hash(holder.Continuation)}
	answer, err := lane.Do(ctx, h.lane, func(m machine) (engine.Answer, error) { return m.Pay(h.now(), command) })
	if err != nil {
		return Paid{}, err
	}
	rec, err := h.answered(ctx, answer)
	if err != nil {
		return Paid{}, err
	}
	body, ok := rec.Body.(*record.TicketPaid)
	if !ok {
		return Paid{}, somethingElse()
	}
	paid := Paid{Place: answer.Place, Time: rec.Time, Payment: body}
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
		if kind, ok := record.KindOf(data); !ok || kind != record.KindBonusAllocated && kind != record.KindPaperReissued {
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
	command := saleCancellation(r, place, sold)
	command.Code, command.InSession = holder.Code, holder.InSession
	answer, err := lane.Do(ctx, h.lane, func(m machine) (engine.Answer, error) { return m.Cancel(h.now(), command) })
	if err != nil {
		return Cancelled{}, err
	}
	return h.cancelled(ctx, answer)
}

func saleCancellation(r record.Request, place record.Place, sold *record.TicketSold) sale.Cancellation {
	return sale.Cancellation{Request: r, Place: place, Sold: sold}
}

// cancelled reads the cancellation that answers a request.
func (h *House) cancelled(ctx context.Context, answer engine.Answer) (Cancelled, error) {
	rec, err := h.answered(ctx, answer)
	if err != nil {
		return Cancelled{}, err
	}
	body, ok := rec.Body.(*record.TicketCancelled)
	if !ok {
		return Cancelled{}, somethingElse()
	}
	return Cancelled{Place: answer.Place, Time: rec.Time, Cancellation: body}, nil
}

// answered reads the record that answers a request, which may have been written
// long ago.
func (h *House) answered(ctx context.Context, answer engine.Answer) (record.Record, error) {
	data := answer.Data
	if data == nil {
		var err error
		if data, err = h.config.Store.Record(ctx, answer.Place); err != nil {
			return record.Record{}, err
		}
	}
	return record.Decode(data)
}

func somethingElse() error {
	return &refusal.Refusal{Code: engine.RequestBodyOther, Path: "number", Sentence: "The request was something else. Use a new number."}
}

// Abandon says what became of a request and burns it if it was not decided. The
// record is the sale, the payment or the burning.
func (h *House) Abandon(ctx context.Context, terminal uint32, number uint64) (record.Place, record.Record, error) {
	answer, err := lane.Do(ctx, h.lane, func(m machine) (engine.Answer, error) { return m.Abandon(h.now(), terminal, number) })
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
