package draw

import (
	"fmt"
	"sync"

	"drawhouse/journal"
)

// A Custodian holds a chain and gives out its links, each against the seal of its
// game: before the seal a link would let its holder add tickets until the result
// suits. It goes forward only. What it has given out is public, and so is
// everything before it, which can be hashed from it.
//
// It forgets what it gave out when it is made anew; the custodian's own record of
// links tells it then where to go on.
type Custodian struct {
	keys  Keys // without a signer
	chain *Chain

	mu       sync.Mutex // guards what follows
	highest  uint32
	released map[uint32]journal.Hash // the seals by place
}

// NewCustodian returns the custodian of a chain, who knows seals by the keys, of
// which the signer is not needed.
func NewCustodian(keys Keys, chain *Chain) (*Custodian, error) {
	if err := keys.checkSealKeys(); err != nil {
		return nil, err
	}
	return &Custodian{keys: keys, chain: chain, released: make(map[uint32]journal.Hash)}, nil
}

// Release gives out the link of a draw. Asked again under the same seal it gives
// the same; under another seal it refuses, for two seals of one game mean that
// somebody is choosing.
func (c *Custodian) Release(plan Plan, seal journal.Seal) (Link, error) {
	if err := plan.Check(); err != nil {
		return Link{}, err
	}
	hash, err := c.keys.verifySeal(plan, seal)
	if err != nil {
		return Link{}, err
	}
	place, err := c.chain.name.place(plan.Game, plan.Revision)
	if err != nil {
		return Link{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	under, again := c.released[place]
	switch {
	case again && under != hash:
		return Link{}, fmt.Errorf("draw: %v: the link was given out under another seal: %w", plan.Game, ErrContradiction)
	case !again && place < c.highest:
		return Link{}, fmt.Errorf("draw: %v, revision %d: a later link is public, and this one with it: %w", plan.Game, plan.Revision, ErrLink)
	}
	c.highest = max(c.highest, place)
	c.released[place] = hash
	return c.chain.Link(plan.Game, plan.Revision)
}
