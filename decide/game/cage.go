package game

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/draw/cage"
	"drawhouse/journal/record"
)

// employees are the roles of those who may attend a ball draw.
var employees = []record.Role{record.RoleOperative, record.RoleSupervisor, record.RoleSenior, record.RoleWriter}

// checkEmployee demands that somebody works here.
func checkEmployee(s *state.State, path string, id uint32) error {
	person, ok := s.People().Person(id)
	if !ok || person.Erased || !person.HasAny(employees...) {
		return &refusal.Refusal{Code: NotACageEmployee, Path: path, Clause: "7.7",
			Sentence: fmt.Sprintf("Person %d is not an employee who may attend a ball draw.", id)}
	}
	return nil
}

// StartCage sets the ball machine going for a sealed game, with two who record it.
//
//rule:casino-keno-div2 2.1(a)(i) 7.7 11.5
func StartCage(s *state.State, series uint8, ordinal uint32, recorders [2]uint32,
	by uint32) (*record.CageStarted, cage.Step, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseSealed)
	if err != nil {
		return nil, cage.Step{}, err
	}
	if current.Paused {
		return nil, cage.Step{}, &refusal.Refusal{Code: IsPaused,
			Sentence: "Sale and draws are stopped; no ball draw begins."}
	}
	if err := checkDrawnBy(game, record.DeviceCage); err != nil {
		return nil, cage.Step{}, err
	}
	if err := checkWitnessed(s, game); err != nil {
		return nil, cage.Step{}, err
	}
	if asked := s.BookOf(game).Draw().Keyings; asked != len(recorders) {
		return nil, cage.Step{}, &refusal.Refusal{Code: cage.TwoRecorders, Path: "recorders", Clause: "7.7",
			Sentence: fmt.Sprintf("The rulebook asks for %d keyings of a ball draw, and this house takes %d.", asked,
				len(recorders))}
	}
	for path, id := range map[string]uint32{"recorders[0]": recorders[0], "recorders[1]": recorders[1], "by": by} {
		if err := checkEmployee(s, path, id); err != nil {
			return nil, cage.Step{}, err
		}
	}
	started := &record.CageStarted{Game: game.Ref, Draw: game.Draw, Recorders: recorders, By: by}
	_, step, err := s.CageStep(started)
	if err != nil {
		return nil, cage.Step{}, err
	}
	return started, step, nil
}

// CheckRectified refuses the first number of a game while the computer is not put right, of which people at the ball
// machine have said that it failed. A draw that has begun goes on. What was entered at the ball machine is taken: the
// machine itself does not begin.
//
//rule:casino-keno-div2 11.5 11.7
func CheckRectified(series *state.Series, g *state.Game) error {
	if g.Device == record.DeviceCage || g.Numbers.Len() > 0 {
		return nil
	}
	if refused := series.Cage().CheckRectified(); refused != nil {
		refused.Path = "game"
		return refused
	}
	return nil
}

func checkDrawnBy(g *state.Game, device record.Device) error {
	if g.Device != device {
		return &refusal.Refusal{Code: DeviceOther, Path: "game",
			Sentence: fmt.Sprintf("Game %d is drawn by %s.", g.Ref.Number, g.Device)}
	}
	return nil
}

// KeyBall takes a ball as one of the two recorders keyed it.
//
//rule:casino-keno-div2 7.5 7.7
func KeyBall(s *state.State, series uint8, place, number int, by uint32) (*record.BallKeyed, cage.Step, error) {
	_, game, err := atCage(s, series)
	if err != nil {
		return nil, cage.Step{}, err
	}
	if game.Phase != state.PhaseSealed {
		return nil, cage.Step{}, &refusal.Refusal{Code: cage.OutOfTurn, Path: "place", Clause: "7.5",
			Sentence: fmt.Sprintf("The result of game %d is entered, and no further ball counts.", game.Ref.Number)}
	}
	if place < 1 || place > cage.Numbers || number < 1 || number > cage.Balls {
		return nil, cage.Step{}, &refusal.Refusal{Code: cage.NotPossible, Path: "number", Clause: "7.5",
			Sentence: fmt.Sprintf("Ball %d at place %d: there are %d balls and %d places.", number, place, cage.Balls,
				cage.Numbers)}
	}
	keyed := &record.BallKeyed{Game: game.Ref, Draw: game.Draw, Place: uint8(place), Number: uint8(number), By: by}
	_, step, err := s.CageStep(keyed)
	if err != nil {
		return nil, cage.Step{}, err
	}
	return keyed, step, nil
}

// atCage returns the game whose draw the ball machine is at.
func atCage(s *state.State, series uint8) (*state.Series, *state.Game, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range current.Unsettled() {
		if g.Device == record.DeviceCage && current.AtCage(g) {
			return current, g, nil
		}
	}
	return nil, nil, &refusal.Refusal{Code: cage.OutOfTurn, Path: "game",
		Sentence: "The ball machine is at no draw that is under way."}
}

// Attended is what an act at the ball machine makes: its record, what became of it,
// and what follows for the game.
type Attended struct {
	Record *record.CageAttended
	Step   cage.Step
	// Ordinal is the game whose draw becomes void by the act, and Abandoned says that
	// it has no further one; 0 for none.
	Ordinal   uint32
	Abandoned bool
}

// Attend decides on an act at the ball machine beside the balls. An act that makes the
// draw void is taken for a game that is not settled: later it is a matter for the
// settlement and not for the machine. Act says who did it and, where two decide, by
// which approval, which is used.
//
//rule:casino-keno-div2 11.1 11.2 11.3 11.4(a) 11.4(b) 11.4(c)(i) 11.4(c)(ii) 11.5 11.7
func Attend(s *state.State, act record.CageAttended) (Attended, error) {
	return attend(s, act, func() (cage.State, cage.Step, error) { return s.CageStep(&act) })
}

