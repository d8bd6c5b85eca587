package record

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// drawSold draws a ticket that was sold, sensible or not, with numbers of every
// length.
func drawSold(t *rapid.T) Record {
	amount := rapid.Map(rapid.Int64(), func(n int64) money.Amount { return money.Amount(n) })
	raw := func() []byte {
		return must(encMode.Marshal(rapid.OneOf(
			rapid.Map(rapid.SliceOfN(rapid.IntRange(-300, 70_000), 0, 40), func(n []int) any { return n }),
			rapid.Map(rapid.MapOf(rapid.Uint16(), rapid.String()), func(m map[uint16]string) any { return m }),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return b }),
			rapid.Map(rapid.Float64(), func(f float64) any { return []any{f} }),
			rapid.Map(rapid.Bool(), func(b bool) any { return []any{b, nil, map[string]bool{"x": b}} }),
		).Draw(t, "ticket")))
	}
	sold := &TicketSold{
		Request: Request{Terminal: rapid.Uint32().Draw(t, "terminal"), Number: rapid.Uint64().Draw(t, "number")},
		Session: rapid.Uint32().Draw(t, "session"), Method: rapid.String().Draw(t, "method"),
		Series: rapid.Uint8().Draw(t, "series"), Ordinal: rapid.Uint32().Draw(t, "ordinal"),
		Ticket: raw(), Ways: rapid.Uint32().Draw(t, "ways"), CostCents: amount.Draw(t, "cost"),
		Tenders: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Tender {
			return Tender{Kind: TenderKind(rapid.Uint8().Draw(t, "kind")), Cents: amount.Draw(t, "cents")}
		}), 0, 3).Draw(t, "tenders"),
	}
	copy(sold.Request.Body[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "body"))
	copy(sold.Claim[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "claim"))
	postings := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ledger.Posting {
		return ledger.Posting{Account: ledger.Account(rapid.Uint8().Draw(t, "account")), Unit: rapid.Uint32().Draw(t, "unit"),
			Cents: amount.Draw(t, "cents")}
	}), 0, 4).Draw(t, "postings")
	r := Record{Time: Time(rapid.Int64().Draw(t, "time")), Postings: postings, Body: sold}
	if rapid.Bool().Draw(t, "sound") {
		mend(&r, sold)
	}
	return r
}

// mend makes a ticket that checks of one that may not.
func mend(r *Record, t *TicketSold) {
	r.Time = max(1, r.Time)
	t.Request.Terminal, t.Request.Number = max(1, t.Request.Terminal), max(1, t.Request.Number)
	t.Session, t.Series, t.Ordinal, t.Ways = max(1, t.Session), max(1, t.Series), max(1, t.Ordinal), max(1, t.Ways)
	t.CostCents = max(1, t.CostCents)
	t.Tenders = []Tender{{Kind: TenderCash, Cents: t.CostCents}}
	r.Postings = []ledger.Posting{ledger.Debit(ledger.Cash, 7, t.CostCents),
		ledger.Credit(ledger.Unplayed, 0, t.CostCents)}
}

// TestSoldTwin compares what is written out for tickets with the general encoder
// and decoder, both ways, and with a byte changed, cut off or added.
func TestSoldTwin(t *testing.T) {
	short, sound := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := drawSold(t)
		want, err := marshalAny(r)
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := appendSold(nil, r.Time, r.Postings, r.Body.(*TicketSold)); ok {
			short++
			if !bytes.Equal(data, want) {
				t.Fatalf("%x is encoded, the twin has %x", data, want)
			}
			sold := r.Body.(*TicketSold)
			if series, cost, ok := SaleOf(data); !ok || series != sold.Series || cost != sold.CostCents {
				t.Fatalf("%x is a sale of %d cents in series %d, and SaleOf says %d in %d, %t", data, sold.CostCents, sold.Series,
					cost, series, ok)
			}
		}
		if compareSold(t, want); r.Check() == nil {
			sound++
		}
		at := rapid.IntRange(0, len(want)-1).Draw(t, "at")
		changed := bytes.Clone(want)
		changed[at] = rapid.Byte().Draw(t, "byte")
		compareSold(t, changed)
		compareSold(t, want[:at])
		compareSold(t, append(changed, 0))
	})
	if short == 0 || sound == 0 {
		t.Errorf("%d tickets were encoded as it is written out, %d were sound", short, sound)
	}
}

// compareSold holds a reading of bytes against that of the general decoder. A
// ticket that is read must be the twin's; that it does not check is the twin's
// answer too.
func compareSold(t interface{ Fatalf(string, ...any) }, data []byte) {
	r, ok := readSold(data)
	if !ok {
		return
	}
	twin, err := decodeAny(data)
	if check := r.Check(); check != nil || err != nil {
		if check == nil || err == nil || check.Error() != err.Error() {
			t.Fatalf("%x: %v, the twin says %v", data, check, err)
		}
		return
	}
	if !reflect.DeepEqual(r, twin) {
		t.Fatalf("%x is read as %+v, by the twin as %+v", data, r, twin)
	}
}

// TestSoldIsReadShort: an ordinary ticket is not left to the general decoder.
func TestSoldIsReadShort(t *testing.T) {
	// A ticket as package keno encodes it: a combination bet that plays all ways.
	combination := must(encMode.Marshal([]any{1, "vic-keno-2015", []int{739_570, 417}, 10, []any{
		map[int]any{1: "classic", 2: 50, 4: [][]byte{{1}, {2, 3}, {4, 5, 6}}, 5: true},
		map[int]any{1: "classic", 2: 100, 3: []byte{7, 8, 9}, 13: []int{0, 3}, 15: 1},
	}}))
	for _, ticket := range [][]byte{{0x83, 1, 2, 3}, combination} {
		r := samples()[KindTicketSold]
		r.Body.(*TicketSold).Ticket = ticket
		data, ok := appendSold(nil, r.Time, r.Postings, r.Body.(*TicketSold))
		if !ok {
			t.Fatalf("%x is not encoded", ticket)
		}
		if _, ok := readSold(data); !ok {
			t.Errorf("%x is not read", data)
		}
	}
	if kind := rowOf[KindTicketSold]; kind.version != soldVersion {
		t.Errorf("version %d is written in general and %d here", kind.version, soldVersion)
	}
}

// TestSaleOf: nothing but a ticket that was sold is a sale, and what is cut off before its cost is none.
func TestSaleOf(t *testing.T) {
	for kind, r := range samples() {
		data := must(Encode(r))
		series, cost, ok := SaleOf(data)
		if ok != (kind == KindTicketSold) {
			t.Errorf("%v is a sale: %t", kind, ok)
		}
		if !ok {
			continue
		}
		sold := r.Body.(*TicketSold)
		if series != sold.Series || cost != sold.CostCents {
			t.Errorf("%d cents in series %d are read as %d in %d", sold.CostCents, sold.Series, cost, series)
		}
		if _, _, ok := SaleOf(data[:len(data)/2]); ok {
			t.Error("half a record is a sale")
		}
	}
}

func FuzzSoldTwin(f *testing.F) {
	for _, r := range samples() {
		data, err := Encode(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareSold(t, data) })
}
