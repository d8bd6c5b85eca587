package cage

import (
	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/journal"
)

// Counted says that an employee has counted the balls in the device.
type Counted struct {
	Act
	Balls int
}

// apply lets the device draw only with 80 balls.
//
//rule:casino-keno-div2 2.3
func (e Counted) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A count of the balls", Idle, Accepted, Void); r != nil {
		return s, Step{}, r
	}
	s.counted = e.Balls == Balls
	if !s.counted {
		return s, said(Locked, "2.3", "%d balls were counted; the device draws with %d only.", e.Balls, Balls), nil
	}
	return s, said(Noted, "2.3", "%d balls were counted.", Balls), nil
}

// Started says that the device is set going for a game. The seal and that it is of
// the game are the device's to check.
type Started struct {
	Act
	Game     journal.Game
	Revision uint32
	// Recorders are the two employees who record the balls.
	Recorders [2]string
}

// apply begins a draw, if nothing locks the device. A void draw is made again
// before any other.
//
//rule:casino-keno-div2 2.1(a)(i) 7.7 11.3
func (e Started) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("The start of a draw", Idle, Accepted, Void); r != nil {
		return s, Step{}, r
	}
	if locks := s.Locks(); len(locks) > 0 {
		return s, Step{}, refuse(locks[0].Code, locks[0].Clause, "%s", locks[0].Sentence)
	}
	if e.Recorders[0] == "" || e.Recorders[1] == "" || e.Recorders[0] == e.Recorders[1] {
		return s, Step{}, refuse(TwoRecorders, "7.7", "Two employees record a draw.")
	}
	if r := s.checkTurn(e.Game, e.Revision); r != nil {
		return s, Step{}, r
	}
	none := sequence(nil)
	begun := State{
		phase: Drawing, game: e.Game, revision: e.Revision, recorders: e.Recorders,
		drawn: none, keyed: [2]ball.Sequence{none, none}, counted: true,
	}
	return begun, said(Begun, "7.7", "The draw of %v, revision %d, begins; %s and %s record it.", e.Game, e.Revision,
		e.Recorders[0], e.Recorders[1]), nil
}

// checkTurn demands that a void draw is followed by the next one of its game, and
// every other game begins with its first.
func (s State) checkTurn(game journal.Game, revision uint32) *refusal.Refusal {
	again := s.phase == Void && !s.ended
	switch {
	case again && (game != s.game || revision != s.revision+1):
		return refuse(OutOfTurn, s.clause,
			"The draw of %v is void and is made again first, as revision %d.", s.game, s.revision+1)
	case !again && game == s.game:
		return refuse(OutOfTurn, "", "%v is over.", game)
	case !again && revision != 1:
		return refuse(OutOfTurn, "", "The draw of %v begins with revision 1, not %d.", game, revision)
	}
	return nil
}

// Keyed says that a recorder has keyed the number of the ball at a place, counted
// from 1.
type Keyed struct {
	Act
	Place, Number int
}

// apply joins what the two recorders have keyed: a number is drawn when both have
// it at the same place. If they differ, both key again from that place; the balls
// in the arms decide.
//
//rule:casino-keno-div2 7.5 7.7 11.1
func (e Keyed) apply(s State) (State, Step, *refusal.Refusal) {
	if s.phase == Complete {
		return s, Step{}, refuse(OutOfTurn, "7.5", "%d numbers are drawn, and no further one counts.", Numbers)
	}
	if r := s.during("A ball", Drawing); r != nil {
		return s, Step{}, r
	}
	i := s.recorder(e.By[0])
	if i < 0 || len(e.By) > 1 {
		return s, Step{}, refuse(NotARecorder, "7.7",
			"%s and %s record this draw, each alone.", s.recorders[0], s.recorders[1])
	}
	mine, other := s.keyed[i], s.keyed[1-i]
	if e.Place != mine.Len()+1 || e.Place > Numbers {
		return s, Step{}, refuse(NotTheNext, "7.7",
			"The next ball of %s is at place %d, not %d.", e.By[0], mine.Len()+1, e.Place)
	}
	mine, err := mine.Append(e.Number)
	if err != nil {
		return s, Step{}, refuse(NotPossible, "7.5",
			"%d cannot be keyed at place %d: it is no number of 1 to %d, or was keyed before.", e.Number, e.Place,
			Balls)
	}
	s.keyed[i] = mine
	switch {
	case other.Len() < e.Place:
		return s, said(Waits, "7.7", "%s has keyed place %d.", e.By[0], e.Place), nil
	case other.At(e.Place-1) != e.Number:
		s.keyed = [2]ball.Sequence{s.drawn, s.drawn}
		return s, said(Differs, "11.1",
			"The two records differ at place %d: both look at the balls and key again from there.", e.Place), nil
	}
	s.drawn = mine.Prefix(e.Place)
	if e.Place == Numbers {
		s.phase = Complete
		return s, said(Completed, "7.5", "%d is the last of %d numbers.", e.Number, Numbers), nil
	}
	return s, said(Drawn, "7.7", "%d is drawn at place %d.", e.Number, e.Place), nil
}

// ResultAccepted says that the computer has taken the result.
type ResultAccepted struct{ Act }

// apply ends a draw. A result that was paid by hand because the computer had
// failed is taken when the computer is put right.
//
//rule:casino-keno-div2 7.7
func (e ResultAccepted) apply(s State) (State, Step, *refusal.Refusal) {
	if r := s.during("A result", Complete); r != nil {
		return s, Step{}, r
	}
	if s.rectify {
		return s, Step{}, refuse(NotRectified, "11.7", "The computer is to be put right before it takes the result.")
	}
	s.phase = Accepted
	return s, said(Stands, "7.7", "The result of %v is entered.", s.game), nil
}
