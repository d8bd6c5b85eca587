package verify

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// outAt returns a checker with terminals 7 and 9 at venue 1, 8 at venue 5, and 9 shut out.
// Form 1 is for the place, and the cheque of place 90 is for it.
func outAt(place record.Place) *checker {
	c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: record.LevelGuarded,
		tills: newTills(), people: newPeople()}
	c.terminals = map[uint32]*terminal{7: {venue: 1}, 8: {venue: 5}, 9: {venue: 1}}
	c.people.revoked[9] = true
	c.tills.forms.under = map[uint64]int{}
	c.tills.forms.list = []*form{{lodged: &record.ClaimLodged{Parts: []record.ClaimPart{{Of: place}}}}}
	c.tills.cheques.due = map[uint64]promise{flat(record.Place{Volume: 1,
		Seq: 90}): {tickets: []record.Place{{Volume: 1, Seq: 3}, place}}}
	return c
}

// waysOut are the records by which money of a place leaves at a terminal, with the obstacles
// at which checkExit objects. What else stops a payment is checked with the payment.
var waysOut = map[string]struct {
	body      func(place record.Place, terminal uint32) record.Body
	obstacles string
}{
	"paid": {func(p record.Place, at uint32) record.Body {
		return &record.TicketPaid{Request: record.Request{Terminal: at}, Ticket: p}
	}, "frozen disqualified elsewhere here revoked"},
	"a bonus": {func(p record.Place, at uint32) record.Body { return &record.BonusAllocated{Terminal: at, Ticket: p} },
		"frozen disqualified elsewhere here revoked"},
	"cancelled": {func(p record.Place, at uint32) record.Body {
		return &record.TicketCancelled{Request: record.Request{Terminal: at}, Ticket: p}
	}, "frozen disqualified elsewhere revoked claimed"},
	"a stake given back": {func(p record.Place, at uint32) record.Body {
		return &record.TicketPaid{Request: record.Request{Terminal: at}, Ticket: p, RefundCents: 5,
			Parts: []record.PaidPart{{Ordinal: 1, Cents: 5}}}
	}, "frozen disqualified elsewhere revoked"},
	"a stake with a prize": {func(p record.Place, at uint32) record.Body {
		return &record.TicketPaid{Request: record.Request{Terminal: at}, Ticket: p, RefundCents: 5,
			Parts: []record.PaidPart{{Ordinal: 1, Cents: 6}}}
	}, "frozen disqualified elsewhere here revoked"},
	"cancelled with a prize that runs on": {func(p record.Place, at uint32) record.Body {
		return &record.TicketCancelled{Request: record.Request{Terminal: at}, Ticket: p, CarriedCents: 5}
	}, "frozen disqualified elsewhere here revoked claimed"},
	"forfeited": {func(p record.Place, at uint32) record.Body {
		return &record.PrizeForfeited{Request: record.Request{Terminal: at}, Ticket: p}
	}, "frozen disqualified elsewhere here revoked claimed undelivered"},
	"settled with": {func(p record.Place, at uint32) record.Body {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: record.TenderCash}, {Kind: record.TenderInstrument, Instrument: p, Cents: 1}}}
	}, "frozen disqualified elsewhere revoked"},
	"from a card": {func(p record.Place, at uint32) record.Body {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: record.TenderCard, Instrument: p, Cents: 1}}}
	}, "frozen disqualified"},
	"to a card": {func(p record.Place, at uint32) record.Body {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: record.TenderCard, Instrument: p, Cents: -1}}}
	}, ""},
	"a paper": {func(p record.Place, at uint32) record.Body {
		return &record.InstrumentIssued{Request: record.Request{Terminal: at}, For: p}
	}, "frozen disqualified elsewhere here revoked"},
	"lodged": {func(p record.Place, _ uint32) record.Body {
		return &record.ClaimLodged{Parts: []record.ClaimPart{{Of: record.Place{Volume: 1, Seq: 3}}, {Of: p}}}
	}, "frozen disqualified elsewhere here"},
	"allowed": {func(record.Place, uint32) record.Body {
		return &record.ClaimDecided{Claim: 1, Outcome: record.ClaimAllowed}
	}, "frozen disqualified elsewhere here"},
	"refused": {func(record.Place, uint32) record.Body {
		return &record.ClaimDecided{Claim: 1, Outcome: record.ClaimRefused}
	}, ""},
	"claimed": {func(record.Place, uint32) record.Body { return &record.ClaimPaid{Claim: 1, Venue: 5} },
		"frozen disqualified elsewhere here"},
	"no claim": {func(record.Place, uint32) record.Body { return &record.ClaimPaid{Claim: 2, Venue: 5} }, ""},
	"a cheque that is promised": {func(p record.Place, at uint32) record.Body {
		return &record.ChequePromised{Terminal: at, Tickets: []record.Place{{Volume: 1, Seq: 3}, p}}
	}, "frozen disqualified elsewhere here revoked"},
	"a cheque": {func(record.Place, uint32) record.Body {
		return &record.ChequeHanded{Cheque: record.Place{Volume: 1, Seq: 90}}
	}, "frozen disqualified elsewhere here"},
}

