package verify

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"drawhouse/journal/public"
)

// The files of a public log in an export are those that C2SP tlog-tiles lays down for the end of the log, and
// beside them the partial ones for its newest cosigned checkpoint. Each is compared with the log that the
// records make.

const (
	// tileWidth is how many entries a full bundle has, and how many hashes a full tile.
	tileWidth = 256
	// maxBundle bounds a bundle.
	maxBundle = tileWidth * (2 + public.MaxEntry)
)

// addLeaf adds the hash of an entry to the tiles, and compares the files that are full with it.
func (c *checker) addLeaf(leaf hash) error {
	p := &c.public
	h := leaf
	for level := 0; ; level++ {
		if level == len(p.rows) {
			p.rows = append(p.rows, nil)
		}
		p.rows[level] = append(p.rows[level], h)
		if len(p.rows[level]) < tileWidth {
			return nil
		}
		at := p.entries.size>>(8*(level+1)) - 1
		if level == 0 {
			if err := c.compareBundle(at, 0); err != nil {
				return err
			}
			p.bundle = nil
		}
		if err := c.compareTile(uint8(level), at, 0); err != nil {
			return err
		}
		h = rootOf(p.rows[level])
		p.rows[level] = nil
	}
}

// rootOf returns the root over the hashes of a full tile.
func rootOf(row []hash) hash {
	for len(row) > 1 {
		above := make([]hash, len(row)/2)
		for i := range above {
			above[i] = join(row[2*i], row[2*i+1])
		}
		row = above
	}
	return row[0]
}

// finishLog compares the partial files of a log that ends, and its checkpoint.
func (c *checker) finishLog() error {
	p := &c.public
	if !p.begun() || p.unstored {
		return nil
	}
	if len(p.due) > 0 {
		return fault(CheckPublicLog, "the records end before they repeat what stands as %s begins", p.origin)
	}
	if err := c.comparePartial(p.entries.size); err != nil {
		return err
	}
	if p.note == nil {
		return nil
	}
	if p.cosigned < p.entries.size {
		if err := c.comparePartial(p.cosigned); err != nil {
			return err
		}
	}
	name := LogFile(p.number, CheckpointFile)
	stored, err := readWhole(c.src, name, maxSmallFile)
	if err != nil {
		return fault(CheckPublicLog, "%v", err)
	}
	if !bytes.Equal(stored, p.note) {
		return fault(CheckPublicLog, "%s is not the newest checkpoint that was cosigned", name)
	}
	return nil
}

// comparePartial compares the partial files of the log as it was with some entries, as far as the files that would be
// full there are not.
func (c *checker) comparePartial(size uint64) error {
	p := &c.public
	for level := range p.rows {
		at, width := size>>(8*level)/tileWidth, int(size>>(8*level)%tileWidth)
		if width == 0 || at != p.entries.size>>(8*level)/tileWidth {
			continue
		}
		if level == 0 {
			if err := c.compareBundle(at, width); err != nil {
				return err
			}
		}
		if err := c.compareTile(uint8(level), at, width); err != nil {
			return err
		}
	}
	return nil
}

// compareTile compares a tile with the row of its level; width is that of a partial one, and 0 of a full one.
func (c *checker) compareTile(level uint8, at uint64, width int) error {
	p := &c.public
	if p.unstored {
		return nil
	}
	name := LogFile(p.number, public.TilePath(level, at, width))
	row := p.rows[level]
	if width > 0 {
		row = row[:width]
	}
	stored, err := readWhole(c.src, name, int64(len(row)*len(hash{})))
	if err != nil {
		return fault(CheckPublicLog, "%v", err)
	}
	for i, h := range row {
		if n := len(h); len(stored) < (i+1)*n || !bytes.Equal(stored[i*n:(i+1)*n], h[:]) {
			return fault(CheckPublicLog, "%s is not the tile of the log: its hash %d is another", name, i)
		}
	}
	return nil
}

