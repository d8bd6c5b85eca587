package cases

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/games/keno"
)

// TestScriptGivesWhatItIsTold draws ordered numbers with the selection that devices
// draw with, again and again in the order that is hardest on the tests of the
// source.
func TestScriptGivesWhatItIsTold(t *testing.T) {
	s := NewScript([32]byte{1})
	source, err := draw.NewSource(s)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 40 {
		want := make([]int, 0, 20)
		for n := range 20 {
			want = append(want, (n+round)%80+1)
		}
		if err := s.Order(want); err != nil {
			t.Fatal(err)
		}
		selector, err := draw.NewSelector(mustSequence(t), source)
		if err != nil {
			t.Fatal(err)
		}
		for range want {
			if _, err := selector.Next(); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if got := selector.Drawn().Numbers(); !slices.Equal(got, want) {
			t.Fatalf("drew %v, want %v", got, want)
		}
	}
	if s.Order([]int{1, 1}) == nil {
		t.Error("a number was ordered twice")
	}
}

func mustSequence(t *testing.T) ball.Sequence {
	t.Helper()
	empty, err := ball.NewSequence(ball.Keno)
	if err != nil {
		t.Fatal(err)
	}
	return empty
}

func TestParse(t *testing.T) {
	var f File
	text := "# a remark\nquote a -> 1\n\n[at] house\nsell b -> 2\n# within\ndraw\n\nquote c -> d -> e\n"
	if err := f.parse(text); err != nil {
		t.Fatal(err)
	}
	if len(f.Lines) != 2 || len(f.Scenarios) != 1 || len(f.Scenarios[0]) != 3 {
		t.Fatalf("%+v", f)
	}
	if l := f.Scenarios[0][0]; l.Tag != "at" || l.Number != 4 || l.Want != "" {
		t.Errorf("%+v", l)
	}
	if l := f.Lines[1]; l.Want != "d -> e" || l.String() != "quote c -> d -> e" {
		t.Errorf("%+v", l)
	}
	if err := f.parse("[over] quote"); err == nil || !strings.Contains(err.Error(), "no such tag") {
		t.Errorf("%v", err)
	}
}

func TestForm(t *testing.T) {
	for text, want := range map[string]string{
		"classic 1-3 80 @ 2.00 multiplier 2": `{"v":1,"rulebook":"r","games":2,"bets":[{"bet":"classic","spots":[1,2,3,80],"stake_cents":200,"with":{"multiplier":{"games":2}}}]}`,
		"heads_or_tails heads evens run @ 3": `{"v":1,"rulebook":"r","games":2,"bets":[{"bet":"heads_or_tails","calls":["heads","evens"],"run":true,"stake_cents":300}]}`,
		"classic 7 @ 1 + standard 1 @ 1":     `{"v":1,"rulebook":"r","games":2,"bets":[{"bet":"classic","spots":[7],"stake_cents":100},{"bet":"standard","spots":[1],"stake_cents":100}]}`,
		`{"games":3,"replay":"x"}`:           `{"v":1,"rulebook":"r","games":3,"replay":"x"}`,
		`{"bet":"a","spots":[1]}`:            `{"v":1,"rulebook":"r","games":2,"bets":[{"bet":"a","spots":[1]}]}`,
	} {
		got, err := form("r", text, 2)
		if err != nil || string(got) != want {
			t.Errorf("%s\n%s, %v\nwant %s", text, got, err, want)
		}
	}
	for _, text := range []string{"classic @ 1", "classic 1-81 @ 1", "classic 1 @ x", "classic 1 @ 1 bonus",
		"classic 0 @ 1", "{}", "{", "classic heads 3 @ 1"} {
		if got, err := form("r", text, 1); err == nil {
			t.Errorf("%s is read as %s", text, got)
		}
	}
}

// FuzzForm looks for texts that are read and are no form.
func FuzzForm(f *testing.F) {
	f.Add("classic 1-3 80 @ 2.00 multiplier 2")
	f.Add("heads_or_tails heads evens run @ 3")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "{") {
			return // Such a form is the business of package keno.
		}
		data, err := form("vic-keno-2015", text, 1)
		if err != nil {
			return
		}
		if _, err := keno.ParseRequest(data); err != nil && strings.Contains(err.Error(), "JSON") {
			t.Errorf("%s: %s: %v", text, data, err)
		}
	})
}
