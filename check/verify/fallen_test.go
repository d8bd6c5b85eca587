package verify

import (
	"fmt"
	"testing"

	"drawhouse/journal/record"
)

// TestFallenBall holds forged records of a ball that fell back against the balls that both
// recorders have keyed: a place alone, and the number of another ball, name no ball. Before
// the level of the guards that is a finding, and from it on a fault.
func TestFallenBall(t *testing.T) {
	for name, of := range map[string]struct {
		record.CageAttended
		good bool
	}{
		"the ball at its place":   {record.CageAttended{Act: record.CageFellBack, Place: 2, Number: 22}, true},
		"another ball":            {record.CageAttended{Act: record.CageFellBack, Place: 2, Number: 33}, false},
		"a place alone":           {record.CageAttended{Act: record.CageFellBack, Place: 2}, false},
		"a ball nobody has keyed": {record.CageAttended{Act: record.CageFellBack, Place: 4}, true},
		"an act on no ball":       {record.CageAttended{Act: record.CageFailed, Place: 2}, true},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			c := outAt(record.Place{Volume: 1, Seq: 4})
			c.level = level
			c.people.persons = map[uint32]*member{1: {}}
			g := &game{name: record.Game{Series: 1, Number: 1}}
			s := &series{games: []*game{g}, byName: map[record.Game]*game{g.name: g}}
			s.cage = cage{state: cageDrawing, game: g.name, draw: 1, agreed: []byte{11, 22, 33},
				keyed: [2][]byte{{11, 22, 33}, {11, 22, 33}}}
			c.series[1] = s
			b := of.CageAttended
			b.Series, b.By, b.Reason, b.Approval = 1, 1, "seen on the floor", 7
			at := fmt.Sprintf("%s at %v, revision 1: ", b.Act, g.sealedName(s))
			content := contentIn(1, cageApproval, at+s.cage.about(&b)+`reason "seen on the floor"`)
			if level < record.LevelGuarded {
				content = contentOf(cageApproval, fmt.Sprintf("%sballs 0, number %d, place %d, video %q, reason %q", at, b.Number,
					b.Place, "", b.Reason))
			}
			c.people.approvals = map[uint32]*approval{7: {granted: true, used: true, by: 1, content: content}}
			err := c.cageAttended(&b)
			if objected := err != nil || c.report.FindingCount > 0; objected == of.good ||
				(err != nil) != (!of.good && level >= record.LevelGuarded) {
				t.Errorf("%s, level %d: %v and %d findings", name, level, err, c.report.FindingCount)
			}
		}
	}
}
