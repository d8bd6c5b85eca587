package game

import (
	"errors"
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestShowNotice shows a notice, another one in its place and none, and refuses what no
// screen could show and what changes nothing.
func TestShowNotice(t *testing.T) {
	s := state.New()
	if _, err := ShowNotice(s, 1, "Hello", 7); err == nil {
		t.Error("a notice of a series that has not begun")
	}
	current := &state.Series{}
	for _, c := range []struct {
		shown, text string
		bad         bool
	}{
		{"", "The bar closes at ten.", false},
		{"The bar closes at ten.", "The bar closes at eleven.", false},
		{"The bar closes at ten.", "", false},
		{"", strings.Repeat("ü", record.MostNotice-1), false},
		{"", strings.Repeat("ü", record.MostNotice), false},
		{"", strings.Repeat("ü", record.MostNotice+1), true},
		{"", "", true},
		{"Same", "Same", true},
		{"", "two\nlines", true},
		{"", " padded", true},
		{"", "not text \xff", true},
		{"", "\u202emirrored", true},
	} {
		current.Notice = c.shown
		shown, err := noticeOf(current, 1, c.text, 7)
		var refused *refusal.Refusal
		if c.bad != (err != nil) || err != nil &&
			(!errors.As(err, &refused) || refused.Code != NoticeWrong || refused.Path != "text") {
			t.Errorf("%q in place of %q: %v", c.text, c.shown, err)
		}
		if err == nil && (shown.Text != c.text || shown.By != 7 || shown.Series != 1) {
			t.Errorf("%q became %+v", c.text, shown)
		}
	}
}
