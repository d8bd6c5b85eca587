package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// A Policy says whose cosignatures make a checkpoint count. It never changes, and any number of goroutines may use it.
type Policy struct {
	Logs      []Log
	Witnesses []Witness
	quorum    *member // nil asks for nobody
}

// A Log is a log that is accepted. Its key has its origin as name.
type Log struct {
	Key  journal.Verifier
	VKey string
	URL  string // "" if the policy has none
}

// A Witness is somebody who cosigns.
type Witness struct {
	Label string // its name in the policy, which means nothing elsewhere
	Key   *witness.Verifier
	URL   string // where it takes checkpoints; "" if the policy has none
}

// member is a witness or a group. Each is in at most one group, so that together they are trees.
type member struct {
	label   string
	witness *witness.Verifier // nil for a group
	members []*member
	need    int // how many of the members
}

// met reports whether a member counts, given who has cosigned.
func (m *member) met(cosigned func(*witness.Verifier) bool) bool {
	if m.witness != nil {
		return cosigned(m.witness)
	}
	return m.count(cosigned) >= m.need
}

// count returns how many of the members count.
func (m *member) count(cosigned func(*witness.Verifier) bool) (n int) {
	for _, of := range m.members {
		if of.met(cosigned) {
			n++
		}
	}
	return n
}

// cheapest returns the least that can be spent so that a member counts, where each witness has its price.
func (m *member) cheapest(price func(*witness.Verifier) int) int {
	if m.witness != nil {
		return price(m.witness)
	}
	prices := make([]int, len(m.members))
	for i, of := range m.members {
		prices[i] = of.cheapest(price)
	}
	slices.Sort(prices)
	sum := 0
	for _, p := range prices[:m.need] {
		sum += p
	}
	return sum
}

// lacks says what a member that does not count lacks.
func (m *member) lacks(cosigned func(*witness.Verifier) bool) string {
	if m.witness != nil {
		return m.label + " has not cosigned"
	}
	var why []string
	for _, of := range m.members {
		if !of.met(cosigned) {
			why = append(why, of.lacks(cosigned))
		}
	}
	return fmt.Sprintf("of %s %d of %d count, and %d must: %s", m.label, m.count(cosigned), len(m.members), m.need,
		strings.Join(why, "; "))
}

// Met reports whether the quorum is met, given who has cosigned.
func (p *Policy) Met(cosigned func(*witness.Verifier) bool) bool {
	return p.quorum == nil || p.quorum.met(cosigned)
}

// A Verdict is what a policy says of a checkpoint.
type Verdict struct {
	By    []string // the witnesses of the policy that have cosigned, by the names of their keys
	Lacks string   // what the quorum lacks; "" if it is met
}

// Of says who of the witnesses has cosigned a checkpoint, and whether that is the quorum. A signature that bears the
// name of a witness and is not by it makes the checkpoint worth nothing. Which log has signed is for the caller, see
// [Policy.Accepts].
func (p *Policy) Of(checkpoint []byte) Verdict {
	var v Verdict
	signed := map[*witness.Verifier]bool{}
	for _, w := range p.Witnesses {
		found, err := witness.Cosignatures(checkpoint, w.Key)
		if err != nil {
			return Verdict{Lacks: err.Error()}
		}
		if signed[w.Key] = len(found) > 0; len(found) > 0 {
			v.By = append(v.By, w.Key.Name())
		}
	}
	cosigned := func(key *witness.Verifier) bool { return signed[key] }
	if !p.Met(cosigned) {
		v.Lacks = p.quorum.lacks(cosigned)
	}
	return v
}

// Accepts reports whether the policy takes checkpoints that a key has signed. A policy without logs leaves that to the
// reader.
func (p *Policy) Accepts(vkey string) bool {
	return len(p.Logs) == 0 || slices.ContainsFunc(p.Logs, func(l Log) bool { return l.VKey == vkey })
}

// ErrWeak means that a policy asks for too few.
var ErrWeak = errors.New("the policy is too weak")

// Enough refuses a policy that can be met without one of the custodians, given by the names of their keys, or with half
// of the other witnesses or fewer. Without custodians and witnesses there is nobody to ask for.
func (p *Policy) Enough(custodians []string) error {
	names := map[string]bool{}
	for _, name := range custodians {
		names[name] = true
		own := slices.IndexFunc(p.Witnesses, func(w Witness) bool { return w.Key.Name() == name })
		if own < 0 {
			return fmt.Errorf("policy: %w: custodian %s is no witness of it", ErrWeak, name)
		}
		if p.Met(func(key *witness.Verifier) bool { return key.Name() != name }) {
			return fmt.Errorf("policy: %w: it is met without custodian %s", ErrWeak, name)
		}
	}
	others, least := 0, 0
	for _, w := range p.Witnesses {
		if !names[w.Key.Name()] {
			others++
		}
	}
	if p.quorum != nil {
		least = p.quorum.cheapest(func(key *witness.Verifier) int {
			if names[key.Name()] {
				return 0
			}
			return 1
		})
	}
	if others > 0 && 2*least <= others {
		return fmt.Errorf("policy: %w: it is met by %d of %d witnesses who are no custodians, and more than half must be asked for",
			ErrWeak, least, others)
	}
	return nil
}

// CheckLinksKeys refuses a custodian whose key of commitments is that of a witness or a log of the policy: one key
// signs one kind of thing.
func (p *Policy) CheckLinksKeys(custodians []witness.Custodian) error {
	for _, c := range custodians {
		for _, w := range p.Witnesses {
			if journal.SameKey(c.LinksKey, w.Key.String()) {
				return fmt.Errorf("policy: the key of the commitments of %s is that of witness %s: %w", c.Name(),
					w.Key.Name(), witness.ErrTwoKinds)
			}
		}
		for _, l := range p.Logs {
			if journal.SameKey(c.LinksKey, l.VKey) {
				return fmt.Errorf("policy: the key of the commitments of %s is that of the log %s: %w", c.Name(),
					l.Key.Name(), witness.ErrTwoKinds)
			}
		}
	}
	return nil
}
