package watch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"drawhouse/check/policy"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// Monitor asks each witness of the policy that has an address there for the newest checkpoint that it has cosigned, at
// the monitoring address of C2SP tlog-witness. A house that shows this reader another log than the witness is found by
// that, whatever it shows the reader. Entries that the reader has not been shown yet are no finding: the house waits
// for the other witnesses. A custodian serves a checkpoint with the cosignatures of a quorum as well, which needs no
// other witness to tell the truth. The errors tell of witnesses that could not be read, and of those that are ahead of
// what the house shows at many looks.
func (w *Watcher) Monitor(ctx context.Context) (findings []*public.Finding, unread []error) {
	if w.policy == nil || w.last.Size == 0 {
		return nil, nil
	}
	folder := folderOf(w.last.Origin)
	for _, of := range w.policy.Witnesses {
		if of.URL == "" {
			continue
		}
		if found := w.gone(ctx, of); found != nil {
			findings = append(findings, found)
		}
		for _, path := range []string{CheckpointPath, quorumPath} {
			note, err := Open(of.URL).Read(ctx, folder+path)
			switch {
			case errors.Is(err, ErrNone):
				continue // It has cosigned nothing, it serves nobody but logs, or it is no custodian.
			case err == nil:
				var found *public.Finding
				if found, err = w.compare(of, note, path); found != nil {
					findings = append(findings, found)
				}
			case path == quorumPath:
				continue // Witnesses of others do not know the question, and answer as they like.
			}
			if err != nil {
				unread = append(unread, fmt.Errorf("watch: witness %s: %w", of.Key.Name(), err))
			}
		}
	}
	unread = append(unread, w.askPublished(ctx)...)
	if err := w.keepHeard(); err != nil {
		unread = append(unread, err)
	}
	return findings, unread
}

// folderOf is where a witness serves a log, as C2SP tlog-witness names it.
func folderOf(origin string) string {
	sum := sha256.Sum256([]byte(origin))
	return hex.EncodeToString(sum[:]) + "/"
}

// publishedPath is where a custodian says what it has refused, and whether it has stopped.
const publishedPath = "published"

// askPublished returns what custodians of the policy say that they refuse, or why they have stopped, each once. It is
// their word: who hears it asks them and the house.
func (w *Watcher) askPublished(ctx context.Context) (notes []error) {
	for _, of := range w.policy.Witnesses {
		if of.URL == "" || !slices.Contains(w.chain.Custodians(), of.Key.Name()) {
			continue
		}
		var said struct {
			Stopped, Refused *struct{ Why string }
		}
		data, err := Open(of.URL).Read(ctx, publishedPath)
		if err != nil || json.Unmarshal(data, &said) != nil {
			continue // That it does not answer is told where its checkpoint is read.
		}
		for what, reason := range map[string]*struct{ Why string }{"has stopped": said.Stopped, "refuses": said.Refused} {
			if reason == nil || w.refusals[of.Key.Name()+what] == reason.Why {
				continue
			}
			if w.refusals == nil {
				w.refusals = map[string]string{}
			}
			w.refusals[of.Key.Name()+what] = reason.Why
			notes = append(notes, fmt.Errorf("watch: witness %s: it says that it %s: %.500q", of.Key.Name(), what, reason.Why))
		}
	}
	return notes
}

// quorumPath is where a custodian serves the newest checkpoint with the cosignatures of its policy.
const quorumPath = "quorum"

// leads names a witness that is ahead of what the house shows at many looks. That alone is no lie of anybody: the house
// waits for the other witnesses, or it hides what was cosigned and they say nothing.
func (w *Watcher) leads(name, path string, size uint64) error {
	if size <= w.last.Size || path != CheckpointPath {
		return nil
	}
	if w.ahead == nil {
		w.ahead = map[string]int{}
	}
	if w.aheadOf != w.last.Size {
		w.aheadOf = w.last.Size // The house has shown more since: it is counted anew.
		clear(w.ahead)
	}
	w.changed = true
	if w.ahead[name]++; w.ahead[name] != mostBehind {
		return nil
	}
	return fmt.Errorf("it has cosigned %d entries of %s, and %d are shown, also at the last %d looks: other witnesses do not cosign, or the house hides what they have cosigned; ask both",
		size, w.last.Origin, w.last.Size, mostBehind)
}

// compare holds what a witness serves against the entries. An error means that it proves nothing.
func (w *Watcher) compare(of policy.Witness, note []byte, path string) (*public.Finding, error) {
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
	w.hear(heardOf{seen, false}, note, w.policy.Of(note).By...)
	if err := w.leads(of.Key.Name(), path, seen.Size); err != nil {
		return nil, err
	}
	switch {
	case seen.Size == 0 || seen.Size > uint64(len(w.roots)) || w.roots[seen.Size-1] == seen.Root:
		return nil, nil //nolint:nilnil // Nothing is found, and nothing is wrong.
	}
	return w.contradicted(note, w.finding(LogSplit, "%s has cosigned %d entries of %s with the root %v, and here they have %v",
		of.Key.Name(), seen.Size, seen.Origin, seen.Root, w.roots[seen.Size-1])), nil
}
