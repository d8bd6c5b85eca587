package witness

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

const (
	// MaxEvidence bounds the bytes of a request for a link, and maxProved its records: a
	// few for the game, a few for the game before, one or two for each void game between.
	MaxEvidence = 1 << 20
	maxProved   = 512
)

// Evidence asks for the link of a game and brings what the release rule asks for: records
// of the journal, each with the proof that the record stands in the journal.
type Evidence struct {
	Game journal.Game `json:"game"`
	// Checkpoint is a note of the journal, with the cosignatures of all custodians, in
	// whose tree the newest of the records stand.
	Checkpoint string         `json:"checkpoint"`
	Records    []ProvedRecord `json:"records"`
}

// ProvedRecord is a record with its path to the root of the checkpoint of its volume: that
// of the evidence or, of an earlier volume, the end that the record names which begins the
// next volume.
type ProvedRecord struct {
	Volume uint16         `json:"volume"`
	Seq    uint64         `json:"seq"`
	Data   []byte         `json:"data"`
	Proof  []journal.Hash `json:"proof"`
}

// Marshal returns the evidence as it is sent.
func (e Evidence) Marshal() ([]byte, error) { return json.Marshal(e) }

// ParseEvidence reads evidence within its bounds.
func ParseEvidence(data []byte) (Evidence, error) {
	var e Evidence
	if len(data) > MaxEvidence {
		return e, fmt.Errorf("witness: a request for a link has at most %d bytes", MaxEvidence)
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("witness: a request for a link: %w", err)
	}
	if len(e.Records) > maxProved {
		return e, fmt.Errorf("witness: a request for a link has at most %d records", maxProved)
	}
	if err := e.Game.Check(); err != nil {
		return e, err
	}
	return e, nil
}

// A Prover proves that records stand in the journal that everybody sees. The release rule
// believes what a Prover has proved, and nothing else.
type Prover interface {
	// Prove returns the records of the evidence. An error that wraps ErrStop tells that
	// the custodian must give no link any more. Followed is the volume up to which the
	// custodian has followed the journal, or 0.
	Prove(e Evidence, followed uint16) (Journal, error)
	// Stands reports why what was proved does not hold any more, such as an earlier volume
	// that was cosigned beyond its end meanwhile.
	Stands(j Journal) error
}

// Journal is what was proved.
type Journal struct {
	Entries []Entry
	Volume  uint16 // of the checkpoint
	// Ends are the last checkpoints of earlier volumes that were cosigned here.
	Ends []journal.Checkpoint
	// Abandoned are checkpoints of records that a restored journal has given up.
	Abandoned []journal.Checkpoint
}

// Entry is a record that stands in the journal.
type Entry struct {
	Place record.Place
	Body  record.Body
}

// ErrStop: what was shown means that this custodian must stop for good.
var ErrStop = errors.New("the custodian stops for good")

// ErrUnproved: a record is not shown to be in a journal that all custodians have cosigned.
var ErrUnproved = errors.New("not proved to be in the cosigned journal")

// Cosigned proves by cosignatures: a record is in the journal if it is under a checkpoint
// that the house signed and every custodian cosigned. Who proves that way trusts that not
// all custodians sign two histories.
type Cosigned struct {
	House      []journal.Verifier
	Custodians []*Verifier // every one; this is the policy
	// Latest returns the last checkpoint of a log that this custodian cosigned; nil for a
	// holder of shares, who cosigns nothing.
	Latest func(origin string) (Signed, bool)
}

// root is the tree of a volume.
type root struct {
	size uint64
	hash journal.Hash
}

// Prove implements Prover.
func (c *Cosigned) Prove(e Evidence, followed uint16) (Journal, error) {
	checkpoint, err := c.open([]byte(e.Checkpoint))
	if err != nil {
		return Journal{}, err
	}
	_, volume, err := journal.ParseOrigin(checkpoint.Origin)
	if err != nil {
		return Journal{}, fmt.Errorf("witness: %w: %w", ErrUnproved, err)
	}
	if volume < followed {
		return Journal{}, fmt.Errorf("witness: the checkpoint is of volume %d, and the journal is at volume %d: %w",
			volume, followed, ErrUnproved)
	}
	j := Journal{Volume: volume}
	roots := map[uint16]root{volume: {checkpoint.Size, checkpoint.Root}}
	// Newer volumes first: the record that begins a volume has the root of the one before.
	records := slices.Clone(e.Records)
	slices.SortStableFunc(records, func(a, b ProvedRecord) int { return int(b.Volume) - int(a.Volume) })
	reached := volume
	for _, r := range records {
		entry, err := proveRecord(r, roots)
		if err != nil {
			return Journal{}, err
		}
		if begun, ok := entry.Body.(*record.VolumeBegun); ok && begun.Reason != record.ReasonFound {
			before, err := c.follow(begun, r.Volume, &j, roots)
			if err != nil {
				return Journal{}, err
			}
			reached = min(reached, before)
		}
		j.Entries = append(j.Entries, entry)
	}
	if followed != 0 && reached > followed {
		return Journal{}, fmt.Errorf(
			"witness: volume %d is not shown to continue volume %d, up to which the journal was followed: %w", volume,
			followed, ErrUnproved)
	}
	return j, nil
}

