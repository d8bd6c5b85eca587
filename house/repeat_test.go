package house

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// two are persons of the central site, of whom the first asks and the second consents, and
// the administrator who brought the first in.
type two struct{ ann, carol, admin uint32 }

// appoint brings two persons into a house.
func (b *bench) appoint() two {
	b.t.Helper()
	// An administrator for each: persons whom one person brought in do not count as two.
	var admins, persons [2]uint32
	for i := range admins {
		made, err := b.house.Do(b.t.Context(),
			command.Change{Command: staff.FirstAdministrator{Details: record.Hash{1, byte(i)}, Secret: record.Hash{2, byte(i)}}},
			record.By{})
		must(b.t, err)
		admins[i] = staff.NumberOf(made)
	}
	for i, admin := range admins {
		made, err := b.house.Do(b.t.Context(),
			command.Change{Command: staff.AddPerson{By: admin, Details: record.Hash{3, byte(i)},
				Grants: []state.Grant{{Role: record.RoleSupervisor}}}}, record.By{})
		must(b.t, err)
		persons[i] = staff.NumberOf(made)
	}
	return two{persons[0], persons[1], admins[0]}
}

// decide has two persons do something.
func (b *bench) decide(p two, act command.Act) error {
	b.t.Helper()
	// Both requests have a key, as those of a program that must not ask twice.
	under := func(key record.Hash) context.Context {
		return WithKey(b.t.Context(), command.Key{Person: p.ann, Key: key, Asked: record.Hash{2}})
	}
	next := byte(b.house.People().NextApproval())
	number, err := b.house.First().Ask(under(record.Hash{next}), p.ann, act)
	if err != nil {
		return err
	}
	_, err = b.house.Do(b.t.Context(), command.Change{Command: staff.Consent{By: p.carol, Approval: number,
		Content: command.Content(1, act), Granted: true}}, record.By{})
	must(b.t, err)
	_, err = b.house.Operate(under(record.Hash{next, 1}), p.ann, number)
	return err
}

// repeated plays a game, has a device draw its numbers again in the next one, and plays on
// until the series waits.
func repeated(t *testing.T) (b *bench, persons two, waits Game) {
	t.Helper()
	b = newBench(t)
	persons = b.appoint()
	b.playGames(1)
	first := b.house.First().Games(2)[1].Numbers.Numbers()
	slices.Reverse(first)
	b.exchange(b.deviceOf(first))
	b.house.First().draws.draw = nil
	tries := 0
	b.playOn(func(time.Time) error {
		if alarm, raised := b.alarmOn(SeriesPart(FirstSeries)); raised {
			if tries++; !strings.Contains(alarm.Sentence, "has the same numbers as game") ||
				!strings.Contains(alarm.Remedy, "confirm") {
				t.Errorf("the alarm is %+v", alarm)
			}
		}
		if tries == 5 {
			return errEnough
		}
		b.sell(1, 3) // Sales go on.
		return nil
	})
	waits = b.house.First().Games(3)[1]
	if !slices.Equal(waits.Numbers.Numbers(), first) || waits.IsSettled() {
		t.Fatalf("the game that waits is %+v", waits)
	}
	return b, persons, waits
}

// TestRepeatByGenerator: a result that equals a recent one has its series wait with an alarm,
// until two persons confirm that it stands or declare the draw void. What was drawn stays on
// record, the device goes on, and the second opinion lists the repeat and takes the journal.
func TestRepeatByGenerator(t *testing.T) {
	t.Run("confirmed", func(t *testing.T) {
		b, persons, waits := repeated(t)
		wantCode(t, "another game", b.decide(persons,
			command.ConfirmResult{Ordinal: waits.Ordinal - 1, Draw: 1, Reason: "?"}), game.GameNotReady)
		wantCode(t, "no reason", b.decide(persons, command.ConfirmResult{Ordinal: waits.Ordinal, Draw: 1}),
			game.ReasonMissing)
		must(t, b.decide(persons, command.ConfirmResult{Ordinal: waits.Ordinal, Draw: 1, Reason: "the source was tested"}))
		wantCode(t, "twice", b.decide(persons,
			command.ConfirmResult{Ordinal: waits.Ordinal, Draw: 1, Reason: "the source was tested"}), game.ResultNotRepeated)
		b.goesOn(waits)
		if g, _ := b.house.Game(waits.Ref); g.Numbers != waits.Numbers {
			t.Errorf("the game has %v and not %v", g.Numbers, waits.Numbers)
		}
		expectRepeat(t, b.verify())
		b.keep("repeat")
	})
	t.Run("void", func(t *testing.T) {
		b, persons, waits := repeated(t)
		must(t, b.decide(persons, command.VoidDraw{Ordinal: waits.Ordinal, Draw: 1, Reason: "the source was stuck",
			Clause: "18(b)"}))
		others := []int{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40}
		b.exchange(b.deviceOf(others))
		b.goesOn(waits)
		if g, _ := b.house.Game(waits.Ref); !slices.Equal(g.Numbers.Numbers(), others) || g.Draw != 2 {
			t.Errorf("the game has %v of draw %d", g.Numbers, g.Draw)
		}
		if report := b.verify(); report.FindingCount != 0 {
			t.Errorf("findings %v", report.Findings)
		}
	})
}

