package wire

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/internal/beacontest"
	"drawhouse/journal"
	"drawhouse/journal/public"
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
	s.today = laterDay
	for _, o := range s.offices {
		s.log.add(o.committedOn(s.today))
	}
	s.show(s.log, s.offices...)
}

// publishes reports whether an office publishes its link of a game.
func (o *office) publishes(p *played) bool {
	o.t.Helper()
	link, err := o.on(p.ref.Day).Link(p.name)
	if err != nil {
		o.t.Fatal(err)
	}
	_, _, said := o.get("/published")
	return strings.Contains(said, strings.ReplaceAll(link.Marshal(), "\n", `\n`))
}

// letGo has the people of every office say at a start that they let games go, once it has said what it waits for.
func (s *stage) letGo(games ...*played) {
	s.t.Helper()
	for _, o := range s.offices {
		if _, err := s.cosign(o); err == nil || !strings.Contains(err.Error(), "have not let that go") {
			s.t.Fatalf("%s does not say what it waits for: %v", o.name, err)
		}
		o.restart()
		for _, p := range games {
			if err := o.server.LetGo(p.name); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// lets reports which games an office lets go now that are said to be let go.
func (o *office) lets(games ...*played) (now []journal.Game) {
	o.t.Helper()
	var names []journal.Game
	for _, p := range games {
		names = append(names, p.name)
	}
	now, _, err := o.server.config.Custody.Gate.LetGo(names, func(witness.GateEntry) error { return nil })
	if err != nil {
		o.t.Error(err)
	}
	return now
}

// TestSuccessor ends a log with a game whose seal had the cosignatures of both custodians, and begins the next. The
// custodians follow it once their people let the game go, over a restart, and draw by the same rule. They publish their
// links of the game that was left, so that it was no free try, and stop for good if it is sealed a second time.
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
	for range 2 {
		for _, o := range s.offices {
			_, err := s.cosign(o)
			refused(t, err, "412", "leaves vic-keno 2026-11-15 418 (has no result)")
			refused(t, err, "412", "--let-go vic-keno/2026-11-15/418")
			if o.publishes(left) || o.stopped() != nil {
				t.Errorf("%s publishes the link, or has stopped: %+v", o.name, o.stopped())
			}
			o.restart()
		}
	}
	s.letGo(left)
	a.restart()
	if games := a.lets(left); len(games) > 0 {
		t.Errorf("let go once more: %v", games)
	}
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
}

// TestAttackDayAgain begins a log that follows, and has the people of the custodians let go what it leaves. Then the
// house opens or seals a game of a Keno Day of the first log again, where links are known: one that was left, one that
// ended rightly, the next one of the day, or one of an earlier day. No custodian cosigns such a log, with and without
// the words of its people, and after restarts; it goes on with the log that has a later day in that place.
func TestAttackDayAgain(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	ended := s.seal()
	s.draw(ended)
	left := s.seal()
	if _, err := s.ask(a, left, s.quorum()); err != nil {
		t.Fatal(err)
	}
	s.succeed(nil)
	s.letGo(left)
	s.draw(s.seal()) // Log 2 is followed.
	whole := slices.Clone(s.log.entries)
	earlier, err := testDay.AddDays(-1)
	if err != nil {
		t.Fatal(err)
	}
	again := func(name string, lie func()) {
		lie()
		for _, o := range s.offices { // They were let go of once, and their people say so again.
			o.restart()
			o.lets(left)
		}
		before, _ := a.server.config.Custody.Gate.Copied()
		for range 2 {
			for _, o := range s.offices {
				_, err := s.cosign(o)
				refused(t, err, "412", "an earlier log had games of this Keno Day")
				o.restart()
			}
		}
		if copied, _ := a.server.config.Custody.Gate.Copied(); copied != before || a.stopped() != nil {
			t.Errorf("%s: it has %v, had %v, and stopped: %+v", name, copied, before, a.stopped())
		}
	}
	for name, game := range map[string]journal.Game{
		"a game that was left":      left.name,
		"a game that ended rightly": ended.name,
		"the next game of the day":  {Series: left.name.Series, Day: left.name.Day, Number: left.name.Number + 1},
		"a game of a day before":    {Series: left.name.Series, Day: earlier.String()},
	} {
		again(name, func() {
			s.log.say(public.Opened, "series "+game.Series, "day "+game.Day, fmt.Sprintf("game %d", game.Number), "id 99",
				"closes 1", "rulebook "+journal.Hash{}.String(), "schedule s")
		})
		s.log.entries = slices.Clone(whole)
	}
	s.draw(s.seal())
	again("a seal without an opening", func() { twice := *left; s.reseal(&twice) })
}

// TestAttackSuccessor has the house see the result of a game, leave it, begin a log that follows, and ask for the next
// game. No custodian follows, with or without a restart, so that the house has no second try.
func TestAttackSuccessor(t *testing.T) {
	for name, c := range map[string]struct {
		beacon bool
		end    func(*stage, *played)
		leaves bool
	}{
		"links given":              {false, func(s *stage, p *played) { s.links(p, s.quorum()) }, true},
		"links given and a beacon": {true, func(s *stage, p *played) { s.links(p, s.quorum()) }, true},
		"one link given": {false, func(s *stage, p *played) {
			if _, err := s.ask(s.offices[0], p, s.quorum()); err != nil {
				s.t.Fatal(err)
			}
		}, true},
		"links in the log": {false, func(s *stage, p *played) {
			s.links(p, s.quorum())
			for _, link := range p.given {
				s.give(p, link)
			}
			s.quorum()
		}, true},
		"a void behind the quorum": {false, func(s *stage, p *played) {
			other, note := *p, s.quorum()
			other.name.Number = 499
			for _, o := range s.offices { // It learns of the quorum, and gives no link.
				if _, err := s.ask(o, &other, note); err == nil {
					s.t.Error("a link was given")
				}
			}
			s.voids(p)
			for _, o := range s.offices {
				s.give(p, o.rebuilt(p))
			}
			s.quorum()
		}, true},
		"a void that the rules demand": {false, func(s *stage, p *played) {
			s.links(p, s.quorum())
			for _, link := range p.given {
				s.give(p, link)
			}
			s.voids(p)
			s.quorum()
		}, false},
		"a void that nobody showed to be late": {false, func(s *stage, p *played) {
			s.quorum()
			s.voids(p)
			s.quorum()
		}, true},
		"a void before the quorum": {false, func(s *stage, p *played) {
			s.voids(p)
			s.quorum()
		}, false},
		"a result": {false, func(s *stage, p *played) {
			s.draw(p)
			s.quorum()
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			if c.beacon {
				relay := beacontest.New(cosignsAt.Unix()+10, 30)
				s.chooses(relay)
				s.closes, s.round = record.Time(relay.At(1)-beacon.Delay), 1
			}
			p := s.seal()
			c.end(s, p)
			s.closes, s.round = 0, 0
			s.succeed(nil)
			for range 2 {
				for _, o := range s.offices {
					_, err := s.cosign(o)
					switch {
					case !c.leaves && err != nil:
						t.Errorf("%s: %v", o.name, err)
					case c.leaves:
						refused(t, err, "412", "leaves vic-keno 2026-11-15 417 (")
					}
					o.restart()
				}
			}
			s.today = testDay
			s.seal()
			_, err := s.cosign(s.offices[0])
			refused(t, err, "412", map[bool]string{true: "leaves vic-keno", false: "had games of this Keno Day"}[c.leaves])
			if s.offices[0].stopped() != nil {
				t.Errorf("stopped: %+v", s.offices[0].stopped())
			}
		})
	}
}

// TestLetGo says at a start which games are let go. It takes those that wait for it, counts for these and no others,
// and once: said again it lets nothing go, also of a log before. If one of several cannot be let go, none is.
func TestLetGo(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	first := s.seal()
	s.quorum()
	before := size(t, a.state)
	err := a.server.LetGo(first.name)
	if err == nil || !strings.Contains(err.Error(), "that wait to be let go in keno.example/log: there are none") {
		t.Errorf("a game is let go for which nothing waits: %v", err)
	}
	if size(t, a.state) != before {
		t.Error("the book keeps what was refused")
	}
	for _, link := range s.linksOf(first) {
		s.give(first, link)
	}
	s.result(first, s.numbers(first))
	second, third := s.seal(), *testPlayed
	s.links(second, s.quorum())
	s.succeed(nil)
	s.letGo(first)
	_, err = s.cosign(a)
	refused(t, err, "412", "leaves vic-keno 2026-11-15 418 (has no result):")
	before = size(t, a.state)
	if err := a.server.LetGo(second.name, third.name); err == nil || !strings.Contains(err.Error(), "is none of the games") {
		t.Errorf("a game is let go that the log does not have: %v", err)
	}
	if size(t, a.state) != before {
		t.Error("one of two games was let go although the other could not be")
	}
	s.letGo(second)
	s.draw(s.seal())
	for _, o := range s.offices { // The flags are still there.
		o.restart()
		if now := o.lets(first, second); len(now) > 0 {
			t.Errorf("let go again: %v", now)
		}
	}
	if !a.publishes(second) {
		t.Error("the link of the game that was let go is not published")
	}
}

// TestLetGoForALogThatNeverCame lets a game go for a log that leaves it. Then the disk is found, and the first log goes
// on: the game is declared void there. What people have said counts for that, also after a restart, and the flag that
// is still there does no harm.
func TestLetGoForALogThatNeverCame(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	s.quorum()
	other := &stage{t: t, today: testDay, log: s.same(), offices: s.offices}
	other.seal()
	other.succeed(nil)
	other.letGo(p)
	s.show(s.log, s.offices...)
	a := s.offices[0]
	if a.publishes(p) {
		t.Error("the link is published before the game has ended")
	}
	for range 2 { // The flag is still there.
		a.restart()
		now, before, err := a.server.config.Custody.Gate.LetGo([]journal.Game{p.name}, nil)
		if err != nil || len(now) > 0 || !slices.Equal(before, []journal.Game{p.name}) {
			t.Errorf("said again, it is let go now: %v, before: %v, %v", now, before, err)
		}
	}
	s.voids(p)
	next := s.seal()
	for range 2 {
		if _, err := s.ask(a, next, s.quorum()); err != nil {
			t.Errorf("the game that was let go is in the way: %v", err)
		}
		if !a.publishes(p) {
			t.Error("the link of the game that was let go is not published")
		}
		a.restart()
	}
	s.draw(next)
	again := s.seal()
	s.quorum()
	s.voids(again)
	_, err := s.ask(a, s.seal(), s.quorum())
	refused(t, err, "428", letGoFlag(again))
}

func letGoFlag(p *played) string {
	return fmt.Sprintf("--let-go %s/%s/%d", p.name.Series, p.name.Day, p.name.Number)
}

// TestLetGoTooEarly names a game while it is sealed, and again once it is void and in the way: the first is refused and
// does not use up the second.
func TestLetGoTooEarly(t *testing.T) {
	s := newStage(t)
	a := s.offices[0]
	p := s.seal()
	s.quorum()
	for range 2 {
		if err := a.server.LetGo(p.name); err == nil || !strings.Contains(err.Error(), "start without it until then") {
			t.Errorf("let go before it waits: %v", err)
		}
		a.restart()
	}
	s.voids(p)
	next := s.seal()
	_, err := s.ask(a, next, s.quorum())
	refused(t, err, "428", letGoFlag(p))
	err = a.server.LetGo(next.name)
	if err == nil || !strings.Contains(err.Error(), "in keno.example/log: "+p.name.String()+".") {
		t.Errorf("another game is let go: %v", err)
	}
	if err := a.server.LetGo(p.name); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ask(a, next, s.quorum()); err != nil || !a.publishes(p) {
		t.Errorf("let go, published %v: %v", a.publishes(p), err)
	}
}

// testPlayed is a game that no log has.
var testPlayed = &played{name: journal.Game{Series: testGame.Series, Day: testGame.Day, Number: 499}}

// size returns the length of a file.
func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// linksOf has both links of a game given.
func (s *stage) linksOf(p *played) []draw.Link {
	s.t.Helper()
	s.links(p, s.quorum())
	return p.given
}

// TestBeginningWithinALog hides the beginning of the log that follows behind other entries of the first one.
func TestBeginningWithinALog(t *testing.T) {
	s := newStage(t)
	s.links(s.seal(), s.quorum())
	before := slices.Clone(s.log.entries)
	ends := s.log.checkpoint()
	s.log.origin += "2"
	s.log.begin(&ends)
	s.log.origin = testLog
	s.log.entries = append(before, s.log.entries[len(s.log.entries)-1])
	s.log.say(public.DayClosed, "series "+testGame.Series)
	_, err := s.cosign(s.offices[0])
	if err == nil {
		t.Error("it is cosigned")
	}
	if copied, _ := s.offices[0].server.config.Custody.Gate.Copied(); copied.Origin != testLog {
		t.Errorf("the custodian follows %v", copied)
	}
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
	right := &stage{t: t, today: testDay, log: s.same(), offices: s.offices}
	left := right.seal()
	right.succeed(nil)
	right.letGo(left)
	right.draw(right.seal())
	right.log.origin = testLog + "4"
	note := right.log.signed()
	_, err := s.offices[0].client().Cosign(t.Context(), note, 0, right.log.prove)
	refused(t, err, "404", "goes on with the one that follows it alone")
}
