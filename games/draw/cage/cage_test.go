package cage

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/refusal"
	"drawhouse/journal"
)

var (
	testGame  = journal.Game{Series: "casino-keno", Day: "2026-11-15", Number: 41}
	recorders = [2]string{"ann", "bob"}
	alone     = Act{By: []string{"ann"}}
	decided   = Act{By: []string{"carol", "dan"}, Why: "seen on the floor"}
)

func counted(n int) Event { return Counted{Act: alone, Balls: n} }
func started(revision uint32) Event {
	return Started{Act: alone, Game: testGame, Revision: revision, Recorders: recorders}
}
func keyed(who string, place, number int) Event {
	return Keyed{Act: Act{By: []string{who}}, Place: place, Number: number}
}

// do applies events that must be accepted.
func do(t testing.TB, s State, events ...Event) (State, Step) {
	t.Helper()
	var step Step
	for _, e := range events {
		var err error
		if s, step, err = s.Do(e); err != nil {
			t.Fatalf("%T: %v", e, err)
		}
	}
	return s, step
}

// drawing is a cage with a draw of which the numbers from 1 up are drawn.
func drawing(t testing.TB, numbers int) State {
	t.Helper()
	s, _ := do(t, State{}, counted(80), started(1))
	for n := 1; n <= numbers; n++ {
		s, _ = do(t, s, keyed("ann", n, n), keyed("bob", n, n))
	}
	return s
}

// refusedWith demands that an event is refused and changes nothing.
func refusedWith(t testing.TB, s State, e Event, code refusal.Code, clause string) {
	t.Helper()
	next, _, err := s.Do(e)
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Code != code || r.Clause != clause || r.Sentence == "" {
		t.Errorf("%T: %v, want %s by %q", e, err, code, clause)
	}
	if next != s {
		t.Errorf("%T was refused and changed the state", e)
	}
}

func TestWholeDraw(t *testing.T) {
	s := drawing(t, 19)
	s, step := do(t, s, keyed("bob", 20, 80), keyed("ann", 20, 80))
	if step.Outcome != Completed || s.Phase() != Complete || s.Drawn().Len() != 20 {
		t.Fatalf("%+v, %v", step, s.Phase())
	}
	refusedWith(t, s, keyed("ann", 21, 79), OutOfTurn, "7.5")
	refusedWith(t, s, started(2), OutOfTurn, "")
	s, step = do(t, s, ResultAccepted{Act: alone})
	if step.Outcome != Stands || s.Phase() != Accepted || s.ManualPayment() || s.ByHand() {
		t.Errorf("%+v, %v", step, s.Phase())
	}
	refusedWith(t, s, started(1), OutOfTurn, "")
	refusedWith(t, s, started(2), OutOfTurn, "")
	next := testGame
	next.Number++
	s, _ = do(t, s, Started{Act: alone, Game: next, Revision: 1, Recorders: recorders})
	if game, revision := s.Game(); game != next || revision != 1 {
		t.Errorf("the draw is of %v, revision %d", game, revision)
	}
}

