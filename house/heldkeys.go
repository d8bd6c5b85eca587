package house

import (
	"context"
	"fmt"
	"time"

	"drawhouse/journal"
)

// Keys that something else holds, such as a token, may be away. Where the house key is, the lane stops at the first
// record, as it does when the storage fails: nothing of it is stored, the house rests, and it writes again when the key
// signs again (takeOver). Without the key of the public log the log goes on unsigned, and without that of the device
// games wait.

const (
	// keysEvery is the time between two proofs that a key signs, so that one that is away is known before it is needed.
	keysEvery = 30 * time.Second

	keyOfHouse, keyOfDevice, keyOfLog = "house", "device", "log"
)

// KeySigns is what became of the last proof of a key that something else holds.
type KeySigns struct {
	Key  string // house, device or log
	Err  error  // why it does not sign
	Took time.Duration
}

// heldKey is a key in use that something else holds.
type heldKey struct {
	use      string
	signer   journal.Signer
	verifier string
}

// heldKeys returns the keys that the house signs with now and that are not in its memory.
func (h *House) heldKeys() []heldKey {
	keys := h.keys()
	all := []heldKey{{keyOfHouse, keys.House, keys.HouseVerifier}, {keyOfDevice, keys.Device, keys.DeviceVerifier}}
	if shown := h.public.shown.Load(); shown.exists() {
		all = append(all, heldKey{keyOfLog, keys.Logs[shown.Key], shown.Key})
	}
	var held []heldKey
	for _, k := range all {
		if k.isHeld() {
			held = append(held, k)
		}
	}
	return held
}

func (k heldKey) isHeld() bool { return k.signer != nil && journal.HolderOf(k.signer) != nil }

// KeysSign returns what became of the last proof of each key that something else holds.
func (h *House) KeysSign() []KeySigns {
	var all []KeySigns
	for _, k := range h.heldKeys() {
		if last, ok := h.proofs.Load(k.use); ok {
			all = append(all, last.(KeySigns)) //nolint:errcheck // Nothing else is stored there.
		}
	}
	return all
}

// proveKey has a key sign something that says nothing, if something else holds it, and raises or ends the alarm of it.
func (h *House) proveKey(k heldKey) error {
	if !k.isHeld() {
		return nil
	}
	begun := time.Now()
	err := journal.Prove(k.signer, k.verifier)
	h.proofs.Store(k.use, KeySigns{k.use, err, time.Since(begun)})
	h.tellKey(k, err)
	return err
}

// tellKey raises the alarm of a key that did not sign, or ends it.
func (h *House) tellKey(k heldKey, err error) {
	if err == nil {
		h.Clear(PartKeys, k.use)
		return
	}
	without := map[string]string{
		keyOfHouse:  "Nothing can be sold or written until it does.",
		keyOfDevice: "Games wait for it; sales go on.",
		keyOfLog:    "The public log goes on unsigned until it does; sales go on.",
	}[k.use]
	h.Raise(PartKeys, k.use, fmt.Sprintf("The %s key %s does not sign: %s", k.use, k.signer.Name(), reason(err)),
		without+" Look at the token that holds it, and at p11-kit: drawhouse doctor tries it. The house goes on by itself when the key signs.")
}

// watchKeys proves now and then that the keys sign.
func (h *House) watchKeys(ctx context.Context) {
	tick := time.NewTicker(keysEvery)
	defer tick.Stop()
	for {
		for _, k := range h.heldKeys() {
			if h.proveKey(k) == nil && k.use == keyOfLog {
				h.signShown()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
