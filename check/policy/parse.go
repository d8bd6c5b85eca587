package policy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// MaxBytes bounds a policy, and maxDepth how deep groups stand in groups.
const (
	MaxBytes = 256 << 10
	maxDepth = 64
)

// none is the quorum of a policy that asks for nobody.
const none = "none"

// parsing is a policy that is being read.
type parsing struct {
	policy  Policy
	defined map[string]*member
	taken   map[string]bool // names that are in a group
	depth   map[string]int
	quorum  bool
	vkeys   []string // of logs and witnesses
}

// Parse reads a policy. An error names the line.
func Parse(data []byte) (*Policy, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("policy: it has %d bytes, at most %d are read", len(data), MaxBytes)
	}
	body, ended := strings.CutSuffix(string(data), "\n")
	if !ended {
		return nil, errors.New("policy: the last line does not end with a newline: the file is empty or was cut off")
	}
	p := parsing{defined: map[string]*member{}, taken: map[string]bool{}, depth: map[string]int{}}
	for i, line := range strings.Split(body, "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("policy: line %d: %w", i+1, err)
		}
	}
	if !p.quorum {
		return nil, errors.New("policy: there is no line quorum")
	}
	return &p.policy, nil
}

// line reads a line.
func (p *parsing) line(line string) error {
	for i := range len(line) {
		if c := line[i]; c < ' ' && c != '\t' || c == 0x7f {
			return fmt.Errorf("byte %d is the control character 0x%02x; tabs are the only ones", i+1, c)
		}
	}
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return nil
	}
	switch fields[0] {
	case "log":
		return p.log(fields[1:])
	case "witness":
		return p.witness(fields[1:])
	case "group":
		return p.group(fields[1:])
	case "quorum":
		return p.setQuorum(fields)
	}
	return fmt.Errorf("it begins with %q, want log, witness, group or quorum", fields[0])
}

func (p *parsing) log(fields []string) error {
	if len(fields) < 1 || len(fields) > 2 {
		return errors.New("want log VKEY [URL]")
	}
	key, err := journal.ParseVerifier(fields[0])
	if err != nil {
		return err
	}
	l := Log{Key: key, VKey: fields[0]}
	if len(fields) > 1 {
		l.URL = fields[1]
	}
	p.policy.Logs = append(p.policy.Logs, l)
	return p.once(fields[0])
}

// once refuses a key that stands in the policy already, under whatever name and for whatever use.
func (p *parsing) once(vkey string) error {
	for _, other := range p.vkeys {
		if journal.SameKey(vkey, other) {
			return fmt.Errorf("%s and %s are one key", other, vkey)
		}
	}
	p.vkeys = append(p.vkeys, vkey)
	return nil
}

func (p *parsing) witness(fields []string) error {
	if len(fields) < 2 || len(fields) > 3 {
		return errors.New("want witness NAME VKEY [URL]")
	}
	key, err := witness.ParseVerifier(fields[1])
	if err != nil {
		return err
	}
	w := Witness{Label: fields[0], Key: key}
	if len(fields) > 2 {
		w.URL = fields[2]
	}
	p.policy.Witnesses = append(p.policy.Witnesses, w)
	return errors.Join(p.once(fields[1]), p.define(&member{label: w.Label, witness: key}))
}

// define gives a witness or a group its name.
func (p *parsing) define(m *member) error {
	if m.label == none {
		return fmt.Errorf("%s is the name of nobody", none)
	}
	if p.defined[m.label] != nil {
		return fmt.Errorf("%s is defined twice", m.label)
	}
	p.defined[m.label] = m
	return nil
}

func (p *parsing) group(fields []string) error {
	if len(fields) < 3 {
		return errors.New("want group NAME all|any|K NAME...")
	}
	g := &member{label: fields[0]}
	for _, name := range fields[2:] {
		of := p.defined[name]
		switch {
		case of == nil:
			return fmt.Errorf("%s is not defined above", name)
		case p.taken[name]:
			return fmt.Errorf("%s is a member twice", name)
		}
		p.taken[name] = true
		g.members = append(g.members, of)
		p.depth[g.label] = max(p.depth[g.label], p.depth[name]+1)
	}
	if p.depth[g.label] > maxDepth {
		return fmt.Errorf("%s has %d groups below one another, at most %d are read", g.label, p.depth[g.label], maxDepth)
	}
	switch fields[1] {
	case "all":
		g.need = len(g.members)
	case "any":
		g.need = 1
	default:
		need, err := strconv.Atoi(fields[1])
		if err != nil || strconv.Itoa(need) != fields[1] || need < 1 || need > len(g.members) {
			return fmt.Errorf("%s asks for %q of %d members, want all, any or a number from 1 to %d", g.label, fields[1],
				len(g.members), len(g.members))
		}
		g.need = need
	}
	return p.define(g)
}

func (p *parsing) setQuorum(fields []string) error {
	switch {
	case len(fields) != 2:
		return errors.New("want quorum NAME")
	case p.quorum:
		return errors.New("there are two lines quorum")
	}
	p.quorum = true
	if fields[1] == none {
		return nil
	}
	if p.policy.quorum = p.defined[fields[1]]; p.policy.quorum == nil {
		return fmt.Errorf("%s is not defined above", fields[1])
	}
	return nil
}
