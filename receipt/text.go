package receipt

import "strings"

// Text returns the slip as plain text, as wide as the paper. Letters that are wider
// on paper are spaced; a symbol stands as what it says in brackets.
func (s *Slip) Text(p Paper) (string, error) {
	rows, err := s.set(p)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range rows {
		switch {
		case r.mark != nil:
			for _, text := range wrap("["+r.mark.text+"]", p.Columns()) {
				b.WriteString(text + "\n")
			}
		case r.rule:
			b.WriteString(strings.Repeat("-", p.Columns()) + "\n")
		case r.style.wide() > 1:
			b.WriteString(strings.TrimRight(spaced(r.text), " ") + "\n")
		default:
			b.WriteString(r.text + "\n")
		}
	}
	return b.String(), nil
}

// spaced puts a space behind every letter.
func spaced(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
		b.WriteByte(' ')
	}
	return b.String()
}