// Stands implements Prover.
func (c *Cosigned) Stands(j Journal) error {
	for _, end := range j.Ends {
		if last, _ := c.Latest(end.Origin); last.Checkpoint != end {
			return fmt.Errorf("witness: %s was cosigned here with %d records, and has %d now: %w", end.Origin, end.Size,
				last.Checkpoint.Size, ErrUnproved)
		}
	}
	return nil
}

// open verifies a checkpoint: the house signed it, and every custodian cosigned it.
func (c *Cosigned) open(note []byte) (checkpoint journal.Checkpoint, err error) {
	known := make([]journal.Verifier, len(c.Custodians))
	for i, v := range c.Custodians {
		known[i] = v
	}
	var signers []string
	err = errors.New("no key of the house is known")
	for _, house := range c.House {
		if checkpoint, signers, err = journal.OpenCheckpoint(note, house, known...); err == nil {
			break
		}
	}
	if err != nil {
		return checkpoint, fmt.Errorf("witness: the checkpoint: %w: %w", ErrUnproved, err)
	}
	for _, v := range c.Custodians {
		if !slices.Contains(signers, v.Name()) {
			return checkpoint, fmt.Errorf("witness: too early: custodian %s has not cosigned the checkpoint: %w",
				v.Name(), ErrUnproved)
		}
	}
	if c.Latest == nil {
		return checkpoint, nil
	}
	// All custodians includes this one: what it cosigned stands in its own book.
	last, ok := c.Latest(checkpoint.Origin)
	if !ok || last.Checkpoint.Size < checkpoint.Size || last.Checkpoint.Size == checkpoint.Size &&
		last.Checkpoint.Root != checkpoint.Root {
		return checkpoint, fmt.Errorf(
			"witness: this custodian's own signature is under %s with %d records, and its book does not know of that: the book is lost or old: %w", checkpoint.Origin, checkpoint.Size, ErrStop)
	}
	return checkpoint, nil
}

func proveRecord(r ProvedRecord, roots map[uint16]root) (Entry, error) {
	place := record.Place{Volume: r.Volume, Seq: r.Seq}
	in, ok := roots[r.Volume]
	if !ok {
		return Entry{}, fmt.Errorf("witness: record %v: its volume does not follow from the checkpoint: %w", place,
			ErrUnproved)
	}
	if err := journal.CheckRecord(r.Proof, in.size, in.hash, r.Seq, journal.LeafHash(r.Data)); err != nil {
		return Entry{}, fmt.Errorf("witness: record %v: %w: %w", place, ErrUnproved, err)
	}
	decoded, err := record.Decode(r.Data)
	if err != nil {
		return Entry{}, fmt.Errorf("witness: record %v: %w", place, err)
	}
	return Entry{place, decoded.Body}, nil
}

// follow goes from a volume to the one before it. That one must have ended where this
// custodian cosigned it; where it ended earlier, the restored journal must say which
// records it has given up. Volumes between the two are abandoned by name, or somebody
// has left out a volume.
func (c *Cosigned) follow(begun *record.VolumeBegun, volume uint16, j *Journal, roots map[uint16]root) (uint16, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("witness: volume %d %w: %w", volume, fmt.Errorf(format, args...), ErrUnproved)
	}
	ended, err := journal.UnverifiedCheckpoint(begun.Previous)
	if err != nil || begun.Volume != volume {
		return 0, wrong("does not say what it follows")
	}
	house, before, err := journal.ParseOrigin(ended.Origin)
	if err != nil || before >= volume || house != begun.House {
		return 0, wrong("follows %s", ended.Origin)
	}
	abandoned := map[string]uint64{}
	for _, note := range begun.Abandoned {
		lost, err := journal.UnverifiedCheckpoint(note)
		if err != nil {
			return 0, wrong("abandons what cannot be read")
		}
		abandoned[lost.Origin] = max(abandoned[lost.Origin], lost.Size)
		j.Abandoned = append(j.Abandoned, lost)
	}
	if between, err := begun.Unnamed(before); err != nil || between != 0 {
		return 0, wrong("follows volume %d, and volume %d between them is not named as abandoned", before, between)
	}
	if c.Latest != nil {
		for between := before + 1; between < volume; between++ {
			origin := journal.VolumeOrigin(begun.House, between)
			if last, ok := c.Latest(origin); ok && abandoned[origin] < last.Checkpoint.Size {
				return 0, wrong("abandons %d records of volume %d, and %d were cosigned here", abandoned[origin],
					between, last.Checkpoint.Size)
			}
		}
		last, ok := c.Latest(ended.Origin)
		if ok {
			j.Ends = append(j.Ends, last.Checkpoint)
		}
		switch {
		case !ok:
		case last.Checkpoint.Size > ended.Size && abandoned[ended.Origin] < last.Checkpoint.Size:
			return 0, wrong("follows volume %d with %d records, and %d were cosigned here and are not named as abandoned",
				before, ended.Size, last.Checkpoint.Size)
		case last.Checkpoint.Size < ended.Size:
			return 0, wrong("follows volume %d with %d records, of which %d were cosigned here: have its end cosigned first",
				before, ended.Size, last.Checkpoint.Size)
		case last.Checkpoint.Size == ended.Size && last.Checkpoint.Root != ended.Root:
			return 0, wrong("follows another volume %d than was cosigned here", before)
		}
	}
	roots[before] = root{ended.Size, ended.Root}
	return before, nil
}
