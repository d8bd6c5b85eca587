package engine

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"drawhouse/day"
	"drawhouse/game"
	"drawhouse/jackpot"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/staff"
	"drawhouse/state"
)

// TestActsAreActions: what the operator does is what package staff lets two persons do,
// and every act is read as it is said.
func TestActsAreActions(t *testing.T) {
	want := slices.Sorted(slices.Values(append(staff.OperatorActions(), staff.BankActions()...)))
	if got := slices.Sorted(maps.Keys(readers)); !slices.Equal(got, want) {
		t.Errorf("acts are %v, actions %v", got, want)
	}
	for action, read := range readers {
		act, err := read([]byte("{}"))
		if err != nil || act.Action() != action {
			t.Errorf("%s is read as %T: %v", action, act, err)
		}
		again, err := ReadAct(action, Say(act))
		if err != nil || !bytes.Equal(Say(again), Say(act)) {
			t.Errorf("%s is said as %s and read as %+v: %v", action, Say(act), again, err)
		}
	}
}

// FuzzReadAct: what is read is said again in the same bytes, so that what a person has
// seen is what is done.
func FuzzReadAct(f *testing.F) {
	for action, read := range readers {
		act, _ := read([]byte("{}"))
		f.Add(action, string(Say(act)))
		f.Add(action, `{"ordinal":1,"ordinal":2}`)
	}
	f.Add("void_game", `{"ordinal":1,"reason":"a","clause":"b"} `)
	f.Fuzz(func(t *testing.T, action, says string) {
		act, err := ReadAct(action, []byte(says))
		if err == nil && (string(Say(act)) != says || act.Action() != action) {
			t.Errorf("%q is read as %s", says, Say(act))
		}
	})
}

// administrators brings two into the house.
func (r *rig) administrators() (first, second uint32) {
	r.t.Helper()
	var all []uint32
	for range 2 {
		bodies, err := r.engine.Staff(r.tick(), staff.AddPerson{Details: record.Hash{1}, Grants: []state.Grant{{Role: record.RoleAdministrator}}})
		must(r.t, err)
		all = append(all, staff.NumberOf(bodies))
	}
	return all[0], all[1]
}

// TestOperate: an act is tried before it is asked for, leaves nothing behind when it is
// refused, and when it is done stands just behind the record that uses its approval.
func TestOperate(t *testing.T) {
	r := newRig(t, t.Name())
	first, second := r.administrators()
	size := r.engine.Size()
	_, err := r.engine.Ask(r.tick(), series, first, NameParticipants{From: 1, Names: []string{"qld", "act"}})
	wantRefusal(t, err, ActMalformed)
	_, err = r.engine.Ask(r.tick(), series, first, ChangePromotion{Number: 1, Reference: "x"})
	wantRefusal(t, err, game.PromotionUnknown)
	if r.engine.Size() != size {
		t.Error("a refused request left a record")
	}
	act := VoidGame{Ordinal: 1, Reason: "no power", Clause: "18(b)"}
	_, err = r.engine.Ask(r.tick(), series, first, act)
	wantRefusal(t, err, game.GameNotReady) // No game is there that something could have happened to.
	must(t, r.engine.OpenDay(r.tick(), series, day.MustParse("2026-11-15"), 39_600))
	must(t, r.engine.OpenGame(r.tick(), series, r.now+180_000))
	number, err := r.engine.Ask(r.tick(), series, first, act) // It may be closed and sealed by then.
	must(t, err)
	_, err = r.engine.Operate(r.tick(), series, first, number)
	wantRefusal(t, err, staff.ApprovalNotGiven)
	_, err = r.engine.Staff(r.tick(), staff.Consent{By: second, Approval: number, Content: staff.ContentIn(1, act.Action(), Say(act)), Granted: true})
	must(t, err)
	size = r.engine.Size()
	_, err = r.engine.Operate(r.tick(), series, first, number)
	wantRefusal(t, err, game.GameNotReady)
	if r.engine.Size() != size {
		t.Error("a refused act left a record")
	}
	must(t, r.engine.CloseGame(r.tick(), series))
	_, err = r.engine.Operate(r.tick(), series, first, number)
	must(t, err)
	r.take()
	var kinds []record.Kind
	for _, data := range r.records[len(r.records)-2:] {
		kind, _ := record.KindOf(data)
		kinds = append(kinds, kind)
	}
	if !slices.Equal(kinds, []record.Kind{record.KindApprovalUsed, record.KindGameVoided}) {
		t.Errorf("the last records are %v", kinds)
	}
	_, err = r.engine.Operate(r.tick(), series, first, number)
	wantRefusal(t, err, staff.ApprovalOver)
}

// TestNothingAskedInVain: while a game is drawn, or a day is open, nothing is asked for that
// cannot be done after it either.
func TestNothingAskedInVain(t *testing.T) {
	for book, wants := range map[string]map[Act]refusal.Code{
		"vic-keno-2015": {
			MigratePools{From: series, Reference: "decision 1"}:                   game.NoJackpot,
			GiveAside{Ordinal: 1, Spots: 9, Cents: 1_00, Reference: "decision 1"}: game.MoveUnknown,
		},
		"tas-keno-2023": {
			MigratePools{From: series, Reference: "decision 1"}:                               jackpot.SameSystem,
			MovePool{Move: rulebook.MoveGive, Spots: 9, Cents: 1_00, Reference: "decision 1"}: game.MoveUnknown,
			OpenDay{Day: "2026-11-15", OffsetSeconds: 39_600}:                                 game.DayIsPast,
		},
	} {
		r := newRigUnder(t, t.Name()+book, book)
		first, _ := r.administrators()
		r.openDay("2026-11-15")
		must(t, r.engine.CloseGame(r.tick(), series))
		for act, want := range wants {
			_, err := r.engine.Ask(r.tick(), series, first, act)
			wantRefusal(t, err, want)
		}
	}
}