// The two record independently, at their own pace, and neither sees the other's.
func TestKeying(t *testing.T) {
	s := drawing(t, 2)
	s, step := do(t, s, keyed("ann", 3, 30))
	if step.Outcome != Waits || s.Drawn().Len() != 2 || s.Keyed("ann") != 3 || s.Keyed("bob") != 2 ||
		s.Keyed("carol") != 0 || s.Keyed("") != 0 {
		t.Errorf("%+v: %v", step, s.Drawn())
	}
	s, _ = do(t, s, keyed("ann", 4, 40))
	s, step = do(t, s, keyed("bob", 3, 30))
	if step.Outcome != Drawn || s.Drawn().String() != "1 2 30" {
		t.Errorf("%+v: %v", step, s.Drawn())
	}
	for _, c := range []struct {
		e    Event
		code refusal.Code
		by   string
	}{
		{keyed("carol", 4, 40), NotARecorder, "7.7"},
		{Keyed{Act: Act{By: []string{"bob", "ann"}}, Place: 4, Number: 40}, NotARecorder, "7.7"},
		{keyed("bob", 5, 40), NotTheNext, "7.7"},
		{keyed("bob", 3, 40), NotTheNext, "7.7"},
		{keyed("bob", 4, 2), NotPossible, "7.5"},
		{keyed("bob", 4, 0), NotPossible, "7.5"},
		{keyed("bob", 4, 81), NotPossible, "7.5"},
		{keyed("", 4, 40), Approval, ""},
		{Keyed{Place: 4, Number: 40}, Approval, ""},
	} {
		refusedWith(t, s, c.e, c.code, c.by)
	}
	// They differ: both key again from that place, also who was ahead.
	s, step = do(t, s, keyed("ann", 5, 50), keyed("bob", 4, 41))
	if step.Outcome != Differs || step.Clause != "11.1" || s.Keyed("ann") != 3 || s.Keyed("bob") != 3 ||
		s.Drawn().Len() != 3 {
		t.Errorf("%+v: %v", step, s.Drawn())
	}
	s, _ = do(t, s, keyed("bob", 4, 40), keyed("ann", 4, 40))
	if s.Drawn().String() != "1 2 30 40" {
		t.Errorf("%v", s.Drawn())
	}
}

func TestStartIsLocked(t *testing.T) {
	refusedWith(t, State{}, started(1), BallsNotCounted, "2.3")
	for _, n := range []int{0, 79, 81} {
		s, step := do(t, State{}, counted(80), counted(n))
		if step.Outcome != Locked {
			t.Errorf("%d balls: %+v", n, step)
		}
		refusedWith(t, s, started(1), BallsNotCounted, "2.3")
	}
	ready, _ := do(t, State{}, counted(80))
	for _, r := range [][2]string{{"ann", "ann"}, {"", "bob"}, {"ann", ""}} {
		refusedWith(t, ready, Started{Act: alone, Game: testGame, Revision: 1, Recorders: r}, TwoRecorders, "7.7")
	}
	refusedWith(t, ready, started(2), OutOfTurn, "")
	for _, e := range []Event{
		FoundAtStart{Act: decided, Balls: 79}, HeldBack{Act: decided, Number: 5}, Broke{Act: decided, Number: 5},
		FellBack{Act: decided, Place: 1},
		Reread{Act: decided, Place: 1, Number: 2}, NotAccepted{Act: decided}, Abandoned{Act: decided}, keyed("ann", 1, 1),
		ResultAccepted{Act: alone},
	} {
		refusedWith(t, ready, e, OutOfTurn, "")
	}
	for _, e := range []Event{Repaired{Act: decided}, Rectified{Act: decided}} {
		if _, _, err := ready.Do(e); err == nil {
			t.Errorf("%T without need", e)
		}
	}
}

// Every decision takes two people and a reason.
func TestApprovals(t *testing.T) {
	s := drawing(t, 5)
	for _, make := range []func(Act) Event{
		func(a Act) Event { return FoundAtStart{Act: a, Balls: 79} },
		func(a Act) Event { return HeldBack{Act: a, Number: 70} },
		func(a Act) Event { return Broke{Act: a, Number: 70} },
		func(a Act) Event { return Failed{Act: a} },
		func(a Act) Event { return Repaired{Act: a} },
		func(a Act) Event { return FellBack{Act: a, Place: 2} },
		func(a Act) Event { return Reread{Act: a, Place: 2, Number: 70} },
		func(a Act) Event { return ComputerFailed{Act: a} },
		func(a Act) Event { return NotAccepted{Act: a} },
		func(a Act) Event { return Rectified{Act: a} },
		func(a Act) Event { return Abandoned{Act: a} },
	} {
		for _, a := range []Act{
			{}, {Why: "x"}, {By: []string{"carol"}, Why: "x"}, {By: []string{"carol", "carol"}, Why: "x"},
			{By: []string{"carol", ""}, Why: "x"}, {By: []string{"carol", "dan"}},
		} {
			refusedWith(t, s, make(a), Approval, "")
		}
	}
}

