package house

import (
	"testing"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestBuildBesideGames starts a house with one program, with another, and with that again: the journal names
// each where it begins, so that every game has the program that drew and settled it.
func TestBuildBesideGames(t *testing.T) {
	b := closedBench(t)
	played := func(build string, binary byte, games int) (newest Game) {
		b.build, b.binary = build, record.Hash{binary}
		b.open()
		for _, g := range b.settledGames(games) {
			if g.Ordinal > newest.Ordinal {
				newest = g
			}
		}
		return newest
	}
	first := played("v1", 1, 1)
	second := played("v2", 2, int(first.Ordinal)+1)
	third := played("v2", 2, int(second.Ordinal)+1)
	for _, x := range []struct {
		game  Game
		build string
	}{{first, "v1"}, {second, "v2"}, {third, "v2"}} {
		drew, ok := b.house.BuildAt(x.game.DrawnPlace)
		settled, _ := b.house.BuildAt(x.game.SettledPlace)
		if !ok || drew.Build != x.build || settled.Build != x.build || drew.Binary == (record.Hash{}) {
			t.Errorf("game %d was drawn by %+v and settled by %+v, and not by %s", x.game.Ordinal, drew, settled, x.build)
		}
	}
	if err := b.house.do(t.Context(), func(m machine) error {
		if builds := m.State().Builds(); len(builds) != 2 {
			t.Errorf("the journal names %d builds: %+v", len(builds), builds)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, ok := state.BuildAt(nil, first.DrawnPlace); ok {
		t.Error("a journal that names no build has one")
	}
	b.verify()
}
