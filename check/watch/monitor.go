package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"drawhouse/check/policy"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// Monitor asks each witness of the policy that has an address there for the newest checkpoint that it has cosigned, at
// the monitoring address of C2SP tlog-witness. A house that shows this reader another log than the witness is found by
// that, whatever it shows the reader. Entries that the reader has not been shown yet are no finding: the house waits
// for the other witnesses. The errors tell of witnesses that could not be read.
func (w *Watcher) Monitor(ctx context.Context) (findings []*public.Finding, unread []error) {
	if w.policy == nil || w.last.Size == 0 {
		return nil, nil
	}
	sum := sha256.Sum256([]byte(w.last.Origin))
	path := hex.EncodeToString(sum[:]) + "/" + CheckpointPath
	for _, of := range w.policy.Witnesses {
		if of.URL == "" {
			continue
		}
		note, err := Open(of.URL).Read(ctx, path)
		switch {
		case errors.Is(err, ErrNone):
			continue // It has cosigned nothing, or it serves nobody but logs.
		case err == nil:
			var found *public.Finding
			if found, err = w.compare(of, note); found != nil {
				findings = append(findings, found)
			}
		}
		if err != nil {
			unread = append(unread, fmt.Errorf("watch: witness %s: %w", of.Key.Name(), err))
		}
	}
	return findings, unread
}

// compare holds what a witness serves against the entries. An error means that it proves nothing.
func (w *Watcher) compare(of policy.Witness, note []byte) (*public.Finding, error) {
	verifier, err := journal.ParseVerifier(w.chain.Body().Key)
	if err != nil {
		return nil, err
	}
	seen, signers, err := journal.OpenCheckpoint(note, verifier, of.Key)
	if err != nil {
		return nil, err
	}
	switch {
	case len(signers) < 2:
		return nil, errors.New("it serves a checkpoint that it has not cosigned")
	case seen.Origin != w.last.Origin:
		return nil, fmt.Errorf("it serves %s and not %s", seen.Origin, w.last.Origin)
	}
	w.hear(seen, of.Key.Name(), note)
	switch {
	case seen.Size == 0 || seen.Size > uint64(len(w.roots)) || w.roots[seen.Size-1] == seen.Root:
		return nil, nil //nolint:nilnil // Nothing is found, and nothing is wrong.
	}
	return w.contradicted(note, w.finding(LogSplit, "%s has cosigned %d entries of %s with the root %v, and here they have %v",
		of.Key.Name(), seen.Size, seen.Origin, seen.Root, w.roots[seen.Size-1])), nil
}

// heard is a checkpoint as witnesses serve it, with the cosignatures of all of them.
type heard struct {
	note []byte
	by   map[string]bool
}

// mostHeard is how many checkpoints are kept that the log has not shown, or not with these cosignatures.
const mostHeard = 1000

// hear puts the cosignatures of one checkpoint together. The house may never show them: it saw what was cosigned in
// time, and hides that.
func (w *Watcher) hear(seen journal.Checkpoint, name string, note []byte) {
	h := w.heard[seen]
	switch {
	case h == nil:
		if len(w.heard) >= mostHeard { // The oldest goes: a game waits for its cosignatures a short time.
			delete(w.heard, slices.MinFunc(slices.Collect(maps.Keys(w.heard)), func(a, b journal.Checkpoint) int {
				return cmp.Compare(a.Size, b.Size)
			}))
		}
		h = &heard{note: note, by: map[string]bool{name: true}}
		w.heard[seen] = h
	case !h.by[name]: // The first that was seen has the earliest time.
		h.by[name] = true
		_, signatures, _ := strings.Cut(string(note), "\n\n")
		for line := range strings.Lines(signatures) {
			if strings.HasPrefix(line, "— "+name+" ") {
				h.note = append(slices.Clip(h.note), line...)
			}
		}
	}
	if size := seen.Size; size > 0 && size <= uint64(len(w.roots)) && w.roots[size-1] == seen.Root {
		w.weigh(seen)
	}
}

// weigh takes in what witnesses serve of entries that were read: what meets the policy was cosigned, whether or not the
// house has shown it.
func (w *Watcher) weigh(c journal.Checkpoint) {
	if h := w.heard[c]; h != nil && w.policy != nil {
		w.chain.Cosigned(c.Size, h.note, w.enough)
		if w.enough(h.note) {
			w.order.cosigned(c.Size)
			delete(w.heard, c)
		}
	}
}