func TestVoidDraws(t *testing.T) {
	for _, c := range []struct {
		e      Event
		clause string
		locks  []refusal.Code
	}{
		{FoundAtStart{Act: decided, Balls: 79}, "11.3", []refusal.Code{BallsNotCounted}},
		{FoundAtStart{Act: decided, Balls: 81}, "2.3", []refusal.Code{BallsNotCounted}},
		{HeldBack{Act: decided, Number: 70}, "11.2", []refusal.Code{BallToReplace, BallsNotCounted}},
		{Broke{Act: decided, Number: 3}, "11.4(a)", []refusal.Code{BallToReplace, BallsNotCounted}},
	} {
		s, step := do(t, drawing(t, 5), c.e)
		if step.Outcome != Voided || step.Clause != c.clause || s.Phase() != Void || s.Clause() != c.clause {
			t.Errorf("%T: %+v, %v", c.e, step, s.Phase())
		}
		if s.Drawn().Len() != 5 {
			t.Errorf("%T: the numbers of a void draw are kept, and are %v", c.e, s.Drawn())
		}
		var locks []refusal.Code
		for _, l := range s.Locks() {
			locks = append(locks, l.Code)
		}
		if !slices.Equal(locks, c.locks) {
			t.Errorf("%T: locked by %v, want %v", c.e, locks, c.locks)
		}
		switch e := c.e.(type) {
		case HeldBack:
			refusedWith(t, s, Replaced{Act: alone, Number: 71}, BallToReplace, "11.2")
			s, _ = do(t, s, Replaced{Act: alone, Number: e.Number})
		case Broke:
			s, _ = do(t, s, Replaced{Act: alone, Number: e.Number})
		}
		s, _ = do(t, s, counted(80))
		refusedWith(t, s, started(1), OutOfTurn, c.clause)
		refusedWith(t, s, started(3), OutOfTurn, c.clause)
		s, _ = do(t, s, started(2))
		if _, revision := s.Game(); revision != 2 || s.Drawn().Len() != 0 || s.Clause() != "" {
			t.Errorf("%T: made again as %+v", c.e, s)
		}
	}
	s := drawing(t, 5)
	refusedWith(t, s, FoundAtStart{Act: decided, Balls: 80}, NoIrregularity, "11.3")
	refusedWith(t, s, HeldBack{Act: decided, Number: 5}, NoIrregularity, "11.2")
	refusedWith(t, s, HeldBack{Act: decided, Number: 81}, NoIrregularity, "11.2")
	refusedWith(t, s, Broke{Act: decided, Number: 0}, NotPossible, "11.4(a)")
	refusedWith(t, s, counted(80), OutOfTurn, "")
	refusedWith(t, s, Replaced{Act: alone, Number: 5}, OutOfTurn, "")
	// A ball found held back after the last number voids the draw as well.
	if s, step := do(t, drawing(t, 20), HeldBack{Act: decided, Number: 70}); step.Outcome != Voided || s.Phase() != Void {
		t.Errorf("%+v", step)
	}
	refusedWith(t, drawing(t, 20), Broke{Act: decided, Number: 70}, OutOfTurn, "")
}

func TestFailure(t *testing.T) {
	s, step := do(t, drawing(t, 5), Failed{Act: decided})
	if step.Outcome != Locked || step.Clause != "11.4(b)" || !s.ByHand() || s.Phase() != Drawing {
		t.Errorf("%+v", step)
	}
	refusedWith(t, s, Repaired{Act: decided}, OutOfTurn, "")
	for n := 6; n <= 20; n++ {
		s, _ = do(t, s, keyed("ann", n, n), keyed("bob", n, n))
	}
	s, _ = do(t, s, ResultAccepted{Act: alone})
	next := testGame
	next.Number++
	begin := Started{Act: alone, Game: next, Revision: 1, Recorders: recorders}
	refusedWith(t, s, begin, NotRepaired, "11.4(b)")
	s, _ = do(t, s, Repaired{Act: decided})
	refusedWith(t, s, begin, BallsNotCounted, "2.3")
	refusedWith(t, s, Repaired{Act: decided}, NoIrregularity, "11.4(b)")
	do(t, s, counted(80), begin)
	// A device that fails between draws is locked too.
	s, step = do(t, State{}, counted(80), Failed{Act: decided})
	if step.Outcome != Locked || s.ByHand() {
		t.Errorf("%+v", step)
	}
	refusedWith(t, s, started(1), NotRepaired, "11.4(b)")
}

