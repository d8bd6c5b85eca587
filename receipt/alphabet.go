package receipt

import (
	"slices"
	"strings"
	"unicode"
)

// page850 has the bytes of code page 850 for the characters from U+00A0 to U+00FF.
const page850 = "\xff\xad\xbd\x9c\xcf\xbe\xdd\xf5\xf9\xb8\xa6\xae\xaa\xf0\xa9\xee" +
	"\xf8\xf1\xfd\xfc\xef\xe6\xf4\xfa\xf7\xfb\xa7\xaf\xac\xab\xf3\xa8" +
	"\xb7\xb5\xb6\xc7\x8e\x8f\x92\x80\xd4\x90\xd2\xd3\xde\xd6\xd7\xd8" +
	"\xd1\xa5\xe3\xe0\xe2\xe5\x99\x9e\x9d\xeb\xe9\xea\x9a\xed\xe8\xe1" +
	"\x85\xa0\x83\xc6\x84\x86\x91\x87\x8a\x82\x88\x89\x8d\xa1\x8c\x8b" +
	"\xd0\xa4\x95\xa2\x93\xe4\x94\xf6\x9b\x97\xa3\x96\x81\xec\xe7\x98"

const (
	firstLatin, lastLatin = '\u00a0', '\u00ff'
	noSuchCharacter       = "?"
)

// printable reports whether paper has a character as it is. A space that does not
// break and a hyphen that is not there are better written as plain ones.
func printable(r rune) bool {
	return r >= ' ' && r <= '~' || r > firstLatin && r <= lastLatin && r != '\u00ad'
}

// spelt has the usual way to write a character that paper does not have.
var spelt = func() map[rune]string {
	table := map[rune]string{
		'\u00a0': " ", '\u00ad': "", '\t': " ", '\n': " ", '\r': "",
		'‘': "'", '’': "'", '‚': "'", '“': `"`, '”': `"`, '„': `"`, '‹': "<", '›': ">",
		'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-",
		'…': "...", '•': "\u00b7", '€': "EUR", '™': "TM", '′': "'", '″': `"`, '\u2009': " ", '\u202f': " ",
		'Œ': "OE", 'œ': "oe", 'ĳ': "ij", 'Ĳ': "IJ", 'ı': "i", 'ŀ': "l", 'Ŀ': "L", 'ẞ': "SS",
	}
	for plain, accented := range map[rune]string{
		'A': "ĀĂĄ", 'a': "āăą", 'C': "ĆĈĊČ", 'c': "ćĉċč", 'D': "ĎĐ", 'd': "ďđ", 'E': "ĒĔĖĘĚ", 'e': "ēĕėęě",
		'G': "ĜĞĠĢ", 'g': "ĝğġģ", 'H': "ĤĦ", 'h': "ĥħ", 'I': "ĨĪĬĮİ", 'i': "ĩīĭį", 'J': "Ĵ", 'j': "ĵ",
		'K': "Ķ", 'k': "ķ", 'L': "ĹĻĽŁ", 'l': "ĺļľł", 'N': "ŃŅŇ", 'n': "ńņň", 'O': "ŌŎŐ", 'o': "ōŏő",
		'R': "ŔŖŘ", 'r': "ŕŗř", 'S': "ŚŜŞŠȘ", 's': "śŝşšș", 'T': "ŢŤŦȚ", 't': "ţťŧț", 'U': "ŨŪŬŮŰŲ", 'u': "ũūŭůűų",
		'W': "Ŵ", 'w': "ŵ", 'Y': "ŶŸ", 'y': "ŷ", 'Z': "ŹŻŽ", 'z': "źżž",
	} {
		for _, r := range accented {
			table[r] = string(plain)
		}
	}
	return table
}()

// Replaced returns the characters of a text that paper does not have, each once.
func Replaced(text string) string {
	_, replaced := Spell(text, printable)
	return string(replaced)
}

// Spell returns a text in the characters that paper or a font has, and which of its own it had to write otherwise,
// each once.
func Spell(text string, has func(rune) bool) (written string, replaced []rune) {
	if !strings.ContainsFunc(text, func(r rune) bool { return !has(r) }) {
		return text, nil
	}
	var b strings.Builder
	for _, r := range text {
		if has(r) {
			b.WriteRune(r)
			continue
		}
		otherwise, ok := spelt[r]
		switch {
		case ok:
		case unicode.Is(unicode.Mn, r): // An accent by itself follows its letter, which is there.
		case unicode.IsSpace(r):
			otherwise = " "
		default:
			otherwise = noSuchCharacter
		}
		b.WriteString(otherwise)
		if otherwise != " " { // A space that breaks is as good as any other.
			replaced = append(replaced, r)
		}
	}
	slices.Sort(replaced)
	return b.String(), slices.Compact(replaced)
}

// onPage850 returns a text that Spell wrote as the bytes of code page 850.
func onPage850(b []byte, text string) []byte {
	return encode8(b, text, func(r rune) byte { return page850[r-firstLatin] })
}

// onLatin returns a text that Spell wrote as bytes of ISO 8859-1, which is what the
// fonts of PDF itself take.
func onLatin(text string) string {
	return string(encode8(nil, text, func(r rune) byte { return byte(r) }))
}

func encode8(b []byte, text string, above func(rune) byte) []byte {
	for _, r := range text {
		if r < firstLatin {
			b = append(b, byte(r))
		} else {
			b = append(b, above(r))
		}
	}
	return b
}
