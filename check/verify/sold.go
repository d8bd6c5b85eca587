package verify

import (
	"bytes"
	"math"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// tickets are what was sold, and what became of it.
type tickets struct {
	sold      places
	paying    []*game // of which prizes were paid since the last Keno Day ended
	presented places  // those that were paid: a sheet was in somebody's hands
	givenBack places  // those that were cancelled
	allBack   places  // those that were cancelled before their first game closed
	lastPaid  lastPaid
	reader    soldReader
	due       postings // of a sale
}

// read reads a sale quickly, if the record is one and can be read so.
func (t *tickets) read(data []byte) (record.Record, bool) { return t.reader.read(data) }

// A soldReader reads the records of sold tickets, which are nearly all records there
// are, into room that it uses again, and the ticket in the same go. It may only accept:
// what is not just as it expects is left to record.Decode, which reads every kind and
// alone says what is wrong. FuzzSold compares the two.
type soldReader struct {
	sold     record.TicketSold
	form     ticketForm // of sold
	postings []ledger.Posting
	tenders  []record.Tender
	words    words
}

// A sale has two postings and at most one tender. More are left to record.Decode.
const mostInSale = 8

// read reads a sale. What it returns, and the form, is valid until the next call and
// while the data is.
func (s *soldReader) read(data []byte) (record.Record, bool) {
	if kind, ok := record.KindOf(data); !ok || kind != record.KindTicketSold || len(data) > record.MaxBytes {
		return record.Record{}, false
	}
	r := cborReader{data: data, words: &s.words}
	r.array("the record", 5, 5)
	r.uint("the kind", uint64(record.KindTicketSold), uint64(record.KindTicketSold))
	r.uint("the version", 1, 1)
	out := record.Record{Time: record.Time(r.uint("the time", 1, math.MaxInt64)), Body: &s.sold}
	s.postings = s.postings[:0]
	for range r.array("the postings", 0, mostInSale) {
		r.array("a posting", 3, 3)
		s.postings = append(s.postings, ledger.Posting{
			Account: ledger.Account(r.uint("the account", 0,
				math.MaxUint8)), Unit: r.uint32("the unit"), Cents: money.Amount(r.int("the amount"))})
	}
	out.Postings = s.postings
	if !s.readBody(&r) || r.close() != nil || out.Check() != nil {
		return record.Record{}, false
	}
	return out, true
}

// readBody reads what the sale says, and its ticket.
func (s *soldReader) readBody(r *cborReader) bool {
	b := &s.sold
	r.array("the sale", 12, 12)
	r.array("the request", 3, 3)
	b.Request.Terminal = r.uint32("the terminal")
	b.Request.Number = r.uint("the number of the request", 0, math.MaxUint64)
	copy(b.Request.Body[:], r.exactly("the hash of the request", len(b.Request.Body)))
	b.Session = r.uint32("the session")
	b.Method = r.text("the method")
	b.Runner = r.bool("whether a runner brought it")
	r.array("what it replays", 2, 2)
	b.Replays.Volume = uint16(r.uint("the volume", 0, math.MaxUint16))
	b.Replays.Seq = r.uint("the sequence number", 0, math.MaxUint64)
	b.Series = uint8(r.uint("the series", 0, math.MaxUint8))
	b.Ordinal = r.uint32("the ordinal")
	from := r.at
	if s.form.read(r) != nil {
		return false
	}
	b.Ticket = r.data[from:r.at]
	b.Ways = r.uint32("the ways")
	b.CostCents = money.Amount(r.int("the cost"))
	copy(b.Claim[:], r.exactly("the claim", len(b.Claim)))
	s.tenders = s.tenders[:0]
	for range r.array("the tenders", 0, mostInSale) {
		r.array("a tender", 2, 2)
		s.tenders = append(s.tenders, record.Tender{Kind: record.TenderKind(r.uint("the kind of tender", 0,
			math.MaxUint8)), Cents: money.Amount(r.int("the tender"))})
	}
	b.Tenders = s.tenders
	return true
}

// formOf returns the ticket of a sale. What it points into outlives the record, unless
// it is to be kept as lines, which point into nothing.
func (c *checker) formOf(b *record.TicketSold) (*ticketForm, error) {
	if b == &c.tickets.reader.sold && areLines(c.tickets.reader.form.bets) {
		return &c.tickets.reader.form, nil
	}
	form, err := readTicket(bytes.Clone(b.Ticket))
	return &form, err
}
