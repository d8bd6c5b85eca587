package verify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// A cborReader reads deterministic CBOR (RFC 8949, section 4.2.1) of the few
// types that a ticket is made of. Lengths and numbers must have their shortest
// form. The first thing that is wrong is kept, and everything read after it is
// zero, so that a caller reads straight on and asks once.
type cborReader struct {
	data  []byte
	at    int // how much of the data is read
	err   error
	words *words // texts that were read before, or nil
}

// The major types of RFC 8949, section 3.1.
const (
	cborUint  = 0
	cborNeg   = 1
	cborBytes = 2
	cborText  = 3
	cborArray = 4
	cborMap   = 5

	cborFalse = 0xf4
	cborTrue  = 0xf5
)

func (r *cborReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
		r.at = len(r.data)
	}
}

// head reads the head of a value of a major type and returns its argument. A number of
// 1, 2, 4 or 8 bytes must not fit into fewer.
func (r *cborReader) head(major byte) uint64 {
	d := r.data[r.at:]
	if len(d) == 0 || d[0]>>5 != major {
		r.fail("a value of major type %d is missing", major)
		return 0
	}
	info := d[0] & 0x1f
	d = d[1:]
	r.at++
	var n, least uint64
	switch {
	case info < 24:
		return uint64(info)
	case info == 24 && len(d) >= 1:
		n, least = uint64(d[0]), 24
	case info == 25 && len(d) >= 2:
		n, least = uint64(binary.BigEndian.Uint16(d)), 1<<8
	case info == 26 && len(d) >= 4:
		n, least = uint64(binary.BigEndian.Uint32(d)), 1<<16
	case info == 27 && len(d) >= 8:
		n, least = binary.BigEndian.Uint64(d), 1<<32
	case info > 27:
		r.fail("a length is left open")
		return 0
	default:
		r.fail("the bytes end within a number")
		return 0
	}
	if n < least {
		r.fail("the number %d is not in its shortest form", n)
		return 0
	}
	r.at += 1 << (info - 24)
	return n
}

// uint reads a number from least to most.
func (r *cborReader) uint(what string, least, most uint64) uint64 {
	n := r.head(cborUint)
	if n < least || n > most {
		return r.outside(what, n, least, most)
	}
	return n
}

// outside reports a number that is out of its range, unless the reader has failed and
// the number is only the zero that it reads from then on.
func (r *cborReader) outside(what string, n, least, most uint64) uint64 {
	if r.err == nil {
		r.fail("%s is %d, not %d to %d", what, n, least, most)
	}
	return 0
}

// uint32 reads a number that fits into 32 bits.
func (r *cborReader) uint32(what string) uint32 { return uint32(r.uint(what, 0, math.MaxUint32)) }

// int reads a number that may be negative: -1-n is stored as n.
func (r *cborReader) int(what string) int64 {
	if r.at < len(r.data) && r.data[r.at]>>5 == cborNeg {
		n := r.head(cborNeg)
		if n > math.MaxInt64 {
			n = r.outside(what, n, 0, math.MaxInt64)
		}
		return -1 - int64(n)
	}
	return int64(r.uint(what, 0, math.MaxInt64))
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

// exactly reads a byte string of so many bytes.
func (r *cborReader) exactly(what string, length int) []byte {
	b := r.bytes(what)
	if r.err == nil && len(b) != length {
		r.fail("%s has %d bytes, not %d", what, len(b), length)
	}
	return b
}

// text reads a text of at least one byte.
func (r *cborReader) text(what string) string {
	b := r.take(what, cborText)
	if word, ok := r.words.known(b); ok {
		return word
	}
	if r.err == nil && !utf8.Valid(b) {
		r.fail("%s is not UTF-8", what)
		return ""
	}
	return r.words.keep(string(b))
}

func (r *cborReader) take(what string, major byte) []byte {
	n := r.head(major)
	switch {
	case r.err != nil:
		return nil
	case n == 0:
		r.fail("%s is empty", what)
		return nil
	case n > uint64(len(r.data)-r.at):
		r.fail("the bytes end within %s", what)
		return nil
	}
	from := r.at
	r.at += int(n)
	return r.data[from:r.at:r.at]
}

// yes reads the value true, the only form that a mark has.
func (r *cborReader) yes(what string) {
	if r.err != nil {
		return
	}
	if r.at == len(r.data) || r.data[r.at] != cborTrue {
		r.fail("%s is not true", what)
		return
	}
	r.at++
}

// bool reads a truth value.
func (r *cborReader) bool(what string) bool {
	if r.at < len(r.data) && r.data[r.at] == cborFalse {
		r.at++
		return false
	}
	r.yes(what)
	return r.err == nil
}

// words are texts that come again and again, so that each is made once: the last of
// each length and last letter, roughly. A house uses a few dozen.
type words [64]string

func (w *words) place(length int, last byte) *string { return &w[(length*7+int(last))%len(w)] }

// known returns the text of bytes if it is at hand.
func (w *words) known(text []byte) (string, bool) {
	if w == nil || len(text) == 0 {
		return "", false
	}
	word := *w.place(len(text), text[len(text)-1])
	return word, word == string(text)
}

// keep returns a text and has it at hand from now on.
func (w *words) keep(word string) string {
	if w != nil && word != "" {
		*w.place(len(word), word[len(word)-1]) = word
	}
	return word
}

var errTrailing = errors.New("bytes follow its end")

// close returns the first error, or an error if bytes are left over.
func (r *cborReader) close() error {
	if r.err == nil && r.at < len(r.data) {
		return errTrailing
	}
	return r.err
}
