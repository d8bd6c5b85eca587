package house

import (
	"testing"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// TestStatementOverVolumes brings money to a card before and after a volume ends: the
// statement has both, and comes to what the card has.
func TestStatementOverVolumes(t *testing.T) {
	b := newBench(t)
	b.minutes(1, 0)
	must(t, command.Outcome(b.house.Do(t.Context(),
		command.RegisterCard{Holder: command.Customer{Born: "1980-01-01"}, Details: record.Hash{1}}, record.By{})))
	const card = 1
	bring := func(cents money.Amount) {
		t.Helper()
		b.number++
		_, err := b.house.EndSession(t.Context(),
			counter.SessionEnd{Request: record.Request{Terminal: 1, Number: b.number},
				Card: counter.CardUse{Card: card, Cents: -cents}})
		must(t, err)
	}
	bring(50_00)
	must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
	bring(7_00)
	moves, err := b.house.Statement(t.Context(), card)
	must(t, err)
	now, err := b.house.Card(t.Context(), card)
	must(t, err)
	if len(moves) != 2 || moves[0].Cents != 50_00 || moves[1].Place.Volume != 2 || moves[1].Funds != now.Cents {
		t.Errorf("a card with %v has moved %+v", now.Cents, moves)
	}
}
