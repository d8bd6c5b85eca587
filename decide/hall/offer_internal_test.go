package hall

import "testing"

// TestOfferIndexIsUniform draws all ordered pairs of 90 numbers for so many entries:
// each entry is chosen by as many of them.
func TestOfferIndexIsUniform(t *testing.T) {
	for entries := 1; entries <= 7; entries++ {
		count, outcomes := offerNumbers(entries)
		if count != 2 || outcomes != 90*89 {
			t.Fatalf("%d entries take %d numbers with %d outcomes", entries, count, outcomes)
		}
		chosen, again := make([]int, entries), 0
		for a := 1; a <= 90; a++ {
			for b := 1; b <= 90; b++ {
				if a == b {
					continue
				}
				if index, ok := offerIndex([]int{a, b}, entries); ok {
					chosen[index]++
				} else {
					again++
				}
			}
		}
		for index, n := range chosen {
			if n != chosen[0] {
				t.Errorf("of %d entries %d is chosen %d times and 0 %d times", entries, index, n, chosen[0])
			}
		}
		if again != 90*89%entries {
			t.Errorf("of %d entries none is chosen %d times", entries, again)
		}
	}
	if _, ok := offerIndex([]int{4, 4}, 3); ok {
		t.Error("a number was drawn twice")
	}
	if _, ok := offerIndex([]int{4}, 3); ok {
		t.Error("too few numbers choose an entry")
	}
}

// TestOfferNumbersDoNotOverflow: more entries than people live.
func TestOfferNumbersDoNotOverflow(t *testing.T) {
	count, outcomes := offerNumbers(1 << 40)
	if outcomes < 1<<50 || count > 9 {
		t.Errorf("%d numbers with %d outcomes", count, outcomes)
	}
}
