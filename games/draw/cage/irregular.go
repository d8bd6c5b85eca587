package cage

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
)

// FoundAtStart says that the device turns out to have begun the draw with another
// number of balls.
type FoundAtStart struct {
	Act
	Balls int
}

// apply voids a draw that was begun with fewer than 80 balls. More than 80 are not
// 80 different balls, so that draw cannot stand either, by 2.3.
//
//rule:casino-keno-div2 2.3 11.3
func (e FoundAtStart) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A wrong number of balls", Drawing, Complete, Accepted); r != nil {
		return s, Step{}, r
	}
	if e.Balls == Balls {
		return s, Step{}, refuse(NoIrregularity, "11.3", "%d balls are as many as there must be.", Balls)
	}
	clause := "11.3"
	if e.Balls > Balls {
		clause = "2.3"
	}
	s.counted = false
	return s.end(clause), said(Voided, clause,
		"The draw began with %d balls and is void; it is made again.", e.Balls), nil
}

// HeldBack says that a ball was kept in the device so that it could not be drawn.
type HeldBack struct {
	Act
	Number int
}

// apply invalidates the draw. The ball is freed or replaced, and the balls are
// counted, before the draw is made again.
//
//rule:casino-keno-div2 11.2
func (e HeldBack) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A ball held back", Drawing, Complete, Accepted); r != nil {
		return s, Step{}, r
	}
	if !ball.Keno.Has(e.Number) || s.drawn.Set().Has(e.Number) {
		return s, Step{}, refuse(NoIrregularity, "11.2", "%d is no ball of the device, or was drawn.", e.Number)
	}
	s.ball, s.counted = uint8(e.Number), false
	return s.end("11.2"), said(Voided, "11.2",
		"Ball %d could not be drawn: the draw is invalid and is made again.", e.Number), nil
}

// Broke says that a ball broke during the draw.
type Broke struct {
	Act
	Number int
}

// apply voids the draw and locks the device until the ball is replaced.
//
//rule:casino-keno-div2 11.4(a)
func (e Broke) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A broken ball", Drawing); r != nil {
		return s, Step{}, r
	}
	if !ball.Keno.Has(e.Number) {
		return s, Step{}, refuse(NotPossible, "11.4(a)", "%d is no ball of the device.", e.Number)
	}
	s.ball, s.counted = uint8(e.Number), false
	return s.end("11.4(a)"), said(Voided, "11.4(a)",
		"Ball %d broke: the draw is void; the ball is replaced before a further draw.", e.Number), nil
}

// Replaced says that an employee has put a new ball, or the one that was held
// back, into the device.
type Replaced struct {
	Act
	Number int
}

// apply releases the device from a ball. The balls are counted again.
//
//rule:casino-keno-div2 2.5 11.2 11.4(a)
func (e Replaced) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("The replacement of a ball", Idle, Accepted, Void); r != nil {
		return s, Step{}, r
	}
	if s.ball != 0 && int(s.ball) != e.Number || !ball.Keno.Has(e.Number) {
		return s, Step{}, refuse(BallToReplace, s.replacedBy(), "Ball %d is to be replaced, not %d.", s.ball, e.Number)
	}
	clause := s.replacedBy()
	s.ball, s.counted = 0, false
	return s, said(Unlocked, clause, "Ball %d is replaced.", e.Number), nil
}

// Failed says that the device has failed.
type Failed struct{ Act }

// apply has a draw finished by hand, and locks the device until it is repaired.
//
//rule:casino-keno-div2 11.4(b)
func (e Failed) apply(s State) (State, Step, *refusal.Refusal) {
	s.repair = true
	if s.phase == Drawing {
		s.byHand = true
		return s, said(Locked, "11.4(b)",
			"The device has failed at %d numbers: it is turned by hand to the end, and then not used until it is repaired.",
			s.drawn.Len()), nil
	}
	return s, said(Locked, "11.4(b)", "The device has failed and is not used until it is repaired."), nil
}

// Repaired says that the device is repaired.
type Repaired struct{ Act }

// apply unlocks the device, whose balls are counted again, since it was opened.
// During a draw it stays to be finished by hand.
//
//rule:casino-keno-div2 11.4(b)
func (e Repaired) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A repair", Idle, Complete, Accepted, Void); r != nil {
		return s, Step{}, r
	}
	if !s.repair {
		return s, Step{}, refuse(NoIrregularity, "11.4(b)", "The device has not failed.")
	}
	s.repair, s.counted = false, false
	return s, said(Unlocked, "11.4(b)", "The device is repaired."), nil
}

// FellBack says that the ball at a place fell back into the device. The place is
// one that was entered, or the next, if the ball fell back before it was. Number is the
// ball there: places shift when a ball is struck, and who decides on one decides on no
// other. It is 0 where nobody has entered the ball.
type FellBack struct {
	Act
	Place, Number int
	// Video names the recording that shows the number of the ball; empty if there
	// is none.
	Video string
}

