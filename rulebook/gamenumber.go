package rulebook

import (
	"fmt"
	"strconv"
	"strings"
)

// of returns the numbering of a system: of the successor its range and width, which run on, or begin anew, as those of
// these rules do.
//
//rule:tas-keno-2023 9.2
func (n Numbering) of(system Plays) Numbering {
	if s := n.Successor; s != nil && system == PlaysSuccessor {
		return Numbering{Cite: s.Cite, First: s.First, Last: s.Last, Digits: s.Digits, Restarts: n.Restarts}
	}
	return n
}

// Print returns a game number as papers, screens and reports write it.
func (n *Numbering) Print(number int) string { return fmt.Sprintf("%0*d", n.Digits, number) }

// OfSuccessor reports whether a game number, as it is printed, is one of the system that
// comes after: of its width and in its range. A number of these rules has no leading
// zeros beyond its own width, so that the two are told apart.
//
//rule:tas-keno-2023 9.2
func (n *Numbering) OfSuccessor(printed string) bool {
	s := n.Successor
	if s == nil || len(printed) != s.Digits || strings.Trim(printed, "0123456789") != "" {
		return false
	}
	number, err := strconv.Atoi(printed)
	return err == nil && s.First <= number && number <= s.Last
}

// Names reports whether a game number, as it is printed, is one of these rules.
func (n *Numbering) Names(printed string) bool {
	number, err := strconv.Atoi(printed)
	if err != nil || number < n.First || number > n.Last {
		return false
	}
	plain := strconv.Itoa(number)
	return printed == plain || len(printed) == n.Digits &&
		strings.TrimLeft(printed, "0") == strings.TrimLeft(plain, "0")
}
