package engine

import (
	"errors"
	"testing"

	"drawhouse/record"
	"drawhouse/state"
)

// TestDayClosesWithItsState replays a day that closed with the hash of another
// state: whoever wrote it had added up something else.
func TestDayClosesWithItsState(t *testing.T) {
	r := newRig(t, "day state")
	r.openDay("2026-11-15")
	r.sell(1, 2, `{"bet":"classic","spots":[1,2,3],"stake_cents":100}`)
	r.play()
	must(t, r.engine.CloseGame(r.tick(), series))
	current, _ := r.engine.State().Series(series)
	r.drawAndSettle(current.Newest().Ordinal)
	must(t, r.engine.CloseDay(r.tick(), series))
	r.take()
	for _, c := range []struct {
		name   string
		change func(*record.DayClosed)
		want   error
	}{
		{"as it was", func(*record.DayClosed) {}, nil},
		{"another state", func(b *record.DayClosed) { b.State[0]++ }, state.ErrCannotFollow},
		{"a form that this build does not know", func(b *record.DayClosed) { b.StateForm, b.State[0] = 200, b.State[0]+1 }, nil},
	} {
		again := New(r.house)
		var got error
		for _, data := range r.records {
			decoded, err := record.Decode(data)
			must(t, err)
			if closed, ok := decoded.Body.(*record.DayClosed); ok {
				c.change(closed)
				data, err = record.Encode(decoded)
				must(t, err)
			}
			if got = again.Replay(data); got != nil {
				break
			}
		}
		if !errors.Is(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
