package engine

import (
	"reflect"
	"strings"
	"testing"

	"drawhouse/game"
	"drawhouse/record"
	"drawhouse/staff"
	"drawhouse/state"
)

// TestWords: every act has words, and they say each of its values, so that who consents sees
// what will happen.
func TestWords(t *testing.T) {
	for action, read := range readers {
		empty, err := read([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if Words(empty) == "" {
			t.Errorf("%s has no words", action)
		}
		kind := reflect.TypeOf(empty)
		for i := range kind.NumField() {
			full := reflect.New(kind).Elem()
			field := full.Field(i)
			switch field.Kind() {
			case reflect.String:
				field.SetString("refund")
			case reflect.Bool:
				field.SetBool(true)
			case reflect.Slice:
				field.Set(reflect.MakeSlice(field.Type(), 2, 2))
			case reflect.Int, reflect.Int32, reflect.Int64:
				field.SetInt(7)
			default:
				field.SetUint(7)
			}
			name := kind.Field(i).Name
			if action == "begin_promotion" {
				// What it says depends on whether it is on draws or on a ready ticket.
				if name == "Den" || name == "Prizes" {
					full.FieldByName("Item").SetString("item")
					full.FieldByName("Prizes").Set(reflect.MakeSlice(full.FieldByName("Prizes").Type(), 1, 1))
				}
			}
			act, ok := full.Interface().(Act)
			if !ok || Words(act) == Words(empty) {
				t.Errorf("the words of %s do not say its %s: %s", action, name, Words(empty))
			}
		}
	}
}

// TestForeseeOpening: a request to open a Keno Day says which prizes it would sweep and which
// papers would expire, before anybody consents, and a day of a mistyped year is not asked for.
func TestForeseeOpening(t *testing.T) {
	r := newRig(t, "foresee")
	r.openDay("2026-11-15")
	for range 6 {
		r.sell(1, 1, oneSpot)
		r.play()
	}
	must(t, r.engine.CloseGame(r.tick(), series))
	r.take()
	current, _ := r.engine.State().Series(series)
	r.drawAndSettle(current.Newest().Ordinal)
	must(t, r.engine.CloseDay(r.tick(), series))
	bodies, err := r.engine.Staff(r.tick(), staff.AddPerson{Details: record.Hash{1}, Grants: []state.Grant{{Role: record.RoleAdministrator}}})
	must(t, err)
	boss := staff.NumberOf(bodies)
	_, err = r.engine.Ask(r.tick(), series, boss, OpenDay{Day: "2027-11-16", OffsetSeconds: 39600})
	wantRefusal(t, err, game.DayNotNow)
	r.now += 300 * dayMillis
	_, err = r.engine.Ask(r.tick(), series, boss, OpenDay{Day: "2027-09-12", OffsetSeconds: 39600})
	wantRefusal(t, err, game.DayNotNow)
	number, err := r.engine.Ask(r.tick(), series, boss, OpenDay{Day: "2027-09-11", OffsetSeconds: 39600})
	must(t, err)
	asked, _ := r.engine.State().People().Approval(number)
	before := r.engine.State().Hash()
	p, err := r.engine.Foresee(r.tick(), series, asked.ApprovalRequested)
	must(t, err)
	if p.Refused != nil || p.Does != "Open Keno Day 2027-09-11, where clocks are 39600 seconds ahead of UTC." {
		t.Errorf("%+v", p)
	}
	if all := strings.Join(p.Effects, "\n"); !strings.Contains(all, "Unclaimed prizes of $") || !strings.Contains(all, "treasurer") {
		t.Errorf("the request does not say what it sweeps: %q", all)
	}
	if r.engine.State().Hash() != before {
		t.Error("a look ahead has changed the state")
	}
}
