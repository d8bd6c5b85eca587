package rulebook

import (
	"fmt"
	"regexp"
	"strings"
)

// Words says a change in a sentence, with its clause.
func (c Change) Words() string {
	said := valueName(c.Path)
	switch {
	case c.Old == "":
		said += fmt.Sprintf(": %s, where nothing was said", c.New)
	case c.New == "":
		said += fmt.Sprintf(": nothing is said any more, where it was %s", c.Old)
	default:
		said += fmt.Sprintf(": %s instead of %s", c.New, c.Old)
	}
	if c.Clause != "" {
		said += " (" + c.Clause + ")"
	}
	return said + "."
}

// matched is the end of the path of a prize by numbers matched, and sized that of one by spots.
var (
	matched = regexp.MustCompile(`^(.*)\.catch\.([0-9]+)\.([0-9]+)$`)
	sized   = regexp.MustCompile(`^(.*)\.size\.([0-9]+)$`)
)

// valueName says in words what a path names: "tables classic-1, 8 spots, 5 matched".
func valueName(path string) string {
	tail := ""
	if parts := matched.FindStringSubmatch(path); parts != nil {
		path, tail = parts[1], fmt.Sprintf(", %s spots, %s matched", parts[2], parts[3])
	} else if parts := sized.FindStringSubmatch(path); parts != nil {
		path, tail = parts[1], fmt.Sprintf(", %s spots", parts[2])
	}
	for _, kind := range []Kind{KindKeno, KindBingo} {
		path = strings.TrimPrefix(path, string(kind)+".")
	}
	var b strings.Builder
	inside := 0
	for _, r := range path {
		switch {
		case r == '[':
			if inside++; inside == 1 {
				b.WriteByte(' ')
				continue
			}
		case r == ']':
			if inside--; inside == 0 {
				continue
			}
		case inside == 0 && r == '.':
			b.WriteString(", ")
			continue
		case inside == 0 && r == '_':
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String() + tail
}

// IsCitation reports whether a change is of where a value comes from, and not of a value.
func (c Change) IsCitation() bool {
	name := c.Path[strings.LastIndex(c.Path, ".")+1:]
	switch name {
	case "clause", "reading", "example":
		return true
	}
	return strings.HasSuffix(name, clauseSuffix)
}
