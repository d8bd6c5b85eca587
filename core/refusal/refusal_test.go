package refusal

import "testing"

func TestError(t *testing.T) {
	for want, r := range map[string]*Refusal{
		"The game is closed.":         {Code: "closed", Sentence: "The game is closed."},
		"games: At most 1,000 games.": {Code: "games", Path: "games", Sentence: "At most 1,000 games."},
		"A ticket costs at least $1.00. (rule 11(c))": {Code: "stake", Clause: "11(c)",
			Sentence: "A ticket costs at least $1.00."},
		"bets[0].stake_cents: At least $1.00. (rule 11(c))": {Code: "stake", Clause: "11(c)", Path: "bets[0].stake_cents",
			Sentence: "At least $1.00."},
	} {
		if got := r.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct{ path, prefix, want string }{
		{"", "bets[0]", "bets[0]"},
		{"stake_cents", "bets[0]", "bets[0].stake_cents"},
		{"[3]", "spots", "spots[3]"},
		{"games", "", "games"},
	} {
		if got := (&Refusal{Path: c.path}).Below(c.prefix).Path; got != c.want {
			t.Errorf("%q below %q is %q, want %q", c.path, c.prefix, got, c.want)
		}
	}
	if (*Refusal)(nil).Below("bets[0]") != nil {
		t.Error("no refusal became one")
	}
}
