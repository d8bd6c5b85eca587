package engine_test

import (
	"errors"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// decides is a command that decides what a test says.
type decides []record.Body

// Decide implements command.Command.
func (d decides) Decide(*state.State, *command.Env) (command.Decision, error) {
	var decision command.Decision
	for _, body := range d {
		decision.Facts = append(decision.Facts, command.Fact{Body: body})
	}
	return decision, nil
}

// TestAllFactsOrNone gives commands of two facts, of which the second is refused or cannot be
// written. Nothing of them is written, and the next command is.
func TestAllFactsOrNone(t *testing.T) {
	room, err := cases.NewRoom("all or none", time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	good := func() *record.MemberSet { return &record.MemberSet{Hall: 1, Member: "100", By: cases.Dealer} }
	nobody := good()
	nobody.Member, nobody.By.Person = "200", 4711
	nameless := good()
	nameless.Member = ""
	for name, test := range map[string]struct {
		second *record.MemberSet
		code   refusal.Code
	}{"by nobody": {nobody, staff.PersonUnknown}, "without a number": {nameless, engine.NotSound}} {
		before := room.Engine.Size()
		_, err := room.Engine.Do(room.Tick(), decides{good(), test.second}, command.Env{})
		var refused *refusal.Refusal
		if !errors.As(err, &refused) || refused.Code != test.code {
			t.Errorf("%s: %v, want %s", name, err, test.code)
		}
		if size := room.Engine.Size(); size != before {
			t.Errorf("%s: %d records are written", name, size-before)
		}
	}
	before := room.Engine.Size()
	body, err := room.Engine.Do(room.Tick(), decides{good()}, command.Env{})
	if set, ok := body.(*record.MemberSet); err != nil || !ok || set.Member != "100" || room.Engine.Size() != before+1 {
		t.Errorf("a good one: %v, %v", body, err)
	}
}
