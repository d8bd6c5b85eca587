package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Resolve returns the ticket or paper that a sheet is of: what stands at a place, or
// for another sheet what that is of.
func (h *House) Resolve(ctx context.Context, place record.Place) (record.Place, error) {
	data, err := h.config.Store.Record(ctx, place)
	if errors.Is(err, store.ErrNotFound) {
		return place, nil // The reader says that there is no such ticket.
	}
	if err != nil {
		return place, err
	}
	if kind, ok := record.KindOf(data); !ok || kind != record.KindPaperReissued {
		return place, nil
	}
	r, err := record.Decode(data)
	if err != nil {
		return place, err
	}
	if reissued, ok := r.Body.(*record.PaperReissued); ok {
		place = reissued.Of
	}
	return place, nil
}

// Settled is the end of a customer session, when and where, with the papers that it
// issued and the cheques that it promised.
type Settled struct {
	Place    record.Place
	Time     record.Time
	End      *record.SessionEnded
	Papers   []Paper
	Promised []*record.ChequePromised
}

// Paper is a paper that stands for money, as it was issued.
type Paper struct {
	Place record.Place
	Time  record.Time
	Issue *record.InstrumentIssued
}

// EndSession ends a customer session, once for each request.
func (h *House) EndSession(ctx context.Context, c counter.SessionEnd) (Settled, error) {
	c.Series = h.sessionSeries(c.Request.Terminal)
	answer, err := h.request(ctx, command.EndSession{SessionEnd: c})
	if err != nil {
		return Settled{}, err
	}
	end, at, err := answered[*record.SessionEnded](ctx, h, answer)
	if err != nil {
		return Settled{}, err
	}
	papers, err := h.papersBefore(ctx, answer.Place, end.Request)
	if err != nil {
		return Settled{}, err
	}
	promised, err := h.promisedBehind(ctx, answer.Place, end)
	return Settled{Place: answer.Place, Time: at, End: end, Papers: papers, Promised: promised}, err
}

// sessionSeries returns the series of the games that the customer session at a terminal is about, or the first
// if no session is open.
func (h *House) sessionSeries(terminal uint32) uint8 {
	if till, ok := h.copies.Load().Till(terminal); ok && till.Open != nil {
		return cmp.Or(till.Open.Series, FirstSeries)
	}
	return FirstSeries
}

// papersBefore reads the papers that a session's end issued: they stand just before it.
func (h *House) papersBefore(ctx context.Context, end record.Place, r record.Request) ([]Paper, error) {
	var papers []Paper
	for at := end; at.Seq > 0; {
		at.Seq--
		p, err := h.paperAt(ctx, at)
		if err != nil {
			return nil, err
		}
		if p.Issue == nil || p.Issue.Request != r {
			break
		}
		papers = append([]Paper{p}, papers...)
	}
	return papers, nil
}

// paperAt reads a paper; it has no issue if something else stands there.
func (h *House) paperAt(ctx context.Context, place record.Place) (Paper, error) {
	data, err := h.config.Store.Record(ctx, place)
	if err != nil {
		return Paper{}, err
	}
	if kind, ok := record.KindOf(data); !ok || kind != record.KindInstrumentIssued {
		return Paper{Place: place}, nil
	}
	r, err := record.Decode(data)
	if err != nil {
		return Paper{}, err
	}
	issue, _ := r.Body.(*record.InstrumentIssued)
	return Paper{Place: place, Time: r.Time, Issue: issue}, nil
}

// Session lists the session that is open at a terminal, if there is one, as of the last
// commit.
func (h *House) Session(_ context.Context, terminal uint32) (counter.SessionSummary, bool, error) {
	l := h.line(h.sessionSeries(terminal))
	at := counter.Moment{Book: l.Book(), Today: l.today(), Now: h.now()}
	summary, open := counter.SummariseSession(h.copies.Load(), at, terminal)
	return summary, open, nil
}

// today returns the Keno Day, or between two of them the date.
func (l *Line) today() day.Day {
	if course := l.seen().course; course.DayOpen {
		return course.Day
	}
	return state.DateAt(l.Hub().OffsetSeconds(l.id), l.now())
}

// IssuePaper issues a paper that stands for money, once for each request.
func (h *House) IssuePaper(ctx context.Context, o counter.PaperOrder) (Paper, error) {
	o.Series = cmp.Or(o.Series, FirstSeries)
	answer, err := h.request(ctx, command.IssuePaper{PaperOrder: o})
	if err != nil {
		return Paper{}, err
	}
	p, err := h.paperAt(ctx, answer.Place)
	if err == nil && p.Issue == nil {
		err = somethingElse()
	}
	return p, err
}

// Reprint prints another sheet of a ticket that was not handed over and returns the place
// of the sheet. Without an approval one person acts alone.
func (h *House) Reprint(ctx context.Context, r record.Request, of record.Place, claim serial.ClaimHash,
	approval uint32) (record.Place, error) {
	sheet, err := h.sheetOf(ctx, r.Terminal, of)
	if err != nil {
		return record.Place{}, err
	}
	answer, err := h.request(ctx, command.Reprint{Sheet: sheet, Request: r, Claim: record.Hash(claim),
		Approval: approval})
	return answer.Place, err
}

