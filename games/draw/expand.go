package draw

import (
	"cmp"
	"crypto/sha3"
	"fmt"
	"io"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// expandForm is the first line of the text that numbers are made of.
const expandForm = "drawhouse/witnessed/v1"

// ExpandText returns the text that the numbers of a witnessed draw are made of: the
// draw, the hash of the seal's body, and the links in the order of their
// custodians' names.
func ExpandText(plan Plan, seal journal.Hash, links []Link) string {
	b := journal.NewBody(expandForm).
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
	return b.String()
}

// Expand returns the bytes of which the numbers of a witnessed draw are made:
// SHAKE256 of its [ExpandText], without end.
func Expand(plan Plan, seal journal.Hash, links []Link) io.Reader {
	shake := sha3.NewSHAKE256()
	// A SHAKE that has not been read from takes everything.
	_, _ = shake.Write([]byte(ExpandText(plan, seal, links)))
	return shake
}

// WitnessedNumbers returns all the numbers of a witnessed draw, each with the
// bytes that gave it as [NumberFromBytes] says. A person who has the seal and the links
// can find them.
func WitnessedNumbers(plan Plan, seal journal.Hash, links []Link) ([]Pick, error) {
	none, err := ball.NewSequence(plan.Universe)
	if err != nil {
		return nil, fmt.Errorf("draw: %v: %w", plan.Game, err)
	}
	selector, err := NewSelector(none, Expand(plan, seal, links))
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
