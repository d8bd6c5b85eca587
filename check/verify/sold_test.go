package verify

import (
	"bytes"
	"reflect"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// sales are records of sold tickets: of a line, of several, of a bet in ways, in an open
// session, and of a replay that a runner brought.
func sales(t testing.TB) [][]byte {
	t.Helper()
	const head = "\x85\x01\x6dvic-keno-2015\x82\x19\x50\x00\x00\x14"
	const one = "\xa3\x01\x67classic\x02\x18\x64\x03\x42\x01\x02"
	var list [][]byte
	for i, ticket := range []string{
		head + "\x81" + one,
		head + "\x82" + one + "\xa4\x01\x67classic\x02\x19\x01\xf4\x03\x41\x50\x0f\x01",
		head + "\x81\xa4\x01\x67classic\x02\x18\x64\x04\x82\x41\x01\x41\x02\x05\xf5",
	} {
		sold := &record.TicketSold{
			Request: record.Request{Terminal: 70_000, Number: 1 << 40, Body: [16]byte{1}}, Session: 300, Method: "form",
			Series: 1, Ordinal: 417,
			Ticket: []byte(ticket), Ways: uint32(1 + i), CostCents: 2000, Claim: record.Hash{2},
			Tenders: []record.Tender{{Kind: record.TenderCash, Cents: 2000}},
		}
		open := *sold
		open.Tenders = nil
		replay := *sold
		replay.Runner, replay.Replays = true, record.Place{Volume: 1, Seq: 65_000}
		for _, body := range []*record.TicketSold{sold, &open, &replay} {
			data, err := record.Encode(record.Record{Time: 1_700_000_000_000, Body: body,
				Postings: []ledger.Posting{ledger.Debit(ledger.Cash, 7, 2000), ledger.Credit(ledger.Unplayed, 0, 2000)}})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, data)
		}
	}
	return list
}

// TestSoldReader reads sales one after the other, the way they come: nothing of one may
// be left in the next.
func TestSoldReader(t *testing.T) {
	var s soldReader
	list := sales(t)
	for i := range 3 * len(list) {
		data := list[i*5%len(list)]
		if !readsAlike(t, &s, data) {
			t.Errorf("%x was not read", data)
		}
	}
	begun, err := record.Encode(record.Record{Time: 1, Body: &record.ShiftEnding{Person: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.read(begun); ok {
		t.Error("the end of a shift was read as a sale")
	}
}

// FuzzSold reads any bytes as a sale. What is read must be what record.Decode and
// readTicket read.
func FuzzSold(f *testing.F) {
	for _, data := range sales(f) {
		f.Add(data)
	}
	var s soldReader
	f.Fuzz(func(t *testing.T, data []byte) { readsAlike(t, &s, data) })
}

// readsAlike reports whether a sale was read, and fails the test if it was and others
// read it otherwise.
func readsAlike(t *testing.T, s *soldReader, data []byte) bool {
	t.Helper()
	got, ok := s.read(data)
	if !ok {
		return false
	}
	want, err := record.Decode(data)
	if err != nil {
		t.Fatalf("%x was read, and is wrong: %v", data, err)
	}
	sold := want.Body.(*record.TicketSold)
	form, err := readTicket(sold.Ticket)
	if err != nil {
		t.Fatalf("%x was read, and its ticket is wrong: %v", data, err)
	}
	if len(sold.Tenders) == 0 {
		sold.Tenders = got.Body.(*record.TicketSold).Tenders // None or none: there are two of them in Go.
	}
	if again, err := record.Encode(got); err != nil || !bytes.Equal(again, data) || !reflect.DeepEqual(got, want) ||
		!reflect.DeepEqual(s.form, form) {
		t.Fatalf("%x was read as\n%+v\n%+v\nand is\n%+v\n%+v", data, got.Body, s.form, want.Body, form)
	}
	return true
}
