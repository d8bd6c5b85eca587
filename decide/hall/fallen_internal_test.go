package hall

import (
	"fmt"
	"testing"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestFallenBox takes from one claim of a game that began when a box could have several: all
// good ones on the box fall, and none on another.
//
//rule:nsw-bingo-2019 9.4.2
func TestFallenBox(t *testing.T) {
	claim := func(number uint16, box uint8, pattern string, good bool) state.Claim {
		return state.Claim{Opened: record.ClaimOpened{Claim: number, Series: "K7", Book: 101, Card: 1, Box: box,
			Pattern: pattern}, Checked: record.ClaimChecked{Accepted: good}, Decided: true, Settled: good}
	}
	game := &state.BingoGame{Number: 1, Phase: state.BingoOver, Claims: []state.Claim{
		claim(1, 1, "top-line", true), claim(2, 1, record.PatternBingo, true), claim(3, 1, record.PatternBingo, false),
		claim(4, 2, record.PatternBingo, true), claim(5, 1, record.PatternBingo, true),
	}}
	for _, c := range []struct {
		named []uint16
		want  string
	}{{[]uint16{5}, "[2 5]"}, {[]uint16{2}, "[2 5]"}, {[]uint16{4}, "[4]"}, {[]uint16{1}, "[1]"},
		{[]uint16{4, 2, 4}, "[2 4 5]"}} {
		if got, err := fallen(game, c.named); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("with %d fall %v (%v), and %s should", c.named, got, err, c.want)
		}
	}
	if _, err := fallen(game, []uint16{3}); err == nil {
		t.Error("a claim falls that was found bad")
	}
}
