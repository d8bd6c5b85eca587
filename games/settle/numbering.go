package settle

// numbering says which way of its ticket each way of a column is, counted from 0.
// A column whose ways are all the first of their tickets has none.
type numbering struct {
	low  [64]uint16
	high *[64]uint16 // of what is beyond 16 bits; nil: nothing is
}

// put writes the number of way i, and returns the numbering, a new one if there
// was none and the number is not 0.
func (n *numbering) put(i int, way uint32) *numbering {
	if way == 0 {
		return n
	}
	if n == nil {
		n = new(numbering)
	}
	n.low[i] = uint16(way)
	if way >= 1<<16 {
		if n.high == nil {
			n.high = new([64]uint16)
		}
		n.high[i] = uint16(way >> 16)
	}
	return n
}

// of returns the number of way i.
func (n *numbering) of(i int) int {
	switch {
	case n == nil:
		return 0
	case n.high == nil:
		return int(n.low[i])
	}
	return int(n.high[i])<<16 | int(n.low[i])
}
