package verify

import (
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// sheetAt returns a checker of a house in which person 4 is on shift at terminal 7, where a
// ticket was sold for the first game; person 5 is a senior of the venue, and 6 of another.
func sheetAt(place record.Place) *checker {
	c := outAt(place)
	c.seq = 100
	c.tickets.sold.set(flat(place))
	c.series[1] = &series{games: []*game{{ordinal: 1, stage: stageOpen}}}
	c.series[1].tickets.add(ticket{seq: flat(place), terminal: 7, first: 1, last: 1, games: 1})
	c.people.posts[7] = 4
	for id, d := range map[uint32]duty{4: {record.RoleWriter, 1}, 5: {record.RoleSenior, 1}, 6: {record.RoleSenior, 5}} {
		c.people.persons[id] = &member{duties: []duty{d}}
	}
	return c
}

// agreedOn has two persons agree just before that a ticket gets another sheet.
func (c *checker) agreedOn(place record.Place, by uint32) {
	c.people.used = consent{c.here(), by, contentOf(actionReissue, place.String())}
}

// TestSheetsOfTickets has everything said of the sheets of a ticket, with one thing at a time
// that is not as it must be.
func TestSheetsOfTickets(t *testing.T) {
	place, other := record.Place{Volume: 1, Seq: 77}, record.Place{Volume: 1, Seq: 78}
	seq := flat(place)
	said := func(at uint32) *record.PaperUndelivered {
		return &record.PaperUndelivered{Paper: place, Terminal: at}
	}
	reprint := func(reason record.ReissueReason, at uint32) *record.PaperReissued {
		return &record.PaperReissued{Request: record.Request{Terminal: at, Number: 1}, Of: place, Reason: reason}
	}
	marked := func(c *checker) { c.tills.undelivered[seq] = true }
	sealed := func(c *checker) { c.series[1].games[0].stage = stageSealed }
	paid := func(c *checker) { c.tickets.presented.set(seq) }
	back := func(c *checker) { c.tickets.givenBack.set(seq); c.tickets.allBack.set(seq) }
	some := func(c *checker) { c.tickets.givenBack.set(seq) }
	agree := func(by uint32) func(*checker) { return func(c *checker) { c.agreedOn(place, by) } }
	follows := func(next uint64, bonus uint64, of record.Place, at uint32) func(*checker) {
		return func(c *checker) {
			c.tickets.lastPaid = lastPaid{next: c.here() + next - 10, ticket: of, terminal: at, kept: true}
			if bonus != 0 {
				c.tickets.lastPaid.bonus = c.here() + bonus - 10
			}
		}
	}
	goOn := func(c *checker) { c.tills.sheets[seq] = sheets{goOn: true} }
	held := func(c *checker) { c.tills.withheld[seq] = brought{cents: 1} }
	const copied, replaced, continued = record.ReissueCopy, record.ReissueDuplicate, record.ReissueContinuation
	for _, d := range []struct {
		name   string
		body   record.Body
		reason string // empty: it holds
		before []func(*checker)
	}{
		{"said", said(7), "", nil},
		{"said of no ticket", &record.PaperUndelivered{Paper: other, Terminal: 7}, "is no ticket or paper", nil},
		{"said after the seal", said(7), "is sealed", []func(*checker){sealed}},
		{"said after the seal by two", said(7), "", []func(*checker){sealed, agree(4)}},
		{"said elsewhere", said(8), "was sold at terminal 7", nil},
		{"said by nobody", said(7), "where nobody is on shift",
			[]func(*checker){func(c *checker) { delete(c.people.posts, 7) }}},
		{"said of a ticket that is over", said(7), "is sealed",
			[]func(*checker){func(c *checker) { c.series[1] = &series{} }}},
		{"said of one that was paid", said(7), "was paid", []func(*checker){paid}},
		{"said of one given back", said(7), "was cancelled", []func(*checker){back}},
		{"a copy", reprint(copied, 7), "", []func(*checker){marked}},
		{"a copy of no ticket", &record.PaperReissued{Of: other, Reason: copied}, "is no ticket or paper", nil},
		{"a copy of what was handed over", reprint(copied, 7), "was handed over", nil},
		{"a copy of what was given back", reprint(copied, 7), "was cancelled", []func(*checker){marked, back}},
		{"a copy for a request of before", reprint(copied, 7), "numbers rise",
			[]func(*checker){marked, func(c *checker) { c.terminals[7].number = 1 }}},
		{"a copy where a terminal was shut out", reprint(copied, 7), "was shut out",
			[]func(*checker){marked, func(c *checker) { c.people.revoked[7] = true }}},
		{"a copy by two", reprint(copied, 7), "one person makes a copy", []func(*checker){marked, agree(4)}},
		{"replaced by one", reprint(replaced, 7), "one person makes a copy", []func(*checker){marked}},
		{"replaced by two", reprint(replaced, 7), "", []func(*checker){agree(4)}},
		{"replaced by two after the seal", reprint(replaced, 7), "", []func(*checker){sealed, agree(4)}},
		{"replaced with a senior elsewhere in the venue", reprint(replaced, 9), "was shut out", []func(*checker){agree(5)}},
		{"replaced with a senior", reprint(replaced, 7), "", []func(*checker){agree(5)}},
		{"replaced with a senior of another venue", reprint(replaced, 7), "neither on shift there",
			[]func(*checker){agree(6)}},
		{"replaced with a writer of another terminal", reprint(replaced, 8), "neither on shift there",
			[]func(*checker){agree(4)}},
		{"replaced by two who agreed on another", reprint(replaced, 7), "one person makes a copy",
			[]func(*checker){func(c *checker) { c.agreedOn(other, 4) }}},
		{"replaced by two who agreed before", reprint(replaced, 7), "one person makes a copy",
			[]func(*checker){agree(4), func(c *checker) { c.seq++ }}},
		{"replaced though paid", reprint(replaced, 7), "was paid", []func(*checker){agree(4), paid}},
		{"replaced by two where its games go on", reprint(replaced, 7), "", []func(*checker){agree(4), paid, goOn}},
		{"said by one where its games go on", said(7), "was paid", []func(*checker){paid, goOn}},
		{"replaced though given back", reprint(replaced, 7), "was cancelled", []func(*checker){agree(4), back}},
		{"replaced, not handed over and given back", reprint(replaced, 7), "was cancelled",
			[]func(*checker){agree(4), back, marked}},
		{"replaced, not handed over and given back in part", reprint(replaced, 7), "",
			[]func(*checker){agree(4), some, marked}},
		{"replaced though given back in part", reprint(replaced, 7), "was cancelled", []func(*checker){agree(4), some}},
		{"a copy of what was given back in part", reprint(copied, 7), "was cancelled", []func(*checker){some, marked}},
		{"replaced though given back, withheld", reprint(replaced, 7), "", []func(*checker){agree(4), back, held}},
		{"said by one of what was withheld", said(7), "was cancelled", []func(*checker){back, held}},
		{"withheld, by a stranger", reprint(replaced, 7), "was cancelled", []func(*checker){agree(6), back, held}},
		{"goes on", reprint(continued, 7), "", []func(*checker){follows(10, 0, place, 7)}},
		{"goes on after a bonus", reprint(continued, 7), "", []func(*checker){follows(9, 9, place, 7)}},
		{"goes on later", reprint(continued, 7), "something stands between", []func(*checker){follows(9, 0, place, 7)}},
		{"goes on later after a bonus", reprint(continued, 7), "something stands between",
			[]func(*checker){follows(8, 8, place, 7)}},
		{"goes on for another ticket", reprint(continued, 7), "does not follow a payment",
			[]func(*checker){follows(10, 0, other, 7)}},
		{"goes on at another terminal", reprint(continued, 7), "does not follow a payment",
			[]func(*checker){follows(10, 0, place, 8)}},
		{"goes on for no ticket", &record.PaperReissued{Of: other, Reason: continued}, "is no ticket or paper",
			[]func(*checker){follows(10, 0, other, 0)}},
	} {
		c := sheetAt(place)
		for _, do := range d.before {
			do(c)
		}
		var err error
		switch b := d.body.(type) {
		case *record.PaperUndelivered:
			err = c.paperUndelivered(b)
		case *record.PaperReissued:
			err = c.paperReissued(b)
		}
		if d.reason == "" && err != nil || d.reason != "" && (err == nil || !strings.Contains(err.Error(), d.reason)) {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

// TestWithheldExactly: what is withheld is what a stopped ticket has brought, all of it and
// once; and what is paid of it later is that.
func TestWithheldExactly(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 77}
	seq := flat(place)
	for name, d := range map[string]struct {
		stop   stops
		came   brought
		cents  money.Amount
		twice  bool
		reason string
	}{
		"frozen":        {stops{frozen: true}, brought{cents: 5}, -5, false, ""},
		"disqualified":  {stops{disqualified: true}, brought{cents: 5}, -5, false, ""},
		"not stopped":   {stops{}, brought{cents: 5}, -5, false, "nothing stops its payment"},
		"too little":    {stops{frozen: true}, brought{cents: 5}, -4, false, "it has brought $0.05"},
		"too much":      {stops{frozen: true}, brought{cents: 5}, -6, false, "it has brought $0.05"},
		"nothing":       {stops{frozen: true}, brought{}, 0, false, "it has brought $0.00"},
		"twice":         {stops{frozen: true}, brought{cents: 5}, -5, true, "it has brought $0.05"},
		"the other way": {stops{frozen: true}, brought{cents: 5}, 5, false, "it has brought $0.05"},
	} {
		c := outAt(place)
		c.tills.stopped[seq] = d.stop
		e := &ending{SessionEnded: &record.SessionEnded{}, visit: visit{brought: map[uint64]brought{seq: d.came}}}
		tender := &record.Settlement{Kind: record.TenderWithheld, Cents: d.cents, Instrument: place}
		err := c.withhold(e, tender)
		if d.twice {
			err = c.withhold(e, tender)
		}
		if d.reason == "" && err != nil || d.reason != "" && (err == nil || !strings.Contains(err.Error(), d.reason)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, d := range map[string]struct {
		series uint8
		cents  money.Amount
		good   bool
	}{"whole": {1, 5, true}, "less": {1, 4, false}, "more": {1, 6, false}, "of another series": {2, 5, false}} {
		c := outAt(place)
		c.tills.withheld[seq] = brought{cents: 5, series: 1}
		if _, err := c.handOut(place, d.series, d.cents); (err == nil) != d.good {
			t.Errorf("paid %s: %v", name, err)
		}
		if _, left := c.tills.withheld[seq]; left == d.good {
			t.Errorf("paid %s: it is withheld still %v", name, left)
		}
	}
}

// TestContinuedAtOnce: nothing comes between the payment of a ticket whose paper the writer keeps and the sheet on
// which its games go on, but a bonus of the payment (casino-keno-div2 8.5).
func TestContinuedAtOnce(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 77}
	sheet := func(reason record.ReissueReason) record.Body { return &record.PaperReissued{Of: place, Reason: reason} }
	for _, x := range []struct {
		what    string
		kept    bool
		follows uint64 // how many records behind the payment
		bonus   bool   // a bonus stands between
		body    record.Body
		ok      bool
	}{
		{"the sheet", true, 1, false, sheet(record.ReissueContinuation), true},
		{"a bonus", true, 1, false, &record.BonusAllocated{}, true},
		{"the sheet behind a bonus", true, 2, true, sheet(record.ReissueContinuation), true},
		{"a copy", true, 1, false, sheet(record.ReissueCopy), false},
		{"another sheet for a lost one", true, 1, false, sheet(record.ReissueDuplicate), false},
		{"a sale", true, 1, false, &record.TicketSold{}, false},
		{"a sale behind a bonus", true, 2, true, &record.TicketSold{}, false},
		{"a sale behind the sheet", true, 2, false, &record.TicketSold{}, true},
		{"a sale, and nobody keeps the paper", false, 1, false, &record.TicketSold{}, true},
	} {
		c := sheetAt(place)
		paid := c.here() - x.follows
		c.tickets.lastPaid = lastPaid{next: paid + 1, ticket: place, terminal: 7, kept: x.kept}
		if x.bonus {
			c.tickets.lastPaid.bonus = paid + 1
		}
		if err := c.checkContinued(x.body); (err == nil) != x.ok {
			t.Errorf("%s: %v", x.what, err)
		}
	}
}

// TestKeepsPaper: a writer keeps the paper of a ticket that is paid while a game of it is to come, where the rulebook
// says so (casino-keno-div2 8.5).
func TestKeepsPaper(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 77}
	for _, x := range []struct {
		what        string
		keeps       bool
		first, last uint32
		settled     bool // the second game, which is the newest
		want        bool
	}{
		{"a game is not opened", true, 1, 3, true, true},
		{"a game is open", true, 1, 2, false, true},
		{"all games are over", true, 1, 2, true, false},
		{"another rulebook", false, 1, 3, false, false},
		{"a ticket that was cancelled before its first game", true, 3, 2, false, false},
	} {
		c := sheetAt(place)
		s := c.series[1]
		s.changes = []change{{terms: &terms{rules: &rules{payout: rulebook.Payout{KeepsTicket: x.keeps}}}}}
		s.games = []*game{{ordinal: 1, stage: stageSettled}, {ordinal: 2, stage: stageOpen}}
		if x.settled {
			s.games[1].stage = stageSettled
		}
		other := record.Place{Volume: 1, Seq: 78}
		s.tickets.add(ticket{seq: flat(other), terminal: 7, first: x.first, last: x.last, games: 2})
		if got := s.keepsPaper(flat(other)); got != x.want {
			t.Errorf("%s: %v", x.what, got)
		}
		if s.keepsPaper(flat(other) + 1) {
			t.Errorf("%s: the paper of a ticket that is not there", x.what)
		}
	}
}
