package verify

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestPayingThrough lets money leave at terminals of each kind, attended or not, where the
// rules say through which it leaves.
func TestPayingThrough(t *testing.T) {
	r := &rules{}
	r.payout.Through = &rulebook.PayoutThrough{Channels: []rulebook.Channel{rulebook.ChannelWriter}, Attended: true,
		AttendedClause: "8.5"}
	r.payout.Through.Clause = "8.3(a)"
	s := &series{}
	s.changes = append(s.changes, change{terms: &terms{rules: r}})
	for name, d := range map[string]struct {
		channel rulebook.Channel
		writer  uint32
		reason  string
	}{
		"attended":       {rulebook.ChannelWriter, 5, ""},
		"nobody":         {rulebook.ChannelWriter, 0, "where no writer has signed on (8.5)"},
		"self-service":   {rulebook.ChannelSST, 5, "through which none does (8.3(a))"},
		"nobody and sst": {rulebook.ChannelSST, 0, "through which none does (8.3(a))"},
	} {
		c := outAt(record.Place{Volume: 1, Seq: 3})
		c.series[1] = s
		c.terminals[7].channel = d.channel
		if d.writer != 0 {
			c.people.posts[7] = d.writer
		}
		err := c.checkPaying(&record.TicketPaid{Request: record.Request{Terminal: 7}})
		if (err == nil) != (d.reason == "") || err != nil && !strings.Contains(err.Error(), d.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestConfirmed notifies terms of a promotion whose prize is a thing: somebody confirms for
// each thing that prizes may not have that it has none.
func TestConfirmed(t *testing.T) {
	prohibited := []string{"tobacco", "firearms"}
	for name, d := range map[string]struct {
		kind     string
		confirms []string
		reason   string
	}{
		"money":       {"cash", nil, ""},
		"confirmed":   {"goods", prohibited, ""},
		"not at all":  {"goods", nil, "does not say that it has no tobacco"},
		"only in one": {"goods", prohibited[:1], "does not say that it has no firearms"},
	} {
		c := outAt(record.Place{Volume: 1, Seq: 3})
		r := &hallRoom{rules: &rulebook.BingoFile{}}
		r.rules.Promotion.Prohibited = prohibited
		err := c.offerNotified(r, &record.OfferNotified{
			Offer: record.Offer{Hall: 1, Offer: 1}, Version: 1,
			Terms: record.OfferTerms{Prizes: []record.OfferPrize{{Name: "first", Kind: d.kind}}}, Confirms: d.confirms,
		})
		if (err == nil) != (d.reason == "") || err != nil && !strings.Contains(err.Error(), d.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPaidAsLost pays, forfeits and cancels a ticket that was paid as lost: a fault since the
// guards, and a finding before.
func TestPaidAsLost(t *testing.T) {
	place := record.Place{Volume: 1, Seq: 77}
	for name, check := range map[string]func(*checker) error{
		"paid": func(c *checker) error { return c.checkStopped(flat(place)) },
		"forfeited": func(c *checker) error {
			return c.checkExit(&record.PrizeForfeited{Request: record.Request{Terminal: 7}, Ticket: place})
		},
		"cancelled": func(c *checker) error {
			return c.checkExit(&record.TicketCancelled{Request: record.Request{Terminal: 7}, Ticket: place})
		},
	} {
		c := outAt(place)
		if err := check(c); err != nil {
			t.Errorf("%s, not lost: %v", name, err)
		}
		c.tills.forms.lost = map[uint64]int{flat(place): 1}
		if err := check(c); err == nil || !strings.Contains(err.Error(), "was paid as lost on form 1") {
			t.Errorf("%s: %v", name, err)
		}
		c.level = 1
		if err := check(c); err != nil || c.report.FindingCount != 1 {
			t.Errorf("%s before the guards: %v, %d findings", name, err, c.report.FindingCount)
		}
	}
}
