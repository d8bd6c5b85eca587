package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/journal"
	"drawhouse/journal/store"
)

// witnessAskCmd has the newest checkpoint of a house cosigned. It only reads the
// journal, so it may run beside the house, by the clock of the operator.
type witnessAskCmd struct {
	storageFlags
	URL        string        `arg:"" help:"Where the witness listens, such as https://witness.example."`
	WitnessKey string        `name:"witness-key" required:"" placeholder:"VKEY" help:"The witness's key as you know it from elsewhere."`
	Timeout    time.Duration `default:"30s" help:"How long the witness may take (${default})."`
}

// Run implements the command: it writes the checkpoint with the cosignature.
func (c *witnessAskCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	verifier, err := witness.ParseVerifier(c.WitnessKey)
	if err != nil {
		return misused("--witness-key", err)
	}
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	head, err := st.Head(ctx)
	if err != nil {
		return err
	}
	log, err := restoreLog(ctx, st, head)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	client := &wire.Client{URL: strings.TrimSuffix(c.URL, "/"), Witness: verifier}
	found, err := client.Cosign(ctx, head.Checkpoint, 0, func(oldSize, newSize uint64) (journal.TreeProof, error) {
		return journal.ProveTree(oldSize, newSize, log)
	})
	if err != nil {
		return err
	}
	out.Write(head.Checkpoint)
	out.Write(found.Line)
	return nil
}

// restoreLog returns the stored journal for proofs, and holds it against its root.
func restoreLog(ctx context.Context, st store.Reader, head store.Head) (*journal.Reader, error) {
	var tail []journal.Hash
	from := head.Size / journal.TileWidth * journal.TileWidth
	err := st.Records(ctx, head.Volume, from, head.Size, func(_ uint64, data []byte) error {
		tail = append(tail, journal.LeafHash(data))
		return nil
	})
	if err != nil {
		return nil, err
	}
	tiles := store.Tiles(ctx, st, head.Volume)
	tree, err := journal.Restore(head.Size, tiles, tail)
	if err != nil {
		return nil, err
	}
	if tree.Root() != head.Root {
		return nil, fmt.Errorf("the stored journal comes to root %v, and %v was stored with it", tree.Root(), head.Root)
	}
	return journal.NewReader(tree, tiles), nil
}
