package witness

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"drawhouse/games/draw"
	"drawhouse/journal"
)

// Custodians of before committed to chains. A day that they committed to before the house
// raised its level is drawn to its end with their links. Custodians of before the public log
// asked for records of the journal. This program gives out links neither way.

// chainLinkForm is the first line of a link of a chain.
const chainLinkForm = "drawhouse/link/v1"

// MarshalLink returns the text of a link of a chain.
func MarshalLink(l draw.Link) string {
	return journal.NewBody(chainLinkForm).
		Text("custodian", l.Custodian).
		Text("series", l.Game.Series).
		Text("day", l.Game.Day).
		Uint("game", uint64(l.Game.Number)).
		Uint("revision", uint64(l.Revision)).
		Hash("link", l.Value).
		String()
}

// ParseLink reads the text of a link, be it of a chain or one that stands for itself.
// Whether it fits is for the commitment to say.
func ParseLink(text string) (draw.Link, error) {
	if l, err := draw.ParseLink(text); err == nil {
		return l, nil
	}
	b := journal.ReadBody(text, chainLinkForm)
	l := draw.Link{Custodian: b.Text("custodian")}
	l.Game.Series = b.Text("series")
	l.Game.Day = b.Text("day")
	l.Game.Number = uint32(b.Uint("game", math.MaxUint32))
	l.Revision = uint32(b.Uint("revision", math.MaxUint32))
	l.Value = b.Hash("link")
	if err := b.Close(); err != nil {
		return draw.Link{}, fmt.Errorf("witness: %w", err)
	}
	if err := l.Game.Check(); err != nil {
		return draw.Link{}, err
	}
	if MarshalLink(l) != text {
		return draw.Link{}, errors.New("witness: the link is not in canonical form")
	}
	return l, nil
}

// Evidence asks a custodian of before the public log for the link of a game: by records of the journal, each with the proof
// that it stands in a journal which every custodian has cosigned. A Keno Day that opened before the house had a log is
// drawn to its end that way.
type Evidence struct {
	Game journal.Game `json:"game"`
	// Checkpoint is a note of the journal, with the cosignatures of all custodians, in
	// whose tree the newest of the records stand.
	Checkpoint string         `json:"checkpoint"`
	Records    []ProvedRecord `json:"records"`
}

// ProvedRecord is a record with its path to the root of the checkpoint of its volume: that
// of the evidence or, of an earlier volume, the end that the record names which begins the
// next volume.
type ProvedRecord struct {
	Volume uint16         `json:"volume"`
	Seq    uint64         `json:"seq"`
	Data   []byte         `json:"data"`
	Proof  []journal.Hash `json:"proof"`
}

// MarshalRelease returns a request for a link of a chain: which draw of the game, and the
// cosigned seal.
func MarshalRelease(revision uint32, seal []byte) []byte {
	return append([]byte("revision "+strconv.FormatUint(uint64(revision), 10)+"\n\n"), seal...)
}
