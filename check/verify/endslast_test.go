package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// TestEndsLast holds the end of the game on sale against what two persons said of the day: a
// void that they did not agree to needs an approval of its own.
func TestEndsLast(t *testing.T) {
	first, last := record.Game{Series: 1, Number: 1}, record.Game{Series: 1, Number: 2}
	said := record.GameVoided{Game: first, Reason: "the axle broke", Clause: "11.6", Approval: 3}
	for name, forge := range map[string]func(*series, *record.GameVoided){
		"":                 func(*series, *record.GameVoided) {},
		"another approval": func(_ *series, b *record.GameVoided) { b.Approval = 4 },
		"another reason":   func(_ *series, b *record.GameVoided) { b.Reason = "no power" },
		"another clause":   func(_ *series, b *record.GameVoided) { b.Clause = "11.5" },
		"the same game":    func(_ *series, b *record.GameVoided) { b.Game = first },
		"a day that ends":  func(s *series, _ *record.GameVoided) { s.ends = false },
	} {
		c := outAt(record.Place{Volume: 1, Seq: 4})
		s := &series{ends: true, endedBy: said}
		c.series[1] = s
		b := said
		b.Game = last
		forge(s, &b)
		if err := c.checkApproved(&b); (err == nil) != (name == "") {
			t.Errorf("a void with %s: %v", name, err)
		}
	}
}
