package engine

import (
	"fmt"
	"iter"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Before adds up the records of a journal until a game is settled for the first time, and
// returns the state just before that. It reads no further. A journal in which the
// game is not settled has no such state, and the answer is nil.
func Before(settled record.Game, records iter.Seq2[[]byte, error]) (*state.State, error) {
	e := New(nil)
	for data, err := range records {
		if err != nil {
			return nil, err
		}
		if kind, ok := record.KindOf(data); ok && (kind == record.KindGameSettled || kind == record.KindPrizesCarried) {
			r, err := record.Decode(data)
			if err != nil {
				return nil, fmt.Errorf("engine: record %v: %w", e.state.Next(), err)
			}
			if endsDraw(r.Body, settled) {
				return e.state, nil
			}
		}
		if err := e.Replay(data); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// endsDraw reports whether a record is the first of the settlement of a game.
func endsDraw(body record.Body, of record.Game) bool {
	switch b := body.(type) {
	case *record.GameSettled:
		return b.Game == of
	case *record.PrizesCarried:
		return b.Game == of
	}
	return false
}
