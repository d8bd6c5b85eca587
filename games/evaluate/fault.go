package evaluate

import (
	"fmt"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/rulebook"
)

// The codes of what only a file of lines can get wrong. What a ticket gets wrong
// has the codes of package keno.
const (
	LineTooLong  refusal.Code = "line_too_long" // more than MaxLine bytes
	LineKind     refusal.Code = "line_kind"     // not exactly one of ticket, draw, pool and promotion
	IDRepeated   refusal.Code = "id_repeated"   // a ticket that still plays, or a promotion on offer, has the id
	PoolUnknown  refusal.Code = "pool_unknown"  // the rulebook has no such jackpot
	PoolMissing  refusal.Code = "pool_missing"  // a way plays for a jackpot of which the file says nothing
	PoolRepeated refusal.Code = "pool_repeated" // a jackpot is stated twice for a game
	PoolOrder    refusal.Code = "pool_order"    // a jackpot or a promotion is stated after tickets of its game

	PromotionUnknown refusal.Code = "promotion_unknown" // the rulebook has no such prizes
	NotResolved      refusal.Code = "not_resolved"      // numbers that are yet to be picked or looked up
	GameOther        refusal.Code = "game_other"        // tickets and draw name different games
	GameOrder        refusal.Code = "game_order"        // tickets play on, and the game is not the next
	GameNumber       refusal.Code = "game_number"       // a number that the rulebook gives to no game
	GameTooLarge     refusal.Code = "game_too_large"    // more than can be settled exactly
	DrawMissing      refusal.Code = "draw_missing"      // tickets that no draw follows, or no draw at all
)

// MaxFaults is how many faults are reported before the reading ends.
const MaxFaults = 100

// Fault is what is wrong with a line. Lines are counted from 1.
type Fault struct {
	File string
	Line int
	refusal.Refusal
}

// Error returns the fault as editors read it: file:line: field: sentence (rule).
func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Refusal.Error())
}

// Faults are all faults of a file, in the order of its lines.
type Faults []*Fault

// Error returns the faults, one to a line.
func (fs Faults) Error() string {
	var b strings.Builder
	for i, f := range fs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.Error())
	}
	if len(fs) >= MaxFaults {
		fmt.Fprintf(&b, "\nthe reading ended at fault %d; there may be more", len(fs))
	}
	return b.String()
}

// refuse makes the refusal of a line.
func refuse(code refusal.Code, clauses, path, format string, args ...any) *refusal.Refusal {
	return &refusal.Refusal{Code: code, Clause: rulebook.Quoted(clauses), Path: path,
		Sentence: fmt.Sprintf(format, args...)}
}
