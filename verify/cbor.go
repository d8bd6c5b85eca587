package verify

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// A cborReader reads deterministic CBOR (RFC 8949, section 4.2.1) of the few
// types that a ticket is made of. Lengths and numbers must have their shortest
// form. The first thing that is wrong is kept, and everything read after it is
// zero, so that a caller reads straight on and asks once.
type cborReader struct {
	data []byte
	err  error
}

// The major types of RFC 8949, section 3.1.
const (
	cborUint  = 0
	cborBytes = 2
	cborText  = 3
	cborArray = 4
	cborMap   = 5

	cborTrue = 0xf5
)

func (r *cborReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
		r.data = nil
	}
}

// head reads the head of a value of a major type and returns its argument.
func (r *cborReader) head(major byte) uint64 {
	if r.err != nil {
		return 0
	}
	if len(r.data) == 0 || r.data[0]>>5 != major {
		r.fail("a value of major type %d is missing", major)
		return 0
	}
	info := r.data[0] & 0x1f
	r.data = r.data[1:]
	if info < 24 {
		return uint64(info)
	}
	if info > 27 {
		r.fail("a length is left open")
		return 0
	}
	return r.argument(1 << (info - 24))
}

// argument reads a number of 1, 2, 4 or 8 bytes that would not fit into fewer.
func (r *cborReader) argument(width int) uint64 {
	if len(r.data) < width {
		r.fail("the bytes end within a number")
		return 0
	}
	var n uint64
	for _, b := range r.data[:width] {
		n = n<<8 | uint64(b)
	}
	r.data = r.data[width:]
	if width == 1 && n < 24 || width > 1 && n>>(4*width) == 0 {
		r.fail("the number %d is not in its shortest form", n)
		return 0
	}
	return n
}

// uint reads a number from least to most.
func (r *cborReader) uint(what string, least, most uint64) uint64 {
	n := r.head(cborUint)
	if r.err == nil && (n < least || n > most) {
		r.fail("%s is %d, not %d to %d", what, n, least, most)
		return 0
	}
	return n
}

// array reads the head of an array and returns how many values follow.
func (r *cborReader) array(what string, least, most uint64) int {
	n := r.head(cborArray)
	if r.err == nil && (n < least || n > most) {
		r.fail("%s has %d parts, not %d to %d", what, n, least, most)
		return 0
	}
	return int(n)
}

// bytes reads a byte string of at least one byte. It is part of the data read.
func (r *cborReader) bytes(what string) []byte { return r.take(what, cborBytes) }

// text reads a text of at least one byte.
func (r *cborReader) text(what string) string {
	b := r.take(what, cborText)
	if r.err == nil && !utf8.Valid(b) {
		r.fail("%s is not UTF-8", what)
		return ""
	}
	return string(b)
}

func (r *cborReader) take(what string, major byte) []byte {
	n := r.head(major)
	switch {
	case r.err != nil:
		return nil
	case n == 0:
		r.fail("%s is empty", what)
		return nil
	case n > uint64(len(r.data)):
		r.fail("the bytes end within %s", what)
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

// yes reads the value true, the only form that a mark has.
func (r *cborReader) yes(what string) {
	if r.err != nil {
		return
	}
	if len(r.data) == 0 || r.data[0] != cborTrue {
		r.fail("%s is not true", what)
		return
	}
	r.data = r.data[1:]
}

var errTrailing = errors.New("bytes follow its end")

// close returns the first error, or an error if bytes are left over.
func (r *cborReader) close() error {
	if r.err == nil && len(r.data) > 0 {
		return errTrailing
	}
	return r.err
}
