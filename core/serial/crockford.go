package serial

import (
	"fmt"
	"unicode/utf8"
)

// alphabet is Crockford's base 32: digits and capitals without I, L, O and U,
// which are read as others or make words.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// symbolOf gives the value of each character, 0xff for those that have none.
// Small letters count as capitals, O as 0, and I and L as 1.
var symbolOf = func() (table [256]byte) {
	for i := range table {
		table[i] = 0xff
	}
	for value, c := range []byte(alphabet) {
		table[c] = byte(value)
		if c >= 'A' {
			table[c+'a'-'A'] = byte(value)
		}
	}
	table['O'], table['o'] = 0, 0
	for _, c := range []byte("IiLl") {
		table[c] = 1
	}
	return table
}()

// parseSymbols reads exactly n symbols, passing over spaces and hyphens. The
// position in an error counts from offset+1.
func parseSymbols(text string, n, offset int) ([]byte, error) {
	symbols := make([]byte, 0, n)
	for i, r := range text {
		if isSeparator(r) {
			continue
		}
		if r >= utf8.RuneSelf || symbolOf[r] == 0xff {
			return nil, fmt.Errorf("%q at position %d is not a letter or digit of the alphabet: %w", r, offset+i+1,
				ErrCharacter)
		}
		if len(symbols) == n {
			return nil, fmt.Errorf("more than %d characters: %w", offset+n, ErrLength)
		}
		symbols = append(symbols, symbolOf[r])
	}
	if len(symbols) != n {
		return nil, fmt.Errorf("%d characters, want %d: %w", offset+len(symbols), offset+n, ErrLength)
	}
	return symbols, nil
}

// putSymbols writes the lowest 5*len(dst) bits of x as symbol values, the
// highest first.
func putSymbols(dst []byte, x uint64) {
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = byte(x & 31)
		x >>= 5
	}
}

// getSymbols is the inverse of putSymbols.
func getSymbols(src []byte) (x uint64) {
	for _, s := range src {
		x = x<<5 | uint64(s)
	}
	return x
}

// spell returns the characters of symbol values.
func spell(symbols []byte) string {
	text := make([]byte, len(symbols))
	for i, s := range symbols {
		text[i] = alphabet[s]
	}
	return string(text)
}
