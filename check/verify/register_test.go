package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// atRegister is a house with a generator in service, one that failed, and a ball machine.
func atRegister(t *testing.T) *checker {
	t.Helper()
	c := atTill(t, "casino-keno-div2")
	c.register = []*registered{
		{kind: record.DeviceGenerator, maker: "Acme", serial: "1"},
		{kind: record.DeviceGenerator, maker: "Acme", serial: "2", failed: true},
		{kind: record.DeviceCage, maker: "Acme", serial: "3"},
	}
	return c
}

// TestDeviceRegister refuses entries of the register and inspections that no honest house would record.
func TestDeviceRegister(t *testing.T) {
	entry := func(number uint32, device record.Device, serial, reference string) *record.DeviceRegistered {
		return &record.DeviceRegistered{Series: 1, Number: number, Device: device, Maker: "Acme", Serial: serial,
			Site:      "floor",
			Reference: reference, By: 1}
	}
	for name, x := range map[string]struct {
		body record.Body
		want string
	}{
		"a new device":           {entry(4, record.DeviceGenerator, "4", "letter"), ""},
		"a device that failed":   {entry(4, record.DeviceGenerator, "2", "letter"), ""},
		"a device in service":    {entry(4, record.DeviceGenerator, "1", "letter"), "which is in service"},
		"a number that is taken": {entry(3, record.DeviceGenerator, "4", "letter"), "the next number is 4"},
		"without an approval": {entry(4, record.DeviceGenerator, "4", " "),
			"no maker, serial number, site or approval"},
		"of a kind that draws not": {entry(4, "dice", "4", "letter"), "does not draw"},
		"in a series that is none": {&record.DeviceRegistered{Series: 2, Number: 4}, "has not begun"},
		"an inspection":            {&record.DeviceInspected{Number: 1, Part: record.PartDevice, Finding: "a bias"}, ""},
		"an inspection of nothing": {&record.DeviceInspected{Number: 9, Part: record.PartDevice, Finding: "a bias"},
			"the register has 3"},
		"of what is out of service": {&record.DeviceInspected{Number: 2, Part: record.PartDevice, Finding: "a bias"},
			"out of service"},
		"balls of a generator": {&record.DeviceInspected{Number: 1, Part: record.PartBalls, Finding: "worn"},
			"the balls of device 1"},
		"balls of a machine": {&record.DeviceInspected{Number: 3, Part: record.PartBalls, Finding: "worn"}, ""},
		"an inspection without word": {&record.DeviceInspected{Number: 1, Part: record.PartDevice, Finding: " "},
			"nothing is said"},
		"a check of no game": {&record.DrawInspected{Game: record.Game{Series: 1}, Revision: 1, Finding: "x"},
			"is not settled"},
	} {
		c := atRegister(t)
		_, err := kinds[record.Record{Body: x.body}.Kind()].judged(c, x.body)
		objects(t, name, err, x.want)
	}
}

// TestDrawInspected holds what an inspector checked against the last settlement.
func TestDrawInspected(t *testing.T) {
	name := record.Game{Series: 1, Number: 3}
	for title, x := range map[string]struct {
		revision uint8
		finding  string
		want     string
	}{
		"the last settlement": {2, "as drawn", ""},
		"an earlier one":      {1, "as drawn", "the last one is 2"},
		"without a word":      {2, "", "nothing is said"},
	} {
		c := atRegister(t)
		g := &game{name: name, stage: stageSettled}
		g.settled.revision = 2
		c.series[1].byName = map[record.Game]*game{name: g}
		objects(t, title, c.drawInspected(&record.DrawInspected{Game: name, Revision: x.revision, Finding: x.finding}),
			x.want)
	}
}

// TestChosenOfRegister chooses devices: of the register and in service, and two persons exchange them.
func TestChosenOfRegister(t *testing.T) {
	for name, x := range map[string]struct {
		draws  uint32 // the device of the register that draws
		device record.Device
		number uint32
		want   string
		asks   bool
	}{
		"a device of the register":      {0, record.DeviceGenerator, 1, "", true},
		"another kind by the house":     {1, record.DeviceCage, 3, "", false},
		"one that there is not":         {0, record.DeviceGenerator, 9, "the register has 3", true},
		"one that failed":               {1, record.DeviceGenerator, 2, "out of service", true},
		"one of another kind":           {1, record.DeviceGenerator, 3, "which is cage", true},
		"none after one":                {1, record.DeviceCage, 0, "not in the register", false},
		"none where none was":           {0, record.DeviceCage, 0, "", false},
		"the device that draws already": {1, record.DeviceGenerator, 1, "", false},
	} {
		c := atRegister(t)
		c.series[1].device.registered = x.draws
		chosen := &record.DeviceChosen{Series: 1, Device: x.device, Registered: x.number}
		objects(t, name, c.chosenOf(c.series[1], chosen), x.want)
		if got := choosesAmong(c, chosen, nil); got != x.asks {
			t.Errorf("%s: two persons are asked for: %v", name, got)
		}
	}
}

