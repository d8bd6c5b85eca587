package jackpot

import "testing"

func TestEntersAndWins(t *testing.T) {
	for _, c := range []struct {
		terms, bet   string
		spots, catch int
		enters, wins bool
	}{
		{victoria, "classic", 7, 7, true, true},
		{victoria, "classic", 7, 6, true, false},
		{victoria, "classic", 10, 10, true, true},
		{victoria, "classic", 6, 6, false, false},
		{victoria, "classic", 15, 15, false, false},
		{victoria, "heads_or_tails", 7, 7, false, false},
		{tasmania, "standard", 9, 9, true, true},
		{tasmania, "standard", 10, 10, false, false},
		{tasmania, "special", 9, 9, false, false},
		{casino, "standard", 6, 6, true, true},
		{casino, "standard", 7, 7, false, false},
		{casino, "special", 8, 8, false, false},
	} {
		terms := newTerms(t, c.terms)
		if got := terms.Enters(c.bet, c.spots); got != c.enters {
			t.Errorf("%s: %s on %d spots enters: %v", c.terms, c.bet, c.spots, got)
		}
		if got := terms.Wins(c.bet, c.spots, c.catch); got != c.wins {
			t.Errorf("%s: %s with %d of %d wins: %v", c.terms, c.bet, c.catch, c.spots, got)
		}
	}
	if !newTerms(t, casino).Substitutes() || newTerms(t, tasmania).Substitutes() {
		t.Error("a pool is paid in place of the schedule's prize at the casino, and beside it in Tasmania")
	}
}

func TestPartNames(t *testing.T) {
	for part, want := range map[Part]string{
		0: "part 0", PartPool: "pool", PartFill: "fill", PartBonus: "bonus", PartAside: "aside", PartKept: "kept", PartKept +
			1: "part 6",
	} {
		if got := part.String(); got != want {
			t.Errorf("part %d is %s, want %s", uint8(part), got, want)
		}
	}
}
