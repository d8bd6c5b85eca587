package state

import (
	"iter"
	"maps"
	"slices"
)

// shelf is a map by number of which readers are given a copy at no cost: the copy has the
// same pages, and anybody who changes the shelf afterwards changes a page of its own. So a view
// of 50,000 terminals costs what has changed since the last one, and not 50,000 terminals.
//
// What is on a shelf is changed only by put and change. The zero value is empty.
type shelf[K ~uint8 | ~uint32 | ~uint64, V any] struct {
	pages map[K]*page[V] // by number / pageItems
	count int
	turn  turn // how often the shelf was shared
	own   turn // as turn, when pages was copied last
}

// turn counts copies that were given to readers. A start begins anew: nobody reads yet.
type turn struct {
	n uint64 `snapshot:"-"`
}

// pageItems is how many items a page has. Fewer cost more pages to copy with the first change
// after a share, and more a larger page with every one.
const pageItems = 64

type page[V any] struct {
	items [pageItems]*V
	owns  [pageItems]turn // as shelf.turn, when the item was put there or copied last
	own   turn            // likewise of the page
}

// get returns the item of a number, or nil. The caller must not change it.
func (s *shelf[K, V]) get(key K) *V {
	if p := s.pages[key/pageItems]; p != nil {
		return p.items[key%pageItems]
	}
	return nil
}

// put puts an item under a number. Nobody else may have it.
func (s *shelf[K, V]) put(key K, item *V) {
	p, at := s.page(key), key%pageItems
	if p.items[at] == nil {
		s.count++
	}
	p.items[at], p.owns[at] = item, s.turn
}

// change returns the item of a number to be changed, or nil: a copy that no reader has, in
// the place of the one before. The lists and maps inside are still those of the readers.
func (s *shelf[K, V]) change(key K) *V {
	if s.get(key) == nil {
		return nil
	}
	p, at := s.page(key), key%pageItems
	if p.owns[at] != s.turn {
		again := *p.items[at]
		p.items[at], p.owns[at] = &again, s.turn
	}
	return p.items[at]
}

// page returns the page of a number, which no reader has.
func (s *shelf[K, V]) page(key K) *page[V] {
	if s.pages == nil {
		s.pages = map[K]*page[V]{}
	}
	if s.own != s.turn {
		s.pages, s.own = maps.Clone(s.pages), s.turn
	}
	p := s.pages[key/pageItems]
	switch {
	case p == nil:
		p = &page[V]{own: s.turn}
	case p.own != s.turn:
		again := *p
		p, again.own = &again, s.turn
	}
	s.pages[key/pageItems] = p
	return p
}

// share returns a copy that never changes.
func (s *shelf[K, V]) share() shelf[K, V] {
	s.turn.n++
	return shelf[K, V]{pages: s.pages, count: s.count}
}

// len returns how many items there are.
func (s *shelf[K, V]) len() int { return s.count }

// all goes through the items in the order of their numbers.
func (s *shelf[K, V]) all() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		for _, number := range slices.Sorted(maps.Keys(s.pages)) {
			for i, item := range s.pages[number].items {
				if item != nil && !yield(number*pageItems+K(i), item) {
					return
				}
			}
		}
	}
}

// values returns copies of the items in the order of their numbers.
func (s *shelf[K, V]) values() []V {
	list := make([]V, 0, s.count)
	for _, item := range s.all() {
		list = append(list, *item)
	}
	return list
}

// next returns the number after the highest that is in use.
func (s *shelf[K, V]) next() K {
	var last K
	for number, p := range s.pages {
		for i, item := range p.items {
			if item != nil {
				last = max(last, number*pageItems+K(i))
			}
		}
	}
	return last + 1
}
