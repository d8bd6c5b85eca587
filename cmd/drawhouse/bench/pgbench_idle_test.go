package bench

import "testing"

// TestIdleRound tells a round in which pgbench did nothing from one in which it did something.
func TestIdleRound(t *testing.T) {
	const head = "maximum number of tries: 1\nduration: 1 s\nnumber of transactions actually processed: "
	for said, want := range map[string]bool{"0\nnumber of failed": true, "0/0\n": true, "0": true, "10\nlatency": false,
		"1\n": false} {
		if got := pgbenchIdle.MatchString(head + said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
