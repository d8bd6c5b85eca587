package record

import (
	"fmt"
	"slices"
)

// WitnessesNamed says who outside the house signs that its journal only grows, and
// what happens without them. The list replaces the one before it.
type WitnessesNamed struct {
	_         struct{}  `cbor:",toarray"`
	Witnesses []Witness // the witnesses, ascending by name
	// Names of those without whose cosignature of the public log no game of keno is drawn, ascending. They cosign nothing
	// else, and are not required for that.
	Logs []string `later:"true" most:"64" each:"200"`
}

// Witness is somebody who cosigns. Key is a verifier key of cosignatures.
type Witness struct {
	_        struct{} `cbor:",toarray"`
	Name     string   // name of the witness
	Key      string   // note verifier key of the witness
	Required bool     // whether no game is drawn, and no prize of it paid, without the signature
}

func (w *WitnessesNamed) check() error {
	for i, x := range w.Witnesses {
		if x.Name == "" || x.Key == "" || i > 0 && x.Name <= w.Witnesses[i-1].Name {
			return fmt.Errorf("witness %d is %q", i, x.Name)
		}
	}
	for _, name := range w.Logs {
		if !slices.ContainsFunc(w.Witnesses, func(x Witness) bool { return x.Name == name && !x.Required }) {
			return fmt.Errorf("%q must cosign the public log, and is not named, or is required for all", name)
		}
	}
	return checkNames(w.Logs)
}

// GameWitnessed says who has cosigned the seal of a game before its first number.
// Seal is its note with the cosignatures under it.
type GameWitnessed struct {
	_    struct{} `cbor:",toarray"`
	Game Game
	Seal []byte   `is:"seal"`
	By   []string `is:"person"` // names of the witnesses, ascending
}

func (g *GameWitnessed) check() error {
	return checkNames(g.By)
}

// JournalWitnessed says who has cosigned the journal as it was just behind a
// settlement, or behind the end of a game without a result. A person who grades the records
// has agreed to it by that: what the games up to there have won may be paid.
// Checkpoint is its note, signed by the house, with the cosignatures under it.
type JournalWitnessed struct {
	_          struct{} `cbor:",toarray"`
	Checkpoint []byte   `is:"checkpoint"` // the checkpoint that was cosigned
	By         []string `is:"person"`     // names of the witnesses, ascending
}

func (j *JournalWitnessed) check() error {
	return checkNames(j.By)
}

// checkNames checks the names of witnesses, which ascend.
func checkNames(names []string) error {
	for i, name := range names {
		if name == "" || i > 0 && name <= names[i-1] {
			return fmt.Errorf("witness %d is %q", i, name)
		}
	}
	return nil
}
