package verify

import (
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// objects reports an objection that does not say what it should, or one where there should be none.
func objects(t *testing.T, name string, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

// TestPayCash pays cash by itself where the ways of paying are for something else, or for less.
func TestPayCash(t *testing.T) {
	cash := rulebook.PayoutMethod{ID: "cash"}
	upTo := rulebook.PayoutMethod{ID: "cash", Of: "session", UpTo: dollars(100)}
	for name, x := range map[string]struct {
		ways  []rulebook.PayoutMethod
		limit money.Amount // of the venue
		cents money.Amount
		want  string
	}{
		"cash": {[]rulebook.PayoutMethod{cash}, 0, 1, ""},
		"no cash at such venues": {[]rulebook.PayoutMethod{{ID: "cheque"}}, 0, 1,
			"cash is not paid at venues of its kind"},
		"no cash at such terminals": {[]rulebook.PayoutMethod{cash, {ID: "sst_receipt", Channel: rulebook.ChannelSST}}, 0,
			1, "cash is not paid at terminals of its kind"},
		"a receipt elsewhere": {[]rulebook.PayoutMethod{cash, {ID: "sst_receipt", Channel: rulebook.ChannelWriter}},
			0, 1, ""},
		"at the most":          {[]rulebook.PayoutMethod{upTo}, 0, 100_00, ""},
		"above the most":       {[]rulebook.PayoutMethod{upTo}, 0, 100_01, "and $100.00 is the most"},
		"at the venue's limit": {[]rulebook.PayoutMethod{{ID: "cash", VenueLimit: true}}, 50_00, 50_00, ""},
		"above the venue's limit": {[]rulebook.PayoutMethod{{ID: "cash", VenueLimit: true}}, 50_00, 50_01,
			"the venue's limit is $50.00"},
		"below where a cheque begins": {[]rulebook.PayoutMethod{cash, {ID: "cheque", From: dollars(300)}}, 0, 299_99, ""},
		"where a cheque begins": {[]rulebook.PayoutMethod{cash, {ID: "cheque", From: dollars(300)}}, 0, 300_00,
			"from $300.00 on there is a cheque"},
		"where the venue pays more": {[]rulebook.PayoutMethod{cash, {ID: "cheque", From: dollars(300)}}, 500_00, 300_00,
			""},
	} {
		c := outAt(record.Place{})
		c.tills.limits[1] = x.limit
		term := &terminal{venue: 1, kind: rulebook.VenueHotel, channel: rulebook.ChannelSST}
		objects(t, name, c.payCash(term, x.cents, &rules{payout: rulebook.Payout{Methods: x.ways}}), x.want)
	}
}

// TestPeriod pays games too early, too late, and where no calendar has the last day.
func TestPeriod(t *testing.T) {
	const noon = record.Time(12 * 3_600_000)
	at := func(date string) record.Time {
		return noon + record.Time(day.MustParse(date)-day.MustParse("1970-01-01"))*24*3_600_000
	}
	for name, x := range map[string]struct {
		played, now string
		delayed     bool
		want        string
	}{
		"the last day":                     {"2026-11-15", "2027-11-15", false, ""},
		"the day after":                    {"2026-11-15", "2027-11-16", false, "and the last day was 2027-11-15"},
		"a last day of no calendar":        {"9999-11-15", "2027-11-15", false, "the last day to pay game"},
		"delayed, on its own day":          {"2026-11-15", "2026-11-15", true, "on its own Keno Day"},
		"delayed, on the next day":         {"2026-11-15", "2026-11-16", true, ""},
		"not delayed, on its own Keno Day": {"2026-11-15", "2026-11-15", false, ""},
	} {
		r := &rules{}
		r.payout.Period.Years = 1
		r.games.Delayed.PaidNextDay = true
		g := &game{name: record.Game{Series: 1, Day: day.MustParse(x.played), Number: 1}, delayed: x.delayed,
			terms: &terms{rules: r}}
		c := outAt(record.Place{})
		c.now = at(x.now)
		objects(t, name, c.checkPeriod(&series{}, g), x.want)
	}
}
