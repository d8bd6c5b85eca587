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
// raised its level is drawn to its end with their links; this program gives out none.

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

// MarshalRelease returns a request for a link of a chain: which draw of the game, and the
// cosigned seal.
func MarshalRelease(revision uint32, seal []byte) []byte {
	return append([]byte("revision "+strconv.FormatUint(uint64(revision), 10)+"\n\n"), seal...)
}
