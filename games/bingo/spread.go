package bingo

import "math/bits"

// spread counts and ranks the matrices of zeros and ones with given sums of rows and
// columns. A one says that a column of a box has a second number: the rows are the
// six boxes, which all have six such columns, and the columns are those of the
// strip, where a column of ten numbers has four boxes with two.
type spread struct {
	rows      int
	perColumn []int
	// choices are, for each column, the sets of rows that may have its ones.
	choices [][]uint
	// ways is, for each column and kind of what the rows still lack, how many
	// matrices there are from there on. newSpread fills it with all that can come
	// up; from then on it is only read.
	ways  []map[kind]uint32
	total uint32
	start lack
}

// lack is what the rows still lack, four bits a row.
type lack uint64

// kind is how many rows lack 0, 1, 2 and so on, four bits each. The number of ways
// does not depend on which row lacks what, and there are few kinds.
type kind uint64

func (s *spread) kind(left lack) (k kind) {
	for range s.rows {
		k += 1 << (4 * (left & 15))
		left >>= 4
	}
	return k
}

func newSpread(rows, perRow int, perColumn []int) *spread {
	s := &spread{rows: rows, perColumn: perColumn, ways: make([]map[kind]uint32, len(perColumn))}
	for column, ones := range perColumn {
		s.ways[column] = map[kind]uint32{}
		var sets []uint
		for set := range uint(1) << rows {
			if bits.OnesCount(set) == ones {
				sets = append(sets, set)
			}
		}
		s.choices = append(s.choices, sets)
	}
	for range rows {
		s.start = s.start<<4 | lack(perRow)
	}
	s.total = s.count(0, s.start)
	return s
}

// count returns the number of matrices from a column on. No count of a strip comes
// near 32 bits: there are 51,672,600 matrices in all.
func (s *spread) count(column int, left lack) uint32 {
	if column == len(s.perColumn) {
		if left == 0 {
			return 1
		}
		return 0
	}
	kind := s.kind(left)
	if known, ok := s.ways[column][kind]; ok {
		return known
	}
	total := uint32(0)
	for _, set := range s.choices[column] {
		if next, ok := s.take(left, set); ok {
			total += s.count(column+1, next)
		}
	}
	s.ways[column][kind] = total
	return total
}

// take takes one from each row of the set, if each has one to give.
func (s *spread) take(left lack, set uint) (lack, bool) {
	for ; set != 0; set &= set - 1 {
		row := 4 * bits.TrailingZeros(set)
		if left>>row&15 == 0 {
			return 0, false
		}
		left -= 1 << row
	}
	return left, true
}

// matrix returns the matrix of a rank below total: for each column the set of rows
// with a one. Different ranks have different matrices.
func (s *spread) matrix(rank uint32, into []uint) []uint {
	left := s.start
	for column := range s.perColumn {
		for _, set := range s.choices[column] {
			next, ok := s.take(left, set)
			if !ok {
				continue
			}
			ways := s.count(column+1, next)
			if rank < ways {
				into, left = append(into, set), next
				break
			}
			rank -= ways
		}
	}
	return into
}
