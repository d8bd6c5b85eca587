package draw

import (
	"errors"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/draw/cage"
	"drawhouse/journal"
)

var (
	byAnn     = cage.Act{By: []string{"ann"}}
	byTwo     = cage.Act{By: []string{"carol", "dan"}, Why: "seen on the floor"}
	recorders = [2]string{"ann", "bob"}
)

func testCage(t testing.TB) *Cage {
	t.Helper()
	c, err := NewCage(testKeys(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// attend applies events that must be accepted.
func attend(t testing.TB, s cage.State, events ...cage.Event) cage.State {
	t.Helper()
	for _, e := range events {
		var err error
		if s, _, err = s.Do(e); err != nil {
			t.Fatalf("%T: %v", e, err)
		}
	}
	return s
}

// begun returns a cage in which some numbers of a draw are keyed by both.
func begun(t testing.TB, plan Plan, numbers ...int) cage.State {
	t.Helper()
	s := attend(t, cage.State{}, cage.Counted{Act: byAnn, Balls: cage.Balls},
		cage.Started{Act: byAnn, Game: plan.Game, Revision: plan.Revision, Recorders: recorders})
	for i, n := range numbers {
		for _, who := range recorders {
			s = attend(t, s, cage.Keyed{Act: cage.Act{By: []string{who}}, Place: i + 1, Number: n})
		}
	}
	return s
}

func someNumbers(n int) []int {
	var numbers []int
	for i := range n {
		numbers = append(numbers, 80-3*i)
	}
	return numbers
}

func entered(t testing.TB, plan Plan) cage.State {
	t.Helper()
	return attend(t, begun(t, plan, someNumbers(20)...), cage.ResultAccepted{Act: byAnn})
}

func TestCageGivesOutAndSigns(t *testing.T) {
	c, plan := testCage(t), KenoPlan(testGame, 1)
	seal, state := testSeal(t, testGame, "house"), entered(t, plan)
	drawing, err := c.Start(plan, seal, state, ball.Sequence{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drawing.Sign(); err == nil {
		t.Error("signed before the first number")
	}
	for i, want := range someNumbers(20) {
		if pick, err := drawing.Next(i + 1); err != nil || pick.Number != want || pick.Bytes != nil {
			t.Fatalf("number %d is %+v: %v", i+1, pick, err)
		}
	}
	msg, err := drawing.Sign()
	if err != nil {
		t.Fatal(err)
	}
	_, verifier := testKey(t, "device")
	result, _, err := OpenResult(msg, verifier)
	want := Result{Device: "cage", Game: testGame, Revision: 1, Seal: seal.Body().Hash(),
		Numbers: mustSequence(t, ball.Keno, someNumbers(20)...)}
	if err != nil || result != want {
		t.Errorf("result %+v: %v", result, err)
	}
	// A house that was started again goes on behind what it has recorded.
	again, err := testCage(t).Start(plan, seal, state, mustSequence(t, ball.Keno, someNumbers(7)...), nil)
	if err != nil {
		t.Fatal(err)
	}
	if pick, err := again.Next(8); err != nil || pick.Number != someNumbers(8)[7] {
		t.Errorf("number 8 is %+v: %v", pick, err)
	}
	if _, err := NewCage(Keys{}); err == nil {
		t.Error("a cage without a key")
	}
}

func TestCageAsksForTheSeal(t *testing.T) {
	c, plan := testCage(t), KenoPlan(testGame, 1)
	state := entered(t, plan)
	for what, seal := range map[string]journal.Seal{
		"no": {}, "a stranger's": testSeal(t, testGame, "stranger"),
		"another game's": testSeal(t, gameAfter(testGame, 1), "house"),
	} {
		if _, err := c.Start(plan, seal, state, ball.Sequence{}, nil); !errors.Is(err, ErrSeal) {
			t.Errorf("begun under %s seal: %v", what, err)
		}
	}
	for _, p := range []Plan{{}, BingoPlan(testGame, 1, ball.Bingo),
		{Game: testGame, Revision: 1, Universe: ball.Keno, Least: 19, Most: 20}} {
		if _, err := c.Start(p, testSeal(t, testGame, "house"), state, ball.Sequence{}, nil); err == nil {
			t.Errorf("begun with the plan %+v", p)
		}
	}
}

// Numbers leave only when the result is entered, of the draw that it is of.
func TestCageWaitsForTheResult(t *testing.T) {
	c, plan, seal := testCage(t), KenoPlan(testGame, 1), testSeal(t, testGame, "house")
	for what, state := range map[string]cage.State{
		"an idle cage": {}, "seven numbers": begun(t, plan, someNumbers(7)...),
		"twenty numbers that are not entered": begun(t, plan, someNumbers(20)...),
		"a void draw": attend(t, begun(t, plan, someNumbers(7)...),
			cage.Broke{Act: byTwo, Number: 9}),
		"another game":      entered(t, KenoPlan(gameAfter(testGame, 1), 1)),
		"a draw made void":  attend(t, entered(t, plan), cage.HeldBack{Act: byTwo, Number: 2}),
		"an abandoned game": attend(t, begun(t, plan), cage.Abandoned{Act: byTwo}),
	} {
		if _, err := c.Start(plan, seal, state, ball.Sequence{}, nil); !errors.Is(err, ErrNotEntered) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := c.Start(KenoPlan(testGame, 2), seal, entered(t, plan), ball.Sequence{}, nil); !errors.Is(err,
		ErrNotEntered) {
		t.Errorf("another revision: %v", err)
	}
	if err := c.Err(); err != nil {
		t.Errorf("the device has stopped for want of a result: %v", err)
	}
}

func TestCageTripwires(t *testing.T) {
	plan, seal := KenoPlan(testGame, 1), testSeal(t, testGame, "house")
	state := entered(t, plan)
	for what, try := range map[string]struct {
		drawn  ball.Sequence
		recent []ball.Sequence
		want   error
	}{
		"other numbers recorded": {mustSequence(t, ball.Keno, 80, 1), nil, ErrContradiction},
	} {
		c := testCage(t)
		if _, err := c.Start(plan, seal, state, try.drawn, try.recent); !errors.Is(err, try.want) ||
			!errors.Is(c.Err(), try.want) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := c.Start(plan, seal, state, ball.Sequence{}, nil); !errors.Is(err, try.want) {
			t.Errorf("%s: the device goes on: %v", what, err)
		}
	}
}
