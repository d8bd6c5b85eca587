package engine

import (
	"errors"
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/journal/record"
)

// ChooseDevice says what draws the games of a series that open from now on.
func (e *Engine) ChooseDevice(now record.Time, c record.DeviceChosen) error {
	chosen, err := game.ChooseDevice(e.state, c)
	if err != nil || chosen == nil {
		return err
	}
	_, err = e.append(now, chosen, nil)
	return err
}

// CommitChain takes a custodian's commitment for a Keno Day to come.
func (e *Engine) CommitChain(now record.Time, series uint8, note []byte) error {
	committed, err := game.Commit(e.state, series, note)
	if err != nil || committed == nil {
		return err
	}
	_, err = e.append(now, committed, nil)
	return err
}

// TakeLink takes a custodian's link for the draw of a sealed game. By is who brought one
// that was rebuilt from escrow, or 0.
func (e *Engine) TakeLink(now record.Time, series uint8, ordinal uint32, link draw.Link, by uint32) error {
	released, err := game.Link(e.state, series, ordinal, link, by)
	if err != nil || released == nil {
		return err
	}
	_, err = e.append(now, released, nil)
	return err
}

// TakeRound takes the round of the beacon for the game of a series that waits for it.
func (e *Engine) TakeRound(now record.Time, series uint8, number uint64, signature []byte) error {
	given, err := game.Round(e.state, series, number, signature)
	if err != nil || given == nil {
		return err
	}
	_, err = e.append(now, given, nil)
	return err
}

// VoidLate ends a game whose seal was not cosigned before its round could be known.
func (e *Engine) VoidLate(now record.Time, series uint8, ordinal uint32) error {
	decision, err := command.VoidedLate(e.state, series, ordinal, max(now, e.state.Now()))
	return e.decided(now, decision, err)
}

// StartCage sets the ball machine going for a sealed game.
func (e *Engine) StartCage(now record.Time, series uint8, ordinal uint32, recorders [2]uint32,
	by uint32) (cage.Step, error) {
	started, step, err := game.StartCage(e.state, series, ordinal, recorders, by)
	if err != nil {
		return cage.Step{}, err
	}
	_, err = e.append(now, started, nil)
	return step, err
}

// KeyBall takes a ball as one of the two recorders keyed it.
func (e *Engine) KeyBall(now record.Time, series uint8, place, number int, by uint32) (cage.Step, error) {
	keyed, step, err := game.KeyBall(e.state, series, place, number, by)
	if err != nil {
		return cage.Step{}, err
	}
	_, err = e.append(now, keyed, nil)
	return step, err
}

// AttendCage takes an act at the ball machine beside the balls. A decision that takes
// two people uses the approval of the second; one that makes a draw void is followed by
// the record that says so of the game.
func (e *Engine) AttendCage(now record.Time, act record.CageAttended) (cage.Step, error) {
	used, err := staff.UseCage(e.state, max(now, e.state.Now()), act)
	if err != nil {
		return cage.Step{}, err
	}
	decided, err := game.Attend(e.state, act)
	if err != nil {
		return cage.Step{}, err
	}
	if used != nil {
		if _, err := e.append(now, used, nil); err != nil {
			return cage.Step{}, err
		}
	}
	return decided.Step, e.cageAttended(now, act, decided)
}

// AskCage asks another person to consent to an act at the ball machine. What could not be
// done now is not asked for. It returns the request and what would come of the act.
func (e *Engine) AskCage(now record.Time, act record.CageAttended) (*record.ApprovalRequested, []string, error) {
	trial, err := game.TryAttend(e.state, act)
	if err != nil {
		return nil, nil, err
	}
	made, err := e.Do(now, command.Change{Command: staff.RequestCage(e.state, act)}, command.Env{})
	if err != nil {
		return nil, nil, err
	}
	asked, ok := made.(*record.ApprovalRequested)
	if !ok {
		return nil, nil, fmt.Errorf("engine: a request for consent made a %T and no request", made)
	}
	return asked, cageEffects(trial), nil
}

// foreseeCage says what an act at the ball machine would do if it were done now.
func (e *Engine) foreseeCage(series uint8, asked record.ApprovalRequested) (Prospect, error) {
	p := Prospect{Does: asked.Says}
	act, ok := staff.ReadCage(e.state, series, asked)
	if !ok {
		p.Refused = &refusal.Refusal{Code: cage.OutOfTurn, Path: "approval",
			Sentence: "The ball machine is not at the draw that this is about, or the ball has gone from it."}
		return p, nil
	}
	trial, err := game.TryAttend(e.state, act)
	if err != nil && !errors.As(err, &p.Refused) {
		return p, err
	}
	if err == nil {
		p.Effects = cageEffects(trial)
	}
	return p, nil
}

// cageEffects says in words what would come of an act at the ball machine.
//
//rule:casino-keno-div2 11.6
func cageEffects(trial game.Trial) []string {
	all := []string{trial.Step.Sentence}
	if trial.Void == nil {
		return all
	}
	var made []record.Record
	for _, carried := range trial.Void.Carried {
		made = append(made, record.Record{Body: &carried})
	}
	all = append(all, effects(append(made, record.Record{Body: trial.Void.Record, Postings: trial.Void.Postings}))...)
	if trial.Over == nil {
		return all
	}
	return append(all,
		fmt.Sprintf("Nothing more of the Keno Day is sold or drawn. Game %v, which is on sale, closes without a result, and its stakes go back too, by now %v. Later games of its tickets can be cancelled until the day ends.", trial.Over.Ref, trial.Stakes))
}

// cageAttended writes an act whose approval is in use, and what follows for its game.
func (e *Engine) cageAttended(now record.Time, act record.CageAttended, decided game.Attended) error {
	_, err := e.append(now, decided.Record, nil)
	if err != nil || decided.Ordinal == 0 {
		return err
	}
	void := game.VoidBy(act, decided.Step)
	if decided.Abandoned {
		err = e.voidGame(now, act.Series, decided.Ordinal, void)
	} else {
		var voided *record.DrawVoided
		if voided, err = game.VoidDraw(e.state, act.Series, decided.Ordinal, void); err == nil {
			_, err = e.append(now, voided, nil)
		}
	}
	if err != nil {
		panic(fmt.Sprintf("engine: a draw that its cage has made void: %v", err)) // As in CloseGame.
	}
	return nil
}
