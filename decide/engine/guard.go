package engine

import (
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// guards are asked about every record that a command has decided, before anything of the
// command is appended. They see the record alone, whatever command decided it: a guard
// that stands here stands on every way. Package verify has each of them a second time.
var guards = append([]func(*state.State, record.Record) error{
	game.GuardRepeat,
	game.GuardDate,
	game.GuardOver,
	counter.CheckExit,
	counter.CheckServed,
	counter.CheckHandedOut,
	counter.CheckAccount,
	counter.CheckPaperSale,
}, staff.Guards()...)

// guard asks all of them.
func (e *Engine) guard(r record.Record) error {
	for _, ask := range guards {
		if err := ask(e.state, r); err != nil {
			return err
		}
	}
	return nil
}
