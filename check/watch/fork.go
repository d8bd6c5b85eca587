package watch

import (
	"fmt"
	"path/filepath"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// forkPath is where a mirror keeps the first checkpoint that contradicts it. With the mirror's own it proves that the
// log has two histories.
const forkPath = "fork"

// contradicted keeps a checkpoint that contradicts the mirror, if the key of the log has signed it, and says in the
// finding where, and who has cosigned it. The first one stays: a log that forks may do so without end.
func (w *Watcher) contradicted(note []byte, found *public.Finding) *public.Finding {
	if w.mirror == "" || w.last.Size == 0 || w.signed(note) == nil {
		return found
	}
	if _, err := w.mirror.read(forkPath); err != nil {
		if err := w.mirror.write(forkPath, note); err != nil {
			found.Says += fmt.Sprintf("; it cannot be kept: %v", err)
			return found
		}
	}
	found.Says += fmt.Sprintf("; %s, and is kept in %s", w.cosignersOf(note), filepath.Join(string(w.mirror), forkPath))
	return found
}

// signed returns a checkpoint that the key of the log has signed, or nil.
func (w *Watcher) signed(note []byte) *journal.Checkpoint {
	key, err := journal.ParseVerifier(w.chain.Body().Key)
	if err != nil {
		return nil
	}
	c, _, err := journal.OpenCheckpoint(note, key)
	if err != nil || c.Origin != w.last.Origin {
		return nil
	}
	return &c
}

// cosignersOf says which witnesses of the policy have cosigned a checkpoint.
func (w *Watcher) cosignersOf(note []byte) string {
	if w.policy == nil {
		return "no policy says whose cosignatures count"
	}
	if by := w.policy.Of(note).By; len(by) > 0 {
		return "it is cosigned by " + strings.Join(by, ", ")
	}
	return "no witness of the policy has cosigned it"
}

// fork finds the checkpoint that contradicted the mirror in an earlier run.
func (w *Watcher) fork() []*public.Finding {
	if w.mirror == "" || w.last.Size == 0 {
		return nil
	}
	note, err := w.mirror.read(forkPath)
	if err != nil {
		return nil // There is none.
	}
	c := w.signed(note)
	if c == nil {
		return nil // Somebody has put it there.
	}
	return []*public.Finding{w.finding(LogForked,
		"%s contradicted this mirror before, by %d entries with the root %v: %s, and is kept in %s", c.Origin, c.Size, c.Root,
		w.cosignersOf(note), filepath.Join(string(w.mirror), forkPath))}
}
