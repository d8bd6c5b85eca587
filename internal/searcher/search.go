package searcher

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"drawhouse/rulebook"
)

// Hunt says what is searched.
type Hunt struct {
	Rulebook string
	Book     *rulebook.Book // in place of the one that is built in, if not nil
	Seed     uint64
	Acts     int // that are tried before the search gives up
	Length   int // acts of one house
	// Check is how many of the journals verify reads: one in so many; 0 for none.
	Check int
	// Ignore reports whether a finding is known and no hit.
	Ignore func(Finding) bool
}

// Hit is a finding with the shortest list of acts that leads to it.
type Hit struct {
	Finding
	Rulebook string
	Acts     int // that the search tried until it had it
	Lines    []string
}

// String returns the hit as a scenario that can be put into a case file.
func (h *Hit) String() string {
	return fmt.Sprintf("# %s: %v\n# after %d acts\n%s\n", h.Rulebook, h.Finding, h.Acts, strings.Join(h.Lines, "\n"))
}

// Run searches at random until there is a hit or all acts are tried. It returns how many
// were tried.
func (h *Hunt) Run() (*Hit, int, error) {
	r := rand.New(rand.NewPCG(h.Seed, 14))
	tried := 0
	for house := 0; tried < h.Acts; house++ {
		seed := fmt.Sprintf("%s %d %d", h.Rulebook, h.Seed, house)
		w, err := Begin(h.Rulebook, h.Book, seed, pick(r, plans[h.Rulebook].firsts))
		if err != nil {
			return nil, tried, err
		}
		length := 1 + r.IntN(2*h.Length)
		for w.Tried < length && !h.hit(w) {
			_, _ = w.Do(w.offer(r))
		}
		taken, asked := slices.Clone(w.Lines), slices.Clone(w.Asked)
		if !h.hit(w) {
			w.WindUp()
		}
		if !h.hit(w) && h.Check > 0 && house%h.Check == 0 {
			w.Verify()
		}
		tried += w.Tried
		if h.hit(w) {
			return h.shrink(*h.first(w), seed, tried, taken, asked), tried, nil
		}
	}
	return nil, tried, nil
}

func (h *Hunt) hit(w *World) bool { return h.first(w) != nil }

// first returns the first finding that is not known.
func (h *Hunt) first(w *World) *Finding {
	for i, f := range w.tell.found {
		if h.Ignore == nil || !h.Ignore(f) {
			return &w.tell.found[i]
		}
	}
	return nil
}

// shrink leaves lines out as long as what is found is of the same kind. It begins with the lines
// that the house took. Where those lead nowhere it begins with all that was asked for: a line that
// is refused may have ended the visit of a customer who did nothing.
func (h *Hunt) shrink(best Finding, seed string, tried int, taken, asked []string) *Hit {
	lines := asked
	if f, rest := h.again(seed, taken, best); f != nil {
		best, lines = *f, rest
	}
	for size := len(lines) / 2; size > 0; {
		left := false
		for from := 1; from < len(lines); {
			without := slices.Concat(lines[:from], lines[min(len(lines), from+size):])
			if f, rest := h.again(seed, without, best); f != nil {
				best, lines, left = *f, rest, true
				continue
			}
			from += size
		}
		if !left || size > 1 {
			size /= 2
		}
	}
	return &Hit{Finding: best, Rulebook: h.Rulebook, Acts: tried, Lines: lines}
}

// again plays lines and returns a finding of the same kind, and the lines that led to it.
func (h *Hunt) again(seed string, lines []string, like Finding) (*Finding, []string) {
	w, err := Begin(h.Rulebook, h.Book, seed, lines[0])
	if err != nil {
		return nil, nil
	}
	byVerify := like.Goal == refusedByVerify || like.Goal == panicsInVerify
	found := func() *Finding {
		for i, f := range w.tell.found {
			if f.alike(like) && (h.Ignore == nil || !h.Ignore(f)) {
				return &w.tell.found[i]
			}
		}
		return nil
	}
	for i, line := range lines[1:] {
		_, _ = w.Do(line)
		if f := found(); f != nil {
			return f, lines[:i+2]
		}
	}
	if byVerify {
		w.Verify()
	}
	if found() == nil {
		w.WindUp()
	}
	if byVerify && found() == nil {
		w.Verify()
	}
	if f := found(); f != nil {
		return f, lines
	}
	return nil, nil
}
