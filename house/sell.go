package house

import (
	"context"

	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/games/keno"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// Sale is an order under the number of a request.
type Sale struct {
	Request record.Request
	Order   Order
	Claim   serial.ClaimHash
	Expect  money.Amount // what the terminal thinks it costs; 0 if it does not say
}

// Sold is a ticket that was sold, when and where.
type Sold struct {
	Place  record.Place
	Time   record.Time
	Leaf   journal.Hash
	Sale   *record.TicketSold
	Ticket keno.Ticket // which Sale has encoded
}

// SaleResult is what became of a sale.
type SaleResult struct {
	Sold
	Err error // why it was not sold
}

// Sell sells a ticket, once for each request.
func (h *House) Sell(ctx context.Context, r record.Request, o Order, claim serial.ClaimHash,
	expect money.Amount) (Sold, error) {
	result := h.SellAll(ctx, []Sale{{Request: r, Order: o, Claim: claim, Expect: expect}})[0]
	return result.Sold, result.Err
}

// SellAll sells tickets in their order, each once for each request and each by itself:
// what becomes of one says nothing of the next. They are priced beside the lane, wait
// there once, and become durable together, which is what makes many cost less than as
// many calls of Sell.
func (h *House) SellAll(ctx context.Context, sales []Sale) []SaleResult {
	seen := h.viewed()
	commands, refusals := make([]counter.Sale, len(sales)), make([]error, len(sales))
	for i := range sales {
		s := &sales[i]
		offer, err := h.quote(ctx, seen, &s.Order)
		commands[i] = counter.Sale{
			Request: s.Request, Series: s.Order.series(), Quote: offer, Claim: record.Hash(s.Claim), Expect: s.Expect,
			InSession: s.Order.InSession, Player: s.Order.Player,
		}
		refusals[i] = err
	}
	answers, err := lane.DoMany(ctx, h.lane, len(sales), func(m machine) ([]saleAnswer, error) {
		return m.sellAll(h.now(), commands, refusals), nil
	})
	results := make([]SaleResult, len(sales))
	for i := range results {
		if results[i].Err = err; err == nil {
			results[i].Sold, results[i].Err = h.sold(ctx, answers[i], &commands[i].Quote.Ticket)
		}
	}
	return results
}

// saleAnswer is what the lane says of a sale.
type saleAnswer struct {
	engine.Answer
	err error
}

// sellAll decides sales in their order. One that could not be priced is looked up: a
// repeated request is answered as before, whatever has changed since.
func (m machine) sellAll(now record.Time, commands []counter.Sale, refusals []error) []saleAnswer {
	answers := make([]saleAnswer, len(commands))
	for i := range commands {
		a := &answers[i]
		if refusals[i] == nil {
			a.Answer, a.err = m.Sell(now, commands[i])
		} else if a.Answer, a.err = m.Known(commands[i].Request); a.err == nil && !a.Repeated {
			a.err = refusals[i]
		}
	}
	return answers
}

// sold reads the sale that answers a request: of the offered ticket, or one that was
// sold before.
func (h *House) sold(ctx context.Context, answer saleAnswer, offered *keno.Ticket) (Sold, error) {
	if answer.err != nil {
		return Sold{}, answer.err
	}
	r, leaf := answer.Record, answer.Leaf
	if answer.Repeated {
		data, err := h.config.Store.Record(ctx, answer.Place)
		if err != nil {
			return Sold{}, err
		}
		if r, err = record.Decode(data); err != nil {
			return Sold{}, err
		}
		leaf, offered = journal.LeafHash(data), nil
	}
	body, ok := r.Body.(*record.TicketSold)
	if !ok {
		return Sold{}, somethingElse()
	}
	ticket, err := h.ticketOf(body, offered)
	return Sold{Place: answer.Place, Time: r.Time, Leaf: leaf, Sale: body, Ticket: ticket}, err
}

// ticketOf returns the ticket of a sale. That of an offer is what was offered,
// from the game that was open when it was sold: to decode it again would cost as
// much as to decide the sale.
func (h *House) ticketOf(sold *record.TicketSold, offered *keno.Ticket) (keno.Ticket, error) {
	first, ok := h.history.nameOf(sold.Series, sold.Ordinal)
	if offered == nil || !ok {
		return keno.DecodeTicket(sold.Ticket)
	}
	ticket := *offered
	ticket.First = keno.GameRef{Day: first.Day, Game: int(first.Number)}
	return ticket, nil
}
