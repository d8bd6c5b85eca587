package main

import (
	"bytes"
	"fmt"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// volumeCmd groups what is done with the volumes of a journal.
type volumeCmd struct {
	List  volumeListCmd  `cmd:"" help:"List the volumes of a journal: why each began, where it ended, with which keys."`
	Begin volumeBeginCmd `cmd:"" help:"End the volume of a house that does not run and begin the next."`

	Archive volumeArchiveCmd `cmd:"" help:"Copy a volume that has ended into the archive, verified by its root."`
	Prune   volumePruneCmd   `cmd:"" help:"Remove an archived volume from the database."`
}

// volumeListCmd lists the volumes. It only reads, so it may run beside the house.
type volumeListCmd struct{ storageFlags }

// Run implements the command.
func (c *volumeListCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	volumes, err := house.Volumes(ctx, st)
	if err != nil {
		return err
	}
	heads, err := st.Volumes(ctx)
	if err != nil {
		return err
	}
	rows := new(bytes.Buffer)
	fmt.Fprintln(rows, "VOLUME\tREASON\tRECORDS\tROOT\tHOUSE KEY\tDEVICE KEY")
	for i, v := range volumes {
		fmt.Fprintf(rows, "%d\t%s\t%s\t%v\t%s\t%s\n", v.Volume, v.Reason, console.Counted(heads[i].Size), heads[i].Root,
			keyID(v.HouseKey), keyID(v.DeviceKey))
	}
	if err := writeColumns(out, rows); err != nil {
		return err
	}
	for i := 1; i < len(volumes); i++ {
		if err := writeSeam(out, &volumes[i], &volumes[i-1]); err != nil {
			return err
		}
	}
	return nil
}

// writeSeam says what lies between two volumes, where it is more than nothing.
func writeSeam(out *bytes.Buffer, v, before *record.VolumeBegun) error {
	body, err := v.Statement(before)
	if err != nil {
		return fmt.Errorf("volume %d: %w", v.Volume, err)
	}
	for _, c := range body.Abandoned {
		fmt.Fprintf(out, "volume %d abandons %s up to record %s\n", v.Volume, c.Origin, console.Counted(c.Size))
	}
	if _, handed, err := v.Follows(before); err != nil {
		return fmt.Errorf("volume %d: %w", v.Volume, err)
	} else if !handed {
		fmt.Fprintf(out, "volume %d was begun without the key of volume %d\n", v.Volume, before.Volume)
	}
	return nil
}

// keyID returns the id of a verifier key, by which people tell keys apart.
func keyID(vkey string) string {
	verifier, err := journal.ParseVerifier(vkey)
	if err != nil {
		return "?"
	}
	return fmt.Sprintf("%08x", verifier.KeyHash())
}

// volumeBeginCmd ends a volume by hand.
type volumeBeginCmd struct {
	storageFlags
	Reason         string   `enum:"year,restore" default:"year" help:"Why: year, or restore for a journal that was put back from a copy (${default})."`
	LastCheckpoint []string `name:"last-checkpoint" type:"existingfile" sep:"none" placeholder:"FILE" help:"A checkpoint of this journal that somebody else holds. What lies beyond the journal's end is named as abandoned. May be given several times."`
	Number         uint16   `placeholder:"N" help:"The number of the volume, where numbers were used that neither journal nor checkpoints know of."`
}

// Help says when it is needed.
func (*volumeBeginCmd) Help() string {
	return `A running house begins a volume by itself with the first Keno Day of a year. This is
for a house that does not run, and above all for a journal that came from a copy of
the database: such a journal must not be gone on with in its old volume, where the
places of lost tickets would be given to others. (drawhouse restore begins one
itself.) A house that does run is stopped.`
}

// Run implements the command.
func (c *volumeBeginCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	t, err := openTurn(ctx, c.storageFlags, st)
	if err != nil {
		return err
	}
	if err := t.held(c.LastCheckpoint); err != nil {
		return err
	}
	t.Reason, t.Volume = record.VolumeReason(c.Reason), c.Number
	if t.Reason == record.ReasonRestore {
		t.neverUsed()
	}
	before := t.last()
	turned, err := t.begin(ctx, "")
	if err != nil {
		return err
	}
	writeTurned(out, turned, before)
	return nil
}

// neverUsed raises the number of the volume above those for which there are keys: they
// may have been begun in what is lost.
func (t *turn) neverUsed() {
	if newest := t.keys.Newest(); newest > t.last().Volume {
		t.Volume = max(t.Volume, newest+1)
	}
}
