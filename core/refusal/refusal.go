// Package refusal is how the house says no: one code for programs, one sentence
// for the person at the counter, the field that is at fault and the clause of
// the rulebook that refuses.
//
// Every decision of the house that is not a record is a Refusal. A refusal is a
// normal answer; anything else that goes wrong is an error of another type and
// means that the house is at fault. TestError shows the printed form.
package refusal

import "strings"

// Code says why something is refused. Codes are stable: they are never renamed
// and never change their meaning. Each package lists its own.
type Code string

// Refusal is a request that cannot be granted. The zero value is not a refusal.
type Refusal struct {
	Code     Code
	Clause   string // id of the rulebook's clause; empty where no rule is concerned
	Path     string // of the field, such as bets[0].with.multiplier.games; empty for the whole request
	Sentence string
	Cents    int64 // the true amount, where another was expected; 0 otherwise
}

// Error returns the sentence with the field and the clause.
func (r *Refusal) Error() string {
	var b strings.Builder
	if r.Path != "" {
		b.WriteString(r.Path + ": ")
	}
	b.WriteString(r.Sentence)
	if r.Clause != "" {
		b.WriteString(" (rule " + r.Clause + ")")
	}
	return b.String()
}

// Below moves the path of r below a field or an element, such as bets[0], and
// returns r. Of nil it returns nil, so that the check of a part can be handed on as
// it is.
func (r *Refusal) Below(prefix string) *Refusal {
	switch {
	case r == nil || prefix == "":
	case r.Path == "":
		r.Path = prefix
	case r.Path[0] == '[':
		r.Path = prefix + r.Path
	default:
		r.Path = prefix + "." + r.Path
	}
	return r
}
