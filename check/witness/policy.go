package witness

import "fmt"

// A Policy says which cosignatures a reader asks for under a checkpoint of a public log. It belongs to the reader, and
// is never the house's word.
type Policy struct {
	Witnesses []*Verifier
	// All are those without whose cosignature no checkpoint counts: every custodian.
	All []string
	// Quorum is how many of the witnesses must have cosigned.
	Quorum int
}

// Check reports what is wrong with the policy.
func (p Policy) Check() error {
	if p.Quorum < 0 || p.Quorum > len(p.Witnesses) {
		return fmt.Errorf("witness: a quorum of %d of %d witnesses", p.Quorum, len(p.Witnesses))
	}
	for _, name := range p.All {
		known := false
		for _, w := range p.Witnesses {
			known = known || w.Name() == name
		}
		if !known {
			return fmt.Errorf("witness: %s must cosign, and the policy has no key of it", name)
		}
	}
	return nil
}

// Least is the smallest quorum under which a custodian gives out links: every custodian, and more than half of the
// other witnesses. Two quorums have a witness in common then, whoever the custodians are.
func (p Policy) Least() int {
	others := len(p.Witnesses) - len(p.All)
	if others <= 0 {
		return len(p.All)
	}
	return len(p.All) + others/2 + 1
}

// Lacks returns which witnesses of the policy have cosigned a checkpoint, and says what the checkpoint lacks, or "".
func (p Policy) Lacks(note []byte) (by []string, lacks string) {
	signed, err := Cosignatures(note, p.Witnesses...)
	if err != nil {
		return nil, err.Error()
	}
	names := map[string]bool{}
	for _, s := range signed {
		if !names[s.Name] {
			by = append(by, s.Name)
		}
		names[s.Name] = true
	}
	for _, name := range p.All {
		if !names[name] {
			return by, name + " has not cosigned"
		}
	}
	if len(by) < p.Quorum {
		return by, fmt.Sprintf("%d witnesses have cosigned, and %d must", len(by), p.Quorum)
	}
	return by, ""
}
