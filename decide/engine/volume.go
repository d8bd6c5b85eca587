package engine

import (
	"errors"
	"fmt"

	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// ErrPending means that records of the volume that is to end are not durable
// yet. A batch is of one volume, and the next volume names the last checkpoint
// of this one, which is signed when its last batch is taken.
var ErrPending = errors.New("engine: records are pending, and a volume ends with nothing pending")

// NextVolume is what a volume begins with.
type NextVolume struct {
	// Volume is its number, which was never used before; 0 is the one after the last.
	Volume uint16
	Reason record.VolumeReason
	Build  string
	// House signs in the new volume, and is the key HouseKey.
	House     journal.Signer
	HouseKey  string
	DeviceKey string
	SerialKey record.Hash
	// Previous is the last signed checkpoint of the volume that ends.
	Previous []byte
	// Abandoned are signed checkpoints that others hold of what lies beyond it.
	Abandoned [][]byte
}

// BeginVolume ends the volume and begins the next. Everything goes on in it:
// tickets of earlier volumes play, are sealed, paid and cancelled as before. The
// beginning is signed with the key of the new volume and with the engine's own.
func (e *Engine) BeginVolume(now record.Time, n NextVolume) error {
	if len(e.entries) > 0 {
		return ErrPending
	}
	before := e.state.Volume()
	if e.Size() == 0 {
		return errors.New("engine: there is no volume to end")
	}
	if n.Volume == 0 {
		n.Volume = before.Volume + 1
	}
	if n.Volume > serial.MaxVolume {
		return fmt.Errorf("engine: volume %d would have no serials: the last that has is %d", n.Volume,
			serial.MaxVolume)
	}
	if err := n.checkSigner(); err != nil {
		return err
	}
	hash := e.state.Hash()
	begun := &record.VolumeBegun{
		House: before.House, Volume: n.Volume, Level: record.Level, Build: n.Build, Reason: n.Reason,
		HouseKey: n.HouseKey, DeviceKey: n.DeviceKey, SerialKey: n.SerialKey,
		Previous: n.Previous, StateForm: state.HashForm, State: hash[:], Abandoned: n.Abandoned,
	}
	body, err := begun.Statement(&before)
	if err != nil {
		return fmt.Errorf("engine: volume %d: %w", n.Volume, err)
	}
	if begun.Handover, err = journal.SignVolume(body, n.House, e.house); err != nil {
		return fmt.Errorf("engine: volume %d: %w", n.Volume, err)
	}
	if err := e.checkEnd(record.Record{Body: begun}); err != nil {
		return err
	}
	if _, err := e.append(now, begun, nil); err != nil {
		return err
	}
	e.house = n.House
	return nil
}

// checkSigner reports whether the signer has the key that the volume names. All that
// it signs would be worth nothing otherwise.
func (n *NextVolume) checkSigner() error {
	if n.House == nil {
		return command.ErrNoKey
	}
	verifier, err := journal.ParseVerifier(n.HouseKey)
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	if n.House.Name() != verifier.Name() || n.House.KeyHash() != verifier.KeyHash() {
		return fmt.Errorf("engine: the signer is not the key %s", n.HouseKey)
	}
	return nil
}

// checkEnd holds the end of a volume, as the record that begins the next one
// states it, against the records. It passes over every other record.
func (e *Engine) checkEnd(r record.Record) error {
	begun, ok := r.Body.(*record.VolumeBegun)
	if !ok || e.tree.Size() == 0 {
		return nil
	}
	before := e.state.Volume()
	ended, _, err := begun.Follows(&before)
	if err != nil {
		return fmt.Errorf("engine: volume %d: %w", begun.Volume, err)
	}
	if is := e.checkpoint(); ended != is {
		return fmt.Errorf("engine: volume %d says that %s ended with %d records and root %v; there are %d with root %v",
			begun.Volume, ended.Origin, ended.Size, ended.Root, is.Size, is.Root)
	}
	return nil
}

// turn begins the tree of a volume when its first record has been applied.
func (e *Engine) turn(r record.Record) {
	if begun, ok := r.Body.(*record.VolumeBegun); ok {
		e.tree, e.from, e.origin = journal.NewTree(), 0, begun.Origin()
		e.tree.Mark()
	}
}
