package house

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/draw/cage"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// floor is a casino's house whose games a ball machine draws.
type floor struct {
	*bench
	ann, bob, carol uint32 // ann and bob record, carol consents
}

func newFloor(t testing.TB) *floor {
	t.Helper()
	return newFloorWithout(t, "")
}

// newFloorWithout is newFloor by a rulebook that lacks some text of its file.
func newFloorWithout(t testing.TB, text string) *floor {
	t.Helper()
	b := closedBench(t)
	b.rules, b.venue, b.draws, b.without = "casino-keno-div2", "casino", record.DeviceCage, text
	b.open()
	f := &floor{bench: b}
	_, err := b.house.Do(t.Context(), command.Change{Command: staff.FirstAdministrator{Details: record.Hash{1},
		Secret: record.Hash{2}}}, record.By{})
	must(t, err)
	for i, at := range []*uint32{&f.ann, &f.bob, &f.carol} {
		made, err := b.house.Do(t.Context(), command.Change{Command: staff.AddPerson{Details: record.Hash{3, byte(i)},
			Grants: []state.Grant{{Role: record.RoleSupervisor}}}}, record.By{})
		must(t, err)
		*at = staff.NumberOf(made)
	}
	return f
}

// key has both recorders key numbers at the next places.
func (f *floor) key(numbers ...int) cage.Step {
	f.t.Helper()
	var step cage.Step
	for _, n := range numbers {
		at, err := f.house.First().Cage(f.t.Context())
		must(f.t, err)
		for _, who := range []uint32{f.bob, f.ann} {
			step, err = f.house.First().KeyBall(f.t.Context(), at.State.Drawn().Len()+1, n, who)
			must(f.t, err)
		}
	}
	return step
}

// does has ann do something that takes one person.
func (f *floor) does(act record.CageAttended) cage.Step {
	f.t.Helper()
	act.By = f.ann
	step, err := f.house.First().AttendCage(f.t.Context(), act)
	must(f.t, err)
	return step
}

// decides has ann and carol decide something together.
func (f *floor) decides(act record.CageAttended) (cage.Step, error) {
	f.t.Helper()
	act.By = f.ann
	asked, _, err := f.house.First().RequestCage(f.t.Context(), act)
	if err != nil {
		return cage.Step{}, err // What cannot be is not asked for.
	}
	_, err = f.house.Do(f.t.Context(), command.Change{Command: staff.Consent{By: f.carol, Approval: asked.Approval,
		Content: asked.Content, Granted: true}}, record.By{})
	must(f.t, err)
	act.Approval = asked.Approval
	return f.house.First().AttendCage(f.t.Context(), act)
}

func (f *floor) start() {
	f.t.Helper()
	f.does(record.CageAttended{Act: record.CageCounted, Balls: 80})
	_, err := f.house.First().StartCage(f.t.Context(), [2]uint32{f.ann, f.bob}, f.ann)
	must(f.t, err)
}

// untilSealed plays until a game waits for the cage.
func (f *floor) untilSealed() {
	f.t.Helper()
	f.run(func(time.Time) error {
		at, err := f.house.First().Cage(f.t.Context())
		must(f.t, err)
		if at.Waits.Ordinal > 0 {
			return errEnough
		}
		f.sellBet(1, `{"bet":"standard","spots":[1,2,3],"stake_cents":100}`)
		return nil
	})
}

// untilSettled plays until a game is settled.
func (f *floor) untilSettled(ref record.Game) Game {
	f.t.Helper()
	f.run(func(time.Time) error {
		if g, _ := f.house.Game(ref); g.IsSettled() {
			return errEnough
		}
		return nil
	})
	g, _ := f.house.Game(ref)
	return g
}

func (f *floor) waiting() record.Game {
	f.t.Helper()
	at, err := f.house.First().Cage(f.t.Context())
	must(f.t, err)
	return at.Waits.Ref
}

