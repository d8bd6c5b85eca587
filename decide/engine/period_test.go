package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// everyNumber returns bets that cannot but win: a way on each of the 80 numbers.
func everyNumber() string {
	var bets []string
	for first := 1; first <= 80; first += 40 {
		var groups []string
		for n := range 40 {
			groups = append(groups, fmt.Sprintf("[%d]", first+n))
		}
		bets = append(bets, fmt.Sprintf(`{"bet":"classic","groups":[%s],"play":{"spots":[1]},"stake_cents":20}`,
			strings.Join(groups, ",")))
	}
	return strings.Join(bets, ",")
}

// TestPayPeriod claims a ticket of 2026-11-15 around the last day, 2027-05-15, on
// Keno Days and between them, when the date counts: a house that was shut for long
// must not pay as if its last day were today.
func TestPayPeriod(t *testing.T) {
	at := func(text string) record.Time {
		when, err := time.Parse(time.RFC3339, text)
		must(t, err)
		return record.Of(when)
	}
	for _, c := range []struct {
		name string
		open string // a further Keno Day, if any
		now  record.Time
		late bool
	}{
		{"the last day", "2027-05-15", at("2027-05-15T12:00:00+11:00"), false},
		{"the last day after midnight", "2027-05-15", at("2027-05-16T03:00:00+11:00"), false},
		{"the day after", "2027-05-16", at("2027-05-16T12:00:00+11:00"), true},
		{"between days, on the last date", "", at("2027-05-15T23:59:00+11:00"), false},
		{"between days, a minute after it", "", at("2027-05-16T00:01:00+11:00"), true},
	} {
		r := newRig(t, c.name)
		r.openDay("2026-11-15")
		_, ticket := r.sell(1, 1, everyNumber())
		must(t, r.engine.CloseGame(r.tick(), series))
		r.take()
		r.drawAndSettle(1)
		must(t, r.engine.CloseDay(r.tick(), series))
		r.take()
		if c.open != "" {
			must(t, r.engine.OpenDay(c.now, series, day.MustParse(c.open), 39600))
			r.take()
		}
		_, err := r.engine.Request(c.now, command.Pay{Payment: r.claim(1, ticket.Place)}, command.Env{})
		if c.late {
			wantRefusal(t, err, counter.TooLate)
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
