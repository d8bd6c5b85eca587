package house

import (
	"fmt"

	"drawhouse/journal"
	"drawhouse/journal/store"
)

// Journal returns the stored journal for anybody who may read all of it: witnesses that
// grade it, and inspectors. What is read from it is durable.
func (h *House) Journal() (store.Source, error) {
	source, ok := h.config.Store.(store.Source)
	if !ok {
		return nil, fmt.Errorf("house: a %T cannot be read as a whole", h.config.Store)
	}
	return source, nil
}

// Name returns the name of the house.
func (h *House) Name() string {
	v, _ := h.history.newestVolume() // A house that is open has one.
	return v.House
}

// WitnessKey returns the verifier of the questions that a witness of the house signs, by its name. A custodian signs
// them with its key of commitments: that of its cosignatures signs nothing else.
func (h *House) WitnessKey(name string) (journal.Verifier, bool) {
	for _, m := range h.config.Witnesses.Members {
		if m.Witness.Name() != name {
			continue
		}
		vkey, err := m.LinksKey, error(nil)
		if !m.Custodian {
			vkey, err = m.Witness.OfNotes()
		}
		if err != nil {
			return nil, false
		}
		verifier, err := journal.ParseVerifier(vkey)
		return verifier, err == nil
	}
	return nil, false
}
