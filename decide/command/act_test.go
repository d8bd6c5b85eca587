package command_test

import (
	"bytes"
	"reflect"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
)

// acts returns every act, with nothing in it.
func acts() map[string]command.Act {
	all := map[string]command.Act{}
	for _, row := range command.Rows() {
		if row.Two != "" {
			all[row.Two] = row.New().Elem().Interface().(command.Act)
		}
	}
	return all
}

// TestActsAreActions: what the operator does is what package staff lets two persons do,
// and every act is read as it is said.
func TestActsAreActions(t *testing.T) {
	all := acts()
	want := append(staff.OperatorActions(), staff.BankActions()...)
	for _, action := range want {
		if all[action] == nil {
			t.Errorf("there is no act for %s", action)
		}
	}
	if len(all) != len(want) {
		t.Errorf("there are %d acts for %d actions", len(all), len(want))
	}
	for action, act := range all {
		if command.ActionOf(act) != action || !command.IsAct(action) {
			t.Errorf("%T is %s and not %s", act, command.ActionOf(act), action)
		}
		again, err := command.ReadAct(action, command.Say(act))
		if err != nil || !bytes.Equal(command.Say(again), command.Say(act)) {
			t.Errorf("%s is said as %s and read as %+v: %v", action, command.Say(act), again, err)
		}
		if act.Words() == "" {
			t.Errorf("%s has no words", action)
		}
	}
	if command.IsAct("") {
		t.Error("nothing is an act")
	}
}

// TestWordsSayEverything changes each field of every act: the words change with it, so that the
// person who consents has read what decides something.
func TestWordsSayEverything(t *testing.T) {
	for action, act := range acts() {
		for i := range reflect.TypeOf(act).NumField() {
			value := reflect.New(reflect.TypeOf(act)).Elem()
			field := value.Field(i)
			switch field.Kind() {
			case reflect.String:
				field.SetString("another")
			case reflect.Bool:
				field.SetBool(true)
			case reflect.Slice:
				field.Set(reflect.MakeSlice(field.Type(), 3, 3))
			case reflect.Uint8, reflect.Uint16, reflect.Uint32:
				field.SetUint(7)
			default:
				field.SetInt(7)
			}
			name := value.Type().Field(i).Name
			// The terms of a promotion are said of the kind that it is of.
			if action == "begin_promotion" && (name == "Den" || name == "Prizes") {
				value.FieldByName("Item").SetString("item")
				act = command.BeginPromotion{Item: "item"}
			}
			if name == "Den" {
				value.FieldByName("Prizes").Set(reflect.ValueOf(make([]command.BonusPrize, 1)))
				act = command.BeginPromotion{Item: "item", Prizes: make([]command.BonusPrize, 1)}
			}
			if said, _ := value.Interface().(command.Act); said.Words() == act.Words() {
				t.Errorf("%s says the same whatever its %s is: %s", action, name, said.Words())
			}
		}
	}
}

// FuzzReadAct: what is read is said again in the same bytes, so that what a person has
// seen is what is done.
func FuzzReadAct(f *testing.F) {
	for action, act := range acts() {
		f.Add(action, string(command.Say(act)))
		f.Add(action, `{"ordinal":1,"ordinal":2}`)
	}
	f.Add("void_game", `{"ordinal":1,"reason":"a","clause":"b"} `)
	f.Fuzz(func(t *testing.T, action, says string) {
		act, err := command.ReadAct(action, []byte(says))
		if err == nil && (string(command.Say(act)) != says || command.ActionOf(act) != action) {
			t.Errorf("%q is read as %s", says, command.Say(act))
		}
	})
}
