package api

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"drawhouse/core/refusal"
	"drawhouse/games/keno"
)

// notUnicode says what every text of a request must be. The decoder of the standard library puts the sign for an
// unknown character where a text is none, and the journal would have another text than was sent.
const notUnicode = "The text must be Unicode: UTF-8, and no half of a pair such as \\ud800 alone. Send it in UTF-8."

// checkUnicode refuses a body of JSON with a text that is not Unicode, by the field that it is in.
func checkUnicode(data []byte) error {
	at := notUnicodeAt(data)
	if at < 0 {
		return nil
	}
	if field := fieldAround(data, at); field != "" {
		return &refusal.Refusal{Code: keno.FieldValue, Path: field, Sentence: notUnicode}
	}
	return syntax(notUnicode)
}

// notUnicodeAt returns where a JSON text is no Unicode, or -1.
func notUnicodeAt(data []byte) int {
	if !utf8.Valid(data) {
		at := 0
		for r, n := utf8.DecodeRune(data); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(data[at:]) {
			at += n
		}
		return at
	}
	for at := 0; ; {
		n := bytes.IndexByte(data[at:], '\\')
		if n < 0 {
			return -1
		}
		at += n
		first, ok := surrogate(data[at:])
		if !ok {
			at += min(2, len(data)-at) // An escape of another kind, which may be of a backslash.
			continue
		}
		second, ok := surrogate(data[at+escapeBytes:])
		if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
			return at
		}
		at += 2 * escapeBytes
	}
}

// escapeBytes is the length of an escape such as \ud800.
const escapeBytes = 6

// surrogate returns the half of a pair that a JSON text begins with, and whether it begins with one.
func surrogate(data []byte) (rune, bool) {
	if len(data) < escapeBytes || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	code, err := strconv.ParseUint(string(data[2:escapeBytes]), 16, 16)
	return rune(code), err == nil && utf16.IsSurrogate(rune(code))
}

// fieldAround returns the field of a body whose value has what is at a place, or nothing where no field has it.
func fieldAround(data []byte, at int) string {
	c := cursor{data: data}
	if !c.take('{') {
		return ""
	}
	for {
		c.space()
		name := c.text()
		if name == nil || c.at > at || !c.take(':') || c.value() == nil {
			return ""
		}
		if at < c.at {
			return printable(string(name[1 : len(name)-1]))
		}
		if !c.take(',') {
			return ""
		}
	}
}
