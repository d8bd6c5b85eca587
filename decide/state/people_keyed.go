package state

import (
	"slices"
	"time"

	"drawhouse/journal/record"
)

// KeysKept is how long the key of a request counts, by the times of records.
const KeysKept = record.Time(24 * time.Hour / time.Millisecond)

// Keyed is a request that a person has sent under a key.
type Keyed struct {
	Person     uint32
	Key, Asked record.Hash
	Answer     record.Place
	At         record.Time
}

// Keyed returns the request that a person has sent under a key within a day.
func (p *People) Keyed(person uint32, key record.Hash, now record.Time) (Keyed, bool) {
	for _, k := range slices.Backward(p.keyed) {
		if now-k.At >= KeysKept {
			break // They stand by time.
		}
		if k.Person == person && k.Key == key {
			return k, true
		}
	}
	return Keyed{}, false
}

// keyRequest takes in a key, and forgets those that are over. Views share the list: it is never changed in place.
func (p *People) keyRequest(b *record.RequestKeyed, at record.Time) error {
	if p.persons.get(b.Person) == nil {
		return cannot("a request is keyed by person %d, who does not exist", b.Person)
	}
	if _, known := p.Keyed(b.Person, b.Key, at); known {
		return cannot("person %d uses a key twice", b.Person)
	}
	over := slices.IndexFunc(p.keyed, func(k Keyed) bool { return at-k.At < KeysKept })
	if over < 0 {
		over = len(p.keyed)
	}
	p.keyed = append(slices.Clone(p.keyed[over:]), Keyed{b.Person, b.Key, b.Asked, b.Answer, at})
	return nil
}
