package verify

import "drawhouse/journal/record"

// keptKey is how long a key counts, in milliseconds.
const keptKey = 24 * 60 * 60 * 1000

// A personKey is a key that a person has chosen.
type personKey struct {
	person uint32
	key    record.Hash
}

// requestKeyed checks that a key stands behind what it is the key of, and was not used within a day.
func (c *checker) requestKeyed(b *record.RequestKeyed) error {
	key := personKey{b.Person, b.Key}
	last, used := c.people.keyed[key]
	switch {
	case c.people.persons[b.Person] == nil:
		return fault(CheckPeople, "a request is keyed by person %d, who was not added", b.Person)
	case b.Answer.Volume != c.volume().number || flat(b.Answer) >= c.here():
		return fault(CheckPeople, "the key of a request of person %d is of record %v, which is not before it", b.Person,
			b.Answer)
	case used && c.now-last < keptKey:
		return fault(CheckPeople, "person %d uses a key twice within a day", b.Person)
	}
	c.people.keyed[key] = c.now
	return nil
}
