package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/transparency-dev/formats/log"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/client"
	"golang.org/x/mod/sumdb/note"
)

// patience is how long the log may take to grow.
const patience = 2 * time.Minute

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: tiles URL-OF-A-LOG VKEY")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // Nothing is left to end.
	}
}

// run reads a log, waits until it has grown, and reads it again.
func run(ctx context.Context, address, vkey string) error {
	key, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	root, err := url.Parse(address)
	if err != nil {
		return err
	}
	fetcher, err := client.NewHTTPFetcher(root, &http.Client{Timeout: 10 * time.Second})
	if err != nil {
		return err
	}
	tracker, err := client.NewLogStateTracker(ctx, fetcher.ReadTile, nil, key, key.Name(),
		client.UnilateralConsensus(fetcher.ReadCheckpoint))
	if err != nil {
		return err
	}
	first, err := proved(ctx, fetcher, tracker.Latest())
	if err != nil {
		return err
	}
	for tracker.Latest().Size == first {
		time.Sleep(200 * time.Millisecond)
		if _, _, _, err := tracker.Update(ctx); err != nil { // It demands the proof that the log only grew.
			return err
		}
	}
	second, err := proved(ctx, fetcher, tracker.Latest())
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d and then %d entries are under the checkpoint, which only grew\n", key.Name(), first, second)
	return nil
}

// tiles is what is read of a log.
type tiles interface {
	ReadTile(ctx context.Context, level, index uint64, width uint8) ([]byte, error)
	ReadEntryBundle(ctx context.Context, index uint64, width uint8) ([]byte, error)
}

// proved reads every entry of a log and proves its place under a checkpoint.
func proved(ctx context.Context, from tiles, under log.Checkpoint) (uint64, error) {
	if under.Size == 0 {
		return 0, errors.New("the log is empty")
	}
	builder, err := client.NewProofBuilder(ctx, under.Size, from.ReadTile)
	if err != nil {
		return 0, err
	}
	leaves, err := client.FetchLeafHashes(ctx, from.ReadTile, 0, under.Size, under.Size)
	if err != nil {
		return 0, err
	}
	at := uint64(0)
	for bundle := uint64(0); at < under.Size; bundle++ {
		read, err := client.GetEntryBundle(ctx, from.ReadEntryBundle, bundle, under.Size)
		if err != nil {
			return at, err
		}
		if len(read.Entries) == 0 {
			return at, fmt.Errorf("bundle %d is empty", bundle)
		}
		for _, entry := range read.Entries[:min(uint64(len(read.Entries)), under.Size-at)] {
			leaf := rfc6962.DefaultHasher.HashLeaf(entry)
			if !bytes.Equal(leaf, leaves[at]) {
				return at, fmt.Errorf("entry %d has another hash than the tile", at)
			}
			path, err := builder.InclusionProof(ctx, at)
			if err != nil {
				return at, err
			}
			if err := proof.VerifyInclusion(rfc6962.DefaultHasher, at, under.Size, leaf, path, under.Hash); err != nil {
				return at, fmt.Errorf("entry %d: %w", at, err)
			}
			at++
		}
	}
	return at, nil
}
