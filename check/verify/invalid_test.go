package verify

import (
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestInvalidByAChange makes tickets invalid as the house does not: after the close of their last game, one that was
// never sold, and under rules that know no such ticket (vic-keno-2015 17(f)).
func TestInvalidByAChange(t *testing.T) {
	for name, c := range map[string]struct {
		last    uint32
		seq     uint64
		knows   bool
		allowed bool
	}{
		"before the close of its last game": {3, 7, true, true},
		"its last game is closed":           {2, 7, true, false},
		"no ticket":                         {3, 8, true, false},
		"other rules":                       {3, 7, false, false},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			s := ofSystem(t, 1, rulebook.PlaysOwn, false)
			if c.knows {
				s.rulesNow().cancel.RuleChange = []string{"refund"}
			}
			s.games = []*game{
				{ordinal: 1, stage: stageSettled}, {ordinal: 2, stage: stageClosed}, {ordinal: 3, stage: stageOpen},
			}
			s.tickets.add(ticket{seq: 7, first: 1, last: c.last})
			k := &checker{level: level, report: &Report{}}
			k.tills.stopped = map[uint64]stops{}
			k.log.volumes = []*volume{{number: 1}}
			k.series[1] = s
			err := k.ticketInvalidated(&record.TicketInvalidated{Ticket: placeOf(c.seq)})
			if guarded := level >= record.LevelGuarded; (err != nil) != (!c.allowed && guarded) ||
				(k.report.FindingCount > 0) != (!c.allowed && !guarded) {
				t.Errorf("%s, level %d: %v, %d findings", name, level, err, k.report.FindingCount)
			}
		}
	}
}