func wantCode(t testing.TB, what string, err error, code refusal.Code) {
	t.Helper()
	var refused *refusal.Refusal
	if !errors.As(err, &refused) || refused.Code != code || refused.Sentence == "" {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

func numbers(first, last int) (list []int) {
	for n := first; n <= last; n++ {
		list = append(list, n)
	}
	return list
}

// TestDrawsByCage plays a game at a ball machine: what two people keyed and agreed on is
// shown number by number when it is entered, and the second opinion finds the same.
func TestDrawsByCage(t *testing.T) {
	f := newFloor(t)
	f.untilSealed()
	ref := f.waiting()
	_, err := f.house.First().StartCage(t.Context(), [2]uint32{f.ann, f.bob}, f.ann)
	wantCode(t, "balls that nobody counted", err, cage.BallsNotCounted)
	f.does(record.CageAttended{Act: record.CageCounted, Balls: 80})
	_, err = f.house.First().StartCage(t.Context(), [2]uint32{f.ann, f.ann}, f.ann)
	wantCode(t, "one recorder", err, cage.TwoRecorders)
	_, err = f.house.First().StartCage(t.Context(), [2]uint32{f.ann, 99}, f.ann)
	wantCode(t, "a stranger records", err, game.NotACageEmployee)
	_, err = f.house.First().StartCage(t.Context(), [2]uint32{f.ann, f.bob}, f.ann)
	must(t, err)
	_, err = f.house.First().KeyBall(t.Context(), 1, 5, f.carol)
	wantCode(t, "somebody else keys", err, cage.NotARecorder)
	_, err = f.house.First().KeyBall(t.Context(), 1, 81, f.ann)
	wantCode(t, "no ball", err, cage.NotPossible)
	f.key(numbers(61, 64)...)
	// They differ, and key again.
	_, err = f.house.First().KeyBall(t.Context(), 5, 70, f.ann)
	must(t, err)
	step, err := f.house.First().KeyBall(t.Context(), 5, 71, f.bob)
	if err != nil || step.Outcome != cage.Differs {
		t.Fatalf("%+v: %v", step, err)
	}
	if step := f.key(numbers(65, 80)...); step.Outcome != cage.Completed {
		t.Fatalf("%+v", step)
	}
	_, err = f.house.First().AttendCage(t.Context(),
		record.CageAttended{Act: record.CageReread, Place: 5, Number: 7, Reason: "misread", By: f.ann})
	wantCode(t, "one alone corrects the record", err, staff.ApprovalUnknown)
	_, err = f.decides(record.CageAttended{Act: record.CageReread, Place: 5, Number: 7, Reason: "misread"})
	must(t, err)
	if g, _ := f.house.Game(ref); g.Numbers.Len() > 0 {
		t.Fatal("numbers are shown that are not entered")
	}
	f.does(record.CageAttended{Act: record.CageAccepted})
	g := f.untilSettled(ref)
	if want := append(append(numbers(61, 64), 7), numbers(66, 80)...); !slices.Equal(g.Numbers.Numbers(), want) {
		t.Errorf("drawn %v, want %v", g.Numbers, want)
	}
	report := f.verify()
	if !report.OK() || report.Balls != 42 {
		t.Errorf("%+v with %d balls", report.Failure, report.Balls)
	}
}

// TestCageIrregularities makes draws void at the machine and draws again, gives one game
// up, and has the house go on after a restart in the middle of a draw.
func TestCageIrregularities(t *testing.T) {
	f := newFloor(t)
	f.untilSealed()
	first := f.waiting()
	f.start()
	f.key(numbers(1, 7)...)
	_, err := f.house.First().Ask(t.Context(), f.ann,
		command.VoidDraw{Ordinal: 1, Draw: 1, Reason: "?", Clause: "11.4(a)"})
	wantCode(t, "void behind the back of the cage", err, game.CageDecides)
	_, err = f.house.First().Ask(t.Context(), f.ann, command.VoidGame{Ordinal: 1, Reason: "?", Clause: "11.6"})
	wantCode(t, "the end behind the back of the cage", err, game.CageDecides)

	must(t, f.house.Close(t.Context()))
	must(t, f.store.Close())
	f.open()
	step, err := f.decides(record.CageAttended{Act: record.CageBroke, Number: 70, Reason: "a ball broke"})
	if err != nil || step.Outcome != cage.Voided || step.Clause != "11.4(a)" {
		t.Fatalf("%+v: %v", step, err)
	}
	_, err = f.house.First().StartCage(t.Context(), [2]uint32{f.ann, f.bob}, f.ann)
	wantCode(t, "drawn again with a broken ball", err, cage.BallToReplace)
	f.does(record.CageAttended{Act: record.CageReplaced, Number: 70})
	f.start()
	f.key(numbers(1, 5)...)
	step, err = f.decides(record.CageAttended{Act: record.CageFellBack, Number: 2, Place: 2, Reason: "no tape"})
	if err != nil || step.Outcome != cage.Struck {
		t.Fatalf("%+v: %v", step, err)
	}
	f.key(numbers(6, 21)...)
	f.does(record.CageAttended{Act: record.CageAccepted})
	// A ball turns out to have been held back while the numbers are shown.
	f.run(func(time.Time) error {
		if g, _ := f.house.Game(first); g.Numbers.Len() == 3 {
			return errEnough
		}
		return nil
	})
	step, err = f.decides(record.CageAttended{Act: record.CageHeldBack, Number: 80, Reason: "it was stuck"})
	if err != nil || step.Outcome != cage.Voided {
		t.Fatalf("%+v: %v", step, err)
	}
	_, err = f.decides(record.CageAttended{Act: record.CageRepaired, Reason: "welded"})
	must(t, err)
	f.does(record.CageAttended{Act: record.CageReplaced, Number: 80})
	f.start()
	f.key(numbers(40, 59)...)
	f.does(record.CageAttended{Act: record.CageAccepted})
	if g := f.untilSettled(first); !slices.Equal(g.Numbers.Numbers(), numbers(40, 59)) {
		t.Errorf("drawn %v", g.Numbers)
	}
	_, err = f.decides(record.CageAttended{Act: record.CageHeldBack, Number: 1, Reason: "too late"})
	wantCode(t, "an irregularity of a settled game", err, cage.OutOfTurn)

	f.untilSealed()
	second := f.waiting()
	f.start()
	f.key(1, 2)
	_, err = f.decides(record.CageAttended{Act: record.CageAbandoned, Reason: "no power"})
	must(t, err)
	if g, _ := f.house.Game(second); !g.IsVoid() {
		t.Error("a game that was given up is not void")
	}
	f.untilSealed()
	f.start()
	f.key(numbers(1, 20)...)
	f.does(record.CageAttended{Act: record.CageAccepted})
	f.untilSettled(f.waiting())
	report := f.verify()
	if !report.OK() || report.Voided != 2 || report.GamesVoided != 1 {
		t.Errorf("%+v, %d draws and %d games void", report.Failure, report.Voided, report.GamesVoided)
	}
}

// TestApprovalAtTheCage binds a consent to one act at one draw, by two people.
func TestApprovalAtTheCage(t *testing.T) {
	f := newFloor(t)
	f.untilSealed()
	f.start()
	f.key(1, 2, 3)
	act := record.CageAttended{Act: record.CageFellBack, Number: 2, Place: 2, Reason: "no tape", By: f.ann}
	asked, _, err := f.house.First().RequestCage(t.Context(), act)
	must(t, err)
	_, err = f.house.Do(t.Context(), command.Change{Command: staff.Consent{By: f.ann, Approval: asked.Approval,
		Content: asked.Content, Granted: true}}, record.By{})
	wantCode(t, "own consent", err, staff.ApprovalOwn)
	act.Approval = asked.Approval
	_, err = f.house.First().AttendCage(t.Context(), act)
	wantCode(t, "no consent", err, staff.ApprovalNotGiven)
	_, err = f.house.Do(t.Context(), command.Change{Command: staff.Consent{By: f.carol, Approval: asked.Approval,
		Content: asked.Content, Granted: true}}, record.By{})
	must(t, err)
	other := act
	other.Number, other.Place = 3, 3
	_, err = f.house.First().AttendCage(t.Context(), other)
	wantCode(t, "another ball", err, staff.ApprovalOther)
	other = act
	other.By = f.bob
	_, err = f.house.First().AttendCage(t.Context(), other)
	wantCode(t, "another person", err, staff.NotAllowed)
	_, err = f.house.First().AttendCage(t.Context(), act)
	must(t, err)
	_, err = f.house.First().AttendCage(t.Context(), act)
	wantCode(t, "once more", err, staff.ApprovalOver)
}

// TestConsentAtTheCageSaysWhatComesOfIt shows the second person what would become of a draw
// and of its wagers, by the act that is asked for and no other.
func TestConsentAtTheCageSaysWhatComesOfIt(t *testing.T) {
	f := newFloor(t)
	f.untilSealed()
	f.start()
	f.key(1, 2, 3)
	f.sellBet(1, `{"bet":"standard","spots":[1,2,3],"stake_cents":100}`)
	for _, c := range []struct {
		act  record.CageAttended
		want []string
	}{
		{record.CageAttended{Act: record.CageAbandoned}, []string{"are played along with the next game of the Keno Day."}},
		{record.CageAttended{Act: record.CageNoFurther},
			[]string{"go back to the holders of tickets", "Account refunds: $", "Nothing more of the Keno Day is sold",
				"by now $1.00"}},
		{record.CageAttended{Act: record.CageFellBack, Number: 2, Place: 2, Video: `cam "2", left`}, []string{"Ball 2"}},
		{record.CageAttended{Act: record.CageFellBack, Number: 3, Place: 3}, []string{"Ball 3"}},
		{record.CageAttended{Act: record.CageReread, Number: 77, Place: 1}, []string{"77"}},
		{record.CageAttended{Act: record.CageFound, Balls: 79}, []string{"79 balls"}},
		{record.CageAttended{Act: record.CageBroke, Number: 40}, []string{"Ball 40 broke"}},
	} {
		c.act.By, c.act.Reason = f.ann, `it "broke": reason 1, ball 2`
		asked, told, err := f.house.First().RequestCage(t.Context(), c.act)
		must(t, err)
		seen, err := f.house.Foresee(t.Context(), []state.Approval{{ApprovalRequested: *asked}})
		must(t, err)
		if seen[0].Refused != nil || !slices.Equal(seen[0].Effects, told) {
			t.Errorf("%s: who asks is told %q, and who consents %q (%v)", c.act.Act, told, seen[0].Effects, seen[0].Refused)
		}
		for _, want := range c.want {
			if all := strings.Join(told, "\n"); !strings.Contains(all, want) {
				t.Errorf("%s: it does not say %q: %q", c.act.Act, want, all)
			}
		}
	}
	asked, _, err := f.house.First().RequestCage(t.Context(),
		record.CageAttended{Act: record.CageFellBack, Number: 3, Place: 3, By: f.ann, Reason: "no tape"})
	must(t, err)
	_, err = f.decides(record.CageAttended{Act: record.CageFellBack, Number: 3, Place: 3, Reason: "no tape"})
	must(t, err)
	seen, err := f.house.Foresee(t.Context(), []state.Approval{{ApprovalRequested: *asked}})
	must(t, err)
	if seen[0].Refused == nil || len(seen[0].Effects) > 0 {
		t.Errorf("a ball that was struck meanwhile is shown as one that could be: %+v", seen[0])
	}
}

// TestLiesAboutTheCage has a house that holds all its keys write otherwise about a ball
// draw.
func TestLiesAboutTheCage(t *testing.T) {
	f := newFloor(t)
	f.untilSealed()
	ref := f.waiting()
	f.start()
	f.key(numbers(1, 20)...)
	_, err := f.decides(record.CageAttended{Act: record.CageReread, Place: 5, Number: 77, Reason: "misread"})
	must(t, err)
	f.does(record.CageAttended{Act: record.CageAccepted})
	f.untilSettled(ref)
	found(t, f.bench, map[string]lie{
		"one person keys for both": {record.KindBallKeyed, func(b record.Body) { b.(*record.BallKeyed).By = f.carol },
			"keys a ball"},
		"one person records alone": {record.KindCageStarted,
			func(b record.Body) { b.(*record.CageStarted).Recorders[1] = f.ann }, "alone"},
		"balls that were not counted": {record.KindCageAttended, func(b record.Body) { b.(*record.CageAttended).Series = 9 },
			"has not begun"},
		"a ball at another place": {record.KindBallKeyed, func(b record.Body) { b.(*record.BallKeyed).Place = 2 },
			"keys ball"},
		"another number shown": {record.KindNumberDrawn, func(b record.Body) { b.(*record.NumberDrawn).Number = 60 },
			"both recorders keyed"},
		"bytes with a ball": {record.KindNumberDrawn,
			func(b record.Body) { b.(*record.NumberDrawn).Bytes = []byte{1} }, "both recorders keyed"},
	})
}

// TestGeneratorWaitsForTheComputer has a generator draw in place of the ball machine: it does not begin before the
// computer is put right, and with its draw ends the time in which prizes of a result are paid by hand alone.
func TestGeneratorWaitsForTheComputer(t *testing.T) {
	f := newFloor(t)
	f.untilSealed()
	first := f.waiting()
	f.start()
	f.key(numbers(1, 20)...)
	_, err := f.decides(record.CageAttended{Act: record.CageNotAccepted, Reason: "no link"})
	must(t, err)
	_, err = f.decides(record.CageAttended{Act: record.CageRectified, Reason: "a new cable"})
	must(t, err)
	f.does(record.CageAttended{Act: record.CageAccepted})
	byHand := f.untilSettled(first).Ordinal
	if !f.onlyByHand(byHand) {
		t.Fatal("terminals pay at once what is paid by hand")
	}

	must(t, f.house.Close(t.Context()))
	must(t, f.store.Close())
	f.draws = record.DeviceGenerator
	f.open()
	f.untilSealed()
	_, err = f.decides(record.CageAttended{Act: record.CageComputerFailed, Reason: "no answer"})
	must(t, err)
	persons := two{ann: f.ann, carol: f.carol}
	at, err := f.house.First().Cage(t.Context())
	must(t, err)
	must(t, f.decide(persons, command.VoidGame{Ordinal: at.Waits.Ordinal, Reason: "the machine is broken", Clause: "11.6"}))
	var waits uint32
	f.run(func(time.Time) error {
		course, err := f.house.First().Course(t.Context())
		must(t, err)
		if len(course.Unsettled) > 0 {
			waits = course.Unsettled[0]
			return errEnough
		}
		return nil
	})
	wantCode(t, "a draw while the computer fails", f.house.First().DrawNumber(t.Context(), waits), cage.NotRectified)
	if !f.onlyByHand(byHand) {
		t.Error("terminals pay before the next draw has begun")
	}
	_, err = f.decides(record.CageAttended{Act: record.CageRectified, Reason: "another computer"})
	must(t, err)
	must(t, f.house.First().DrawNumber(t.Context(), waits))
	if f.onlyByHand(byHand) {
		t.Error("terminals do not pay, and the next draw has begun")
	}
	_, err = f.decides(record.CageAttended{Act: record.CageComputerFailed, Reason: "no answer"})
	must(t, err)
	must(t, f.house.First().DrawNumber(t.Context(), waits)) // A draw that has begun goes on.
	if report := f.verify(); !report.OK() {
		t.Error(report.Failure)
	}
}

// onlyByHand reports whether no terminal pays the prizes of a game.
func (f *floor) onlyByHand(ordinal uint32) bool {
	f.t.Helper()
	only, err := lane.DoFirst(f.t.Context(), f.house.lane, func(m machine) (bool, error) {
		series, _ := m.State().Series(1)
		return series.OnlyByHand(ordinal), nil
	})
	must(f.t, err)
	return only
}
