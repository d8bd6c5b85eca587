package draw

import (
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/beacon"
	"drawhouse/internal/beacontest"
	"drawhouse/journal"
)

// TestBeaconDraw draws a game by a beacon alone: not before its round is there, not by another round's signature or
// form, and by the numbers that seal and round give.
func TestBeaconDraw(t *testing.T) {
	b := beacontest.New(1, 3)
	d, err := NewBeacon(testKeys(t), b.Chain)
	if err != nil {
		t.Fatal(err)
	}
	plan, seal := KenoPlan(testGame, 1), testSeal(t, testGame, "house")
	if _, err := d.Start(plan, seal, ball.Sequence{}, nil); !errors.Is(err, ErrLink) {
		t.Errorf("a draw before its round: %v", err)
	}
	good := b.Sign(7)
	for what, give := range map[string]struct {
		round     uint64
		signature []byte
	}{
		"another round's signature": {7, b.Sign(8)}, "the longer form": {7, beacontest.Long(good)}, "round 0": {0, good},
	} {
		if err := d.TakeRound(testGame, give.round, give.signature); !errors.Is(err, ErrLink) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := d.TakeRound(testGame, 7, good); err != nil {
		t.Fatal(err)
	}
	if err := d.TakeRound(testGame, 8, b.Sign(8)); !errors.Is(err, ErrContradiction) {
		t.Errorf("a second round of the game: %v", err)
	}
	drawing, err := d.Start(plan, seal, ball.Sequence{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	round := Round{b.Name(), 7, good}
	picks, err := WitnessedNumbers(plan, seal.Body().Hash(), nil, round)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range picks {
		if got, err := drawing.Next(i + 1); err != nil || got.Number != want.Number {
			t.Fatalf("number %d is %d, %v; seal and round give %d", i+1, got.Number, err, want.Number)
		}
	}
	if _, err := NewBeacon(testKeys(t), beacon.Chain{}); err == nil {
		t.Error("nobody draws")
	}
}

// TestBeaconText pins the text that numbers are made of where a beacon is part of the draw.
func TestBeaconText(t *testing.T) {
	chain := beacon.Quicknet()
	signature, err := hex.DecodeString(
		"b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39")
	if err != nil {
		t.Fatal(err)
	}
	links := []Link{{Custodian: "b.example"}, {Custodian: "a.example"}}
	zero := journal.Hash{}.String()
	want := fmt.Sprintf("drawhouse/witnessed/v2\nseries %s\nday %s\ngame %d\nrevision 1\nof 80\nseal %s\n"+
		"custodian a.example\nlink %s\ncustodian b.example\nlink %s\nbeacon %s\nround 1000\nsignature %x\n",
		testGame.Series, testGame.Day, testGame.Number, zero, zero, zero,
		"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", signature)
	if got := ExpandText(KenoPlan(testGame, 1), journal.Hash{}, links, Round{chain.Name(), 1000, signature}); got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
}
