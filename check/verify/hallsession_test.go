package verify

import (
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestFailedCards: play stands still while an electronic card that has failed is not replaced, and the new one has
// every number marked (nsw-bingo-2019 8.5). Each line has one thing that is not as it must be.
func TestFailedCards(t *testing.T) {
	fail := func(card uint32) func(*checker, *hallSession) error {
		return func(_ *checker, s *hallSession) error { return s.deviceFailed(&record.DeviceFailed{Device: card}) }
	}
	replace := func(old, card uint32, marked ...byte) func(*checker, *hallSession) error {
		return func(_ *checker, s *hallSession) error {
			return s.deviceReplaced(&record.DeviceReplaced{Old: record.DeviceFailed{Device: old}, Device: card, Marked: marked})
		}
	}
	comesBack := func(card uint32, missing bool, rank record.Rank) func(*checker, *hallSession) error {
		return func(c *checker, s *hallSession) error {
			return c.deviceReturned(s, &record.DeviceReturned{Device: card, Missing: missing, By: record.By{Rank: rank}})
		}
	}
	call := func(c *checker, s *hallSession) error {
		return c.numberCalled(&hallRoom{rules: &rulebook.BingoFile{Numbers: rulebook.Numbers{Of: 90}}}, s, s.games[0],
			&record.NumberCalled{Draw: record.DrawCalls, Number: 1, Bytes: []byte{0}})
	}
	over := func(s *hallSession) { s.games[0].stage = bingoOver }
	broken := func(s *hallSession) { s.failed = 7 }
	const dealer, supervisor = record.RankDealer, record.RankSupervisor
	for _, x := range []struct {
		what  string
		ask   func(*checker, *hallSession) error
		ok    bool
		after []func(*hallSession)
	}{
		{"a card fails", fail(7), true, nil},
		{"a card fails that is not out", fail(9), false, nil},
		{"a card fails while another has", fail(8), false, []func(*hallSession){broken}},
		{"a card is replaced", replace(7, 9, 5, 3), true, []func(*hallSession){broken}},
		{"a card is replaced that has not failed", replace(7, 9, 5, 3), false, nil},
		{"another card is replaced", replace(8, 9, 5, 3), false, []func(*hallSession){broken}},
		{"a card that is out replaces one", replace(7, 8, 5, 3), false, []func(*hallSession){broken}},
		{"a number is not marked", replace(7, 9, 5), false, []func(*hallSession){broken}},
		{"numbers are marked in another order", replace(7, 9, 3, 5), false, []func(*hallSession){broken}},
		{"nothing is marked between games", replace(7, 9), true, []func(*hallSession){broken, over}},
		{"a card comes back", comesBack(8, false, dealer), true, nil},
		{"a card comes back that is not out", comesBack(9, false, dealer), false, nil},
		{"a supervisor misses a card", comesBack(8, true, supervisor), true, nil},
		{"a dealer misses a card", comesBack(8, true, dealer), false, nil},
		{"another card than the failed one comes back", comesBack(8, false, dealer), true, []func(*hallSession){broken}},
		{"a failed card comes back", comesBack(7, false, dealer), false, []func(*hallSession){broken}},
		{"a failed card comes back after the game", comesBack(7, false, dealer), true, []func(*hallSession){broken, over}},
		{"a number is called", call, true, nil},
		{"a number is called while a card has failed", call, false, []func(*hallSession){broken}},
	} {
		c := &checker{level: record.LevelGuarded, report: &Report{}}
		s := &hallSession{
			devices: map[uint32]bool{7: true, 8: true}, players: []*hallPlayer{{holds: 7}},
			games: []*hallGame{{stage: bingoCalling, calls: []byte{5, 3}, drawn: []byte{5, 3}}},
		}
		for _, change := range x.after {
			change(s)
		}
		if err := x.ask(c, s); (err == nil) != x.ok {
			t.Errorf("%s: %v", x.what, err)
		}
	}
}
