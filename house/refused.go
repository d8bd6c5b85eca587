package house

import (
	"errors"
	"fmt"

	"drawhouse/games/draw"
	"drawhouse/house/timetable"
	"drawhouse/journal/store"
)

// The keys of the alarms of this file.
const (
	alarmHouseKey = "house-key"
	alarmJournal  = "journal"
)

// sealRefused has a game wait whose seal the device does not accept, with an alarm. A device in
// a process of its own is told the house key when the device is started, and refuses every seal
// after the house key was changed.
func (l *Line) sealRefused(err error) error {
	switch {
	case err == nil:
		l.Clear(PartDevice, alarmHouseKey)
	case errors.Is(err, draw.ErrSeal):
		l.Raise(PartDevice, alarmHouseKey, "The draw device does not accept the seal of a game. The game waits.",
			"Start the device again with the house key and its own flags: drawhouse device --house-key="+l.keys().HouseVerifier)
		return fmt.Errorf("%w: %w", timetable.ErrNotYet, err)
	}
	return err
}

// raiseRest raises the alarm of a house that rests.
func (h *House) raiseRest(reason error) {
	sentence, remedy := "The journal cannot be written. Nothing is sold, paid or drawn.",
		"Look at the storage; the check store at /readyz says what it answers. The house tries again by itself."
	switch {
	case diverged(reason):
		sentence, remedy = "The journal is not the one that this house has signed. Nothing is sold, paid or drawn.",
			"Find out who has changed the journal, and restore it. The house does not go on by itself."
	case errors.Is(reason, ErrBehindWitness):
		sentence, remedy = "A witness knows another public log than this house has. Nothing is sold, paid or drawn.",
			"Stop this house or the other one of its name, and start on the newest copy of the data (docs/RUNBOOK.md, A witness is ahead)."
	case errors.Is(reason, store.ErrUnsynced):
		sentence, remedy = "The disk has failed to make writes durable. Nothing is sold, paid or drawn.",
			"Look at the disk, exchange it if it fails, and start the house again. The house does not go on by itself."
	}
	h.Raise(PartStorage, alarmJournal, sentence, remedy)
}
