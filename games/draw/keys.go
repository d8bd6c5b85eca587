package draw

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/journal"
)

// ErrSeal: there is no seal of this game that the device accepts.
var ErrSeal = errors.New("no valid seal of the game")

// Keys are what a device signs with, and by which it knows a seal.
type Keys struct {
	// Signer is the device's own key.
	Signer journal.Signer
	// House verifies seals. Cosigners verify further signatures on them, and
	// every cosigner whose name is in Required must have signed.
	House     journal.Verifier
	Cosigners []journal.Verifier
	Required  []string
	// Others are house keys under which seals are good as well: that of the volume
	// before, for games that were sealed before the key was changed, or of the next.
	Others []journal.Verifier
}

// OpenSeal reads a seal that one of the house keys has signed.
func (k Keys) OpenSeal(signed []byte) (journal.Seal, error) {
	seal, err := journal.OpenSeal(signed, k.House, k.Cosigners...)
	for _, other := range k.Others {
		if err == nil {
			break
		}
		if opened, wrong := journal.OpenSeal(signed, other, k.Cosigners...); wrong == nil {
			return opened, nil
		}
	}
	return seal, err
}

// Check reports what is wrong with the keys, if anything.
func (k Keys) Check() error {
	if k.Signer == nil {
		return errors.New("draw: a device needs a key")
	}
	return k.checkSealKeys()
}

// checkSealKeys checks what is needed to verify a seal.
func (k Keys) checkSealKeys() error {
	if k.House == nil {
		return errors.New("draw: without the house's verifier no seal can be verified")
	}
	for _, name := range k.Required {
		if !slices.ContainsFunc(k.Cosigners, func(v journal.Verifier) bool { return v.Name() == name }) {
			return fmt.Errorf("draw: the required cosigner %s has no verifier", name)
		}
	}
	return nil
}

// verifySeal verifies that the seal is of the plan's game, and signed by the house
// and by every required cosigner. It returns the hash of the seal's body.
func (k Keys) verifySeal(plan Plan, seal journal.Seal) (journal.Hash, error) {
	if seal.IsZero() {
		return journal.Hash{}, fmt.Errorf("draw: %v: there is no seal: %w", plan.Game, ErrSeal)
	}
	verified, err := k.OpenSeal(seal.Signed())
	if err != nil {
		return journal.Hash{}, fmt.Errorf("draw: %v: %w: %w", plan.Game, ErrSeal, err)
	}
	body := verified.Body()
	if body.Game != plan.Game {
		return journal.Hash{}, fmt.Errorf("draw: %v: the seal is of %v: %w", plan.Game, body.Game, ErrSeal)
	}
	for _, name := range k.Required {
		if !slices.Contains(verified.Signers(), name) {
			return journal.Hash{}, fmt.Errorf("draw: %v: %s has not signed the seal: %w", plan.Game, name, ErrSeal)
		}
	}
	return body.Hash(), nil
}
