package draw

import (
	"errors"
	"testing"

	"drawhouse/ball"
	"drawhouse/draw/cage"
	"drawhouse/journal"
)

var (
	byAnn     = cage.Act{By: []string{"ann"}}
	byTwo     = cage.Act{By: []string{"carol", "dan"}, Why: "seen on the floor"}
	recorders = [2]string{"ann", "bob"}
)

// attended is a cage that records its events as a house does.
type attended struct {
	*Cage
	events []cage.Event
}

func testCage(t testing.TB) *attended {
	t.Helper()
	c, err := NewCage(testKeys(t))
	if err != nil {
		t.Fatal(err)
	}
	a := &attended{Cage: c}
	a.must(t, cage.Counted{Act: byAnn, Balls: cage.Balls})
	return a
}

func (a *attended) must(t testing.TB, e cage.Event) {
	t.Helper()
	step, err := a.Do(e)
	if err != nil {
		t.Fatal(err)
	}
	a.events = append(a.events, step.Event)
}

func (a *attended) start(t testing.TB, plan Plan) {
	t.Helper()
	step, err := a.Start(plan, testSeal(t, plan.Game, "house"), recorders, byAnn)
	if err != nil {
		t.Fatal(err)
	}
	a.events = append(a.events, step.Event)
}

// key has both recorders key numbers at the next places.
func (a *attended) key(t testing.TB, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		place := a.State().Drawn().Len() + 1
		for _, who := range recorders {
			a.must(t, cage.Keyed{Act: cage.Act{By: []string{who}}, Place: place, Number: n})
		}
	}
}

func someNumbers(n int) []int {
	var numbers []int
	for i := range n {
		numbers = append(numbers, 80-3*i)
	}
	return numbers
}

func TestCageDrawsAndSigns(t *testing.T) {
	a, plan := testCage(t), KenoPlan(testGame, 1)
	a.start(t, plan)
	a.key(t, someNumbers(19)...)
	if _, _, err := a.Sign(byAnn, nil); err == nil {
		t.Error("signed with 19 numbers")
	}
	a.key(t, 2)
	msg, step, err := a.Sign(byAnn, nil)
	if err != nil || step.Outcome != cage.Stands {
		t.Fatalf("%+v: %v", step, err)
	}
	a.events = append(a.events, step.Event)
	_, verifier := testKey(t, "device")
	result, _, err := OpenResult(msg, verifier)
	want := Result{Device: "cage", Game: testGame, Revision: 1, Seal: testSeal(t, testGame, "house").Body().Hash(),
		Numbers: mustSequence(t, ball.Keno, append(someNumbers(19), 2)...)}
	if err != nil || result != want {
		t.Errorf("result %+v: %v", result, err)
	}
	again, _, err := a.Sign(byAnn, nil)
	if err != nil || string(again) != string(msg) {
		t.Errorf("signed again: %v", err)
	}
	// The state is its events: a restarted house stands where it stood.
	restored, err := NewCage(testKeys(t), a.events...)
	if err != nil || restored.State() != a.State() {
		t.Errorf("restored: %v", err)
	}
	if _, err := NewCage(testKeys(t), a.events[1:]...); err == nil {
		t.Error("restored without the count of the balls")
	}
	if _, err := NewCage(Keys{}); err == nil {
		t.Error("a cage without a key")
	}
}

func TestCageAsksForTheSeal(t *testing.T) {
	a, plan := testCage(t), KenoPlan(testGame, 1)
	for what, seal := range map[string]journal.Seal{
		"no": {}, "a stranger's": testSeal(t, testGame, "stranger"), "another game's": testSeal(t, gameAfter(testGame, 1), "house"),
	} {
		if _, err := a.Start(plan, seal, recorders, byAnn); !errors.Is(err, ErrSeal) {
			t.Errorf("begun under %s seal: %v", what, err)
		}
	}
	for _, p := range []Plan{{}, BingoPlan(testGame, 1), {Game: testGame, Revision: 1, Universe: ball.Keno, Least: 19, Most: 20}} {
		if _, err := a.Start(p, testSeal(t, testGame, "house"), recorders, byAnn); err == nil {
			t.Errorf("begun with the plan %+v", p)
		}
	}
	hash := testSeal(t, testGame, "house").Body().Hash()
	if _, err := a.Do(cage.Started{Act: byAnn, Game: testGame, Revision: 1, Seal: hash, Recorders: recorders}); err == nil {
		t.Error("begun past the seal")
	}
	if _, err := a.Do(cage.ResultAccepted{Act: byAnn}); err == nil {
		t.Error("ended past the signature")
	}
}

// A void draw is made again under the same seal as the next revision.
func TestCageDrawsAgain(t *testing.T) {
	a := testCage(t)
	a.start(t, KenoPlan(testGame, 1))
	a.key(t, someNumbers(7)...)
	a.must(t, cage.Broke{Act: byTwo, Number: 9})
	if _, _, err := a.Sign(byAnn, nil); err == nil {
		t.Error("a void draw was signed")
	}
	if _, err := a.Start(KenoPlan(testGame, 2), testSeal(t, testGame, "house"), recorders, byAnn); err == nil {
		t.Error("drawn again with a broken ball")
	}
	a.must(t, cage.Replaced{Act: byAnn, Number: 9})
	a.must(t, cage.Counted{Act: byAnn, Balls: cage.Balls})
	a.start(t, KenoPlan(testGame, 2))
	a.key(t, someNumbers(20)...)
	msg, _, err := a.Sign(byAnn, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, verifier := testKey(t, "device")
	if result, _, err := OpenResult(msg, verifier); err != nil || result.Revision != 2 {
		t.Errorf("%+v: %v", result, err)
	}
}

func TestCageStopsAtARecentResult(t *testing.T) {
	a := testCage(t)
	a.start(t, KenoPlan(testGame, 1))
	a.key(t, someNumbers(20)...)
	if _, _, err := a.Sign(byAnn, []ball.Sequence{a.State().Drawn()}); !errors.Is(err, ErrRepeated) || !errors.Is(a.Err(), ErrRepeated) {
		t.Errorf("signed a result like a recent one: %v", err)
	}
	if _, _, err := a.Sign(byAnn, nil); !errors.Is(err, ErrRepeated) {
		t.Errorf("the device goes on: %v", err)
	}
	if _, err := a.Do(cage.Failed{Act: byTwo}); !errors.Is(err, ErrRepeated) {
		t.Errorf("the device goes on: %v", err)
	}
}