// compareBundle compares a bundle with the entries that are in no full bundle yet.
func (c *checker) compareBundle(at uint64, width int) error {
	p := &c.public
	if p.unstored {
		return nil
	}
	name := LogFile(p.number, public.BundlePath(at, width))
	due := p.bundle
	if width > 0 {
		due = due[:width]
	}
	data, err := readWhole(c.src, name, maxBundle)
	if errors.Is(err, ErrAbsent) {
		return c.otherSize(at, due, width > 0, err)
	}
	if err != nil {
		return fault(CheckPublicLog, "%v", err)
	}
	stored, err := public.SplitBundle(data)
	if err != nil {
		return fault(CheckPublicLog, "%s: %v", name, err)
	}
	for i, e := range due {
		if i < len(stored) && bytes.Equal(stored[i], e.text) {
			continue
		}
		reason := differs("entry", "none", string(e.text), "it ends before entry %d", at*tileWidth+uint64(i))
		if i < len(stored) {
			reason = differingEntry(at*tileWidth+uint64(i), stored[i], e.text)
		}
		return &Failure{Check: CheckPublicLog, Place: e.place, Kind: e.kind, Reason: fmt.Sprintf("%s: %v", name, reason)}
	}
	if len(stored) > len(due) {
		return fault(CheckPublicLog, "%s has %d entries, and the records make %d", name, len(stored), len(due))
	}
	return nil
}

// otherSize says what the export has in the place of a bundle that is absent: a log of another number of entries than
// the records make, of which the first that differs is named. The records make no more than those of the bundle if
// they end with it.
func (c *checker) otherSize(at uint64, due []publicEntry, end bool, absent error) error {
	stored := c.storedEntries(at)
	if at == 0 && len(stored) == 0 {
		return fault(CheckPublicLog, "%v", absent)
	}
	first := at * tileWidth
	says := fmt.Sprintf("the export has a log of %d entries, and the records make %d", first+uint64(len(stored)),
		first+uint64(len(due)))
	if !end {
		says += " or more"
	}
	for i, e := range due {
		number := first + uint64(i)
		if i >= len(stored) {
			return &Failure{Check: CheckPublicLog, Place: e.place, Kind: e.kind,
				Reason: fmt.Sprintf("%s: entry %d, %q, is not there", says, number, entryWords(e.text))}
		}
		if !bytes.Equal(stored[i], e.text) {
			return &Failure{Check: CheckPublicLog, Place: e.place, Kind: e.kind,
				Reason: fmt.Sprintf("%s: %v", says, differingEntry(number, stored[i], e.text))}
		}
	}
	if len(stored) == len(due) {
		return fault(CheckPublicLog, "%v", absent)
	}
	return fault(CheckPublicLog, "%s: entry %d is %q, which no record makes", says, first+uint64(len(due)),
		entryWords(stored[len(due)]))
}

// storedEntries returns the entries that the export has from a bundle on, as far as they can be read: those of the full
// bundle or of the widest partial one, and of the bundle behind a full one.
func (c *checker) storedEntries(at uint64) (stored [][]byte) {
	for i := range uint64(2) {
		var entries [][]byte
		for tried := range tileWidth { // The full one, and then the widest.
			width := (tileWidth - tried) % tileWidth
			data, err := readWhole(c.src, LogFile(c.public.number, public.BundlePath(at+i, width)), maxBundle)
			if err != nil {
				continue
			}
			if entries, err = public.SplitBundle(data); err == nil {
				break
			}
		}
		stored = append(stored, entries...)
		if len(entries) < tileWidth {
			break
		}
	}
	return stored
}

// entryWords names an entry: its kind, what it is about, and its record.
func entryWords(text []byte) string {
	e, err := public.Parse(text)
	if err != nil {
		return "an entry that cannot be read"
	}
	words := string(e.Kind)
	for _, key := range []string{"series", "hall", "day", "session", "game"} {
		if value := e.Text(key); value != "" {
			words += " " + value
		}
	}
	return fmt.Sprintf("%s of record %d:%d", words, e.Volume, e.Seq)
}

// differingEntry says how an entry differs from the one that its record makes.
func differingEntry(number uint64, stored, due []byte) error {
	e, err := public.Parse(stored)
	if err != nil {
		return fmt.Errorf("entry %d cannot be read: %w", number, err)
	}
	if made, err := public.Parse(due); err == nil && made.Kind != e.Kind {
		is, want := entryWords(stored), entryWords(due)
		return differs("entry", is, want, "entry %d is %q where the records make %q", number, is, want)
	}
	is, want := strings.Split(string(stored), "\n"), strings.Split(string(due), "\n")
	at := 0
	for at < min(len(is), len(want))-1 && is[at] == want[at] {
		at++
	}
	return differs("entry", is[at], want[at], "entry %d, of %s from record %d:%d, has %q where its record makes %q", number,
		e.Kind, e.Volume, e.Seq, is[at], want[at])
}
