package witness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// ErrTwoKinds means that one key is to sign two kinds of things.
var ErrTwoKinds = errors.New("one key signs commitments, logs or cosignatures, and no two of them")

// A Custodian is a witness that commits to links. It has two keys under one name: whoever gets a signature of one kind
// out of it has none of the other.
type Custodian struct {
	*Verifier
	// LinksKey is the verifier key of its commitments, a key of notes.
	LinksKey string
}

// NewCustodian returns the custodian that is known by a key of cosignatures and a key of commitments.
func NewCustodian(v *Verifier, linksKey string) (Custodian, error) {
	key, err := journal.ParseVerifier(linksKey)
	switch {
	case err != nil:
		return Custodian{}, fmt.Errorf("witness: the key of the commitments of %s: %w", v.Name(), err)
	case key.Name() != v.Name():
		return Custodian{}, fmt.Errorf("witness: %s is the key of the commitments of %s, and %s is another", linksKey,
			key.Name(), v.Name())
	}
	c := Custodian{v, linksKey}
	return c, CheckCustodians([]Custodian{c})
}

// ParseCustodian reads a custodian, KEY,LINKSKEY: the verifier keys of its cosignatures and of its commitments.
func ParseCustodian(text string) (Custodian, error) {
	vkey, linksKey := CutKey(text)
	v, err := ParseVerifier(vkey)
	if err != nil {
		return Custodian{}, err
	}
	if linksKey == "" {
		return Custodian{}, fmt.Errorf("witness: custodian %s has a second key, of its commitments: write KEY,LINKSKEY with both, as it prints them",
			v.Name())
	}
	return NewCustodian(v, linksKey)
}

// CutKey splits what begins with a verifier key into the key and what stands behind the comma that follows it. A name
// may have a comma, and base64 has none.
func CutKey(text string) (vkey, rest string) {
	at := strings.LastIndex(text, "+") + 1
	if parts := strings.SplitN(text, "+", 3); len(parts) == 3 {
		at = len(text) - len(parts[2])
	}
	key, rest, _ := strings.Cut(text[at:], ",")
	return text[:at] + key, rest
}

// CheckCustodians refuses custodians who do not have two keys each of their own, or a key of others: of the house, its
// public log or its draw device, or of another witness.
func CheckCustodians(custodians []Custodian, others ...string) error {
	names, keys := map[string]bool{}, others
	for _, c := range custodians {
		if names[c.Name()] {
			return fmt.Errorf("witness: custodian %s is named twice", c.Name())
		}
		names[c.Name()] = true
		for _, own := range []string{c.String(), c.LinksKey} {
			for _, vkey := range keys {
				if journal.SameKey(own, vkey) {
					return fmt.Errorf("witness: custodian %s has the key %s, and %s is the same: %w", c.Name(), own,
						vkey, ErrTwoKinds)
				}
			}
		}
		if journal.SameKey(c.String(), c.LinksKey) {
			return fmt.Errorf("witness: custodian %s has one key, %s, for cosignatures and commitments: %w", c.Name(),
				c.LinksKey, ErrTwoKinds)
		}
		keys = append(keys[:len(keys):len(keys)], c.String(), c.LinksKey)
	}
	return nil
}

// ErrStrange: the log names other custodians, or other keys of theirs, than the people of a custodian have given it.
var ErrStrange = errors.New("the log names other custodians than this one was given")

// errBeacon: the log has rounds of a beacon that the people of this custodian have not accepted.
var errBeacon = errors.New("this custodian was not told to accept that beacon")

// chosenBeacon refuses an entry by which rounds of an unknown beacon become part of draws: who has such a beacon knows
// its rounds before everybody else, and can keep back what does not suit. The caller holds the lock.
func (g *Gate) chosenBeacon(e *public.Entry) error {
	chain, exists, err := public.BeaconOf(e)
	if err != nil || !exists || slices.Contains(g.beacons, chain) {
		return nil //nolint:nilerr // A chain that is none is a lie, which stops the gate when it is read.
	}
	return fmt.Errorf("witness: for %s the log has the beacon %s with the key %x, genesis %d and period %d: %w; if its people know it from elsewhere, they start it with --beacon %s",
		e.Text("series"), chain.Name(), chain.Key, chain.Genesis, chain.Period, errBeacon, chain)
}

// strange refuses entries that have rounds of a beacon that its people do not know, or that have this custodian draw
// beside others than its people know, or by another key of its own or of theirs. Links by such keys are those of
// whoever put them there: a custodian that cosigned would vouch for them. The caller holds the lock.
func (g *Gate) strange(entries [][]byte) error {
	for _, data := range entries {
		e, err := public.Parse(data)
		if err == nil && e.Kind == public.Beacon {
			if err := g.chosenBeacon(e); err != nil {
				return err
			}
		}
		if err != nil || e.Kind != public.Device || g.own == nil {
			continue // A holder cosigns nothing, and gives no share under other keys.
		}
		named := e.Texts("custodian")
		mine := slices.ContainsFunc(named, func(vkey string) bool { return strings.HasPrefix(vkey, g.own.Name()+"+") })
		if mine && !slices.Equal(named, g.keys) {
			return fmt.Errorf("witness: %w: for %s it names %s, which the --custodian of this one do not", ErrStrange,
				e.Text("series"), unlike(named, g.keys))
		}
	}
	return nil
}

// unlike says what one list of keys has and another one has not.
func unlike(named, given []string) string {
	for _, vkey := range named {
		if !slices.Contains(given, vkey) {
			return vkey
		}
	}
	return strings.Join(named, " and ") + " alone"
}
