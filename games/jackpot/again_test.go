package jackpot_test

import (
	"slices"
	"testing"

	"drawhouse/core/money"
	"drawhouse/games/jackpot"
)

// TestShareAgain shares pools that were others by right. Nobody gets less than before, and
// what the operator bears is no more than that takes.
func TestShareAgain(t *testing.T) {
	pool := func(amount, stakes money.Amount) jackpot.Award {
		return jackpot.Award{Spots: 6, Part: jackpot.PartPool, Amount: amount, Stakes: stakes}
	}
	kept := func(amount, stakes money.Amount) jackpot.Award {
		return jackpot.Award{Spots: 6, Part: jackpot.PartKept, Amount: amount, Stakes: stakes}
	}
	other := jackpot.Award{Spots: 8, Part: jackpot.PartPool, Amount: 77, Stakes: 100}
	one := []jackpot.Winner{{Stake: 500}}
	three := []jackpot.Winner{{Stake: 100}, {Stake: 100}, {Stake: 100}}
	for name, c := range map[string]struct {
		awards      []jackpot.Award
		winners     []jackpot.Winner
		by          money.Amount
		want        []jackpot.Award
		left, borne money.Amount
	}{
		"a cent more": {[]jackpot.Award{pool(1000, 500)}, one, 1, []jackpot.Award{pool(1001, 500)}, 0, 0},
		"nothing":     {[]jackpot.Award{pool(1000, 500)}, one, 0, []jackpot.Award{pool(1000, 500)}, 0, 0},
		"a cent less": {[]jackpot.Award{pool(1000, 500)}, one, -1, []jackpot.Award{pool(999, 500), kept(1, 500)}, 0,
			1},
		"more than they keep": {[]jackpot.Award{pool(600, 500), kept(400, 500)}, one, 500, []jackpot.Award{pool(1100, 500)},
			0, -400},
		"as much as they keep": {[]jackpot.Award{pool(600, 500), kept(400, 500)}, one, 400, []jackpot.Award{pool(1000, 500)},
			0, -400},
		"less than they keep": {[]jackpot.Award{kept(400, 500), pool(600, 500)}, one, 399,
			[]jackpot.Award{pool(999, 500), kept(1, 500)}, 0, -399},
		"another size stays": {[]jackpot.Award{other, pool(1000, 500)}, one, 10, []jackpot.Award{other, pool(1010, 500)},
			0, 0},
		"a rest that is left":  {[]jackpot.Award{pool(900, 300)}, three, 2, []jackpot.Award{pool(902, 300)}, 2, 0},
		"a rest that is taken": {[]jackpot.Award{pool(902, 300)}, three, 1, []jackpot.Award{pool(903, 300)}, -2, 0},
		"a rest that is lacked": {[]jackpot.Award{pool(902, 300)}, three, -3, []jackpot.Award{pool(899, 300), kept(3, 300)},
			0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := jackpot.ShareAgain(c.awards, 6, c.winners, c.by)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Awards, c.want) || got.Left != c.left || got.Borne != c.borne {
				t.Errorf("%+v\nwant %v, %v left, %v borne", got, c.want, c.left, c.borne)
			}
			for _, w := range c.winners {
				before, _ := jackpot.ShareOf(c.awards, 6, w)
				if now, _ := jackpot.ShareOf(got.Awards, 6, w); now < before {
					t.Errorf("a winner of %v has %v left", before, now)
				}
			}
		})
	}
	if _, err := jackpot.ShareAgain([]jackpot.Award{pool(10, 500)}, 6, one, -11); err == nil {
		t.Error("a pool below nothing")
	}
	if _, err := jackpot.ShareAgain([]jackpot.Award{other}, 6, one, 5); err == nil {
		t.Error("a pool that nobody has shared")
	}
}
