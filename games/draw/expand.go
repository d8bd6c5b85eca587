package draw

import (
	"cmp"
	"crypto/sha3"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// The first line of the text that numbers are made of, without a beacon and with one.
const (
	expandForm       = "drawhouse/witnessed/v1"
	expandBeaconForm = "drawhouse/witnessed/v2"
)

// A Round is the round of a public beacon that is part of a draw. The zero Round is none.
type Round struct {
	Beacon    string // name of the chain
	Number    uint64
	Signature []byte
}

// ExpandText returns the text that the numbers of a witnessed draw are made of: the
// draw, the hash of the seal's body, the links in the order of their
// custodians' names, and the round of the beacon if one is part of the draw.
func ExpandText(plan Plan, seal journal.Hash, links []Link, round Round) string {
	form := expandForm
	if round.Number > 0 {
		form = expandBeaconForm
	}
	b := journal.NewBody(form).
		Text("series", plan.Game.Series).
		Text("day", plan.Game.Day).
		Uint("game", uint64(plan.Game.Number)).
		Uint("revision", uint64(plan.Revision)).
		Uint("of", uint64(plan.Universe)).
		Hash("seal", seal)
	sorted := slices.SortedFunc(slices.Values(links), func(a, b Link) int { return cmp.Compare(a.Custodian, b.Custodian) })
	for _, link := range sorted {
		b.Text("custodian", link.Custodian).Hash("link", link.Value)
	}
	if round.Number > 0 {
		b.Text("beacon", round.Beacon).Uint("round", round.Number).Text("signature", hex.EncodeToString(round.Signature))
	}
	return b.String()
}

// Expand returns the bytes of which the numbers of a witnessed draw are made:
// SHAKE256 of its [ExpandText], without end.
func Expand(plan Plan, seal journal.Hash, links []Link, round Round) io.Reader {
	shake := sha3.NewSHAKE256()
	// A SHAKE that has not been read from takes everything.
	_, _ = shake.Write([]byte(ExpandText(plan, seal, links, round)))
	return shake
}

// WitnessedNumbers returns all the numbers of a witnessed draw, each with the
// bytes that gave it as [NumberFromBytes] says. A person who has the seal, the links and the
// round can find them.
func WitnessedNumbers(plan Plan, seal journal.Hash, links []Link, round Round) ([]Pick, error) {
	none, err := ball.NewSequence(plan.Universe)
	if err != nil {
		return nil, fmt.Errorf("draw: %v: %w", plan.Game, err)
	}
	selector, err := NewSelector(none, Expand(plan, seal, links, round))
	if err != nil {
		return nil, err
	}
	picks := make([]Pick, plan.Most)
	for i := range picks {
		if picks[i], err = selector.Next(); err != nil {
			return nil, err
		}
	}
	return picks, nil
}
