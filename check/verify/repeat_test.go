package verify

import (
	"errors"
	"testing"

	"drawhouse/journal/record"
)

// repeating returns a checker whose series has drawn a number of games, of which the first
// drew what the last is about to.
func repeating(level uint8, games int) (*checker, *series, *game) {
	c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level,
		kind: record.KindGameDrawn}
	s := &series{results: map[[4]uint64]record.Game{}, byName: map[record.Game]*game{}}
	for i := range games + 1 {
		g := &game{name: record.Game{Series: 1, Day: 700_000, Number: uint16(i)}, ordinal: uint32(i + 1), stage: stageSettled}
		for n := range 20 { // As many different sets as the test needs.
			g.drawn[1+(n+i%games)%80] = i%games < 60
		}
		if i%games >= 60 {
			for n, rest := 0, i%games; n < 20; n++ {
				g.drawn[1+4*n+rest%4] = true
				rest /= 4
			}
		}
		s.games, s.byName[g.name] = append(s.games, g), g
		if i < games {
			s.results[g.drawn.set()] = g.name
		}
	}
	last := s.games[games]
	last.stage = stageSealed
	return c, s, last
}

// TestRepeatIsListed: a repeat is listed and does not fail the journal, unless the house
// should have had it confirmed: from the level of the guards on, and within the window.
func TestRepeatIsListed(t *testing.T) {
	for name, try := range map[string]struct {
		level     uint8
		games     int // from the result to its repeat
		confirmed uint8
		fault     bool
	}{
		"an old journal":             {record.LevelFirst, 1, 0, false},
		"unconfirmed":                {record.LevelGuarded, 1, 0, true},
		"confirmed":                  {record.LevelGuarded, 1, 1, false},
		"another draw was confirmed": {record.LevelGuarded, 1, 2, true},
		"below the window":           {record.LevelGuarded, repeatWindow - 1, 0, true},
		"at the window":              {record.LevelGuarded, repeatWindow, 0, true},
		"above the window":           {record.LevelGuarded, repeatWindow + 1, 0, false},
	} {
		c, s, g := repeating(try.level, try.games)
		g.confirmed = try.confirmed
		err := c.checkRepeat(s, g)
		var failed *faultError
		if is := errors.As(err, &failed); is != try.fault {
			t.Errorf("%s: %v", name, err)
		}
		if listed := c.report.FindingCount; (listed == 1) == try.fault {
			t.Errorf("%s: %d findings", name, listed)
		}
	}
	c, s, g := repeating(record.LevelGuarded, 3)
	g.drawn = drawnNumbers{}
	g.drawn[80] = true
	if err := c.checkRepeat(s, g); err != nil || c.report.FindingCount != 0 {
		t.Errorf("a result that repeats nothing: %v, %d findings", err, c.report.FindingCount)
	}
}
