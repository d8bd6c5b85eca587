package verify

import (
	"testing"

	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// TestDeniedIsKept has a house forget somebody to whom a promotional prize was denied (nsw-bingo-2019 10.10.1). Before
// the level of guards nobody asked.
func TestDeniedIsKept(t *testing.T) {
	rules := &rulebook.BingoFile{}
	rules.Promotion.DeniedKeptOver = 100_00
	who := record.Hash{7}
	for _, c := range []struct {
		cents   money.Amount
		level   uint8
		objects bool
	}{
		{9999, record.LevelGuarded, false}, {10000, record.LevelGuarded, false}, {10001, record.LevelGuarded, true},
		{10001, record.LevelFirst, false},
	} {
		room := &hallRoom{rules: rules}
		offer := &hallOffer{terms: &record.OfferTerms{Prizes: []record.OfferPrize{{ValueCents: c.cents}}},
			prizes: make([]offerPrize, 1)}
		if _, err := room.offerClaimed(offer, &record.OfferClaimed{Prize: 1, Details: who[:]}); err != nil {
			t.Fatal(err)
		}
		k := &checker{level: c.level, report: &Report{}, halls: halls{rooms: map[uint8]*hallRoom{1: room}}}
		k.log.volumes = []*volume{{number: 1}}
		if err := k.guard(k.checkPayeeOut(who)); (err != nil) != c.objects {
			t.Errorf("%v at level %d: %v", c.cents, c.level, err)
		}
		if err := k.guard(k.checkPayeeOut(record.Hash{8})); err != nil {
			t.Errorf("another person: %v", err)
		}
	}
}
