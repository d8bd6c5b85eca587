package engine

import (
	"slices"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/jackpot"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// administrators brings two into the house.
func (r *rig) administrators() (first, second uint32) {
	r.t.Helper()
	var all []uint32
	for range 2 {
		made, err := r.engine.Do(r.tick(), command.Change{Command: staff.AddPerson{Details: record.Hash{1},
			Grants: []state.Grant{{Role: record.RoleAdministrator}}}}, command.Env{})
		must(r.t, err)
		all = append(all, staff.NumberOf(made))
	}
	return all[0], all[1]
}

// TestOperate: an act is tried before it is asked for, leaves nothing behind when it is
// refused, and when it is done stands just behind the record that uses its approval.
func TestOperate(t *testing.T) {
	r := newRig(t, t.Name())
	first, second := r.administrators()
	size := r.engine.Size()
	_, err := r.engine.Ask(r.tick(), command.As(series, first),
		command.NameParticipants{From: 1, Names: []string{"qld", "act"}})
	wantRefusal(t, err, command.ActMalformed)
	_, err = r.engine.Ask(r.tick(), command.As(series, first), command.ChangePromotion{Number: 1, Reference: "x"})
	wantRefusal(t, err, game.PromotionUnknown)
	if r.engine.Size() != size {
		t.Error("a refused request left a record")
	}
	act := command.VoidGame{Ordinal: 1, Reason: "no power", Clause: "18(b)"}
	_, err = r.engine.Ask(r.tick(), command.As(series, first), act)
	wantRefusal(t, err, game.GameNotReady) // No game is there that something could have happened to.
	must(t, r.engine.OpenDay(r.tick(), series, day.MustParse("2026-11-15"), 39_600))
	must(t, r.engine.OpenGame(r.tick(), series, r.now+180_000))
	number, err := r.engine.Ask(r.tick(), command.As(series, first), act) // It may be closed and sealed by then.
	must(t, err)
	_, err = r.engine.Operate(r.tick(), command.As(series, first), number)
	wantRefusal(t, err, staff.ApprovalNotGiven)
	_, err = r.engine.Do(r.tick(), command.Change{Command: staff.Consent{By: second, Approval: number,
		Content: command.Content(1, act), Granted: true}}, command.Env{})
	must(t, err)
	size = r.engine.Size()
	_, err = r.engine.Operate(r.tick(), command.As(series, first), number)
	wantRefusal(t, err, game.GameNotReady)
	if r.engine.Size() != size {
		t.Error("a refused act left a record")
	}
	must(t, r.engine.CloseGame(r.tick(), series))
	_, err = r.engine.Operate(r.tick(), command.As(series, first), number)
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
	_, err = r.engine.Operate(r.tick(), command.As(series, first), number)
	wantRefusal(t, err, staff.ApprovalOver)
}

// TestNothingAskedInVain: while a game is drawn, or a day is open, nothing is asked for that
// cannot be done after it either.
func TestNothingAskedInVain(t *testing.T) {
	for book, wants := range map[string]map[command.Act]refusal.Code{
		"vic-keno-2015": {
			command.MigratePools{From: series, Reference: "decision 1"}:                   game.NoJackpot,
			command.GiveAside{Ordinal: 1, Spots: 9, Cents: 1_00, Reference: "decision 1"}: game.MoveUnknown,
		},
		"tas-keno-2023": {
			command.MigratePools{From: series, Reference: "decision 1"}:                               jackpot.SameSystem,
			command.MovePool{Move: rulebook.MoveGive, Spots: 9, Cents: 1_00, Reference: "decision 1"}: game.MoveUnknown,
			command.OpenDay{Day: "2026-11-15", OffsetSeconds: 39_600}:                                 game.DayIsPast,
		},
	} {
		r := newRigUnder(t, t.Name()+book, book)
		first, _ := r.administrators()
		r.openDay("2026-11-15")
		must(t, r.engine.CloseGame(r.tick(), series))
		for act, want := range wants {
			_, err := r.engine.Ask(r.tick(), command.As(series, first), act)
			wantRefusal(t, err, want)
		}
	}
}
