package watch

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// heardOf is a checkpoint and who has shown it: what the house shows and what witnesses serve may have other times.
type heardOf struct {
	journal.Checkpoint
	house bool
}

// heard is a checkpoint with the cosignatures that were seen under it.
type heard struct {
	note []byte
	by   map[string]bool
	// behind is how often the house has shown fewer entries since the checkpoint met the policy.
	behind int
}

const (
	// mostHeard is how many checkpoints are kept. A game waits for its cosignatures a short time.
	mostHeard = 200
	// mostBehind is how many looks a house has to show what was cosigned: it may be starting, or be slow.
	mostBehind = 10
	// heardPath is where a mirror keeps the checkpoints that were heard of, a line each: who has shown it, its note in
	// base64, and at how many looks the house has shown fewer entries; and for each witness that was ahead of the house
	// how often it was, and of how many entries. A witness serves its newest one alone, so that a reader who was there in
	// time can say so later.
	heardPath = "heard"
)

// hear puts the cosignatures of one checkpoint together. The house may never show them: it saw what was cosigned in
// time, and hides that.
func (w *Watcher) hear(seen heardOf, note []byte, by ...string) {
	h := w.heard[seen]
	if h == nil {
		if len(w.heard) >= mostHeard {
			delete(w.heard, slices.MinFunc(slices.Collect(maps.Keys(w.heard)), bySize))
		}
		h = &heard{note: note, by: map[string]bool{}}
		w.heard[seen] = h
		for _, name := range by {
			h.by[name] = true
		}
		w.changed = true
	}
	_, signatures, _ := strings.Cut(string(note), "\n\n")
	for _, name := range by {
		if h.by[name] {
			continue // The first that was seen has the earliest time.
		}
		h.by[name], w.changed = true, true
		for line := range strings.Lines(signatures) {
			if strings.HasPrefix(line, "— "+name+" ") {
				h.note = append(slices.Clip(h.note), line...)
			}
		}
	}
	if size := seen.Size; size > 0 && size <= uint64(len(w.roots)) && w.roots[size-1] == seen.Root {
		w.weigh(w.heard[seen], size)
	}
}

func bySize(a, b heardOf) int { return cmp.Compare(a.Size, b.Size) }

// weighAll takes in what was heard of a checkpoint of which the last entry was read.
func (w *Watcher) weighAll(c journal.Checkpoint) {
	for _, house := range []bool{true, false} {
		if h := w.heard[heardOf{c, house}]; h != nil {
			w.weigh(h, c.Size)
		}
	}
}

// weigh takes in what was heard of entries that were read: what meets the policy was cosigned, whether or not the house
// has shown it.
func (w *Watcher) weigh(h *heard, size uint64) {
	if w.policy == nil {
		return
	}
	w.chain.Cosigned(size, h.note, w.enough)
	if w.enough(h.note) {
		w.order.cosigned(size)
	}
}

// behind finds that the house goes on to show fewer entries than enough witnesses have cosigned: it hides what was
// said.
func (w *Watcher) behind(shown journal.Checkpoint) (findings []*public.Finding) {
	if w.policy == nil {
		return nil
	}
	for _, c := range slices.SortedFunc(maps.Keys(w.heard), bySize) {
		h := w.heard[c]
		if c.Origin != shown.Origin || c.Size <= shown.Size || h.behind >= mostBehind || !w.enough(h.note) {
			continue
		}
		w.changed = true
		if h.behind++; h.behind == mostBehind {
			findings = append(findings, w.finding(LogBehind, "%s have cosigned %d entries of %s, and %d are shown, also at the last %d looks",
				strings.Join(slices.Sorted(maps.Keys(h.by)), ", "), c.Size, c.Origin, shown.Size, mostBehind))
		}
	}
	return findings
}

// shownBy are the words of the mirror.
var shownBy = map[bool]string{true: "house", false: "witness"}

const aheadWord = "ahead"

// keepHeard writes what was heard to the mirror, if there is more than before.
func (w *Watcher) keepHeard() error {
	if w.mirror == "" || !w.changed {
		return nil
	}
	var text bytes.Buffer
	for _, c := range slices.SortedFunc(maps.Keys(w.heard), bySize) {
		fmt.Fprintln(&text, shownBy[c.house], base64.StdEncoding.EncodeToString(w.heard[c].note), w.heard[c].behind)
	}
	for _, name := range slices.Sorted(maps.Keys(w.ahead)) {
		fmt.Fprintln(&text, aheadWord, name, w.ahead[name], w.aheadOf)
	}
	if err := w.mirror.write(heardPath, text.Bytes()); err != nil {
		return err
	}
	w.changed = false
	return nil
}

// recall takes up what was heard in an earlier run. What is no checkpoint of cosigners of the policy says nothing.
func (w *Watcher) recall() error {
	if w.mirror == "" || w.policy == nil {
		return nil
	}
	text, err := w.mirror.read(heardPath)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if err := w.recallLine(words); err != nil {
			return fmt.Errorf("watch: %s of the mirror: %w", heardPath, err)
		}
	}
	return nil
}

// recallLine takes up a line of what was heard. What was found at the last look of an earlier run is found again at the
// next one, while it is so. Mirrors of before have no counts.
func (w *Watcher) recallLine(words []string) error {
	looks := func(at int) int {
		if at >= len(words) {
			return 0
		}
		n, err := strconv.ParseUint(words[at], 10, 31)
		if err != nil {
			return 0
		}
		return min(int(n), mostBehind-1)
	}
	switch {
	case len(words) == 4 && words[0] == aheadWord:
		size, err := strconv.ParseUint(words[3], 10, 63)
		if w.ahead == nil {
			w.ahead = map[string]int{}
		}
		w.ahead[words[1]], w.aheadOf = looks(2), size
		return err
	case len(words) < 2:
		return errors.New("a line without a checkpoint")
	}
	note, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil {
		return err
	}
	if c, err := journal.UnverifiedCheckpoint(note); err == nil {
		seen := heardOf{c, words[0] == shownBy[true]}
		w.hear(seen, note, w.policy.Of(note).By...)
		w.heard[seen].behind = looks(2)
	}
	return nil
}
