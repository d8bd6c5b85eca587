package verify

import (
	"bytes"
	"errors"
	"fmt"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The winners file of a settlement is
//
//	"DHW" 1                            magic and version
//	series ordinal revision            which settlement
//	n, n x (limit num den)             reductions, ascending by limit
//	n cents                            winners and their prizes together
//	n x (place cents)                  ascending by place
//
// where every number is an unsigned varint in its shortest form, and every place,
// volume x 2^48 + sequence number, the difference from the one before it. So a
// settlement has one file, and reading it along the winners that were graded
// finds the first play that differs.

const (
	winnersMagic   = "DHW"
	winnersVersion = 1
	volumeShift    = 48

	// maxWinnersFile bounds what is read into memory: more than a hundred million
	// winners.
	maxWinnersFile = 1 << 30
)

// A winnersReader reads a winners file. The first error is kept, and everything
// after it is zero.
type winnersReader struct {
	in  *bytes.Reader
	err error
}

func (r *winnersReader) next() uint64 {
	if r.err != nil {
		return 0
	}
	n, err := readUvarint(r.in)
	if err != nil {
		r.err = fmt.Errorf("it cannot be read at byte %d: %w", r.in.Size()-int64(r.in.Len()), err)
		return 0
	}
	return n
}

// compareWinners reads a winners file along what was graded and reports the first
// difference.
func compareWinners(data []byte, g *game, b *record.GameSettled, winners []winner) error {
	rest, ok := bytes.CutPrefix(data, []byte(winnersMagic))
	if !ok {
		return errors.New("it is not a winners file")
	}
	r := &winnersReader{in: bytes.NewReader(rest)}
	if version := r.next(); r.err == nil && version != winnersVersion {
		return fmt.Errorf("it is of version %d, and this build reads version %d", version, winnersVersion)
	}
	if series, ordinal, revision := r.next(), r.next(), r.next(); r.err == nil &&
		(series != uint64(b.Game.Series) || ordinal != uint64(g.ordinal) || revision != uint64(b.Revision)) {
		return fmt.Errorf("it is of series %d, game %d, revision %d", series, ordinal, revision)
	}
	if err := r.compareReductions(b.Reductions, b.Revision); err != nil {
		return err
	}
	var prizes money.Amount
	for _, won := range winners {
		prizes += won.cents
	}
	if n, cents := r.next(), r.next(); r.err == nil && (n != uint64(len(winners)) || cents != uint64(prizes)) {
		return differs("winners", fmt.Sprintf("%d of %v", n, money.Amount(cents)),
			fmt.Sprintf("%d of %v", len(winners), prizes),
			"it lists %d winners of %v, and %d win %v", n, money.Amount(cents), len(winners), prizes)
	}
	if err := r.comparePlays(winners); err != nil {
		return err
	}
	if r.err == nil && r.in.Len() > 0 {
		return fmt.Errorf("%d bytes follow its last winner", r.in.Len())
	}
	return r.err
}

// compareReductions compares with those of the record, which were checked. The file
// of a further revision need not repeat them: it lists what is owed in addition, and
// that is no schedule's prize.
func (r *winnersReader) compareReductions(stated []record.Reduction, revision uint8) error {
	n := r.next()
	if n == 0 && revision > 1 {
		return nil
	}
	if r.err == nil && n != uint64(len(stated)) {
		return fmt.Errorf("it has %d reductions, and the record %d", n, len(stated))
	}
	for _, want := range stated {
		limit, num, den := r.next(), r.next(), r.next()
		if r.err == nil && (limit != uint64(want.Limit) || num != want.Num || den != want.Den) {
			return fmt.Errorf("it reduces by %d/%d under limit %d, and the record by %d/%d under limit %d", num, den,
				limit, want.Num, want.Den, want.Limit)
		}
	}
	return nil
}

func (r *winnersReader) comparePlays(winners []winner) error {
	place := uint64(0)
	for _, want := range winners {
		place += r.next()
		cents := r.next()
		due := placeOf(want.seq)
		switch {
		case r.err != nil:
			return r.err
		case place != want.seq:
			return differs("next winner", placeOf(place), due,
				"it lists ticket %v where ticket %v is the next to win", placeOf(place), due)
		case cents != uint64(want.cents):
			return differs(fmt.Sprintf("prize of ticket %v", due), money.Amount(cents), want.cents,
				"it gives ticket %v %v, and the prize is %v", due, money.Amount(cents), want.cents)
		}
	}
	return nil
}
