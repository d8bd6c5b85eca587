package record

import (
	"math"
	"slices"
	"unicode/utf8"

	"drawhouse/ledger"
	"drawhouse/money"
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
	ticket := items{rest: t.Ticket}
	if ticket.raw(); ticket.bad || len(ticket.rest) > 0 || !utf8.ValidString(t.Method) {
		return nil, false
	}
	b = appendHead(b, majorArray, envelopeFields)
	b = appendHead(b, majorUint, uint64(KindTicketSold))
	b = appendHead(b, majorUint, soldVersion)
	b = appendInt(b, int64(at))
	b = appendHead(b, majorArray, uint64(len(postings)))
	for _, p := range postings {
		b = appendHead(b, majorArray, postingFields)
		b = appendHead(b, majorUint, uint64(p.Account))
		b = appendHead(b, majorUint, uint64(p.Unit))
		b = appendInt(b, int64(p.Cents))
	}
	b = appendHead(b, majorArray, soldFields)
	b = appendHead(b, majorArray, requestFields)
	b = appendHead(b, majorUint, uint64(t.Request.Terminal))
	b = appendHead(b, majorUint, t.Request.Number)
	b = appendBytes(b, t.Request.Body[:])
	b = appendHead(b, majorUint, uint64(t.Session))
	b = append(appendHead(b, majorText, uint64(len(t.Method))), t.Method...)
	b = appendBool(b, t.Runner)
	b = appendHead(b, majorArray, placeFields)
	b = appendHead(b, majorUint, uint64(t.Replays.Volume))
	b = appendHead(b, majorUint, t.Replays.Seq)
	b = appendHead(b, majorUint, uint64(t.Series))
	b = appendHead(b, majorUint, uint64(t.Ordinal))
	b = append(b, t.Ticket...)
	b = appendHead(b, majorUint, uint64(t.Ways))
	b = appendInt(b, int64(t.CostCents))
	b = appendBytes(b, t.Claim[:])
	b = appendHead(b, majorArray, uint64(len(t.Tenders)))
	for _, tender := range t.Tenders {
		b = appendHead(b, majorArray, tenderFields)
		b = appendHead(b, majorUint, uint64(tender.Kind))
		b = appendInt(b, int64(tender.Cents))
	}
	return b, true
}

// readSold reads a ticket that was sold, or reports that the bytes have to be
// decoded in the general way, if they can be at all. It takes nothing but the
// shortest form, so that the bytes need not be compared with what it read.
func readSold(data []byte) (Record, bool) {
	s := items{rest: data}
	s.array(envelopeFields)
	if s.uint(math.MaxUint8) != uint64(KindTicketSold) || s.uint(math.MaxUint8) != soldVersion {
		return Record{}, false
	}
	r := Record{Time: Time(s.int())}
	r.Postings = make([]ledger.Posting, s.head(majorArray, rawItems))
	for i := range r.Postings {
		s.array(postingFields)
		r.Postings[i] = ledger.Posting{
			Account: ledger.Account(s.uint(math.MaxUint8)), Unit: uint32(s.uint(math.MaxUint32)), Cents: money.Amount(s.int()),
		}
	}
	t := new(TicketSold)
	s.array(soldFields)
	s.array(requestFields)
	t.Request.Terminal = uint32(s.uint(math.MaxUint32))
	t.Request.Number = s.uint(math.MaxUint64)
	s.copyInto(t.Request.Body[:])
	t.Session = uint32(s.uint(math.MaxUint32))
	t.Method = s.text()
	t.Runner = s.bool()
	s.array(placeFields)
	t.Replays.Volume = uint16(s.uint(math.MaxUint16))
	t.Replays.Seq = s.uint(math.MaxUint64)
	t.Series = uint8(s.uint(math.MaxUint8))
	t.Ordinal = uint32(s.uint(math.MaxUint32))
	t.Ticket = slices.Clone(s.raw())
	t.Ways = uint32(s.uint(math.MaxUint32))
	t.CostCents = money.Amount(s.int())
	s.copyInto(t.Claim[:])
	t.Tenders = make([]Tender, s.head(majorArray, rawItems))
	for i := range t.Tenders {
		s.array(tenderFields)
		t.Tenders[i] = Tender{Kind: TenderKind(s.uint(math.MaxUint8)), Cents: money.Amount(s.int())}
	}
	r.Body = t
	return r, !s.bad && len(s.rest) == 0
}
