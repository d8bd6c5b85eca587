package record

import (
	"math"
	"slices"
	"unicode/utf8"

	"drawhouse/core/item"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// Nearly all records are tickets that were sold, and selling, replaying and
// verifying spend much of their time on their encoding. So it is written out
// here, for the one version that there is; everything else goes through the
// general encoder, and so does a ticket that is not as these functions expect.
// They may give up, but whatever they do is what the general encoder does:
// TestSoldTwin and FuzzSoldTwin compare them.

// soldVersion is the version of the body that is written out here.
const soldVersion = 1

// The lengths of the arrays.
const (
	envelopeFields = 5
	postingFields  = 3
	soldFields     = 12
	placeFields    = 2
	requestFields  = 3
	tenderFields   = 2
)

// appendSold appends a ticket that was sold, or reports that it has to be encoded
// in the general way.
func appendSold(b []byte, at Time, postings []ledger.Posting, t *TicketSold) ([]byte, bool) {
	ticket := item.Reader{Rest: t.Ticket}
	if ticket.Raw(); ticket.Bad || len(ticket.Rest) > 0 || !utf8.ValidString(t.Method) {
		return nil, false
	}
	b = item.AppendHead(b, item.Array, envelopeFields)
	b = item.AppendHead(b, item.Uint, uint64(KindTicketSold))
	b = item.AppendHead(b, item.Uint, soldVersion)
	b = item.AppendInt(b, int64(at))
	b = item.AppendHead(b, item.Array, uint64(len(postings)))
	for _, p := range postings {
		b = item.AppendHead(b, item.Array, postingFields)
		b = item.AppendHead(b, item.Uint, uint64(p.Account))
		b = item.AppendHead(b, item.Uint, uint64(p.Unit))
		b = item.AppendInt(b, int64(p.Cents))
	}
	b = item.AppendHead(b, item.Array, soldFields)
	b = item.AppendHead(b, item.Array, requestFields)
	b = item.AppendHead(b, item.Uint, uint64(t.Request.Terminal))
	b = item.AppendHead(b, item.Uint, t.Request.Number)
	b = item.AppendBytes(b, t.Request.Body[:])
	b = item.AppendHead(b, item.Uint, uint64(t.Session))
	b = item.AppendText(b, t.Method)
	b = item.AppendBool(b, t.Runner)
	b = item.AppendHead(b, item.Array, placeFields)
	b = item.AppendHead(b, item.Uint, uint64(t.Replays.Volume))
	b = item.AppendHead(b, item.Uint, t.Replays.Seq)
	b = item.AppendHead(b, item.Uint, uint64(t.Series))
	b = item.AppendHead(b, item.Uint, uint64(t.Ordinal))
	b = append(b, t.Ticket...)
	b = item.AppendHead(b, item.Uint, uint64(t.Ways))
	b = item.AppendInt(b, int64(t.CostCents))
	b = item.AppendBytes(b, t.Claim[:])
	b = item.AppendHead(b, item.Array, uint64(len(t.Tenders)))
	for _, tender := range t.Tenders {
		b = item.AppendHead(b, item.Array, tenderFields)
		b = item.AppendHead(b, item.Uint, uint64(tender.Kind))
		b = item.AppendInt(b, int64(tender.Cents))
	}
	return b, true
}

// readSold reads a ticket that was sold, or reports that the bytes have to be
// decoded in the general way, if they can be at all. It takes nothing but the
// shortest form, so that the bytes need not be compared with what it read.
func readSold(data []byte) (Record, bool) {
	s := item.Reader{Rest: data}
	s.Array(envelopeFields)
	if s.Uint(math.MaxUint8) != uint64(KindTicketSold) || s.Uint(math.MaxUint8) != soldVersion {
		return Record{}, false
	}
	r := Record{Time: Time(s.Int())}
	r.Postings = make([]ledger.Posting, s.Head(item.Array, item.MaxItems))
	for i := range r.Postings {
		s.Array(postingFields)
		r.Postings[i] = ledger.Posting{
			Account: ledger.Account(s.Uint(math.MaxUint8)), Unit: uint32(s.Uint(math.MaxUint32)),
			Cents: money.Amount(s.Int()),
		}
	}
	t := new(TicketSold)
	s.Array(soldFields)
	s.Array(requestFields)
	t.Request.Terminal = uint32(s.Uint(math.MaxUint32))
	t.Request.Number = s.Uint(math.MaxUint64)
	s.CopyInto(t.Request.Body[:])
	t.Session = uint32(s.Uint(math.MaxUint32))
	t.Method = s.Text()
	t.Runner = s.Bool()
	s.Array(placeFields)
	t.Replays.Volume = uint16(s.Uint(math.MaxUint16))
	t.Replays.Seq = s.Uint(math.MaxUint64)
	t.Series = uint8(s.Uint(math.MaxUint8))
	t.Ordinal = uint32(s.Uint(math.MaxUint32))
	t.Ticket = slices.Clone(s.Raw())
	t.Ways = uint32(s.Uint(math.MaxUint32))
	t.CostCents = money.Amount(s.Int())
	s.CopyInto(t.Claim[:])
	t.Tenders = make([]Tender, s.Head(item.Array, item.MaxItems))
	for i := range t.Tenders {
		s.Array(tenderFields)
		t.Tenders[i] = Tender{Kind: TenderKind(s.Uint(math.MaxUint8)), Cents: money.Amount(s.Int())}
	}
	r.Body = t
	return r, !s.Bad && len(s.Rest) == 0
}

// SaleOf reads series and cost of a ticket that was sold and passes over the rest, for those who count sales and
// have no time to decode them. It reports false for other records, and for forms that it does not know: those are
// to be decoded.
func SaleOf(data []byte) (series uint8, cost money.Amount, ok bool) {
	s := item.Reader{Rest: data}
	s.Array(envelopeFields)
	if s.Uint(math.MaxUint8) != uint64(KindTicketSold) || s.Uint(math.MaxUint8) != soldVersion {
		return 0, 0, false
	}
	s.Raw() // time
	s.Raw() // postings
	s.Array(soldFields)
	for range fieldsBeforeSeries {
		s.Raw()
	}
	series = uint8(s.Uint(math.MaxUint8))
	for range fieldsBeforeCost {
		s.Raw()
	}
	cost = money.Amount(s.Int())
	return series, cost, !s.Bad
}

// Where series and cost are among the fields of TicketSold.
const (
	fieldsBeforeSeries = 5 // Request, Session, Method, Runner, Replays
	fieldsBeforeCost   = 3 // Ordinal, Ticket, Ways
)