// goesOn plays on until a game is settled, and finds the alarm gone.
func (b *bench) goesOn(waits Game) {
	b.t.Helper()
	steps := 0
	b.playOn(func(time.Time) error {
		if g, _ := b.house.Game(waits.Ref); g.IsSettled() {
			return errEnough
		}
		if steps++; steps == 1000 {
			b.t.Errorf("the game is not settled; alarms %+v", b.house.Alarms())
			return errEnough
		}
		return nil
	})
	if alarm, raised := b.alarmOn(SeriesPart(FirstSeries)); raised {
		b.t.Errorf("the alarm stays: %+v", alarm)
	}
}

func expectRepeat(t *testing.T, report *verify.Report) {
	t.Helper()
	if report.Failure != nil || report.FindingCount != 1 ||
		!strings.Contains(report.Findings[0].Reason, "has the numbers of game") {
		t.Errorf("failure %v, findings %v", report.Failure, report.Findings)
	}
}

// TestJournalWithARepeatOpens: a house that ended while a repeat waited opens, waits again,
// and goes on when two persons have decided; and so does a house with a repeat behind it.
func TestJournalWithARepeatOpens(t *testing.T) {
	b, persons, waits := repeated(t)
	again := func() {
		must(t, b.house.Close(t.Context()))
		must(t, b.store.Close())
		b.open() // With a device that remembers nothing and a sound source.
	}
	again()
	b.playOn(func(time.Time) error {
		if _, raised := b.alarmOn(SeriesPart(FirstSeries)); raised {
			return errEnough
		}
		return nil
	})
	if g, _ := b.house.Game(waits.Ref); g.Numbers != waits.Numbers {
		t.Errorf("drawn were %v, on record are %v", waits.Numbers, g.Numbers)
	}
	must(t, b.decide(persons, command.ConfirmResult{Ordinal: waits.Ordinal, Draw: 1, Reason: "the source was tested"}))
	again()
	b.goesOn(waits)
	again()
	b.playGames(3)
	expectRepeat(t, b.verify())
}

// TestRepeatAtTheCage: two recorders who key the balls of a recent game are refused when they
// enter the result, before any number is shown. They look at the balls and correct the
// record, or two persons confirm that the balls fell so.
func TestRepeatAtTheCage(t *testing.T) {
	f := newFloor(t)
	f.drawn(numbers(1, 20)...)
	f.untilSealed()
	ref := f.waiting()
	f.start()
	f.key(numbers(1, 20)...)
	_, err := f.house.First().AttendCage(t.Context(), record.CageAttended{Act: record.CageAccepted, By: f.ann})
	wantCode(t, "a repeated result", err, game.ResultRepeated)
	if g, _ := f.house.Game(ref); g.Numbers.Len() != 0 {
		t.Errorf("%v was shown", g.Numbers)
	}
	g, _ := f.house.Game(ref)
	must(t, f.decide(two{ann: f.ann, carol: f.carol},
		command.ConfirmResult{Ordinal: g.Ordinal, Draw: 1, Reason: "the recording shows the balls"}))
	f.does(record.CageAttended{Act: record.CageAccepted})
	f.untilSettled(ref)
	expectRepeat(t, f.verify())

	// Another record than the balls show is put right.
	f.untilSealed()
	ref = f.waiting()
	f.start()
	f.key(numbers(1, 20)...)
	_, err = f.house.First().AttendCage(t.Context(), record.CageAttended{Act: record.CageAccepted, By: f.ann})
	wantCode(t, "a repeated result", err, game.ResultRepeated)
	_, err = f.decides(record.CageAttended{Act: record.CageReread, Place: 20, Number: 21, Reason: "it was ball 21"})
	must(t, err)
	f.does(record.CageAttended{Act: record.CageAccepted})
	f.untilSettled(ref)
}
