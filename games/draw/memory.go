package draw

import "slices"

// A memory is a map that forgets its oldest entry when there are too many.
type memory[K comparable, V any] struct {
	most   int
	values map[K]V
	order  []K // oldest first
}

func newMemory[K comparable, V any](most int) memory[K, V] {
	return memory[K, V]{most: most, values: make(map[K]V)}
}

func (m *memory[K, V]) get(key K) (V, bool) {
	v, ok := m.values[key]
	return v, ok
}

func (m *memory[K, V]) put(key K, value V) {
	if _, known := m.values[key]; !known {
		m.order = append(m.order, key)
	}
	m.values[key] = value
	if len(m.order) > m.most {
		delete(m.values, m.order[0])
		m.order = slices.Delete(m.order, 0, 1)
	}
}