func TestFallingBack(t *testing.T) {
	s, step := do(t, drawing(t, 5), FellBack{Act: decided, Place: 2})
	if step.Outcome != Struck || step.Clause != "11.4(c)(i)" || s.Drawn().String() != "1 3 4 5" || !s.ByHand() {
		t.Errorf("%+v: %v", step, s.Drawn())
	}
	// The ball is in the device again and may be drawn again.
	s, _ = do(t, s, keyed("ann", 5, 2), keyed("bob", 5, 2))
	s, step = do(t, s, FellBack{Act: decided, Place: 1, Video: "tape 7"})
	if step.Outcome != Kept || step.Clause != "11.4(c)(ii)" || s.Drawn().String() != "1 3 4 5 2" {
		t.Errorf("%+v: %v", step, s.Drawn())
	}
	refusedWith(t, s, keyed("ann", 6, 1), NotPossible, "7.5")
	// One of the two was ahead: what was keyed moves up for both.
	s, _ = do(t, s, keyed("ann", 6, 60), keyed("ann", 7, 70))
	s, _ = do(t, s, FellBack{Act: decided, Place: 5})
	s, _ = do(t, s, keyed("bob", 5, 60), keyed("bob", 6, 70))
	if s.Drawn().String() != "1 3 4 5 60 70" {
		t.Errorf("%v", s.Drawn())
	}
	// Before it was entered: from the recording, or not at all.
	ahead, _ := do(t, s, keyed("ann", 7, 9))
	if next, step := do(t, ahead, FellBack{Act: decided, Place: 7, Video: "tape 8"},
		keyed("bob", 7, 9)); step.Outcome != Drawn || next.Drawn().At(6) != 9 {
		t.Errorf("%+v: %v", step, next.Drawn())
	}
	if next, step := do(t, ahead, FellBack{Act: decided, Place: 7}); step.Outcome != Struck || next.Keyed("ann") != 6 ||
		next.Drawn() != ahead.Drawn() {
		t.Errorf("%+v: %v", step, next.Drawn())
	}
	for _, place := range []int{0, 8, -1} {
		refusedWith(t, s, FellBack{Act: decided, Place: place}, NotPossible, "11.4(c)(i)")
	}
	refusedWith(t, drawing(t, 20), FellBack{Act: decided, Place: 1}, OutOfTurn, "")
}

func TestOfficialRecord(t *testing.T) {
	s, _ := do(t, drawing(t, 5), keyed("ann", 6, 60))
	s, step := do(t, s, Reread{Act: decided, Place: 2, Number: 22})
	if step.Outcome != Corrected || step.Clause != "11.1" || s.Drawn().String() != "1 22 3 4 5" {
		t.Errorf("%+v: %v", step, s.Drawn())
	}
	refusedWith(t, s, Reread{Act: decided, Place: 2, Number: 3}, NotPossible, "11.1")
	refusedWith(t, s, Reread{Act: decided, Place: 2, Number: 60}, NotPossible, "11.1")
	refusedWith(t, s, Reread{Act: decided, Place: 2, Number: 81}, NotPossible, "11.1")
	refusedWith(t, s, Reread{Act: decided, Place: 6, Number: 7}, NotPossible, "11.1")
	s, _ = do(t, s, keyed("bob", 6, 60))
	if s.Drawn().String() != "1 22 3 4 5 60" {
		t.Errorf("%v", s.Drawn())
	}
	done, _ := do(t, drawing(t, 20), Reread{Act: decided, Place: 20, Number: 80})
	if done.Drawn().At(19) != 80 || done.Phase() != Complete {
		t.Errorf("%v", done.Drawn())
	}
}

