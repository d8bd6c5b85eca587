package house

import (
	"drawhouse/decide/state"
)

// People returns who works in the house and where, as of the last commit. It never changes.
func (h *House) People() *state.People { return h.viewed().People() }

// OpenDisputes returns the disputes between runners and players that nobody has decided, by number. The caller must not
// change them.
func (h *House) OpenDisputes() []state.OpenDispute { return h.viewed().OpenDisputes() }
