package record

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// The major types of CBOR items (RFC 8949, 3.1).
const (
	majorUint  = 0
	majorNeg   = 1
	majorBytes = 2
	majorText  = 3
	majorArray = 4
	majorMap   = 5
	majorPlain = 7 // false, true and null, and much that no record has
)

// The plain values that a record may have.
const (
	plainFalse = 20
	plainTrue  = 21
	plainNull  = 22
)

// appendHead appends the head of an item in its shortest form.
func appendHead(b []byte, major byte, n uint64) []byte {
	major <<= 5
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n <= math.MaxUint8:
		return append(b, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}

func appendInt(b []byte, v int64) []byte {
	if v < 0 {
		return appendHead(b, majorNeg, uint64(^v))
	}
	return appendHead(b, majorUint, uint64(v))
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return appendHead(b, majorPlain, plainTrue)
	}
	return appendHead(b, majorPlain, plainFalse)
}

func appendBytes(b, data []byte) []byte {
	return append(appendHead(b, majorBytes, uint64(len(data))), data...)
}

// items reads CBOR items one after the other, each in its shortest form. After
// the first that is not as expected it is bad, and everything it returns is zero.
type items struct {
	rest []byte
	bad  bool
}

// next reads a head.
func (s *items) next() (major byte, n uint64) {
	if s.bad || len(s.rest) == 0 {
		s.bad = true
		return 0, 0
	}
	first := s.rest[0]
	major, n = first>>5, uint64(first&31)
	if n < 24 {
		s.rest = s.rest[1:]
		return major, n
	}
	// 24 to 27 say that 1, 2, 4 or 8 bytes follow, and the rest are lengths that
	// are not known and forms that do not exist.
	if n > 27 || len(s.rest) <= 1<<(n-24) {
		s.bad = true
		return 0, 0
	}
	var least uint64 // that needs so many bytes
	switch follow := s.rest[1:]; n {
	case 24:
		n, least, s.rest = uint64(follow[0]), 24, follow[1:]
	case 25:
		n, least, s.rest = uint64(binary.BigEndian.Uint16(follow)), 1<<8, follow[2:]
	case 26:
		n, least, s.rest = uint64(binary.BigEndian.Uint32(follow)), 1<<16, follow[4:]
	case 27:
		n, least, s.rest = binary.BigEndian.Uint64(follow), 1<<32, follow[8:]
	}
	s.bad = n < least
	return major, n
}

// head reads a head of a major type and a number up to a bound.
func (s *items) head(major byte, most uint64) uint64 {
	m, n := s.next()
	if s.bad = s.bad || m != major || n > most; s.bad {
		return 0
	}
	return n
}

func (s *items) uint(most uint64) uint64 { return s.head(majorUint, most) }

func (s *items) int() int64 {
	major, n := s.next()
	if s.bad = s.bad || major > majorNeg || n > math.MaxInt64; s.bad {
		return 0
	}
	if major == majorNeg {
		return ^int64(n)
	}
	return int64(n)
}

func (s *items) bool() bool {
	value := s.head(majorPlain, plainTrue)
	s.bad = s.bad || value < plainFalse
	return value == plainTrue
}

// array reads the head of an array of exactly so many items.
func (s *items) array(n uint64) { s.bad = s.head(majorArray, n) != n || s.bad }

// string reads the content of a string of bytes or of text, which stays in
// place.
func (s *items) string(major byte) []byte {
	n := s.head(major, uint64(len(s.rest)))
	if s.bad = s.bad || n > uint64(len(s.rest)); s.bad {
		return nil
	}
	content := s.rest[:n]
	s.rest = s.rest[n:]
	return content
}

// copyInto reads a string of bytes of a known length.
func (s *items) copyInto(to []byte) {
	content := s.string(majorBytes)
	if s.bad = s.bad || len(content) != len(to); !s.bad {
		copy(to, content)
	}
}

func (s *items) text() string {
	content := s.string(majorText)
	if s.bad = s.bad || !utf8.Valid(content); s.bad {
		return ""
	}
	return string(content)
}

// raw reads an item of whatever kind and returns its bytes, which stay in place.
func (s *items) raw() []byte {
	begin := s.rest
	s.pass(rawDepth)
	if s.bad {
		return nil
	}
	return begin[:len(begin)-len(s.rest)]
}

// The bounds of what raw passes over. They are narrower than those of the general
// decoder, which is asked when they are exceeded.
const (
	rawDepth = 8
	rawItems = 1 << 9
)

// pass goes past an item that holds numbers, strings, truths, arrays and maps, no
// deeper than depth.
func (s *items) pass(depth int) {
	switch major := s.major(); major {
	case majorUint, majorNeg:
		s.next()
	case majorBytes:
		s.string(major)
	case majorText:
		s.bad = !utf8.Valid(s.string(major)) || s.bad
	case majorArray, majorMap:
		n := s.head(major, rawItems)
		if major == majorMap {
			n *= 2
		}
		s.bad = s.bad || depth == 0
		for ; n > 0 && !s.bad; n-- {
			s.pass(depth - 1)
		}
	case majorPlain:
		s.bad = s.head(major, plainNull) < plainFalse || s.bad
	default:
		s.bad = true
	}
}

// major returns the major type of the next item.
func (s *items) major() byte {
	if s.bad || len(s.rest) == 0 {
		s.bad = true
		return 0
	}
	return s.rest[0] >> 5
}
