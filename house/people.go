package house

import (
	"drawhouse/decide/state"
)

// People returns who works in the house and where, as of the last commit. It never changes.
func (h *House) People() *state.People { return h.viewed().People() }
