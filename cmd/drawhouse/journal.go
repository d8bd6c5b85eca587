package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/figure"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// journalCmd groups what is done with a journal as a whole.
type journalCmd struct {
	Export journalExportCmd `cmd:"" help:"Write a copy of the journal that anybody can verify."`
}

// journalExportCmd writes the copy that an inspector takes away. It only reads,
// so it may run beside the house.
type journalExportCmd struct {
	storageFlags
	Out string `arg:"" help:"Directory to write; it must not exist."`
}

// Run implements the command.
func (c *journalExportCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	head, err := st.Head(ctx)
	if err != nil {
		return err
	}
	about, err := houseOf(ctx, st, head)
	if err != nil {
		return err
	}
	dir, err := export.CreateDir(c.Out)
	if err != nil {
		return misused("OUT", err)
	}
	if err := errors.Join(export.Write(ctx, dir, about, head.Checkpoint, st), dir.Close()); err != nil {
		return err
	}
	before := ""
	if about.Volume > 1 {
		before = ", and the volumes before it"
	}
	fmt.Fprintf(out, "%s has volume %d of %s with %s%s\n", c.Out, about.Volume, about.House,
		figure.Count(head.Size, "record"), before)
	return nil
}

// houseOf reads whose journal it is from its first record.
func houseOf(ctx context.Context, st store.Reader, head store.Head) (verify.House, error) {
	data, err := st.Record(ctx, record.Place{Volume: head.Volume})
	if err != nil {
		return verify.House{}, fmt.Errorf("the journal has no records: %w", err)
	}
	r, err := record.Decode(data)
	if err != nil {
		return verify.House{}, err
	}
	begun, ok := r.Body.(*record.VolumeBegun)
	if !ok {
		return verify.House{}, fmt.Errorf("the journal begins with a record of %v", r.Kind())
	}
	return verify.House{House: begun.House, Volume: begun.Volume, HouseKey: begun.HouseKey,
		DeviceKey: begun.DeviceKey}, nil
}
