package verify

import (
	"bytes"
	"errors"
	"fmt"

	"drawhouse/journal"
	"drawhouse/record"
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
	signed, err := journal.OpenSeal(b.Seal, c.houseKey)
	if err != nil {
		return fault(CheckSeal, "the seal does not hold: %v", err)
	}
	seal := signed.Body()
	if err := c.checkSeal(seal, s, g); err != nil {
		return fault(CheckSeal, "the seal: %v", err)
	}
	if err := c.checkBitmap(seal, s, g); err != nil {
		return fault(CheckSeal, "the bitmap of the seal: %v", err)
	}
	g.stage, g.seal = stageSealed, seal.Hash()
	c.lastSeal = g.size
	c.report.Seals++
	return nil
}

func (c *checker) checkSeal(seal journal.SealBody, s *series, g *game) error {
	switch {
	case seal.Game != g.sealedName(s):
		return fmt.Errorf("it is of game %v, and this is %v", seal.Game, g.sealedName(s))
	case seal.Checkpoint.Origin != c.checkpoint.Origin:
		return fmt.Errorf("it is of the log %s, and this is %s", seal.Checkpoint.Origin, c.checkpoint.Origin)
	case seal.Checkpoint.Size != g.size:
		return fmt.Errorf("it is of the log of %d records, and the close made it %d", seal.Checkpoint.Size, g.size)
	case seal.Checkpoint.Root != g.root:
		return errors.New("its root is not that of the records up to the close")
	}
	plays, _, stakes := g.playsAlong()
	plays, stakes = plays+g.plays, stakes+g.stakes.total()
	if seal.Plays != plays || seal.StakesCents != stakes.Cents() {
		return fmt.Errorf("it has %d plays for %d cents, and sold were %d for %d", seal.Plays, seal.StakesCents, plays, stakes.Cents())
	}
	return nil
}

// chunkBytes is the length of a leaf of a bitmap: 4,096 bits.
const chunkBytes = 512

// checkBitmap builds the bitmap of the game from the tickets that were sold and
// compares its root with the seal, and its bytes with the stored ones.
func (c *checker) checkBitmap(seal journal.SealBody, s *series, g *game) error {
	if len(seal.Open) == 0 && seal.Plays == 0 {
		return nil
	}
	if len(seal.Open) != 1 || seal.Open[0].Volume != c.house.Volume {
		return fmt.Errorf("it covers %d volumes, and every ticket is in volume %d", len(seal.Open), c.house.Volume)
	}
	// A seal's span ends within its log, so its length is bounded by the records
	// that were read.
	span := seal.Open[0]
	data := make([]byte, (span.Length+8*chunkBytes-1)/(8*chunkBytes)*chunkBytes)
	err := s.eachPlay(g, func(t *ticket, _ *game) error {
		bit := t.seq - span.First
		if t.seq < span.First || bit >= span.Length {
			return fmt.Errorf("ticket %d is in the game and not within the %d records from %d", t.seq, span.Length, span.First)
		}
		data[bit/8] |= 1 << (bit % 8)
		return nil
	})
	if err != nil {
		return err
	}
	var tree merkle
	for chunk := 0; chunk < len(data); chunk += chunkBytes {
		tree.add(data[chunk : chunk+chunkBytes])
	}
	if tree.root() != span.Root {
		return errors.New("its root is not that of the tickets in the game")
	}
	if seal.Plays == 0 {
		return nil
	}
	name := BitmapFile(s.id, g.ordinal, c.house.Volume)
	stored, err := readWhole(c.src, name, int64(len(data)))
	if err != nil {
		return err
	}
	if !bytes.Equal(stored, data) {
		return fmt.Errorf("%s is not the bitmap of the tickets in the game", name)
	}
	return nil
}
