package evaluate

import (
	"drawhouse/core/refusal"
	"drawhouse/games/keno"
)

// scanner reads the JSON of a line from left to right. It knows objects, lists,
// whole numbers and texts of plain characters, which is all that a line has
// outside its ticket; everything else is refused where it stands.
type scanner struct {
	data []byte
	at   int
}

// peek skips white space and returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.data); s.at++ {
		switch b := s.data[s.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// take skips b if it comes next and reports whether it did.
func (s *scanner) take(b byte) bool {
	if s.peek() != b || s.at == len(s.data) {
		return false
	}
	s.at++
	return true
}

// syntax refuses what stands here.
func (s *scanner) syntax(wanted string) *refusal.Refusal {
	s.peek()
	if s.at == len(s.data) {
		return refuse(keno.FormSyntax, "", "", "The line ends where %s should follow.", wanted)
	}
	return refuse(keno.FormSyntax, "", "",
		"Byte %d of the line is %q where %s should stand.", s.at+1, s.data[s.at], wanted)
}

// kind refuses a value: as one of another kind if it is JSON, otherwise as syntax.
func (s *scanner) kind(wanted string) *refusal.Refusal {
	switch b := s.peek(); {
	case b == '{', b == '[', b == '"', b == '-', '0' <= b && b <= '9', b == 't', b == 'f', b == 'n':
		return refuse(keno.FieldValue, "", "", "The value must be %s.", wanted)
	}
	return s.syntax(wanted)
}

// object reads an object whose fields have the given names, each at most once.
func (s *scanner) object(names []string, value func(i int) *refusal.Refusal) *refusal.Refusal {
	if !s.take('{') {
		return s.kind("an object")
	}
	if s.take('}') {
		return nil
	}
	for seen := uint(0); ; {
		i, r := s.name(names)
		if r != nil {
			return r
		}
		if seen>>i&1 != 0 {
			return refuse(keno.FieldRepeated, "", names[i], "The field stands here twice.")
		}
		seen |= 1 << i
		if !s.take(':') {
			return s.syntax("a colon").Below(names[i])
		}
		if r := value(i); r != nil {
			return r.Below(names[i])
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.syntax("a comma or a closing brace")
		}
	}
}

// name reads the name of a field and returns which of names it is.
func (s *scanner) name(names []string) (int, *refusal.Refusal) {
	if s.peek() != '"' {
		return 0, s.syntax("a name")
	}
	name, r := s.text()
	if r != nil {
		return 0, r
	}
	for i := range names {
		if names[i] == string(name) {
			return i, nil
		}
	}
	return 0, refuse(keno.FieldUnknown, "", string(name), "A line has no such field here.")
}

// text reads a text of plain characters, neither empty nor longer than an id of
// the ticket form, so that it can be written as it was read.
func (s *scanner) text() ([]byte, *refusal.Refusal) {
	if !s.take('"') {
		return nil, s.kind("a text")
	}
	start := s.at
	for ; s.at < len(s.data); s.at++ {
		switch b := s.data[s.at]; {
		case b == '"' && s.at == start:
			return nil, refuse(keno.FieldValue, "", "", "The text is empty.")
		case b == '"':
			s.at++
			return s.data[start : s.at-1], nil
		case b < ' ' || b > '~' || b == '\\':
			return nil, refuse(keno.FormSyntax, "", "",
				"Byte %d of the line is no plain character, and its texts have no others.", s.at+1)
		case s.at-start == keno.MaxText:
			return nil, refuse(keno.FieldValue, "", "", "The text is longer than %d characters.", keno.MaxText)
		}
	}
	return nil, s.syntax("a closing quote")
}

// number reads a whole number from least to most, which is at most maxCents.
func (s *scanner) number(least, most int) (int, *refusal.Refusal) {
	if b := s.peek(); b != '-' && (b < '0' || b > '9') {
		return 0, s.kind("a whole number")
	}
	start, n := s.at, 0
	for ; s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9'; s.at++ {
		n = min(n*10+int(s.data[s.at]-'0'), maxCents+1)
	}
	switch {
	case s.at == start, s.at < len(s.data) && isNumberByte(s.data[s.at]):
		return 0, refuse(keno.FieldValue, "", "", "The number must be whole and written with digits only.")
	case s.data[start] == '0' && s.at > start+1:
		return 0, refuse(keno.FormSyntax, "", "", "The number begins with a zero.")
	case n < least || n > most:
		return 0, refuse(keno.FieldValue, "", "", "The number must be %d to %d.", least, most)
	}
	return n, nil
}

// isNumberByte reports whether b may follow digits in a JSON number that has a
// fraction or an exponent.
func isNumberByte(b byte) bool { return b == '.' || b == 'e' || b == 'E' || b == '-' || b == '+' }

// ticket finds the end of a ticket, without judging what is in it. It returns its
// bytes and whether it leaves its first game open: such a ticket is in the form
// of a request.
func (s *scanner) ticket() (data []byte, open bool, r *refusal.Refusal) {
	if s.peek() != '{' {
		return nil, false, s.kind("an object")
	}
	start := s.at
	open = true
	for depth := 0; s.at < len(s.data); {
		switch s.data[s.at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			text := s.skipText()
			if depth == 1 && string(text) == `"first"` && s.take(':') {
				open = s.peek() != '{'
			}
			continue
		}
		s.at++
		if depth == 0 {
			return s.data[start:s.at], open, nil
		}
	}
	return nil, false, s.syntax("the rest of the ticket")
}

// skipText skips a text, or what is left of the line if it does not end, and
// returns it with its quotes.
func (s *scanner) skipText() []byte {
	start := s.at
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.data[start:s.at]
		}
	}
	s.at = len(s.data)
	return s.data[start:]
}
