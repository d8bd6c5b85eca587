// Package item writes and reads items of deterministic CBOR (RFC 8949, section 4.2.1)
// one by one, for the few forms of the journal that are written and read so often that
// going through reflection would cost more than everything else about them. A person who
// uses it says which items follow one another; the general encoder is its twin in the
// tests of packages record and keno.
package item

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// The major types of CBOR items (RFC 8949, 3.1).
const (
	Uint  = 0
	Neg   = 1
	Bytes = 2
	Text  = 3
	Array = 4
	Map   = 5
	Plain = 7 // false, true and null, and much that no record has
)

// The plain values that a record may have.
const (
	plainFalse = 20
	plainTrue  = 21
	plainNull  = 22
)

// AppendHead appends the head of an item in its shortest form.
func AppendHead(b []byte, major byte, n uint64) []byte {
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

// AppendInt appends a whole number.
func AppendInt(b []byte, v int64) []byte {
	if v < 0 {
		return AppendHead(b, Neg, uint64(^v))
	}
	return AppendHead(b, Uint, uint64(v))
}

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return AppendHead(b, Plain, plainTrue)
	}
	return AppendHead(b, Plain, plainFalse)
}

// AppendBytes appends a string of bytes.
func AppendBytes(b, data []byte) []byte {
	return append(AppendHead(b, Bytes, uint64(len(data))), data...)
}

// AppendText appends a text, which must be valid UTF-8.
func AppendText(b []byte, text string) []byte {
	return append(AppendHead(b, Text, uint64(len(text))), text...)
}

// Reader reads CBOR items one after the other, each in its shortest form. After
// the first that is not as expected it is bad, and everything it returns is zero.
type Reader struct {
	Rest []byte // what was not read yet
	Bad  bool
}

// next reads a head.
func (s *Reader) next() (major byte, n uint64) {
	if s.Bad || len(s.Rest) == 0 {
		s.Bad = true
		return 0, 0
	}
	first := s.Rest[0]
	major, n = first>>5, uint64(first&31)
	if n < 24 {
		s.Rest = s.Rest[1:]
		return major, n
	}
	// 24 to 27 say that 1, 2, 4 or 8 bytes follow, and the rest are lengths that
	// are not known and forms that do not exist.
	if n > 27 || len(s.Rest) <= 1<<(n-24) {
		s.Bad = true
		return 0, 0
	}
	var least uint64 // that needs so many bytes
	switch follow := s.Rest[1:]; n {
	case 24:
		n, least, s.Rest = uint64(follow[0]), 24, follow[1:]
	case 25:
		n, least, s.Rest = uint64(binary.BigEndian.Uint16(follow)), 1<<8, follow[2:]
	case 26:
		n, least, s.Rest = uint64(binary.BigEndian.Uint32(follow)), 1<<16, follow[4:]
	case 27:
		n, least, s.Rest = binary.BigEndian.Uint64(follow), 1<<32, follow[8:]
	}
	s.Bad = n < least
	return major, n
}

// Head reads a head of a major type and a number up to a bound.
func (s *Reader) Head(major byte, most uint64) uint64 {
	m, n := s.next()
	if s.Bad = s.Bad || m != major || n > most; s.Bad {
		return 0
	}
	return n
}

// Uint reads a whole number from 0 up to a bound.
func (s *Reader) Uint(most uint64) uint64 { return s.Head(Uint, most) }

// Int reads a whole number.
func (s *Reader) Int() int64 {
	major, n := s.next()
	if s.Bad = s.Bad || major > Neg || n > math.MaxInt64; s.Bad {
		return 0
	}
	if major == Neg {
		return ^int64(n)
	}
	return int64(n)
}

// Bool reads true or false.
func (s *Reader) Bool() bool {
	value := s.Head(Plain, plainTrue)
	s.Bad = s.Bad || value < plainFalse
	return value == plainTrue
}

// Array reads the head of an array of exactly so many items.
func (s *Reader) Array(n uint64) { s.Bad = s.Head(Array, n) != n || s.Bad }

// String reads the content of a string of bytes or of text, which stays in
// place.
func (s *Reader) String(major byte) []byte {
	n := s.Head(major, uint64(len(s.Rest)))
	if s.Bad = s.Bad || n > uint64(len(s.Rest)); s.Bad {
		return nil
	}
	content := s.Rest[:n]
	s.Rest = s.Rest[n:]
	return content
}

// CopyInto reads a string of bytes of a known length.
func (s *Reader) CopyInto(to []byte) {
	content := s.String(Bytes)
	if s.Bad = s.Bad || len(content) != len(to); !s.Bad {
		copy(to, content)
	}
}

// Text reads a text.
func (s *Reader) Text() string {
	content := s.String(Text)
	if s.Bad = s.Bad || !utf8.Valid(content); s.Bad {
		return ""
	}
	return string(content)
}

// Raw reads an item of whatever kind and returns its bytes, which stay in place.
func (s *Reader) Raw() []byte {
	begin := s.Rest
	s.pass(rawDepth)
	if s.Bad {
		return nil
	}
	return begin[:len(begin)-len(s.Rest)]
}

// The bounds of what raw passes over. They are narrower than those of the general
// decoder, which is asked when they are exceeded.
const (
	rawDepth = 8
	MaxItems = 1 << 9
)

// pass goes past an item that holds numbers, strings, truths, arrays and maps, no
// deeper than depth.
func (s *Reader) pass(depth int) {
	switch major := s.major(); major {
	case Uint, Neg:
		s.next()
	case Bytes:
		s.String(major)
	case Text:
		s.Bad = !utf8.Valid(s.String(major)) || s.Bad
	case Array, Map:
		n := s.Head(major, MaxItems)
		if major == Map {
			n *= 2
		}
		s.Bad = s.Bad || depth == 0
		for ; n > 0 && !s.Bad; n-- {
			s.pass(depth - 1)
		}
	case Plain:
		s.Bad = s.Head(major, plainNull) < plainFalse || s.Bad
	default:
		s.Bad = true
	}
}

// major returns the major type of the next item.
func (s *Reader) major() byte {
	if s.Bad || len(s.Rest) == 0 {
		s.Bad = true
		return 0
	}
	return s.Rest[0] >> 5
}
