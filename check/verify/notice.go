package verify

import (
	"strings"

	"drawhouse/journal/record"
)

// noticeShown follows what players are told: a notice takes the place of another one, and
// only one that is shown can be taken down.
func (c *checker) noticeShown(b *record.NoticeShown) error {
	s := c.series[b.Series]
	switch {
	case s == nil:
		return fault(CheckGames, "series %d has not begun", b.Series)
	case b.Text == s.notice:
		return fault(CheckGames, "the notice %q of series %d changes nothing", b.Text, b.Series)
	case b.Text != strings.TrimSpace(b.Text) || strings.ContainsAny(b.Text, "\n\r\t"):
		return fault(CheckGames, "the notice %q of series %d is not one line", b.Text, b.Series)
	}
	s.notice = b.Text
	return nil
}
