package engine

import (
	"testing"

	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// TestRequestLeaps asks with numbers far above the last. The terminal can go on.
func TestRequestLeaps(t *testing.T) {
	r := newRig(t, "leaps")
	r.openDay("2026-11-15")
	offer, err := r.offer(1, 1, oneSpot)
	must(t, err)
	sell := func(number uint64) error {
		_, err := r.engine.Sell(r.tick(), counter.Sale{Request: record.Request{Terminal: 1, Number: number}, Series: series,
			Quote: offer})
		return err
	}
	must(t, sell(7))
	wantRefusal(t, sell(7+maxLeap+1), RequestLeaps)
	_, err = r.engine.Abandon(r.tick(), 1, 1<<63-1)
	wantRefusal(t, err, RequestLeaps)
	must(t, sell(8))
	must(t, sell(8+maxLeap))
}
