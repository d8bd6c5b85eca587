package wire

import (
	"strings"
	"testing"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// succeed begins the log that follows, behind some end of the one before, with what its readers must know, and shows
// it.
func (s *stage) succeed(ended *journal.Checkpoint) {
	s.t.Helper()
	next := *s.log
	next.origin, next.entries = testLog+"2", nil
	s.log = &next
	s.log.begin(ended)
	chosen := &record.DeviceChosen{Series: 1, Device: record.DeviceWitnessed}
	for _, o := range s.offices {
		_, vkey, _ := linksKey(s.t, o.name)
		chosen.Custodians = append(chosen.Custodians, record.Custodian{Name: o.name, Key: vkey})
	}
	s.log.add(chosen)
	for _, o := range s.offices {
		s.log.add(o.committed())
	}
	s.show(s.log, s.offices...)
}

// publishes reports whether an office publishes its link of a game.
func (o *office) publishes(p *played) bool {
	o.t.Helper()
	link, err := o.links.Link(p.name)
	if err != nil {
		o.t.Fatal(err)
	}
	_, _, said := o.get("/published")
	return strings.Contains(said, strings.ReplaceAll(link.Marshal(), "\n", `\n`))
}

// TestSuccessor ends a log with a game whose seal had the cosignatures of both custodians, and begins the next. The
// custodians follow it, over a restart, and draw by the same rule. They publish their links of the game that was
// left, so that it was no free try, and stop for good if it is sealed a second time.
func TestSuccessor(t *testing.T) {
	s := newStage(t)
	s.draw(s.seal())
	left := s.seal()
	s.quorum()
	a := s.offices[0]
	if a.publishes(left) {
		t.Error("a link is published before the log has ended")
	}
	s.succeed(nil)
	s.draw(s.seal())
	a.restart()
	s.draw(s.seal())
	early := s.seal()
	note, err := s.cosign(a)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ask(a, early, note)
	refused(t, err, "403", "operator.example has not cosigned")
	for _, o := range s.offices {
		if copied, _ := o.server.config.Custody.Gate.Copied(); copied.Origin != testLog+"2" || o.stopped() != nil {
			t.Errorf("%s follows %v, stopped: %v", o.name, copied, o.stopped())
		}
		if !o.publishes(left) {
			t.Errorf("%s does not publish its link of the game that was left", o.name)
		}
	}
	if a.publishes(early) {
		t.Error("a link of a game under way is published")
	}
	s.log.add(&record.GameOpened{Game: left.ref, Ordinal: 99, Closes: 1, Schedule: "s"})
	s.voids(early)
	s.reseal(left)
	_, err = s.ask(a, left, s.quorum())
	refused(t, err, "409", "another seal than the one under which its link was given out")
}

// TestSuccessorOfAnotherEnd begins a log that gives up entries which custodians have. They do not follow it, and go on
// when the log names the end that they have. A log that leaves one out they do not follow either.
func TestSuccessorOfAnotherEnd(t *testing.T) {
	s := newStage(t)
	short := s.log.checkpoint()
	s.seal()
	s.quorum()
	s.succeed(&short)
	for _, o := range s.offices {
		_, err := s.cosign(o)
		refused(t, err, "412", "follows another end of the one before than is known here")
		if o.stopped() != nil {
			t.Errorf("%s has stopped: %+v", o.name, o.stopped())
		}
	}
	right := &stage{t: t, log: s.same(), offices: s.offices}
	right.seal()
	right.succeed(nil)
	right.draw(right.seal())
	right.log.origin = testLog + "4"
	note := right.log.signed()
	_, err := s.offices[0].client().Cosign(t.Context(), note, 0, right.log.prove)
	refused(t, err, "404", "goes on with the one that follows it alone")
}
