package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"drawhouse/house"
)

// checkpointFile keeps the newest checkpoint of a house in a file that lies elsewhere
// than its journal, so that an older copy of the journal is found out.
type checkpointFile string

// read returns the checkpoint, or nothing if there is none yet.
func (f checkpointFile) read() ([][]byte, error) {
	if f == "" {
		return nil, nil
	}
	signed, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, misused("--last-checkpoint", err)
	}
	return [][]byte{signed}, nil
}

// keeping is how often the file is brought up to date. What is sold in between can be
// lost unnoticed by the file, though not by a witness who cosigned it.
const keeping = time.Second

// lastCheckpoint is the key of the alarm that the file cannot be written.
const lastCheckpoint = "last checkpoint"

// keepOf begins to keep the checkpoints of a house, and returns what ends it.
func (f checkpointFile) keepOf(h *house.House) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	kept := h.Go(ctx, house.PartStorage, "keeping the last checkpoint", func(ctx context.Context) { f.keep(ctx, h) })
	return func() {
		cancel()
		<-kept
	}
}

// keep brings the file up to date until the context ends, and once more then. A file
// that cannot be written is no reason to stop selling, but it is an alarm.
func (f checkpointFile) keep(ctx context.Context, h *house.House) {
	if f == "" {
		return
	}
	var last []byte
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(keeping):
		}
		signed, err := h.Checkpoint(context.WithoutCancel(ctx))
		if err == nil && !bytes.Equal(signed, last) {
			err = f.write(signed)
		}
		if err != nil {
			h.Raise(house.PartStorage, lastCheckpoint,
				fmt.Sprintf("The last checkpoint cannot be kept in %s: %v", f, err),
				"Look at the disk of that file, and who may write there. Sales go on; an older copy of the journal would not be found out meanwhile.")
			continue
		}
		last = signed
		h.Clear(house.PartStorage, lastCheckpoint)
	}
}

// write replaces the file, whole or not at all.
func (f checkpointFile) write(signed []byte) error {
	next, err := os.CreateTemp(filepath.Dir(string(f)), filepath.Base(string(f))+".new*")
	if err != nil {
		return err
	}
	_, err = next.Write(signed)
	if err := errors.Join(err, next.Sync(), next.Close()); err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	if err := os.Rename(next.Name(), string(f)); err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	return syncFolder(filepath.Dir(string(f)))
}

// older says what to do about a journal on which a house does not open.
func older(err error) error {
	switch {
	case errors.Is(err, house.ErrOlder):
		return fmt.Errorf("%w; if nothing newer is left, begin a volume: drawhouse volume begin --reason=restore --last-checkpoint=FILE", err)
	case errors.Is(err, house.ErrUnfinished):
		return fmt.Errorf("%w; copy or restore it again into an empty place", err)
	}
	return err
}
