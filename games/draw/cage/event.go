package cage

import (
	"fmt"
	"slices"

	"drawhouse/core/refusal"
)

// The codes with which an event is refused.
const (
	Approval        refusal.Code = "approval"            // too few people, one of them twice, or no reason
	BallsNotCounted refusal.Code = "balls_not_counted"   // 80 balls were not counted since the device was opened
	BallToReplace   refusal.Code = "ball_to_replace"     // a ball was held back or broke
	NotRepaired     refusal.Code = "not_repaired"        // the device has failed
	NotRectified    refusal.Code = "not_rectified"       // the computer has failed
	OutOfTurn       refusal.Code = "out_of_turn"         // the draw does not stand where the event could happen
	TwoRecorders    refusal.Code = "two_recorders"       // the recorders are not two
	NotARecorder    refusal.Code = "not_a_recorder"      // somebody else keyed a ball
	NotTheNext      refusal.Code = "not_the_next"        // a ball was keyed at another place than the next
	NotPossible     refusal.Code = "number_not_possible" // the number is not in the machine: out of range, or drawn before
	NoIrregularity  refusal.Code = "no_irregularity"     // what is reported is as it should be
)

// A Lock keeps a device from drawing.
type Lock struct {
	Code     refusal.Code
	Clause   string
	Sentence string
}

// Act says who did or decided something, and why.
type Act struct {
	By  []string
	Why string
}

// check demands people, all different, and a reason where they decide something
// together.
func (a Act) check(people int) *refusal.Refusal {
	for i, name := range a.By {
		if name == "" || slices.Contains(a.By[:i], name) {
			return &refusal.Refusal{Code: Approval, Path: "by",
				Sentence: "Each of the people has a name, and none is named twice."}
		}
	}
	switch {
	case len(a.By) < people:
		return &refusal.Refusal{Code: Approval, Path: "by",
			Sentence: fmt.Sprintf("This takes %d people, not %d.", people, len(a.By))}
	case people > 1 && a.Why == "":
		return &refusal.Refusal{Code: Approval, Path: "why", Sentence: "This takes a reason."}
	}
	return nil
}

// An Event is something that happened at the cage. The set is closed; each kind is
// a struct of this package.
type Event interface {
	act() Act
	apply(s State) (State, Step, *refusal.Refusal)
}

func (a Act) act() Act { return a }

// people returns how many people an event takes. What one employee does under the
// eyes of another, or attests of the balls, takes one; everything that decides
// what a draw is worth, or lets a device draw again, takes two.
func people(e Event) int {
	switch e.(type) {
	case Counted, Started, Keyed, Replaced, ResultAccepted:
		return 1
	}
	return 2
}

// Outcome is what became of an event.
type Outcome string

// The outcomes.
const (
	Noted     Outcome = "noted"     // nothing changes for the draw
	Begun     Outcome = "begun"     // the draw has begun
	Waits     Outcome = "waits"     // one of the two has keyed a ball
	Drawn     Outcome = "drawn"     // both have: a number is drawn
	Differs   Outcome = "differs"   // they keyed different numbers, and key again
	Completed Outcome = "completed" // the twentieth number is drawn
	Struck    Outcome = "struck"    // a number does not count, another is drawn
	Kept      Outcome = "kept"      // a number counts although its ball fell back
	Corrected Outcome = "corrected" // the record is brought in line with the balls
	Voided    Outcome = "voided"    // the draw does not count
	Locked    Outcome = "locked"    // no further draw until something is done
	Unlocked  Outcome = "unlocked"  // it was done
	Stands    Outcome = "stands"    // the result is valid
)

// A Step is an event with what became of it: what is recorded.
type Step struct {
	Event    Event
	Outcome  Outcome
	Clause   string // the rule that says so; empty where none is needed
	Sentence string
}

// Do applies an event. A refused one changes nothing.
func (s State) Do(e Event) (State, Step, error) {
	if r := e.act().check(people(e)); r != nil {
		return s, Step{}, r
	}
	next, step, r := e.apply(s)
	if r != nil {
		return s, Step{}, r
	}
	step.Event = e
	return next, step, nil
}

// refuse returns a refusal.
func refuse(code refusal.Code, clause, format string, args ...any) *refusal.Refusal {
	return &refusal.Refusal{Code: code, Clause: clause, Sentence: fmt.Sprintf(format, args...)}
}

// said returns a step.
func said(outcome Outcome, clause, format string, args ...any) Step {
	return Step{Outcome: outcome, Clause: clause, Sentence: fmt.Sprintf(format, args...)}
}

// during demands that the draw stands in one of the phases.
func (s State) during(what string, phases ...Phase) *refusal.Refusal {
	if slices.Contains(phases, s.phase) {
		return nil
	}
	return refuse(OutOfTurn, "", "%s cannot be now: the draw is %v.", what, s.phase)
}
