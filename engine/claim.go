package engine

import (
	"drawhouse/claim"
	"drawhouse/day"
	"drawhouse/record"
)

// sweepPrizes takes the prizes that nobody has fetched in time to where the rulebook
// says when a Keno Day begins.
func (e *Engine) sweepPrizes(now record.Time, id uint8, today day.Day) error {
	series, ok := e.state.Series(id)
	if !ok {
		return nil
	}
	swept, err := claim.Sweep(e.state, series, today)
	if err != nil {
		return err
	}
	for _, x := range swept {
		e.mustFollow(now, x.Record, x.Postings)
	}
	return nil
}
