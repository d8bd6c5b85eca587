package hall_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/state"
)

// viewer makes a view after everything that happens, from the one before and the changes,
// and keeps what some of them said.
type viewer struct {
	t       *testing.T
	state   *state.State
	changes *state.Changes
	last    *state.View
	made    int
	kept    map[*state.View][]byte
}

// look makes a view and holds it against one that is made of everything.
func (v *viewer) look() {
	v.t.Helper()
	v.last = v.state.View(v.last, v.changes)
	v.changes.Clear()
	if v.made++; v.made%7 == 0 {
		v.kept[v.last] = v.says(v.last)
	}
	if fresh := v.state.View(nil, nil); !reflect.DeepEqual(v.last, fresh) {
		v.t.Fatalf("view %d differs from the state: %s, %s", v.made, v.says(v.last), v.says(fresh))
	}
}

// says returns what a view says of the room.
func (v *viewer) says(view *state.View) []byte {
	v.t.Helper()
	room, _ := view.Hall(1)
	data, err := json.Marshal(room)
	if err != nil {
		v.t.Fatal(err)
	}
	return data
}

// TestViewStays makes a view after everything that happens in a room by chance. Each is
// what a copy of the whole state would be, and none changes afterwards.
func TestViewStays(t *testing.T) {
	e := newEvening(t, "views", 3, command.Level{Name: "jackpot", Share: 10_000, SeedCents: 10_00})
	st := e.Engine.State()
	v := &viewer{t: t, state: st, changes: st.Watch(), kept: map[*state.View][]byte{}}
	c := crowd{evening: &e, Rand: rand.New(rand.NewPCG(7, 7)), book: 101, done: map[string]int{}, views: v}
	for range 3 {
		c.session()
	}
	for view, said := range v.kept {
		if !bytes.Equal(v.says(view), said) {
			t.Errorf("a view said %s, and says now %s", said, v.says(view))
		}
	}
	if len(v.kept) < 10 || c.done["claim"] == 0 {
		t.Errorf("%d views were kept of %d, and this was done: %v", len(v.kept), v.made, c.done)
	}
}
