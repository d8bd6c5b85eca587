package searcher

import (
	"slices"
	"strings"
)

// Breadth tries every sequence of the letters of the rulebook's alphabet, the shorter ones
// first, and winds each house up. A letter that the house refuses leads nowhere. It stops at
// a hit, or when all acts are tried.
func (h *Hunt) Breadth(depth int) (*Hit, int, error) {
	p := plans[h.Rulebook]
	tried := 0
	level := [][]string{nil}
	for range depth {
		var next [][]string
		for _, prefix := range level {
			for _, letter := range p.letters {
				if slices.Contains(prefix, letter) && once(letter) {
					continue
				}
				if tried >= h.Acts {
					return nil, tried, nil
				}
				lines := slices.Concat([]string{p.firsts[0]}, prefix, []string{letter})
				w, err := Begin(h.Rulebook, h.Book, h.Rulebook, lines[0])
				if err != nil {
					return nil, tried, err
				}
				taken := false
				for _, line := range lines[1:] {
					taken, _ = w.Do(line)
				}
				tried++ // The acts before it were counted.
				if taken && !h.hit(w) {
					next = append(next, lines[1:])
					w.WindUp()
				}
				if h.hit(w) {
					return h.shrink(*h.first(w), h.Rulebook, tried, lines, lines), tried, nil
				}
			}
		}
		level = next
	}
	return nil, tried, nil
}

// once reports whether a letter gives a name, which it can do once.
func once(letter string) bool {
	verb, _, _ := strings.Cut(letter, " ")
	return verb == "sell" || verb == "issue" || verb == "card"
}
