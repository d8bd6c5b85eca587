package engine

import (
	"bytes"
	"errors"
	"testing"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestDayClosesWithItsState replays a day that closed with the hash of another
// state: the writer had added up something else.
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
		{"a form that this build does not know", func(b *record.DayClosed) { b.StateForm, b.State[0] = 200, b.State[0]+1 },
			nil},
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

// TestTurnIsAllOrNothing turns to a game that could not open. The one before it
// must not close: a refusal leaves the engine as it was.
func TestTurnIsAllOrNothing(t *testing.T) {
	r := newRig(t, "turn")
	r.openDay("2026-11-15")
	size := r.engine.Size()
	if err := r.engine.TurnGame(r.tick(), series, 0); err == nil || r.engine.Size() != size {
		t.Errorf("%d records after a turn that ended with %v, %d before", r.engine.Size(), err, size)
	}
}

// TestDayClosesWithItsBook holds the book of a day against one that is made again
// from the records, and against the hash in the journal.
func TestDayClosesWithItsBook(t *testing.T) {
	r := newRig(t, "day book")
	r.openDay("2026-11-15")
	r.sell(1, 2, `{"bet":"classic","spots":[1,2,3,4,5,6,7],"stake_cents":100}`)
	r.play()
	must(t, r.engine.CloseGame(r.tick(), series))
	current, _ := r.engine.State().Series(series)
	r.drawAndSettle(current.Newest().Ordinal)
	must(t, r.engine.CloseDay(r.tick(), series))
	r.take()
	data := r.objects[game.BookName(series, day.MustParse("2026-11-15"))]
	book, err := books.Decode(data)
	must(t, err)
	again := books.NewFold()
	for seq, data := range r.records {
		decoded, err := record.Decode(data)
		must(t, err)
		if closed, ok := decoded.Body.(*record.DayClosed); ok {
			same, err := again.Close(series, closed).Encode()
			must(t, err)
			if !bytes.Equal(same, r.objects[game.BookName(series, closed.Day)]) || closed.Books != books.Hash(same) {
				t.Error("the book is not what the records come to")
			}
		}
		must(t, again.Add(record.Place{Volume: 1, Seq: uint64(seq)}, decoded))
	}
	total := book.Total()
	if len(book.Games) != 2 || total.Sales != 1 || total.Sold != 200 || book.Account(ledger.Cash).Closing() != 200 {
		t.Errorf("the book says %+v, %+v", total, book.Games)
	}
}
