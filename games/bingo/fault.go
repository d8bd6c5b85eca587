package bingo

import (
	"fmt"
	"strings"
)

// Fault is what is wrong with one box, card or line of a file.
type Fault struct {
	FileLine int    // from 1; 0 where there is no file
	Where    string // the box or card, such as "book 12, game 3, box 4"
	Field    string // in it, such as "line 2, column 5"
	Clause   string // the rule against which it is; empty where only the form of a file is concerned
	Message  string

	box, line int // of a strip, from 1; 0 where no one box or line is at fault
}

// Error returns line, box, field, sentence and rule.
func (f Fault) Error() string {
	var b strings.Builder
	if f.FileLine > 0 {
		fmt.Fprintf(&b, "line %d: ", f.FileLine)
	}
	for _, part := range []string{f.Where, f.Field} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	b.WriteString(f.Message)
	if f.Clause != "" {
		b.WriteString(" (rule " + f.Clause + ")")
	}
	return b.String()
}

// Faults are all faults that were found, in the order of the file.
type Faults []Fault

// mostFaults bounds what is told of one file: after a hundred faults it is the file
// that is wrong and not its lines.
const mostFaults = 100

// Error returns one line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].Error()
	}
	return strings.Join(lines, "\n")
}

// add adds faults and reports whether there is room for more. The last one says
// when more were left out.
func (f *Faults) add(more ...Fault) bool {
	for _, fault := range more {
		if len(*f) >= mostFaults {
			return false
		}
		if len(*f) == mostFaults-1 {
			fault.Message += "; what follows is not listed"
		}
		*f = append(*f, fault)
	}
	return len(*f) < mostFaults
}

// at returns the faults with the line and the place in which they were found.
func (f Faults) at(fileLine int, where string) Faults {
	for i := range f {
		if f[i].FileLine == 0 {
			f[i].FileLine = fileLine
		}
		switch {
		case f[i].Where == "":
			f[i].Where = where
		case where != "":
			f[i].Where = where + ", " + f[i].Where
		}
	}
	return f
}
