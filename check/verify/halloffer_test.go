package verify

import (
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestOfferStarts: a promotion starts once, at the time of its terms, and when the Authority has had them for long
// enough (nsw-bingo-2019 10.7.7, 10.9). Each line has one thing that is not so.
func TestOfferStarts(t *testing.T) {
	const hour = record.Time(3_600_000)
	rules := &rulebook.BingoFile{}
	rules.Promotion.NoticeHours = 24
	for _, x := range []struct {
		what  string
		now   record.Time
		offer hallOffer
		ok    bool
	}{
		{"in time", 100 * hour, hallOffer{notified: 76 * hour}, true},
		{"before its time", 100*hour - 1, hallOffer{notified: 10 * hour}, false},
		{"too soon after the notice", 100 * hour, hallOffer{notified: 76*hour + 1}, false},
		{"twice", 100 * hour, hallOffer{notified: 76 * hour, started: true}, false},
		{"after its end", 100 * hour, hallOffer{notified: 76 * hour, cancelled: true}, false},
	} {
		c, o := &checker{now: x.now}, x.offer
		o.terms = &record.OfferTerms{Starts: 100 * hour}
		if err := c.offerStarted(&hallRoom{rules: rules}, &o); (err == nil) != x.ok || err == nil && !o.started {
			t.Errorf("%s: %v", x.what, err)
		}
	}
}
