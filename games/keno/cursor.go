package keno

import (
	"math"
	"strconv"
)

// cursor reads the JSON of the form from left to right. It knows no more of JSON
// than the form uses: objects, arrays, whole numbers, true and false, and texts
// of plain characters. Everything else is refused where it stands, which is what
// makes it strict; and it builds nothing but the values themselves, which is
// what makes it fast.
type cursor struct {
	data []byte
	at   int
}

// space skips white space.
func (c *cursor) space() {
	for c.at < len(c.data) {
		switch c.data[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, or 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.at < len(c.data) {
		return c.data[c.at]
	}
	return 0
}

// take skips b if it comes next and reports whether it did.
func (c *cursor) take(b byte) bool {
	if c.peek() == b && c.at < len(c.data) {
		c.at++
		return true
	}
	return false
}

// syntax refuses what stands at the cursor.
func (c *cursor) syntax(wanted string) *Refusal {
	c.space()
	if c.at >= len(c.data) {
		return refuse(FormSyntax, "", "", "The form ends where %s should follow.", wanted)
	}
	return refuse(FormSyntax, "", "", "Byte %d is %q where %s should stand.", c.at+1, c.data[c.at], wanted)
}

// end refuses anything after the form.
func (c *cursor) end() *Refusal {
	if c.peek() != 0 || c.at < len(c.data) {
		return c.syntax("the end of the form")
	}
	return nil
}

// object reads an object. field reads the value of one name; it returns false
// for a name that the object does not have. Fields are told apart by the bit
// that names gives them, which also finds repeats.
func (c *cursor) object(names []string, field func(i int) *Refusal) *Refusal {
	if !c.take('{') {
		return c.kind("an object")
	}
	if c.take('}') {
		return nil
	}
	var seen uint32
	for {
		name, r := c.text()
		if r != nil {
			return r
		}
		i := indexOf(names, name)
		switch {
		case i < 0:
			return refuse(FieldUnknown, "", printable(name), "The form has no such field here.")
		case seen&(1<<i) != 0:
			return refuse(FieldRepeated, "", names[i], "The field stands here twice.")
		}
		seen |= 1 << i
		if !c.take(':') {
			return c.syntax("a colon").Below(names[i])
		}
		if r := field(i); r != nil {
			return r.Below(names[i])
		}
		if c.take('}') {
			return nil
		}
		if !c.take(',') {
			return c.syntax("a comma or a closing brace")
		}
		if c.peek() != '"' {
			return c.syntax("a name")
		}
	}
}

func indexOf(names []string, name []byte) int {
	for i, n := range names {
		if n == string(name) {
			return i
		}
	}
	return -1
}

// array reads an array of at most most elements, each read by element.
func (c *cursor) array(most int, element func(i int) *Refusal) *Refusal {
	if !c.take('[') {
		return c.kind("a list")
	}
	if c.take(']') {
		return nil
	}
	for i := 0; ; i++ {
		if i == most {
			return refuse(FieldValue, "", "", "The list has more than %d elements.", most)
		}
		if r := element(i); r != nil {
			return r.Below(index(i))
		}
		if c.take(']') {
			return nil
		}
		if !c.take(',') {
			return c.syntax("a comma or a closing bracket")
		}
	}
}

// text reads a text of plain characters. Every text of the form is an id of
// letters, digits and a few signs, so that none needs an escape.
func (c *cursor) text() ([]byte, *Refusal) {
	if !c.take('"') {
		return nil, c.kind("a text")
	}
	start := c.at
	for ; c.at < len(c.data); c.at++ {
		switch b := c.data[c.at]; {
		case b == '"':
			c.at++
			return c.data[start : c.at-1], nil
		case b < ' ' || b > '~' || b == '\\':
			return nil, refuse(FormSyntax, "", "",
				"Byte %d is no plain character, and the texts of the form have no others.", c.at+1)
		case c.at-start == MaxText:
			return nil, refuse(FieldValue, "", "", "The text is longer than %d characters.", MaxText)
		}
	}
	return nil, c.syntax("a closing quote")
}

// id reads a text that names something: neither empty nor with a space.
func (c *cursor) id() (string, *Refusal) {
	text, r := c.text()
	if r != nil {
		return "", r
	}
	if len(text) == 0 {
		return "", refuse(FieldValue, "", "", "The text is empty.")
	}
	for _, b := range text {
		if !isIDByte(b) {
			return "", refuse(FieldValue, "", "", "%q cannot be part of an id.", b)
		}
	}
	return string(text), nil
}

func isIDByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '-' || b == '_' || b == '.'
}

// number reads a whole number from least to most, written with digits only.
func (c *cursor) number(least, most int64) (int64, *Refusal) {
	if b := c.peek(); b != '-' && (b < '0' || b > '9') {
		return 0, c.kind("a whole number")
	}
	start := c.at
	var n int64
	for ; c.at < len(c.data) && '0' <= c.data[c.at] && c.data[c.at] <= '9'; c.at++ {
		digit := int64(c.data[c.at] - '0')
		if n > (math.MaxInt64-digit)/10 {
			n = math.MaxInt64
			continue
		}
		n = n*10 + digit
	}
	switch {
	case c.at == start, c.at < len(c.data) && isNumberByte(c.data[c.at]):
		return 0, refuse(FieldValue, "", "", "The number must be whole and written with digits only.")
	case c.data[start] == '0' && c.at > start+1:
		return 0, refuse(FormSyntax, "", "", "The number begins with a zero.")
	case n < least || n > most:
		return 0, refuse(FieldValue, "", "", "The number must be %d to %d.", least, most)
	}
	return n, nil
}

// isNumberByte reports whether b may follow digits in a JSON number that is
// negative, has a fraction or an exponent.
func isNumberByte(b byte) bool { return b == '.' || b == 'e' || b == 'E' || b == '-' || b == '+' }

// bool reads true or false.
func (c *cursor) bool() (bool, *Refusal) {
	switch {
	case c.word("true"):
		return true, nil
	case c.word("false"):
		return false, nil
	}
	return false, c.kind("true or false")
}

// word skips a word if it comes next and reports whether it did. What follows
// a word is checked by its reader: neither a comma nor a bracket is a
// letter.
func (c *cursor) word(word string) bool {
	c.space()
	end := c.at + len(word)
	if end > len(c.data) || string(c.data[c.at:end]) != word {
		return false
	}
	c.at = end
	return true
}

// kind refuses a value that is not wanted: of another kind where it is JSON at
// all, and as syntax where it is not.
func (c *cursor) kind(wanted string) *Refusal {
	switch b := c.peek(); {
	case b == '{', b == '[', b == '"', b == '-', '0' <= b && b <= '9', b == 't', b == 'f', b == 'n':
		return refuse(FieldValue, "", "", "The value must be %s.", wanted)
	}
	return c.syntax(wanted)
}

// index returns the path of an element.
func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// printable returns a name from outside as a path may show it.
func printable(name []byte) string {
	if len(name) == 0 {
		return `""`
	}
	return string(name)
}