// TestEveryWayOutHasItsObstacles puts each obstacle before each way on which money leaves.
func TestEveryWayOutHasItsObstacles(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 77}
	seq := flat(place)
	for name, way := range waysOut {
		if err := outAt(place).checkExit(way.body(place, 7)); err != nil {
			t.Errorf("%s without an obstacle: %v", name, err)
		}
		for obstacle, put := range map[string]func(*checker) uint32{
			"frozen":       func(c *checker) uint32 { c.tills.stopped[seq] = stops{frozen: true}; return 7 },
			"disqualified": func(c *checker) uint32 { c.tills.stopped[seq] = stops{disqualified: true}; return 7 },
			"elsewhere":    func(c *checker) uint32 { c.tills.unsettled[seq] = 8; return 7 },
			"here":         func(c *checker) uint32 { c.tills.unsettled[seq] = 7; return 7 },
			"revoked":      func(*checker) uint32 { return 9 },
			"claimed":      func(c *checker) uint32 { c.tills.forms.under[seq] = 1; return 7 },
			"undelivered":  func(c *checker) uint32 { c.tills.undelivered[seq] = true; return 7 },
			"of another":   func(c *checker) uint32 { c.tills.stopped[seq+1] = stops{frozen: true}; return 7 },
		} {
			c := outAt(place)
			at := put(c)
			err := c.checkExit(way.body(place, at))
			if want := slices.Contains(strings.Fields(way.obstacles), obstacle); (err != nil) != want {
				t.Errorf("%s, %s: %v", name, obstacle, err)
			}
		}
	}
}

// TestEveryCounterCloses closes venue 1 and has everything done at its terminal 7, and at
// terminal 8 of another venue. A session that is open is ended, with what its end issues.
func TestEveryCounterCloses(t *testing.T) {
	request := func(at uint32) record.Request { return record.Request{Terminal: at} }
	for name, do := range map[string]struct {
		body func(at uint32) record.Body
		ends bool // an open session
	}{
		"sold":      {func(at uint32) record.Body { return &record.TicketSold{Request: request(at)} }, false},
		"paid":      {func(at uint32) record.Body { return &record.TicketPaid{Request: request(at)} }, false},
		"cancelled": {func(at uint32) record.Body { return &record.TicketCancelled{Request: request(at)} }, false},
		"a bonus":   {func(at uint32) record.Body { return &record.BonusAllocated{Terminal: at} }, false},
		"forfeited": {func(at uint32) record.Body { return &record.PrizeForfeited{Request: request(at)} }, false},
		"printed":   {func(at uint32) record.Body { return &record.PaperReissued{Request: request(at)} }, false},
		"ended":     {func(at uint32) record.Body { return &record.SessionEnded{Request: request(at)} }, true},
		"bought": {func(at uint32) record.Body {
			return &record.InstrumentIssued{Request: request(at), Reason: record.IssuedForMoney}
		}, false},
		"given": {func(at uint32) record.Body {
			return &record.InstrumentIssued{Request: request(at), Reason: record.IssuedByOperator}
		}, false},
		"for change": {func(at uint32) record.Body {
			return &record.InstrumentIssued{Request: request(at), Reason: record.IssuedAsChange}
		}, true},
		"claim paid": {func(at uint32) record.Body { return &record.ClaimPaid{Venue: map[uint32]uint32{7: 1, 8: 5}[at]} },
			false},
	} {
		for _, open := range []bool{false, true} {
			c := outAt(record.Place{})
			if open {
				c.terminals[7].visit = &visit{}
			}
			if err := c.checkExit(do.body(7)); err != nil {
				t.Errorf("%s at a venue that has said nothing: %v", name, err)
			}
			c.people.hours[1] = []record.Trading{{Weekday: 1, To: 60}}
			if err := c.checkExit(do.body(7)); err != nil {
				t.Errorf("%s at a venue with hours: %v", name, err)
			}
			c.people.hours[1] = nil
			if err := c.checkExit(do.body(7)); (err == nil) != (open && do.ends) {
				t.Errorf("%s at a closed venue, session open %v: %v", name, open, err)
			}
			if err := c.checkExit(do.body(8)); err != nil {
				t.Errorf("%s at another venue: %v", name, err)
			}
		}
	}
}

