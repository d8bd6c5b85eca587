package settle

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The winners file of a game lists the tickets that won and their prizes. The
// journal pins its hash, and what it says is what is owed; a prize that is carried
// into the next game is not, and is not in it. It is
//
//	"DHW" 1                            magic and version
//	series ordinal revision            which settlement
//	n, n x (limit num den)             reductions, ascending by limit
//	n cents                            winners and their prizes together
//	n x (place cents)                  ascending by place
//
// with every number an unsigned varint (base 128, least group first, no more
// bytes than it needs), and every place, volume x 2^48 + sequence number, as the
// difference from the one before. Equal settlements have equal bytes.
const winnersMagic = "DHW\x01"

// ErrWinners reports bytes that are no winners file.
var ErrWinners = errors.New("settle: not a winners file")

// Settlement names one settlement of a game.
type Settlement struct {
	Series   uint8
	Ordinal  uint32
	Revision uint8 // 1 for the first
}

// WinnersFile is a winners file that was read. It never changes, so any number of
// goroutines may use it.
type WinnersFile struct {
	Settlement
	Reductions []Reduction

	data  []byte
	body  int // where the winners begin
	n     uint64
	total money.Amount
	marks []mark
}

// mark is where every markEvery-th winner stands, so that a lookup reads few.
type mark struct {
	before uint64 // place of the winner before
	first  uint64 // place of the winner
	offset int
}

const markEvery = 64

// Encode returns the winners file of an outcome.
func (o *Outcome) Encode(s Settlement) []byte {
	return encodeWinners(s, o.Reductions, uint64(o.winners.n), o.Prizes, func(yield func(winner) bool) {
		for _, part := range o.winners.parts {
			for _, w := range part {
				if !yield(w) {
					return
				}
			}
		}
	})
}

func encodeWinners(s Settlement, rs []Reduction, n uint64, total money.Amount, all iter.Seq[winner]) []byte {
	// A winner mostly takes four or five bytes.
	b := append(make([]byte, 0, 64+5*n), winnersMagic...)
	b = appendNumbers(b, uint64(s.Series), uint64(s.Ordinal), uint64(s.Revision), uint64(len(rs)))
	for _, r := range rs {
		b = appendNumbers(b, uint64(r.Limit), r.Num, r.Den)
	}
	b = appendNumbers(b, n, uint64(total))
	var before uint64
	for w := range all {
		b = appendNumbers(b, w.place-before, w.cents)
		before = w.place
	}
	return b
}

func appendNumbers(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// DecodeWinners reads a winners file and keeps data. It encodes again what it read
// and refuses bytes that differ, so that a settlement has one form and one hash.
func DecodeWinners(data []byte) (*WinnersFile, error) {
	rest, ok := bytes.CutPrefix(data, []byte(winnersMagic))
	if !ok {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrWinners, winnersMagic)
	}
	r := numberReader{data: rest}
	f := &WinnersFile{data: data}
	f.Series = uint8(r.next("series", math.MaxUint8))
	f.Ordinal = uint32(r.next("ordinal", math.MaxUint32))
	f.Revision = uint8(r.next("revision", math.MaxUint8))
	for range r.next("reductions", math.MaxUint8) {
		f.Reductions = append(f.Reductions, Reduction{
			int(r.next("limit", math.MaxUint8)), r.next("numerator", beyond), r.next("denominator", beyond)})
	}
	f.n = r.next("winners", uint64(len(data)))
	f.total = money.Amount(r.next("prizes", math.MaxInt64))
	f.body = len(data) - len(r.data)
	if r.err == nil {
		r.err = f.read(&r)
	}
	if r.err == nil {
		r.err = f.check()
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWinners, r.err)
	}
	return f, nil
}

