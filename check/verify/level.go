package verify

import (
	"encoding/json"
	"errors"
	"fmt"

	"drawhouse/journal/record"
)

// maxFindings is how many findings a report lists. It counts all of them.
const maxFindings = 1000

// A Finding is an act that the rules of today refuse, in a part of the journal that was
// written before the level at which the house refused it. The journal holds all the same;
// the inspector asks the operator about the act.
type Finding struct {
	Check  Check
	Place  record.Place
	Kind   record.Kind
	Reason string
}

// String returns the finding as one sentence.
func (f Finding) String() string {
	return fmt.Sprintf("%s: record %v (%v): %s", f.Check, f.Place, f.Kind, f.Reason)
}

// MarshalJSON writes place and kind as people name them.
func (f Finding) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Check  Check  `json:"check"`
		Record string `json:"record"`
		Kind   string `json:"kind"`
		Reason string `json:"reason"`
	}{f.Check, f.Place.String(), f.Kind.String(), f.Reason})
}

// guard takes the objection of a guard that stands since record.LevelGuarded: from that
// level on the objection is a fault, and before it a finding. A nil objection is none.
func (c *checker) guard(objection error) error { return c.guardSince(record.LevelGuarded, objection) }

// newer takes the objection of a guard that stands since record.LevelSeries. Honest houses of record.LevelGuarded
// did what it refuses, before there was the guard.
func (c *checker) newer(objection error) error { return c.guardSince(record.LevelSeries, objection) }

// guardSince takes the objection of a guard that stands since a level: before it the objection is a finding.
func (c *checker) guardSince(level uint8, objection error) error {
	if objection == nil || c.level >= level {
		return objection
	}
	c.find(objection)
	return nil
}

// find lists an objection that does not fail the journal.
func (c *checker) find(objection error) {
	c.report.FindingCount++
	if len(c.report.Findings) >= maxFindings {
		return
	}
	finding := Finding{
		Check: CheckHouse, Reason: objection.Error(),
		Place: record.Place{Volume: c.volume().number, Seq: c.seq}, Kind: c.kind,
	}
	var e *faultError
	if errors.As(objection, &e) {
		finding.Check, finding.Reason = e.check, e.reason
	}
	c.report.Findings = append(c.report.Findings, finding)
}

// levelRaised checks that a level rises, and takes it.
func (c *checker) levelRaised(b *record.LevelRaised) error {
	if b.Level <= c.level {
		return fault(CheckHouse, "the level is raised from %d to %d", c.level, b.Level)
	}
	c.reach(b.Level)
	for _, s := range c.series {
		if s != nil {
			s.swept = 0 // Prizes that ran into void games move from now on.
		}
	}
	return nil
}

// buildNamed follows which program writes: it is named where it is another one than before.
func (c *checker) buildNamed(b *record.BuildNamed) error {
	if *b == c.build {
		return fault(CheckHouse, "build %s is named twice", b.Build)
	}
	c.build = *b
	return nil
}

// levelOf takes the level of a volume, which is not below that of the volume before.
func (c *checker) levelOf(b *record.VolumeBegun) error {
	if b.Level < c.level {
		return fault(CheckHouse, "the volume has level %d, and the journal has level %d", b.Level, c.level)
	}
	c.reach(b.Level)
	return nil
}

// reach takes the level that the journal has from now on. The day of the house on which its books get another form has
// counted less in its first part.
func (c *checker) reach(level uint8) {
	c.apart.mixed = c.apart.mixed || c.level != 0 && c.level < record.LevelSeries && level >= record.LevelSeries
	c.level = level
}
