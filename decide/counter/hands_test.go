package counter_test

import (
	"errors"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestHandsOut: a self-service terminal hands out no cash, cheque or voucher, by whatever record,
// and a writer's terminal does.
func TestHandsOut(t *testing.T) {
	play, err := cases.NewPlay("vic-keno-2015", nil, "hands", "house 2026-11-15")
	if err != nil {
		t.Fatal(err)
	}
	cash := []record.Tender{{Kind: record.TenderCash, Cents: -1}}
	ended := func(at uint32, kind record.TenderKind) *record.SessionEnded {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: kind, Cents: -1}}}
	}
	for name, body := range map[string]func(at uint32) record.Body{
		"a payment": func(at uint32) record.Body {
			return &record.TicketPaid{Request: record.Request{Terminal: at}, Tenders: cash}
		},
		"a cancellation": func(at uint32) record.Body {
			return &record.TicketCancelled{Request: record.Request{Terminal: at}, Tenders: cash}
		},
		"a voucher": func(at uint32) record.Body {
			return &record.InstrumentIssued{Request: record.Request{Terminal: at}, ID: "gift_voucher"}
		},
		"cash of a session":       func(at uint32) record.Body { return ended(at, record.TenderCash) },
		"a cheque of a session":   func(at uint32) record.Body { return ended(at, record.TenderCheque) },
		"a transfer of a session": func(at uint32) record.Body { return ended(at, record.TenderTransfer) },
	} {
		var refused *refusal.Refusal
		err := counter.CheckHandedOut(play.Engine.State(), record.Record{Body: body(2)})
		if !errors.As(err, &refused) || refused.Code != counter.NotHandedOut || refused.Clause == "" {
			t.Errorf("%s at a self-service terminal: %v", name, err)
		}
		if err := counter.CheckHandedOut(play.Engine.State(), record.Record{Body: body(1)}); err != nil {
			t.Errorf("%s at a writer's terminal: %v", name, err)
		}
	}
	for name, body := range map[string]record.Body{
		"a change receipt": &record.InstrumentIssued{Request: record.Request{Terminal: 2}, ID: "change_receipt"},
		"a stake": &record.SessionEnded{Request: record.Request{Terminal: 2},
			Tenders: []record.Settlement{{Kind: record.TenderCash, Cents: 1}}},
	} {
		if err := counter.CheckHandedOut(play.Engine.State(), record.Record{Body: body}); err != nil {
			t.Errorf("%s at a self-service terminal: %v", name, err)
		}
	}
}