// TestOpensWithSound opens no game that a failed device would draw.
func TestOpensWithSound(t *testing.T) {
	for number, want := range map[uint32]string{0: "", 1: "", 2: "is out of service"} {
		c := atRegister(t)
		s := c.series[1]
		s.device = device{kind: record.DeviceGenerator, registered: number}
		objects(t, want, c.opensWith(s, &game{terms: s.changes[0].terms}), want)
	}
}

// TestNotedAtVenues refuses lists, refused sales, disputes and runners that no honest house would record.
func TestNotedAtVenues(t *testing.T) {
	for name, x := range map[string]struct {
		body record.Body
		want string
	}{
		"a list": {&record.VenueListed{Series: 1, Venue: 1, Listed: "harbour-club", By: 1}, ""},
		"a list of nothing": {&record.VenueListed{Series: 1, Venue: 1, Listed: "nowhere", By: 1},
			"has no ready ticket"},
		"a list of a venue that is no": {&record.VenueListed{Series: 1, Venue: 9, Listed: "harbour-club", By: 1},
			"does not exist"},
		"no list where none is": {&record.VenueListed{Series: 1, Venue: 1, By: 1}, "was before"},
		"a list of no series":   {&record.VenueListed{Series: 2, Venue: 1, By: 1}, "has not begun"},
		"a refused sale":        {&record.SaleRefused{Terminal: 7, Cause: record.CauseOther, By: 1}, ""},
		"a refused sale nowhere": {&record.SaleRefused{Terminal: 70, Cause: record.CauseOther, By: 1},
			"does not exist"},
		"a dispute": {&record.RunnerDisputed{Dispute: 2, Venue: 1, Runner: 1, Finding: "late", By: 2}, ""},
		"a dispute of another number": {&record.RunnerDisputed{Dispute: 3, Venue: 1, Runner: 1, Finding: "late", By: 2},
			"behind 1 others"},
		"a dispute with nobody": {&record.RunnerDisputed{Dispute: 2, Venue: 1, Runner: 2, Finding: "late", By: 2},
			"no runner of venue 1"},
		"a dispute about nothing": {&record.RunnerDisputed{Dispute: 2, Venue: 1, Runner: 1, Finding: "", By: 2},
			"about nothing"},
		"a decision": {&record.RunnerDisputeDecided{Dispute: 1, Venue: 1, Finding: "so", By: 2}, ""},
		"a decision of nothing": {&record.RunnerDisputeDecided{Dispute: 2, Venue: 1, Finding: "so", By: 2},
			"is not open"},
		"a decision at another venue": {&record.RunnerDisputeDecided{Dispute: 1, Venue: 2, Finding: "so", By: 2},
			"not open at venue 2"},
		"a decision by the runner": {&record.RunnerDisputeDecided{Dispute: 1, Venue: 1, Finding: "so", By: 1},
			"by its runner"},
		"a decision without a word": {&record.RunnerDisputeDecided{Dispute: 1, Venue: 1, By: 2}, "without a word"},
		"a build":                   {&record.BuildNamed{Build: "v2", Binary: record.Hash{2}}, ""},
		"a build twice":             {&record.BuildNamed{Build: "v1", Binary: record.Hash{1}}, "named twice"},
	} {
		c := atTill(t, "vic-keno-2015")
		c.venues = map[uint32]venue{1: {name: "Corner Hotel"}}
		c.people.persons[1].duties = []duty{{record.RoleRunner, 1}}
		c.disputes = []runnerDispute{{venue: 1, runner: 1}}
		c.build = record.BuildNamed{Build: "v1", Binary: record.Hash{1}}
		_, err := kinds[record.Record{Body: x.body}.Kind()].judged(c, x.body)
		objects(t, name, err, x.want)
	}
}

// TestRunnerOfSession names the runner of a session: who works at the venue, where a runner brought an entry.
func TestRunnerOfSession(t *testing.T) {
	for name, x := range map[string]struct {
		runner  uint32
		brought bool
		want    string
	}{
		"the runner":             {1, true, ""},
		"nobody":                 {0, true, ""},
		"somebody else":          {2, true, "who is none at venue"},
		"where none brought any": {1, false, "no entry came by one"},
	} {
		c := atTill(t, "vic-keno-2015")
		c.people.persons[1].duties = []duty{{record.RoleRunner, 4}}
		e := &ending{SessionEnded: &record.SessionEnded{Runner: x.runner}, term: &terminal{venue: 4}}
		e.visit.runner = x.brought
		objects(t, name, c.checkRunner(e), x.want)
	}
}
