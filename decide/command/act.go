package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// An Act is a command that nobody does alone. One person asks for it, another consents, and then
// the first does it once, exactly as the request says. Its JSON is what the request says.
type Act interface {
	Command
	// Words says in a sentence what the act would do, with every value that decides something,
	// for the person who is to consent.
	Words() string
}

// Consented is an act to which not everybody may consent at every time who may consent to acts of its
// kind. Who may not is refused before anything is consented to in vain.
type Consented interface {
	Act
	CheckConsent(s *state.State, e *Env, second uint32) error
}

// There is an act that is done at a terminal, with the number of the approval. To decide it is
// to try it.
type There interface {
	Act
	// Where says which terminal does it.
	Where() string
}

// The codes of acts.
const (
	ActMalformed refusal.Code = "act_malformed"      // no record can say it
	IssuedThere  refusal.Code = "issued_at_terminal" // a terminal does it, with the approval
	// a number, a text or a list is beyond its bound, or would carry a balance beyond its own
	OutOfBounds refusal.Code = "out_of_bounds"
)

// passing are refusals of what may be done a little later, and so may be asked for: the game is
// not so far, or the two who must sign are not known yet. What decides an act looks for these
// last: an act that would be refused after one of these is asked for in vain.
var passing = []refusal.Code{
	game.GameNotReady, game.EarlierWaits, game.ReportsWait, game.GamesUnsettled, game.DayIsOpen,
	counter.PersonsMissing, counter.PartiesMissing, counter.SessionOpen, staff.FoundingOver,
}

// Passing returns the codes of what may be done a little later.
func Passing() []refusal.Code { return slices.Clone(passing) }

// Passes reports whether an act that is refused now may be asked for all the same.
func Passes(refused *refusal.Refusal, s *state.State, e *Env, act Act) bool {
	if !slices.Contains(passing, refused.Code) {
		return false
	}
	on, ok := act.(interface{ on() uint32 })
	if !ok {
		return true
	}
	// No time that passes brings back a draw or a game that is over, or that nobody has opened.
	series, ok := s.Series(e.Series)
	if !ok {
		return false
	}
	g, ok := series.Game(on.on())
	return ok && !g.Phase.IsOver()
}

// act is the row of an act.
func act(tag, two, name, path, says, refuses string) Row {
	return Row{Two: two, Name: name, Path: path, Says: says, Tag: tag, Refuses: refuses}
}

// ActionOf returns the name of an act among those of package staff. That the act has one is a
// matter of this program.
func ActionOf(act Act) string {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.command == reflect.TypeOf(act) })
	if i < 0 || rows[i].Two == "" {
		panic(fmt.Sprintf("command: %T has no row of an act", act))
	}
	return rows[i].Two
}

// Say writes an act as a request says it.
func Say(act Act) []byte {
	says, err := json.Marshal(act)
	if err != nil {
		panic(fmt.Sprintf("command: an act of texts and numbers: %v", err))
	}
	return says
}

// IsAct reports whether an action of two persons is one of the acts of this package.
func IsAct(action string) bool {
	return action != "" && slices.ContainsFunc(rows, func(r Row) bool { return r.Two == action })
}

// ReadAct reads what a request for an action says. It takes the one form in which an act is said
// (Say) and no other.
func ReadAct(action string, says []byte) (Act, error) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Two == action })
	if !IsAct(action) {
		return nil, fmt.Errorf("command: nothing by the name %q is done by two persons", action)
	}
	value := rows[i].New()
	decoder := json.NewDecoder(bytes.NewReader(says))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(value.Interface())
	act, _ := value.Elem().Interface().(Act)
	if err == nil && !bytes.Equal(Say(act), says) {
		err = errors.New("it is not in its one form")
	}
	if err != nil {
		return nil, fmt.Errorf("command: a request for %s: %w", action, err)
	}
	return act, nil
}

// CheckSaid refuses what no record may say, at whatever moment the act is done: a text that is
// not one line, unless it is that of a file, and an amount below nothing. A refusal that passes would hide it.
func CheckSaid(act Act) error { return checkSaid("", reflect.ValueOf(act)) }

// CheckChoices refuses a value of an act that is none of those among which its field lets a person choose. A
// decision may refuse the value before, with a code of its own.
func CheckChoices(act Act) error {
	v := reflect.Indirect(reflect.ValueOf(act))
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		choices, chosen := field.Tag.Get("enum"), v.Field(i)
		if choices == "" || chosen.Kind() != reflect.String || chosen.String() == "" {
			continue
		}
		if list := strings.Split(choices, ","); !slices.Contains(list, chosen.String()) {
			path, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return &refusal.Refusal{Code: OutOfBounds, Path: path,
				Sentence: fmt.Sprintf("The value must be one of %s.", strings.Join(list, ", "))}
		}
	}
	return nil
}

func checkSaid(path string, v reflect.Value) error {
	beyond := func(rule string) error {
		return &refusal.Refusal{Code: OutOfBounds, Path: path, Sentence: fmt.Sprintf("The value %s.", rule)}
	}
	switch v.Kind() {
	case reflect.String:
		check := record.CheckLine
		if v.Type() == reflect.TypeFor[FileText]() {
			check = record.CheckText
		}
		if rule := check(v.String(), math.MaxInt32); rule != "" { // Its own bound is the record's.
			return beyond(rule)
		}
	case reflect.Int64:
		if v.Int() < 0 && strings.HasSuffix(path, "cents") {
			return beyond("must not be below zero")
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

// Content commits to what an act does in a series of games.
func Content(series uint8, act Act) record.Hash {
	return staff.ContentIn(series, ActionOf(act), Say(act))
}
