package keno

import (
	"strconv"
	"strings"

	"drawhouse/ball"
)

// ranges returns a set as people write it, "1 to 10, 15, 20, 40".
func ranges(s ball.Set) string {
	var parts []string
	for n := range s.All() {
		if n > 1 && s.Has(n-1) {
			continue
		}
		last := n
		for s.Has(last + 1) {
			last++
		}
		if last == n {
			parts = append(parts, strconv.Itoa(n))
		} else {
			parts = append(parts, strconv.Itoa(n)+" to "+strconv.Itoa(last))
		}
	}
	return strings.Join(parts, ", ")
}
