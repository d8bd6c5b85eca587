package state

import (
	"testing"

	"drawhouse/journal/record"
)

// TestKeysAreForgotten: the key of a request counts below a day, and what is older is not kept.
func TestKeysAreForgotten(t *testing.T) {
	const at = record.Time(1_000_000_000_000)
	var p People
	p.persons.put(1, &Person{ID: 1})
	take := func(key byte, when record.Time) error {
		return p.keyRequest(&record.RequestKeyed{Person: 1, Key: record.Hash{key}, Answer: record.Place{Volume: 1}}, when)
	}
	if err := take(1, at); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[record.Time]bool{0: true, KeysKept - 1: true, KeysKept: false, KeysKept + 1: false} {
		if _, known := p.Keyed(1, record.Hash{1}, at+after); known != want {
			t.Errorf("%d ms later: known %t, want %t", after, known, want)
		}
	}
	if _, known := p.Keyed(2, record.Hash{1}, at); known {
		t.Error("the key of one person is known of another")
	}
	if err := take(1, at+KeysKept-1); err == nil {
		t.Error("a key is taken twice below a day")
	}
	if err := p.keyRequest(&record.RequestKeyed{Person: 9, Key: record.Hash{3}}, at); err == nil {
		t.Error("a key of nobody is taken")
	}
	if err := take(2, at+KeysKept); err != nil || len(p.keyed) != 1 {
		t.Errorf("%v, %d keys are kept a day later, want the new one alone", err, len(p.keyed))
	}
}
