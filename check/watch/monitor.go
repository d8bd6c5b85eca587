package watch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

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
	if err := w.keepHeard(); err != nil {
		unread = append(unread, err)
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
	w.hear(heardOf{seen, false}, note, of.Key.Name())
	switch {
	case seen.Size == 0 || seen.Size > uint64(len(w.roots)) || w.roots[seen.Size-1] == seen.Root:
		return nil, nil //nolint:nilnil // Nothing is found, and nothing is wrong.
	}
	return w.contradicted(note, w.finding(LogSplit, "%s has cosigned %d entries of %s with the root %v, and here they have %v",
		of.Key.Name(), seen.Size, seen.Origin, seen.Root, w.roots[seen.Size-1])), nil
}
