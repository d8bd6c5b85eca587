package verify

import (
	"cmp"
	"slices"

	"drawhouse/journal"
)

// openEarlier opens the earlier checkpoints that the inspector brought.
func (c *checker) openEarlier() error {
	for i, signed := range c.opts.Checkpoints {
		earlier, _, err := journal.OpenCheckpoint(signed, c.houseKey)
		switch {
		case err != nil:
			return fault(CheckLog, "earlier checkpoint %d: %v", i+1, err)
		case earlier.Origin != c.checkpoint.Origin:
			return fault(CheckLog, "earlier checkpoint %d is of the log %s, and the export of %s", i+1, earlier.Origin, c.checkpoint.Origin)
		case earlier.Size > c.checkpoint.Size:
			return fault(CheckLog, "earlier checkpoint %d is of %d records, and the export ends after %d", i+1, earlier.Size, c.checkpoint.Size)
		}
		c.earlier = append(c.earlier, earlier)
	}
	slices.SortFunc(c.earlier, func(a, b journal.Checkpoint) int { return cmp.Compare(a.Size, b.Size) })
	return c.meetEarlier()
}

// meetEarlier compares the log as it stands with the earlier checkpoints of its
// size.
func (c *checker) meetEarlier() error {
	for len(c.earlier) > 0 && c.earlier[0].Size == c.tree.size {
		if c.earlier[0].Root != c.tree.root() {
			return fault(CheckLog, "the house signed another log of %d records before: its history was written anew", c.tree.size)
		}
		c.earlier = c.earlier[1:]
		c.report.Earlier++
	}
	return nil
}
