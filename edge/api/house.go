package api

import (
	"context"

	"drawhouse/books"
	"drawhouse/books/bankfile"
	"drawhouse/books/report"
	"drawhouse/core/contain"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/house/live"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// House is what the interface needs of a house; *house.House is one. Its methods
// may be called by any number of goroutines. An error that is a *refusal.Refusal
// is an answer; those of package lane mean that the house cannot decide now; any
// other one is a fault of the house.
type House interface {
	Writer
	Reader
	Operator
	Rooms
	Journals
	Logs
	Treasury
	Claimants
	Hub() *live.Hub
	Name() string
	// BodyAt reads what the record at a place says.
	BodyAt(ctx context.Context, place record.Place) (record.Body, error)
	// BooksBetween returns the books of all series.
	BooksBetween(ctx context.Context, from, to day.Day) ([]*books.Book, error)
	// EveryRecord reads the journal from its beginning.
	EveryRecord(ctx context.Context, fn func(record.Place, record.Record) (more bool, err error)) error
	// List makes a report that is not of the books, or lists the records behind a figure of it.
	List(ctx context.Context, asked house.ListAsked) (*report.Table, error)
	// First returns the series that the house was founded with, and Line a series by its number.
	First() *house.Line
	Line(id uint8) (*house.Line, error)
	SeriesIDs() []uint8
	// SeriesAsked returns the series that a request for an act is about, or 0.
	SeriesAsked(asked record.ApprovalRequested) uint8
	// OfTicket returns where a ticket stands, by the serial of any of its sheets.
	OfTicket(ctx context.Context, serial string) (record.Place, error)
	// LineOf returns the series of a ticket.
	LineOf(ctx context.Context, ticket record.Place) (*house.Line, error)
	Filed(hash rulebook.Hash) (reference string, ok bool)
	// VenueStanding returns how a venue stands with the operator, if it has an agreement.
	VenueStanding(venue uint32) (state.VenueStanding, bool)
	// DebitFile writes a file of direct debits, if there is one of the number.
	DebitFile(ctx context.Context, number uint32) ([]byte, bool, error)
	AnswerOfBank(ctx context.Context, text, currency string) (*bankfile.Answers, error)
	DebitOrders(ctx context.Context, before uint32, most int) ([]*record.DebitsOrdered, []record.Time, error)
	// Named returns whom and what the house names of its register.
	Named() map[record.Hash]house.Named
	// People looks at people and places.
	People() *state.People
	// OpenDisputes are those between runners and players that nobody has decided.
	OpenDisputes() []state.OpenDispute
	// Panicked raises the alarm of a defect.
	Panicked(part house.Part, p *contain.Panic)
	// Raise raises an alarm, and Clear ends it.
	Raise(part house.Part, key, sentence, remedy string)
	Clear(part house.Part, key string)
	// Done is closed when the house has stopped.
	Done() <-chan struct{}
}

// Writer decides. What it returns without an error is durable.
type Writer interface {
	Quote(ctx context.Context, o house.Order) (counter.Quote, error)
	Sell(ctx context.Context, r record.Request, o house.Order, claim serial.ClaimHash, expect money.Amount) (house.Sold,
		error)
	SellAll(ctx context.Context, sales []house.Sale) []house.SaleResult
	Pay(ctx context.Context, r record.Request, ticket record.Place, holder house.Holder) (house.Paid, error)
	PayByHand(ctx context.Context, r record.Request, ticket record.Place, holder house.Holder,
		approval uint32) (house.Paid, error)
	Cancel(ctx context.Context, r record.Request, ticket record.Place, holder house.Holder) (house.Cancelled, error)
	EndSession(ctx context.Context, c counter.SessionEnd) (house.Settled, error)
	Session(ctx context.Context, terminal uint32) (counter.SessionSummary, bool, error)
	IssuePaper(ctx context.Context, o counter.PaperOrder) (house.Paper, error)
	AskSheet(ctx context.Context, by, terminal uint32, of record.Place,
		asks func(counter.Sheet) command.Command) (uint32, error)
	Reprint(ctx context.Context, r record.Request, of record.Place, claim serial.ClaimHash,
		approval uint32) (record.Place, error)
	VoidUndelivered(ctx context.Context, r record.Request, ticket record.Place, use staff.Use,
		holder house.Holder) (house.Cancelled, error)
	SetUndelivered(ctx context.Context, terminal uint32, ticket record.Place, reason string, approval uint32) error
	Forfeit(ctx context.Context, r record.Request, ticket record.Place, holder house.Holder) (*record.PrizeForfeited,
		error)
	Counter(ctx context.Context, terminal uint32) (house.Counter, error)
	Held(ctx context.Context, place record.Place) (state.Paper, bool, error)
	Abandon(ctx context.Context, terminal uint32, number uint64) (record.Place, record.Record, error)
}

// Reader reads what is durable.
type Reader interface {
	Find(serial string) (record.Place, error)
	Resolve(ctx context.Context, place record.Place) (record.Place, error)
	Serial(place record.Place) (serial.Code, error)
	// SerialIn is Serial where the series is known.
	SerialIn(series uint8, place record.Place) (serial.Code, error)
	// MayBeOwn reports whether a code is one that the keys of the house make.
	MayBeOwn(code string) (bool, error)
	AskedSheet(ctx context.Context, asked record.ApprovalRequested) (record.Place, *record.TicketSold, bool)
	Ticket(ctx context.Context, place record.Place) (house.Ticket, error)
	Proof(ctx context.Context, place record.Place, game record.Game) (house.Proof, error)
	// LogProof proves that the seal of a game is in the public log.
	LogProof(ctx context.Context, g house.Game) (*public.Proof, error)
	Game(game record.Game) (house.Game, bool)
	Seal(ctx context.Context, g house.Game) (journal.Seal, error)
	DrawNote(ctx context.Context, g house.Game) ([]byte, error)
	SignedBy(g house.Game) (houseKey, deviceKey string, err error)
	// Commitments returns what the custodians of a witnessed game have committed to.
	Commitments(g house.Game) []record.ChainCommitted
	Checkpoint(ctx context.Context) ([]byte, error)
	// BuildAt returns the program that wrote the record at a place, if one had said so by then.
	BuildAt(place record.Place) (state.Build, bool)
}