func TestComputer(t *testing.T) {
	refusedWith(t, drawing(t, 19), NotAccepted{Act: decided}, OutOfTurn, "11.7")
	s, step := do(t, drawing(t, 20), NotAccepted{Act: decided})
	if step.Outcome != Stands || step.Clause != "11.7" || !s.ManualPayment() || s.Phase() != Complete {
		t.Errorf("%+v", step)
	}
	refusedWith(t, s, ResultAccepted{Act: alone}, NotRectified, "11.7")
	s, _ = do(t, s, Rectified{Act: decided}, ResultAccepted{Act: alone})
	if !s.ManualPayment() || s.Phase() != Accepted {
		t.Errorf("%+v", s)
	}
	// Between games.
	s, step = do(t, State{}, counted(80), ComputerFailed{Act: decided})
	if step.Outcome != Locked || step.Clause != "11.5" {
		t.Errorf("%+v", step)
	}
	refusedWith(t, s, started(1), NotRectified, "11.5")
	do(t, s, Rectified{Act: decided}, started(1))
}

func TestAbandoned(t *testing.T) {
	for _, s := range []State{drawing(t, 7), first(do(t, drawing(t, 7), Broke{Act: decided, Number: 9}))} {
		s, step := do(t, s, Abandoned{Act: decided})
		if step.Outcome != Voided || step.Clause != "11.6" || s.Clause() != "11.6" {
			t.Errorf("%+v", step)
		}
		if s.Locks() != nil && s.Locks()[0].Code == BallToReplace {
			s, _ = do(t, s, Replaced{Act: alone, Number: 9})
		}
		s, _ = do(t, s, counted(80))
		refusedWith(t, s, started(2), OutOfTurn, "")
		next := testGame
		next.Number++
		do(t, s, Started{Act: alone, Game: next, Revision: 1, Recorders: recorders})
	}
}

func first[A, B any](a A, _ B) A { return a }

// TestRandomDraws plays draws with two recorders who err and balls that fall back,
// and holds the machine against the balls: what is drawn is what lies in the arms,
// in order, and what a recording has shown.
func TestRandomDraws(t *testing.T) {
	completed := 0
	rapid.Check(t, func(rt *rapid.T) {
		s, _ := do(t, State{}, counted(80), started(1))
		var arms []int // the balls as they count, in order
		for steps := 0; s.Phase() == Drawing && steps < 2000; steps++ {
			switch what := rapid.IntRange(0, 9).Draw(rt, "what"); {
			case what == 0 && s.Drawn().Len() > 0:
				place := rapid.IntRange(1, s.Drawn().Len()).Draw(rt, "place")
				video := rapid.SampledFrom([]string{"", "tape"}).Draw(rt, "video")
				s, _ = do(t, s, FellBack{Act: decided, Place: place, Video: video})
				if video == "" {
					arms = slices.Delete(arms, place-1, place)
				}
			default:
				if len(arms) == 0 || len(arms) == min(s.Keyed("ann"), s.Keyed("bob")) && len(arms) < Numbers {
					arms = append(arms, rapid.IntRange(1, 80).Filter(func(n int) bool { return !slices.Contains(arms, n) }).Draw(rt,
						"ball"))
				}
				who := rapid.SampledFrom(recorders[:]).Draw(rt, "who")
				place := s.Keyed(who) + 1
				if place > len(arms) {
					continue
				}
				number := arms[place-1]
				if what == 1 {
					number = rapid.IntRange(1, 80).Draw(rt, "slip")
				}
				var err error
				var r *refusal.Refusal
				if s, _, err = s.Do(keyed(who, place, number)); err != nil && (!errors.As(err, &r) || r.Code != NotPossible) {
					rt.Fatal(err)
				}
			}
			drawn := s.Drawn().Numbers()
			// Two slips can agree; then the balls are read again.
			for i, n := range drawn {
				if n != arms[i] && !slices.Contains(drawn, arms[i]) && s.Keyed("ann") == len(drawn) &&
					s.Keyed("bob") == len(drawn) {
					s, _ = do(t, s, Reread{Act: decided, Place: i + 1, Number: arms[i]})
				}
			}
		}
		if s.Phase() != Complete {
			return
		}
		completed++
		if !slices.Equal(s.Drawn().Numbers(), arms) {
			rt.Fatalf("recorded %v, drawn were %v", s.Drawn(), arms)
		}
	})
	if completed == 0 {
		t.Error("no draw was completed: nothing was compared")
	}
}
