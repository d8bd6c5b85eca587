package keno

import "testing"

// TestEveryKeyIsRead shows that each key of a bet has a row that reads it.
func TestEveryKeyIsRead(t *testing.T) {
	for key := keyBet; key <= keyItem; key++ {
		if betReaders[key] == nil {
			t.Errorf("nothing reads key %d", key)
		}
	}
}
