package verify

import (
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A Grader checks a journal that still grows, record by record: what Run does with an
// export it does with a house that is running. It is for one goroutine.
//
// The objects that a record pins must be in the source when the record is added. With
// the first failure a Grader is done: what it holds from there on would be worth
// nothing, and every further record gets the same answer.
type Grader struct {
	c      *checker
	known  bool // the key of the volume under check is one that was given, or follows from one
	failed *Failure
}

// NewGrader begins before the first record of a house. Objects are read from src under
// the names that an export has for them. Earlier checkpoints and progress are not for
// a journal that grows, and their options are passed over. The public log is made again, and compared with no file.
func NewGrader(src Source, opts Options) *Grader {
	opts.Checkpoints, opts.Progress = nil, nil
	c := newChecker(src, opts)
	c.log.current = -1
	c.public.unstored = true
	return &Grader{c: c}
}

// Add checks the next record. The data is read and not kept. The error is a [Failure].
func (g *Grader) Add(data []byte) error {
	if g.failed != nil {
		return g.failed
	}
	if err := g.add(data); err != nil {
		return g.fail(err)
	}
	g.c.seq++
	return nil
}

func (g *Grader) add(data []byte) error {
	c := g.c
	c.kind = 0
	if kind, ok := record.KindOf(data); ok && kind == record.KindVolumeBegun {
		if err := g.turn(data); err != nil {
			return err
		}
	}
	if len(c.log.volumes) == 0 {
		return fault(CheckHouse, "a journal begins with its first volume")
	}
	r, err := c.takeRecord(data)
	if err != nil {
		return err
	}
	return c.checkRecord(r)
}

// turn begins a volume. Where the one before it ended is what was added, and the
// record that begins the next has to say the same.
func (g *Grader) turn(data []byte) error {
	c := g.c
	r, err := record.Decode(data)
	if err != nil {
		return fault(CheckLog, "%v", record.WrittenBy(err, c.build.Build))
	}
	begun, ok := r.Body.(*record.VolumeBegun)
	if !ok {
		return fault(CheckLog, "it is %v, and not the beginning of a volume", r.Kind())
	}
	next := &volume{number: begun.Volume, begun: begun, end: journal.Checkpoint{Origin: begun.Origin()}}
	if err := next.setKeys(); err != nil {
		return fault(CheckHouse, "%v", err)
	}
	if len(c.log.volumes) == 0 {
		if err := c.readAsked(); err != nil {
			return err
		}
	} else {
		before := c.volume()
		before.end = g.Checkpoint()
		if _, next.handed, err = begun.Follows(before.begun); err != nil {
			return fault(CheckHouse, "%v", err)
		}
		next.handed = next.handed || begun.HouseKey == before.begun.HouseKey
	}
	if err := g.knows(next); err != nil {
		return err
	}
	c.log.house = House{House: begun.House, Volume: begun.Volume}
	c.report.House, c.report.Volume = begun.House, begun.Volume
	c.report.HouseKey, c.report.DeviceKey = Key{begun.HouseKey, g.known}, Key{begun.DeviceKey, c.opts.DeviceKey != ""}
	c.log.volumes, c.log.current = append(c.log.volumes, next), len(c.log.volumes)
	c.log.tree, c.log.lastSeal, c.seq = merkle{}, 0, 0
	return nil
}

// knows checks that the key of a volume is one that the inspector gave, or that one of
// those has signed for it.
func (g *Grader) knows(next *volume) error {
	opts := &g.c.opts
	given := slices.Contains(append(slices.Clone(opts.OtherKeys), opts.HouseKey), next.begun.HouseKey)
	g.known = given || g.known && next.handed
	switch {
	case opts.HouseKey != "" && !g.known:
		return fault(CheckHouse, "%v", differs("house key", next.begun.HouseKey, opts.HouseKey,
			"its house key is %s, for which no key that was given has signed", next.begun.HouseKey))
	case opts.DeviceKey != "" && len(g.c.log.volumes) == 0 && next.begun.DeviceKey != opts.DeviceKey:
		return fault(CheckHouse, "%v", differs("device key", next.begun.DeviceKey, opts.DeviceKey,
			"its device key is %s, and not the one given", next.begun.DeviceKey))
	}
	return nil
}

// Balances compares the books with what the records so far have left open: stakes of
// games to come, prizes and refunds that are unpaid, and the money of bingo rooms.
// It goes through what is open, so it is for once a game and not for every record.
func (g *Grader) Balances() error {
	if g.failed != nil {
		return g.failed
	}
	if len(g.c.log.volumes) == 0 {
		return nil
	}
	if err := g.c.checkOpen(); err != nil {
		g.c.kind = 0
		return g.fail(err)
	}
	return nil
}

// fail keeps a failure, with the place of the record under check.
func (g *Grader) fail(err error) *Failure {
	g.failed = g.c.failure(err)
	if len(g.c.log.volumes) > 0 && g.failed.Place == (record.Place{}) {
		g.failed.Place, g.failed.Kind = record.Place{Volume: g.c.volume().number, Seq: g.c.seq}, g.c.kind
	}
	return g.failed
}

// PublicLog returns how far the public log goes that follows from the records, and the root that it has with a number
// of entries, if the log has as many and no more than that have been cosigned.
func (g *Grader) PublicLog(entries uint64) (log journal.Checkpoint, root journal.Hash, ok bool) {
	p := &g.c.public
	if !p.begun() {
		return journal.Checkpoint{}, journal.Hash{}, false
	}
	log = p.checkpoint()
	first := log.Size - uint64(len(p.roots)) + 1
	if entries < first || entries > log.Size {
		return log, journal.Hash{}, false
	}
	return log, journal.Hash(p.roots[entries-first]), true
}

// Failure returns the first thing that did not hold, or nil.
func (g *Grader) Failure() *Failure { return g.failed }

// Next returns the place of the record that Add would take next within its volume.
func (g *Grader) Next() record.Place {
	if len(g.c.log.volumes) == 0 {
		return record.Place{}
	}
	return record.Place{Volume: g.c.volume().number, Seq: g.c.seq}
}

// Checkpoint returns the log of the newest volume as it was added, by this package's
// own hashing.
func (g *Grader) Checkpoint() journal.Checkpoint {
	if len(g.c.log.volumes) == 0 {
		return journal.Checkpoint{}
	}
	return journal.Checkpoint{Origin: g.c.volume().end.Origin, Size: g.c.log.tree.size,
		Root: journal.Hash(g.c.log.tree.root())}
}

// HouseKey returns the key that signs for the newest volume, by its first record.
func (g *Grader) HouseKey() journal.Verifier {
	if len(g.c.log.volumes) == 0 {
		return nil
	}
	return g.c.volume().house
}

// Report returns what was found so far.
func (g *Grader) Report() *Report {
	g.c.finishReport()
	report := *g.c.report
	report.Failure = g.failed
	if c := g.Checkpoint(); c.Size > 0 {
		report.setCheckpoint(c)
	}
	return &report
}
