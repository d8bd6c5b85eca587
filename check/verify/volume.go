package verify

import (
	"bytes"
	"fmt"
	"slices"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A volume is one volume of the journal in an export.
type volume struct {
	number uint16
	begun  *record.VolumeBegun // its first record; nil where the export has no other
	// end is the last checkpoint: of the newest volume the export's, of the others the
	// one that the record after it states.
	end           journal.Checkpoint
	house, device journal.Verifier
	// handed tells that the house key of the volume before has signed for this one.
	handed bool
}

// volume returns the volume under check.
func (c *checker) volume() *volume { return c.log.volumes[c.log.current] }

// here returns the place of the record under check as one number.
func (c *checker) here() uint64 {
	return flat(record.Place{Volume: c.volume().number, Seq: c.seq})
}

// nowhere is no place of any record.
const nowhere = ^uint64(0)

// flat returns a place as one number, as winners files have it: places of later
// volumes are higher.
func flat(p record.Place) uint64 {
	if p.Seq>>volumeShift != 0 {
		return nowhere
	}
	return uint64(p.Volume)<<volumeShift | p.Seq
}

// placeOf returns the place of a number.
func placeOf(n uint64) record.Place {
	return record.Place{Volume: uint16(n >> volumeShift), Seq: n & (1<<volumeShift - 1)}
}

// openVolumes reads the first record of every volume, if there are several: what an
// earlier one ended with is in the next. The last volume is the export's own, and
// stands there already.
func (c *checker) openVolumes() error {
	if len(c.log.house.Earlier) == 0 {
		return nil
	}
	newest := c.log.volumes[0]
	c.log.volumes = nil
	for _, number := range append(slices.Clone(c.log.house.Earlier), newest.number) {
		begun, err := c.firstOf(number)
		if err != nil {
			return seam(number, CheckLog, "%v", err)
		}
		next := &volume{number: number, begun: begun}
		if number == newest.number {
			next.end = newest.end
		}
		if err := next.setKeys(); err != nil {
			return seam(number, CheckHouse, "%v", err)
		}
		if n := len(c.log.volumes); n > 0 {
			before := c.log.volumes[n-1]
			if before.end, next.handed, err = begun.Follows(before.begun); err != nil {
				return seam(number, CheckHouse, "%v", err)
			}
			next.handed = next.handed || begun.HouseKey == before.begun.HouseKey
		}
		c.log.volumes = append(c.log.volumes, next)
	}
	return c.checkKeys()
}

// seam is a failure at the first record of a volume, before it is read in its turn.
func seam(number uint16, check Check, format string, args ...any) error {
	return &Failure{Check: check, Place: record.Place{Volume: number}, Kind: record.KindVolumeBegun,
		Reason: fmt.Sprintf(format, args...)}
}

// firstOf reads the first record of a volume.
func (c *checker) firstOf(number uint16) (*record.VolumeBegun, error) {
	stream := newRecordStream(c.src, c.fileOf(number), 1)
	defer stream.close()
	data, err := stream.read()
	if err != nil {
		return nil, err
	}
	r, err := record.Decode(bytes.Clone(data))
	if err != nil {
		return nil, err
	}
	begun, ok := r.Body.(*record.VolumeBegun)
	if !ok || begun.Volume != number || begun.House != c.log.house.House {
		return nil, fmt.Errorf("volume %d of %s does not begin with its first record", number, c.log.house.House)
	}
	return begun, nil
}

// fileOf names the record files of a volume: the newest stands alone.
func (c *checker) fileOf(number uint16) func(uint64) string {
	if number == c.log.house.Volume {
		return RecordFile
	}
	return func(n uint64) string { return EarlierFile(number, n) }
}

func (v *volume) setKeys() (err error) {
	if v.house, err = journal.ParseVerifier(v.begun.HouseKey); err != nil {
		return fmt.Errorf("the house key: %w", err)
	}
	if v.device, err = journal.ParseVerifier(v.begun.DeviceKey); err != nil {
		return fmt.Errorf("the device key: %w", err)
	}
	return nil
}

// checkKeys checks that the keys which the inspector gave lead to all others: where
// the old and the new key signed for each other, anybody who knows one knows the other.
func (c *checker) checkKeys() error {
	given := append(slices.Clone(c.opts.OtherKeys), c.opts.HouseKey)
	known := make([]bool, len(c.log.volumes))
	for i, v := range c.log.volumes {
		known[i] = slices.Contains(given, v.begun.HouseKey)
	}
	for range c.log.volumes {
		for i := 1; i < len(known); i++ {
			if c.log.volumes[i].handed && (known[i] || known[i-1]) {
				known[i], known[i-1] = true, true
			}
		}
	}
	device := c.opts.DeviceKey
	if device != "" && !slices.ContainsFunc(c.log.volumes, func(v *volume) bool { return v.begun.DeviceKey == device }) {
		return fault(CheckHouse, "the export names another device key than the one given")
	}
	lost := slices.Index(known, false)
	if c.opts.HouseKey == "" || lost < 0 {
		return nil
	}
	if !slices.Contains(known, true) {
		return fault(CheckHouse, "the export names another house key than the one given")
	}
	return seam(c.log.volumes[lost].number, CheckHouse,
		"its house key is %s, for which no key that was given has signed: it must be known from elsewhere",
		c.log.volumes[lost].begun.HouseKey)
}

// continues checks the first record of a volume that follows another: that one has
// ended with the records that were read.
func (c *checker) continues(b *record.VolumeBegun) error {
	if c.log.current == 0 {
		founds, err := b.Founds()
		switch {
		case err != nil:
			return fault(CheckHouse, "%v", err)
		case !founds:
			return fault(CheckHouse, "it continues an earlier volume, and what that left open is not in this export")
		}
		return nil
	}
	before := c.log.volumes[c.log.current-1]
	ended, _, err := b.Follows(before.begun)
	if err != nil {
		return fault(CheckHouse, "%v", err)
	}
	if ended != before.end {
		return fault(CheckHouse, "%v",
			differs(fmt.Sprintf("end of volume %d", before.number), ended.Size, before.end.Size,
				"it says that volume %d ended otherwise than it did: after %d records, and here it has %d", before.number,
				ended.Size, before.end.Size))
	}
	return c.guard(leftOut(b, before.number))
}

// leftOut objects to a volume number between two volumes of which the second says nothing:
// there may be a volume of that number which somebody hides.
func leftOut(b *record.VolumeBegun, before uint16) error {
	missing, err := b.Unnamed(before)
	if err != nil {
		return fault(CheckHouse, "%v", err)
	}
	if missing != 0 {
		return fault(CheckHouse, "it follows volume %d and does not name volume %d between them as abandoned", before,
			missing)
	}
	return nil
}

// abandons reports whether a volume says that records up to a checkpoint are lost.
func (c *checker) abandons(lost journal.Checkpoint) bool {
	for _, v := range c.log.volumes {
		if v.begun == nil {
			continue
		}
		for _, signed := range v.begun.Abandoned {
			told, err := journal.UnverifiedCheckpoint(signed) // It was verified with the record.
			if err == nil && told.Origin == lost.Origin && told.Size >= lost.Size {
				return true
			}
		}
	}
	return false
}

// reportVolumes tells which volumes there are.
func (c *checker) reportVolumes() {
	if len(c.log.volumes) < 2 {
		return
	}
	for _, v := range c.log.volumes {
		c.report.Volumes = append(c.report.Volumes, Volume{
			Volume: v.number, Reason: string(v.begun.Reason), Records: v.end.Size, HouseKey: v.begun.HouseKey,
			DeviceKey: v.begun.DeviceKey,
			Handed:    v.handed, Abandoned: len(v.begun.Abandoned),
		})
	}
}
