package verify

import (
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// TestSessionInForce holds sessions against the first and the last day of the rules, in a
// journal of today and in one from before the second opinion knew of these days.
func TestSessionInForce(t *testing.T) {
	first, last := day.MustParse("2026-11-10"), day.MustParse("2026-11-20")
	for on, ok := range map[string]bool{"2026-11-09": false, "2026-11-10": true, "2026-11-20": true, "2026-11-21": false} {
		for level, want := range map[uint8]bool{record.LevelGuarded: ok, 0: true} {
			d := day.MustParse(on)
			c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level}
			_, err := c.planned(&hallRoom{from: first, to: last}, &record.SessionSet{Session: 1, Day: d, Begins: noonOf(d)})
			if (err == nil) != want {
				t.Errorf("a session on %s at level %d: %v", on, level, err)
			}
		}
	}
	c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: record.LevelGuarded}
	far := day.MustParse("2099-01-01")
	if _, err := c.planned(&hallRoom{from: first},
		&record.SessionSet{Session: 1, Day: far, Begins: noonOf(far)}); err != nil {
		t.Errorf("rules without a last day: %v", err)
	}
}

// noonOf is noon in Greenwich on a day.
func noonOf(d day.Day) record.Time {
	noon, err := time.Parse("2006-01-02 15", d.String()+" 12")
	if err != nil {
		panic(err)
	}
	return record.Of(noon)
}
