package staff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
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

// ReadCage returns the act at the ball machine that a request says, if it is of the draw at
// which the machine is now: read back, it describes itself in the same words.
func ReadCage(s *state.State, series uint8, asked record.ApprovalRequested) (record.CageAttended, bool) {
	act := record.CageAttended{Series: series, By: asked.By}
	name, rest, _ := strings.Cut(asked.Says, " at ")
	_, rest, found := strings.Cut(rest, ": ")
	if act.Act = record.CageAct(name); !found {
		return act, false
	}
	recorded := uint8(0)
	for {
		switch word, _, _ := strings.Cut(rest, " "); word {
		case "reason":
			_, err := fmt.Sscanf(rest, "reason %q", &act.Reason)
			if current, ok := s.Series(series); ok && err == nil {
				act.Place = placeOf(current, act, recorded)
			}
			return act, err == nil && DescribeCage(s, act) == asked.Says
		case "video":
			quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(rest, "video "))
			if err != nil {
				return act, false
			}
			act.Video, _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(rest, "video "+quoted+", ")
		default:
			part, more, found := strings.Cut(rest, ", ")
			if !found || !readDetail(part, &act, &recorded) {
				return act, false
			}
			rest = more
		}
	}
}

// readDetail reads one number of the description of an act.
func readDetail(part string, act *record.CageAttended, recorded *uint8) bool {
	for form, to := range map[string]any{"%d balls": &act.Balls, "recorded as %d": recorded, "ball %d": &act.Number,
		"place %d": &act.Place} {
		if n, _ := fmt.Sscanf(part, form, to); n == 1 {
			return true
		}
	}
	return false
}

// placeOf returns the place of an act: of a ball that was entered, that at which it stands now.
func placeOf(series *state.Series, act record.CageAttended, recorded uint8) uint8 {
	named := recorded
	if act.Act == record.CageFellBack {
		named = act.Number
	}
	if named == 0 {
		return act.Place
	}
	return uint8(slices.Index(series.Cage().Drawn().Numbers(), int(named)) + 1)
}

// RequestCage asks another person to consent to an act at the ball machine.
func RequestCage(s *state.State, act record.CageAttended) Request {
	says := DescribeCage(s, act)
	return Request{By: act.By, Action: ActionCage, Content: ContentIn(act.Series, ActionCage, []byte(says)), Says: says,
		Series: act.Series}
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
