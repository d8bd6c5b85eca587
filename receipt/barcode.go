package receipt

import (
	"fmt"
	"iter"
	"strings"
)

// Bars are a bar code: the widths of bars and spaces in turn, in modules. The first
// and the last are bars.
type Bars []uint8

// QuietModules is how many modules must stay blank on either side of a bar code.
const QuietModules = 10

// symbols are the widths of the 107 symbols of Code 128.
var symbols = strings.Fields(
	"212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 " +
		"112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 " +
		"311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 " +
		"112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 " +
		"313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 " +
		"314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 " +
		"122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 " +
		"124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 " +
		"114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112")

// The symbols that are no characters. In set B a symbol is one printable character,
// in set C two digits.
const (
	toSetC    = 99
	toSetB    = 100
	startSetB = 104
	startSetC = 105
	stop      = 106
	checkBase = 103
)

// Code128 returns the bars of a text of printable ASCII characters. Rows of digits
// take half the room.
func Code128(text string) (Bars, error) {
	if text == "" {
		return nil, fmt.Errorf("receipt: a bar code needs a text")
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return nil, fmt.Errorf("receipt: character %d of %q cannot be in a bar code", i+1, text)
		}
	}
	codes := encode(text)
	check := codes[0]
	for i, code := range codes {
		check += i * code
	}
	var bars Bars
	for _, code := range append(codes, check%checkBase, stop) {
		for _, width := range []byte(symbols[code]) {
			bars = append(bars, width-'0')
		}
	}
	return bars, nil
}

// encode chooses the sets. Changing to set C and back takes two symbols, so that it
// saves room from six digits on, or from four where one of the changes is not needed.
func encode(text string) (codes []int) {
	inC := false
	for i := 0; i < len(text); {
		run := digits(text[i:])
		worth := 6
		if i == 0 || i+run == len(text) {
			worth = 4
		}
		switch {
		case !inC && run >= worth && run%2 == 0 || inC && run >= 2:
			if !inC {
				codes = append(codes, change(i, startSetC, toSetC))
				inC = true
			}
			codes = append(codes, int(text[i]-'0')*10+int(text[i+1]-'0'))
			i += 2
		default:
			if inC || i == 0 {
				codes = append(codes, change(i, startSetB, toSetB))
				inC = false
			}
			codes = append(codes, int(text[i]-' '))
			i++
		}
	}
	return codes
}

// change returns the symbol that begins a set: at the start of the text or within.
func change(at, start, within int) int {
	if at == 0 {
		return start
	}
	return within
}

// digits returns how many digits a text begins with.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// Modules returns how wide the bar code is, without the quiet zones.
func (b Bars) Modules() int {
	sum := 0
	for _, width := range b {
		sum += int(width)
	}
	return sum
}

// All yields each bar: where it begins, from the left edge of the first, and how
// wide it is.
func (b Bars) All() iter.Seq2[int, int] {
	return func(yield func(at, width int) bool) {
		at := 0
		for i, width := range b {
			if i%2 == 0 && !yield(at, int(width)) {
				return
			}
			at += int(width)
		}
	}
}
