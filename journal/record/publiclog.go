package record

import (
	"fmt"
	"strings"

	"drawhouse/journal"
)

// LogBegun begins the public log of the house, or a log that follows one which was lost. Note is the signed note of
// journal.LogBody, by the key of the log and by the house key of the volume. Every entry of the log follows from a
// record from here on.
type LogBegun struct {
	_    struct{} `cbor:",toarray"`
	Note []byte   `is:"note"` // signed beginning of the log, by the keys of the log and of the house
}

// Body returns what the note states. That its signatures hold is for the reader who knows a key.
func (l *LogBegun) Body() (journal.LogBody, error) {
	text, _, ok := strings.Cut(string(l.Note), "\n\n")
	if !ok {
		return journal.LogBody{}, fmt.Errorf("the beginning of a public log is not signed")
	}
	return journal.ParseLog(text + "\n")
}

func (l *LogBegun) check() error { return nil }

// LogWitnessed says who has cosigned the public log. Checkpoint is its note, signed by the log's key, with the
// cosignatures under it.
type LogWitnessed struct {
	_          struct{} `cbor:",toarray"`
	Checkpoint []byte   `is:"checkpoint"` // the checkpoint of the log that was cosigned
	By         []string `is:"person"`     // names of the witnesses, ascending
}

func (l *LogWitnessed) check() error { return checkNames(l.By) }
