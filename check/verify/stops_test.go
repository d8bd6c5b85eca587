package verify_test

import (
	"reflect"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// stopInVisit has tickets given back and paid in the session that is open, and payment on
// some of them stopped before it ends.
func (m *market) stopInVisit(terminal uint32) {
	m.t.Helper()
	for range 30 {
		place := m.tickets[m.random.IntN(len(m.tickets))]
		if m.one(3) {
			place = m.tickets[len(m.tickets)-1-m.random.IntN(min(len(m.tickets), 10))]
			sold := m.soldAt(place)
			_, err := m.asks(command.Cancel{Cancellation: counter.Cancellation{Request: m.request(terminal), Place: place,
				Sold: sold, Code: claimCode(sold.Request), InSession: true}})
			m.refused("cancelled in a session", err)
		} else {
			pay := m.claim(place, terminal)
			pay.InSession = true
			_, err := m.asks(command.Pay{Payment: pay})
			m.refused("paid in a session", err)
		}
		m.take()
		if m.one(3) {
			_, err := m.engine.Do(m.tick(), command.FreezePayment{Places: []record.Place{place}, Reason: "a complaint"},
				command.As(series, 1))
			m.refused("frozen in a session", err)
			m.take()
		}
	}
}

// TestNothingLeavesAfterAStop plays random days in which payment on tickets is stopped, and
// follows the cents of each ticket through the postings of every record, whatever its kind:
// after a stop, no record that names the ticket takes money out of the house, and no session
// that the ticket brought money into ends with it handed out.
func TestNothingLeavesAfterAStop(t *testing.T) {
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		t.Run(id, func(t *testing.T) {
			m := newMarket(t, id, 7)
			m.stops = true
			m.days(1200)
			if report := m.verify(); !report.OK() {
				t.Fatal(report.Failure)
			}
			f := follower{stopped: map[record.Place]bool{}, brought: map[uint32]map[record.Place]money.Amount{}}
			for seq, data := range m.records {
				r, err := record.Decode(data)
				require(t, err)
				f.follow(t, record.Place{Volume: 1, Seq: uint64(seq)}, r)
			}
			if refused := m.did["refused: paid in a session, frozen"]; f.kept == 0 || refused == 0 {
				t.Errorf("%d sessions withheld money and %d payments were refused: the days show nothing", f.kept, refused)
			}
			t.Logf("%d sessions withheld money, %d records named stopped tickets", f.kept, f.named)
		})
	}
}

// hands are the accounts of what customers have in their hands.
var hands = map[ledger.Account]bool{
	ledger.Cash: true, ledger.Chips: true, ledger.Safe: true, ledger.Bank: true, ledger.SiteCheques: true,
	ledger.Instruments: true, ledger.Crown: true,
}

// A follower knows of the records only their places and postings, and which kinds stop
// payment or end a session.
type follower struct {
	stopped map[record.Place]bool
	// brought is what tickets have brought into the session of a terminal, beyond what they
	// cost there.
	brought     map[uint32]map[record.Place]money.Amount
	kept, named int
}

func (f *follower) follow(t *testing.T, at record.Place, r record.Record) {
	t.Helper()
	switch b := r.Body.(type) {
	case *record.PaymentFrozen:
		for _, place := range b.Places {
			f.stopped[place] = true
		}
		return
	case *record.PaymentReleased:
		for _, place := range b.Places {
			delete(f.stopped, place)
		}
		return
	case *record.TicketDisqualified:
		f.stopped[b.Ticket] = true
		return
	case *record.TicketReinstated:
		delete(f.stopped, b.Ticket)
		return
	case *record.SessionEnded:
		var due, kept money.Amount
		for place, cents := range f.brought[b.Request.Terminal] {
			if f.stopped[place] && cents > 0 {
				due += cents
			}
		}
		for _, p := range r.Postings {
			if p.Account == ledger.Withheld {
				kept -= p.Cents
			}
		}
		if kept < due {
			t.Errorf("record %v ends a session: stopped tickets have brought %v, and %v is withheld", at, due, kept)
		}
		if kept > 0 {
			f.kept++
		}
		delete(f.brought, b.Request.Terminal)
		f.check(t, at, r, record.TenderWithheld)
		return
	}
	f.check(t, at, r, 0)
	f.bring(at, r)
}

// check objects to a record of any kind that names a stopped ticket or paper and takes money
// out of the house. What a session withholds, it names as such.
func (f *follower) check(t *testing.T, at record.Place, r record.Record, but record.TenderKind) {
	t.Helper()
	named := false
	for _, place := range placesIn(reflect.ValueOf(r.Body), but) {
		named = named || f.stopped[place]
	}
	if !named {
		return
	}
	f.named++
	for _, p := range r.Postings {
		if p.Cents < 0 && hands[p.Account] || p.Cents < 0 && p.Account == ledger.Customer {
			t.Errorf("record %v, %v, names what is stopped and takes %v out of %v", at, r.Kind(), -p.Cents, p.Account)
		}
	}
}

// bring notes what a record of any kind moves on the account of a customer: for the ticket
// that it names, or for the ticket or paper that it is itself.
func (f *follower) bring(at record.Place, r record.Record) {
	of := at
	if subject, ok := r.Subject(); ok {
		of = subject
	}
	for _, p := range r.Postings {
		if p.Account != ledger.Customer {
			continue
		}
		if f.brought[p.Unit] == nil {
			f.brought[p.Unit] = map[record.Place]money.Amount{}
		}
		f.brought[p.Unit][of] -= p.Cents
	}
}

// placesIn returns all places that a value holds, but those of tenders of a kind.
func placesIn(v reflect.Value, but record.TenderKind) (all []record.Place) {
	switch v.Kind() {
	case reflect.Pointer:
		return placesIn(v.Elem(), but)
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, placesIn(v.Index(i), but)...)
		}
	case reflect.Struct:
		switch x := v.Interface().(type) {
		case record.Place:
			return []record.Place{x}
		case record.Settlement:
			// A card that is paid to keeps what it has; one that pays is asked about.
			if but != 0 && x.Kind == but || x.Kind == record.TenderCard && x.Cents < 0 {
				return nil
			}
		case record.Funding:
			return nil // It says what paid for the ticket, which brings nothing.
		case record.Spent:
			return []record.Place{x.Of} // The ticket is paid for, and brings nothing.
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all = append(all, placesIn(v.Field(i), but)...)
			}
		}
	}
	return all
}
