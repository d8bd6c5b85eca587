package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/figure"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// keysOf returns the directory of a house's keys.
func (f storageFlags) keysOf() string { return filepath.Join(f.Data, "keys") }

// turn is a change of volume by a command.
type turn struct {
	storage storageFlags
	store   store.Store
	keys    *house.KeyDir
	volumes []record.VolumeBegun // of the journal as it is
	house.Turn
}

// openTurn reads the journal and the keys of a house that is to begin a volume.
func openTurn(ctx context.Context, storage storageFlags, st store.Store) (*turn, error) {
	volumes, err := house.Volumes(ctx, st)
	if err != nil {
		return nil, err
	}
	if len(volumes) == 0 {
		return nil, misused("--data", fmt.Errorf("%s %w", storage.Data, errNoHouse))
	}
	keys, err := house.ReadKeyDir(storage.keysOf())
	if err != nil {
		return nil, misused("--data", fmt.Errorf("%w; restore the keys from a backup", err))
	}
	return &turn{storage: storage, store: st, keys: keys, volumes: volumes, Turn: house.Turn{Build: build()}}, nil
}

// last returns the volume that is to end.
func (t *turn) last() record.VolumeBegun { return t.volumes[len(t.volumes)-1] }

// held reads checkpoints that others hold.
func (t *turn) held(files []string) error {
	for _, name := range files {
		signed, err := os.ReadFile(name)
		if err != nil {
			return misused("--last-checkpoint", err)
		}
		t.Held = append(t.Held, signed)
	}
	return nil
}

// begin begins the volume, with new keys of some kinds. A device in a process of its
// own has its key there, and deviceKey is its verifier.
func (t *turn) begin(ctx context.Context, deviceKey string, kinds ...string) (house.Turned, error) {
	now, err := t.keys.For(t.last())
	if err != nil {
		return house.Turned{}, err
	}
	t.Next = func(volume uint16) (house.Keys, error) {
		keys, err := t.keys.Next(t.last(), volume, rand.Reader, kinds...)
		if deviceKey != "" {
			keys.DeviceVerifier = deviceKey
		}
		return keys, err
	}
	turned, err := house.Begin(ctx, house.Config{Store: t.store, Keys: now, Clock: timetable.NewSystemClock()}, t.Turn)
	if errors.Is(err, house.ErrOlder) {
		err = fmt.Errorf("%w; say --reason=restore", err)
	}
	return turned, err
}

// writeTurned says what has happened, and what the operator has to do.
func writeTurned(out *bytes.Buffer, t house.Turned, before record.VolumeBegun) {
	fmt.Fprintf(out, "volume %d of %s has begun; volume %d ended with %s, root %v\n",
		t.Begun.Volume, t.Begun.House, before.Volume, figure.Count(t.Ended.Size, "record"), t.Ended.Root)
	for _, c := range t.Abandoned {
		if c.Size == 0 {
			fmt.Fprintf(out, "abandoned: %s, of which nobody was known to hold a checkpoint\n", c.Origin)
			continue
		}
		fmt.Fprintf(out, "abandoned: %s up to record %s, of which others hold a checkpoint with root %v\n", c.Origin,
			console.Counted(c.Size), c.Root)
	}
	if t.Begun.DeviceKey != before.DeviceKey {
		fmt.Fprintf(out, "the device's key is now %s\n", t.Begun.DeviceKey)
	}
	var todo []string
	if t.Begun.HouseKey != before.HouseKey {
		fmt.Fprintf(out, "the house's key is now %s\n", t.Begun.HouseKey)
		if t.Handed {
			todo = append(todo,
				"Give the new key to inspectors and witnesses (drawhouse witness --log). The old key has signed for it, so who knows the old one can check that.")
		} else {
			todo = append(todo,
				"Give the new key to inspectors, witnesses (drawhouse witness --log) and the public yourself: the old key has not signed for it, so nobody can tell it from a stranger's.")
		}
		todo = append(todo,
			"If the draw device runs in a process of its own, start it again with both keys: drawhouse device --house-key="+
				t.Begun.HouseKey+" --house-key="+before.HouseKey+
				" and its own flags. Until then the device refuses the seals of the house, and games wait. The old key is left out once the games that it sealed are settled.")
		todo = append(todo,
			"If the old key is in wrong hands, say so, and destroy its file once the games that it sealed are settled: what it signs for "+t.Ended.Origin+" beyond that end, and for any later volume, is worth nothing.")
	}
	todo = append(todo,
		"Back the keys up: drawhouse keys backup DIR. The volume has a serial key of its own, without which its tickets cannot be found.")
	if t.Begun.Reason == record.ReasonRestore {
		todo = append(todo, lostTail()...)
	}
	todo = append(todo,
		"Start the house: drawhouse serve. One that runs has stopped selling for a moment, and goes on with the new volume by itself.")
	fmt.Fprintf(out, "\nWhat is left to do:\n")
	for i, line := range todo {
		fmt.Fprintf(out, "%d. %s\n", i+1, line)
	}
}

// lostTail says what an operator does about the records that a restore has lost.
func lostTail() []string {
	return []string{
		"Tickets that were sold after the restored end are not in the journal. Their serials are never given to others; the house answers that their record is lost. Decide them by claim form: the receipt has the hash of its record and a signed checkpoint, and a witness that replays the journal (an inspector's export, too) may still have the record itself.",
		"Payments, cancellations and settlements after that end are lost as well. Count the cash of every venue against the ledger, and hold paid tickets against what comes to be claimed again.",
		"Games that were drawn after that end have results that people saw. Do not draw them again before the inspector agrees how they count.",
		"Terminals go on with higher request numbers; one whose number is refused as too low takes the next.",
	}
}

// joined lists words for a sentence.
func joined(words []string) string { return strings.Join(words, ", ") }