// SetUndelivered records that a ticket was not handed over. Without an approval one person
// acts alone.
func (h *House) SetUndelivered(ctx context.Context, terminal uint32, of record.Place, reason string,
	approval uint32) error {
	sheet, err := h.sheetOf(ctx, terminal, of)
	if err != nil {
		return err
	}
	return command.Outcome(h.Do(ctx, command.ReportUndelivered{Sheet: sheet, Reason: reason, Approval: approval},
		record.By{}))
}

// AskSheet asks another person to consent to what two do with a ticket at a counter, and
// returns the number of the request.
func (h *House) AskSheet(ctx context.Context, by, terminal uint32, of record.Place,
	asks func(counter.Sheet) command.Command) (uint32, error) {
	sheet, err := h.sheetOf(ctx, terminal, of)
	if err != nil {
		return 0, err
	}
	made, err := h.Do(ctx, asks(sheet), record.By{Person: by})
	return staff.RequestNumber(made), err
}

// AskedSheet returns the ticket that somebody asked about at a counter. Of the request the
// journal has a hash, which is held against the tickets that were not handed over.
func (h *House) AskedSheet(ctx context.Context,
	asked record.ApprovalRequested) (record.Place, *record.TicketSold, bool) {
	place, err := lane.DoSoon(ctx, h.lane, func(m machine) (record.Place, error) { return m.AskedSheet(asked), nil })
	if err != nil || place == (record.Place{}) {
		return record.Place{}, nil, false
	}
	sold, _, err := h.soldAt(ctx, place)
	return place, sold, err == nil
}

// sheetOf reads the ticket that a sheet is of.
func (h *House) sheetOf(ctx context.Context, terminal uint32, of record.Place) (counter.Sheet, error) {
	place, err := h.Resolve(ctx, of)
	if err != nil {
		return counter.Sheet{}, err
	}
	sold, _, err := h.soldAt(ctx, place)
	return counter.Sheet{Terminal: terminal, Place: place, Sold: sold}, err
}

// VoidUndelivered gives back what a ticket has paid that was not handed over: at once, or
// at the end of the customer session that is open.
func (h *House) VoidUndelivered(ctx context.Context, r record.Request, place record.Place, use staff.Use,
	holder Holder) (Cancelled, error) {
	sold, data, err := h.soldAt(ctx, place)
	if err != nil {
		return Cancelled{}, err
	}
	if err := h.checkRecord(ctx, place, journal.LeafHash(data)); err != nil {
		return Cancelled{}, err
	}
	return h.cancelled(ctx, command.VoidUndelivered{Cancellation: counter.Cancellation{
		Request: r, Place: place, Sold: sold, InSession: holder.InSession, Expect: holder.Expect,
	}, Use: use})
}

// Forfeit takes the prizes of a ticket from somebody under age, once for each request.
func (h *House) Forfeit(ctx context.Context, r record.Request, place record.Place,
	holder Holder) (*record.PrizeForfeited, error) {
	place, err := h.Resolve(ctx, place)
	if err != nil {
		return nil, err
	}
	ticket, err := h.Ticket(ctx, place)
	if err != nil {
		return nil, err
	}
	if err := h.checkRecord(ctx, place, ticket.Leaf); err != nil {
		return nil, err
	}
	answer, err := h.request(ctx, command.Forfeit{Payment: counter.Payment{
		Request: r, Place: place, Sold: ticket.Sale, Code: holder.Code, Wins: ticket.wins, Expect: holder.Expect,
		Disputed: h.disputed(),
	}})
	if err != nil {
		return nil, err
	}
	forfeited, _, err := answered[*record.PrizeForfeited](ctx, h, answer)
	return forfeited, err
}

// Bank returns what the writer of a terminal answers for.
func (h *House) Bank(_ context.Context, terminal uint32) (counter.Bank, error) {
	bank, known := counter.BankOf(h.copies.Load(), terminal)
	if !known {
		return bank, &refusal.Refusal{Code: engine.TerminalUnknown, Path: "terminal",
			Sentence: fmt.Sprintf("There is no terminal %d.", terminal)}
	}
	return bank, nil
}

// Card returns a player card as of the last commit.
func (h *House) Card(_ context.Context, number uint32) (state.Card, error) {
	card, ok := h.copies.Load().cards.get(number)
	if !ok {
		return card, &refusal.Refusal{Code: counter.CardUnknown, Path: "card",
			Sentence: fmt.Sprintf("There is no card %d.", number)}
	}
	return card, nil
}

// PayeeErased returns who had the register forget a payee, if somebody had.
func (h *House) PayeeErased(_ context.Context, payee record.Hash) (state.Erasure, error) {
	erased, _ := h.copies.Load().payees.get(payee)
	return erased, nil
}

// Statement returns what happened on a card since it was registered, in whichever volume.
// It reads the journal once and keeps what is of the card alone.
func (h *House) Statement(ctx context.Context, card uint32) ([]counter.CardMovement, error) {
	heads, err := h.config.Store.Volumes(ctx)
	if err != nil {
		return nil, err
	}
	movements := counter.CardStatement(card, func(yield func(record.Place, record.Record) bool) {
		for _, head := range heads {
			err = h.config.Store.Records(ctx, head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
				kind, ok := record.KindOf(data)
				if !ok || kind != record.KindCardRegistered && kind != record.KindSessionEnded {
					return nil
				}
				r, err := record.Decode(data)
				if err == nil && !yield(record.Place{Volume: head.Volume, Seq: seq}, r) {
					err = errStopped
				}
				return err
			})
			if err != nil {
				return
			}
		}
	})
	return movements, err
}
