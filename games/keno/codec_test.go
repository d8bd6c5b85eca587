package keno

import "testing"

// TestEveryKeyHasARow shows that each key of a bet has a row that reads and appends it.
func TestEveryKeyHasARow(t *testing.T) {
	for key := keyBet; key <= keyItem; key++ {
		if k := betKeys[key]; k.key != uint64(key) || k.read == nil || k.append == nil {
			t.Errorf("nothing reads or appends key %d", key)
		}
	}
}
