package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// TestDayShortened closes a Keno Day by hand before, at and after the end of the 24 hours that
// the rules fix, with the consent of the operator's people and of an inspector.
func TestDayShortened(t *testing.T) {
	const hours = 24 * 60 * 60 * 1000
	for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
		c := crew(t, level)
		c.people.persons[3].duties = []duty{{role: record.RoleInspector}}
		rules := &rules{}
		rules.games.KenoDay.Hours, rules.games.KenoDay.Approves = 24, "inspector"
		c.series[1] = &series{openedAt: 1000, changes: []change{{0, &terms{rules: rules}}}}
		for _, x := range []struct {
			lasts record.Time
			by    *approval
			good  bool
		}{
			{0, &approval{series: 1, decider: 2}, false},
			{hours - 1, &approval{series: 1, decider: 2}, false},
			{hours, &approval{series: 1, decider: 2}, true},
			{hours + 1, &approval{series: 1, decider: 2}, true},
			{hours - 1, &approval{series: 1, decider: 3}, true},
			{hours - 1, nil, true}, // by the timetable
		} {
			c.now = 1000 + x.lasts
			if err := c.checkAgreedSeries(&record.DayClosed{Series: 1}, x.by); (err == nil) != x.good {
				t.Errorf("closed after %d of %d ms by %+v: %v", x.lasts, hours, x.by, err)
			}
		}
	}
}
