package state

import (
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestWagersOnce lets the wager of a game go back a second time: journals below record.LevelSeries have that, bounded
// by the fee, and are read; from that level on it is refused.
func TestWagersOnce(t *testing.T) {
	const fee, wager = 10_00, 4_00
	for level := uint8(record.LevelGuarded); level <= record.Level; level++ {
		game := &BingoGame{Number: 1}
		s := &Session{Players: []Player{{Entered: record.PlayerEntered{Player: 1, FeeCents: fee}}}}
		give := func() error { return s.wagers(game, wager, nil, true, level) }
		if err := give(); err != nil || s.Players[0].DueCents != wager {
			t.Fatalf("at level %d the wager goes back: %v, and %v are due", level, err, s.Players[0].DueCents)
		}
		want := []money.Amount{2 * wager, fee, fee}
		if level >= record.LevelSeries {
			want = []money.Amount{wager, wager, wager}
		}
		for time, due := range want {
			err := give()
			if refused := level >= record.LevelSeries; refused != (err != nil) || s.Players[0].DueCents != due {
				t.Errorf("at level %d, %d times more: %v, and %v are due", level, time+1, err, s.Players[0].DueCents)
			}
		}
	}
}
