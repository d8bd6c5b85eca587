package state

import (
	"drawhouse/core/digest"
	"drawhouse/journal/record"
)

// HashForm is the form of Hash. It is raised when the state keeps something else: TestHashForm. A record states the
// form of its hash, and one of another form is not compared: of journals that an earlier build wrote only the hashes
// since then are.
const HashForm = 11

// Hash returns the SHA-256 of everything that the state holds, in the form HashForm, by a plan that is worked out from
// the types (package digest). It is journaled at the end of every Keno Day and compared whenever that record is applied
// again, so that a state built by another build, from a snapshot or on another machine is known to be the same.
//
// Sales wait while it is computed. What only grows is therefore hashed as it comes and not gone through here:
// games that are over, what became of prizes, payments, papers, cards, claim forms and what has paid for
// tickets.
func (s *State) Hash() record.Hash { return record.Hash(digest.For[State]().Hash(s)) }

// agrees reports whether the state has the hash that a record states. One of another form is not compared.
func (s *State) agrees(form uint8, hash record.Hash) bool {
	if form != HashForm {
		s.uncompared++
		return true
	}
	return s.Hash() == hash
}

// Uncompared returns how many hashes of states in the journal are of another form and were not compared.
func (s *State) Uncompared() int { return s.uncompared }

// HashAnew is Hash, with all that is hashed as it comes gone through again. The two are equal, unless something was
// changed and not hashed.
func (s *State) HashAnew() record.Hash { return record.Hash(digest.For[State]().HashAnew(s)) }

// summed is a map whose hash is kept as it changes. The zero value is empty.
type summed[K comparable, V any] struct {
	items map[K]*V
	sum   digest.Sum
}

// get returns the item of a key, or nil. The caller must not change it.
func (m *summed[K, V]) get(key K) *V { return m.items[key] }

// len returns how many items there are.
func (m *summed[K, V]) len() int { return len(m.items) }

// put sets the item of a key.
func (m *summed[K, V]) put(key K, item *V) {
	m.drop(key)
	if m.items == nil {
		m.items = map[K]*V{}
	}
	m.items[key] = item
	m.sum.Add(digest.Entry(key, item))
}

// drop takes away the item of a key.
func (m *summed[K, V]) drop(key K) {
	if item := m.items[key]; item != nil {
		m.sum.Sub(digest.Entry(key, item))
		delete(m.items, key)
	}
}

// change changes the item of a key, which there is.
func (m *summed[K, V]) change(key K, do func(*V) error) error {
	item := m.items[key]
	m.sum.Sub(digest.Entry(key, item))
	err := do(item)
	m.sum.Add(digest.Entry(key, item))
	return err
}

// Digest writes the sum of the items.
func (m *summed[K, V]) Digest(w *digest.Writer) {
	w.Kept(m.sum, func(add func(digest.Hash)) {
		for key, item := range m.items {
			add(digest.Entry(key, item))
		}
	})
}

// Digest writes the items in the order of their numbers. Pages and turns are for readers.
func (s *shelf[K, V]) Digest(w *digest.Writer) {
	w.Number(uint64(s.count))
	plan := digest.For[V]()
	for key, item := range s.all() {
		w.Number(uint64(key))
		plan.Write(w, item)
	}
}

// Digest writes the sum of the values, be they fresh or in lists.
func (m *byPlace[V]) Digest(w *digest.Writer) {
	w.Kept(m.sum, func(add func(digest.Hash)) {
		for at, e := range m.fresh {
			if !e.gone {
				add(digest.Entry(at, &e.value))
			}
		}
		for group, list := range m.lists {
			for at, data := range values(list, uint16(group>>48)) {
				if _, changed := m.fresh[at]; !changed {
					value := unpack[V](data)
					add(digest.Entry(at, &value))
				}
			}
		}
	})
}

// Digest writes the sum of the notes, be they fresh or in lists.
func (p *packed) Digest(w *digest.Writer) {
	w.Kept(p.sum, func(add func(digest.Hash)) {
		for key, n := range p.fresh {
			add(digest.Entry(key, &n))
		}
		for group, list := range p.lists {
			for ticket, n := range notes(list) {
				if _, changed := p.fresh[noteKey{group, ticket}]; !changed {
					add(digest.Entry(noteKey{group, ticket}, &n))
				}
			}
		}
	})
}

// Digest writes the sum of the fates.
func (f *fates) Digest(w *digest.Writer) {
	w.Kept(f.sum, func(add func(digest.Hash)) {
		for i := range f.list {
			if f.list[i] != (fate{}) {
				add(digest.Entry(uint32(i)+1, &f.list[i]))
			}
		}
	})
}

// Digest writes how many games there are, the sum of those that are over, and the others as they stand.
func (g *games) Digest(w *digest.Writer) {
	w.Number(uint64(g.len()))
	plan := digest.For[Game]()
	w.Kept(g.over, func(add func(digest.Hash)) {
		for i := range g.len() {
			if game := g.at(uint32(i) + 1); game.Phase.IsOver() {
				add(plan.Hash(game))
			}
		}
	})
	for i := len(g.fresh) - 1; i >= 0 && !g.fresh[i].Phase.IsOver(); i-- {
		plan.Write(w, &g.fresh[i])
	}
}

// Digest writes the hashes of the sessions. Of those that are over they are kept.
func (s *Sessions) Digest(w *digest.Writer) {
	w.Number(uint64(len(*s)))
	for _, session := range *s {
		if session.done {
			w.Kept(session.sum, func(add func(digest.Hash)) { add(digest.For[Session]().Hash(session)) })
		} else {
			w.Sum(session.hash())
		}
	}
}

// hash returns the sum of the session's hash alone.
func (s *Session) hash() (sum digest.Sum) {
	sum.Add(digest.For[Session]().Hash(s))
	return sum
}
