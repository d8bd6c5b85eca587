package state

import (
	"testing"

	"drawhouse/journal/record"
)

// TestPromotionRests: of a run of games one that plays for a promotion is enough, and those of a transition do not.
func TestPromotionRests(t *testing.T) {
	p := Promotion{PromotionBegun: record.PromotionBegun{From: 3, Last: 20}, Rests: []Rest{{5, 8}, {12, 0}}}
	for _, c := range []struct {
		first, last uint32
		on          bool
	}{
		{1, 2, false}, {1, 3, true}, {4, 4, true}, {5, 7, false}, {4, 5, true}, {7, 8, true}, {11, 30, true}, {12, 20, false},
		{13, 30, false},
	} {
		if got := p.onAny(c.first, c.last); got != c.on {
			t.Errorf("games %d to %d: %v", c.first, c.last, got)
		}
	}
	p.Rests[1].Until = 20
	if !p.On(20) || p.On(19) || p.Resting() {
		t.Errorf("after the transition: %+v", p)
	}
}