// read goes through the winners once, sets marks and adds up.
func (f *WinnersFile) read(r *numberReader) error {
	var place, sum uint64
	for i := range f.n {
		w, before := winner{}, place
		offset := len(f.data) - len(r.data)
		w.place = place + r.next("place", math.MaxUint64-place)
		w.cents = r.next("cents", math.MaxInt64-sum)
		switch {
		case r.err != nil:
			return r.err
		case w.place == place || w.place>>48 == 0:
			return fmt.Errorf("winner %d is not after the one before", i+1)
		case w.cents == 0:
			return fmt.Errorf("winner %d has no prize", i+1)
		}
		if i%markEvery == 0 {
			f.marks = append(f.marks, mark{before, w.place, offset})
		}
		place = w.place
		sum += w.cents
	}
	switch {
	case len(r.data) > 0:
		return fmt.Errorf("%d bytes after the last winner", len(r.data))
	case sum != uint64(f.total):
		return fmt.Errorf("prizes of %v are stated, and they come to %v", f.total, money.Amount(sum))
	}
	return nil
}

// check refuses what no outcome encodes to.
func (f *WinnersFile) check() error {
	if f.Series == 0 || f.Ordinal == 0 || f.Revision == 0 {
		return fmt.Errorf("series %d, game %d, revision %d", f.Series, f.Ordinal, f.Revision)
	}
	for i, r := range f.Reductions {
		if r.Num >= r.Den || greatestCommonDivisor(r.Num, r.Den) != 1 || i > 0 && r.Limit <= f.Reductions[i-1].Limit {
			return fmt.Errorf("reduction %d is %d / %d of limit %d", i+1, r.Num, r.Den, r.Limit)
		}
	}
	if !bytes.Equal(f.data, encodeWinners(f.Settlement, f.Reductions, f.n, f.total, f.from(f.start()))) {
		return errors.New("it is not in its one form")
	}
	return nil
}

// Hash returns the hash that the journal pins.
func (f *WinnersFile) Hash() record.Hash { return HashWinners(f.data) }

// HashWinners returns the SHA-256 of a winners file.
func HashWinners(data []byte) record.Hash { return sha256.Sum256(data) }

// Winners returns how many tickets won.
func (f *WinnersFile) Winners() uint64 { return f.n }

// Prizes returns what they won together.
func (f *WinnersFile) Prizes() money.Amount { return f.total }

// Lookup returns the prize of a ticket, and whether it won.
func (f *WinnersFile) Lookup(ticket record.Place) (money.Amount, bool) {
	key, err := placeKey(ticket)
	if err != nil {
		return 0, false
	}
	i, found := slices.BinarySearchFunc(f.marks, key, func(m mark, key uint64) int { return cmp.Compare(m.first, key) })
	if !found {
		i--
	}
	if i < 0 {
		return 0, false
	}
	for w := range f.from(f.marks[i]) {
		switch {
		case w.place == key:
			return money.Amount(w.cents), true
		case w.place > key:
			return 0, false
		}
	}
	return 0, false
}

// All yields the tickets that won and their prizes, in the order of their places.
func (f *WinnersFile) All() iter.Seq2[record.Place, money.Amount] {
	return func(yield func(record.Place, money.Amount) bool) {
		for w := range f.from(f.start()) {
			if !yield(placeOf(w.place), money.Amount(w.cents)) {
				return
			}
		}
	}
}

// start is the mark of the first winner, if there is any.
func (f *WinnersFile) start() mark { return mark{offset: f.body} }

// from yields the winners from a mark on. The bytes have been read before.
func (f *WinnersFile) from(m mark) iter.Seq[winner] {
	return func(yield func(winner) bool) {
		r, place := numberReader{data: f.data[m.offset:]}, m.before
		for len(r.data) > 0 {
			place += r.next("place", math.MaxUint64)
			if !yield(winner{place, r.next("cents", math.MaxUint64)}) {
				return
			}
		}
	}
}

// numberReader reads varints. After an error it returns zeros.
type numberReader struct {
	data []byte
	err  error
}

func (r *numberReader) next(what string, most uint64) uint64 {
	if r.err != nil {
		return 0
	}
	n, size := binary.Uvarint(r.data)
	switch {
	case size <= 0:
		r.err = fmt.Errorf("%s is cut off or too long", what)
		return 0
	case n > most:
		r.err = fmt.Errorf("%s is %d, and at most %d is possible", what, n, most)
		return 0
	}
	r.data = r.data[size:]
	return n
}
