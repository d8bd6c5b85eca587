package verify

import (
	"cmp"
	"slices"

	"drawhouse/journal"
)

// openEarlier opens the earlier checkpoints that the inspector brought, each with the
// key of its volume.
func (c *checker) openEarlier() error {
	for i, signed := range c.opts.Checkpoints {
		stated, err := journal.UnverifiedCheckpoint(signed)
		if err != nil {
			return fault(CheckLog, "earlier checkpoint %d: %v", i+1, err)
		}
		at := slices.IndexFunc(c.log.volumes, func(v *volume) bool { return v.end.Origin == stated.Origin })
		told := c.abandons(stated)
		switch {
		case at < 0 && !told:
			return fault(CheckLog, "earlier checkpoint %d is of the log %s, and the export of %s", i+1, stated.Origin,
				c.log.volumes[len(c.log.volumes)-1].end.Origin)
		case at < 0:
			c.report.Lost++ // All of its volume was, and the house says so.
			continue
		}
		if _, _, err := journal.OpenCheckpoint(signed, c.log.volumes[at].house); err != nil {
			return fault(CheckLog, "earlier checkpoint %d: %v", i+1, err)
		}
		if size := c.log.volumes[at].end.Size; stated.Size <= size {
			c.log.earlier = append(c.log.earlier, stated)
		} else if told {
			c.report.Lost++
		} else {
			return fault(CheckLog, "earlier checkpoint %d is of %d records, and the export ends after %d", i+1,
				stated.Size, size)
		}
	}
	slices.SortStableFunc(c.log.earlier, func(a, b journal.Checkpoint) int { return cmp.Compare(a.Size, b.Size) })
	return nil
}

// meetEarlier compares the log as it stands with the earlier checkpoints of its
// size.
func (c *checker) meetEarlier() error {
	for i := 0; i < len(c.log.earlier) && c.log.earlier[i].Size <= c.log.tree.size; {
		earlier := c.log.earlier[i]
		if earlier.Size < c.log.tree.size || earlier.Origin != c.volume().end.Origin {
			i++ // It is of a volume to come.
			continue
		}
		if earlier.Root != c.log.tree.root() {
			return fault(CheckLog, "the house signed another log of %d records before: its history was written anew",
				c.log.tree.size)
		}
		c.log.earlier = slices.Delete(c.log.earlier, i, i+1)
		c.report.Earlier++
	}
	return nil
}
