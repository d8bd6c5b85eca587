package draw

import (
	"errors"
	"fmt"
	"io"

	"drawhouse/core/ball"
)

// ErrBytes is wrapped when recorded bytes cannot have given a number.
var ErrBytes = errors.New("the bytes do not give a number")

// maxTries bounds the bytes read for one index. Each try is rejected with
// probability below one half, so a sound source comes here once in 2^128.
const maxTries = 128

// indexWidth returns how many bytes make one try for an index below n: the
// fewest that can tell n values apart, but at least one.
func indexWidth(n uint32) int {
	width := 1
	for n -= 1; n > 0xff; n >>= 8 {
		width++
	}
	return width
}

// tryIndex maps one try of indexWidth(n) bytes, read as a number with the
// highest byte first. With w bytes there are 256^w values; the highest
// 256^w mod n of them are rejected, which leaves a multiple of n, and the rest
// modulo n is the index. So each index has equally many values.
func tryIndex(n uint32, try []byte) (index uint32, ok bool) {
	value, values := uint64(0), uint64(1)
	for _, b := range try {
		value = value<<8 | uint64(b)
		values <<= 8
	}
	if value >= values-values%uint64(n) {
		return 0, false
	}
	return uint32(value % uint64(n)), true
}

// Index draws an index below n, each with the same probability, and returns it
// with the bytes it read from entropy, rejected ones included.
func Index(entropy io.Reader, n uint32) (index uint32, read []byte, err error) {
	return appendIndex(nil, entropy, n)
}

// appendIndex is Index, with the bytes appended to read.
func appendIndex(read []byte, entropy io.Reader, n uint32) (uint32, []byte, error) {
	if n == 0 {
		return 0, nil, errors.New("draw: there is no index below 0")
	}
	width := indexWidth(n)
	for range maxTries {
		read = append(read, make([]byte, width)...)
		try := read[len(read)-width:]
		if _, err := io.ReadFull(entropy, try); err != nil {
			return 0, nil, fmt.Errorf("draw: reading entropy: %w", err)
		}
		if index, ok := tryIndex(n, try); ok {
			return index, read, nil
		}
	}
	return 0, nil, fmt.Errorf("draw: %d tries for an index below %d were rejected: %w", maxTries, n, ErrStuck)
}

// IndexFromBytes returns the index below n that Index drew when it read exactly
// these bytes: tries of as many bytes as are needed to tell n values apart, all
// rejected but the last. A try is a number v with the highest byte first, of w
// bytes; it is rejected if v >= 256^w - 256^w mod n, and otherwise gives
// v mod n.
func IndexFromBytes(n uint32, read []byte) (uint32, error) {
	if n == 0 {
		return 0, fmt.Errorf("draw: there is no index below 0: %w", ErrBytes)
	}
	width := indexWidth(n)
	if len(read) == 0 || len(read)%width != 0 {
		return 0, fmt.Errorf("draw: %d bytes are no whole number of tries of %d: %w", len(read), width, ErrBytes)
	}
	for len(read) > width {
		if _, ok := tryIndex(n, read[:width]); ok {
			return 0, fmt.Errorf("draw: %d bytes are left after an accepted try: %w", len(read)-width, ErrBytes)
		}
		read = read[width:]
	}
	index, ok := tryIndex(n, read)
	if !ok {
		return 0, fmt.Errorf("draw: the last try is rejected: %w", ErrBytes)
	}
	return index, nil
}

// NumberFromBytes returns the number that was drawn from the remaining ones when
// exactly these bytes were read: with m numbers remaining, their index below m
// by IndexFromBytes, counted from zero over the remaining numbers in ascending
// order. Keno and bingo have at most 90 numbers, so a try is one byte b, rejected
// if b >= 256 - 256 mod m, and the index is b mod m.
func NumberFromBytes(remaining ball.Set, read []byte) (int, error) {
	index, err := IndexFromBytes(uint32(remaining.Len()), read)
	if err != nil {
		return 0, err
	}
	return remaining.Numbers()[index], nil
}
