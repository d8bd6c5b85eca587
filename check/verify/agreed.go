package verify

import (
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// results are the ends of the last games, newest last: the log as it was just behind
// the record that settled one or ended it without a result. Witnesses agree to them.
type results struct {
	ends []journal.Checkpoint
}

// maxResults bounds how many games may have ended between a witness's cosignature and
// its record. The house asks for the newest result.
const maxResults = 256

// ended takes in that the record under check has ended a game, or settled it anew, and
// returns its place.
func (c *checker) ended() uint64 {
	if len(c.witnessing.results.ends) == maxResults {
		c.witnessing.results.ends = slices.Delete(c.witnessing.results.ends, 0, maxResults/2)
	}
	c.witnessing.results.ends = append(c.witnessing.results.ends,
		journal.Checkpoint{Origin: c.volume().end.Origin, Size: c.log.size(), Root: journal.Hash(c.log.root())})
	return c.here()
}

// journalWitnessed checks that those who are said to have cosigned the journal behind a
// result have, and that it was this journal.
func (c *checker) journalWitnessed(b *record.JournalWitnessed) error {
	stated, err := journal.UnverifiedCheckpoint(b.Checkpoint)
	if err != nil {
		return fault(CheckSeal, "what was cosigned: %v", err)
	}
	at := slices.IndexFunc(c.witnessing.results.ends,
		func(end journal.Checkpoint) bool { return end.Origin == stated.Origin && end.Size == stated.Size })
	if at < 0 {
		return fault(CheckSeal, "%s with %d records is cosigned, and no game of late ended with them", stated.Origin,
			stated.Size)
	}
	if end := c.witnessing.results.ends[at]; end.Root != stated.Root {
		return fault(CheckSeal, "%v", differs("root", stated.Root, end.Root,
			"what was cosigned are not the records up to there"))
	}
	volume := c.log.volumeOf(stated.Origin)
	_, signers, err := journal.OpenCheckpoint(b.Checkpoint, volume.house, c.witnessing.ofCheckpoints()...)
	if err != nil {
		return fault(CheckSeal, "what was cosigned does not hold: %v", err)
	}
	names := slices.DeleteFunc(signers, func(name string) bool { return name == volume.house.Name() })
	slices.Sort(names)
	if !slices.Equal(names, b.By) {
		return fault(CheckSeal, "it is cosigned by %s, and it says by %s", names, b.By)
	}
	c.agree(flat(record.Place{Volume: volume.number, Seq: stated.Size}), b.By)
	return nil
}

// agree takes in behind which record witnesses have agreed to everything.
func (c *checker) agree(behind uint64, by []string) {
	for _, w := range c.witnessing.named {
		if slices.Contains(by, w.name) {
			w.agreed = max(w.agreed, behind)
		}
	}
}

// unagreed returns a witness without whose agreement nothing is paid that was settled
// at a place, and who had not agreed to it, or nil.
func (c *checker) unagreed(settled uint64) *witness {
	for _, w := range c.witnessing.named {
		if w.required && w.agreed <= settled {
			return w
		}
	}
	return nil
}
