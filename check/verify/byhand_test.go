package verify

import (
	"testing"

	"drawhouse/journal/record"
	made "drawhouse/rulebook/rules"
)

// TestByHand holds payments of a game whose result the computer did not take, and of one whose
// result it took, against the rule: by hand and not, before the next draw and after it begins.
func TestByHand(t *testing.T) {
	book, err := made.Book("casino-keno-div2")
	if err != nil {
		t.Fatal(err)
	}
	graded, err := newRules(book)
	if err != nil {
		t.Fatal(err)
	}
	untaken, taken := record.Game{Series: 1, Number: 1}, record.Game{Series: 1, Number: 2}
	for name, of := range map[string]struct {
		ordinal uint32
		body    func(parts []record.PaidPart) record.Body
		begun   bool // the next draw at the ball machine
		good    bool
	}{
		"at a terminal before the next draw": {1,
			func(p []record.PaidPart) record.Body { return &record.TicketPaid{Series: 1, Parts: p} }, false, false},
		"at a terminal after it begins": {1,
			func(p []record.PaidPart) record.Body { return &record.TicketPaid{Series: 1, Parts: p} }, true, true},
		"forfeited before the next draw": {1,
			func(p []record.PaidPart) record.Body { return &record.PrizeForfeited{Series: 1, Parts: p} }, false, false},
		"claimed before the next draw": {1, func([]record.PaidPart) record.Body { return &record.ClaimPaid{Claim: 1} },
			false, false},
		"claimed after it begins": {1, func([]record.PaidPart) record.Body { return &record.ClaimPaid{Claim: 1} },
			true, true},
		"by hand": {1, func(p []record.PaidPart) record.Body {
			return &record.TicketPaid{Series: 1, Parts: p, PaidBy: 3, Clause: "11.7"}
		}, false, true},
		"by hand, brought in late": {1, func(p []record.PaidPart) record.Body {
			return &record.TicketPaid{Series: 1, Parts: p, PaidBy: 3, Clause: "11.7"}
		}, true, true},
		"by hand under another clause": {1, func(p []record.PaidPart) record.Body {
			return &record.TicketPaid{Series: 1, Parts: p, PaidBy: 3, Clause: "11.6"}
		}, false, false},
		"by hand by an inspector": {1, func(p []record.PaidPart) record.Body {
			return &record.TicketPaid{Series: 1, Parts: p, PaidBy: 4, Clause: "11.7"}
		}, false, false},
		"by hand of a result that was taken": {2, func(p []record.PaidPart) record.Body {
			return &record.TicketPaid{Series: 1, Parts: p, PaidBy: 3, Clause: "11.7"}
		}, false, false},
		"at a terminal of that result": {2, func(p []record.PaidPart) record.Body {
			return &record.TicketPaid{Series: 1,
				Parts: p}
		}, false, true},
	} {
		place := record.Place{Volume: 1, Seq: 4}
		c := outAt(place)
		c.people.persons = map[uint32]*member{3: {duties: []duty{{role: record.RoleWriter}}},
			4: {duties: []duty{{role: record.RoleInspector}}}}
		s := &series{games: []*game{{name: untaken}, {name: taken}}, changes: []change{{terms: &terms{rules: graded}}}}
		s.cage = cage{state: cageFull, game: untaken, draw: 1}
		s.untaken(&record.CageAttended{Act: record.CageNotAccepted})
		if of.begun {
			s.cage = cage{state: cageDrawing, game: taken, draw: 1}
		}
		c.series[1] = s
		c.tills.forms.list[0].lodged.Series, c.tills.forms.list[0].lodged.Parts[0].Ordinal = 1, of.ordinal
		err := c.checkExit(of.body([]record.PaidPart{{Ordinal: of.ordinal, Cents: 1}}))
		if (err == nil) != of.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPaidAfterAnotherDevice pays a prize of a result that the computer did not take at a terminal: before the next
// draw, and after one has begun that is not of the ball machine.
func TestPaidAfterAnotherDevice(t *testing.T) {
	for name, of := range map[string]struct {
		later game
		good  bool
	}{
		"the next game is on sale":       {game{stage: stageOpen}, false},
		"the next game waits":            {game{stage: stageSealed}, false},
		"its first number is drawn":      {game{stage: stageSealed, numbers: []byte{7}}, true},
		"its draw has begun and is void": {game{stage: stageSealed, voided: 1}, true},
	} {
		c := outAt(record.Place{Volume: 1, Seq: 4})
		untaken := record.Game{Series: 1, Number: 1}
		s := &series{games: []*game{{name: untaken}, &of.later}}
		s.cage = cage{state: cageFull, game: untaken, draw: 1}
		s.untaken(&record.CageAttended{Act: record.CageNotAccepted})
		c.series[1] = s
		if err := c.checkByHand(1, 1, 0, ""); (err == nil) != of.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDrawnWhileTheComputerFails has another device than the ball machine begin and go on to draw while the computer is
// to be put right. An honest house of an earlier level did so.
func TestDrawnWhileTheComputerFails(t *testing.T) {
	book, err := made.Book("casino-keno-div2")
	if err != nil {
		t.Fatal(err)
	}
	graded, err := newRules(book)
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]struct {
		failed   bool
		level    uint8
		drawn    []byte
		good     bool
		findings uint64
	}{
		"a generator begins":             {true, record.LevelSeries, nil, false, 0},
		"it begins, in an older journal": {true, record.LevelGuarded, nil, true, 1},
		"it goes on":                     {true, record.LevelSeries, []byte{1}, true, 0},
		"the computer works":             {false, record.LevelSeries, nil, true, 0},
	} {
		c := outAt(record.Place{Volume: 1, Seq: 4})
		c.level = of.level
		g := &game{name: record.Game{Series: 1, Number: 1}, ordinal: 1, stage: stageSealed, numbers: of.drawn,
			terms: &terms{rules: graded}, device: device{kind: record.DeviceGenerator}}
		next := byte(1)
		for _, n := range of.drawn {
			g.drawn[n] = true
			next++
		}
		s := &series{games: []*game{g}, byName: map[record.Game]*game{g.name: g}, changes: []change{{terms: g.terms}}}
		s.cage.computer = of.failed
		c.series[1] = s
		err := c.numberDrawn(&record.NumberDrawn{Game: g.name, Draw: 1, Number: next, Bytes: []byte{0}})
		if (err == nil) != of.good || c.report.FindingCount != of.findings {
			t.Errorf("%s: %v, %d findings", name, err, c.report.FindingCount)
		}
	}
	m := &cage{computer: true}
	for kind, good := range map[record.Device]bool{record.DeviceWitnessed: false, record.DeviceCage: true} {
		if err := m.checkComputer(&game{device: device{kind: kind}}); (err == nil) != good {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
