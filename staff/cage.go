package staff

import (
	"fmt"

	"drawhouse/record"
	"drawhouse/state"
)

// ActionCage is a decision at a ball machine.
const ActionCage = "attend_cage"

// CageTakesTwo reports whether an act at a ball machine takes the approval of a second
// person. What one employee does under the eyes of another, or attests of the balls,
// does not; everything does that decides what a draw is worth, or lets the machine draw
// again.
func CageTakesTwo(act record.CageAct) bool {
	return act != record.CageCounted && act != record.CageReplaced && act != record.CageAccepted
}

// DescribeCage says to the last detail what an act at the ball machine of a series is,
// and at which draw, so that consent to it is of no use at another.
func DescribeCage(s *state.State, act record.CageAttended) string {
	at := "no draw"
	if series, ok := s.Series(act.Series); ok {
		if name, revision := series.Cage().Game(); revision > 0 {
			at = fmt.Sprintf("%v, revision %d", name, revision)
		}
	}
	return fmt.Sprintf("%s at %s: %sreason %q", act.Act, at, cageDetails(s, act), act.Reason)
}

// cageDetails says what an act is about. A ball that was entered is named by its number and
// not by its place, which is another ball's as soon as one before it is struck.
func cageDetails(s *state.State, act record.CageAttended) string {
	recorded := 0
	if series, ok := s.Series(act.Series); ok && act.Act == record.CageReread {
		if drawn := series.Cage().Drawn(); act.Place >= 1 && int(act.Place) <= drawn.Len() {
			recorded = drawn.At(int(act.Place) - 1)
		}
	}
	text := ""
	if act.Balls != 0 {
		text += fmt.Sprintf("%d balls, ", act.Balls)
	}
	if recorded != 0 {
		text += fmt.Sprintf("recorded as %d, ", recorded)
	}
	switch {
	case act.Number != 0:
		text += fmt.Sprintf("ball %d, ", act.Number)
	case act.Place != 0:
		text += fmt.Sprintf("place %d, ", act.Place)
	}
	if act.Video != "" {
		text += fmt.Sprintf("video %q, ", act.Video)
	}
	return text
}

// RequestCage asks another person to consent to an act at the ball machine.
func RequestCage(s *state.State, act record.CageAttended) Request {
	says := DescribeCage(s, act)
	return Request{By: act.By, Action: ActionCage, Content: ContentIn(act.Series, ActionCage, []byte(says)), Says: says, Series: act.Series}
}

// UseCage returns the record that stands before that of an approved act at the ball
// machine, or nil where the act takes one person.
func UseCage(s *state.State, now record.Time, act record.CageAttended) (*record.ApprovalUsed, error) {
	if !CageTakesTwo(act.Act) {
		if act.Approval != 0 {
			return nil, refuse(ApprovalOther, "", "approval", "This takes one person and no approval.")
		}
		return nil, nil
	}
	r := RequestCage(s, act)
	return UseApproval(s, now, Use{By: r.By, Approval: act.Approval, Action: r.Action, Content: r.Content})
}