// TestEveryWayOutIsServed has money leave on every way where nobody is in control of the venue,
// where no writer has signed on, and at a kind of terminal that does not pay. A session that
// hands out nothing ends all the same.
func TestEveryWayOutIsServed(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 77}
	served := func(kind rulebook.VenueKind) *checker {
		c := outAt(place)
		c.terminals[7].kind, c.terminals[7].channel = kind, rulebook.ChannelWriter
		r := &rules{staffing: rulebook.Staffing{Venue: "senior_writer",
			VenueExcept: []rulebook.VenueKind{rulebook.VenueCentral}}}
		r.payout.Through = &rulebook.PayoutThrough{Channels: []rulebook.Channel{rulebook.ChannelWriter}, Attended: true}
		c.series[1] = &series{changes: []change{{terms: &terms{rules: r}}}}
		c.people.posts[7] = 3
		c.people.staying[duty{record.RoleSenior, 1}] = 1
		return c
	}
	out := map[string]bool{
		"paid": true, "a bonus": true, "cancelled": true, "forfeited": true, "to a card": true, "a paper": true,
		"a stake given back": true, "a stake with a prize": true, "cancelled with a prize that runs on": true,
	}
	for name, way := range waysOut {
		body := way.body(place, 7)
		for missing, miss := range map[string]func(*checker){
			"the senior": func(c *checker) { clear(c.people.staying) },
			"a senior who is not locked": func(c *checker) {
				c.people.stopped[5] = &member{onShift: true, shift: duty{record.RoleSenior, 1}, stopped: record.Forever}
			},
			"the writer":           func(c *checker) { delete(c.people.posts, 7) },
			"a terminal that pays": func(c *checker) { c.terminals[7].channel = rulebook.ChannelSST },
		} {
			c := served(rulebook.VenueCasino)
			if err := c.checkPaying(body); err != nil {
				t.Errorf("%s with everybody there: %v", name, err)
			}
			miss(c)
			if err := c.checkPaying(body); (err != nil) != out[name] {
				t.Errorf("%s without %s: %v", name, missing, err)
			}
		}
		c := served(rulebook.VenueCentral)
		clear(c.people.staying)
		if err := c.checkPaying(body); err != nil {
			t.Errorf("%s at a kind of venue that needs no senior: %v", name, err)
		}
	}
	for tender, leaves := range map[record.TenderKind]bool{record.TenderCash: true, record.TenderCheque: true,
		record.TenderWithheld: false} {
		c := served(rulebook.VenueCasino)
		clear(c.people.staying)
		err := c.checkPaying(&record.SessionEnded{Request: record.Request{Terminal: 7},
			Tenders: []record.Settlement{{Kind: record.TenderCash, Cents: 5}, {Kind: tender, Cents: -5}}})
		if (err != nil) != leaves {
			t.Errorf("a session ends with tender %d: %v", tender, err)
		}
	}
}