// apply strikes the number without a recording, so that a further ball is drawn,
// and keeps it with one. Either way the device has failed: the draw is finished by
// hand. Any number of balls may fall back, each by an event of its own. A ball
// that counts and is drawn again is put aside: no number counts twice. For a ball
// that was not entered yet the same test holds: with a recording the two key it
// from there, without one nothing that either has keyed of it counts.
//
//rule:casino-keno-div2 11.4(c)(i) 11.4(c)(ii) 11.4(d)
func (e FellBack) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A ball that falls back", Drawing); r != nil {
		return s, Step{}, r
	}
	entered := s.drawn.Len()
	if e.Place < 1 || e.Place > entered+1 {
		return s, Step{}, refuse(NotPossible, "11.4(c)(i)",
			"No ball was drawn at place %d; %d were entered.", e.Place, entered)
	}
	if e.Number != 0 && (e.Place > entered || s.drawn.At(e.Place-1) != e.Number) {
		return s, Step{}, refuse(NotPossible, "11.4(c)(i)", "Ball %d was not entered at place %d.", e.Number, e.Place)
	}
	what := "The ball"
	if e.Place <= entered {
		what = fmt.Sprintf("Ball %d", s.drawn.At(e.Place-1))
	}
	s.byHand, s.repair = true, true
	if e.Video != "" {
		return s, said(Kept, "11.4(c)(ii)",
			"%s at place %d fell back and recording %s shows it: it counts, and the draw goes on by hand.", what,
			e.Place, e.Video), nil
	}
	if e.Place > entered {
		s.keyed = [2]ball.Sequence{s.drawn, s.drawn}
	} else {
		s.drawn = without(s.drawn, e.Place)
		s.keyed = [2]ball.Sequence{without(s.keyed[0], e.Place), without(s.keyed[1], e.Place)}
	}
	return s, said(Struck, "11.4(c)(i)",
		"%s at place %d fell back and no recording shows it: it was not drawn, and a further ball is drawn by hand.",
		what, e.Place), nil
}

// Reread says that the record of a place is not what the ball there says.
type Reread struct {
	Act
	Place, Number int
}

// apply brings the record in line with the balls, which are the official record
// of a draw that is sound.
//
//rule:casino-keno-div2 11.1
func (e Reread) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A correction by the balls", Drawing, Complete); r != nil {
		return s, Step{}, r
	}
	if e.Place < 1 || e.Place > s.drawn.Len() {
		return s, Step{}, refuse(NotPossible, "11.1", "Place %d is not recorded yet.", e.Place)
	}
	was := s.drawn.At(e.Place - 1)
	keyed := func(q ball.Sequence) bool { return q.Set().Has(e.Number) }
	if !ball.Keno.Has(e.Number) || slices.ContainsFunc(s.keyed[:], keyed) {
		return s, Step{}, refuse(NotPossible, "11.1",
			"%d cannot be at place %d: it is no number of 1 to %d, or is recorded.", e.Number, e.Place, Balls)
	}
	s.drawn = with(s.drawn, e.Place, e.Number)
	s.keyed = [2]ball.Sequence{with(s.keyed[0], e.Place, e.Number), with(s.keyed[1], e.Place, e.Number)}
	return s, said(Corrected, "11.1", "The ball at place %d is %d, not %d as recorded.", e.Place, e.Number, was), nil
}

// with returns a sequence with another number at a place.
func with(q ball.Sequence, place, number int) ball.Sequence {
	numbers := q.Numbers()
	numbers[place-1] = number
	return sequence(numbers)
}

// ComputerFailed says that the computer has failed. A draw that is under way may
// be finished.
type ComputerFailed struct{ Act }

// apply keeps further draws from being held until the computer is put right.
//
//rule:casino-keno-div2 11.5
func (e ComputerFailed) apply(s State) (State, Step, *refusal.Refusal) {
	s.rectify = true
	return s, said(Locked, "11.5", "The computer has failed: no further draw until it is put right."), nil
}

// NotAccepted says that twenty numbers are drawn, and the computer cannot take
// them.
type NotAccepted struct{ Act }

// apply lets the result stand, to be paid by hand, and keeps further draws from
// being held until the computer is put right.
//
//rule:casino-keno-div2 11.7
func (e NotAccepted) apply(s State) (State, Step, *refusal.Refusal) {
	if s.phase == Drawing {
		return s, Step{}, refuse(OutOfTurn, "11.7",
			"%d of %d numbers are drawn: there is no result yet.", s.drawn.Len(), Numbers)
	}
	if r := s.during("A result that is not taken", Complete); r != nil {
		return s, Step{}, r
	}
	s.rectify, s.manual = true, true
	return s, said(Stands, "11.7",
		"The computer cannot take the result: it is valid and paid by hand; no further draw until the computer is put right."), nil
}

// Rectified says that the computer is put right.
type Rectified struct{ Act }

// apply unlocks what the computer had locked.
//
//rule:casino-keno-div2 11.5 11.7
func (e Rectified) apply(s State) (State, Step, *refusal.Refusal) {
	if !s.rectify {
		return s, Step{}, refuse(NoIrregularity, "11.5", "The computer has not failed.")
	}
	s.rectify = false
	return s, said(Unlocked, "11.5", "The computer is put right."), nil
}

// Abandoned says that the game cannot go on.
type Abandoned struct{ Act }

// apply makes the numbers void and the draw not one that is made again. What
// becomes of the entries is the house's to decide.
//
//rule:casino-keno-div2 11.6
func (e Abandoned) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("The end of a game", Drawing, Void); r != nil {
		return s, Step{}, r
	}
	s = s.end("11.6")
	s.ended = true
	return s, said(Voided, "11.6", "%v cannot go on: its numbers are void.", s.game), nil
}
