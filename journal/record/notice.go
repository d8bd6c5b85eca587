package record

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// MostNotice is how many characters a notice has at most: one line of a wall, read at
// eight metres.
const MostNotice = 160

// NoticeShown tells players something on every screen of a series, in place of what it
// told them before. An empty text takes the notice down.
type NoticeShown struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	Text   string   // what the notice says; empty where it is taken away
	By     uint32   `is:"person"` // person
}

func (n *NoticeShown) check() error {
	return CheckNotice(n.Text)
}

// CheckNotice reports a text that no screen could show as one line.
func CheckNotice(text string) error {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > MostNotice {
		return fmt.Errorf("a notice has at most %d characters", MostNotice)
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return errors.New("a notice is one line of letters, digits and signs")
		}
	}
	return nil
}
