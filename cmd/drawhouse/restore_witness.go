package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"drawhouse/check/witness/replay"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
)

// fillFromWitness brings the store to where the witness's copy ends.
func (c *restoreCmd) fillFromWitness(ctx context.Context, st store.Store) (backup.Summary, error) {
	keys, err := house.ReadKeyDir(c.keysOf())
	if err != nil {
		return backup.Summary{}, misused("--data", err)
	}
	remote, contents, err := c.askWitness(ctx, keys)
	if err != nil {
		return backup.Summary{}, misused("--from-witness", err)
	}
	if err := signedBy(contents.Volumes[len(contents.Volumes)-1], keys); err != nil {
		return backup.Summary{}, misused("--from-witness", err)
	}
	target, ok := st.(backup.Target)
	if !ok {
		return backup.Summary{}, fmt.Errorf("a %T cannot be restored into", st)
	}
	bar := newRecordBar("restore")
	summary, err := backup.Copy(ctx, target, unfinished{remote, contents}, bar.progress)
	bar.end()
	if errors.Is(err, backup.ErrOther) {
		err = misused("--data", fmt.Errorf("%w; what is there does not fit what the witness has", err))
	}
	summary.Volumes = contents.Volumes // With the checkpoint, which the next volume names.
	return summary, err
}

// askWitness asks for what the witness has, with each of the house's keys in turn.
func (c *restoreCmd) askWitness(ctx context.Context, keys *house.KeyDir) (*replay.Remote, store.Contents, error) {
	err := errors.New("there is no house key")
	for _, signer := range keys.HouseSigners() {
		remote := &replay.Remote{
			URL: strings.TrimSuffix(c.FromWitness, "/"), House: signer.Name(), Signer: signer,
			Now: func() int64 { return time.Now().Unix() }, HTTP: &http.Client{Timeout: answering},
		}
		var contents store.Contents
		if contents, err = remote.Contents(ctx); err == nil {
			return remote, contents, nil
		}
	}
	return nil, store.Contents{}, err
}

// signedBy checks that the house itself has signed for the end of what a witness has.
func signedBy(head store.Head, keys *house.KeyDir) error {
	err := errors.New("it is not signed")
	for _, file := range keys.Files() {
		if file.Kind != house.HouseKey {
			continue
		}
		verifier, parse := journal.ParseVerifier(file.Verifier)
		if parse != nil {
			return parse
		}
		var c journal.Checkpoint
		if c, _, err = journal.OpenCheckpoint(head.Checkpoint, verifier); err == nil && c.Size == head.Size &&
			c.Root == head.Root {
			return nil
		}
	}
	return fmt.Errorf("what the witness has does not end with a checkpoint of this house: %w", err)
}

// unfinished is a journal as a restore takes it: without the checkpoint at its end, so
// that no house opens on it before a volume has begun behind it, and as of one moment.
type unfinished struct {
	store.Source
	contents store.Contents
}

// Contents implements store.Source.
func (u unfinished) Contents(context.Context) (store.Contents, error) {
	volumes := append([]store.Head(nil), u.contents.Volumes...)
	volumes[len(volumes)-1].Checkpoint = nil
	return store.Contents{Volumes: volumes, Objects: u.contents.Objects}, nil
}
