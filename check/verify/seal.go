package verify

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// gameSealed checks the seal: that the house signed it, that it is of this game
// and of the log just after the close, and that it covers exactly the tickets in
// the game and in those that are played along. That it came before the first number follows from the order of the
// records.
func (c *checker) gameSealed(b *record.GameSealed) error {
	s, g, err := c.at(CheckSeal, b.Game, stageClosed)
	if err != nil {
		return err
	}
	signed, err := journal.OpenSeal(b.Seal, g.closed.house)
	if err != nil {
		return fault(CheckSeal, "the seal does not hold: %v", err)
	}
	seal := signed.Body()
	if err := c.checkSeal(seal, s, g); err != nil {
		return fault(CheckSeal, "the seal: %v", err)
	}
	if err := c.checkBitmaps(seal, s.playing(g),
		func(volume uint16) string { return BitmapFile(s.id, g.ordinal, volume) }); err != nil {
		return fault(CheckSeal, "the bitmap of the seal: %v", err)
	}
	g.stage, g.seal = stageSealed, seal.Hash()
	if g.closed == c.volume() {
		c.log.lastSeal = g.size
	}
	c.report.Seals++
	g.logged = c.public.nextSeal()
	return nil
}

func (c *checker) checkSeal(seal journal.SealBody, s *series, g *game) error {
	switch {
	case seal.Game != g.sealedName(s):
		return fmt.Errorf("it is of game %v, and this is %v", seal.Game, g.sealedName(s))
	case seal.Checkpoint.Origin != g.closed.end.Origin:
		return fmt.Errorf("it is of the log %s, and this is %s", seal.Checkpoint.Origin, g.closed.end.Origin)
	case seal.Checkpoint.Size != g.size:
		return differs("size", seal.Checkpoint.Size, g.size,
			"it is of the log of %d records, and the close made it %d", seal.Checkpoint.Size, g.size)
	case seal.Checkpoint.Root != g.root:
		return differs("root", seal.Checkpoint.Root, journal.Hash(g.root),
			"its root is not that of the records up to the close")
	}
	plays, _, stakes := g.playsAlong()
	plays, stakes = plays+g.plays, stakes+g.stakes.total()
	if seal.Plays != plays || seal.StakesCents != stakes.Cents() {
		return differs("plays and stakes", fmt.Sprintf("%d for %d cents", seal.Plays, seal.StakesCents),
			fmt.Sprintf("%d for %d cents", plays, stakes.Cents()),
			"it has %d plays for %d cents, and sold were %d for %d", seal.Plays, seal.StakesCents, plays, stakes.Cents())
	}
	return nil
}

// chunkBytes is the length of a leaf of a bitmap: 4,096 bits.
const chunkBytes = 512

// playing goes through the places of the tickets that play in a game.
func (s *series) playing(g *game) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		_ = s.eachPlay(g, func(t *ticket, _ *game) error {
			if !yield(t.seq) {
				return errEnough
			}
			return nil
		})
	}
}

var errEnough = errors.New("enough")

// sealed is the bitmap of one volume under a seal.
type sealed struct {
	span journal.Span
	data []byte
	used bool
}

// checkBitmaps builds the bitmaps of what is in a game from the records, one for each
// volume with a ticket in it, and compares their roots with the seal, and their bytes
// with the stored ones.
func (c *checker) checkBitmaps(seal journal.SealBody, in iter.Seq[uint64], file func(volume uint16) string) error {
	bitmaps := make(map[uint16]*sealed, len(seal.Open))
	for _, span := range seal.Open {
		size, ok := c.sizeOf(span.Volume, seal.Checkpoint)
		if !ok || span.First > size || span.Length > size-span.First {
			return fmt.Errorf("it covers %d records from %d of volume %d, which has not so many", span.Length,
				span.First, span.Volume)
		}
		bitmaps[span.Volume] = &sealed{span: span,
			data: make([]byte, (span.Length+8*chunkBytes-1)/(8*chunkBytes)*chunkBytes)}
	}
	var b *sealed
	for place := range in {
		at := placeOf(place)
		if b == nil || b.span.Volume != at.Volume {
			b = bitmaps[at.Volume]
		}
		if b == nil {
			return fmt.Errorf("it covers %d volumes, and not that of ticket %v", len(seal.Open), at)
		}
		bit := at.Seq - b.span.First
		if at.Seq < b.span.First || bit >= b.span.Length {
			return fmt.Errorf("ticket %v is in the game and not within the %d records from %d", at, b.span.Length,
				b.span.First)
		}
		b.data[bit/8] |= 1 << (bit % 8)
		b.used = true
	}
	for _, span := range seal.Open {
		if err := c.checkBitmap(bitmaps[span.Volume], seal, file(span.Volume)); err != nil {
			return err
		}
	}
	return nil
}

// sizeOf returns how many records of a volume a seal can cover.
func (c *checker) sizeOf(number uint16, sealed journal.Checkpoint) (uint64, bool) {
	for i := range c.log.volumes {
		if v := c.log.volumes[i]; v.number == number && v.end.Origin == sealed.Origin {
			return sealed.Size, true
		} else if v.number == number {
			return v.end.Size, true
		}
	}
	return 0, false
}

// checkBitmap compares one bitmap with the seal and with the stored one.
func (c *checker) checkBitmap(b *sealed, seal journal.SealBody, name string) error {
	var tree merkle
	for chunk := 0; chunk < len(b.data); chunk += chunkBytes {
		tree.add(b.data[chunk : chunk+chunkBytes])
	}
	if tree.root() != b.span.Root {
		return differs("bitmap", b.span.Root, journal.Hash(tree.root()),
			"its root is not that of the tickets in the game")
	}
	if !b.used && b.span.Volume != seal.Volume() {
		return fmt.Errorf("it covers volume %d, of which no ticket is in the game", b.span.Volume)
	}
	if seal.Plays == 0 {
		return nil
	}
	stored, err := readWhole(c.src, name, int64(len(b.data)))
	if err != nil {
		return err
	}
	if !bytes.Equal(stored, b.data) {
		return fmt.Errorf("%s is not the bitmap of the tickets in the game", name)
	}
	return nil
}
