package game_test

import (
	"errors"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/journal/record"
)

// TestCheckDate: a Keno Day is opened on its date or after the midnight that ends it, by the
// clocks of the place, and on no other.
func TestCheckDate(t *testing.T) {
	const hour = 3600
	for name, try := range map[string]struct {
		now    string
		day    string
		offset int32
		ok     bool
	}{
		"its date":                 {"2026-11-15T10:00:00Z", "2026-11-15", 0, true},
		"the first moment":         {"2026-11-15T00:00:00Z", "2026-11-15", 0, true},
		"just before it":           {"2026-11-14T23:59:59Z", "2026-11-15", 0, false},
		"after midnight":           {"2026-11-16T00:30:00Z", "2026-11-15", 0, true},
		"two days later":           {"2026-11-17T00:00:00Z", "2026-11-15", 0, false},
		"tomorrow":                 {"2026-11-15T10:00:00Z", "2026-11-16", 0, false},
		"a year ahead":             {"2026-11-15T10:00:00Z", "2027-11-15", 0, false},
		"the east is ahead":        {"2026-11-14T14:00:00Z", "2026-11-15", 11 * hour, true},
		"the east, too early":      {"2026-11-14T12:59:59Z", "2026-11-15", 11 * hour, false},
		"the west is behind":       {"2026-11-15T02:00:00Z", "2026-11-15", -5 * hour, false},
		"the west, the day before": {"2026-11-15T02:00:00Z", "2026-11-14", -5 * hour, true},
	} {
		now, err := time.Parse(time.RFC3339, try.now)
		if err != nil {
			t.Fatal(err)
		}
		d, err := day.Parse(try.day)
		if err != nil {
			t.Fatal(err)
		}
		err = game.CheckDate(record.Of(now), d, try.offset)
		var refused *refusal.Refusal
		if (err == nil) != try.ok || err != nil &&
			(!errors.As(err, &refused) || refused.Code != game.DayNotNow || refused.Path != "day") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
