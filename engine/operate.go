package engine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"drawhouse/counter"
	"drawhouse/game"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/staff"
)

// The codes of what the operator does.
const (
	RulebookAdopted refusal.Code = "rulebook_adopted" // the house has it already
	ActMalformed    refusal.Code = "act_malformed"    // no record can say it
)

// errTrial ends a trial: everything was decided and nothing appended.
var errTrial = errors.New("a trial")

// stops reports whether an error ends a command. That of a trial does not: what would follow
// is tried as well.
func stops(err error) bool { return err != nil && !errors.Is(err, errTrial) }

// passing are refusals of what may be done a little later, and so may be asked for: the
// game is not so far, or the two who must sign are not known yet. What decides an act looks
// for these last: whatever it would refuse after one is asked for in vain.
var passing = []refusal.Code{
	game.GameNotReady, game.EarlierWaits, game.ReportsWait, game.GamesUnsettled, game.DayIsOpen,
	counter.PersonsMissing, counter.PartiesMissing, counter.SessionOpen, staff.FoundingOver,
}

// Ask asks another person to consent to an act and returns the number of the request.
// What could not be done now is not asked for.
func (e *Engine) Ask(now record.Time, series uint8, by uint32, act Act) (uint32, error) {
	if err := e.try(now, series, act); err != nil {
		return 0, err
	}
	says := Say(act)
	bodies, err := e.Staff(now, staff.Request{By: by, Action: act.Action(), Content: staff.ContentIn(series, act.Action(), says), Says: string(says), Series: series})
	if err != nil {
		return 0, err
	}
	return staff.RequestNumber(bodies), nil
}

// checkSaid refuses what no record may say, at whatever moment the act is done: a text that is
// not one line, and an amount below nothing. A refusal that passes would hide it.
func checkSaid(path string, v reflect.Value) error {
	refuse := func(rule string) error {
		return &refusal.Refusal{Code: OutOfBounds, Path: path, Sentence: fmt.Sprintf("The value %s.", rule)}
	}
	switch v.Kind() {
	case reflect.String:
		if rule := record.CheckLine(v.String(), math.MaxInt32); rule != "" { // Its own bound is the record's.
			return refuse(rule)
		}
	case reflect.Int64:
		if v.Int() < 0 && strings.HasSuffix(path, "cents") {
			return refuse("must not be below zero")
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkSaid(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if path != "" {
				name = path + "." + name
			}
			if err := checkSaid(name, v.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// try decides an act and does nothing.
func (e *Engine) try(now record.Time, series uint8, act Act) error {
	if err := checkSaid("", reflect.ValueOf(act)); err != nil {
		return err
	}
	_, err := e.attempt(now, series, act)
	var refused *refusal.Refusal
	switch {
	case errors.Is(err, errTrial), errors.As(err, &refused) && slices.Contains(passing, refused.Code) && !e.tooLate(series, act):
		return nil
	case refused != nil:
		return refused
	case err == nil:
		return fmt.Errorf("engine: %s comes to no record", act.Action())
	}
	// What the record's own check refuses is a value that no record may have.
	return &refusal.Refusal{Code: ActMalformed, Sentence: fmt.Sprintf("No record can say this: %v.", err)}
}

// tooLate reports whether an act is on a draw or a game that is over, or that nobody has
// opened: no time that passes makes it possible, whatever it is refused with.
func (e *Engine) tooLate(series uint8, act Act) bool {
	var ordinal uint32
	switch a := act.(type) {
	case VoidDraw:
		ordinal = a.Ordinal
	case ConfirmResult:
		ordinal = a.Ordinal
	case VoidGame:
		ordinal = a.Ordinal
	default:
		return false
	}
	current, ok := e.state.Series(series)
	if !ok {
		return true
	}
	g, ok := current.Game(ordinal)
	return !ok || g.Phase.IsOver()
}

// Operate does what a request says, once another person has consented. The record that
// uses the approval stands before those of the act, and comes with them or not at all.
func (e *Engine) Operate(now record.Time, series uint8, by, approval uint32) (Act, error) {
	asked, ok := e.state.People().Approval(approval)
	if !ok || asked.Says == "" {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval", Sentence: fmt.Sprintf("There is no request %d of the operator.", approval)}
	}
	if _, isAct := readers[asked.Action]; !isAct {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval", Sentence: fmt.Sprintf("Request %d is used where it was asked for.", approval)}
	}
	act, err := ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return nil, err
	}
	used, err := staff.UseApproval(e.state, max(now, e.state.Now()), staff.Use{
		By: by, Approval: approval, Action: asked.Action, Content: staff.ContentIn(series, asked.Action, []byte(asked.Says)),
	})
	if err != nil {
		return nil, err
	}
	e.lead = used
	defer func() { e.lead = nil }()
	return act, act.do(e, now, series, approval)
}
