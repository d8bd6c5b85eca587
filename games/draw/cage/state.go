package cage

import (
	"fmt"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/journal"
)

const (
	// Balls is how many balls the device holds, numbered from 1.
	Balls = 80
	// Numbers is how many of them make a result.
	Numbers = 20
)

// Phase is where a draw stands.
type Phase uint8

// The phases.
const (
	Idle     Phase = iota // there has been no draw yet
	Drawing               // balls are drawn and keyed
	Complete              // twenty numbers are drawn
	Accepted              // the computer has taken the result
	Void                  // the draw does not count
)

func (p Phase) String() string {
	return [...]string{"idle", "drawing", "complete", "accepted", "void"}[p]
}

// State is how a cage and its draw stand. The zero value is a cage that nobody has
// looked at. It is a value: two states can be compared and none shares anything.
type State struct {
	phase     Phase
	game      journal.Game
	revision  uint32
	recorders [2]string
	drawn     ball.Sequence    // what both have keyed
	keyed     [2]ball.Sequence // what each has keyed, which begins with drawn
	byHand    bool             // the device is turned by hand to the end of this draw
	clause    string           // by which the draw is void
	ended     bool             // the void draw is not made again

	counted bool  // 80 balls were counted, and the device was not opened since
	ball    uint8 // the ball that is to be replaced, or 0
	repair  bool  // the device is to be repaired
	rectify bool  // the computer is to be put right
	manual  bool  // prizes of this draw are paid by hand
}

// Recorders returns who record the draw.
func (s State) Recorders() [2]string { return s.recorders }

// Phase returns where the draw stands.
func (s State) Phase() Phase { return s.phase }

// Game returns the game of the draw, and the revision of the draw.
func (s State) Game() (journal.Game, uint32) { return s.game, s.revision }

// Drawn returns the numbers drawn so far, in order. What only one of the two has
// keyed is nobody's to see, or they would not record independently.
//
//rule:casino-keno-div2 7.7
func (s State) Drawn() ball.Sequence { return s.drawn }

// Keyed returns how many balls a recorder has keyed.
func (s State) Keyed(recorder string) int {
	if i := s.recorder(recorder); i >= 0 {
		return s.keyed[i].Len()
	}
	return 0
}

// ByHand reports whether the device is turned by hand to the end of the draw.
func (s State) ByHand() bool { return s.byHand }

// ManualPayment reports whether the prizes of the draw are paid by hand.
func (s State) ManualPayment() bool { return s.manual }

// Ended reports whether the game was given up: its draw is void and not made again.
func (s State) Ended() bool { return s.ended }

// Clause returns the rule by which the draw is void, or "".
func (s State) Clause() string { return s.clause }

// recorder returns the index of a recorder, or -1.
func (s State) recorder(name string) int {
	for i, r := range s.recorders {
		if r == name && name != "" {
			return i
		}
	}
	return -1
}

// replacedBy returns the clause by which a ball is replaced: one that was held back, one that broke, or one in
// which an inspection has found a fault.
func (s State) replacedBy() string {
	switch {
	case s.ball == 0:
		return "2.5"
	case s.clause == "11.2":
		return "11.2"
	}
	return "11.4(a)"
}

// Locks returns what keeps the device from drawing again, in the order in which
// it is refused.
func (s State) Locks() []Lock {
	var locks []Lock
	if s.ball != 0 {
		locks = append(locks, Lock{BallToReplace, s.replacedBy(), fmt.Sprintf("Ball %d is to be replaced.", s.ball)})
	}
	if s.repair {
		locks = append(locks, Lock{NotRepaired, "11.4(b)", "The device has failed and is to be repaired."})
	}
	if s.rectify {
		locks = append(locks, s.computerLock())
	}
	if !s.counted {
		locks = append(locks, Lock{BallsNotCounted, "2.3", "80 balls are to be counted in the device."})
	}
	return locks
}

// computerLock is the lock of a computer that has failed.
func (s State) computerLock() Lock {
	clause := "11.5"
	if s.manual {
		clause = "11.7"
	}
	return Lock{NotRectified, clause, "The computer is to be put right."}
}

// CheckRectified refuses the begin of a draw while the computer is not put right. It holds for every device: the
// computer takes the numbers of all of them.
//
//rule:casino-keno-div2 11.5 11.7
func (s State) CheckRectified() *refusal.Refusal {
	if !s.rectify {
		return nil
	}
	lock := s.computerLock()
	return refuse(lock.Code, lock.Clause, "%s", lock.Sentence)
}

// end returns the state with its draw void.
func (s State) end(clause string) State {
	s.phase, s.clause, s.byHand = Void, clause, false
	return s
}

// without returns a sequence without the number at a place, counted from 1. What
// was drawn later moves up.
func without(q ball.Sequence, place int) ball.Sequence {
	numbers := q.Numbers()
	return sequence(append(numbers[:place-1], numbers[place:]...))
}

// sequence returns numbers that are known to be different.
func sequence(numbers []int) ball.Sequence {
	q, err := ball.NewSequence(ball.Keno, numbers...)
	if err != nil {
		panic(err)
	}
	return q
}
