package draw

const (
	// repeatBytes in a row that occurred already among the last startupBytes are
	// an alarm: it catches every period up to about a thousand bytes, which the
	// other tests may let pass. False alarms: below 2^-54 a byte.
	repeatBytes = 8

	// repeatSlots is how many lists the strings are kept in: twice as many as
	// there are strings, so that most lists are short.
	repeatSlots = 2 * startupBytes
)

// repeats looks for the last repeatBytes bytes among the last startupBytes. It
// keeps, as compressors do, lists of the places where a string began, by a hash of
// the string: a laboratory reads gigabytes through it. TestRepeatsAgreeWithSearch
// compares it with a plain search.
type repeats struct {
	last uint64 // the last bytes
	seen uint64 // how many bytes there were

	// A string is named by how many bytes had been seen at its end; 0 is none.
	newest  [repeatSlots]uint64  // in each list, the string that came last
	before  [startupBytes]uint64 // for each string, the one before it in its list
	strings [startupBytes]uint64 // the strings themselves
}

// add takes the next byte and returns how many bytes back the string that it
// ends occurred before, or 0.
func (r *repeats) add(b byte) (distance int) {
	r.last = r.last<<8 | uint64(b)
	r.seen++
	if r.seen < repeatBytes {
		return 0
	}
	slot := r.last * 0x9e3779b97f4a7c15 >> 32 % repeatSlots // Fibonacci hashing
	for at := r.newest[slot]; at != 0 && r.seen-at <= startupBytes-repeatBytes; at = r.before[at%startupBytes] {
		if r.strings[at%startupBytes] == r.last {
			return int(r.seen - at)
		}
	}
	r.before[r.seen%startupBytes] = r.newest[slot]
	r.strings[r.seen%startupBytes] = r.last
	r.newest[slot] = r.seen
	return 0
}