// Trial is what would come of an act at the ball machine.
type Trial struct {
	Step cage.Step
	Void *Voided // of a game that would end without a result
	// Over is the game on sale that would end with it, because no further game of the Keno Day
	// is possible, and Stakes are those of its plays by now; Over is nil where the day goes on.
	Over   *state.Game
	Stakes money.Amount
}

// TryAttend decides on an act to which a second person would consent, and says what would
// become of the wagers: it is one thing to carry them on and another to give them back.
//
//rule:casino-keno-div2 11.6
func TryAttend(s *state.State, act record.CageAttended) (Trial, error) {
	decided, err := attend(s, act, func() (cage.State, cage.Step, error) { return s.CageTrial(act) })
	if err != nil || !decided.Abandoned {
		return Trial{Step: decided.Step}, err
	}
	current, g, err := underDraw(s, act.Series, decided.Ordinal)
	if err != nil {
		return Trial{}, err
	}
	void := VoidBy(act, decided.Step)
	ended, err := endGame(s, current, g, void)
	if err != nil {
		return Trial{}, err
	}
	trial := Trial{Step: decided.Step, Void: &ended}
	if next := current.Newest(); void.Refund && next.Phase == state.PhaseOpen {
		trial.Over, trial.Stakes = next, current.Open.Totals(next.Ordinal).Stakes
	}
	return trial, nil
}

// VoidBy returns what an act at the ball machine says of the draw or the game that it ends.
func VoidBy(act record.CageAttended, step cage.Step) Void {
	return Void{Reason: act.Reason, Clause: step.Clause, Approval: act.Approval,
		Refund: act.Act == record.CageNoFurther}
}

// checkNamed demands that a ball which fell back is named by its number, if it was entered: a
// place is another ball's as soon as one before it is struck.
//
//rule:casino-keno-div2 11.4(d)
func checkNamed(series *state.Series, act record.CageAttended) error {
	if act.Act == record.CageFellBack && act.Number == 0 && int(act.Place) <= series.Cage().Drawn().Len() {
		return &refusal.Refusal{Code: cage.NotPossible, Path: "number", Clause: "11.4(d)",
			Sentence: fmt.Sprintf("A ball was entered at place %d: name it by its number.", act.Place)}
	}
	return nil
}

func attend(s *state.State, act record.CageAttended, try func() (cage.State, cage.Step, error)) (Attended, error) {
	series, err := seriesOf(s, act.Series)
	if err != nil {
		return Attended{}, err
	}
	if err := checkAllowed(series.Book, record.DeviceCage); err != nil {
		return Attended{}, err
	}
	if err := checkEmployee(s, "by", act.By); err != nil {
		return Attended{}, err
	}
	if err := checkNamed(series, act); err != nil {
		return Attended{}, err
	}
	next, step, err := try()
	if err != nil {
		return Attended{}, err
	}
	decided := Attended{Record: &act, Step: step}
	if next.Phase() != cage.Void || step.Outcome != cage.Voided {
		return decided, nil
	}
	decided.Abandoned = act.Act == record.CageAbandoned || act.Act == record.CageNoFurther
	_, game, err := atCageOrVoid(s, act.Series)
	if err != nil {
		return Attended{}, err
	}
	decided.Ordinal = game.Ordinal
	return decided, nil
}

// atCageOrVoid returns the game whose draw the ball machine is at, or was at when it
// became void: that game then waits for its next draw.
func atCageOrVoid(s *state.State, series uint8) (*state.Series, *state.Game, error) {
	current, game, err := atCage(s, series)
	if err == nil {
		return current, game, nil
	}
	if current, ok := s.Series(series); ok {
		for _, g := range current.Unsettled() {
			if name, _ := current.Cage().Game(); g.Device == record.DeviceCage && g.Phase == state.PhaseSealed &&
				name == current.SealName(g.Ref) {
				return current, g, nil
			}
		}
	}
	return nil, nil, err
}

// checkEntered refuses a number of a ball draw that was not entered at its place.
//
//rule:casino-keno-div2 7.7
func checkEntered(series *state.Series, g *state.Game, number int, bytes []byte) error {
	at := series.Cage()
	if !series.AtCage(g) || at.Phase() != cage.Accepted {
		return &refusal.Refusal{Code: ResultNotEntered, Path: "game", Clause: "7.7",
			Sentence: fmt.Sprintf("The result of game %d is not entered at the cage.", g.Ref.Number)}
	}
	if entered := at.Drawn().At(g.Numbers.Len()); entered != number || len(bytes) > 0 {
		return impossible(number, "%d was entered at its place", entered)
	}
	return nil
}

// checkCageGone refuses to end a game that the ball machine has begun to draw, unless it
// was given up there.
func checkCageGone(series *state.Series, g *state.Game) error {
	if !series.HeldByCage(g) {
		return nil
	}
	return &refusal.Refusal{Code: CageDecides, Path: "game",
		Sentence: fmt.Sprintf("Game %d is drawn at the ball machine: give it up there.", g.Ref.Number)}
}

// checkCageVoid refuses to make a ball draw void but by what happened at the machine,
// which says how it is put right.
func checkCageVoid(series *state.Series, g *state.Game) error {
	if g.Device == record.DeviceCage && series.AtCage(g) && series.Cage().Phase() != cage.Void {
		return &refusal.Refusal{Code: CageDecides, Path: "game",
			Sentence: fmt.Sprintf("Game %d is drawn at the ball machine: say there what happened.", g.Ref.Number)}
	}
	return nil
}
